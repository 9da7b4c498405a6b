//! Recorded games and positions of dark chess.

use std::collections::BTreeMap;

use referee::game::dark_chess::State;
use referee::game::{Position, Setup, View, dark_chess};
use serde_json::Value;

use super::NoChance;
use crate::rules::cases::{fact, sorted};
use crate::rules::recorded::{Compared, Facts, Ply, list, plain, replay, rows, text};
use crate::rules::{Rules, setup, view};

/// The options of a recorder's profile, without any draw rule.
fn profile(name: &str) -> Setup {
    let reading = match name {
        "literal" => ("reading", "literal"),
        "consensus" => ("reading", "common"),
        "strict" => ("general-takes-soldier", "no"),
        "loose" => ("general-takes-general", "yes"),
        _ => unreachable!("an unknown profile {name}"),
    };
    setup::<State>(&[reading, ("quiet-plies", "none"), ("max-plies", "none")])
}

const SEATS: [&str; 2] = ["first", "second"];

fn seat(value: &Value) -> &'static str {
    value.as_u64().map_or("-", |index| SEATS[index as usize])
}

fn score(value: &Value) -> String {
    format!("{} {}", value[0], value[1])
}

fn names(value: &Value) -> String {
    sorted(list(value).iter().map(plain))
}

fn from_start(setup: &Setup, start: &Value) -> State {
    let up = text(&start["up"]).chars();
    let squares = text(&start["true"]).chars().zip(up);
    let board: String = squares
        .flat_map(|(letter, up)| [Some(letter), (up == '0' && letter != '.').then_some('?')])
        .flatten()
        .collect();
    let score = score(&start["score"]).replace(' ', ",");
    let more = BTreeMap::from([
        ("turn", seat(&start["turn"])),
        ("first", text(&start["colors"][0])),
        ("score", &score),
    ]);
    let state = State::set_up(setup, &board, &more).expect("a position");
    assert_eq!(state.revealed().letters(), text(&start["true"]));
    state
}

/// `b3(N)` is the action `b3`, which shows `N`.
fn split(token: &str) -> (String, String) {
    let (action, shown) = token.split_once('(').unwrap_or((token, ")"));
    let shown = shown.strip_suffix(')').expect("a closing bracket");
    (action.to_owned(), shown.to_owned())
}

/// What is seen and legal at a ply, where that was recorded.
fn seen(row: &Value, index: usize) -> Facts {
    let board = row
        .get("views")
        .map(|views| ("board", plain(&views[index])));
    let legal = row
        .get("legal")
        .map(|lists| ("legal", names(&lists[index])));
    board.into_iter().chain(legal).collect()
}

fn recorded_ply(row: &Value, index: usize) -> Ply {
    let (token, shown) = split(text(&row["a"][index]));
    Ply {
        token,
        before: seen(row, index),
        public: Some(shown),
        after: vec![
            ("score", score(&row["s"][index])),
            ("quiet", plain(&row["np"][index])),
        ],
    }
}

fn recorded_end(row: &Value) -> Facts {
    let result = &row["result"];
    let plies = list(&row["a"]).len();
    assert_eq!(result["plies"], plies);
    for lists in [row.get("views"), row.get("legal")].into_iter().flatten() {
        assert_eq!(list(lists).len(), plies + 1);
    }
    let over = match text(&result["reason"]) {
        "ply_cap" => "-".to_owned(),
        reason => format!("{reason} {}", seat(&result["winner"])),
    };
    let mut end = seen(row, plies);
    if over == "-" {
        end.push(("to-act", seat(&result["to_move"]).to_owned()));
    }
    let colors: Vec<&str> = list(&result["colors"]).iter().map(text).collect();
    end.extend([
        ("over", over),
        ("board", plain(&result["board"])),
        ("score", score(&result["score"])),
        ("ply", plies.to_string()),
        ("colors", colors.join(" ")),
    ]);
    end
}

