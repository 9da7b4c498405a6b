//! Games, single actions and verdicts that other programs recorded, in `tests/vectors`.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;

use flate2::read::GzDecoder;
use referee::game::{ParseError, Side, View};
use serde_json::Value;

use super::cases::fact;
use super::{Action, Rule, Rules, legal, try_action, view};

pub type Facts = Vec<(&'static str, String)>;

pub type Compared = BTreeMap<&'static str, usize>;

pub struct Ply {
    pub token: String,
    pub before: Facts,
    pub public: Option<String>,
    pub after: Facts,
}

pub fn rows(name: &str, expected: usize) -> Vec<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/vectors/{name}.jsonl.gz"));
    let mut text = String::new();
    GzDecoder::new(std::fs::File::open(path).expect(name))
        .read_to_string(&mut text)
        .expect("gzipped text");
    let rows = text
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"));
    let rows: Vec<Value> = rows.collect();
    assert_eq!(rows.len(), expected, "rows of {name}");
    rows
}

pub fn text(value: &Value) -> &str {
    value.as_str().expect("text")
}

pub fn list(value: &Value) -> &[Value] {
    value.as_array().expect("a list")
}

/// A number or a word, and `-` where nothing is.
pub fn plain(value: &Value) -> String {
    match value {
        Value::Null => "-".to_owned(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// What a course's referee recorded of a ply: the number of legal actions, the board and its hash.
pub fn course_ply(row: &Value, index: usize, seats: [&str; 2]) -> (Facts, Facts) {
    let known = |key: &str, name| row.get(key).map(|all| (name, plain(&all[index])));
    let mut before: Facts = known("legal", "legal-count").into_iter().collect();
    before.push(("to-act", seats[index % 2].to_owned()));
    let after = [known("fnv", "fnv"), known("boards", "board")];
    (before, after.into_iter().flatten().collect())
}

pub fn course_end(row: &Value) -> Facts {
    assert_eq!(list(&row["fnv"]).len(), list(&row["actions"]).len());
    let mut end = vec![
        ("ply", plain(&row["turns"])),
        ("board", plain(&row["final"])),
        ("winner", plain(&row["result"])),
    ];
    match text(&row["reason"]) {
        "unfinished" => end.push(("over", "-".to_owned())),
        reason => end.extend([
            ("over", format!("{reason} {}", text(&row["result"]))),
            ("to-act", "-".to_owned()),
            ("legal-count", "0".to_owned()),
        ]),
    }
    end
}

pub fn parse_action<P: Rules>(token: &str) -> Action<P> {
    let action: Action<P> = token.parse().expect(token);
    assert_eq!(action.to_string(), token);
    action
}

pub fn played<P: Rules>(mut state: P, tokens: impl Iterator<Item = String>) -> P {
    for token in tokens {
        assert_eq!(view(&state).outcome(), None);
        state.apply(parse_action::<P>(&token)).expect("legal");
    }
    state
}

/// Plays a recorded game through the truth, and beside it through a view that is only told what
/// became public; the last position. `recorded` says what is known of the ply with this index.
pub fn replay<P: Rules>(
    mut state: P,
    plies: usize,
    recorded: impl Fn(&P, usize) -> Ply,
    end: &Facts,
    compared: &mut Compared,
) -> P {
    let mut told = view(&state).clone();
    for index in 0..plies {
        let ply = recorded(&state, index);
        assert_eq!(view(&state).outcome(), None, "before ply {index}");
        compare(&state, &ply.before, compared);
        let action = parse_action::<P>(&ply.token);
        assert!(legal(&state).contains(&action), "{action}, ply {index}");
        let public = state.apply(action).expect("legal");
        if let Some(expected) = ply.public {
            assert_eq!(public.to_string(), expected, "{action}, ply {index}");
            *compared.entry("public").or_default() += 1;
        }
        assert_eq!(public.to_string().parse(), Ok(public));
        let found = told.observe(action, public);
        assert_eq!(found, Ok(()), "{action}, ply {index}");
        assert!(told == *state.view(Side::Second), "after ply {index}");
        compare(&state, &ply.after, compared);
    }
    compare(&state, end, &mut Compared::new());
    state
}

fn compare<P: Rules>(state: &P, facts: &Facts, compared: &mut Compared) {
    for (name, expected) in facts {
        let ply = view(state).ply();
        assert_eq!(&fact(state, name), expected, "{name} after {ply} plies");
        *compared.entry(name).or_default() += 1;
    }
}

/// Tries an action that another program judged; what came of it. `words` says whether the other
/// program's message is about the rule broken here, and about a square off every board.
pub fn attempt<P: Rules>(
    state: &P,
    token: &str,
    last_board: Option<&str>,
    words: impl Fn(Option<&Rule<P>>) -> bool,
) -> &'static str {
    let action = match token.parse::<Action<P>>() {
        Ok(action) => action,
        Err(error) => {
            assert_eq!((error, last_board), (ParseError::OffBoard, None), "{token}");
            assert!(words(None), "{token}");
            return "off board";
        }
    };
    let found = legal(state).contains(&action);
    assert_eq!(found, last_board.is_some(), "{action}");
    match try_action(state, action) {
        Ok(next) => {
            assert_eq!(last_board, Some(view(&next).board().as_str()));
            "legal"
        }
        Err(rule) => {
            assert_eq!(last_board, None, "{action}");
            assert!(words(Some(&rule)), "{rule}");
            "illegal"
        }
    }
}
