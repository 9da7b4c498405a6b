//! `referee position`: the position after some actions, for people and for scripts.

use crate::support::program::{Ran, referee_reading};
use referee::game::{Game, Seat, Setup};
use referee::random::Stream;
use serde_json::{Value, json};

/// `referee position` with these arguments after these actions.
fn position(args: &str, actions: &str) -> Ran {
    let mut words = vec!["position"];
    words.extend(args.split_whitespace());
    words.extend(["--actions", "-"]);
    referee_reading(actions.as_bytes(), &words)
}

/// Its lines, each a JSON object.
fn objects(ran: &Ran) -> Vec<Value> {
    assert_eq!(ran.stderr, "");
    ran.stdout
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect()
}

#[test]
fn json_has_one_shape_per_game() {
    let cachex = position("cachex --set size=3 --json", "a1");
    assert_eq!(
        cachex.stdout,
        "{\"game\":\"cachex\",\"ply\":1,\"seat\":\"blue\",\"board\":\"r........\",\"outcome\":null}\n"
    );
    let back = position("watch-your-back --json", "3,4");
    assert_eq!(
        objects(&back),
        [json!({
            "game": "watch-your-back",
            "ply": 1,
            "seat": "black",
            "board": "X------X---------------------------W--------------------X------X",
            "outcome": null,
        })]
    );
    let layout = "KGGMMRRNNCCPPPPPkggmmrrnnccppppp";
    let dark = position(&format!("dark-chess --set layout={layout} --json"), "b8 b1");
    assert_eq!(
        objects(&dark),
        [json!({
            "game": "dark-chess",
            "ply": 2,
            "seat": "first",
            "board": "?G???????????????????????????p??",
            "outcome": null,
            "score": [0, 0],
        })]
    );
    assert_eq!([cachex.exit, back.exit, dark.exit], [0, 0, 0]);
}

#[test]
fn each_position_is_a_line_and_legal_actions_are_listed() {
    let shown = objects(&position(
        "cachex --set size=3 --json --each --legal",
        "a1\nsteal\n",
    ));
    let boards: Vec<_> = shown.iter().map(|object| object["board"].clone()).collect();
    assert_eq!(boards, [".........", "r........", "b........"]);
    let legal: Vec<_> = shown.iter().map(|object| object["legal"].clone()).collect();
    assert_eq!(
        legal,
        [
            json!(["a1", "b1", "c1", "a2", "c2", "a3", "b3", "c3"]),
            json!(["b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3", "steal"]),
            json!(["b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"]),
        ]
    );
}

#[test]
fn the_end_has_an_outcome_and_nobody_to_act() {
    let end = objects(&position(
        "cachex --set size=3 --json --legal",
        "a1 c1 a2 c2 a3",
    ));
    assert_eq!(
        end[0]["outcome"],
        json!({"winner": "red", "reason": "connection"})
    );
    assert_eq!(end[0]["seat"], Value::Null);
    assert_eq!(end[0]["legal"], json!([]));
    let words = position("cachex --set size=3", "a1 c1 a2 c2 a3");
    assert!(
        words
            .stdout
            .contains("after ply 5: red has won (connection)"),
        "{words:?}"
    );
}

#[test]
fn what_is_hidden_is_shown_on_request_only() {
    let hidden = objects(&position("dark-chess --seed 3 --json", "b3"));
    let board = hidden[0]["board"].as_str().expect("text");
    assert_eq!(board.matches('?').count(), 31);
    let revealed = objects(&position("dark-chess --seed 3 --json --reveal", "b3"));
    let board = revealed[0]["board"].as_str().expect("text");
    let mut pieces: Vec<char> = board.chars().collect();
    pieces.sort_unstable();
    assert_eq!(
        pieces.iter().collect::<String>(),
        "CCGGKMMNNPPPPPRRccggkmmnnppppprr"
    );
    let words = position("dark-chess --seed 3", "b3");
    assert!(!words.stdout.contains(board), "{words:?}");
}

#[test]
fn for_people_it_is_a_drawing() {
    let shown = position("cachex --set size=3 --legal", "a1");
    assert_eq!(
        shown.stdout,
        "   3  . . .\n  2  . . .\n 1  r . .\n   a b c\n\
         after ply 1: blue acts\n\
         legal: b1 c1 a2 b2 c2 a3 b3 c3 steal\n\n"
    );
}

