//! `referee plan`, `work`, `merge` and `status`: a tournament on many machines.

mod folder;
mod lead;
mod merge;
mod plan;
mod status;
mod work;

pub(super) use lead::LeadArgs;
pub(super) use merge::MergeArgs;
pub(super) use plan::PlanArgs;
pub(super) use status::StatusArgs;
pub(super) use work::WorkArgs;

pub(super) use lead::run as lead;
pub(super) use merge::run as merge;
pub(super) use plan::run as plan;
pub(super) use status::run as status;
pub(super) use work::run as work;
