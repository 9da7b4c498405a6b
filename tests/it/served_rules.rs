//! `referee rules GAME`: built-in games as rules programs. `examples/research/src/bin/served_rules.rs` plays more of them.

use std::path::Path;

use referee::game::BUILT_IN;

use crate::support::{REFEREE, compare, referee};

const GAMES: u64 = 8;

#[test]
fn served_rules_and_built_in_rules_are_equal_ply_by_ply() {
    for game in BUILT_IN {
        let equal = compare(Path::new(REFEREE), game, GAMES);
        assert!(equal.games == GAMES && equal.refusals > 100, "{equal}");
        println!("{}: {equal}", game.name());
    }
}

fn answers(game: &str, requests: &str) -> String {
    referee(&format!(
        "rules {game} <<< {}\n",
        requests.replace("; ", "\n")
    ))
    .ok()
}

#[test]
fn a_hello_describes_the_game_and_its_options() {
    for game in BUILT_IN {
        let name = game.name().replace('-', "_");
        insta::assert_snapshot!(format!("rules_of_{name}"), answers(game.name(), "rules 1"));
    }
}

#[test]
fn the_seed_is_that_of_the_command_position() {
    let shown = answers("dark-chess", "new seed=7 seats=2; show all; show 0");
    let boards: Vec<&str> = shown
        .lines()
        .filter_map(|line| line.strip_prefix("grid 4 8 "))
        .collect();
    let position = referee("position dark-chess --seed 7 --reveal --json").ok();
    let [revealed, seen] = boards[..] else {
        panic!("two boards: {shown}");
    };
    assert!(position.contains(&format!("\"{revealed}\"")), "{position}");
    assert_eq!(seen.replace('/', ""), "?".repeat(32));
}

#[test]
fn a_board_has_a_look_for_each_piece() {
    assert_eq!(
        answers(
            "cachex",
            "new seed=1 seats=2 size=3; play 0 a1; play 1 c1; show 1"
        ),
        "act 0\nok\ndid 0 a1\nact 1\nok\ndid 1 c1\nact 0\nok\nhex 3 3 .../.../r.b\nslant left\nsides red blue red blue\n\
         piece . none none - empty\npiece r disc red - red\npiece b disc blue - blue\nok\n"
    );
}

#[test]
fn what_is_no_option_and_not_ones_turn_is_refused_and_changes_nothing() {
    let requests = "new seed=1 seats=2 size=3; new seed=1 seats=2 size=99; new seed=1 seats=2 width=3; \
                    new seed=1 seats=3; play 1 a1; play 0 a1; play 0 a1; legal 0; legal 1; quit; rules 1";
    let wanted = "act 0\nok\nillegal size=99: expected a number from 3 to 26\n\
         illegal width=3: unknown game option; this game has size\nillegal this game has 2 seats\n\
         illegal it is not your turn\ndid 0 a1\nact 1\nok\nillegal it is not your turn\ncan 0\nok\n\
         can 1 b1 c1 a2 b2 c2 a3 b3 c3 steal\nok\n";
    assert_eq!(answers("cachex", requests), wanted);
}

#[test]
fn a_line_that_is_no_request_ends_it_with_a_message() {
    for (requests, words) in [
        ("hello", "`hello`; expected rules 1"),
        ("play 0 a1", "`new` first"),
        ("new seed=1 seats=2; legal 2", "seat 0 or 1"),
        ("new seed=1 seats=2; with 0 a1", "`with 0 a1`"),
    ] {
        let ran = referee(&format!(
            "rules cachex <<< {}\n",
            requests.replace("; ", "\n")
        ));
        assert_eq!(ran.exit, 1, "{ran:?}");
        assert!(ran.stderr.contains(words), "{ran:?}");
    }
}
