//! The filter of system calls, in the tiers `landlock` and `strict`.

use seccompiler::{
    BackendError, BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition,
    SeccompFilter, SeccompRule, TargetArch,
};

use super::IsolationError;

/// Tries whether system calls can be filtered on this machine.
pub(super) fn probe() -> Result<(), IsolationError> {
    filter()
        .map(|_| ())
        .map_err(IsolationError::NoSyscallFilter)
}

/// Denies every socket that is not of the Unix family, the ring that could make one without such a
/// call, and access to the memory of other processes.
pub(super) fn filter() -> Result<BpfProgram, BackendError> {
    let arch: TargetArch = std::env::consts::ARCH.try_into()?;
    let unix = libc::AF_UNIX.unsigned_abs().into();
    let not_unix = SeccompCondition::new(0, SeccompCmpArgLen::Dword, SeccompCmpOp::Ne, unix)?;
    let rules = [
        (libc::SYS_socket, vec![SeccompRule::new(vec![not_unix])?]),
        (libc::SYS_io_uring_setup, vec![]),
        (libc::SYS_ptrace, vec![]),
        (libc::SYS_process_vm_readv, vec![]),
        (libc::SYS_process_vm_writev, vec![]),
    ];
    let denied = SeccompAction::Errno(libc::EACCES.unsigned_abs());
    let rules = rules.into_iter().collect();
    SeccompFilter::new(rules, SeccompAction::Allow, denied, arch)?.try_into()
}
