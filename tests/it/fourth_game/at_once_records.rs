//! Records of a game in which both seats act at once: the log, the journal, verification, the transcript, the pages, and
//! a run that is resumed.

use std::num::NonZeroUsize;
use std::path::Path;
use std::time::Duration;

use referee::bot::{Double, Fault, Patience, Reply};
use referee::clock::Measure;
use referee::config::{OpeningOrder, Openings, Plan, PlannedGame, PlannedOpening};
use referee::game::{Actors, Blame, Game, PerSeat, Seat, Setup};
use referee::pages::game_page;
use referee::referee::{Participant, Termination};
use referee::replay::{ReplayedGame, transcripts};
use referee::runner::{
    Bot, Bots, Event, Host, HostOptions, Interrupt, Placing, Starter, Tournament,
};
use referee::runs::{GameRow, Run, RunFolder};
use referee::verify::verify;

use super::duel::duel;
use super::tournament::finished;
use crate::support::doubles::told;
use crate::support::quick;

/// A player that gives these answers one after another in each game.
fn player(actions: &'static [&'static str]) -> Bot {
    let brain = |told: &[String]| {
        let begun = told.iter().rposition(|line| line.starts_with("start"));
        let asked = told[begun.unwrap_or(0)..].iter();
        let asked = asked.filter(|line| line.starts_with("act")).count();
        let answer = match told.last().and_then(|line| line.split(' ').next()) {
            Some("referee") => "bot 1 hands",
            Some("start") => "ready",
            _ => actions[asked - 1],
        };
        Reply::Line(answer.to_owned(), Duration::ZERO)
    };
    Box::new(Participant::new(Double::new(brain)))
}

/// The two tie but for the random first round; then the first seat takes the draw.
fn honest(_player: usize, _worker: usize, _patience: Patience) -> Result<Bot, Fault> {
    Ok(player(&["rock", "paper", "draw"]))
}

/// Both are at fault in the last round, each in another way.
fn at_fault(index: usize, _worker: usize, _patience: Patience) -> Result<Bot, Fault> {
    let actions: [&'static [&'static str]; 2] = [&["rock", "well"], &["rock", "spock"]];
    Ok(player(actions[index]))
}

fn plan(game: Game) -> Plan {
    Plan {
        games: vec![PlannedGame::new(
            Setup::new(game),
            PlannedOpening::Random(1),
        )],
        ..quick::plan(2, 4, "all")
    }
}

/// Plays what is left of a run.
fn play(plan: &Plan, start: Starter<'_>, mut folder: RunFolder) {
    let host = Host::unsupervised(plan, NonZeroUsize::MIN);
    let interrupt = Interrupt::new().expect("a pipe");
    let tournament = Tournament {
        bots: Bots::From(start),
        ..Tournament::new(plan, &host, &interrupt)
    };
    let mut listen = |_: &Event<'_>| {};
    let ended = tournament.play(&mut folder, &mut listen).expect("played");
    assert_eq!(ended.set_aside, 0);
}

/// Plays a run and reads its rows.
fn played(start: Starter<'_>, out: &Path) -> (Run, Vec<GameRow>) {
    let plan = plan(duel());
    let host = Host::unsupervised(&plan, NonZeroUsize::MIN);
    let folder = RunFolder::create(out, &plan, host.stamp()).expect("a folder");
    play(&plan, start, folder);
    let run = finished(out, &plan);
    let rows = run.rows().expect("a journal");
    let rows = rows.map(|row| row.expect("a row")).collect();
    (run, rows)
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
    let (run, rows) = played(&honest, &out);
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
        let opening = [format!("1 left {first}"), format!("1 right {second}")];
        assert_eq!(seats[..2], opening);
        assert_eq!(
            seats[2..6],
            [
                "2 left rock",
                "2 right rock",
                "3 left paper",
                "3 right paper"
            ]
        );
        let is_tie = first == second;
        let last: &[&str] = if is_tie { &["4 left draw"] } else { &[] };
        assert_eq!(&seats[6..], last);
        assert_eq!(row.end.plies, 3 + u32::from(is_tie));
        let recording = run.recording(row.id).expect("read").expect("there");
        let sent = transcripts(&recording).expect("the rules answer");
        for (_, lines) in sent.iter() {
            let heard = told(lines, "did");
            let begins = |at: usize, words: &str| heard[at].starts_with(words);
            assert!(
                begins(0, "did left ") && begins(1, "did right "),
                "{heard:?}"
            );
            assert_eq!(heard[2..4], ["did left rock", "did right rock"]);
        }
        let names = run.manifest().display_names();
        let page = game_page(&recording, &names, &PerSeat::defaults(2)).expect("a page");
        assert!(
            page.contains("\"beside\":[{\"seat\":1,\"action\":\"paper\""),
            "{page}"
        );
        let replayed = ReplayedGame::read(&run, row.id).expect("replayed");
        assert_eq!(replayed.actors(2), Actors::BOTH);
        assert_eq!(replayed.positions.len() as u32, row.end.plies + 1);
    }
}

