//! The seccomp filter, in the tiers `landlock` and `strict`.

use std::collections::BTreeMap;
use std::io;

use seccompiler::{
    BackendError, BpfProgram, SeccompAction, SeccompCmpArgLen as Length, SeccompCmpOp as Is,
    SeccompCondition, SeccompFilter, SeccompRule, TargetArch, sock_filter,
};

use super::{Confinement, IsolationError, OffTurn, Tier};

/// Denied calls, which a bot does not need. They reach other processes' memory, memory and messages that outlive the
/// bot, programs without a file, or sockets without a call to `socket`, or tell what others do.
const DENIED: [libc::c_long; 46] = [
    // Memory and state of other processes.
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
    // Uses of files by others, also in folders that the bot may not read; and the kernel's messages about others.
    libc::SYS_inotify_init1,
    libc::SYS_inotify_add_watch,
    libc::SYS_fanotify_init,
    libc::SYS_fanotify_mark,
    libc::SYS_name_to_handle_at,
    libc::SYS_open_by_handle_at,
    libc::SYS_syslog,
    // Objects that outlive a process: keys, System V memory, semaphores and queues, POSIX queues.
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
    // Anonymous files, which could be executed.
    libc::SYS_memfd_create,
    libc::SYS_memfd_secret,
    libc::SYS_io_uring_setup,
    // Its requests count against a limit of the whole machine.
    libc::SYS_io_setup,
    libc::SYS_userfaultfd,
    // Namespaces, where the bot would have root's capabilities.
    libc::SYS_unshare,
    libc::SYS_setns,
];

#[cfg(target_arch = "x86_64")]
const DENIED_OLD: [libc::c_long; 1] = [libc::SYS_inotify_init];
#[cfg(not(target_arch = "x86_64"))]
const DENIED_OLD: [libc::c_long; 0] = [];

/// Calls that a bot can do without, which it is told do not exist. Programs fall back to others.
const UNKNOWN: [libc::c_long; 3] = [
    // Its flags are behind a pointer, out of the filter's reach. Programs use `clone`.
    libc::SYS_clone3,
    // Timers of all bots of a user count together, and one of a stopped process can end it, which resumes its child.
    // Programs use `setitimer`, `alarm` or `timerfd_create`.
    libc::SYS_timer_create,
    // A pipe would hold pages that count for no process, up to 2 MiB for each that it is given.
    libc::SYS_vmsplice,
];

/// Commands of `fcntl` that a bot may use: they concern its own descriptors and signals to itself, or lock files. A file
/// of others is open to it for reading alone, so it can lock that one against no reader. Other commands are unknown to
/// it, such as leases, for which others wait, and notices about folders.
const OF_FCNTL: [libc::c_int; 16] = [
    libc::F_DUPFD,
    libc::F_DUPFD_CLOEXEC,
    libc::F_GETFD,
    libc::F_SETFD,
    libc::F_GETFL,
    libc::F_SETFL,
    libc::F_GETOWN,
    libc::F_SETOWN,
    libc::F_GETLK,
    libc::F_SETLK,
    libc::F_SETLKW,
    libc::F_OFD_GETLK,
    libc::F_OFD_SETLK,
    libc::F_OFD_SETLKW,
    libc::F_GETPIPE_SZ,
    libc::F_SETPIPE_SZ,
];

/// Commands of `prctl` that a bot may use: they concern itself alone. The others are unknown to it, such as processor
/// cores that it does not share with others.
const OF_PRCTL: [libc::c_int; 19] = [
    libc::PR_SET_PDEATHSIG,
    libc::PR_GET_PDEATHSIG,
    libc::PR_GET_DUMPABLE,
    libc::PR_SET_DUMPABLE,
    libc::PR_GET_KEEPCAPS,
    libc::PR_SET_NAME,
    libc::PR_GET_NAME,
    libc::PR_GET_SECCOMP,
    libc::PR_SET_SECCOMP,
    libc::PR_CAPBSET_READ,
    libc::PR_SET_TIMERSLACK,
    libc::PR_GET_TIMERSLACK,
    libc::PR_SET_CHILD_SUBREAPER,
    libc::PR_GET_CHILD_SUBREAPER,
    libc::PR_SET_NO_NEW_PRIVS,
    libc::PR_GET_NO_NEW_PRIVS,
    libc::PR_SET_THP_DISABLE,
    libc::PR_CAP_AMBIENT,
    libc::PR_SET_VMA,
];

