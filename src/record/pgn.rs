//! The headers of PGN files. What was played is skipped.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::BufRead;
use std::path::Path;

use super::results::{CellProblem, Refuse, ResultProblem, ResultRow, of_first, points};
use super::{RecordError, RecordProblem};
use crate::game::{Blame, GameResult};

/// Terminations that are the fault of who lost, as tournament managers write them.
const FORFEITS: [&str; 6] = [
    "time forfeit",
    "rules infraction",
    "illegal move",
    "stalled connection",
    "disconnect",
    "abandoned",
];

/// Reads the games of a PGN file one by one. Unfinished games are passed over.
pub(super) fn read(
    path: &Path,
    mut file: impl BufRead,
    source: u64,
    each: &mut dyn FnMut(&ResultRow<'_>),
    refuse: &mut Refuse<'_>,
) -> Result<(), RecordError> {
    let mut tags = BTreeMap::new();
    let (mut begun, mut line, mut moves) = (0, 0, false);
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        line += 1;
        let read = file.read_until(b'\n', &mut bytes);
        let more = read.map_err(RecordError::at(path, RecordProblem::Read))? > 0;
        let text = String::from_utf8_lossy(&bytes);
        let text = text.trim_start_matches('\u{feff}').trim();
        let tag = tag(text);
        // Headers after moves, or a header twice, begin another game.
        let another = tag
            .as_ref()
            .is_some_and(|(name, _)| moves || tags.contains_key(name));
        if (another || !more) && !tags.is_empty() {
            if let Err(problem) = game(&tags, source, each) {
                refuse(begun, problem)?;
            }
            tags.clear();
            moves = false;
        }
        if !more {
            return Ok(());
        }
        match tag {
            Some((name, value)) => {
                if tags.is_empty() {
                    begun = line;
                }
                tags.insert(name, value);
            }
            None => moves |= !text.is_empty() && !text.starts_with('%'),
        }
    }
}

/// `[Name "value"]`.
fn tag(line: &str) -> Option<(String, String)> {
    let inner = line.strip_prefix('[')?.strip_suffix(']')?;
    let (name, rest) = inner.split_once(char::is_whitespace)?;
    let value = rest.trim().strip_prefix('"')?.strip_suffix('"')?;
    let is_name = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    (is_name && !name.is_empty()).then(|| {
        let value = value.replace("\\\"", "\"").replace("\\\\", "\\");
        (name.to_owned(), value.trim().to_owned())
    })
}

fn game(
    tags: &BTreeMap<String, String>,
    source: u64,
    each: &mut dyn FnMut(&ResultRow<'_>),
) -> Result<(), ResultProblem> {
    let get = |name: &str| tags.get(name).map(String::as_str).unwrap_or_default();
    let get_or = |name: &str, default| match get(name) {
        "" => default,
        value => value,
    };
    let need = |name: &'static str| match get(name) {
        "" | "?" => Err(ResultProblem::NoHeader(name)),
        value => Ok(value),
    };
    let names = [need("White")?, need("Black")?];
    let result = points(need("Result")?).map_err(|problem| ResultProblem::Header {
        name: "Result",
        problem,
    })?;
    let Some(result) = result.and_then(of_first) else {
        return Ok(());
    };
    if names[0] == names[1] {
        let problem = CellProblem::OnePlayer(names[0].to_owned());
        return Err(ResultProblem::Players(problem));
    }
    let day = get_or("UTCDate", get("Date")).replace('.', "-");
    let date = match get_or("UTCTime", get("Time")) {
        "" => day,
        time => format!("{day}T{time}"),
    };
    let fault = FORFEITS.contains(&get("Termination").to_ascii_lowercase().as_str());
    // From the same position in the same round, with swapped seats: a game pair.
    let pair = (!get("FEN").is_empty() && !get("Round").is_empty()).then(|| {
        let mut hasher = DefaultHasher::new();
        let start = get("Round").split('.').next().unwrap_or_default();
        (get("Event"), start, get("FEN")).hash(&mut hasher);
        hasher.finish()
    });
    each(&ResultRow {
        source,
        id: None,
        game: get_or("Variant", "chess"),
        options: "",
        pair,
        names,
        result,
        blame: match result {
            GameResult::Won(seat) if fault => Blame::Of(seat.other()),
            _ => Blame::Nobody,
        },
        termination: get_or("Termination", "normal"),
        digest: "",
        date: &date,
    });
    Ok(())
}