#[test]
fn two_faults_at_once_are_recorded_and_verified() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("out");
    let (run, rows) = played(&at_fault, &out);
    verify(&run, &mut || {}).expect("the records are true");
    for row in rows {
        assert_eq!(row.end.blame(), Blame::BOTH);
        assert_eq!(row.forfeited_by(), "both");
        // The first seat's fault names the termination.
        let due = match row.players[Seat::FIRST].as_str() {
            "p0000" => [Termination::IllegalAction, Termination::ProtocolError],
            _ => [Termination::ProtocolError, Termination::IllegalAction],
        };
        assert_eq!(row.end.termination, due[0]);
        assert_eq!(Seat::BOTH.map(|seat| row.end.termination_for(seat)), due);
        let replayed = ReplayedGame::read(&run, row.id).expect("replayed");
        assert_eq!(replayed.asked_in_vain(), Actors::BOTH);
    }
}

#[test]
fn a_run_that_is_resumed_equals_one_that_was_not_interrupted() {
    let folder = tempfile::tempdir().expect("a folder");
    let [out, other] = ["out", "other"].map(|name| folder.path().join(name));
    let (_, whole) = played(&honest, &out);
    played(&honest, &other);
    let journal = other.join("games.csv");
    let text = std::fs::read_to_string(&journal).expect("a journal");
    let kept: Vec<&str> = text.lines().take(2).collect();
    std::fs::write(&journal, kept.join("\n") + "\n").expect("written");
    let plan = plan(duel());
    let stamp = Host::unsupervised(&plan, NonZeroUsize::MIN).stamp();
    let resumed = RunFolder::resume(&other, &plan, stamp, false, &mut |_| {});
    play(&plan, &honest, resumed.expect("it goes on"));
    let run = finished(&other, &plan);
    verify(&run, &mut || {}).expect("the records are true");
    let rows: Vec<GameRow> = run
        .rows()
        .expect("a journal")
        .map(|row| row.expect("a row"))
        .collect();
    let content = |rows: &[GameRow]| -> Vec<(u64, String, String)> {
        let content = |row: &GameRow| {
            (
                row.id,
                row.start.opening.clone(),
                row.actions_digest.clone(),
            )
        };
        rows.iter().map(content).collect()
    };
    assert_eq!(content(&rows), content(&whole));
}

#[test]
fn openings_of_both_are_written_with_a_plus() {
    let setup = Setup::new(duel());
    let read = |text: &str| Openings::parse(text, &setup, OpeningOrder::Sequential);
    let openings = read("rock+paper scissors+rock\n").expect("two rounds");
    assert_eq!(openings.text(), "rock+paper scissors+rock\n");
    for (text, words) in [
        ("rock", "joined by `+`"),
        ("rock+paper+rock", "joined by `+`"),
        ("rock+well", "is illegal: `well`: the well is closed"),
        ("well+well", "`well`: the well is closed; `well`: the well"),
        (
            "rock+spock",
            "is not an action: expected `spock`: rock, paper",
        ),
        ("rock+rock rock+paper rock+rock", "ends the game"),
    ] {
        let problem = read(text).expect_err(text).to_string();
        assert!(problem.contains(words), "{text}: {problem}");
    }
}

#[test]
fn a_game_at_once_takes_a_core_for_each_player() {
    let mut plan = plan(duel());
    assert!(plan.games[0].acts_at_once());
    assert!(!quick::plan(2, 2, "all").games[0].acts_at_once());
    plan.time.per_move = Some(Duration::from_secs(1));
    let places = |plan: &Plan, placing| {
        let jobs = NonZeroUsize::new(1000);
        Host::check_places(plan, HostOptions { jobs, placing })
    };
    let refused = places(&plan, Placing::Lanes).expect_err("a wall clock and too few cores");
    let words = refused.to_string();
    let begins = "both players act at once, and 1000 games at a time need a core for each of them";
    assert!(words.starts_with(begins), "{words}");
    assert!(places(&plan, Placing::Free).is_ok());
    plan.time.measure = Measure::Cpu;
    assert!(places(&plan, Placing::Lanes).is_ok());
}
