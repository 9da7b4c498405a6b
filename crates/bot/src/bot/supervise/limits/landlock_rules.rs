//! Landlock rules of the tier `landlock`: visible files, and no TCP.

use std::ffi::OsString;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::{fs, io};

use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, PathBeneath, PathFd,
    Ruleset, RulesetAttr, RulesetCreated, RulesetCreatedAttr, RulesetError, Scope,
};
use nix::mount::{MsFlags, mount};
use nix::sched::{CloneFlags, unshare};
use rustix::process::{DumpableBehavior, chdir, getgid, getuid, set_dumpable_behavior};

use super::{IsolationError, syscall_filter};
use crate::bot::supervise::sys::{set_read_only, set_writable};

/// Required Landlock ABI: rules for files, truncation and TCP (Linux 6.7).
const NEEDED: ABI = ABI::V4;

/// Programs and libraries of the system: readable and executable for a bot.
pub const SYSTEM_PROGRAMS: [&str; 8] = [
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/opt",
    "/nix/store",
];

/// Information about the machine, for reading.
const SYSTEM_FACTS: [&str; 7] = [
    "/proc/cpuinfo",
    "/proc/meminfo",
    "/proc/stat",
    "/proc/version",
    "/proc/filesystems",
    "/proc/sys/vm",
    "/sys/devices/system/cpu",
];

/// The settings of the system, or for root their parts that everybody may read: root owns the others.
pub static SETTINGS: LazyLock<Vec<PathBuf>> = LazyLock::new(|| {
    let all = PathBuf::from("/etc");
    let mut open = Vec::new();
    match getuid().is_root() {
        true => add_open_parts(all, &mut open),
        false => {
            open.push(all);
            true
        }
    };
    open
});

/// Adds what everybody may read at or below a path, and returns whether that is all of it.
fn add_open_parts(path: PathBuf, open: &mut Vec<PathBuf>) -> bool {
    let Ok(about) = path.symlink_metadata() else {
        return false;
    };
    if about.is_symlink() {
        // The rules are for the file that it leads to.
        return true;
    }
    let needed = if about.is_dir() { 0o5 } else { 0o4 };
    if about.permissions().mode() & needed != needed {
        return false;
    }
    let before = open.len();
    let mut is_all = true;
    if about.is_dir() {
        for entry in fs::read_dir(&path).into_iter().flatten().flatten() {
            is_all &= add_open_parts(entry.path(), open);
        }
    }
    if is_all {
        open.truncate(before);
        open.push(path);
    }
    is_all
}

/// Information about the process itself, which languages read. The rest of its folder names others' files, such as
/// `net/unix`; it and `task` can be listed.
const OWN_FACTS: [&str; 18] = [
    "auxv",
    "cgroup",
    "cmdline",
    "comm",
    "environ",
    "fd",
    "fdinfo",
    "io",
    "limits",
    "maps",
    "mountinfo",
    "oom_score",
    "schedstat",
    "smaps",
    "smaps_rollup",
    "stat",
    "statm",
    "status",
];

/// Devices that leak nothing.
const DEVICES: [&str; 5] = [
    "/dev/null",
    "/dev/zero",
    "/dev/full",
    "/dev/random",
    "/dev/urandom",
];

/// Variables with the location of a language installed outside the system's folders.
const INSTALLATIONS: [&str; 4] = ["PYENV_ROOT", "VIRTUAL_ENV", "CONDA_PREFIX", "JAVA_HOME"];

pub fn installations(environment: &[(OsString, OsString)]) -> impl Iterator<Item = PathBuf> {
    let named = environment
        .iter()
        .filter(|(name, _)| INSTALLATIONS.iter().any(|known| name == known));
    named.map(|(_, path)| PathBuf::from(path))
}

/// Paths visible to a bot besides the system's.
#[derive(Debug)]
pub struct VisiblePaths {
    /// Its program, files named by its command, and the installation of its language.
    pub programs: Vec<PathBuf>,
    /// Its folder, readable; `None` if it needs none.
    pub folder: Option<PathBuf>,
    pub scratch: PathBuf,
    /// Whether its own folder is writable and executable, too.
    pub writes_folder: bool,
}

pub fn probe() -> Result<(), IsolationError> {
    let created = ruleset(CompatLevel::HardRequirement).and_then(Ruleset::create);
    if created.is_err() {
        let problem = "the kernel has no Landlock with rules for TCP, which came with Linux 6.7; take a newer \
                       kernel and see that `landlock` is in its list of security modules (lsm=)";
        return Err(IsolationError(problem.to_owned()));
    }
    syscall_filter::probe()
}

