//! `referee position`: the position after some actions, for people and for scripts.

use crate::support::{Ran, referee, referee_reading, root, screens};

fn position(args: &str, actions: &str) -> Ran {
    referee(&format!("position {args} --actions - <<< {actions}"))
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
    let expected = "referee: stdin: the actions cannot be read: line 1 is not UTF-8\n";
    assert_eq!(binary.stderr, expected);

    let input = " ".repeat((16 << 20) + 1);
    let refused = position("cachex", &input);
    refused.fails(5, "");
    let expected = "referee: stdin: the actions cannot be read: it has more than 16 MiB\n";
    assert_eq!(refused.stderr, expected);
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
