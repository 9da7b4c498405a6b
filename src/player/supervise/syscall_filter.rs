//! The filters of system calls, in the tiers `landlock` and `strict`.

use std::io;

use seccompiler::{
    BackendError, BpfProgram, SeccompAction, SeccompCmpArgLen as Length, SeccompCmpOp as Is,
    SeccompCondition, SeccompFilter, SeccompRule, TargetArch,
};

use super::{Confinement, IsolationError, OffTurn, Tier};

/// Calls that a bot has no need of, and that reach beyond it: to the memory of others, to memory and
/// messages that outlive it, to programs that no file holds, or to sockets without a call for one.
const DENIED: [libc::c_long; 38] = [
    // The memory and the work of other processes.
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_process_madvise,
    libc::SYS_process_mrelease,
    libc::SYS_pidfd_getfd,
    libc::SYS_kcmp,
    libc::SYS_migrate_pages,
    libc::SYS_move_pages,
    libc::SYS_perf_event_open,
    libc::SYS_bpf,
    // What outlives a process: keys, System V memory, semaphores and queues, POSIX queues.
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_keyctl,
    libc::SYS_shmget,
    libc::SYS_shmat,
    libc::SYS_shmdt,
    libc::SYS_shmctl,
    libc::SYS_semget,
    libc::SYS_semop,
    libc::SYS_semtimedop,
    libc::SYS_semctl,
    libc::SYS_msgget,
    libc::SYS_msgsnd,
    libc::SYS_msgrcv,
    libc::SYS_msgctl,
    libc::SYS_mq_open,
    libc::SYS_mq_unlink,
    libc::SYS_mq_timedsend,
    libc::SYS_mq_timedreceive,
    libc::SYS_mq_notify,
    libc::SYS_mq_getsetattr,
    // Files without a name, which could be executed.
    libc::SYS_memfd_create,
    libc::SYS_memfd_secret,
    libc::SYS_io_uring_setup,
    libc::SYS_userfaultfd,
    // Namespaces, in which it would have the rights of root.
    libc::SYS_unshare,
    libc::SYS_setns,
];

/// Calls that change the mode, the times, the owner or the attributes of a file by its path, which
/// Landlock cannot restrict. They do nothing and succeed, since programs that copy files give up
/// otherwise.
const WITHOUT_EFFECT: [libc::c_long; 14] = [
    libc::SYS_fchmod,
    libc::SYS_fchmodat,
    SYS_FCHMODAT2,
    libc::SYS_fchown,
    libc::SYS_fchownat,
    libc::SYS_utimensat,
    libc::SYS_setxattr,
    libc::SYS_lsetxattr,
    libc::SYS_fsetxattr,
    libc::SYS_removexattr,
    libc::SYS_lremovexattr,
    libc::SYS_fremovexattr,
    SYS_SETXATTRAT,
    SYS_REMOVEXATTRAT,
];

/// The same calls in their older forms.
#[cfg(target_arch = "x86_64")]
const WITHOUT_EFFECT_OLD: [libc::c_long; 6] = [
    libc::SYS_chmod,
    libc::SYS_chown,
    libc::SYS_lchown,
    libc::SYS_utime,
    libc::SYS_utimes,
    libc::SYS_futimesat,
];
#[cfg(not(target_arch = "x86_64"))]
const WITHOUT_EFFECT_OLD: [libc::c_long; 0] = [];

/// Calls that the library does not name yet. Their numbers are the same on every architecture.
const SYS_FCHMODAT2: libc::c_long = 452;
const SYS_SETXATTRAT: libc::c_long = 463;
const SYS_REMOVEXATTRAT: libc::c_long = 466;

/// `PRIO_USER` and `IOPRIO_WHO_USER`: all processes of a user.
const PRIORITY_OF_USER: u64 = libc::PRIO_USER as u64;
const IO_PRIORITY_OF_USER: u64 = 3;

/// Tries whether system calls can be filtered on this machine.
pub(super) fn probe() -> Result<(), IsolationError> {
    let confinement = Confinement {
        isolation: Tier::Landlock,
        ..Confinement::default()
    };
    filters(&confinement)
        .map(|_| ())
        .map_err(IsolationError::NoSyscallFilter)
}

