//! Rules programs as `rules::Program` drives them.

use std::time::Duration;

use referee::game::RulesFault;
use referee::rules::{Answer, Deadlines, Next, Program};

use crate::support::{example, examples, rules_program, start};

/// A shell script as a rules program, which answers the hello and then `then`.
fn script(then: &str) -> Result<Program, RulesFault> {
    let deadlines = Deadlines {
        answer: Duration::from_secs(5),
        start: Duration::from_secs(5),
    };
    let hello = "read line; printf 'game g 1\\nseats a b\\nhas legal\\nok\\n'; read line";
    start(
        "sh",
        &["-c", &format!("{hello}; {then}")],
        &examples(),
        deadlines,
    )
}

fn options(width: u32) -> Vec<(String, String)> {
    vec![
        ("width".to_owned(), width.to_string()),
        ("height".to_owned(), "6".to_owned()),
    ]
}

fn connect_four() -> Option<Program> {
    example("connect_four.py")
}

fn turn(answer: Result<Answer, RulesFault>) -> Next {
    rules_program::turn(answer).next
}

const GAME: [(u8, &str); 7] = [
    (0, "4"),
    (1, "4"),
    (0, "3"),
    (1, "3"),
    (0, "2"),
    (1, "2"),
    (0, "1"),
];

#[test]
fn a_game_is_played_action_by_action() {
    let mut program = needed!(connect_four());
    assert_eq!(program.hello().name, "connect-four");
    let found = turn(program.new_game(1, 2, &options(7)));
    assert_eq!(found, Next::Act(vec![0]));
    assert_eq!(program.legal(0).expect("a list").len(), 7);
    assert_eq!(program.legal(1).expect("a list"), [""; 0]);
    for (action, unparsable) in [("9", true), ("04", true), ("+4", true)] {
        match program.play(&[(0, action)]) {
            Ok(Answer::Refused(refusal)) => {
                assert_eq!((refusal.unparsable, refusal.seats), (unparsable, vec![0]));
            }
            other => panic!("{other:?}"),
        }
    }
    let mut next = Next::Act(vec![0]);
    for (seat, action) in GAME {
        assert_eq!(next, Next::Act(vec![seat]));
        next = turn(program.play(&[(seat, action)]));
    }
    let Next::End { points, reason } = next else {
        panic!("the game goes on: {next:?}");
    };
    assert_eq!(reason, "four_in_a_row");
    assert!(points[0] > points[1]);
    let shown = program.show(None).expect("a board");
    let board = shown.drawing.board.expect("a grid");
    assert!(board.rows().ends_with("/.rrr.../yyyy..."), "{board:?}");
    program.close();
}

#[test]
fn a_whole_game_in_one_write_has_the_digest_of_one_played_action_by_action() {
    let mut one = needed!(connect_four());
    let mut other = needed!(connect_four());
    turn(one.new_game(1, 2, &options(7)));
    turn(other.new_game(2, 2, &options(7)));
    let mut digests = Vec::new();
    for (seat, action) in GAME {
        other.queue_play(&[(seat, action)]);
        turn(one.play(&[(seat, action)]));
        // Neither a refused action nor a question about the position is in the digest.
        let before = one.answers();
        assert!(one.play(&[(seat, "99")]).is_ok());
        assert!(one.show(Some(seat)).is_ok());
        assert_eq!(one.answers(), before);
        digests.push(before);
    }
    for ((seat, _), digest) in GAME.into_iter().zip(&digests) {
        turn(other.next_answer(&[seat]));
        assert_eq!(&other.answers(), digest);
    }
    assert_eq!(digests[6].len(), 16);
    // A program serves any number of games, and forgets the last one.
    turn(one.new_game(1, 2, &options(5)));
    assert_eq!(one.legal(0).expect("a list").len(), 5);
}

/// A way to answer `new`, and whether this fault is the right one.
type Misbehaviour = (&'static str, fn(&RulesFault) -> bool);

#[test]
#[ignore = "slow"]
fn a_program_that_misbehaves_is_a_fault_of_the_rules_with_words() {
    let cases: [Misbehaviour; 9] = [
        ("exit 3", |fault| matches!(fault, RulesFault::Ended(_))),
        ("sleep 60", |fault| matches!(fault, RulesFault::TimedOut(_))),
        ("echo 'act 0'; sleep 60", |fault| {
            matches!(fault, RulesFault::TimedOut(_))
        }),
        ("echo 'act 2'; echo ok", is_malformed),
        ("echo ok", is_malformed),
        ("echo; echo ok", is_malformed),
        ("printf '\\377\\n'", |fault| {
            fault.to_string().contains("UTF-8")
        }),
        ("while :; do echo 'see 0 words'; done", |fault| {
            fault.to_string().contains("1048576")
        }),
        ("head -c 70000 /dev/zero | tr '\\0' a", |fault| {
            fault.to_string().contains("65536")
        }),
    ];
    for (then, is_right) in cases {
        let mut program = script(then).expect("a hello");
        let fault = program.new_game(1, 2, &[]).expect_err(then);
        assert!(is_right(&fault), "{then}: {fault}");
    }
}

fn is_malformed(fault: &RulesFault) -> bool {
    matches!(fault, RulesFault::Malformed { .. })
}

#[test]
fn a_program_that_is_none_is_a_fault_at_its_start() {
    for args in [["-c", "exit 0"], ["-c", "read line; echo hello; sleep 60"]] {
        let deadlines = Deadlines {
            answer: Duration::from_secs(5),
            start: Duration::from_secs(5),
        };
        let fault = start("sh", &args, &examples(), deadlines).expect_err("no rules");
        let words = fault.to_string();
        assert!(words.contains("the rules program"), "{words}");
    }
}
