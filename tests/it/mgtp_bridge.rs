//! Tournaments through the bridge to engines of the Taiwanese dark chess tournaments.

use referee::runs::GameRow;

use crate::support::python::{Python, python};
use crate::support::{TestRun, columns, landlock_holds, root};

/// What a failing test engine does, the termination of its games, and words of the detail.
const FAILURES: [&str; 6] = [
    "dies | crash | the engine exited with code 1 before it answered `genmove",
    "hangs | stall | no answer within",
    "computes | time | of processor time",
    "refuses | illegal_action | the engine answered `? no idea` to genmove: expected two squares, such as b3 b4",
    "is-deaf | handshake | the engine did not answer `",
    "is-not-there | handshake | the engine `./no-such-engine` cannot be started: No such file or directory",
];

/// Plays games of dark chess against the house bot `random` for each of these test engines, which do
/// what their names say. The bridge is outside their folder.
fn games(engines: &[&str], limits: &str) -> Option<Vec<GameRow>> {
    games_of_reading("ntu", &[], engines, limits)
}

/// The same in any reading, with options of the bridge.
fn games_of_reading(
    reading: &str,
    options: &[&str],
    engines: &[&str],
    limits: &str,
) -> Option<Vec<GameRow>> {
    let Python { program, prefix } = python()?;
    let dir = root().join("tests/agents");
    // Some time in four games its Cannon steps.
    let count = if options.is_empty() { 2 } else { 4 };
    let mut config = format!(
        "seed = 3\n[game]\nname = \"dark-chess\"\nreading = {reading:?}\n\
         [limits]\nhandshake = \"3m\"\nstart = \"3m\"\n{limits}\n\
         [clock]\nmeasure = \"cpu\"\nper-game = \"2s\"\nwall-cap = \"{}\"\n\
         [format]\nkind = \"gauntlet\"\nchallengers = {engines:?}\ngames-per-pairing = {count}\n\
         [[player]]\nhouse = \"random\"\n",
        // Where the machine is busy, the others may need long for an action.
        if engines == ["hangs"] { "3s" } else { "10m" },
    );
    for name in engines {
        // Where the machine is busy, an engine may start slowly. The deaf one is waited for in vain.
        let patience = if *name == "is-deaf" { "2" } else { "60" };
        let mut command = vec![
            &program,
            "../../bots/mgtp-bridge/bridge.py",
            "--patience",
            patience,
        ];
        command.extend(options);
        match *name {
            "is-not-there" => command.push("./no-such-engine"),
            manner => command.extend([&program, "mgtp_engine.py", manner]),
        }
        config.push_str(&format!(
            "[[player]]\nname = {name:?}\ndir = {dir:?}\ncommand = {command:?}\n\
             env = {{ VIRTUAL_ENV = {prefix:?} }}\n"
        ));
    }
    Some(TestRun::played(&config).games())
}

fn are_whole(games: &[GameRow]) {
    for game in games {
        let whole = ["rules", "adjudication"].contains(&game.end.termination.name());
        assert!(whole && game.end.plies > 10, "{game:?}");
    }
}

#[test]
fn an_engine_plays_whole_games() {
    // Text between replies is ignored, even if it looks like a reply.
    let engines = ["plays", "babbles", "steps-with-cannons", "follows-turns"];
    if let Some(games) = games(&engines, "") {
        assert_eq!(games.len(), 8);
        are_whole(&games);
    }
}

#[test]
fn an_engine_plays_isolated() {
    needed!(landlock_holds().then_some(()));
    if let Some(games) = games(&["plays"], "isolation = \"landlock\"") {
        assert_eq!(games.len(), 2);
        are_whole(&games);
    }
}

#[test]
#[ignore = "slow"]
fn a_failing_engine_forfeits_with_a_helpful_message() {
    // Alone, since its games have another wall cap.
    let failures = FAILURES.map(columns::<3>);
    let names = failures.map(|[name, ..]| name);
    let (hangs, others): (Vec<_>, Vec<_>) = names.into_iter().partition(|name| *name == "hangs");
    let (Some(mut games), Some(more)) = (games(&others, ""), games(&hangs, "")) else {
        return;
    };
    games.extend(more);
    for [name, termination, words] in failures {
        let is_its = |game: &&GameRow| game.forfeited_by() == name;
        let lost: Vec<&GameRow> = games.iter().filter(is_its).collect();
        assert_eq!(lost.len(), 2, "{name}: {games:?}");
        for game in lost {
            assert_eq!(game.end.termination.name(), termination, "{game:?}");
            assert!(game.detail().contains(words), "{game:?}");
        }
    }
}

/// The protocol cannot say all that happens in the other readings.
#[test]
fn another_reading_is_refused_unless_it_is_asked_for() {
    for reading in ["literal", "common"] {
        let games = needed!(games_of_reading(reading, &[], &["follows-turns"], ""));
        for game in games {
            assert_eq!(game.end.termination.name(), "handshake");
            assert_has!(game.detail(), "set reading = \"ntu\" for the game");
        }
    }
}

/// The engine's own rules let a Cannon step; the other readings do not.
#[test]
fn a_cannon_that_steps_is_explained() {
    let engines = ["steps-with-cannons"];
    let games = needed!(games_of_reading("common", &["--any-reading"], &engines, ""));
    let stepped: Vec<&GameRow> = games
        .iter()
        .filter(|game| game.forfeited_by() == "steps-with-cannons")
        .collect();
    assert!(!stepped.is_empty(), "{games:?}");
    for game in stepped {
        assert_eq!(game.end.termination.name(), "illegal_action");
        for words in [
            "the engine moved the Cannon on ",
            "under these rules it moves only by capturing",
        ] {
            assert!(game.detail().contains(words), "{game:?}");
        }
    }
}