/// The filters for a bot. There are none in the tier that restricts no system calls.
pub(super) fn filters(confinement: &Confinement) -> Result<Vec<BpfProgram>, BackendError> {
    let denied = SeccompAction::Errno(libc::EACCES.unsigned_abs());
    let mut rules = denied_rules()?;
    if confinement.off_turn == OffTurn::Stop {
        rules.extend(resuming_rules()?);
    }
    let denied = compile(rules, denied)?;
    // The flags of this call cannot be looked at. Programs take the older one where it is not there.
    let unknown = SeccompAction::Errno(libc::ENOSYS.unsigned_abs());
    let no_clone3 = compile(vec![always(libc::SYS_clone3)], unknown)?;
    let without_effect = || {
        let calls = WITHOUT_EFFECT.into_iter().chain(WITHOUT_EFFECT_OLD);
        compile(calls.map(always).collect(), SeccompAction::Errno(0))
    };
    Ok(match confinement.isolation {
        Tier::Containment => Vec::new(),
        // A build makes programs of files.
        Tier::Landlock if !confinement.writes_own_folder => {
            vec![denied, no_clone3, without_effect()?]
        }
        // In a sandbox of its own a bot reaches no file of others that it could change.
        Tier::Landlock | Tier::Strict => vec![denied, no_clone3],
    })
}

/// Applies a filter to this process and all that it starts.
pub(super) fn apply(filter: &BpfProgram) -> io::Result<()> {
    seccompiler::apply_filter(filter).map_err(io::Error::other)
}

type Rules = Vec<(libc::c_long, Vec<SeccompRule>)>;

fn compile(rules: Rules, action: SeccompAction) -> Result<BpfProgram, BackendError> {
    let arch: TargetArch = std::env::consts::ARCH.try_into()?;
    let rules = rules.into_iter().collect();
    SeccompFilter::new(rules, SeccompAction::Allow, action, arch)?.try_into()
}

fn always(call: libc::c_long) -> (libc::c_long, Vec<SeccompRule>) {
    (call, Vec::new())
}

fn denied_rules() -> Result<Rules, BackendError> {
    let unix = libc::AF_UNIX.unsigned_abs().into();
    let not_unix = rule(&[(0, Is::Ne, unix)])?;
    let of_another = || rule(&[(0, Is::Ne, 0)]);
    let new_user = u64::from(libc::CLONE_NEWUSER.unsigned_abs());
    let new_user_namespace = rule(&[(0, Is::MaskedEq(new_user), new_user)])?;
    let mut rules: Rules = DENIED.into_iter().map(always).collect();
    rules.extend([
        (libc::SYS_socket, vec![not_unix]),
        (libc::SYS_clone, vec![new_user_namespace]),
        // Asking for a limit is allowed; that has no new one.
        (
            libc::SYS_prlimit64,
            vec![rule(&[(0, Is::Ne, 0), (2, Is::Ne, 0)])?],
        ),
        (libc::SYS_sched_setaffinity, vec![of_another()?]),
        (libc::SYS_sched_setscheduler, vec![of_another()?]),
        (libc::SYS_sched_setparam, vec![of_another()?]),
        (libc::SYS_sched_setattr, vec![of_another()?]),
        (
            libc::SYS_setpriority,
            vec![
                rule(&[(1, Is::Ne, 0)])?,
                rule(&[(0, Is::Eq, PRIORITY_OF_USER)])?,
            ],
        ),
        (
            libc::SYS_ioprio_set,
            vec![
                rule(&[(1, Is::Ne, 0)])?,
                rule(&[(0, Is::Eq, IO_PRIORITY_OF_USER)])?,
            ],
        ),
    ]);
    Ok(rules)
}

/// Denies sending the signal by which a stopped process goes on.
fn resuming_rules() -> Result<Rules, BackendError> {
    let signal = libc::SIGCONT.unsigned_abs().into();
    [
        (libc::SYS_kill, 1),
        (libc::SYS_tkill, 1),
        (libc::SYS_tgkill, 2),
        (libc::SYS_rt_sigqueueinfo, 1),
        (libc::SYS_rt_tgsigqueueinfo, 2),
        (libc::SYS_pidfd_send_signal, 1),
    ]
    .into_iter()
    .map(|(call, argument)| Ok((call, vec![rule(&[(argument, Is::Eq, signal)])?])))
    .collect()
}

/// A rule that holds where all of these do: the number of an argument, and how it compares with a value.
fn rule(conditions: &[(u8, Is, u64)]) -> Result<SeccompRule, BackendError> {
    let conditions = conditions.iter().map(|(argument, is, value)| {
        // The kernel reads 32 bits of these, but 64 of an address.
        let length = match argument {
            2 if *value == 0 => Length::Qword,
            _ => Length::Dword,
        };
        SeccompCondition::new(*argument, length, is.clone(), *value)
    });
    SeccompRule::new(conditions.collect::<Result<_, _>>()?)
}
