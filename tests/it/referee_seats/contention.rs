//! A late bot in a game of three seats: of the bots that computed off turn, the one that used most is to blame, and an honest
//! one never.

use referee::bot::{Contention, Fault, Reply};
use referee::clock::TimeControl;
use referee::game::Setup;
use referee::referee::{FaultKind, GameEnd, Termination};

use super::{forfeited_by, seated, seats, setup};
use crate::support::{MS, Planned, acts, no_limits, plays, told, watched_seats};

/// On two processors: the bot waited for one for 20 ms of 41 ms.
fn contention(off_turn: u32) -> Contention {
    Contention {
        cpu_wait: 20 * MS,
        elapsed: 41 * MS,
        cores: 2,
        off_turn: off_turn * MS,
    }
}

/// A player that has used so much processor time since its last answer, each time it is looked at. The last value stays.
fn uses(mut player: Planned, ms: &[u32]) -> Planned {
    let mut ms = ms.to_vec();
    player.player.waits = 20 * MS;
    player.player.contention = Box::new(move || {
        let now = ms[0];
        if ms.len() > 1 {
            ms.remove(0);
        }
        contention(now)
    });
    player
}

fn late_by_a_millisecond() -> TimeControl {
    TimeControl {
        per_move: Some(40 * MS),
        ..no_limits()
    }
}

fn game(setup: &Setup, players: &mut [Planned]) -> GameEnd {
    let times = setup.game().per_seat(|_| late_by_a_millisecond());
    let end = watched_seats(setup, &times, 100 * MS, 0, seated(players), |_, _| {});
    end.expect("a game that counts")
}

fn is_delayed(end: &GameEnd) -> bool {
    let mut faults = end.faults.values().flatten();
    faults.any(|fault| fault.kind == FaultKind::DelayedOpponent)
}

#[test]
fn the_opponent_that_used_most_forfeits() {
    // Of two processors one is the bot's that acts, so the others together may use 41 ms of the other.
    for (east, south, forfeiter) in [
        (43, 0, Some(1)),
        (0, 43, Some(2)),
        (42, 0, None),
        (20, 23, Some(2)),
        (30, 13, Some(1)),
        (21, 21, None),
        (22, 22, Some(1)),
    ] {
        let mut players = [
            uses(plays(&["1"], &[41]), &[0]),
            // When the first is asked they have used nothing.
            uses(plays(&["1"], &[]), &[0, east]),
            uses(plays(&["1"], &[]), &[0, south]),
        ];
        let end = game(&setup(3, &[("rounds", "1")]), &mut players);
        let Some(forfeiter) = forfeiter else {
            assert!(!is_delayed(&end), "{end:?}");
            continue;
        };
        assert_eq!(end.termination, Termination::Time);
        forfeited_by(&end, seats([forfeiter]));
        let fault = end.faults.into_values().flatten().next().expect("a fault");
        assert_eq!(fault.kind, FaultKind::DelayedOpponent);
        let used = east.max(south);
        let words = format!(
            "the bot used 0.{used:03} s of processor time in the 0.041 s in which its opponent was to \
             act, and so made it late, on a machine with 2 processors for all"
        );
        assert_eq!(fault.detail, words);
        for (seat, player) in players.iter().enumerate() {
            let said = told(&player.player.received, "end");
            let is_forfeiter = seat == usize::from(forfeiter);
            assert_eq!(said[0].ends_with(&words), is_forfeiter, "{said:?}");
        }
    }
}

/// A bot may use a processor in each turn of another, and what it used in earlier turns makes nobody late.
#[test]
fn time_used_in_earlier_turns_counts_for_nothing() {
    let players = |south: &[u32]| {
        [
            uses(plays(&["1"], &[1]), &[0]),
            uses(plays(&["1"], &[41]), &[0]),
            uses(plays(&["1"], &[]), south),
        ]
    };
    // South is looked at when north is asked, when east is asked, and when east was late.
    let end = game(&setup(3, &[("rounds", "1")]), &mut players(&[0, 500, 542]));
    assert!(!is_delayed(&end), "{end:?}");
    let end = game(&setup(3, &[("rounds", "1")]), &mut players(&[0, 500, 543]));
    forfeited_by(&end, seats([2]));
}

/// A bot that was asked too and hangs has used its own time. An honest one that answered is not to blame for that.
#[test]
fn who_hangs_beside_a_late_bot_makes_no_honest_one_guilty() {
    let at_once = setup(3, &[("order", "at-once")]);
    for late in [0, 1_u8] {
        let hangs = acts(vec![Reply::Fault(Fault::Late {
            missing: "answer".into(),
            limit: 40 * MS,
            waited: 40 * MS,
        })]);
        let mut players = [
            uses(hangs, &[4000]),
            uses(plays(&["1"], &[41]), &[0]),
            uses(plays(&["1"], &[1]), &[1]),
        ];
        players[..2].rotate_left(usize::from(1 - late));
        let end = game(&at_once, &mut players);
        forfeited_by(&end, seats([1 - late]));
    }
}

#[test]
fn who_makes_two_late_forfeits_alone() {
    let late = || uses(plays(&["1", "1"], &[1, 41]), &[0]);
    // It does not act in the second ply, and computes with all its might.
    let stopped = uses(plays(&["stop"], &[]), &[0, 43]);
    let mut players = [late(), late(), stopped];
    let end = game(&setup(3, &[("order", "at-once")]), &mut players);
    forfeited_by(&end, seats([2]));
    assert_eq!((end.plies, end.termination), (1, Termination::Time));
}
