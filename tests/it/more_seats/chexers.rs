//! `examples/rules/chexers.py`, by games that the course's own referee judged, and by another program's counts.

use std::collections::{BTreeMap, BTreeSet};

use referee::game::NewsLine;
use referee::rules::{Answer, Program, Turn};
use serde_json::Value;

use super::{acting, end, play_all, strings};
use crate::rules::recorded::{list, rows, text};
use crate::support::{begin, example};

/// Plays actions of the three seats in turn from the start.
#[track_caller]
fn after(program: &mut Program, options: &[(&str, &str)], actions: &[&str]) -> Turn {
    let mut next = begin(program, 1, options);
    for (seat, action) in (0..3).cycle().zip(actions) {
        assert_eq!(acting(&next), [seat], "before {action}");
        next = play_all(program, &[(seat, action)]);
    }
    next
}

fn cells(program: &mut Program) -> String {
    let shown = program.show(None).expect("a board");
    let board = shown.drawing.board.expect("hexagons");
    board.rows().replace(['/', '~'], "")
}

/// 24 games of three kinds of players, of 5,832 plies. The course's referee of 2019 counted the actions and judged the
/// ends.
#[test]
fn games_of_the_course_go_as_the_course_judged_them() {
    let mut program = needed!(example("chexers.py"));
    let mut ends = BTreeMap::new();
    for row in rows("chexers_games", 24) {
        let mut next = begin(&mut program, 1, &[]);
        for (ply, action) in list(&row["actions"]).iter().enumerate() {
            let seat = (ply % 3) as u8;
            assert_eq!(acting(&next), [seat], "{row}");
            let legal = program.legal(seat).expect("a list").len();
            assert_eq!(row["legal"][ply], legal, "ply {ply} of {row}");
            next = play_all(&mut program, &[(seat, text(action))]);
        }
        let (points, reason) = end(&next);
        assert_eq!(reason, text(&row["end"]), "{row}");
        assert_eq!(cells(&mut program), text(&row["board"]), "{row}");
        let exits = list(&row["exits"]);
        let exits: Vec<u64> = exits.iter().filter_map(Value::as_u64).collect();
        let scored = next.score.iter().flatten().map(ToString::to_string);
        assert!(scored.eq(exits.iter().map(u64::to_string)), "{row}");
        let expected = exits.iter().map(|exits| match (reason, exits) {
            ("four_exits", 4) => "1",
            ("four_exits", _) => "0",
            _ => "0.333333333",
        });
        assert_eq!(points, expected.collect::<Vec<_>>(), "{row}");
        *ends.entry(reason.to_owned()).or_insert(0) += 1;
    }
    let expected = [("four_exits", 14), ("repetition", 8), ("turn_limit", 2)];
    assert_eq!(
        ends,
        expected.map(|(end, count)| (end.to_owned(), count)).into()
    );
}

/// A cell in three coordinates that add up to 0. The first is 3 where red leaves the board, and so on.
type Cell = [i32; 3];

/// Counts sequences of actions without the ideas of the example: all pairs of cells, by their distance.
fn count(pieces: &BTreeMap<Cell, usize>, cells: &[Cell], seat: usize, plies: usize) -> usize {
    if plies == 0 {
        return 1;
    }
    let mut next = Vec::new();
    let pairs = cells
        .iter()
        .flat_map(|from| cells.iter().map(move |to| (from, to)));
    for (from, to) in pairs {
        if pieces.get(from) != Some(&seat) || pieces.contains_key(to) {
            continue;
        }
        let apart = [0, 1, 2].map(|axis| to[axis] - from[axis]);
        let distance = apart.iter().map(|it| it.abs()).max().unwrap_or_default();
        let middle = [0, 1, 2].map(|axis| from[axis] + apart[axis] / 2);
        let is_straight = apart.iter().all(|it| it % 2 == 0);
        let jumps = distance == 2 && is_straight && pieces.contains_key(&middle);
        if distance == 1 || jumps {
            let mut after = pieces.clone();
            after.remove(from);
            after.insert(*to, seat);
            if jumps {
                after.insert(middle, seat);
            }
            next.push(after);
        }
    }
    let leaves = |(cell, owner): &(&Cell, &usize)| **owner == seat && cell[seat] == 3;
    for (cell, _) in pieces.iter().filter(leaves) {
        let mut after = pieces.clone();
        after.remove(cell);
        next.push(after);
    }
    if next.is_empty() {
        next.push(pieces.clone());
    }
    let follower = (seat + 1) % 3;
    next.iter()
        .map(|after| count(after, cells, follower, plies - 1))
        .sum()
}

fn perft(program: &mut Program, actions: &mut Vec<String>, before: usize, plies: usize) -> usize {
    let path: Vec<&str> = actions.iter().map(String::as_str).collect();
    let next = after(program, &[], &path);
    let legal = program.legal(acting(&next)[0]).expect("a list");
    if actions.len() + 1 == before + plies {
        return legal.len();
    }
    let mut sum = 0;
    for action in legal {
        actions.push(action);
        sum += perft(program, actions, before, plies);
        actions.pop();
    }
    sum
}

