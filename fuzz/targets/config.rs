//! Configurations. Nothing that they name is started.
#![no_main]

use std::path::Path;

use libfuzzer_sys::fuzz_target;
use referee::config::Plan;

fuzz_target!(|text: &str| {
    if let Err(error) = Plan::parse(text, Path::new("config.toml")) {
        assert!(!error.to_string().contains('\n'), "{error}");
    }
});
