//! This machine, and what it can do for a run: its isolation, counters, processors and limits.
//!
//! [`examine`] looks at everything by the same code as a run does, and plays a short game in each tier of isolation.
//! It returns facts; [`findings()`] says how good each of them is, and what it means for a run.

mod facts;
mod findings;
mod trial;

pub use facts::{Facts, Limits, Processors, Program, Temporary, TierFacts, examine};
pub use findings::{Finding, findings, verdict};
