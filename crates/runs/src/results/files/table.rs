//! Tables of results, separated by commas, semicolons or tabs.

use std::borrow::Cow;
use std::io::BufRead;
use std::path::Path;

use super::problem::{Refuse, bad_line, header_names};
use super::table_rows::{Row, Rows};
use super::table_seats::{NO_RESULT, SeatColumns, SeatsEnd, blame, not_lost, number, one_player};
use super::{BlockNumbers, Column, UNFINISHED, of_points, points};
use crate::game::{Blame, GameResult, PerSeat, Seat};
use crate::referee::Termination;
use crate::results::ResultRow;
use crate::results::files::problem::{ResultsError, ResultsProblem};
use crate::text::{self, quoted};

#[derive(Debug, Clone)]
struct GameColumns {
    seats: SeatColumns,
    first: Column,
    second: Column,
    score: Column,
    second_score: Column,
    game: Column,
    options: Column,
    block: Column,
    opening: Column,
    termination: Column,
    forfeited_by: Column,
    digest: Column,
    answers: Column,
    /// Number of fields in a row.
    width: usize,
}

impl GameColumns {
    /// The columns as the first line of a file has them, and whether that line is a header.
    fn find(row: &Row<'_>) -> Result<(Self, bool), String> {
        let header: Vec<String> = row
            .fields()
            .map(|name| String::from_utf8_lossy(name.trim_ascii()).to_ascii_lowercase())
            .collect();
        let places = |names: &'static [&'static str]| {
            let named = header.iter().enumerate();
            named.filter_map(move |(at, name)| names.contains(&name.as_str()).then_some(at))
        };
        let find = |names| Column::find(&header, names);
        let mut columns = Self {
            seats: SeatColumns::find(&header),
            first: find(&["first", "white"]),
            second: find(&["second", "black"]),
            score: find(&["first_points", "score", "result", "points"]),
            second_score: find(&["second_points"]),
            game: find(&["game"]),
            options: find(&["options"]),
            block: find(&["block"]),
            opening: find(&["opening"]),
            termination: find(&["termination"]),
            forfeited_by: find(&["forfeited_by"]),
            digest: find(&["actions_digest"]),
            answers: find(&["answers"]),
            width: row.len(),
        };
        let mut needed = vec![columns.first, columns.second];
        match columns.seats.has_more_than_two() {
            true => needed.extend(columns.seats.needed()),
            false => needed.push(columns.score),
        }
        if needed.iter().all(|column| column.place.is_none()) {
            return match header.as_slice() {
                [_, _, score] if points(score).is_ok() => {
                    columns.first.place = Some(0);
                    columns.second.place = Some(1);
                    columns.score.place = Some(2);
                    Ok((columns, false))
                }
                _ => Err(format!(
                    "neither a header with the columns `first`, `second`, `first_points` (or `white`, `black`, `score`) nor \
                     a row of these three; it has {}",
                    header_names(&header)
                )),
            };
        }
        if let Some(missing) = needed.iter().find(|column| column.place.is_none()) {
            let (missing, found) = (missing.names.join("` or `"), header_names(&header));
            return Err(format!(
                "the header has no column `{missing}`; it has {found}"
            ));
        }
        for column in columns.all() {
            let mut places = places(column.names);
            if let (Some(one), Some(other)) = (places.next(), places.next()) {
                return Err(format!(
                    "columns {} (`{}`) and {} (`{}`) of the header stand for the same: remove or rename one",
                    one + 1,
                    header[one],
                    other + 1,
                    header[other]
                ));
            }
        }
        Ok((columns, true))
    }

    fn all(&self) -> impl Iterator<Item = Column> {
        let of_two = [
            self.first,
            self.second,
            self.score,
            self.second_score,
            self.game,
            self.options,
            self.block,
            self.opening,
            self.termination,
            self.forfeited_by,
            self.digest,
            self.answers,
        ];
        let more = self.seats.has_more_than_two().then(|| self.seats.all());
        of_two.into_iter().chain(more.into_iter().flatten())
    }
}

/// Reads a table. It has a header that names the columns, in any order, or no header and the three columns first
/// player, second player, score of the first.
pub(super) fn read(
    path: &Path,
    file: impl BufRead,
    source: u64,
    each: &mut dyn FnMut(&ResultRow<'_>),
    refuse: &mut Refuse<'_>,
) -> Result<u64, ResultsError> {
    let cannot = |error| ResultsError::new(path, ResultsProblem::Read(error));
    let mut rows = Rows::new(file);
    let Some(first) = rows.read().map_err(cannot)? else {
        return Ok(0);
    };
    let (columns, is_header) =
        GameColumns::find(&first).map_err(|problem| bad_line(path, first.line, problem))?;
    let mut blocks = BlockNumbers::default();
    let mut unfinished = 0;
    let mut take = |row: &Row<'_>| {
        let game = names(row, &columns).and_then(|names| {
            let Some(result) = result(
                row,
                &columns,
                source,
                names.values().map(|name| &**name).collect(),
            )?
            else {
                unfinished += 1;
                return Ok(());
            };
            if let Some((number, line)) = blocks.add(row.line, &result) {
                let seats = names.count();
                return Err(columns.block.bad(format!(
                    "{number} is the number of {seats} games of these players already, the first in line {line}, and a \
                     block has a game for each seat: give each block, such as a game pair, a number of its own, or \
                     remove the column"
                )));
            }
            each(&result);
            Ok(())
        });
        game.or_else(|problem| refuse(row.line, problem))
    };
    if !is_header {
        take(&first)?;
    }
    while let Some(row) = rows.read().map_err(cannot)? {
        take(&row)?;
    }
    Ok(unfinished)
}

