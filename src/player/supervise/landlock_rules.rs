//! The tier `landlock`: which files a bot sees, and which sockets it can make.

use std::io;
use std::path::{Path, PathBuf};

use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, PathBeneath, PathFd,
    Ruleset, RulesetAttr, RulesetCreated, RulesetCreatedAttr, RulesetError, Scope,
};
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, TargetArch,
};

/// What the tier needs: files, truncation and TCP. Linux 6.7 has it.
const NEEDED: ABI = ABI::V4;

/// What every program may need of the system, to be read and run.
pub(super) const PROGRAMS: [&str; 8] = [
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/opt",
    "/nix/store",
];

/// What programs read about the machine, and about themselves.
const SYSTEM: [&str; 9] = [
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

/// Devices that are no way out.
const DEVICES: [&str; 5] = [
    "/dev/null",
    "/dev/zero",
    "/dev/full",
    "/dev/random",
    "/dev/urandom",
];

/// Variables that name where a language is installed, if not with the system.
const INSTALLATIONS: [&str; 4] = ["PYENV_ROOT", "VIRTUAL_ENV", "CONDA_PREFIX", "JAVA_HOME"];

/// Where languages are installed for this process's user.
pub(super) fn installations() -> impl Iterator<Item = PathBuf> {
    let named = INSTALLATIONS.iter().filter_map(std::env::var_os);
    named.map(PathBuf::from)
}

/// What a bot sees of its own.
#[derive(Debug)]
pub(super) struct VisiblePaths {
    /// Its program, and the files that its command names.
    pub programs: Vec<PathBuf>,
    /// Its folder, to be read; `None` for one that needs none.
    pub folder: Option<PathBuf>,
    /// Where it may write.
    pub scratch: PathBuf,
    /// Whether it may write to its folder too, and run what it wrote there.
    pub writes_folder: bool,
}

/// Whether the tier holds on this machine; the error is why not, and what would help.
pub(super) fn probe() -> Result<(), String> {
    ruleset(CompatLevel::HardRequirement)
        .and_then(Ruleset::create)
        .map_err(|_| {
            "the kernel has no Landlock with rules for TCP, which came with Linux 6.7; take a newer kernel \
             and see that `landlock` is in its list of security modules (lsm=)"
                .to_owned()
        })?;
    probe_filter()
}

/// Whether system calls can be filtered here.
pub(super) fn probe_filter() -> Result<(), String> {
    match filter() {
        Ok(_) => Ok(()),
        Err(problem) => Err(format!(
            "{problem}; the filter of system calls is for x86-64, ARM and RISC-V"
        )),
    }
}

fn ruleset(level: CompatLevel) -> Result<Ruleset, RulesetError> {
    Ruleset::default()
        .set_compatibility(level)
        .handle_access(AccessFs::from_all(NEEDED))?
        .handle_access(AccessNet::from_all(NEEDED))
}

/// The rules for a bot. To be made in the process that is to obey them, whose `/proc/self` is in them.
pub(super) fn rules(visible: &VisiblePaths) -> io::Result<RulesetCreated> {
    let read = AccessFs::from_read(NEEDED);
    let mut rules = ruleset(CompatLevel::HardRequirement)
        .and_then(|ruleset| {
            // Signals and abstract sockets came later; where they are there they are kept in too.
            ruleset
                .set_compatibility(CompatLevel::BestEffort)
                .scope(Scope::Signal | Scope::AbstractUnixSocket)?
                .create()
        })
        .map_err(io::Error::other)?;
    let readable = PROGRAMS
        .iter()
        .chain(&SYSTEM)
        .map(PathBuf::from)
        .chain(installations())
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
    // Nothing that it writes here is run.
    allow(rules, &visible.scratch, all & !AccessFs::Execute)
}

/// Allows what is there; what is not there needs no leave.
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

/// A filter of system calls: no socket but of the Unix family, no ring that would make one
/// unseen, no look into the memory of others.
pub(super) fn filter() -> Result<BpfProgram, String> {
    let words = |error: seccompiler::BackendError| error.to_string();
    let arch: TargetArch = std::env::consts::ARCH.try_into().map_err(words)?;
    let unix = libc::AF_UNIX.unsigned_abs().into();
    let other = SeccompCondition::new(0, SeccompCmpArgLen::Dword, SeccompCmpOp::Ne, unix)
        .and_then(|condition| SeccompRule::new(vec![condition]))
        .map_err(words)?;
    let rules = [
        (libc::SYS_socket, vec![other]),
        (libc::SYS_io_uring_setup, vec![]),
        (libc::SYS_ptrace, vec![]),
        (libc::SYS_process_vm_readv, vec![]),
        (libc::SYS_process_vm_writev, vec![]),
    ];
    let denied = SeccompAction::Errno(libc::EACCES.unsigned_abs());
    SeccompFilter::new(
        rules.into_iter().collect(),
        SeccompAction::Allow,
        denied,
        arch,
    )
    .and_then(TryInto::try_into)
    .map_err(words)
}
