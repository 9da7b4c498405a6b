//! The bridge to engines of the Taiwanese dark chess tournaments, through the program.

use std::path::Path;

use referee::record::GameRow;

mod support {
    pub mod journal;
    pub mod python;
}

use support::journal::journal;
use support::python::python;

/// How an engine goes wrong, and how its games may end: a termination, and words of its detail.
const MANNERS: &[(&str, &[&str], &str, &str)] = &[
    (
        "dies",
        &["dies"],
        "crash",
        "the engine exited with code 1 before it answered `genmove",
    ),
    ("hangs", &["hangs"], "stall", "no answer within"),
    ("computes", &["computes"], "time", "of processor time"),
    (
        "refuses",
        &["refuses"],
        "illegal_action",
        "the engine answered `? no idea` to genmove: expected two squares, such as b3 b4",
    ),
    (
        "is-deaf",
        &["is-deaf"],
        "handshake",
        "the engine did not answer `ready` within 1 s",
    ),
];

/// Plays four games of dark chess against a house bot that plays at random, with engines of such manners.
fn games(engines: &[(&str, Vec<String>)]) -> Option<Vec<GameRow>> {
    let python = python()?;
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let names: Vec<&str> = engines.iter().map(|(name, _)| *name).collect();
    let mut config = format!(
        "seed = 3\n[game]\nname = \"dark-chess\"\nreading = \"common\"\n\
         [clock]\nmeasure = \"cpu\"\nper-game = \"2s\"\nwall-cap = \"4s\"\n\
         [format]\nkind = \"gauntlet\"\nchallengers = {names:?}\ngames-per-pairing = 4\n\
         [[player]]\nhouse = \"random\"\n"
    );
    for (name, engine) in engines {
        let bridge = root
            .join("bots/mgtp-bridge/bridge.py")
            .display()
            .to_string();
        let mut command = vec![python.program.clone(), bridge, "--patience=1".to_owned()];
        command.extend(engine.iter().cloned());
        config.push_str(&format!(
            "[[player]]\nname = {name:?}\ncommand = {command:?}\n"
        ));
    }
    let folder = tempfile::tempdir().expect("a folder");
    Some(journal(&config, folder.path(), 2))
}

/// The command of the stand-in.
fn stand_in(manner: &[&str]) -> Vec<String> {
    let engine = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/agents/mgtp_engine.py");
    let words = ["python3", engine.to_str().expect("text")];
    let words = words.iter().chain(manner);
    words.map(|word| (*word).to_owned()).collect()
}

#[test]
fn an_engine_plays_whole_games() {
    let engines = [
        ("plays", stand_in(&[])),
        // Text between its replies, some of which looks like one, means nothing.
        ("babbles", stand_in(&["babbles"])),
    ];
    let Some(games) = games(&engines) else {
        return;
    };
    assert_eq!(games.len(), 8);
    for game in games {
        assert!(
            ["rules", "adjudication"].contains(&game.termination.as_str()),
            "{game:?}"
        );
        assert!(game.plies > 10, "{game:?}");
    }
}

#[test]
fn an_engine_that_fails_forfeits_in_words_that_help() {
    let engines: Vec<(&str, Vec<String>)> = MANNERS
        .iter()
        .map(|(name, manner, ..)| (*name, stand_in(manner)))
        .chain([("absent", vec!["./no-such-engine".to_owned()])])
        .collect();
    let Some(games) = games(&engines) else {
        return;
    };
    let absent = (
        "absent",
        &[][..],
        "handshake",
        "the engine `./no-such-engine` cannot be started",
    );
    for (name, _, termination, words) in MANNERS.iter().chain([&absent]) {
        let is_its = |game: &&GameRow| game.forfeited_by == *name;
        let lost: Vec<&GameRow> = games.iter().filter(is_its).collect();
        assert_eq!(lost.len(), 4, "{name}: {games:?}");
        for game in lost {
            assert_eq!(game.termination, *termination, "{game:?}");
            assert!(game.detail.contains(words), "{game:?}");
        }
    }
}

/// Its own rules let a Cannon step; these do not.
#[test]
fn a_cannon_that_steps_is_explained() {
    let Some(games) = games(&[("cannon", stand_in(&["steps-with-cannons"]))]) else {
        return;
    };
    let stepped: Vec<&GameRow> = games
        .iter()
        .filter(|game| game.forfeited_by == "cannon")
        .collect();
    assert!(!stepped.is_empty(), "{games:?}");
    for game in stepped {
        assert_eq!(game.termination, "illegal_action");
        assert!(
            game.detail.contains("the engine moved the Cannon on "),
            "{game:?}"
        );
        assert!(
            game.detail
                .contains("under these rules it moves only by capturing"),
            "{game:?}"
        );
    }
}