fn ruleset(level: CompatLevel) -> Result<Ruleset, RulesetError> {
    Ruleset::default()
        .set_compatibility(level)
        .handle_access(AccessFs::from_all(NEEDED))?
        .handle_access(AccessNet::from_all(NEEDED))
}

/// The rules for a bot. They must be created in the restricted process, since `/proc/self` is among the paths.
pub(super) fn rules(visible: &VisiblePaths) -> io::Result<RulesetCreated> {
    let read = AccessFs::from_read(NEEDED);
    let mut rules = ruleset(CompatLevel::HardRequirement)
        .and_then(|ruleset| {
            // Scopes came in a later ABI; they are applied if the kernel has them.
            ruleset
                .set_compatibility(CompatLevel::BestEffort)
                .scope(Scope::Signal | Scope::AbstractUnixSocket)?
                .create()
        })
        .map_err(io::Error::other)?;
    let readable = SYSTEM_PROGRAMS
        .iter()
        .filter(|path| !is_in_usr(path))
        .chain(&SYSTEM_FACTS)
        .map(PathBuf::from)
        .chain(SETTINGS.iter().cloned())
        .chain(visible.folder.clone())
        .chain(visible.programs.clone());
    for path in readable {
        rules = allow(rules, &path, read)?;
    }
    let own = Path::new("/proc/self");
    rules = allow(rules, own, AccessFs::ReadDir.into())?;
    for fact in OWN_FACTS {
        rules = allow(rules, &own.join(fact), read)?;
    }
    for device in DEVICES {
        rules = allow(rules, Path::new(device), read | AccessFs::WriteFile)?;
    }
    let all = AccessFs::from_all(NEEDED) & !(AccessFs::MakeChar | AccessFs::MakeBlock);
    if let Some(folder) = visible.folder.as_ref().filter(|_| visible.writes_folder) {
        rules = allow(rules, folder, all)?;
    }
    // Files written there cannot be executed.
    allow(rules, &visible.scratch, all & !AccessFs::Execute)
}

/// Whether a path is a link to a folder below `/usr`, which has a rule already. Each rule costs some system calls at
/// every start.
fn is_in_usr(path: &str) -> bool {
    fs::read_link(path).is_ok_and(|target| Path::new("/").join(target).starts_with("/usr/"))
}

fn allow(
    rules: RulesetCreated,
    path: &Path,
    access: BitFlags<AccessFs>,
) -> io::Result<RulesetCreated> {
    let Ok(open) = PathFd::new(path) else {
        return Ok(rules);
    };
    let access = if path.is_dir() {
        access
    } else {
        access & AccessFs::from_file(NEEDED)
    };
    rules
        .add_rule(PathBeneath::new(open, access))
        .map_err(io::Error::other)
}

/// Makes everything but these folders read-only for this process, and changes to `working_directory`. Does nothing if
/// the system permits no namespaces.
pub(super) fn all_but(writable: &[&Path], working_directory: &Path) -> io::Result<()> {
    if own_mounts().is_err() {
        return Ok(());
    }
    for folder in writable {
        // A bind mount of its own, so that its flags can be set separately.
        let flags = MsFlags::MS_BIND | MsFlags::MS_REC;
        mount(Some(*folder), *folder, NONE, flags, NONE)?;
    }
    set_read_only(Path::new("/"))?;
    for folder in writable {
        set_writable(folder)?;
    }
    // The old working directory is on the mount below the new one.
    Ok(chdir(working_directory)?)
}

const NONE: Option<&str> = None;

/// Enters a new mount namespace. Without root, that needs a new user namespace.
fn own_mounts() -> io::Result<()> {
    if unshare(CloneFlags::CLONE_NEWNS).is_err() {
        let (user, group) = (getuid().as_raw(), getgid().as_raw());
        unshare(CloneFlags::CLONE_NEWUSER | CloneFlags::CLONE_NEWNS)?;
        // The kernel gives these files of a process that is not dumpable to root.
        set_dumpable_behavior(DumpableBehavior::Dumpable)?;
        fs::write("/proc/self/setgroups", "deny")?;
        fs::write("/proc/self/uid_map", format!("{user} {user} 1"))?;
        fs::write("/proc/self/gid_map", format!("{group} {group} 1"))?;
    }
    // Private, so that the new mounts do not propagate to the namespace outside.
    mount(NONE, "/", NONE, MsFlags::MS_REC | MsFlags::MS_PRIVATE, NONE)?;
    Ok(())
}
