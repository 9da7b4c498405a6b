//! A player whose program exists but cannot be run forfeits its games, and the run goes on.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

use crate::support::config::{RANDOM, program, small_cachex};
use crate::support::{TestRun, referee_in, write_executable};

#[test]
fn a_program_that_cannot_be_run_forfeits_and_the_run_goes_on() {
    let scripts = [
        (
            "no-first-line",
            "echo hello\n",
            "a script begins with a line such as",
        ),
        (
            "no-interpreter",
            "#!/no/such/interpreter\n",
            "names `/no/such/interpreter`, which is not there",
        ),
        (
            "no-linux",
            "#!/bin/sh\r\nexec cat\r\n",
            "its first line ends as on Windows",
        ),
        (
            "no-bytes",
            "\u{feff}#!/bin/sh\n",
            "a byte-order mark stands before its #!",
        ),
    ];
    let players = scripts.map(|(name, ..)| program(name, name));
    let players = players.concat();
    let run = TestRun::new(&small_cachex(2, &[RANDOM, &players]));
    for (name, text, _) in scripts {
        write_executable(&run.path(name), text);
    }
    run.play(&[]);
    let games = run.games();
    assert_eq!(games.len(), 20);
    for game in games {
        assert_eq!(game.end.termination.name(), "handshake");
        let honest = game.names().contains(&"random");
        match honest {
            true => {
                let (name, detail) = (game.forfeited_by(), game.detail());
                let is_told = |it: &(&str, &str, &str)| it.0 == name && detail.contains(it.2);
                assert!(scripts.iter().any(is_told), "{game:?}");
            }
            false => assert_eq!(game.forfeited_by(), "both"),
        }
        assert_has!(game.detail(), "the bot's program cannot be run: ");
    }
}

#[test]
fn in_a_folder_whose_name_is_not_text_house_bots_play() {
    let folder = tempfile::tempdir().expect("a folder");
    let odd = folder.path().join(OsStr::from_bytes(b"b\xffd"));
    std::fs::create_dir_all(odd.join("own")).expect("made");
    referee_in(&odd, "run --game cachex random greedy --games 2 --quiet").ok();
    referee_in(&odd, "verify results/cachex-match").ok();
    let config = "[game]\nname = \"cachex\"\n[format]\nkind = \"round-robin\"\ngames-per-pairing = 2\n\
                  [[player]]\nhouse = \"random\"\n[[player]]\nname = \"own\"\ncommand = [\"sh\"]\ndir = \"own\"\n";
    std::fs::write(odd.join("config.toml"), config).expect("written");
    referee_in(&odd, "run config.toml").fails(2, "has a name that is not UTF-8");
}
