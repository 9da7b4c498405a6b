//! PID namespaces with a small disk at `$TMPDIR`, in which a test runs alone.

use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::{PoisonError, RwLock};

use rustix::process::geteuid;

/// How large the disk is, in bytes.
const DISK: &str = "50331648";

/// Held alone by a test of a bot that takes the whole machine, and shared by all others.
static MACHINE: RwLock<()> = RwLock::new(());

/// Waits until this test may take the whole machine, or its part of it.
pub fn with_machine(whole: bool, test: impl FnOnce()) {
    // A test that fails leaves nothing half done here.
    let (_all, _part) = match whole {
        true => (
            Some(MACHINE.write().unwrap_or_else(PoisonError::into_inner)),
            None,
        ),
        false => (
            None,
            Some(MACHINE.read().unwrap_or_else(PoisonError::into_inner)),
        ),
    };
    test();
}

/// Who runs the harness there. The harness is never the first process: the kernel protects that one from signals, and
/// the harness must not be safe for that reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum World {
    /// Root, with all capabilities.
    Root,
    /// An ordinary user.
    User,
    /// An ordinary user who may make no user namespace.
    WithoutUserNamespaces,
}

impl World {
    /// What is missing where none is possible.
    pub const NEEDS: &str = "a PID namespace, which cannot be made here";

    /// That of whoever runs the tests.
    pub fn here() -> Option<Self> {
        let world = match geteuid().is_root() {
            true => Self::Root,
            false => Self::User,
        };
        world.is_possible().then_some(world)
    }

    /// Whether this machine allows it.
    pub fn is_possible(self) -> bool {
        let disk = tempfile::tempdir().expect("a folder");
        let mut command = self.command(disk.path());
        let status = command.arg("true").stderr(Stdio::null()).status();
        status.is_ok_and(|status| status.success())
    }

    /// A command that runs its arguments there.
    pub fn command(self, disk: &Path) -> Command {
        let mut command = match self {
            Self::Root => {
                let mut command = Command::new("unshare");
                command
                    .args(["--user", "--map-root-user"])
                    .args(["--pid", "--fork", "--mount-proc", "--kill-child"])
                    .args(["sh", "-c"])
                    .arg(format!(
                        "mount -t tmpfs -o size={DISK} test-disk \"$TMPDIR\" && \"$0\" \"$@\"; exit $?"
                    ));
                command
            }
            Self::User | Self::WithoutUserNamespaces => {
                let mut command = Command::new("bwrap");
                command
                    .args(["--unshare-user", "--unshare-pid", "--die-with-parent"])
                    .args(["--dev-bind", "/", "/", "--proc", "/proc"])
                    .args(["--size", DISK, "--tmpfs"])
                    .arg(disk);
                if self == Self::WithoutUserNamespaces {
                    command.arg("--disable-userns");
                }
                command
            }
        };
        command.env("TMPDIR", disk);
        command
    }
}