#[test]
fn another_program_counts_as_many_games() {
    let mut program = needed!(example("chexers.py"));
    let span = -3..=3;
    let pairs = span
        .clone()
        .flat_map(|q| span.clone().map(move |r| [q, r, -q - r]));
    let all: Vec<Cell> = pairs.filter(|cell| span.contains(&cell[2])).collect();
    assert_eq!(all.len(), 37);
    // The start, and positions in the middle of recorded games, where pieces jump and leave.
    let games = rows("chexers_games", 24);
    for (game, before, plies) in [(0, 0, 3), (1, 30, 2), (4, 75, 2), (7, 101, 2), (0, 200, 2)] {
        let actions = list(&games[game]["actions"]).iter().take(before).map(text);
        let mut actions: Vec<String> = actions.map(str::to_owned).collect();
        let path: Vec<&str> = actions.iter().map(String::as_str).collect();
        after(&mut program, &[], &path);
        let letters = cells(&mut program);
        let mut letters = letters.chars();
        let mut pieces = BTreeMap::new();
        for r in span.clone() {
            for q in span.clone().filter(|q| span.contains(&(-q - r))) {
                if let Some(seat) = "RGB".find(letters.next().expect("a letter")) {
                    pieces.insert([q, r, -q - r], seat);
                }
            }
        }
        let counted = count(&pieces, &all, before % 3, plies);
        let found = perft(&mut program, &mut actions, before, plies);
        assert_eq!(found, counted, "{game} {before}");
        assert!(counted > 10, "{counted}");
    }
}

#[test]
fn a_piece_that_is_jumped_over_is_taken_and_all_hear_of_it() {
    let mut program = needed!(example("chexers.py"));
    let approach = "move:-3,0:-2,-1 move:0,-3:0,-2 move:3,0:2,0 move:-2,-1:-1,-1";
    let approach: Vec<&str> = approach.split(' ').collect();
    after(&mut program, &[], &approach);
    // Over a piece of another seat, then over its own.
    let jumped = play_all(&mut program, &[(1, "jump:0,-2:-2,0")]);
    let own = play_all(&mut program, &[(2, "jump:2,1:2,-1")]);
    let heard: Vec<&str> = [&jumped, &own]
        .iter()
        .map(|turn| match &turn.news[..] {
            [(_, NewsLine::Did { public, .. })] => public.as_str(),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(heard, ["-1,-1", ""]);
    let letters = cells(&mut program);
    let counted = ["R", "G", "B"].map(|piece| letters.matches(piece).count());
    assert_eq!(counted, [3, 5, 4]);
}

/// Each refusal names the rule, and whether it is one of form.
#[test]
fn refusals_name_the_rule() {
    let mut program = needed!(example("chexers.py"));
    begin(&mut program, 1, &[]);
    let form = "move:Q,R:Q,R or jump:Q,R:Q,R or exit:Q,R or pass";
    let pass = "a pass is legal only when there is no other action, and move:-3,0:-2,0 is possible";
    let nothing = |to| format!("from -3,0 to {to} there is no piece to jump over");
    let cases = [
        ("move:-3,0:-2,+1", form),
        ("move:-3,0", form),
        ("MOVE:-3,0:-2,0", form),
        ("move:-3,-0:-2,0", form),
        ("pass", pass),
        ("move:0,0:1,0", "there is no piece of red on 0,0"),
        ("move:3,0:2,0", "there is no piece of red on 3,0"),
        ("exit:-3,0", "red does not leave the board from -3,0"),
        ("move:-3,0:-3,1", "-3,1 is taken"),
        ("move:-3,0:-4,0", "-4,0 is not on the board"),
        ("move:-3,0:-1,0", "-1,0 is not beside -3,0"),
        ("jump:-3,0:-1,0", &nothing("-1,0")),
        ("jump:-3,0:-2,0", &nothing("-2,0")),
    ];
    for (action, words) in cases {
        let Ok(Answer::Refused(refusal)) = program.play(&[(0, action)]) else {
            panic!("{action} is not refused");
        };
        assert_eq!(refusal.words, words, "{action}");
        assert_eq!(refusal.unparsable, words == form, "{action}");
    }
}

/// Four times the same position: the start, and three times three plies to and fro.
#[test]
fn repetition_and_the_last_turn_draw() {
    let mut program = needed!(example("chexers.py"));
    let there = ["move:-3,0:-2,0", "move:0,-3:0,-2", "move:3,0:2,0"];
    let back = ["move:-2,0:-3,0", "move:0,-2:0,-3", "move:2,0:3,0"];
    let once = [there, back].concat();
    let actions = [once.clone(), once.clone(), once].concat();
    let thirds = strings(["0.333333333"; 3]);
    let next = after(&mut program, &[], &actions);
    assert_eq!(end(&next), (thirds.clone(), "repetition"));
    let next = after(&mut program, &[("turns", "2")], &actions[..6]);
    assert_eq!(end(&next), (thirds, "turn_limit"));
    let options = [("turns", "2"), ("points", "exits")];
    let next = after(&mut program, &options, &actions[..6]);
    assert_eq!(end(&next), (strings(["0"; 3]), "turn_limit"));
}

/// The points of the option `exits` are the pieces off the board, whoever won.
#[test]
fn points_can_be_exits() {
    let mut program = needed!(example("chexers.py"));
    let mut ranks = BTreeSet::new();
    for row in rows("chexers_games", 24).into_iter().take(6) {
        let actions: Vec<&str> = list(&row["actions"]).iter().map(text).collect();
        let next = after(&mut program, &[("points", "exits")], &actions);
        let (points, _) = end(&next);
        let exits: Vec<String> = list(&row["exits"]).iter().map(Value::to_string).collect();
        assert_eq!(points, exits);
        ranks.extend(points);
    }
    assert!(ranks.len() > 3, "{ranks:?}");
}
