//! What several suites need.

pub mod content;
pub mod doubles;
pub mod executable;
pub mod journal;
pub mod landlock;
pub mod matches;
pub mod pages;
pub mod program;
pub mod python;
pub mod quick;
pub mod ranking;
pub mod simulated;
pub mod tables;
pub mod tournament;
