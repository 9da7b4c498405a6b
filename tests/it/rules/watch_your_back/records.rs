//! Recorded games, actions and verdicts of Watch Your Back!.

use std::collections::BTreeMap;

use referee::game::watch_your_back::{Action, State};
use referee::game::{ParseError, Side, View, watch_your_back};
use serde_json::Value;

use super::{options, set_up, start};
use crate::rules::recorded::{
    Compared, Facts, Ply, attempt, course_end, course_ply, list, parse_action, plain, played,
    replay, rows, text,
};
use crate::rules::setup;

fn token(recorded: &str) -> String {
    match recorded {
        "forfeit" => "pass".to_owned(),
        other => other.to_owned(),
    }
}

/// The place of the square `x,y` in a board's letters.
fn index(square: &str) -> usize {
    let xy = square.as_bytes();
    usize::from(xy[2] - b'0') * 8 + usize::from(xy[0] - b'0')
}

/// Squares of recorded pieces, `x,yP`, after checking each colour: the mover's where the action
/// ended, elsewhere what stood there before.
fn squares(recorded: &[Value], before: &State, action: Action) -> Vec<String> {
    let arrived = match action {
        Action::Place(to) | Action::Move { to, .. } => Some(to.to_string()),
        Action::Pass => None,
    };
    let board = before.board();
    let mover = ['W', 'B'][before.ply() as usize % 2];
    let square = |piece: &Value| {
        let (square, colour) = text(piece).split_at(3);
        let expected = match arrived.as_deref() == Some(square) {
            true => mover,
            false => board.as_bytes()[index(square)].into(),
        };
        assert_eq!(colour, expected.to_string(), "{square} on {board}");
        square.to_owned()
    };
    recorded.iter().map(square).collect()
}

fn recorded_ply(row: &Value, before: &State, number: usize) -> Ply {
    let token = token(text(&row["actions"][number]));
    let action = parse_action::<State>(&token);
    let mut removed = squares(list(&row["elim"][number]), before, action);
    if let Some(shrunk) = row["shrink"].get((number + 1).to_string()) {
        removed.extend(squares(list(shrunk), before, action));
    }
    let (before, after) = course_ply(row, number, ["white", "black"]);
    Ply {
        token,
        before,
        public: Some(removed.join(" ")),
        after,
    }
}

#[test]
fn recorded_games() {
    let mut reasons = BTreeMap::new();
    let mut compared = Compared::new();
    for (name, count) in [
        ("wyb_random", 200),
        ("wyb_policy", 120),
        ("wyb_legal", 30),
        ("wyb_legalpolicy", 10),
    ] {
        for row in rows(name, count) {
            let plies = list(&row["actions"]).len();
            assert_eq!(row["turns"], plies);
            let pieces: Vec<String> = list(&row["pieces"]).iter().map(plain).collect();
            let mut end = course_end(&row);
            end.push(("pieces", pieces.join(" ")));
            let ply = |before: &State, number| recorded_ply(&row, before, number);
            replay(start(), plies, ply, &end, &mut compared);
            *reasons.entry(text(&row["reason"]).to_owned()).or_insert(0) += 1;
        }
    }
    let reasons: Vec<(&str, i32)> = reasons.iter().map(|(k, v)| (k.as_str(), *v)).collect();
    let expected = [
        ("after_placing", 6),
        ("elimination", 194),
        ("shrink128", 52),
        ("shrink192", 102),
        ("unfinished", 6),
    ];
    assert_eq!(reasons, expected);
    assert_eq!(compared["public"], 64_080);
}

/// A game that the recorder gave up is a draw at its last ply if that is the limit.
#[test]
fn unfinished_games_reach_the_limit() {
    let mut count = 0;
    for row in rows("wyb_policy", 120) {
        if row["reason"] == "unfinished" {
            let setup = setup::<State>(&[("max-plies", &plain(&row["turns"]))]);
            let tokens = list(&row["actions"])
                .iter()
                .map(|action| token(text(action)));
            let end = played(State::new(options(&setup)), tokens)
                .outcome()
                .expect("over");
            assert_eq!((end.winner, end.reason), (None, watch_your_back::MAX_PLIES));
            count += 1;
        }
    }
    assert_eq!(count, 5);
}

/// What became public is what disappeared: by the action first, then by the shrink.
fn disappeared(row: &Value, token: &str) -> String {
    let mut board: Vec<char> = text(&row["board"]).chars().collect();
    let mut own = None;
    if token != "pass" {
        let (from, to) = token.split_once('-').unwrap_or(("", token));
        if !from.is_empty() {
            board[index(from)] = '-';
        }
        board[index(to)] = if row["to_move"] == "white" { 'W' } else { 'B' };
        own = Some(index(to));
    }
    let gone = |before: &[char], after: &str| -> Vec<usize> {
        let letters = before.iter().zip(after.chars());
        let gone = letters.map(|(was, is)| "WB".contains(*was) && !"WB".contains(is));
        gone.enumerate()
            .filter_map(|(index, gone)| gone.then_some(index))
            .collect()
    };
    let after_move = text(&row["after_move"]);
    let mut expected = gone(&board, after_move);
    expected.sort_by_key(|index| (Some(*index) == own, *index));
    let after_move: Vec<char> = after_move.chars().collect();
    let by_shrink = gone(&after_move, text(&row["after"]));
    assert!(row["shrunk"] == true || by_shrink.is_empty());
    expected.extend(by_shrink);
    let squares: Vec<String> = expected
        .iter()
        .map(|index| format!("{},{}", index % 8, index / 8))
        .collect();
    squares.join(" ")
}

