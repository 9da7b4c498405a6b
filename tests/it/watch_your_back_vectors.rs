//! Every recorded row of the official referee's verdicts, through the public interface.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by a panic, in its helpers too"
)]

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use flate2::read::GzDecoder;
use referee::game::watch_your_back::{Action, Options, Public, State};
use referee::game::{Limit, ParseError, Position, Reason, Seat, View};
use serde_json::Value;

const ENDLESS: Options = Options {
    max_plies: Limit(None),
};

fn rows(name: &str, expected: usize) -> Vec<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/vectors/{name}.jsonl.gz"));
    let mut text = String::new();
    GzDecoder::new(File::open(&path).unwrap())
        .read_to_string(&mut text)
        .unwrap();
    let rows: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(rows.len(), expected, "rows of {name}");
    rows
}

fn text<'a>(row: &'a Value, key: &str) -> &'a str {
    row[key]
        .as_str()
        .unwrap_or_else(|| panic!("{key} in {row}"))
}

fn list<'a>(row: &'a Value, key: &str) -> &'a Vec<Value> {
    row[key].as_array().unwrap_or_else(|| panic!("{key}"))
}

fn number(row: &Value, key: &str) -> u32 {
    row[key].as_u64().unwrap_or_else(|| panic!("{key}")) as u32
}

fn fnv(text: &str) -> u32 {
    text.bytes().fold(0x811c_9dc5, |hash, byte| {
        (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
    })
}

/// The recorder's notation in ours.
fn token(recorded: &str) -> &str {
    match recorded {
        "forfeit" => "pass",
        other => other,
    }
}

fn play(state: &mut State, recorded: &Value) -> Public {
    let token = token(recorded.as_str().unwrap());
    let action: Action = token.parse().unwrap();
    assert_eq!(action.to_string(), token);
    state
        .apply(action)
        .unwrap_or_else(|rule| panic!("{token}: {rule}"))
}

fn winner(state: &State) -> Option<&'static str> {
    state.outcome().map(|outcome| match outcome.winner {
        Some(Seat::First) => "white",
        Some(Seat::Second) => "black",
        None => "draw",
    })
}

/// Squares of recorded pieces, `x,yP`, after checking each colour: the mover's where the action
/// ended, elsewhere what stood there before.
fn squares(recorded: &Value, before: &str, action: Action, mover: char) -> Vec<String> {
    let arrived = match action {
        Action::Place(to) | Action::Move { to, .. } => Some(to.to_string()),
        Action::Pass => None,
    };
    let pieces = recorded.as_array().unwrap().iter();
    pieces
        .map(|piece| {
            let (square, colour) = piece.as_str().unwrap().split_at(3);
            let stood = before.as_bytes()[index(square)].into();
            let expected = if arrived.as_deref() == Some(square) {
                mover
            } else {
                stood
            };
            assert_eq!(colour, expected.to_string(), "{square} on {before}");
            square.to_owned()
        })
        .collect()
}

/// The place of the square `x,y` in a board's letters.
fn index(square: &str) -> usize {
    let xy = square.as_bytes();
    usize::from(xy[2] - b'0') * 8 + usize::from(xy[0] - b'0')
}