#[test]
fn an_illegal_action_is_refused_with_its_rule() {
    let refused = position("cachex --set size=3 --json --each", "a1 a1 b1");
    assert_eq!(refused.exit, 3);
    let lines = objects(&refused);
    assert_eq!(
        lines.last().expect("a line"),
        &json!({
            "ply": 2,
            "illegal": "a1",
            "rule": "a1 is taken by a red stone: a stone goes on an empty cell",
        })
    );
    assert_eq!(lines.len(), 3, "the positions before it, and no more after");
    let words = position("cachex --set size=3", "d4");
    assert_eq!((words.exit, words.stdout.as_str()), (3, ""));
    assert_eq!(
        words.stderr,
        "referee: `d4` at ply 1 is illegal: d4 is off the board: at size 3 columns are a to c and rows 1 to 3\n"
    );
    for (game, actions) in [
        ("dark-chess", "b9"),
        ("dark-chess", "a1-a2"),
        ("watch-your-back", "0,0"),
        ("watch-your-back", "pass"),
        ("cachex", "b2 b2"),
    ] {
        let refused = position(&format!("{game} --json"), actions);
        assert_eq!(refused.exit, 3, "{game}: {actions}");
        let rule = &objects(&refused)[0]["rule"];
        assert!(rule.as_str().is_some_and(|rule| !rule.is_empty()));
    }
}

#[test]
fn what_is_no_action_is_told_from_what_is_illegal() {
    for (game, token, expected) in [
        (
            "cachex",
            "hello!",
            "a cell as column letter and row number, like d2, or steal",
        ),
        ("dark-chess", "b3b4", "a square"),
        ("watch-your-back", "(3,4)", "a square"),
    ] {
        let refused = position(&format!("{game} --json"), token);
        assert_eq!(refused.exit, 4, "{refused:?}");
        let object = &objects(&refused)[0];
        assert_eq!(object["unparsable"], token);
        assert_eq!(object["ply"], 1);
        let words = object["expected"].as_str().expect("text");
        assert!(words.contains(expected), "{words}");
    }
}

#[test]
fn rubbish_is_refused_in_a_line_that_suits_a_terminal() {
    let long = position("cachex", &"x".repeat(100_000));
    assert_eq!(long.exit, 4);
    assert!(long.stderr.starts_with("referee: `xxxx"), "{}", long.stderr);
    assert!(long.stderr.contains("xxx…` at ply 1 is not an action"));
    assert!(long.stderr.len() < 300);

    let codes = position("cachex", "\u{1b}[31ma1\u{0}");
    assert_eq!(codes.exit, 4);
    assert!(codes.stderr.contains("`\u{fffd}[31ma1\u{fffd}` at ply 1"));

    let binary = referee_reading(
        b"a1 \xff\xfe\x00\x80",
        &["position", "cachex", "--actions", "-"],
    );
    assert_eq!((binary.exit, binary.stdout.as_str()), (5, ""));
    assert_eq!(
        binary.stderr,
        "referee: stdin: the actions cannot be read: stream did not contain valid UTF-8\n"
    );
}

#[test]
fn more_than_anybody_types_is_refused_and_not_cut_off() {
    let input = " ".repeat((16 << 20) + 1);
    let refused = position("cachex", &input);
    assert_eq!(refused.exit, 5);
    assert_eq!(
        refused.stderr,
        "referee: stdin: the actions cannot be read: they are longer than 16 MiB\n"
    );
    assert_eq!(position("cachex", &input[1..]).exit, 0);
}

#[test]
fn arguments_that_are_wrong_are_usage_errors() {
    for (args, words) in [
        ("chess", "invalid value 'chess' for '<GAME>'"),
        ("cachex --set size", "--set size: expected KEY=VALUE"),
        (
            "cachex --set size=2",
            "--set size=2: expected a number from 3 to 26",
        ),
        (
            "cachex --set sice=5",
            "--set sice=5: unknown game option; this game has size",
        ),
        ("dark-chess --set layout=kk", "--set layout=kk: expected "),
        ("cachex --seed x", "invalid value 'x' for '--seed <SEED>'"),
    ] {
        let ran = position(args, "");
        assert_eq!((ran.exit, ran.stdout.as_str()), (2, ""), "{args}");
        assert!(ran.stderr.contains(words), "{args}: {}", ran.stderr);
    }
    let missing = referee_reading(b"", &["position", "cachex", "--actions", "no-such-file"]);
    assert_eq!(missing.exit, 5);
    assert!(
        missing
            .stderr
            .starts_with("referee: no-such-file: the actions cannot be read: ")
    );
}

#[test]
fn it_shows_what_the_library_says_in_whole_games() {
    for game in Game::ALL {
        let setup = Setup::new(game);
        let mut position_here = setup.start(&mut Stream::new(11, 0));
        let mut boards = vec![position_here.board(Seat::First)];
        let mut actions = Vec::new();
        for turn in 0..40 {
            let legal = position_here.legal();
            let action = legal[turn * 7 % legal.len()].clone();
            position_here
                .act(&action, &mut String::new())
                .expect("legal");
            boards.push(position_here.board(Seat::First));
            actions.push(action);
        }
        let args = format!("{} --seed 11 --json --each", game.name());
        let shown = objects(&position(&args, &actions.join(" ")));
        let shown: Vec<_> = shown.iter().map(|object| object["board"].clone()).collect();
        assert_eq!(shown, boards, "{}", game.name());
    }
}
