//! Configurations. Nothing that they name is started.
#![no_main]

use std::path::Path;

use libfuzzer_sys::fuzz_target;
use referee::config::Plan;
use referee::game::BUILT_IN;
use referee::grade::Grading;

fuzz_target!(|text: &str| {
    let plan = Plan::parse(text, Path::new("config.toml"), BUILT_IN).err();
    let grading = Grading::parse(text, Path::new("class.toml"), BUILT_IN).err();
    for error in plan.into_iter().chain(grading) {
        assert!(!error.to_string().contains('\n'), "{error}");
    }
});
