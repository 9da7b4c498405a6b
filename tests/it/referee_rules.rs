//! How the referee judges times, failures and answers. The players are doubles in this process, so every
//! time is exact.

use std::time::Duration;

use crate::support::doubles::{
    BLUE, MS, Planned, RED, game, line, no_limits, plays, replies, told, try_game, watched_game,
};
use referee::bot::{Contention, Fault, Reply};
use referee::clock::{Measure, TimeControl};
use referee::game::{ForfeitedBy, GameResult, Seat, Setup, cachex, chess};
use referee::referee::Termination;

/// A player whose machine has this contention in every turn.
fn strained(mut player: Planned, contention: Contention) -> Planned {
    player.player.waits = contention.cpu_wait;
    player.player.contention = Box::new(move || contention);
    player
}

#[test]
fn an_action_that_can_mean_one_thing_is_played_in_its_own_spelling() {
    let castling = "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1";
    for (start, typed, action) in [
        ("7k/4P3/8/8/8/8/8/K7 w - - 0 1", "e7e8Q", Some("e7e8q")),
        (castling, "e1h1", Some("e1g1")),
        (castling, "e1a1", Some("e1c1")),
        (castling, "E2E4", None),
        (castling, "a1e1", None),
    ] {
        let mut setup = Setup::new(chess::GAME);
        setup.set("start", start).expect("a start");
        let (mut white, mut black) = (plays(&[typed], &[]), plays(&["resign"], &[]));
        let mut played = Vec::new();
        let players = [&mut white as _, &mut black as _];
        let end = watched_game(&setup, &no_limits(), 0, players, |ply, _| {
            played.push(ply.word().to_string());
        });
        let end = end.expect("a game that counts");
        assert_eq!(played.first().map(String::as_str), action, "{typed}");
        let winner = Seat::numbered(u8::from(action.is_none()));
        assert_eq!(end.result, GameResult::Won(winner));
    }
}

#[test]
fn the_margin_forgives_an_overrun_and_gives_no_time() {
    let time = TimeControl {
        per_game: Some(50 * MS),
        margin: 5 * MS,
        ..no_limits()
    };
    let (mut red, mut blue) = (plays(&RED, &[54, 5, 6]), plays(&BLUE, &[]));
    let end = game(&time, [&mut red, &mut blue]);
    let expected = ["act 50 50", "act 0 50", "act 0 50"];
    assert_eq!(told(&red.player.received, "act"), expected);
    assert_eq!(end.termination, Termination::Time);
    assert_eq!(end.forfeited_by(), ForfeitedBy::Of(Seat::FIRST));
    let expected = "took 0.006 s on the wall with 0.000 s left of its 0.050 s for the game";
    assert_eq!(end.detail(cachex::GAME), expected);
    assert_eq!(
        told(&red.player.received, "end"),
        ["end blue time took 0.006 s on the wall with 0.000 s left of its 0.050 s for the game"]
    );
    assert_eq!(told(&blue.player.received, "end"), ["end blue time"]);
    assert_eq!(end.spent[Seat::FIRST].wall, 65 * MS);
}

#[test]
fn each_action_has_its_limit() {
    for (measure, took) in [
        (Measure::Wall, "on the wall"),
        (Measure::Cpu, "of processor time"),
    ] {
        let time = TimeControl {
            measure,
            per_move: Some(40 * MS),
            ..no_limits()
        };
        let (mut red, mut blue) = (plays(&RED, &[40, 40]), plays(&BLUE, &[40, 41]));
        let end = game(&time, [&mut red, &mut blue]);
        assert_eq!(end.termination, Termination::Time);
        assert_eq!(end.forfeited_by(), ForfeitedBy::Of(Seat::SECOND));
        assert_eq!((end.result, end.plies), (GameResult::Won(Seat::FIRST), 3));
        let words = format!("took 0.041 s {took} for one action; the limit is 0.040 s");
        assert_eq!(end.detail(cachex::GAME), words);
    }
}

/// The contention in a turn of 41 ms where 40 ms were allowed.
fn contention(cpu_wait_us: u64, cores: u32, off_turn_ms: u32) -> Contention {
    Contention {
        cpu_wait: Duration::from_micros(cpu_wait_us),
        elapsed: 41 * MS,
        cores,
        off_turn: off_turn_ms * MS,
    }
}

fn late_by_a_millisecond() -> TimeControl {
    TimeControl {
        per_move: Some(38 * MS),
        margin: 2 * MS,
        ..no_limits()
    }
}

#[test]
fn a_bot_that_the_machine_made_late_does_not_forfeit() {
    // It waited for a processor as long as it was late, or a little less.
    for (cpu_wait_us, termination) in [(1000, Termination::Rules), (999, Termination::Time)] {
        let mut red = strained(plays(&RED, &[41]), contention(cpu_wait_us, 2, 0));
        let mut blue = plays(&BLUE, &[]);
        let end = game(&late_by_a_millisecond(), [&mut red, &mut blue]);
        assert_eq!(end.termination, termination, "{end:?}");
        assert_eq!(
            end.spent[Seat::FIRST].wall,
            41 * MS - Duration::from_micros(cpu_wait_us)
        );
    }
    // Processor time does not depend on contention.
    let cpu = TimeControl {
        measure: Measure::Cpu,
        ..late_by_a_millisecond()
    };
    let mut red = strained(plays(&RED, &[41]), contention(41_000, 2, 0));
    let end = game(&cpu, [&mut red, &mut plays(&BLUE, &[])]);
    assert_eq!(end.termination, Termination::Time, "{end:?}");
}

#[test]
fn a_bot_that_got_no_processor_is_not_late() {
    let starved = || {
        Reply::Fault(Fault::Starved {
            limit: 100 * MS,
            waited: 200 * MS,
            cpu_wait: 150 * MS,
        })
    };
    for replies_of_red in [
        vec![starved()],
        vec![line("bot 1 double"), starved()],
        vec![line("bot 1 double"), line("ready"), starved()],
    ] {
        let mut red = replies(replies_of_red);
        let void = try_game(&no_limits(), [&mut red, &mut plays(&BLUE, &[])]);
        let void = void.expect_err("void").to_string();
        let words = "red: no answer within 0.100 s (the referee waited 0.200 s, because the machine was busy), and for 0.150 s the machine kept the bot from a \
                     processor";
        assert!(void.starts_with(words), "{void}");
    }
    // The opponent kept both processors busy during the handshake.
    let contention = |off_turn| Contention {
        cpu_wait: 150 * MS,
        elapsed: 200 * MS,
        cores: 2,
        off_turn,
    };
    let mut red = strained(replies(vec![starved()]), contention(Duration::ZERO));
    let mut blue = strained(plays(&BLUE, &[]), contention(390 * MS));
    let end = game(&no_limits(), [&mut red, &mut blue]);
    assert_eq!(end.termination, Termination::Handshake, "{end:?}");
    assert_eq!(end.forfeited_by(), ForfeitedBy::Of(Seat::SECOND), "{end:?}");
    // The opponent's own failure counts once.
    let mut red = strained(replies(vec![starved()]), contention(Duration::ZERO));
    let mut blue = strained(replies(vec![line("hello")]), contention(390 * MS));
    let end = game(&no_limits(), [&mut red, &mut blue]);
    assert_eq!(end.forfeited_by(), ForfeitedBy::Of(Seat::SECOND), "{end:?}");
    assert_eq!(told(&red.player.received, "end"), ["end red handshake"]);
}