/// Requests of `ioctl` that a bot may use: on terminals and descriptors, all numbers of this range; and the flags of a
/// file for reading. A request to any file system, such as one that changes these flags, is unknown to it.
const OF_TERMINALS: std::ops::RangeInclusive<u64> = 0x5400..=0x54ff;
const FLAGS_OF_FILE: u64 = 0x8008_6601;

/// Calls that change a file's mode, timestamps, owner or attributes by path, which Landlock cannot restrict. They
/// succeed without effect, since programs that copy files give up on an error.
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

/// Calls without a constant in `libc` yet. Their numbers are equal on all architectures.
const SYS_FCHMODAT2: libc::c_long = 452;
const SYS_SETXATTRAT: libc::c_long = 463;
const SYS_REMOVEXATTRAT: libc::c_long = 466;

/// `PRIO_USER` and `IOPRIO_WHO_USER`: all processes of a user.
const PRIORITY_OF_USER: u64 = libc::PRIO_USER as u64;
const IO_PRIORITY_OF_USER: u64 = 3;

pub fn probe() -> Result<(), IsolationError> {
    let confinement = Confinement {
        isolation: Tier::Landlock,
        ..Confinement::default()
    };
    let filter = filter(&confinement).map_err(|error| {
        IsolationError(format!(
            "{error}; the filter of system calls is for x86-64, ARM and RISC-V"
        ))
    });
    filter.map(drop)
}

/// The filter for a bot; `None` in the tier without restrictions on system calls.
pub(super) fn filter(confinement: &Confinement) -> Result<Option<BpfProgram>, BackendError> {
    if confinement.isolation == Tier::Containment {
        return Ok(None);
    }
    let denied = SeccompAction::Errno(libc::EACCES.unsigned_abs());
    let unknown = SeccompAction::Errno(libc::ENOSYS.unsigned_abs());
    let mut calls = Calls::new(TargetArch::try_from(std::env::consts::ARCH)?);
    calls.add(denied_rules()?, &denied)?;
    if confinement.off_turn == OffTurn::Stop {
        calls.add(resuming_rules()?, &denied)?;
    }
    calls.add(UNKNOWN.map(always).into(), &unknown)?;
    let invalid = SeccompAction::Errno(libc::EINVAL.unsigned_abs());
    calls.add(
        vec![
            (libc::SYS_fcntl, vec![none_of(1, &OF_FCNTL)?]),
            (libc::SYS_prctl, vec![none_of(0, &OF_PRCTL)?]),
        ],
        &invalid,
    )?;
    let not_here = SeccompAction::Errno(libc::ENOTTY.unsigned_abs());
    let below = rule(&[(1, Is::Lt, *OF_TERMINALS.start())])?;
    let above = rule(&[(1, Is::Gt, *OF_TERMINALS.end()), (1, Is::Ne, FLAGS_OF_FILE)])?;
    calls.add(vec![(libc::SYS_ioctl, vec![below, above])], &not_here)?;
    let without_effect = SeccompAction::Errno(0);
    // In the tier `strict` a bot reaches no file of others that it could change. A build needs these calls to make
    // executables.
    if confinement.isolation == Tier::Landlock && !confinement.writes_own_folder {
        let calls_without_effect = WITHOUT_EFFECT.into_iter().chain(WITHOUT_EFFECT_OLD);
        calls.add(calls_without_effect.map(always).collect(), &without_effect)?;
    }
    // The kernel shares processors by session: a bot with hundreds would take them from the others. Programs start
    // others in a session of their own, so an error would break them.
    calls.add(vec![always(libc::SYS_setsid)], &without_effect)?;
    if !confinement.writes_own_folder {
        // A bot could lock each file that it may read against all others. Java complains on its stdout about an error.
        calls.add(vec![always(libc::SYS_flock)], &without_effect)?;
    }
    calls.programs.insert(NOT_REVIEWED, vec![give(unknown)]);
    calls.into_program().map(Some)
}

pub(super) fn apply(filter: &BpfProgram) -> io::Result<()> {
    seccompiler::apply_filter(filter).map_err(io::Error::other)
}

