//! `examples/rules/tron.py`: two to four seats at once, and seats that leave.

use std::collections::BTreeSet;

use referee::game::NewsLine;
use referee::random::Stream;
use referee::rules::{Program, Turn};

use super::{acting, draw, end, leave, play_all, strings};
use crate::support::{begin_with, example, play, turn};

#[track_caller]
fn begin(program: &mut Program, seats: u8, size: &str) -> Turn {
    turn(begin_with(program, seats, 1, &[("size", size)]))
}

/// The seats that are out by this answer, by their names.
fn out(turn: &Turn) -> Vec<&str> {
    let words = turn.news.iter().filter_map(|(_, line)| match line {
        NewsLine::See(words) => words.strip_prefix("out "),
        NewsLine::Did { .. } => None,
    });
    words.collect()
}

#[test]
fn cycles_crash_in_turn_and_later_is_better() {
    let mut program = needed!(example("tron.py"));
    let first = begin(&mut program, 4, "4");
    assert_eq!(acting(&first), [0, 1, 2, 3]);
    // The cycles of the upper corners meet in the upper row.
    let next = play_all(
        &mut program,
        &[(0, "east"), (1, "west"), (2, "west"), (3, "north")],
    );
    assert_eq!(out(&next), [""; 0]);
    // p1 and p3 face each other: neither may enter the other's cell.
    assert_eq!(program.legal(0).expect("a list"), ["south"]);
    assert_eq!(program.legal(2).expect("a list"), ["south"]);
    let next = play_all(
        &mut program,
        &[(0, "south"), (1, "west"), (2, "south"), (3, "north")],
    );
    // p1 has closed the last cell beside p4.
    assert_eq!(out(&next), ["p4"]);
    let next = play_all(&mut program, &[(0, "south"), (1, "north"), (2, "east")]);
    assert_eq!(out(&next), ["p1", "p2"]);
    assert_eq!(end(&next), (strings(["1.5", "1.5", "3", "0"]), "last_one"));
}

#[test]
fn cycles_that_enter_one_cell_crash_together() {
    let mut program = needed!(example("tron.py"));
    begin(&mut program, 2, "5");
    for (first, second) in [("east", "west"), ("east", "west"), ("south", "north")] {
        play_all(&mut program, &[(0, first), (1, second)]);
    }
    let next = play_all(&mut program, &[(0, "south"), (1, "north")]);
    assert_eq!(out(&next), ["p1", "p2"]);
    assert_eq!(end(&next), (strings(["0.5", "0.5"]), "all_crashed"));
}

#[test]
fn seats_that_leave_are_below_all_that_crashed_and_the_others_go_on() {
    let mut program = needed!(example("tron.py"));
    begin(&mut program, 4, "12");
    let next = leave(&mut program, 2);
    assert_eq!((out(&next), acting(&next)), (vec!["p3"], &[0, 1, 3][..]));
    let next = play_all(&mut program, &[(0, "east"), (1, "west"), (3, "east")]);
    assert_eq!(acting(&next), [0, 1, 3]);
    assert_eq!(acting(&leave(&mut program, 0)), [1, 3]);
    // The one that left first is the last.
    let next = leave(&mut program, 1);
    assert_eq!(end(&next), (strings(["1", "2", "0", "3"]), "last_one"));
}

/// The sum of the points is the number of pairs, and each game has a winner or ends in a crash of the last.
#[test]
fn random_games_of_any_number_of_seats_end() {
    let mut program = needed!(example("tron.py"));
    let mut reasons = BTreeSet::new();
    for seats in 2..=4 {
        for seed in 0..20 {
            let mut chance = Stream::new(seed, u64::from(seats));
            let mut turn = begin(&mut program, seats, "7");
            let mut plies = 0;
            while !acting(&turn).is_empty() {
                let actions = draw(&mut program, &turn, &mut chance);
                turn = play(&mut program, &actions);
                plies += 1;
                assert!(plies < 49, "no cell is entered twice");
            }
            let (points, reason) = end(&turn);
            let sum: f64 = points
                .iter()
                .map(|it| it.parse::<f64>().expect("a number"))
                .sum();
            assert_eq!(sum, f64::from(seats * (seats - 1)) / 2.0, "{points:?}");
            reasons.insert(reason.to_owned());
        }
    }
    assert_eq!(reasons.len(), 2, "{reasons:?}");
}
