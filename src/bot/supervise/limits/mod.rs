//! Limits of a bot, and their enforcement: resource limits, a control group, rules for files and a filter of system
//! calls. It is handed a [`Confinement`] and gives restrictions that a process puts on itself before it becomes the
//! bot; it starts no bot.

pub mod cgroup;
mod cgroup_entry;
mod confinement;
pub mod landlock_rules;
mod read_only;
mod restrictions;
pub mod syscall_filter;

pub use cgroup::{Cgroup, ControlGroups};
pub use cgroup_entry::CgroupEntry;
pub use confinement::{BUBBLEWRAP_LOCATIONS, Confinement, IsolationError, OffTurn, Tier};
pub use landlock_rules::{VisiblePaths, installations};
pub use restrictions::{Restrictions, die_with, prefer_for_oom_kill, signals_can_be_kept};
