//! The bubblewrap command that creates a sandbox, and a check that this machine supports it.

use std::ffi::OsStr;
use std::fs::Metadata;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use rustix::process::{Gid, Uid, geteuid};
use rustix::thread::{set_thread_gid, set_thread_groups, set_thread_uid};

use crate::bot::supervise::limits::{
    BUBBLEWRAP_LOCATIONS, IsolationError, landlock_rules, syscall_filter,
};

/// User and group of a bot in its sandbox. Root changes to them before it creates one.
const NOBODY: u32 = 65534;

pub(super) const SCRATCH: &str = "/tmp";
const SHARED_MEMORY: &str = "/dev/shm";
pub(super) const WRITABLE: [&str; 2] = [SCRATCH, SHARED_MEMORY];

/// Parts of `/etc` that programs need: libraries, alternatives, users, certificates and time zone; and the number of
/// processors.
const SETTINGS: [&str; 11] = [
    "/etc/alternatives",
    "/etc/group",
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/localtime",
    "/etc/nsswitch.conf",
    "/etc/passwd",
    "/etc/ssl/certs",
    "/etc/timezone",
    "/sys/devices/system/cpu",
];

/// Prefix of Java's settings. Java does not start without them.
const JAVA: &str = "java";

/// Maximum kept length of bubblewrap's complaint, in bytes.
pub(super) const COMPLAINT: usize = 2000;

/// Checks that a sandbox can be created here, and that `paths` are readable in it.
pub fn probe(scratch: u64, paths: &[PathBuf]) -> Result<(), IsolationError> {
    syscall_filter::probe()?;
    let mut command = bubblewrap(scratch, paths, Path::new("/"))?;
    command
        .args(["/bin/sh", "-c"])
        .arg("for path; do [ -r \"$path\" ] || { echo \"cannot read $path\" >&2; exit 1; }; done")
        .arg("sh")
        .args(paths)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped());
    if is_root() {
        use std::os::unix::process::CommandExt;
        // `Command::uid` as root also drops supplementary groups.
        command.uid(NOBODY).gid(NOBODY);
    }
    match complaint_of(command).map_err(|error| not_started(&error))? {
        None => Ok(()),
        Some(complaint) => {
            let (words, remedy) = (complaint.trim(), remedy(&complaint));
            Err(IsolationError(format!("{words}; {remedy}")))
        }
    }
}

pub(super) fn not_started(error: &io::Error) -> IsolationError {
    IsolationError(format!("bubblewrap did not start: {error}"))
}

fn complaint_of(mut command: Command) -> io::Result<Option<String>> {
    let mut child = command.spawn()?;
    let mut complaint = String::new();
    if let Some(stderr) = child.stderr.take() {
        stderr
            .take(COMPLAINT as u64)
            .read_to_string(&mut complaint)?;
    }
    Ok((!child.wait()?.success()).then_some(complaint))
}

fn remedy(complaint: &str) -> String {
    if complaint.contains("Can't find source path") || complaint.contains("cannot read") {
        return if is_root() {
            format!(
                "as root, bots are run as user {NOBODY} (nobody): let that user read it, or run the \
                 referee as a user who can"
            )
        } else {
            "let this user read it".to_owned()
        };
    }
    if complaint.contains("Unknown option") {
        return "take bubblewrap 0.8 or newer".to_owned();
    }
    "user namespaces must be allowed: `sysctl kernel.unprivileged_userns_clone=1`, `user.max_user_namespaces=10000` or \
     `kernel.apparmor_restrict_unprivileged_userns=0` (or an AppArmor profile for bwrap); in a container, start it with \
     `--security-opt seccomp=unconfined --security-opt systempaths=unconfined`"
        .to_owned()
}

/// Whether this process is root and can become nobody. Root of a user namespace with a single user cannot, and has no
/// outside privileges to drop.
fn is_root() -> bool {
    let maps = std::fs::read_to_string("/proc/self/uid_map").unwrap_or_default();
    let has_nobody = maps.lines().any(|line| {
        let mut numbers = line.split_whitespace().map(str::parse::<u64>);
        match (numbers.next(), numbers.next(), numbers.next()) {
            (Some(Ok(first)), Some(_), Some(Ok(count))) => {
                (first..first.saturating_add(count)).contains(&u64::from(NOBODY))
            }
            _ => false,
        }
    });
    geteuid().is_root() && has_nobody
}

