//! Records of games in games of three seats in which players misbehave: the journal says whose fault each end was, the logs are
//! true, and the transcripts have what each bot heard.

use std::collections::BTreeSet;

use referee::bot::{Double, Fault, Patience, Reply};
use referee::config::{Plan, PlannedGame, PlannedOpening};
use referee::game::{ForfeitedBy, Reason, Seat, Seats, Setup};
use referee::referee::{FaultKind, Participant, Termination};
use referee::replay::{ReplayedGame, transcripts};
use referee::runner::Bot;
use referee::runs::{GameRow, Run};
use referee::schedule::{Format, GamesPerPairing};
use referee::verify::verify;

use super::setup;
use crate::support::{bot, line, played, quick, told};

/// Players by index: two are honest, and each of the others misbehaves in its own way.
fn start(player: usize, _worker: usize, _patience: Patience) -> Result<Bot, Fault> {
    if player == 5 {
        let hello = |_: &[String]| line("hello");
        return Ok(Box::new(Participant::new(Double::new(hello))));
    }
    Ok(bot(move |asked| match (player, asked) {
        (2, 2) => line("10"),
        (3, 2) => line("resign"),
        (4, 2) => Reply::Fault(Fault::HungUp),
        (0, _) => line("9"),
        _ => line("5"),
    }))
}

/// A round robin of all seatings of six players, one block each. An opening could let a player stop before it misbehaves.
fn plan(setup: Setup) -> Plan {
    Plan {
        games: vec![PlannedGame::new(setup, PlannedOpening::Random(0))],
        format: Format::RoundRobin(GamesPerPairing::new(12).expect("not zero")),
        ..quick::plan(6, 2, "all")
    }
}

fn number(player: &str) -> usize {
    player[1..].parse().expect("a number")
}

fn fits(player: usize, kind: FaultKind) -> bool {
    match player {
        2 => kind == FaultKind::Illegal,
        // Who acts beside others cannot resign.
        3 => kind == FaultKind::NotAnAction,
        4 => kind == FaultKind::HungUp,
        5 => kind == FaultKind::BadHello,
        _ => false,
    }
}

/// Checks a row against its players, and gives what is said of its end.
fn checked(row: &GameRow) -> &'static str {
    let players = row.players.each_ref().map(|name| number(name));
    let misbehave = players.values().any(|player| *player > 1);
    assert!(misbehave, "of three players one is not honest");
    for (seat, player) in players.iter() {
        if let Some(fault) = row.end.fault(seat) {
            assert!(fits(*player, fault.kind), "{row:?}");
        }
    }
    if let Some(reason) = row.end.reason {
        assert_eq!(reason, Reason::RESIGNED, "{row:?}");
        let resigned = players.find(|player| *player == 3).expect("it plays");
        let lost = row.game.lost_by(Seats::from_iter([resigned]));
        let expected = (lost, ForfeitedBy::Nobody);
        assert_eq!((row.end.result, row.end.forfeited_by()), expected);
        return "resigned";
    }
    let losers = row.end.forfeiters();
    assert_eq!(row.end.result, row.game.lost_by(losers), "{row:?}");
    match (row.end.termination, losers.len()) {
        (Termination::Handshake, _) => "handshake",
        (_, 1) => "one",
        _ => "several",
    }
}

fn heard(run: &Run, row: &GameRow) {
    let recording = run.recording(row.id).expect("read").expect("there");
    let sent = transcripts(&recording).expect("the rules answer");
    let winners = row.game.result_name(row.end.result);
    for (seat, lines) in sent.iter() {
        let ends = told(lines, "end");
        assert_eq!(ends.len(), 1, "{lines:?}");
        let end = ends[0];
        let begins = format!("end {winners} {}", row.end.termination.name());
        assert!(end.starts_with(&begins), "{end}");
        let words = match row.end.fault(seat) {
            Some(fault) => end.ends_with(&fault.detail),
            None => end.len() <= begins.len() + " resigned".len(),
        };
        assert!(words, "{end}");
        assert_eq!(told(lines, "points"), [""; 0]);
        let acts = told(lines, "act");
        assert!(acts.iter().all(|act| act.split(' ').count() == 4));
    }
}

#[test]
fn each_fault_is_recorded_for_its_player_and_verified() {
    let mut ends = BTreeSet::new();
    for order in ["in-turn", "at-once"] {
        let folder = tempfile::tempdir().expect("a folder");
        let out = folder.path().join("out");
        let plan = plan(setup(3, &[("order", order), ("rounds", "3")]));
        let (run, rows) = played(&plan, &start, &out);
        verify(&run, &mut || {}).expect("the records are true");
        assert_eq!(rows.len(), 60);
        for row in &rows {
            ends.insert((order, checked(row)));
            heard(&run, row);
            let replayed = ReplayedGame::read(&run, row.id).expect("replayed");
            assert_eq!(replayed.positions.len() as u32, row.end.plies + 1);
            for seat in row.end.forfeiters().iter() {
                let before_play = row.end.termination.is_before_play();
                assert!(before_play || replayed.asked_in_vain().includes(seat));
            }
        }
        // Each honest player has won each game in which one alone misbehaved.
        for row in &rows {
            let honest = |seat: &Seat| number(&row.players[*seat]) < 2;
            for seat in row.game.seats().filter(honest) {
                assert_eq!(row.end.result.places(3)[seat], 1, "{row:?}");
            }
        }
    }
    let expected = [
        ("at-once", "handshake"),
        ("at-once", "one"),
        ("at-once", "several"),
        ("in-turn", "handshake"),
        ("in-turn", "one"),
        ("in-turn", "resigned"),
    ];
    assert_eq!(ends, BTreeSet::from(expected));
}