type Rules = Vec<(libc::c_long, Vec<SeccompRule>)>;

fn always(call: libc::c_long) -> (libc::c_long, Vec<SeccompRule>) {
    (call, Vec::new())
}

/// The first call that nobody has reviewed yet: newer kernels have new calls that change files by path. It covers the x32
/// ABI too, whose calls have other numbers on x86-64 and would bypass every rule.
const NOT_REVIEWED: u32 = SYS_REMOVEXATTRAT as u32 + 1;

/// The action for each system call. When a bot starts, the kernel runs the filter once per system call number and
/// compiles it, so the program is kept short: a binary search, where neighbouring numbers with equal actions share one
/// instruction.
struct Calls {
    arch: TargetArch,
    /// Programs by the first call number of their range, which ends before the next key.
    programs: BTreeMap<u32, BpfProgram>,
}

impl Calls {
    fn new(arch: TargetArch) -> Self {
        let programs = [(0, vec![give(SeccompAction::Allow)])].into();
        Self { arch, programs }
    }

    fn add(&mut self, rules: Rules, action: &SeccompAction) -> Result<(), BackendError> {
        for (call, rules) in rules {
            let program = if rules.is_empty() {
                vec![give(action.clone())]
            } else {
                self.compile([(call, rules)].into(), action)?
            };
            let number = call as u32;
            let allow = || vec![give(SeccompAction::Allow)];
            self.programs.entry(number + 1).or_insert_with(allow);
            self.programs.insert(number, program);
        }
        Ok(())
    }

    fn compile(
        &self,
        rules: BTreeMap<i64, Vec<SeccompRule>>,
        action: &SeccompAction,
    ) -> Result<BpfProgram, BackendError> {
        SeccompFilter::new(rules, SeccompAction::Allow, action.clone(), self.arch)?.try_into()
    }

    fn into_program(self) -> Result<BpfProgram, BackendError> {
        // A filter without rules checks the architecture, and then allows; the latter is popped.
        let mut program = self.compile(BTreeMap::new(), &SeccompAction::Trap)?;
        program.pop();
        // Loads the call number: offset 0 of `seccomp_data`.
        program.push(instruction(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, 0));
        let mut ranges: Vec<_> = self.programs.into_iter().collect();
        ranges.dedup_by(|next, range| next.1 == range.1);
        program.extend(search(&ranges));
        Ok(program)
    }
}

/// Binary search for the program of a call, whose number is in the accumulator.
fn search(ranges: &[(u32, BpfProgram)]) -> BpfProgram {
    if let [(_, program)] = ranges {
        return program.clone();
    }
    let (low, high) = ranges.split_at(ranges.len() / 2);
    let first_of_high = high[0].0;
    let low = search(low);
    let skip_low = instruction(libc::BPF_JMP | libc::BPF_JA, low.len() as u32);
    let mut program = vec![next_if_at_least(first_of_high), skip_low];
    program.extend(low);
    program.extend(search(high));
    program
}

const fn instruction(code: u32, k: u32) -> sock_filter {
    let (jt, jf) = (0, 0);
    let code = code as u16;
    sock_filter { code, jt, jf, k }
}

fn give(action: SeccompAction) -> sock_filter {
    instruction(libc::BPF_RET | libc::BPF_K, action.into())
}

/// Falls through if the call number is at least `number`, and skips one instruction otherwise.
const fn next_if_at_least(number: u32) -> sock_filter {
    sock_filter {
        jf: 1,
        ..instruction(libc::BPF_JMP | libc::BPF_JGE | libc::BPF_K, number)
    }
}