/// Becomes nobody, if this is root. Only for a single-threaded process.
pub(super) fn drop_root() -> io::Result<()> {
    if is_root() {
        set_thread_groups(&[])?;
        set_thread_gid(Gid::from_raw(NOBODY))?;
        set_thread_uid(Uid::from_raw(NOBODY))?;
    }
    Ok(())
}

/// The command that creates a sandbox with `paths` readable. Arguments appended to it are the command to run, in
/// `folder`.
pub(super) fn bubblewrap(
    scratch: u64,
    paths: &[PathBuf],
    folder: &Path,
) -> Result<Command, IsolationError> {
    let program = BUBBLEWRAP_LOCATIONS
        .iter()
        .find(|path| Path::new(path).exists());
    let program = program.ok_or_else(|| {
        let places = BUBBLEWRAP_LOCATIONS.join(" or ");
        IsolationError(format!(
            "there is no {places}; install the package `bubblewrap`"
        ))
    })?;
    let nobody = NOBODY.to_string();
    let size = scratch.to_string();
    let mut command = Command::new(program);
    command
        .args(["--unshare-user", "--unshare-pid", "--unshare-ipc"])
        .args(["--unshare-net", "--unshare-uts", "--unshare-cgroup-try"])
        .args(["--disable-userns", "--cap-drop", "ALL"])
        .args(["--uid", &nobody, "--gid", &nobody, "--hostname", "bot"])
        .args(["--die-with-parent", "--new-session", "--as-pid-1"])
        .args(["--proc", "/proc", "--dev", "/dev"])
        // The user namespace's root may own the kernel's settings in `/proc/sys`.
        .args(["--ro-bind-try", "/proc/sys", "/proc/sys"])
        .args(["--size", &size, "--tmpfs", SHARED_MEMORY])
        .args(["--remount-ro", "/dev"])
        .args(["--size", &size, "--tmpfs", SCRATCH]);
    let system = landlock_rules::SYSTEM_PROGRAMS
        .iter()
        .chain(&SETTINGS)
        .map(PathBuf::from);
    for path in system.chain(java_settings()) {
        match path.canonicalize() {
            // A symlink is free; every mount costs time at each start.
            Ok(real) if real != path && real.starts_with("/usr") => {
                show(&mut command, "--symlink", &real, &path);
            }
            _ => show(&mut command, "--ro-bind-try", &path, &path),
        }
    }
    let mut shown: Vec<PathBuf> = landlock_rules::SYSTEM_PROGRAMS
        .iter()
        .map(PathBuf::from)
        .collect();
    for path in paths {
        // Both the path and its canonical form, since programs look for their parts in either.
        let real = path.canonicalize().unwrap_or_else(|_| path.clone());
        for target in [&real, path] {
            if !shown.iter().any(|folder| target.starts_with(folder)) {
                show(&mut command, "--ro-bind", &real, target);
                shown.push(target.clone());
            }
        }
    }
    command
        .args(["--remount-ro", "/", "--chdir"])
        .arg(folder)
        .arg("--");
    Ok(command)
}

pub(super) fn can_be_reached(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    let open = |folder: &Path| {
        let all = |found: Metadata| found.permissions().mode() & 0o001 != 0;
        folder.metadata().is_ok_and(all)
    };
    path.exists() && (!is_root() || path.ancestors().all(open))
}

fn show(command: &mut Command, option: &str, source: &Path, target: &Path) {
    command.args([OsStr::new(option), source.as_os_str(), target.as_os_str()]);
}

/// Files and folders with Java's settings; their names vary by version.
fn java_settings() -> impl Iterator<Item = PathBuf> {
    let entries = std::fs::read_dir("/etc").into_iter().flatten().flatten();
    entries
        .filter(|entry| entry.file_name().to_string_lossy().starts_with(JAVA))
        .map(|entry| entry.path())
}
