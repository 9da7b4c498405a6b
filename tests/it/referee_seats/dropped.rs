//! Games that go on without the seats whose players forfeit.

use std::time::Duration;

use referee::bot::{Contention, Fault, Player, Reply};
use referee::clock::{Measure, TimeControl};
use referee::game::{ForfeitedBy, GameResult, PerSeat, Seat, Seats, Setup};
use referee::referee::{FaultKind, GameEnd, Participant, Termination};

use super::{each_combination, placed, seated, seats, setup};
use crate::support::{
    Conduct, LIMIT, MS, Planned, Words, acts, dropping_seats, due, line, no_limits, plays, replies,
    told,
};

const AT_ONCE: (&str, &str) = ("order", "at-once");

const WORDS: Words = Words {
    honest: "stop",
    illegal: "10",
    nonsense: "ten",
};

/// The end of a game, and each ply with those that acted in it or left.
fn game<P: Player>(
    setup: &Setup,
    time: &TimeControl,
    players: &mut [Participant<P>],
) -> (GameEnd, Vec<(String, Seats)>) {
    let times = setup.game().per_seat(|_| time.clone());
    let mut plies = Vec::new();
    let watch = |ply: &referee::referee::Ply<'_>, _: &dyn referee::game::AnyPosition| {
        let word = if ply.is_drop() {
            "left".to_owned()
        } else {
            ply.word()
        };
        plies.push((word, ply.actors.set()));
    };
    let end = dropping_seats(setup, &times, 0, seated(players), watch);
    (end.expect("a game that counts"), plies)
}

/// The sets of seats that leave, the earliest first: those that gave no answer, and then those whose answers stood and are
/// refused.
fn leaving(conducts: &PerSeat<Conduct>, measure: Measure) -> Vec<Seats> {
    let first = due(conducts, measure);
    let first = first.iter().filter(|(_, due)| due.is_some());
    let first: Seats = first.map(|(seat, _)| seat).collect();
    let others = conducts.iter().filter(|(seat, _)| !first.contains(*seat));
    let refused = others.filter(|(_, conduct)| conduct.fault(measure).is_some());
    let second: Seats = refused.map(|(seat, _)| seat).collect();
    let sets = [first, second].into_iter();
    sets.filter(|set| !set.is_empty()).collect()
}

fn ends_as_due(conducts: &PerSeat<Conduct>, measure: Measure) {
    let time = TimeControl {
        measure,
        per_move: Some(LIMIT),
        ..no_limits()
    };
    let players = conducts.values().map(|conduct| conduct.player(WORDS));
    let mut players: Vec<Planned> = players.collect();
    let (end, plies) = game(&setup(3, &[AT_ONCE]), &time, &mut players);
    let sets = leaving(conducts, measure);
    let honest = conducts.iter().filter(|(_, it)| **it == Conduct::Honest);
    let honest: Seats = honest.map(|(seat, _)| seat).collect();
    let faults = end.faults.each_ref();
    let faults = faults.map(|fault| fault.as_ref().map(|it| (it.kind, it.termination)));
    let expected = conducts.each_ref().map(|it| it.fault(measure));
    assert_eq!(faults, expected, "{conducts:?}");
    let spent = end.spent.each_ref().map(|spent| spent.wall);
    let expected = conducts.each_ref().map(|it| it.spent());
    assert_eq!(spent, expected, "{conducts:?}");
    let mut places = [1_u8; 3];
    let mut below = 0;
    for set in &sets {
        set.iter().for_each(|seat| places[seat.index()] = 3 - below);
        below += set.len() as u8;
    }
    assert_eq!(end.result, placed(places), "{conducts:?}");
    // The rules are not asked about the last ones that fail.
    let in_log = if honest.is_empty() {
        &sets[..sets.len() - 1]
    } else {
        &sets[..]
    };
    let mut expected: Vec<(String, Seats)> =
        in_log.iter().map(|set| ("left".to_owned(), *set)).collect();
    if honest.is_empty() {
        let last = sets[sets.len() - 1].iter().next().expect("somebody");
        assert_eq!(end.termination, end.termination_for(last), "{conducts:?}");
        let wanted = (None, &None);
        assert_eq!((end.reason, &end.rules_points), wanted, "{conducts:?}");
    } else {
        assert_eq!(end.termination, Termination::Rules, "{conducts:?}");
        assert!(
            end.reason.is_some() && end.rules_points.is_some(),
            "{conducts:?}"
        );
        expected.push((vec!["stop"; honest.len()].join("+"), honest));
    }
    assert_eq!(plies, expected, "{conducts:?}");
    assert_eq!(end.plies as usize, plies.len(), "{conducts:?}");
    let winner = setup(3, &[]).game().result_name(end.result);
    for (player, seat) in players.iter().zip(conducts.seats()) {
        let lines = &player.player.received;
        assert_eq!(told(lines, "act").len(), 1, "{conducts:?}");
        let is_last = !in_log.iter().any(|set| set.contains(seat));
        let end_line = match end.fault(seat) {
            Some(fault) if is_last => {
                format!("end {winner} {} {}", end.termination.name(), fault.detail)
            }
            Some(fault) => format!("end none {} {}", fault.termination.name(), fault.detail),
            None => format!("end {winner} rules rounds"),
        };
        assert_eq!(told(lines, "end"), [end_line], "{conducts:?}");
        let is_told_points = told(lines, "points").len() == 1;
        assert_eq!(
            is_told_points,
            conducts[seat] == Conduct::Honest,
            "{conducts:?}"
        );
    }
}

