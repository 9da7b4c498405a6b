//! Every recorded game and verdict of Cachex, through the public API. See
//! `vectors/README-cachex.md` for the files.

use std::io::Read;

use flate2::read::GzDecoder;
use referee::game::cachex::{Action, Options, Rule, State};
use referee::game::{Outcome, ParseError, Position, Seat, View};
use serde_json::Value;

fn rows(file: &str, expected: usize) -> Vec<Value> {
    let path = format!(
        "{}/tests/vectors/{file}.jsonl.gz",
        env!("CARGO_MANIFEST_DIR")
    );
    let mut text = String::new();
    GzDecoder::new(std::fs::File::open(&path).expect(&path))
        .read_to_string(&mut text)
        .expect("gzipped text");
    let rows: Vec<_> = text
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!(rows.len(), expected, "rows of {file}");
    rows
}

/// The recorder's `r,q` or `STEAL` in our notation; `None` where no column letter exists for it.
fn token(recorded: &str) -> Option<String> {
    if recorded == "STEAL" {
        return Some("steal".to_owned());
    }
    let (r, q) = recorded.split_once(',').expect("r,q");
    let (r, q): (i128, i128) = (r.parse().expect("r"), q.parse().expect("q"));
    let column = u8::try_from(q).ok().filter(|&q| q < 26)?;
    Some(format!("{}{}", char::from(b'a' + column), r + 1))
}

fn action(recorded: &Value) -> Action {
    let token = token(recorded.as_str().expect("text")).expect("a column letter");
    let action: Action = token.parse().expect("an action");
    assert_eq!(action.to_string(), token);
    action
}

fn cells(recorded: &Value) -> String {
    let cells = recorded.as_array().expect("cells").iter();
    let tokens: Vec<_> = cells.map(|cell| action(cell).to_string()).collect();
    tokens.join(" ")
}

fn options(row: &Value) -> Options {
    let mut options = Options::default();
    options.set("size", &row["n"].to_string()).expect("a size");
    options
}

fn number(value: &Value) -> u32 {
    value.as_u64().expect("a number") as u32
}

fn fnv(board: &str) -> u32 {
    board.bytes().fold(0x811c_9dc5, |hash: u32, byte| {
        (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
    })
}

fn winner(outcome: Outcome) -> &'static str {
    match outcome.winner {
        Some(Seat::First) => "red",
        Some(Seat::Second) => "blue",
        None => "draw",
    }
}

/// Plays a recorded game; how many boards, captures and legal counts were compared besides the
/// hash that each ply has.
fn game(row: &Value) -> [usize; 3] {
    let mut state = State::new(options(row));
    let mut compared = [0; 3];
    let mut legal = Vec::new();
    let actions = row["actions"].as_array().expect("actions");
    assert_eq!(row["fnv"].as_array().map(Vec::len), Some(actions.len()));
    for (i, recorded) in actions.iter().enumerate() {
        let place = || format!("n {} seed {} ply {i}", row["n"], row["seed"]);
        assert_eq!(state.to_act(), Some(Seat::BOTH[i % 2]), "{}", place());
        if let Some(counts) = row.get("legal") {
            state.legal(&mut legal);
            assert_eq!(legal.len() as u32, number(&counts[i]), "{}", place());
            compared[2] += 1;
        }
        let public = state.apply(action(recorded)).expect("legal");
        assert_eq!(public.to_string().parse(), Ok(public));
        assert_eq!(fnv(&state.board()), number(&row["fnv"][i]), "{}", place());
        if let Some(boards) = row.get("boards") {
            assert_eq!(
                state.board(),
                boards[i].as_str().expect("a board"),
                "{}",
                place()
            );
            compared[0] += 1;
        }
        if let Some(captures) = row.get("captures") {
            assert_eq!(public.to_string(), cells(&captures[i]), "{}", place());
            compared[1] += 1;
        }
        if let Some(times) = row.get("occurrences") {
            let times = times.as_array().expect("turns");
            let now = times.iter().position(|turn| number(turn) == state.ply());
            if let Some(now) = now {
                assert_eq!(state.occurrences(), now as u32 + 1, "{}", place());
            }
        }
    }
    let outcome = state.outcome().expect("over");
    assert_eq!(state.to_act(), None);
    assert_eq!(winner(outcome), row["result"].as_str().expect("a result"));
    assert_eq!(
        outcome.reason.name(),
        row["reason"].as_str().expect("a reason")
    );
    assert_eq!(state.ply(), number(&row["turns"]));
    assert_eq!(state.board(), row["final"].as_str().expect("a board"));
    compared
}

