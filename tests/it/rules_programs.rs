//! Rules programs as `rules::Program` drives them.

use referee::game::RulesFault;
use referee::rules::{Answer, Next, Program};

use crate::support::rules_program::{self, example};

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
fn a_whole_game_in_one_write_has_the_digest_of_one_played_action_by_action() {
    let (Some(mut one), Some(mut other)) = (connect_four(), connect_four()) else {
        return;
    };
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
