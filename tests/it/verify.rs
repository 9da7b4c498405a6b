//! `referee verify`: true records are found true, and the first untrue one is named.

use std::path::Path;

use crate::support::program::{Ran, referee_reading};
use crate::support::tables::without_clocks;
use crate::support::tournament::{Run, run};

/// Three games, with bots that break down among the players.
fn config() -> String {
    let mut text = "seed = 3\n[[game]]\nname = \"watch-your-back\"\nmax-plies = 40\n\
         [[game]]\nname = \"cachex\"\nsize = 4\n\
         [[game]]\nname = \"dark-chess\"\nmax-plies = 60\n\
         [format]\nkind = \"round-robin\"\ngames-per-pairing = 2\nopening-plies = 2\n"
        .to_owned();
    for player in [
        "house = \"random\"",
        "house = \"greedy\"\nargs = [\"--nodes\", \"20\"]",
        "name = \"broken\"\nshell = \"exit\"",
        "name = \"broken-too\"\nshell = \"exit\"",
    ] {
        text.push_str(&format!("[[player]]\n{player}\n"));
    }
    text
}

fn verify(run: &Path) -> Ran {
    referee_reading(b"", &["verify", run.to_str().expect("text")])
}

/// The log of the first game that satisfies `which`, and its number.
fn log_of(run: &Run, which: impl Fn(&str, &str) -> bool) -> (String, usize) {
    let games = run.games();
    let row = games
        .iter()
        .find(|row| which(&row["game"], &row["termination"]))
        .expect("such a game");
    let id: usize = row["id"].parse().expect("a number");
    (format!("games/0000/{id:06}.csv"), id)
}

#[test]
fn a_run_is_as_recorded() {
    let run = run(&config(), 2);
    assert!(run.summary.contains("handshake"), "some games are forfeits");
    let records = |run: &Run| (without_clocks(run.games()), run.plies(0));
    let before = records(&run);
    let ran = verify(&run.path());
    assert_eq!(records(&run), before, "nothing is touched");
    assert_eq!((ran.exit, ran.stderr.as_str()), (0, ""));
    assert!(
        ran.stdout.contains("36 games and 5 tables are as recorded"),
        "{}",
        ran.stdout
    );
}

/// Changes a file of the run, looks what `verify` says about it, and puts it back.
fn forged(run: &Run, file: &str, forge: impl Fn(&str) -> String, said: &[&str]) {
    let path = run.path().join(file);
    let text = run.text(file);
    let other = forge(&text);
    assert_ne!(other, text, "{file} was changed");
    std::fs::write(&path, other).expect("written");
    let ran = verify(&run.path());
    assert!([1, 5].contains(&ran.exit), "{file}: {}", ran.stderr);
    for said in said {
        assert!(ran.stderr.contains(said), "{said}: {}", ran.stderr);
    }
    std::fs::write(&path, text).expect("written");
}

/// A text with one line changed, from 0.
fn with_line(text: &str, index: usize, change: impl Fn(&str) -> String) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    lines[index] = change(&lines[index]);
    lines.join("\n") + "\n"
}

#[test]
fn the_first_untrue_record_is_named() {
    let run = run(&config(), 2);
    let (cachex, id) = log_of(&run, |game, end| game == "cachex" && end == "rules");
    let game = format!("game {id}: ");
    let opening = |text: &str| with_line(text, 1, |line| line.replacen("red,", "red,z", 1));
    forged(&run, &cachex, opening, &[&game, "ply 1: the opening is `z"]);
    let seat = |text: &str| with_line(text, 3, |line| line.replacen("red", "blue", 1));
    forged(
        &run,
        &cachex,
        seat,
        &[&game, "ply 3: it was red's turn, not blue's"],
    );
    let action = |text: &str| {
        let second = text.lines().nth(2).expect("a ply").to_owned();
        let taken = second.split(',').nth(2).expect("an action").to_owned();
        with_line(text, 3, |line| {
            let mut fields: Vec<&str> = line.split(',').collect();
            fields[2] = &taken;
            fields.join(",")
        })
    };
    forged(&run, &cachex, action, &[&game, "ply 3: `", "is illegal"]);
    let shorter = |text: &str| {
        let lines: Vec<&str> = text.lines().collect();
        lines[..lines.len() - 1].join("\n") + "\n"
    };
    forged(&run, &cachex, shorter, &[&game, "plies, the log"]);

    let (dark, id) = log_of(&run, |game, end| game == "dark-chess" && end != "handshake");
    let game = format!("game {id}: ");
    let piece = |text: &str| {
        with_line(text, 1, |line| {
            let mut fields: Vec<&str> = line.split(',').collect();
            fields[3] = if fields[3] == "K" { "k" } else { "K" };
            fields.join(",")
        })
    };
    forged(
        &run,
        &dark,
        piece,
        &[&game, "ply 1: ", "public, and the rules and the seed say"],
    );

    forged(
        &run,
        "games.csv",
        |text| text.replacen(",1.0,0.0,", ",0.0,1.0,", 1),
        &["`first_points` is `0`, and should be `1`"],
    );
    forged(
        &run,
        "games.csv",
        |text| text.replacen(",connection,", ",repetition,", 1),
        &["`reason` is `repetition`, and should be `connection`"],
    );
    // Both games of a pair with the names exchanged, which no log shows.
    let pair = run
        .games()
        .into_iter()
        .find(|row| row["game"] == "cachex" && row["termination"] == "rules")
        .expect("such a game");
    let names = |text: &str| {
        let swap = |line: &str| {
            let mut fields: Vec<&str> = line.split(',').collect();
            if [fields[1], fields[3]] == ["cachex", &pair["pair"]] {
                fields.swap(4, 5);
            }
            fields.join(",")
        };
        text.lines().map(swap).collect::<Vec<_>>().join("\n") + "\n"
    };
    let [first, second] = ["first", "second"].map(|seat| &pair[seat]);
    let number = &pair["pair"];
    forged(
        &run,
        "games.csv",
        names,
        &[
            &format!("it is cachex, pair {number}, {second} against {first}, and the plan"),
            &format!("say cachex, pair {number}, {first} against {second}"),
        ],
    );
    forged(
        &run,
        "manifest.toml",
        |text| text.replacen("games-per-pairing = 2", "games-per-pairing = 1", 1),
        &[
            "game 1: it is ",
            "and the plan and the results before it say ",
        ],
    );
    forged(
        &run,
        "manifest.toml",
        |text| text.replacen("seed = 3", "seed = 4", 1),
        &["and the seed says"],
    );
    forged(
        &run,
        "standings.csv",
        |text| with_line(text, 1, |line| line.replacen(",1,", ",2,", 1)),
        &["standings.csv: line 2 is `", "and the games say `"],
    );
    std::fs::remove_file(run.path().join(&cachex)).expect("removed");
    let ran = verify(&run.path());
    assert_eq!(ran.exit, 5);
    assert!(ran.stderr.contains("cannot be read"), "{}", ran.stderr);
}