#[test]
fn recorded_games() {
    for (name, games, plies) in [
        ("dark_literal", 100, 13801),
        ("dark_consensus", 100, 10517),
        ("dark_strict", 25, 3120),
        ("dark_loose", 25, 2954),
        ("dark_endgames", 60, 1328),
    ] {
        let mut compared = Compared::new();
        for row in rows(name, games) {
            let mut setup = profile(text(&row["profile"]));
            let state = match row.get("start") {
                Some(start) => from_start(&setup, start),
                None => {
                    assert_eq!(setup.set("layout", text(&row["layout"])), Ok(()));
                    State::start(&setup, &mut NoChance)
                }
            };
            let ply = |_: &State, index| recorded_ply(&row, index);
            replay(
                state,
                list(&row["a"]).len(),
                ply,
                &recorded_end(&row),
                &mut compared,
            );
        }
        assert_eq!(compared["public"], plies, "{name}");
    }
}

/// The Taiwanese rules, with what the option repetitions says of the reading alone.
#[test]
fn a_course_server_ended_its_games_where_and_why_the_reading_ntu_does() {
    let mut ends = BTreeMap::<String, usize>::new();
    let mut compared = Compared::new();
    for row in rows("dark_ntu", 792) {
        let layout = ("layout", text(&row["layout"]));
        let setup = setup::<State>(&[("reading", "ntu"), layout]);
        let actions: Vec<&str> = text(&row["actions"]).split(' ').collect();
        let ply = |_: &State, index: usize| Ply {
            token: actions[index].to_owned(),
            before: Facts::new(),
            public: None,
            after: Facts::new(),
        };
        let state = State::start(&setup, &mut NoChance);
        let last = replay(state, actions.len(), ply, &Facts::new(), &mut compared);
        let reason = view(&last).outcome().map(|outcome| outcome.reason);
        let end = match reason {
            None => "unfinished",
            Some(dark_chess::ELIMINATION | dark_chess::NO_LEGAL) => "no piece or no action",
            Some(dark_chess::REPETITION) => "repetition",
            Some(dark_chess::QUIET_PLIES) => "quiet",
            Some(other) => unreachable!("no end of this reading: {other:?}"),
        };
        assert_eq!(end, text(&row["end"]), "{row}");
        *ends.entry(end.to_owned()).or_default() += 1;
    }
    let ends: Vec<(&str, usize)> = ends.iter().map(|(end, n)| (end.as_str(), *n)).collect();
    let expected = [
        ("no piece or no action", 635),
        ("quiet", 76),
        ("repetition", 78),
        ("unfinished", 3),
    ];
    assert_eq!(ends, expected);
}

#[test]
fn recorded_positions() {
    let mut followed = 0;
    for row in rows("dark_fixtures", 16) {
        let start = &row["start"];
        let lists = row["legal"].as_object().expect("a list a profile");
        assert_eq!(lists.len(), 4);
        for (name, list) in lists {
            let state = from_start(&profile(name), start);
            assert_eq!(fact(&state, "legal"), names(list), "{row}");
            let stuck = match (names(list).as_str(), seat(&start["turn"])) {
                ("", "first") => "no_legal second",
                ("", _) => "no_legal first",
                _ => "-",
            };
            assert_eq!(fact(&state, "over"), stuck, "{row}");
        }
        if let Some(then) = row.get("then") {
            let mut state = from_start(&profile(text(&then["profile"])), start);
            let (token, shown) = split(text(&then["note"]));
            assert_eq!(token, text(&then["action"]));
            let public = state.apply(token.parse().expect("an action"));
            assert_eq!(public.expect("legal").to_string(), shown, "{row}");
            assert_eq!(view(&state).board(), text(&then["board"]));
            assert_eq!(fact(&state, "score"), score(&then["score"]));
            // The recorder follows a game on for 60 points alone.
            let end = view(&state)
                .outcome()
                .filter(|end| end.reason == dark_chess::SCORE_60);
            let winner = end
                .and_then(|end| end.winner)
                .map_or("-", |winner| SEATS[winner.index()]);
            assert_eq!(winner, seat(&then["winner"]), "{row}");
            followed += 1;
        }
    }
    assert_eq!(followed, 5);
}