#[test]
fn recorded_actions() {
    let mut shrunk = 0;
    let both = [rows("wyb_micro", 1500), rows("wyb_forfeit", 60)];
    for row in both.into_iter().flatten() {
        let token = token(text(&row["action"]));
        let placing = row["phase"] == "placing";
        let ply = row["turns"].as_u64().expect("a number") as u32 + if placing { 0 } else { 24 };
        let mut after: Facts = vec![
            ("board", plain(&row["after"])),
            ("shrinks", plain(&row["after_shrinks"])),
            ("winner", plain(&row["winner"])),
        ];
        if row["after_phase"] == "completed" {
            after.push(("to-act", "-".to_owned()));
        } else {
            let past = !placing || ply == 23;
            assert_eq!(row["after_phase"], if past { "moving" } else { "placing" });
            let turns = row["after_turns"].as_u64().expect("a number");
            after.push(("placing", (!past).to_string()));
            after.push(("ply", (turns + if past { 24 } else { 0 }).to_string()));
        }
        let before: Facts = vec![
            ("shrinks", plain(&row["shrinks"])),
            ("placing", placing.to_string()),
            ("to-act", plain(&row["to_move"])),
            ("board", plain(&row["board"])),
        ];
        let state = set_up(text(&row["board"]), ply).expect("a position");
        let ply = |_: &State, _| Ply {
            token: token.clone(),
            before: before.clone(),
            public: Some(disappeared(&row, &token)),
            after: after.clone(),
        };
        replay(state, 1, ply, &vec![], &mut Compared::new());
        shrunk += u32::from(row["shrunk"] == true);
    }
    assert_eq!(shrunk, 558);
}

/// A Python literal in our notation: a list or tuple of two whole numbers, or two of these of one
/// type. Anything else our notation cannot say.
fn python(literal: &str) -> Option<String> {
    let pair = |text: &str| -> Option<(char, String)> {
        let open = text.chars().next()?;
        let inner = match open {
            '(' => text.strip_prefix('(')?.strip_suffix(')')?,
            '[' => text.strip_prefix('[')?.strip_suffix(']')?,
            _ => return None,
        };
        let (x, y) = inner.split_once(", ")?;
        let whole = |text: &str| text.parse::<i64>().is_ok();
        (whole(x) && whole(y)).then(|| (open, format!("{x},{y}")))
    };
    if let Some((_, square)) = pair(literal) {
        return Some(square);
    }
    let inner = literal.get(1..literal.len().checked_sub(1)?)?;
    let (from, to) = inner.split_at(inner.find(", (").or(inner.find(", ["))?);
    let ((one, from), (two, to)) = (pair(from)?, pair(&to[2..])?);
    (one == two).then(|| format!("{from}-{to}"))
}

#[test]
fn recorded_verdicts() {
    let (mut verdicts, mut carried) = (Compared::new(), 0);
    for row in rows("wyb_illegal", 1500) {
        let state = played(
            start(),
            list(&row["prefix"])
                .iter()
                .map(|action| token(text(action))),
        );
        assert_eq!(state.outcome(), None);
        assert_eq!(state.is_placing(), row["phase"] == "placing");
        let found = state.to_act() == Some(Side::First);
        assert_eq!(found, row["to_move"] == "white");

        let wanted = text(&row["attempt"]);
        let is_legal = row["verdict"] == "legal";
        let token = match row["typed"] == true {
            true => {
                assert_eq!(wanted.parse::<Action>(), Err(ParseError::Malformed));
                let token = python(wanted);
                carried += u32::from(token.is_some());
                token
            }
            false => Some(token(wanted)),
        };
        let verdict = match (token, is_legal) {
            (Some(token), _) => attempt(
                &state,
                &token,
                is_legal.then(|| text(&row["final"])),
                |_| true,
            ),
            // Dicts, bools, strings, floats, other lengths: the legal two are a dict and a bool.
            (None, true) => "not a token, legal",
            (None, false) => "not a token, illegal",
        };
        *verdicts.entry(verdict).or_default() += 1;
    }
    let expected = [
        ("illegal", 1132),
        ("legal", 93),
        ("not a token, illegal", 26),
        ("not a token, legal", 2),
        ("off board", 247),
    ];
    assert_eq!(verdicts, expected.into());
    assert_eq!(carried, 5);
}
