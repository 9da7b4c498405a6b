//! `referee position`: the position after some actions, for people and for scripts.

use referee::game::{AnyPosition, BUILT_IN, News, Seat, Setup};
use referee::random::Stream;
use serde_json::{Value, json};

use crate::support::doubles::legal;
use crate::support::program::{Ran, referee, referee_reading, root, screens};

/// `referee position` with these arguments after these actions.
fn position(args: &str, actions: &str) -> Ran {
    referee(&format!("position {args} --actions - <<< {actions}"))
}

/// Its lines, each a JSON object.
fn objects(ran: &Ran) -> Vec<Value> {
    assert_eq!(ran.stderr, "");
    let parse = |line| serde_json::from_str(line).expect("JSON");
    ran.stdout.lines().map(parse).collect()
}

#[test]
fn for_people_it_is_a_drawing() {
    assert_screen!(screens(
        root(),
        &[
            "position cachex --set size=3 --legal --actions - <<< a1",
            "position cachex --set size=3 --actions - <<< a1 c1 a2 c2 a3",
            "position watch-your-back --actions - <<< 3,4 5,5",
            "position dark-chess --set layout=KGGMMRRNNCCPPPPPkggmmrrnnccppppp --actions - <<< b8 b1",
            "position dark-chess --seed 3 --actions - <<< b3",
            "position dark-chess --seed 3 --reveal --actions - <<< b3",
        ]
    ));
}

#[test]
fn for_scripts_it_is_json() {
    assert_screen!(screens(
        root(),
        &[
            "position cachex --set size=3 --json --actions - <<< a1",
            "position watch-your-back --json --actions - <<< 3,4",
            "position dark-chess --set layout=KGGMMRRNNCCPPPPPkggmmrrnnccppppp --json --actions - <<< b8 b1",
            "position cachex --set size=3 --json --each --legal --actions - <<< a1\nsteal\n",
            "position cachex --set size=3 --json --legal --actions - <<< a1 c1 a2 c2 a3",
        ]
    ));
}

#[test]
fn hidden_pieces_are_shown_only_on_request() {
    let board = |args: &str| {
        let object = &objects(&position(args, "b3"))[0];
        object["board"].as_str().expect("text").to_owned()
    };
    let hidden = board("dark-chess --seed 3 --json");
    assert_eq!(hidden.matches('?').count(), 31);
    let revealed = board("dark-chess --seed 3 --json --reveal");
    let mut pieces: Vec<char> = revealed.chars().filter(|it| *it != '/').collect();
    pieces.sort_unstable();
    let pieces: String = pieces.into_iter().collect();
    assert_eq!(pieces, "CCGGKMMNNPPPPPRRccggkmmnnppppprr");
}

/// With exit code 3 and the rule that the action breaks, after the positions before it.
#[test]
fn an_illegal_action_is_refused_with_its_rule() {
    assert_screen!(screens(
        root(),
        &[
            "position cachex --set size=3 --json --each --actions - <<< a1 a1 b1",
            "position cachex --set size=3 --actions - <<< d4",
            "position cachex --json --actions - <<< b2 b2",
            "position dark-chess --json --actions - <<< b9",
            "position dark-chess --json --actions - <<< a1-a2",
            "position watch-your-back --json --actions - <<< 0,0",
            "position watch-your-back --json --actions - <<< pass",
        ]
    ));
}

/// With exit code 4, not the 3 of an illegal action.
#[test]
fn text_that_is_not_an_action_is_refused_with_what_was_expected() {
    assert_screen!(screens(
        root(),
        &[
            "position cachex --json --actions - <<< hello!",
            "position dark-chess --json --actions - <<< b3b4",
            "position watch-your-back --json --actions - <<< (3,4)",
        ]
    ));
}

#[test]
fn input_that_is_not_text_or_too_long_is_refused_in_one_short_line() {
    let long = position("cachex", &"x".repeat(100_000));
    long.fails(4, "xxx…` at ply 1 is not an action");
    assert!(long.stderr.starts_with("referee: `xxxx"), "{long:?}");
    assert!(long.stderr.len() < 300);

    let codes = position("cachex", "\u{1b}[31ma1\u{0}");
    codes.fails(4, "`\u{fffd}[31ma1\u{fffd}` at ply 1");

    let args = ["position", "cachex", "--actions", "-"];
    let binary = referee_reading(root(), b"a1 \xff\xfe\x00\x80", &args);
    binary.fails(5, "");
    assert_eq!(
        binary.stderr,
        "referee: stdin: the actions cannot be read: line 1 is not UTF-8\n"
    );

    let input = " ".repeat((16 << 20) + 1);
    let refused = position("cachex", &input);
    refused.fails(5, "");
    assert_eq!(
        refused.stderr,
        "referee: stdin: the actions cannot be read: it has more than 16 MiB\n"
    );
    assert_eq!(position("cachex", &input[1..]).exit, 0);
}

#[test]
fn arguments_that_are_wrong_are_usage_errors() {
    assert_screen!(screens(
        root(),
        &[
            "position shogi",
            "position cachex --set size",
            "position cachex --set size=2",
            "position cachex --set sice=5",
            "position dark-chess --set layout=kk",
            "position cachex --seed x",
            "position cachex --actions no-such-file",
        ]
    ));
}

#[test]
fn it_shows_what_the_library_says_in_whole_games() {
    for game in BUILT_IN {
        let setup = Setup::new(game);
        let mut position_here = setup.start(&mut Stream::new(11, 0)).expect("built in");
        let rows = |position: &dyn AnyPosition| {
            let drawing = position.drawing(Some(Seat::FIRST)).expect("built in");
            json!(drawing.board.map(|board| board.rows()))
        };
        let mut boards = vec![rows(position_here.as_ref())];
        let mut actions = Vec::new();
        for turn in 0..40 {
            let legal = legal(position_here.as_ref());
            let action = legal[turn * 7 % legal.len()].clone();
            position_here
                .act(&action, &mut News::default())
                .expect("legal");
            boards.push(rows(position_here.as_ref()));
            actions.push(action);
        }
        let args = format!("{} --seed 11 --json --each", game.name());
        let shown = objects(&position(&args, &actions.join(" ")));
        let shown: Vec<_> = shown.iter().map(|object| object["board"].clone()).collect();
        assert_eq!(shown, boards, "{}", game.name());
    }
}