/// Replays a whole game; returns its number of plies.
fn replay(row: &Value) -> usize {
    let mut state = State::new(ENDLESS);
    let mut legal = Vec::new();
    let actions = list(row, "actions");
    for (ply_index, recorded) in actions.iter().enumerate() {
        let ply = ply_index + 1;
        assert_eq!(state.outcome(), None);
        assert_eq!(state.to_act(), Some(Seat::BOTH[ply_index % 2]));
        state.legal(&mut legal);
        if let Some(counts) = row.get("legal") {
            assert_eq!(legal.len() as u64, counts[ply_index].as_u64().unwrap());
        }
        let action = token(recorded.as_str().unwrap()).parse().unwrap();
        assert!(legal.contains(&action));
        let before = state.board();

        let public = play(&mut state, recorded);
        let board = state.board();
        assert_eq!(
            u64::from(fnv(&board)),
            row["fnv"][ply_index].as_u64().unwrap()
        );
        if let Some(boards) = row.get("boards") {
            assert_eq!(board, boards[ply_index].as_str().unwrap());
        }
        let mover = ['W', 'B'][ply_index % 2];
        let mut expected = squares(&list(row, "elim")[ply_index], &before, action, mover);
        if let Some(shrunk) = row["shrink"].get(ply.to_string()) {
            expected.extend(squares(shrunk, &before, action, mover));
        }
        let expected = expected.join(" ");
        assert_eq!(public.to_string(), expected, "ply {ply}");
        assert_eq!(expected.parse(), Ok(public));
    }
    assert_eq!(number(row, "turns") as usize, actions.len());
    assert_eq!(state.ply(), number(row, "turns"));
    assert_eq!(state.board(), text(row, "final"));
    for (seat, pieces) in Seat::BOTH.into_iter().zip(list(row, "pieces")) {
        let count = state.layout().pieces(seat).count_ones();
        assert_eq!(u64::from(count), pieces.as_u64().unwrap());
    }
    match text(row, "reason") {
        "unfinished" => {
            assert!(row["result"].is_null());
            assert_eq!(state.outcome(), None);
        }
        reason => {
            assert_eq!(winner(&state), row["result"].as_str());
            assert_eq!(state.outcome().unwrap().reason.name(), reason);
            assert_eq!(state.to_act(), None);
            state.legal(&mut legal);
            assert!(legal.is_empty());
        }
    }
    actions.len()
}

#[test]
fn whole_games() {
    let mut reasons = BTreeMap::new();
    let mut plies = 0;
    for (name, count) in [
        ("wyb_random", 200),
        ("wyb_policy", 120),
        ("wyb_legal", 30),
        ("wyb_legalpolicy", 10),
    ] {
        for row in rows(name, count) {
            plies += replay(&row);
            *reasons.entry(text(&row, "reason").to_owned()).or_insert(0) += 1;
        }
    }
    let reasons: Vec<(&str, i32)> = reasons.iter().map(|(k, v)| (k.as_str(), *v)).collect();
    assert_eq!(
        reasons,
        [
            ("after_placing", 6),
            ("elimination", 194),
            ("shrink128", 52),
            ("shrink192", 102),
            ("unfinished", 6),
        ]
    );
    assert_eq!(plies, 64_080);
}

/// A game that the recorder gave up is a draw at its last ply if that is the limit.
#[test]
fn unfinished_games_reach_the_limit() {
    let mut count = 0;
    for row in rows("wyb_policy", 120) {
        if text(&row, "reason") != "unfinished" {
            continue;
        }
        let mut options = Options::default();
        let turns = number(&row, "turns");
        options.set("max-plies", &turns.to_string()).unwrap();
        let mut state = State::new(options);
        for action in list(&row, "actions") {
            assert_eq!(state.outcome(), None);
            play(&mut state, action);
        }
        let outcome = state.outcome().unwrap();
        assert_eq!((outcome.winner, outcome.reason), (None, Reason::MaxPlies));
        count += 1;
    }
    assert_eq!(count, 5);
}

