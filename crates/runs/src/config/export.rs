//! The files of games that a run writes for programs of chess.

use std::path::PathBuf;

use toml::{Spanned, Value};

use super::file::{Base, RecordSection, one_of};
use super::{Flaw, KeepLogs, PlannedGame};
use crate::game::chess::MoveNotation;
use crate::pgn::{Extra, PgnStyle, is_writable};

/// The manifest omits them, because they do not affect play.
#[derive(Debug, Clone, Default)]
pub struct Export {
    /// Whether the games go to a file of the run as PGN.
    pub pgn: bool,
    pub pgn_file: Option<PathBuf>,
    /// Whether games are added to the other file as they end.
    pub is_appended: bool,
    pub style: PgnStyle,
    pub epd: Option<PathBuf>,
}

pub(super) fn export(
    record: &RecordSection,
    games: &[PlannedGame],
    base: Base<'_>,
) -> Result<Export, Flaw> {
    let (pgn, pgn_file) = match record.pgn.as_ref().map(Spanned::get_ref) {
        None | Some(Value::Boolean(false)) => (false, None),
        Some(Value::Boolean(true)) => (true, None),
        Some(Value::String(path)) => (true, Some(base.path(path))),
        Some(other) => {
            let problem = format!("`pgn` cannot be {other}: expected true, false or a file");
            return Err(flaw(record.pgn.as_ref(), problem));
        }
    };
    let with = record.pgn_with.iter().flatten();
    let with: Vec<&str> = with
        .map(|word| one_of("pgn-with", word, Extra::NAMES, |name| name))
        .collect::<Result<_, _>>()?;
    let with: Vec<Extra> = with.into_iter().filter_map(Extra::from_name).collect();
    let moves = record.pgn_moves.as_ref();
    let moves = moves.map(|word| one_of("pgn-moves", word, MoveNotation::NAMES, |name| name));
    let moves = moves.transpose()?.and_then(MoveNotation::from_name);
    let is_appended = record.pgn_append.as_ref().is_some_and(|it| *it.get_ref());
    let first = record.pgn_with.iter().flatten().next();
    let of_pgn = [
        ("pgn-with", first.map(Spanned::span)),
        ("pgn-moves", record.pgn_moves.as_ref().map(Spanned::span)),
    ];
    for (key, place) in of_pgn {
        if let (Some(place), false) = (place, pgn) {
            let problem = format!("`{key}` is about `pgn`: expected `pgn = true`, or a file, too");
            return Err(Flaw::at(place.start, problem));
        }
    }
    if is_appended && pgn_file.is_none() {
        let problem = "`pgn-append` is about a file: expected `pgn` with its name too";
        return Err(flaw(record.pgn_append.as_ref(), problem));
    }
    let epd = record.epd.as_ref();
    let is_chess = |game: &PlannedGame| is_writable(game.game());
    if !games.iter().any(is_chess) {
        let wanted = [
            (
                "pgn",
                record.pgn.as_ref().filter(|_| pgn).map(Spanned::span),
            ),
            ("epd", epd.map(Spanned::span)),
        ];
        if let Some((key, place)) = wanted.into_iter().find_map(|(key, it)| Some((key, it?))) {
            let problem = format!("`{key}` is for chess, and no game is chess: leave it out");
            return Err(Flaw::at(place.start, problem));
        }
    }
    if record.logs != KeepLogs::All {
        let problem =
            |key| format!("`{key}` needs the moves of all games: expected `logs = \"all\"`");
        if is_appended {
            return Err(flaw(record.pgn_append.as_ref(), problem("pgn-append")));
        }
        if let Some(epd) = epd {
            return Err(Flaw::of(epd, problem("epd")));
        }
    }
    Ok(Export {
        pgn,
        pgn_file,
        is_appended,
        style: PgnStyle::new(moves.unwrap_or_default(), &with),
        epd: epd.map(|path| base.path(path.get_ref())),
    })
}

fn flaw<T>(value: Option<&Spanned<T>>, problem: impl Into<String>) -> Flaw {
    Flaw::at(value.map_or(0, |it| it.span().start), problem)
}
