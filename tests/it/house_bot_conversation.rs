//! `referee bot NAME`: the protocol from the bot's side.

use crate::support::{Ran, referee, referee_reading, root};

fn tell(bot: &str, lines: &[&str]) -> Ran {
    let input: String = lines.iter().map(|line| format!("{line}\n")).collect();
    let args = ["bot", bot, "--nodes", "100"];
    referee_reading(root(), input.as_bytes(), &args)
}

const START: &str =
    "start cachex red seed=5 measure=wall per-game=none increment=0 per-move=none size=3";

const START_OF_NOBODY: &str =
    "start cachex white seed=5 measure=wall per-game=none increment=0 per-move=none size=3";

#[test]
fn it_answers_each_request_with_one_legal_action() {
    for bot in ["random", "greedy", "search"] {
        let news = ["did red a1", "did blue c3", "act none none", "quit"];
        let ran = tell(bot, &[&["referee 1", START][..], &news].concat());
        let answer = ran.stdout.lines().nth(2).expect("an answer");
        let free = ["b1", "c1", "a2", "b2", "c2", "a3", "b3"];
        assert!(free.contains(&answer), "{bot}: {answer}");
        assert_eq!(ran.stdout.lines().count(), 3);
    }
}

#[test]
fn the_end_of_input_ends_it_without_an_error() {
    tell("random", &["referee 1"]).ok();
    assert_eq!(referee("bot random").exit, 0);
}

#[test]
fn a_line_that_breaks_the_protocol_ends_it_with_a_message() {
    for (lines, words) in [
        (
            "hello",
            "the referee said `hello`: expected `referee`, `set`, `start`, `did`",
        ),
        ("act 1 1", "the referee said `act 1 1`: no game has begun"),
        (
            "did red a1",
            "the referee said `did red a1`: no game has begun",
        ),
        ("start cachex", "expected a game and a seat after `start`"),
        (&START.replace("cachex", "shogi"), "does not know the game"),
        (START_OF_NOBODY, "the seats of cachex are red and blue"),
        (
            &format!("{START}\ndid red z99"),
            "the referee said `did red z99`: ",
        ),
        (
            &format!("{START}\ndid red a1\ndid blue a1"),
            "the referee said `did blue a1`: a1 is taken",
        ),
    ] {
        let ran = tell("greedy", &[lines]);
        assert_eq!(ran.exit, 1, "{ran:?}");
        assert!(ran.stderr.contains(words), "{words}: {}", ran.stderr);
        assert_eq!(ran.stderr.lines().count(), 1, "{}", ran.stderr);
    }
    let binary = referee_reading(root(), b"\xff\xfe\n", &["bot", "random"]);
    assert_eq!(binary.exit, 1);
    assert!(
        binary
            .stderr
            .starts_with("referee: the conversation broke off: ")
    );
}

#[test]
fn a_bot_that_is_not_there_is_a_usage_error() {
    let words = "[possible values: random, greedy, search]";
    referee("bot bob").fails(2, words);
    assert_eq!(referee("bot random --nodes few").exit, 2);
}
