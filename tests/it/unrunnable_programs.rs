//! A player whose program is there and cannot be run forfeits its games; the run goes on.

use std::process::Command;

use crate::support::journal::read_games;

use crate::support::executable::write_executable;

#[test]
fn a_program_that_cannot_be_run_forfeits_and_halts_no_run() {
    let folder = tempfile::tempdir().expect("a folder");
    let programs = [
        ("no-first-line", "echo hello\n"),
        ("no-interpreter", "#!/no/such/interpreter\n"),
    ];
    for (name, text) in programs {
        write_executable(&folder.path().join(name), text);
    }
    let config = folder.path().join("config.toml");
    let dir = folder.path().display();
    std::fs::write(
        &config,
        format!(
            "seed = 1\n\
             [game]\nname = \"cachex\"\nsize = 3\n\
             [format]\nkind = \"round-robin\"\ngames-per-pairing = 2\n\
             [[player]]\nhouse = \"random\"\n\
             [[player]]\nname = \"no-first-line\"\ncommand = [\"./no-first-line\"]\ndir = \"{dir}\"\n\
             [[player]]\nname = \"no-interpreter\"\ncommand = [\"./no-interpreter\"]\ndir = \"{dir}\"\n"
        ),
    )
    .expect("written");
    let out = folder.path().join("out");
    let status = Command::new(env!("CARGO_BIN_EXE_referee"))
        .args(["run".as_ref(), config.as_os_str(), "--out".as_ref()])
        .arg(&out)
        .status()
        .expect("it runs");
    assert_eq!(status.code(), Some(0));
    let games = read_games(&out.join("games.csv")).expect("a journal");
    assert_eq!(games.len(), 6);
    for game in games {
        assert_eq!(game.end.termination.name(), "handshake");
        let honest = game.names().contains(&"random");
        match honest {
            true => assert!(game.forfeited_by().starts_with("no-"), "{game:?}"),
            false => assert_eq!(game.forfeited_by(), "both"),
        }
        assert!(
            game.detail().contains("the bot's program cannot be run: "),
            "{game:?}"
        );
    }
}
