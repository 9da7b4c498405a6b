//! Every recorded game and hand-made position of dark chess, ply by ply.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{BufRead, BufReader};

use flate2::read::GzDecoder;
use referee::game::dark_chess::{Action, Color, Options, Parts, Piece, Public, State};
use referee::game::{Outcome, Position, Reason, Seat, View};
use serde_json::Value;

fn rows(name: &str) -> Vec<Value> {
    let path = format!("tests/vectors/{name}.jsonl.gz");
    let file = File::open(&path).expect(&path);
    BufReader::new(GzDecoder::new(file))
        .lines()
        .map(|line| serde_json::from_str(&line.expect("text")).expect("JSON"))
        .collect()
}

/// The options of a recorder's profile, without any draw rule.
fn options(profile: &str) -> Options {
    let settings: &[(&str, &str)] = match profile {
        "literal" => &[("reading", "literal")],
        "consensus" => &[("reading", "common")],
        "strict" => &[("general-takes-soldier", "no")],
        "loose" => &[("general-takes-general", "yes")],
        _ => unreachable!("an unknown profile {profile}"),
    };
    let mut options = Options::default();
    for (key, value) in settings {
        options.set(key, value).expect("a good value");
    }
    options.set("quiet-plies", "none").expect("a good value");
    options.set("max-plies", "none").expect("a good value");
    options
}

fn text(value: &Value) -> &str {
    value.as_str().expect("a string")
}

fn list(value: &Value) -> &[Value] {
    value.as_array().expect("a list")
}

fn numbers(value: &Value) -> [u32; 2] {
    [0, 1].map(|i| value[i].as_u64().expect("a number") as u32)
}

fn seat(value: &Value) -> Option<Seat> {
    match value.as_u64() {
        Some(0) => Some(Seat::First),
        Some(1) => Some(Seat::Second),
        _ => None,
    }
}

fn color(value: &Value) -> Color {
    match text(value) {
        "red" => Color::Red,
        "black" => Color::Black,
        other => unreachable!("an unknown colour {other}"),
    }
}

fn from_start(options: &Options, start: &Value) -> State {
    let letters: Vec<char> = text(&start["true"]).chars().collect();
    let face_up = text(&start["up"])
        .chars()
        .enumerate()
        .filter(|&(_, up)| up == '1')
        .fold(0, |mask, (i, _)| mask | 1 << i);
    let parts = Parts {
        truth: std::array::from_fn(|i| Piece::from_letter(letters[i])),
        face_up,
        turn: seat(&start["turn"]).expect("a seat"),
        first_color: Some(color(&start["colors"][0])),
        score: numbers(&start["score"]),
    };
    let state = State::from_parts(options, &parts).expect("a position");
    assert_eq!(state.revealed_board(), text(&start["true"]));
    state
}

/// `b3(N)` is the action `b3`, which shows `N`.
fn split(token: &str) -> (Action, Public) {
    let (action, public) = match token.strip_suffix(')') {
        Some(token) => token.split_once('(').expect("an opening bracket"),
        None => (token, ""),
    };
    (
        action.parse().expect("an action"),
        public.parse().expect("a piece"),
    )
}

fn legal(view: &impl View) -> BTreeSet<String> {
    let mut actions = Vec::new();
    view.legal(&mut actions);
    let set: BTreeSet<String> = actions.iter().map(ToString::to_string).collect();
    assert_eq!(set.len(), actions.len(), "an action is listed twice");
    set
}

fn strings(value: &Value) -> BTreeSet<String> {
    list(value)
        .iter()
        .map(|item| text(item).to_owned())
        .collect()
}

