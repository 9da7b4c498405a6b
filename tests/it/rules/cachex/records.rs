//! Recorded games, turns and verdicts of Cachex.

use std::collections::BTreeMap;

use referee::game::cachex::{Action, Rule, State};
use referee::game::{ParseError, Setup};
use serde_json::Value;

use super::options;
use crate::rules::recorded::{
    Compared, Ply, attempt, course_end, course_ply, list, plain, played, replay, rows, text,
};
use crate::rules::{Rules, setup};

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

fn known_token(recorded: &Value) -> String {
    token(text(recorded)).expect("a column letter")
}

fn cells(recorded: &Value) -> String {
    let cells: Vec<_> = list(recorded).iter().map(known_token).collect();
    cells.join(" ")
}

fn recorded_setup(row: &Value) -> Setup {
    setup::<State>(&[("size", &row["n"].to_string())])
}

fn recorded_ply(row: &Value, index: usize) -> Ply {
    let (before, mut after) = course_ply(row, index, ["red", "blue"]);
    if let Some(times) = row.get("occurrences") {
        let time = list(times).iter().position(|turn| *turn == index + 1);
        after.extend(time.map(|time| ("occurrences", (time + 1).to_string())));
    }
    let captures = row.get("captures");
    Ply {
        token: known_token(&row["actions"][index]),
        before,
        public: captures.map(|captures| cells(&captures[index])),
        after,
    }
}

/// Plays a file of games; how many [boards, captures, legal counts] were compared besides the hash
/// that each ply has.
fn games(file: &str, expected: usize) -> [usize; 3] {
    let mut compared = Compared::new();
    for row in rows(file, expected) {
        let plies = list(&row["actions"]).len();
        let state = State::new(options(&recorded_setup(&row)));
        let ply = |_: &State, index| recorded_ply(&row, index);
        replay(state, plies, ply, &course_end(&row), &mut compared);
    }
    ["board", "public", "legal-count"].map(|name| compared.get(name).copied().unwrap_or(0))
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
fn recorded_turns() {
    for row in rows("cachex_micro", 1200) {
        let turns = plain(&row["turns"]);
        let more = BTreeMap::from([("turns", turns.as_str())]);
        let state = State::set_up(&recorded_setup(&row), text(&row["board"]), &more);
        let ply = |_: &State, _| Ply {
            token: known_token(&row["action"]),
            before: vec![
                ("board", plain(&row["board"])),
                ("to-act", plain(&row["to_move"])),
            ],
            public: Some(cells(&row["captures"])),
            after: vec![
                ("board", plain(&row["after"])),
                ("winner", plain(&row["winner"])),
            ],
        };
        replay(
            state.expect("a position"),
            1,
            ply,
            &vec![],
            &mut Compared::new(),
        );
    }
}

/// What the recorder says of an action that breaks a rule of ours.
fn recorded_words(rule: Option<&Rule>) -> &'static str {
    match rule {
        Some(Rule::Over) => unreachable!("no prefix ends a game"),
        Some(Rule::OffBoard { .. }) | None => "outside the bounds",
        Some(Rule::Taken { .. }) => "already occupied",
        Some(Rule::Centre { .. }) => "center cell",
        Some(Rule::Steal { .. }) => "STEAL action is not currently permitted",
    }
}

#[test]
fn recorded_verdicts() {
    let mut verdicts = Compared::new();
    for row in rows("cachex_illegal", 1500) {
        let wanted = text(&row["attempt"]);
        let is_legal = row["verdict"] == "legal";
        let token = match row["typed"] == true {
            // The bare string was accepted for the steal; all other objects break a rule about
            // Python types that no token of ours can break.
            true if wanted == "'STEAL'" => Ok("steal".to_owned()),
            true => {
                assert_eq!(wanted.parse::<Action>(), Err(ParseError::Malformed));
                Err("not a token")
            }
            false => token(wanted).ok_or("no letter"),
        };
        let verdict = match token {
            Ok(token) => {
                let prefix = list(&row["prefix"]).iter().map(known_token);
                let state = played(State::new(options(&recorded_setup(&row))), prefix);
                let last_board = is_legal.then(|| text(&row["final"]));
                let words =
                    |rule: Option<&Rule>| text(&row["message"]).contains(recorded_words(rule));
                attempt(&state, &token, last_board, words)
            }
            Err(verdict) => {
                assert!(!is_legal, "{row}");
                verdict
            }
        };
        *verdicts.entry(verdict).or_default() += 1;
    }
    let expected = [
        ("illegal", 512),
        ("legal", 235),
        ("no letter", 218),
        ("not a token", 309),
        ("off board", 226),
    ];
    assert_eq!(verdicts, expected.into());
}