fn denied_rules() -> Result<Rules, BackendError> {
    let unix = libc::AF_UNIX.unsigned_abs().into();
    let not_unix = rule(&[(0, Is::Ne, unix)])?;
    let of_another = || rule(&[(0, Is::Ne, 0)]);
    let new_user = u64::from(libc::CLONE_NEWUSER.unsigned_abs());
    let new_user_namespace = rule(&[(0, Is::MaskedEq(new_user), new_user)])?;
    let denied = DENIED.into_iter().chain(DENIED_OLD);
    let mut rules: Rules = denied.map(always).collect();
    rules.extend([
        (libc::SYS_socket, vec![not_unix]),
        (libc::SYS_clone, vec![new_user_namespace]),
        // Reading a limit is allowed: it passes no new one.
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

/// Denies sending SIGCONT, which would resume a stopped process.
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

/// A rule that matches if an argument is none of these.
fn none_of(argument: u8, allowed: &[libc::c_int]) -> Result<SeccompRule, BackendError> {
    let allowed = allowed.iter().map(|value| u64::from(value.unsigned_abs()));
    rule(
        &allowed
            .map(|value| (argument, Is::Ne, value))
            .collect::<Vec<_>>(),
    )
}

/// A rule that matches if all conditions do: argument number, comparison, value.
fn rule(conditions: &[(u8, Is, u64)]) -> Result<SeccompRule, BackendError> {
    let conditions = conditions.iter().map(|(argument, is, value)| {
        // Argument 2 of `prlimit64` is a pointer of 64 bits; the kernel reads 32 bits of the others.
        let length = match argument {
            2 if *value == 0 => Length::Qword,
            _ => Length::Dword,
        };
        SeccompCondition::new(*argument, length, is.clone(), *value)
    });
    SeccompRule::new(conditions.collect::<Result<_, _>>()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Interprets the program for a call with all arguments 0, as the kernel would.
    fn run(program: &[sock_filter], number: u32) -> u32 {
        let arch: u32 = match std::env::consts::ARCH {
            "x86_64" => 0xc000_003e,
            _ => 0xc000_00b7,
        };
        let (mut value, mut next) = (0, 0);
        loop {
            let sock_filter { code, jt, jf, k } = program[next].clone();
            next += 1;
            let jump = |holds: bool| usize::from(if holds { jt } else { jf });
            match u32::from(code) & 0xf7 {
                // Load word.
                0x20 => {
                    value = match k {
                        0 => number,
                        4 => arch,
                        _ => 0,
                    }
                }
                0x05 => next += k as usize,
                0x15 => next += jump(value == k),
                0x25 => next += jump(value > k),
                0x35 => next += jump(value >= k),
                0x54 => value &= k,
                0x06 => return k,
                other => panic!("an unknown instruction {other:#x}"),
            }
        }
    }

    #[test]
    fn each_call_finds_its_rule() {
        let confinement = Confinement {
            isolation: Tier::Landlock,
            ..Confinement::default()
        };
        let bot = filter(&confinement).expect("a filter").expect("some");
        let build = Confinement {
            writes_own_folder: true,
            ..confinement
        };
        let build = filter(&build).expect("a filter").expect("some");
        let errno = |number: i32| u32::from(SeccompAction::Errno(number.unsigned_abs()));
        let allow = u32::from(SeccompAction::Allow);
        let list = |calls: &[libc::c_long]| -> Vec<u32> {
            calls.iter().map(|call| *call as u32).collect()
        };
        let denied = [list(&DENIED), list(&DENIED_OLD)].concat();
        let without_effect = [list(&WITHOUT_EFFECT), list(&WITHOUT_EFFECT_OLD)].concat();
        // The first argument, 0, is not AF_UNIX.
        let sockets = libc::SYS_socket as u32;
        for number in (0..600).chain([0x4000_0001]) {
            let (for_bot, for_build) = match number {
                _ if denied.contains(&number) || number == sockets => {
                    (errno(libc::EACCES), errno(libc::EACCES))
                }
                _ if without_effect.contains(&number) => (errno(0), allow),
                _ if number == libc::SYS_setsid as u32 => (errno(0), errno(0)),
                _ if number >= NOT_REVIEWED || list(&UNKNOWN).contains(&number) => {
                    (errno(libc::ENOSYS), errno(libc::ENOSYS))
                }
                _ if number == libc::SYS_flock as u32 => (errno(0), allow),
                // The request 0 is none.
                _ if number == libc::SYS_ioctl as u32 => (errno(libc::ENOTTY), errno(libc::ENOTTY)),
                _ if number == libc::SYS_prctl as u32 => (errno(libc::EINVAL), errno(libc::EINVAL)),
                _ => (allow, allow),
            };
            assert_eq!(run(&bot, number), for_bot, "call {number} of a bot");
            assert_eq!(run(&build, number), for_build, "call {number} of a build");
        }
    }
}
