//! The environment variables of bots.
//!
//! Bots inherit an exact list of names: variables by which programs find their parts and the locale. Prefixes would
//! not do, since the name of a secret can begin or end like anything. Variables that change a program's behaviour are
//! not on the list, so a bot behaves alike for every user of the harness.

use std::ffi::OsString;

const PASSED_ON: [&str; 37] = [
    "PATH",
    "LD_LIBRARY_PATH",
    "HOME",
    "TMPDIR",
    "USER",
    "LOGNAME",
    "SHELL",
    "TZ",
    // The locale.
    "LANG",
    "LANGUAGE",
    "LC_ALL",
    "LC_ADDRESS",
    "LC_COLLATE",
    "LC_CTYPE",
    "LC_IDENTIFICATION",
    "LC_MEASUREMENT",
    "LC_MESSAGES",
    "LC_MONETARY",
    "LC_NAME",
    "LC_NUMERIC",
    "LC_PAPER",
    "LC_TELEPHONE",
    "LC_TIME",
    // Locations of languages, and of their modules.
    "CARGO_HOME",
    "CONDA_DEFAULT_ENV",
    "CONDA_PREFIX",
    "JAVA_HOME",
    "NODE_PATH",
    "PYENV_ROOT",
    "PYENV_VERSION",
    "PYTHONHOME",
    "PYTHONNOUSERSITE",
    "PYTHONPATH",
    "PYTHONUSERBASE",
    "RUSTUP_HOME",
    "VIRTUAL_ENV",
    // Makes crash reports more detailed.
    "RUST_BACKTRACE",
];

pub(super) fn passed_on() -> impl Iterator<Item = (OsString, OsString)> {
    std::env::vars_os().filter(|(key, _)| PASSED_ON.iter().any(|name| key == name))
}

/// Whether bots inherit this variable. Sandboxes make visible the paths that such variables name.
pub fn is_of_the_harness(name: &str) -> bool {
    PASSED_ON.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_variable_that_may_hold_a_secret_is_passed_on() {
        for name in PASSED_ON {
            let words = "TOKEN PASS SECRET KEY AUTH CRED OPT PROXY URL ASK CONFIG CERT INDEX SERVER BUS DSN";
            assert!(!words.split(' ').any(|word| name.contains(word)), "{name}");
        }
    }
}
