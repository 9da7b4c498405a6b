//! Records of a game in which both seats act at once: the log, the journal, verification, the transcript, the pages, and
//! a run that is resumed.

use std::num::NonZeroUsize;
use std::path::Path;
use std::time::Duration;

use referee::bot::{Fault, Patience};
use referee::clock::Measure;
use referee::config::{OpeningOrder, Openings, Plan, PlannedGame, PlannedOpening};
use referee::game::{Actors, PerSeat, Seat};
use referee::pages::game_page;
use referee::replay::{ReplayedGame, transcripts};
use referee::runner::{Bot, Host, HostOptions, Placing};
use referee::verify::verify;

use super::setup;
use crate::support::{bot, line, played, quick, told};

/// A player that gives these answers one after another in each game.
fn player(actions: &'static [&'static str]) -> Bot {
    bot(|asked| line(actions[asked - 1]))
}

/// Both act in the opening and two rounds. Then one has stopped, and the other acts alone.
fn honest(index: usize, _worker: usize, _patience: Patience) -> Result<Bot, Fault> {
    Ok(player([&["3", "4", "5"][..], &["3", "stop"]][index]))
}

fn openings(text: &str, rounds: &str) -> Result<Openings, String> {
    let setup = setup(2, &[("order", "at-once"), ("rounds", rounds)]);
    Openings::parse(text, &setup, OpeningOrder::Sequential).map_err(|problem| problem.to_string())
}

/// Two blocks, each from an opening of its own.
fn plan() -> Plan {
    let setup = setup(2, &[("order", "at-once"), ("rounds", "4")]);
    let listed = openings("1+2\n6+7\n", "4").expect("two openings");
    Plan {
        games: vec![PlannedGame::new(setup, PlannedOpening::Listed(listed))],
        ..quick::plan(2, 4, "all")
    }
}

fn log(out: &Path, id: u64) -> Vec<String> {
    let path = out.join(format!("games/0000/{id:06}.csv"));
    let text = std::fs::read_to_string(path).expect("a log");
    text.lines().map(str::to_owned).collect()
}

#[test]
fn a_ply_of_both_is_two_rows_with_one_number_and_all_readers_know_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("out");
    let (run, rows) = played(&plan(), &honest, &out);
    assert_eq!(rows.len(), 4);
    verify(&run, &mut || {}).expect("the records are true");
    for row in rows {
        let (first, second) = row.start.opening.split_once('+').expect("a joint opening");
        let seats: Vec<String> = log(&out, row.id)
            .iter()
            .skip(1)
            .map(|line| {
                let fields: Vec<&str> = line.split(',').collect();
                fields[..3].join(" ")
            })
            .collect();
        let [north, east, last] = match row.players[Seat::FIRST].as_str() {
            "p0000" => ["3 north 4", "3 east stop", "4 north 5"],
            _ => ["3 north stop", "3 east 4", "4 east 5"],
        };
        let opening = [format!("1 north {first}"), format!("1 east {second}")];
        assert_eq!(seats[..2], opening);
        assert_eq!(seats[2..], ["2 north 3", "2 east 3", north, east, last]);
        assert_eq!(row.end.plies, 4);
        let recording = run.recording(row.id).expect("read").expect("there");
        let sent = transcripts(&recording).expect("the rules answer");
        for (_, lines) in sent.iter() {
            let heard = told(lines, "did");
            let begins = [
                format!("did north {first} "),
                format!("did east {second} "),
                "did north 3 ".to_owned(),
                "did east 3 ".to_owned(),
            ];
            for (heard, begins) in heard.iter().zip(&begins) {
                assert!(heard.starts_with(begins), "{heard} {begins}");
            }
        }
        let names = run.manifest().display_names();
        let page = game_page(&recording, &names, &PerSeat::defaults(2)).expect("a page");
        assert_has!(page, "\"beside\":[{\"seat\":1,\"action\":\"3\"");
        let replayed = ReplayedGame::read(&run, row.id).expect("replayed");
        assert_eq!(replayed.actors(2), Actors::BOTH);
        assert_eq!(replayed.positions.len() as u32, row.end.plies + 1);
    }
}

#[test]
fn openings_of_both_are_written_with_a_plus() {
    let read = |text: &str| openings(text, "3");
    let both = read("5+6 1+9\n").expect("two rounds");
    assert_eq!(both.text(), "5+6 1+9\n");
    for (text, words) in [
        ("5", "joined by `+`"),
        ("5+6+7", "joined by `+`"),
        ("5+0", "is illegal: `0`: a number is from 1 to 9"),
        (
            "0+10",
            "`0`: a number is from 1 to 9; `10`: a number is from",
        ),
        ("5+ten", "is not an action: expected `ten`: a number or"),
        ("5+5 5+6 5+5", "ends the game"),
    ] {
        let problem = read(text).expect_err(text);
        assert!(problem.contains(words), "{text}: {problem}");
    }
}

#[test]
fn a_game_at_once_takes_a_core_for_each_player() {
    let mut plan = plan();
    assert!(plan.games[0].acts_at_once());
    assert!(!quick::plan(2, 2, "all").games[0].acts_at_once());
    plan.time.per_move = Some(Duration::from_secs(1));
    let places = |plan: &Plan, placing| {
        let jobs = NonZeroUsize::new(1000);
        Host::check_places(
            plan,
            HostOptions {
                jobs,
                placing,
                ..HostOptions::default()
            },
        )
    };
    let refused = places(&plan, Placing::Lanes).expect_err("a wall clock and too few cores");
    let words = refused.to_string();
    let begins = "both players act at once, and 1000 games at a time need a core for each of them";
    assert!(words.starts_with(begins), "{words}");
    assert!(places(&plan, Placing::Free).is_ok());
    plan.time.measure = Measure::Cpu;
    assert!(places(&plan, Placing::Lanes).is_ok());
}