/// Plays a recorded game through the truth, and beside it through a view that is only told.
/// The number of plies.
fn play(mut state: State, row: &Value) -> usize {
    let id = text(&row["id"]);
    let mut told = *state.view(Seat::First);
    let actions = list(&row["a"]);
    for (i, token) in actions.iter().enumerate() {
        if let Some(views) = row.get("views") {
            assert_eq!(told.board(), text(&views[i]), "{id} before ply {i}");
        }
        if let Some(lists) = row.get("legal") {
            assert_eq!(legal(&told), strings(&lists[i]), "{id} before ply {i}");
        }
        assert_eq!(told.outcome(), None, "{id} before ply {i}");
        let (action, public) = split(text(token));
        assert_eq!(state.apply(action), Ok(public), "{id} ply {i}");
        assert_eq!(told.observe(action, public), Ok(()), "{id} ply {i}");
        assert_eq!(&told, state.view(Seat::Second), "{id} after ply {i}");
        assert_eq!(told.score(), Some(numbers(&row["s"][i])), "{id} ply {i}");
        assert_eq!(
            u64::from(told.quiet_plies()),
            row["np"][i].as_u64().expect("a number"),
            "{id} ply {i}"
        );
    }

    let result = &row["result"];
    let outcome = match text(&result["reason"]) {
        "score60" => Some(Outcome {
            winner: Some(seat(&result["winner"]).expect("a winner")),
            reason: Reason::Score60,
        }),
        "no_legal" => Some(Outcome {
            winner: Some(seat(&result["winner"]).expect("a winner")),
            reason: Reason::NoLegal,
        }),
        "ply_cap" => None,
        other => unreachable!("an unknown reason {other}"),
    };
    assert_eq!(told.outcome(), outcome, "{id}");
    assert_eq!(told.board(), text(&result["board"]), "{id}");
    assert_eq!(told.score(), Some(numbers(&result["score"])), "{id}");
    assert_eq!(told.ply() as usize, actions.len(), "{id}");
    assert_eq!(result["plies"], actions.len(), "{id}");
    for (seat, name) in Seat::BOTH.into_iter().zip(list(&result["colors"])) {
        assert_eq!(told.color(seat), Some(color(name)), "{id}");
    }
    if outcome.is_none() {
        assert_eq!(told.to_act(), seat(&result["to_move"]), "{id}");
    }
    if let Some(views) = row.get("views") {
        assert_eq!(list(views).len(), actions.len() + 1, "{id}");
        assert_eq!(told.board(), text(&views[actions.len()]), "{id}");
    }
    if let Some(lists) = row.get("legal") {
        assert_eq!(list(lists).len(), actions.len() + 1, "{id}");
        assert_eq!(legal(&told), strings(&lists[actions.len()]), "{id}");
    }
    actions.len()
}

/// Plays all games of a file; how many there are, and how many plies.
fn games(name: &str) -> (usize, usize) {
    let rows = rows(name);
    let mut plies = 0;
    for row in &rows {
        let mut options = options(text(&row["profile"]));
        let state = match row.get("start") {
            Some(start) => from_start(&options, start),
            None => {
                options
                    .set("layout", text(&row["layout"]))
                    .expect("a layout");
                State::new(&options, &mut NoChance)
            }
        };
        plies += play(state, row);
    }
    (rows.len(), plies)
}

/// A game from a given layout leaves nothing to chance.
struct NoChance;

impl referee::game::Chance for NoChance {
    fn below(&mut self, _bound: u32) -> u32 {
        unreachable!("something was drawn")
    }
}

#[test]
fn literal() {
    assert_eq!(games("dark_literal"), (100, 13801));
}

#[test]
fn consensus() {
    assert_eq!(games("dark_consensus"), (100, 10517));
}

#[test]
fn strict() {
    assert_eq!(games("dark_strict"), (25, 3120));
}

#[test]
fn loose() {
    assert_eq!(games("dark_loose"), (25, 2954));
}

#[test]
fn endgames() {
    assert_eq!(games("dark_endgames"), (60, 1328));
}

#[test]
fn fixtures() {
    let rows = rows("dark_fixtures");
    let mut followed = 0;
    for row in &rows {
        let id = text(&row["id"]);
        let lists = row["legal"].as_object().expect("a list a profile");
        assert_eq!(lists.len(), 4, "{id}");
        for (profile, list) in lists {
            let state = from_start(&options(profile), &row["start"]);
            let view = state.view(Seat::First);
            assert_eq!(legal(view), strings(list), "{id} {profile}");
            let stuck = strings(list).is_empty().then(|| Outcome {
                winner: seat(&row["start"]["turn"]).map(Seat::other),
                reason: Reason::NoLegal,
            });
            assert_eq!(view.outcome(), stuck, "{id} {profile}");
        }
        if let Some(then) = row.get("then") {
            let mut state = from_start(&options(text(&then["profile"])), &row["start"]);
            let (action, public) = split(text(&then["note"]));
            assert_eq!(action.to_string(), text(&then["action"]), "{id}");
            assert_eq!(state.apply(action), Ok(public), "{id}");
            let view = state.view(Seat::First);
            assert_eq!(view.board(), text(&then["board"]), "{id}");
            assert_eq!(view.score(), Some(numbers(&then["score"])), "{id}");
            // The recorder follows a game on for 60 points alone.
            let winner = view
                .outcome()
                .filter(|outcome| outcome.reason == Reason::Score60)
                .and_then(|outcome| outcome.winner);
            assert_eq!(winner, seat(&then["winner"]), "{id}");
            followed += 1;
        }
    }
    assert_eq!((rows.len(), followed), (16, 5));
}
