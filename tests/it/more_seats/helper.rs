//! `examples/rules/game.py`: ranges of seats and seats that leave, in both styles.

use referee::game::{NewsLine, RulesFault};
use referee::rules::{Answer, Program, SeatNames};

use super::{acting, end, leave, play_all, strings};
use crate::support::{begin_with, by_helper, mistaken, turn};

/// Each seat says a number at once, for three rounds; the greatest sum wins. Seats that left have -1 point.
const GENERATOR: &str = include_str!("../files/sums_generator.py");

const CLASS: &str = include_str!("../files/sums_class.py");

#[test]
fn a_range_of_seats_and_seats_that_leave_in_both_styles() {
    for body in [GENERATOR, CLASS] {
        let (_folder, mut program) = needed!(by_helper(body));
        let range = SeatNames::Range { least: 2, most: 5 };
        assert_eq!(program.hello().seats, range);
        assert!(program.hello().has.drop);
        for seats in 2..=5 {
            let next = turn(begin_with(&mut program, seats, 1, &[]));
            assert_eq!(acting(&next).len(), usize::from(seats));
        }
        for seats in [1, 6] {
            let Ok(Answer::Refused(refusal)) = begin_with(&mut program, seats, 1, &[]) else {
                panic!("a game of {seats}");
            };
            let expected = format!("seats={seats}: this game is for 2..5");
            assert_eq!(refusal.words, expected);
        }
        turn(begin_with(&mut program, 4, 1, &[]));
        play_all(&mut program, &[(0, "1"), (1, "2"), (2, "3"), (3, "1")]);
        let next = leave(&mut program, 2);
        assert_eq!(acting(&next), [0, 1, 3]);
        let [(_, NewsLine::See(words))] = &next.news[..] else {
            panic!("{next:?}");
        };
        assert_eq!(words, "left p3");
        // A refusal names the seat at fault, and it may act again.
        let Ok(Answer::Refused(refusal)) = program.play(&[(0, "1"), (1, "4"), (3, "1")]) else {
            panic!("4 is no legal number");
        };
        assert_eq!(refusal.seats, [1]);
        play_all(&mut program, &[(0, "3"), (1, "1"), (3, "1")]);
        assert_eq!(acting(&leave(&mut program, 0)), [1, 3]);
        let next = leave(&mut program, 3);
        assert_eq!(end(&next), (strings(["-1", "3", "-1", "-1"]), "over"));
    }
}

/// Begins a game of three whose seat 1 leaves, and then seat 0.
fn leave_two(program: &mut Program) -> Result<Answer, RulesFault> {
    turn(begin_with(program, 3, 1, &[]));
    program.queue_request(b"drop 1\n");
    program.next_answer(&[])?;
    program.queue_request(b"drop 0\n");
    program.next_answer(&[])
}

#[test]
fn mistakes_with_seats_that_leave_are_named() {
    let class = |has: &str, lines: &str| {
        format!(
            "class mine(Game):\n    name, seats, has = 'mine', 'a b c', '{has}'\n    {lines}\n    \
             def legal(self, seat): return ['1']"
        )
    };
    let always = "def turn(self): return act(0, 1, 2)";
    let last = "def turn(self): return act(2)\n    def drop(self, seat): pass";
    for (body, words) in [
        (
            class("legal drop", &format!("{always}\n    def drop(self, seat): pass")),
            "seat 1 acts, and it has left the game",
        ),
        (class("legal drop", always), "mine has no `drop`"),
        (class("legal", always), "seat 1 cannot leave"),
        (class("legal drop", last), "act(2): expected end(…), since no other seat is left"),
        (
            class("legal drop", "def turn(self): return act(0)\n    def drop(self, seat): raise illegal('no')"),
            "illegal no: a seat that leaves cannot be refused",
        ),
        (
            "@rules('mine', seats='a b c', has='legal drop')\ndef mine(game):\n    yield act(1, can=['1'])"
                .to_owned(),
            "seat 1 left, and nothing catches `Dropped` here",
        ),
    ] {
        let log = needed!(mistaken(&body, leave_two));
        assert!(log.contains(words), "{body}\n{log}");
        assert!(log.contains("after the request `drop "), "{log}");
    }
}

#[test]
fn a_refusal_that_names_no_seat_of_several_is_a_mistake_of_the_rules() {
    for body in [
        "@rules('mine', seats='a b c', has='')\ndef mine(game):\n    yield act(0, 2)\n    yield illegal('no')",
        "class mine(Game):\n    name, seats, has = 'mine', 'a b c', ''\n    def turn(self): return act(0, 2)\n    \
         def play_together(self, actions): raise illegal('no')",
    ] {
        let log = needed!(mistaken(body, |program| {
            turn(begin_with(program, 3, 1, &[]));
            program.play(&[(0, "x"), (2, "y")])
        }));
        assert!(
            log.contains("name the ones at fault, as in illegal('no', 2)"),
            "{log}"
        );
    }
}