/// Plays a file of games; plies with [boards, captures, legal counts] compared.
fn games(file: &str, expected: usize) -> [usize; 3] {
    let mut sum = [0; 3];
    for row in rows(file, expected) {
        for (sum, compared) in sum.iter_mut().zip(game(&row)) {
            *sum += compared;
        }
    }
    sum
}

#[test]
fn recorded_games() {
    assert_eq!(games("cachex_random", 260), [3091, 28980, 0]);
    assert_eq!(games("cachex_policy", 80), [909, 6120, 0]);
    assert_eq!(games("cachex_legal", 39), [4433, 4433, 4433]);
    assert_eq!(games("cachex_draw", 20), [764, 2907, 0]);
    assert_eq!(games("cachex_repetition", 30), [3750, 3750, 0]);
    assert_eq!(games("cachex_repetition_mixed", 6), [406, 0, 0]);
}

#[test]
fn single_turns() {
    for row in rows("cachex_micro", 1200) {
        let turns = number(&row["turns"]) as u16;
        let board = row["board"].as_str().expect("a board");
        let mut state = State::from_parts(options(&row), turns, board).expect("a position");
        assert_eq!(state.board(), board);
        let seat = state.to_act().map(|seat| ["red", "blue"][seat.index()]);
        assert_eq!(seat, row["to_move"].as_str());
        let public = state.apply(action(&row["action"])).expect("legal");
        assert_eq!(
            state.board(),
            row["after"].as_str().expect("a board"),
            "{row}"
        );
        assert_eq!(public.to_string(), cells(&row["captures"]), "{row}");
        assert_eq!(state.outcome().map(winner), row["winner"].as_str(), "{row}");
    }
}

#[test]
fn verdicts() {
    let (mut legal, mut illegal, mut off_every_board, mut no_letter, mut no_token) =
        (0, 0, 0, 0, 0);
    for row in rows("cachex_illegal", 1500) {
        let mut state = State::new(options(&row));
        for recorded in row["prefix"].as_array().expect("actions") {
            state.apply(action(recorded)).expect("legal");
        }
        let attempt = row["attempt"].as_str().expect("an attempt");
        let is_legal = row["verdict"] == "legal";
        let token = if row["typed"] == true {
            // The bare string was accepted for the steal; all other objects break a rule about
            // Python types that no token of ours can break.
            if attempt != "'STEAL'" {
                assert!(!is_legal, "{row}");
                assert_eq!(attempt.parse::<Action>(), Err(ParseError::Malformed));
                no_token += 1;
                continue;
            }
            "steal".to_owned()
        } else if let Some(token) = token(attempt) {
            token
        } else {
            assert!(!is_legal, "{row}");
            no_letter += 1;
            continue;
        };
        let action: Action = match token.parse() {
            Ok(action) => action,
            Err(error) => {
                assert_eq!(error, ParseError::OffBoard, "{row}");
                assert!(
                    row["message"]
                        .as_str()
                        .expect("words")
                        .contains("outside the bounds")
                );
                off_every_board += 1;
                continue;
            }
        };
        let before = state.clone();
        let listed = {
            let mut actions = Vec::new();
            state.legal(&mut actions);
            actions.contains(&action)
        };
        assert_eq!(listed, is_legal, "{row}");
        let applied = state.apply(action);
        assert_eq!(before.check(action), applied.map(drop), "{row}");
        match applied {
            Ok(_) => {
                assert!(is_legal, "{row}");
                assert_eq!(state.board(), row["final"].as_str().expect("a board"));
                legal += 1;
            }
            Err(rule) => {
                let words = match rule {
                    Rule::Over => unreachable!("no prefix ends a game: {row}"),
                    Rule::OffBoard { .. } => "outside the bounds",
                    Rule::Taken { .. } => "already occupied",
                    Rule::Centre { .. } => "center cell",
                    Rule::Steal { .. } => "STEAL action is not currently permitted",
                };
                let message = row["message"].as_str();
                assert!(
                    message.is_some_and(|message| message.contains(words)),
                    "{words}: {row}"
                );
                assert_eq!(state, before);
                illegal += 1;
            }
        }
    }
    assert_eq!(
        (legal, illegal, off_every_board, no_letter, no_token),
        (235, 512, 226, 218, 309)
    );
}
