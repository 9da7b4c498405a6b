//! What several suites need.

pub mod browser;
pub mod by_results;
pub mod circles;
pub mod classes;
pub mod config;
pub mod content;
pub mod coverage;
pub mod doubles;
pub mod executable;
pub mod files;
pub mod kills;
pub mod landlock;
pub mod matches;
pub mod openings;
pub mod pages;
pub mod program;
pub mod properties;
pub mod python;
pub mod quick;
pub mod ranking;
pub mod run;
pub mod served;
pub mod simulated;
pub mod stubborn;
pub mod superior;
pub mod tables;