/// The names of the players, normalized for comparison.
fn names<'a>(row: &Row<'a>, columns: &GameColumns) -> Result<PerSeat<Cow<'a, str>>, String> {
    if row.len() != columns.width {
        return Err(format!("{} fields, expected {}", row.len(), columns.width));
    }
    let name = |column: Column| match text::name(column.text(row)?) {
        name if name.is_empty() => Err(column.bad("no player")),
        name => Ok(name),
    };
    let names = match columns.seats.has_more_than_two() {
        false => [name(columns.first)?, name(columns.second)?].into(),
        true => {
            let players = &columns.seats.players;
            let seats = columns.seats.seats(row)?;
            PerSeat::try_of(seats, |seat| name(players[seat.index()]))?
        }
    };
    let first = &names[Seat::FIRST];
    if names.values().all(|name| name == first) {
        return Err(columns.second.bad(one_player(first)));
    }
    Ok(names)
}

/// The result of a row; `None` for an unfinished game.
fn result<'a>(
    row: &Row<'a>,
    columns: &GameColumns,
    source: u64,
    names: PerSeat<&'a str>,
) -> Result<Option<ResultRow<'a>>, String> {
    let end = match names.clone().pair() {
        Some(names) if !columns.seats.has_more_than_two() => end_of_two(row, columns, names)?,
        _ => end_of_more(row, columns, &names)?,
    };
    let Some((end, blame)) = end else {
        return Ok(None);
    };
    let block = match columns.block.text(row)? {
        "" => None,
        _ => Some(number(&columns.block, row)?),
    };
    Ok(Some(ResultRow {
        source,
        // A table from elsewhere may have ids that are no numbers.
        game: columns.game.text(row)?,
        seats: &[],
        answers: columns.answers.text(row)?,
        options: columns.options.text(row)?,
        block,
        alike: None,
        opening: columns.opening.text(row)?,
        names,
        rules_points: end.rules_points,
        result: end.result,
        blame,
        termination: columns.termination.text(row)?,
        digest: columns.digest.text(row)?,
    }))
}

/// The end of a game of two and who forfeited it; `None` if it was not finished.
fn end_of_two(
    row: &Row<'_>,
    columns: &GameColumns,
    names: [&str; 2],
) -> Result<Option<(SeatsEnd, Blame)>, String> {
    let score = |column: &Column| points(column.text(row)?).map_err(|problem| column.bad(problem));
    let Some(first) = score(&columns.score)? else {
        return match columns.score.text(row)? {
            UNFINISHED => Ok(None),
            _ => Err(columns.score.bad(NO_RESULT)),
        };
    };
    let second = score(&columns.second_score)?.unwrap_or(1.0 - first);
    let result = of_points([first, second]).ok_or_else(|| {
        let problem = format!("{first} and {second} points are not a result");
        columns.second_score.bad(problem)
    })?;
    let forfeited_by = &*text::name(columns.forfeited_by.text(row)?);
    let blame = Blame::from_name(&names.into(), forfeited_by).ok_or_else(|| {
        let name = quoted(forfeited_by);
        let expected = "expected one of them, `both`, or nothing";
        columns
            .forfeited_by
            .bad(format!("`{name}` is neither player: {expected}"))
    })?;
    let meant = match blame {
        Blame::Nobody => result,
        Blame::Of(seat) => GameResult::Won(seat.other()),
        Blame::Several(_) => GameResult::Nobody,
    };
    if meant != result {
        return Err(columns.forfeited_by.bad(not_lost(forfeited_by)));
    }
    let rules_points = None;
    Ok(Some((
        SeatsEnd {
            result,
            rules_points,
        },
        blame,
    )))
}

/// The end of a game in a table with more than two seats, and who forfeited it; `None` if it was not finished.
fn end_of_more(
    row: &Row<'_>,
    columns: &GameColumns,
    names: &PerSeat<&str>,
) -> Result<Option<(SeatsEnd, Blame)>, String> {
    let Some(end) = columns.seats.end(row, names.count())? else {
        return Ok(None);
    };
    let forfeited_by = &*text::name(columns.forfeited_by.text(row)?);
    let termination = Termination::from_name(columns.termination.text(row)?);
    let by_rules = termination.is_some_and(Termination::is_by_rules);
    let blame = blame(names, end.result, by_rules, forfeited_by);
    let blame = blame.map_err(|problem| columns.forfeited_by.bad(problem))?;
    Ok(Some((end, blame)))
}
