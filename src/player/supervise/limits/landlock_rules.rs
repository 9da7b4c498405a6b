//! The Landlock rules of the tier `landlock`: which files a bot sees, and that it has no TCP.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::{fs, io};

use super::{IsolationError, syscall_filter};
use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, PathBeneath, PathFd,
    Ruleset, RulesetAttr, RulesetCreated, RulesetCreatedAttr, RulesetError, Scope,
};

/// What the tier needs of the kernel: rules for files, truncation and TCP. Linux 6.7 has them.
const NEEDED: ABI = ABI::V4;

/// Where the system keeps programs and libraries. A bot may read and run them.
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

/// What programs read about the machine and about themselves.
const SYSTEM_FACTS: [&str; 9] = [
    "/etc",
    "/proc/cpuinfo",
    "/proc/meminfo",
    "/proc/stat",
    "/proc/version",
    "/proc/filesystems",
    "/proc/sys/vm",
    "/sys/devices/system/cpu",
    "/proc/self",
];

/// Devices through which nothing gets out.
const DEVICES: [&str; 5] = [
    "/dev/null",
    "/dev/zero",
    "/dev/full",
    "/dev/random",
    "/dev/urandom",
];

/// Variables that name where a language is installed, if not with the system.
const INSTALLATIONS: [&str; 4] = ["PYENV_ROOT", "VIRTUAL_ENV", "CONDA_PREFIX", "JAVA_HOME"];

/// Where an environment says that languages are installed.
pub fn installations(environment: &[(OsString, OsString)]) -> impl Iterator<Item = PathBuf> {
    let named = environment
        .iter()
        .filter(|(name, _)| INSTALLATIONS.iter().any(|known| name == known));
    named.map(|(_, path)| PathBuf::from(path))
}

/// What a bot sees besides the system.
#[derive(Debug)]
pub struct VisiblePaths {
    /// Its program, the files that its command names, and where its language is installed.
    pub programs: Vec<PathBuf>,
    /// Its folder, to be read; `None` for one that needs none.
    pub folder: Option<PathBuf>,
    /// Where it may write.
    pub scratch: PathBuf,
    /// Whether it may write to its folder too, and run what it wrote there.
    pub writes_folder: bool,
}

/// Tries whether the tier holds on this machine.
pub fn probe() -> Result<(), IsolationError> {
    ruleset(CompatLevel::HardRequirement)
        .and_then(Ruleset::create)
        .map_err(IsolationError::NoLandlock)?;
    syscall_filter::probe()
}

fn ruleset(level: CompatLevel) -> Result<Ruleset, RulesetError> {
    Ruleset::default()
        .set_compatibility(level)
        .handle_access(AccessFs::from_all(NEEDED))?
        .handle_access(AccessNet::from_all(NEEDED))
}

/// The rules for a bot. They must be made in the process that is to obey them, since its own
/// `/proc/self` is in them.
pub(super) fn rules(visible: &VisiblePaths) -> io::Result<RulesetCreated> {
    let read = AccessFs::from_read(NEEDED);
    let mut rules = ruleset(CompatLevel::HardRequirement)
        .and_then(|ruleset| {
            // The kernel learnt to scope these later; where it can, they are confined too.
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
        .chain(visible.folder.clone())
        .chain(visible.programs.clone());
    for path in readable {
        rules = allow(rules, &path, read)?;
    }
    for device in DEVICES {
        rules = allow(rules, Path::new(device), read | AccessFs::WriteFile)?;
    }
    let all = AccessFs::from_all(NEEDED) & !(AccessFs::MakeChar | AccessFs::MakeBlock);
    if let Some(folder) = visible.folder.as_ref().filter(|_| visible.writes_folder) {
        rules = allow(rules, folder, all)?;
    }
    // Nothing that it writes there can be run.
    allow(rules, &visible.scratch, all & !AccessFs::Execute)
}

/// Whether a path is a link to a folder below `/usr`, which has a rule: each rule takes some system calls at every start.
fn is_in_usr(path: &str) -> bool {
    fs::read_link(path).is_ok_and(|target| Path::new("/").join(target).starts_with("/usr/"))
}

/// Allows access to a path that exists; one that does not needs no rule.
fn allow(
    rules: RulesetCreated,
    path: &Path,
    access: BitFlags<AccessFs>,
) -> io::Result<RulesetCreated> {
    let Ok(open) = PathFd::new(path) else {
        return Ok(rules);
    };
    let access = match path.is_dir() {
        true => access,
        false => access & AccessFs::from_file(NEEDED),
    };
    rules
        .add_rule(PathBeneath::new(open, access))
        .map_err(io::Error::other)
}
