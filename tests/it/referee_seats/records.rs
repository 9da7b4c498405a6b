//! Records of games in games of three seats in which players misbehave: the journal says whose fault each end was, the logs are
//! true, and the transcripts have what each bot heard.

use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::time::Duration;

use referee::bot::{Double, Fault, Patience, Reply};
use referee::config::{Plan, PlannedGame, PlannedOpening};
use referee::game::{Blame, Reason, Seat, Seats, Setup};
use referee::referee::{FaultKind, Participant, Termination};
use referee::replay::{ReplayedGame, transcripts};
use referee::runner::{Bot, Bots, Event, Host, Interrupt, Tournament};
use referee::runs::{GameRow, Run, RunFolder};
use referee::schedule::{Format, GamesPerPairing};
use referee::verify::verify;

use super::setup;
use crate::fourth_game::tournament::finished;
use crate::support::doubles::told;
use crate::support::program::root;
use crate::support::python::python;
use crate::support::quick;
use crate::support::run::TestRun;

/// Players by index: two are honest, and each of the others misbehaves in its own way.
fn start(player: usize, _worker: usize, _patience: Patience) -> Result<Bot, Fault> {
    let brain = move |told: &[String]| {
        let begun = told.iter().rposition(|line| line.starts_with("start"));
        let asked = told[begun.unwrap_or(0)..].iter();
        let asked = asked.filter(|line| line.starts_with("act")).count();
        let answer = match (told.last().and_then(|line| line.split(' ').next()), player) {
            (Some("referee"), 5) => "hello",
            (Some("referee"), _) => "bot 1 it",
            (Some("start"), _) => "ready",
            (_, 2) if asked == 2 => "10",
            (_, 3) if asked == 2 => "resign",
            (_, 4) if asked == 2 => return Reply::Fault(Fault::HungUp),
            (_, 0) => "9",
            _ => "5",
        };
        Reply::Line(answer.to_owned(), Duration::ZERO)
    };
    Ok(Box::new(Participant::new(Double::new(brain))))
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

/// The kinds of fault that a player can have.
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
        assert_eq!((row.end.result, row.end.blame()), (lost, Blame::Nobody));
        return "resigned";
    }
    let losers = row.end.blamed();
    assert_eq!(row.end.result, row.game.lost_by(losers), "{row:?}");
    match (row.end.termination, losers.len()) {
        (Termination::Handshake, _) => "handshake",
        (_, 1) => "one",
        _ => "several",
    }
}

/// What each bot heard, by the records.
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
        let host = Host::unsupervised(&plan, NonZeroUsize::MIN);
        let mut record = RunFolder::create(&out, &plan, host.stamp()).expect("a folder");
        let interrupt = Interrupt::new().expect("a pipe");
        let tournament = Tournament {
            bots: Bots::From(&start),
            ..Tournament::new(&plan, &host, &interrupt)
        };
        let mut listen = |_: &Event<'_>| {};
        let ended = tournament.play(&mut record, &mut listen);
        assert_eq!(ended.expect("played").set_aside, 0);
        let run = finished(&out, &plan);
        verify(&run, &mut || {}).expect("the records are true");
        let rows: Vec<GameRow> = run
            .rows()
            .expect("a journal")
            .map(|row| row.expect("a row"))
            .collect();
        assert_eq!(rows.len(), 60);
        for row in &rows {
            ends.insert((order, checked(row)));
            heard(&run, row);
            let replayed = ReplayedGame::read(&run, row.id).expect("replayed");
            assert_eq!(replayed.positions.len() as u32, row.end.plies + 1);
            for seat in row.end.blamed().iter() {
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

/// A bot of a shell that takes the first action that it is offered, and does something else when it is asked for the
/// second time in a game.
fn shell(name: &str, second: &str) -> String {
    let script = format!(
        "while read -r word rest; do case $word in referee) echo bot 1 {name};; \
         start) n=0; echo ready;; can) first=${{rest%% *}};; \
         act) n=$((n + 1)); if [ $n = 2 ]; then {second}; else echo $first; fi;; quit) exit;; esac; done"
    );
    format!("[[player]]\nname = \"{name}\"\nshell = '''{script}'''\n")
}

/// Bots in processes of their own in games of three and four seats, by rules in a process of their own.
#[test]
#[ignore = "slow"]
fn a_tournament_of_processes_that_misbehave_is_charged_to_them_and_verified() {
    if python().is_none() {
        return;
    }
    let players = [
        shell("honest", "echo $first"),
        shell("crashes", "exit 3"),
        shell("cheats", "echo up"),
        shell("floods", "head -c 9999 /dev/zero | tr '\\0' x; echo"),
        "[[player]]\nname = \"random\"\nhouse = \"random\"\n".to_owned(),
    ];
    for (seats, games, blocks, at_fault) in [(3, 9, 10, 3), (4, 12, 5, 2)] {
        let run = TestRun::new(&format!(
            "seed = 5\n[game]\nrules = [\"python3\", \"tron.py\"]\ndir = {:?}\nseats = {seats}\nsize = 7\n\
             [format]\nkind = \"round-robin\"\ngames-per-pairing = {games}\n[clock]\nmeasure = \"cpu\"\n{}",
            root().join("examples/rules"),
            players.concat()
        ));
        run.play(&["-j", "2"]);
        let rows = run.rows();
        assert_eq!(rows.len(), blocks * seats);
        let mut charged = BTreeSet::new();
        for row in &rows {
            let names: Vec<&str> = row["forfeited_by"].split('+').collect();
            for name in names.into_iter().filter(|name| !name.is_empty()) {
                assert!(!["honest", "random"].contains(&name), "{row:?}");
                charged.insert(name.to_owned());
            }
            // Each game has a player that misbehaves in the second ply, which all reach.
            assert_ne!(row["forfeited_by"], "", "{row:?}");
        }
        // In a game of four seats, one that gives no answer sits beside the one whose action is refused.
        assert_eq!(charged.len(), at_fault, "{charged:?}");
        run.referee("verify out").ok();
        for row in rows.iter().take(seats) {
            run.referee(&format!("replay out {}", row["id"])).ok();
        }
    }
}