#[test]
fn single_actions() {
    let mut shrunk = 0;
    for row in rows("wyb_micro", 1500)
        .into_iter()
        .chain(rows("wyb_forfeit", 60))
    {
        let placing = text(&row, "phase") == "placing";
        let ply = number(&row, "turns") + if placing { 0 } else { 24 };
        let before = text(&row, "board");
        let mut state = State::from_parts(ENDLESS, before, ply).unwrap();
        assert_eq!(u64::from(state.layout().shrinks()), row["shrinks"]);
        assert_eq!(state.is_placing(), placing);
        let seat = match text(&row, "to_move") {
            "white" => Seat::First,
            _ => Seat::Second,
        };
        assert_eq!(state.to_act(), Some(seat));
        assert_eq!(state.board(), before);

        let action = token(text(&row, "action"));
        let public = play(&mut state, &row["action"]);
        assert_eq!(state.board(), text(&row, "after"), "{action} on {before}");
        assert_eq!(u64::from(state.layout().shrinks()), row["after_shrinks"]);
        assert_eq!(winner(&state), row["winner"].as_str(), "{row}");

        // What became public is what disappeared: by the action first, then by the shrink.
        let mut board: Vec<char> = before.chars().collect();
        let mut own = None;
        if action != "pass" {
            let (from, to) = action.split_once('-').unwrap_or(("", action));
            if !from.is_empty() {
                board[index(from)] = '-';
            }
            board[index(to)] = if seat == Seat::First { 'W' } else { 'B' };
            own = Some(index(to));
        }
        let gone = |before: &[char], after: &str| -> Vec<usize> {
            (0..64)
                .zip(before.iter().zip(after.chars()))
                .filter(|(_, (was, is))| "WB".contains(**was) && !"WB".contains(*is))
                .map(|(index, _)| index)
                .collect()
        };
        let after_move = text(&row, "after_move");
        let mut expected = gone(&board, after_move);
        expected.sort_by_key(|index| (Some(*index) == own, *index));
        let after_move: Vec<char> = after_move.chars().collect();
        let by_shrink = gone(&after_move, text(&row, "after"));
        if row["shrunk"] == true {
            shrunk += 1;
        } else {
            assert!(by_shrink.is_empty());
        }
        expected.extend(by_shrink);
        let told: Vec<usize> = public.squares().iter().map(|s| s.index()).collect();
        assert_eq!(told, expected, "{action} on {before}");
        assert_eq!(public.to_string().parse(), Ok(public));

        let after_placing = !placing || ply == 23;
        match text(&row, "after_phase") {
            "completed" => assert_eq!(state.to_act(), None),
            "moving" => assert!(after_placing && !state.is_placing()),
            phase => assert_eq!((phase, state.is_placing()), ("placing", true)),
        }
        if row["after_phase"] != "completed" {
            let turns = number(&row, "after_turns");
            assert_eq!(state.ply(), turns + if after_placing { 24 } else { 0 });
        }
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
fn attempts() {
    let (mut legal, mut illegal, mut off_board) = (0, 0, 0);
    let (mut carried, mut not_carried) = (0, BTreeMap::new());
    for row in rows("wyb_illegal", 1500) {
        let mut state = State::new(ENDLESS);
        for action in list(&row, "prefix") {
            play(&mut state, action);
        }
        assert_eq!(state.outcome(), None);
        assert_eq!(state.is_placing(), row["phase"] == "placing");
        assert_eq!(
            state.to_act() == Some(Seat::First),
            row["to_move"] == "white"
        );

        let attempt = text(&row, "attempt");
        let token = if row["typed"] == true {
            assert_eq!(attempt.parse::<Action>(), Err(ParseError::Malformed));
            match python(attempt) {
                Some(token) => {
                    carried += 1;
                    token
                }
                None => {
                    *not_carried
                        .entry(text(&row, "verdict").to_owned())
                        .or_insert(0) += 1;
                    continue;
                }
            }
        } else {
            token(attempt).to_owned()
        };

        let before = state;
        match (token.parse::<Action>(), text(&row, "verdict")) {
            (Ok(action), "legal") => {
                assert_eq!(state.check(action), Ok(()));
                state.apply(action).unwrap();
                assert_eq!(state.board(), text(&row, "final"));
                legal += 1;
            }
            (Ok(action), _) => {
                let rule = state.check(action).expect_err(attempt);
                assert_eq!(state.apply(action), Err(rule));
                assert_eq!(state.observe(action, Public::NONE), Err(rule));
                assert_eq!(state, before);
                illegal += 1;
            }
            (Err(error), verdict) => {
                assert_eq!((error, verdict), (ParseError::OffBoard, "illegal"));
                off_board += 1;
            }
        }
    }
    assert_eq!((legal, illegal, off_board), (93, 1132, 247));
    assert_eq!(carried, 5);
    // Dicts, bools, strings, floats, other lengths: the legal two are a dict and a bool.
    assert_eq!(not_carried["legal"], 2);
    assert_eq!(not_carried["illegal"], 26);
}