#[test]
fn those_that_give_no_answer_leave_and_then_those_whose_answers_are_refused() {
    each_combination(3, ends_as_due);
}

#[test]
fn in_turn_one_crashes_another_resigns_and_two_play_on() {
    let mut players = [
        plays(&["5", "1"], &[3, 4]),
        acts(vec![Reply::Fault(Fault::HungUp)]),
        plays(&["resign"], &[5]),
        plays(&["7", "1"], &[]),
    ];
    let (end, plies) = game(&setup(4, &[]), &no_limits(), &mut players);
    let words: Vec<&str> = plies.iter().map(|(word, _)| word.as_str()).collect();
    assert_eq!(words, ["5", "left", "left", "7", "1", "1"]);
    assert_eq!(end.result, placed([2, 4, 3, 1]));
    assert_eq!(end.forfeited_by(), ForfeitedBy::Of(Seat::SECOND));
    assert_eq!(end.termination, Termination::Rules);
    let expected = [7, 0, 5, 0].into_iter().map(|ms| ms * MS).collect();
    assert_eq!(end.spent.each_ref().map(|it| it.wall), expected);
    let ends = players
        .each_ref()
        .map(|it| told(&it.player.received, "end"));
    assert_eq!(ends[0], ["end west rules rounds"]);
    assert!(ends[1][0].starts_with("end none crash "), "{ends:?}");
    assert_eq!(ends[2], ["end none rules resigned"]);
    // Who left hears of nothing that comes later.
    let heard = players
        .each_ref()
        .map(|it| told(&it.player.received, "did").len());
    assert_eq!(heard, [4, 1, 1, 4]);
}

#[test]
fn who_fails_before_the_first_request_leaves_after_the_opening() {
    for bad in [vec![line("hello")], vec![line("bot 1 bad"), line("no")]] {
        let asked_to_start = bad.len() - 1;
        let mut players = [plays(&["stop"], &[]), replies(bad), plays(&["stop"], &[])];
        let setup = setup(3, &[AT_ONCE]);
        let times = setup.game().per_seat(|_| no_limits());
        let mut plies = Vec::new();
        let end = dropping_seats(&setup, &times, 1, seated(&mut players), |ply, _| {
            plies.push((
                ply.is_drop(),
                ply.actors.set(),
                ply.actions[Seat::SECOND].spent,
            ));
        });
        let end = end.expect("a game that counts");
        let all = seats([0, 1, 2]);
        let expected = [
            (false, all, None),
            (true, seats([1]), None),
            (false, seats([0, 2]), None),
        ];
        // All may have stopped in the opening, which is drawn.
        assert_eq!(plies, expected[..plies.len()]);
        assert_eq!(plies.len(), 3);
        assert_eq!(end.result.places(3)[Seat::SECOND], 3);
        assert_eq!(end.termination, Termination::Rules);
        assert_eq!(end.termination_for(Seat::SECOND), Termination::Handshake);
        let lines = &players[1].player.received;
        assert_eq!(told(lines, "start").len(), asked_to_start);
        assert!(told(lines, "end")[0].starts_with("end none handshake "));
        assert_eq!(told(lines, "did"), [""; 0]);
    }
}

#[test]
fn nobody_is_left_where_all_fail_before_the_first_request() {
    let bad = |start: &str| replies(vec![line("bot 1 bad"), line(start)]);
    let mut players = [replies(vec![line("hello")]), bad("no"), bad("never")];
    let (end, plies) = game(&setup(3, &[]), &no_limits(), &mut players);
    assert_eq!(end.result, GameResult::Nobody);
    assert_eq!(end.termination, Termination::Handshake);
    assert_eq!((end.plies, plies.len()), (0, 0));
    assert_eq!(end.forfeited_by(), ForfeitedBy::Several(seats([0, 1, 2])));
}

#[test]
fn who_spoils_the_turn_of_another_ends_the_game() {
    let contention = |off_turn: Duration| Contention {
        cpu_wait: 20 * MS,
        elapsed: 41 * MS,
        cores: 2,
        off_turn,
    };
    let of = |mut player: Planned, mut off_turn: Vec<Duration>| {
        player.player.contention = Box::new(move || {
            contention(if off_turn.len() > 1 {
                off_turn.remove(0)
            } else {
                off_turn[0]
            })
        });
        player
    };
    let starved = Reply::Fault(Fault::Starved {
        limit: 40 * MS,
        waited: 80 * MS,
        cpu_wait: 40 * MS,
    });
    let crash = Reply::Fault(Fault::HungUp);
    let mut players = [
        of(acts(vec![crash]), vec![Duration::ZERO]),
        of(acts(vec![starved]), vec![Duration::ZERO]),
        of(
            plays(&[], &[]),
            vec![Duration::ZERO, Duration::ZERO, 900 * MS],
        ),
        of(plays(&[], &[]), vec![Duration::ZERO]),
    ];
    let time = TimeControl {
        per_move: Some(40 * MS),
        ..no_limits()
    };
    let (end, plies) = game(&setup(4, &[]), &time, &mut players);
    assert_eq!(plies, [("left".to_owned(), seats([0]))]);
    assert_eq!(end.result, placed([4, 1, 3, 1]));
    assert_eq!(end.termination, Termination::Time);
    let kinds = end.faults.each_ref();
    let kinds = kinds.map(|fault| fault.as_ref().map(|it| it.kind));
    let expected = [
        Some(FaultKind::HungUp),
        None,
        Some(FaultKind::DelayedOpponent),
        None,
    ];
    assert_eq!(kinds, expected.into_iter().collect());
}
