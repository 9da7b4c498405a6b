//! Tables of results, separated by commas, semicolons or tabs.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::HashMap;
use std::fmt::Display;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::BufRead;
use std::path::Path;
use std::str::FromStr;

use csv::ByteRecord;

use super::{Refuse, bad_line, header_names};
use super::{UNFINISHED, of_points, one_player, points};
use crate::config::BoundedRows;
use crate::game::{ForfeitedBy, GameResult, MOST_SEATS, PerSeat, Places, Seat};
use crate::referee::Termination;
use crate::results::ResultRow;
use crate::results::files::{ResultsError, ResultsProblem};
use crate::runs::{player_column, seat_column};
use crate::text::{self, quoted};

struct Row<'a> {
    line: u64,
    fields: &'a ByteRecord,
}

/// A column of a table of results, and its index in this file.
#[derive(Debug, Clone)]
struct Column {
    names: Vec<String>,
    place: Option<usize>,
}

impl Column {
    fn find(header: &[String], names: &[&str]) -> Self {
        let mut header = header.iter();
        Self {
            names: names.iter().map(ToString::to_string).collect(),
            place: header.position(|name| names.contains(&name.as_str())),
        }
    }

    fn bad(&self, problem: impl Display) -> String {
        let (number, names) = (
            self.place.unwrap_or_default() + 1,
            self.names.join("` or `"),
        );
        format!("column {number} (`{names}`): {problem}")
    }

    /// The text of a row in this column, without spaces around it; empty if the file has no such column.
    fn text<'a>(&self, row: &Row<'a>) -> Result<&'a str, String> {
        let bytes = self.place.and_then(|place| row.fields.get(place));
        let text = std::str::from_utf8(bytes.unwrap_or_default());
        text.map(str::trim_ascii)
            .map_err(|_| self.bad("is not UTF-8"))
    }

    fn number<T: FromStr>(&self, row: &Row<'_>) -> Result<T, String> {
        let text = self.text(row)?;
        let bad = |_| self.bad(format!("`{}` is not a whole number", quoted(text)));
        text.parse().map_err(bad)
    }
}

#[derive(Debug)]
struct GameColumns {
    /// The columns of each seat, of two or more: players, places, points and the rules' points. Beside places, points are
    /// the share of opponents beaten, which follows from them.
    players: Vec<Column>,
    places: Vec<Column>,
    points: Vec<Column>,
    rules_points: Vec<Column>,
    game: Column,
    options: Column,
    block: Column,
    opening: Column,
    termination: Column,
    forfeited_by: Column,
    digest: Column,
    answers: Column,
    width: usize,
}

impl GameColumns {
    /// The columns as the first line of a file has them, and whether that line is a header.
    fn find(row: &Row<'_>) -> Result<(Self, bool), String> {
        let fields = row.fields.iter();
        let header =
            fields.map(|name| String::from_utf8_lossy(name.trim_ascii()).to_ascii_lowercase());
        let header: Vec<String> = header.collect();
        let find = |names: &[&str]| Column::find(&header, names);
        let is_there = |seat: &Seat| header.iter().any(|name| name == player_column(*seat));
        let more = Seat::all(MOST_SEATS).skip(2).take_while(is_there).count();
        let each = |column: &str, others: [&[&str]; 2]| {
            let seats =
                Seat::all(2 + more).zip(others.into_iter().chain([&[][..]].into_iter().cycle()));
            let columns = seats.map(|(seat, others)| {
                let own = match column {
                    "" => player_column(seat).to_owned(),
                    column => seat_column(seat, column),
                };
                find(&[&[own.as_str()], others].concat())
            });
            columns.collect::<Vec<_>>()
        };
        let mut columns = Self {
            players: each("", [&["white"], &["black"]]),
            places: each("place", [&[]; 2]),
            points: each("points", [&["score", "result", "points"], &[]]),
            rules_points: each("rules_points", [&[]; 2]),
            game: find(&["game"]),
            options: find(&["options"]),
            block: find(&["block"]),
            opening: find(&["opening"]),
            termination: find(&["termination"]),
            forfeited_by: find(&["forfeited_by"]),
            digest: find(&["actions_digest"]),
            answers: find(&["answers"]),
            width: header.len(),
        };
        let end = match columns.has_more_than_two() {
            true => columns.deciding(),
            false => &columns.points[..1],
        };
        let mut needed = columns.players[..2].iter().chain(end);
        if needed.clone().all(|column| column.place.is_none()) {
            return match header.as_slice() {
                [_, _, score] if points(score).is_ok() => {
                    columns.players[0].place = Some(0);
                    columns.players[1].place = Some(1);
                    columns.points[0].place = Some(2);
                    Ok((columns, false))
                }
                _ => Err(format!(
                    "neither a header with the columns `first`, `second`, `first_points` (or `white`, `black`, `score`) nor \
                     a row of these three; it has {}",
                    header_names(&header)
                )),
            };
        }
        if let Some(missing) = needed.find(|column| column.place.is_none()) {
            let (missing, found) = (missing.names.join("` or `"), header_names(&header));
            return Err(format!(
                "the header has no column `{missing}`; it has {found}"
            ));
        }
        for column in columns.all() {
            let mut places = (0..header.len()).filter(|at| column.names.contains(&header[*at]));
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

    fn all(&self) -> impl Iterator<Item = &Column> {
        let seats = [
            &self.players,
            &self.places,
            &self.points,
            &self.rules_points,
        ];
        let others = [
            &self.game,
            &self.options,
            &self.block,
            &self.opening,
            &self.termination,
            &self.forfeited_by,
            &self.digest,
            &self.answers,
        ];
        seats.into_iter().flatten().chain(others)
    }

    fn has_more_than_two(&self) -> bool {
        self.players.len() > 2
    }

    /// The columns that decide a game of more than two seats: places, or points.
    fn deciding(&self) -> &[Column] {
        match self.places.iter().any(|column| column.place.is_some()) {
            true => &self.places,
            false => &self.points,
        }
    }
}

/// Delimiter of a table that begins with these bytes: the most frequent candidate in its first row.
pub(super) fn delimiter(begin: &[u8]) -> u8 {
    let mut quoted = false;
    let mut counts = [(b'\t', 0), (b';', 0), (b',', 0)];
    for byte in begin {
        match byte {
            b'"' => quoted = !quoted,
            b'\n' | b'\r' if !quoted && counts.iter().any(|(_, count)| *count > 0) => break,
            byte if !quoted => {
                for (delimiter, count) in &mut counts {
                    *count += u32::from(byte == delimiter);
                }
            }
            _ => {}
        }
    }
    // On a tie `max_by_key` returns the last, so the comma wins.
    counts
        .into_iter()
        .max_by_key(|(_, count)| *count)
        .map_or(b',', |(delimiter, _)| delimiter)
}

/// Upper bound on the blocks checked, to bound memory. A column of another meaning, such as one number in every row,
/// is noticed long before.
const MOST_BLOCKS: usize = 100_000;

/// The blocks of a table, by a hash of number, players, game and options: the line of the first game, and the number of
/// games.
#[derive(Debug, Default)]
struct BlockNumbers(HashMap<u64, (u64, usize)>);

impl BlockNumbers {
    /// Adds a game. If its block has a game for each seat already, returns the block's number and the line of its first
    /// game.
    fn add(&mut self, line: u64, row: &ResultRow<'_>) -> Option<(u64, u64)> {
        let block = row.block?;
        if self.0.len() == MOST_BLOCKS {
            return None;
        }
        // Games of a block rotate seats, so names are sorted for the key.
        let mut names = row.names.as_slice().to_vec();
        names.sort_unstable();
        let mut hasher = DefaultHasher::new();
        (block, names, row.game, row.options).hash(&mut hasher);
        let (first_line, games) = self.0.entry(hasher.finish()).or_insert((line, 0));
        *games += 1;
        (*games > row.names.count()).then_some((block, *first_line))
    }
}

/// Reads a table. It has a header that names the columns, in any order, or no header and the three columns first
/// player, second player, score of the first.
pub(super) fn read(
    path: &Path,
    mut file: impl BufRead,
    source: u64,
    each: &mut dyn FnMut(&ResultRow<'_>),
    refuse: &mut Refuse<'_>,
) -> Result<u64, ResultsError> {
    let cannot = |error: csv::Error| ResultsError::new(path, ResultsProblem::Read(error.into()));
    let begin = file.fill_buf().map_err(|error| cannot(error.into()))?;
    let mut rows = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .buffer_capacity(1 << 16)
        .delimiter(delimiter(begin))
        .from_reader(BoundedRows::new(file));
    let mut fields = ByteRecord::new();
    let mut next = |fields: &mut ByteRecord| {
        let is_there = rows.read_byte_record(fields).map_err(cannot)?;
        Ok(is_there.then(|| fields.position().map_or(0, csv::Position::line)))
    };
    let Some(line) = next(&mut fields)? else {
        return Ok(0);
    };
    let first = Row {
        line,
        fields: &fields,
    };
    let (columns, is_header) =
        GameColumns::find(&first).map_err(|problem| bad_line(path, line, problem))?;
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
    while let Some(line) = next(&mut fields)? {
        take(&Row {
            line,
            fields: &fields,
        })?;
    }
    Ok(unfinished)
}

/// The names of the players, normalized for comparison.
fn names<'a>(row: &Row<'a>, columns: &GameColumns) -> Result<PerSeat<Cow<'a, str>>, String> {
    if row.fields.len() != columns.width {
        return Err(format!(
            "{} fields, expected {}",
            row.fields.len(),
            columns.width
        ));
    }
    let name = |column: &Column| match text::name(column.text(row)?) {
        name if name.is_empty() => Err(column.bad("no player")),
        name => Ok(name),
    };
    // The last seats may be empty.
    let mut seats = columns.players.len();
    while seats > 2 && columns.players[seats - 1].text(row)?.is_empty() {
        seats -= 1;
    }
    let names = PerSeat::try_of(seats, |seat| name(&columns.players[seat.index()]))?;
    let first = &names[Seat::FIRST];
    if names.values().all(|name| name == first) {
        return Err(columns.players[1].bad(one_player(first)));
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
        Some(names) if !columns.has_more_than_two() => end_of_two(row, columns, names)?,
        _ => end_of_more(row, columns, &names)?,
    };
    let Some(End {
        result,
        rules_points,
        forfeited_by,
    }) = end
    else {
        return Ok(None);
    };
    let block = match columns.block.text(row)? {
        "" => None,
        _ => Some(columns.block.number(row)?),
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
        rules_points,
        result,
        forfeited_by,
        termination: columns.termination.text(row)?,
        digest: columns.digest.text(row)?,
    }))
}

struct End {
    result: GameResult,
    rules_points: Option<PerSeat<f64>>,
    forfeited_by: ForfeitedBy,
}

/// The end of a game of two and who forfeited it; `None` if it was not finished.
fn end_of_two(
    row: &Row<'_>,
    columns: &GameColumns,
    names: [&str; 2],
) -> Result<Option<End>, String> {
    let [score_column, second_column] = [&columns.points[0], &columns.points[1]];
    let score = |column: &Column| points(column.text(row)?).map_err(|problem| column.bad(problem));
    let Some(first) = score(score_column)? else {
        return match score_column.text(row)? {
            UNFINISHED => Ok(None),
            _ => Err(score_column.bad(NO_RESULT)),
        };
    };
    let second = score(second_column)?.unwrap_or(1.0 - first);
    let result = of_points([first, second]).ok_or_else(|| {
        let problem = format!("{first} and {second} points are not a result");
        second_column.bad(problem)
    })?;
    let name = &*text::name(columns.forfeited_by.text(row)?);
    let forfeited_by = ForfeitedBy::from_name(&names.into(), name).ok_or_else(|| {
        let name = quoted(name);
        let expected = "expected one of them, `both`, or nothing";
        columns
            .forfeited_by
            .bad(format!("`{name}` is neither player: {expected}"))
    })?;
    let meant = match forfeited_by {
        ForfeitedBy::Nobody => result,
        ForfeitedBy::Of(seat) => GameResult::Won(seat.other()),
        ForfeitedBy::Several(_) => GameResult::Nobody,
    };
    if meant != result {
        return Err(columns.forfeited_by.bad(not_lost(name)));
    }
    Ok(Some(End {
        result,
        rules_points: points_by_rules(&columns.rules_points, row, 2)?,
        forfeited_by,
    }))
}

/// The end of a game in a table with more than two seats, and who forfeited it; `None` if it was not finished.
fn end_of_more(
    row: &Row<'_>,
    columns: &GameColumns,
    names: &PerSeat<&str>,
) -> Result<Option<End>, String> {
    let (seats, deciding) = (names.count(), columns.deciding());
    let has_places = columns.places[0].place.is_some();
    match deciding[0].text(row)? {
        UNFINISHED => return Ok(None),
        "" => return Err(deciding[0].bad(NO_RESULT)),
        _ => {}
    }
    let places = if has_places {
        let numbers = PerSeat::try_of(seats, |seat| deciding[seat.index()].number::<u8>(row))?;
        let bad = || {
            let texts: Vec<String> = numbers.values().map(u8::to_string).collect();
            let (texts, expected) = (
                texts.join(", "),
                "expected places such as 1, 2, 2 for all seats",
            );
            deciding[0].bad(format!("{texts} are not the places of a game: {expected}"))
        };
        Places::numbered(&numbers).ok_or_else(bad)?
    } else {
        Places::by(&amounts(deciding, row, seats)?)
    };
    let by_rules = match has_places {
        true => &columns.rules_points,
        false => &columns.points,
    };
    let rules_points = points_by_rules(by_rules, row, seats)?;
    let result = GameResult::placed(places);
    let name = &*text::name(columns.forfeited_by.text(row)?);
    let termination = Termination::from_name(columns.termination.text(row)?);
    let by_rules = termination.is_some_and(Termination::is_by_rules);
    let forfeited_by = forfeiters_of_more(names, result, by_rules, name);
    Ok(Some(End {
        result,
        rules_points,
        forfeited_by: forfeited_by.map_err(|problem| columns.forfeited_by.bad(problem))?,
    }))
}

fn points_by_rules(
    columns: &[Column],
    row: &Row<'_>,
    seats: usize,
) -> Result<Option<PerSeat<f64>>, String> {
    match columns[0].text(row)? {
        "" => Ok(None),
        _ => amounts(columns, row, seats).map(Some),
    }
}

fn amounts(columns: &[Column], row: &Row<'_>, seats: usize) -> Result<PerSeat<f64>, String> {
    PerSeat::try_of(seats, |seat| {
        let column = &columns[seat.index()];
        let text = column.text(row)?;
        // A file with semicolons between fields may have decimal commas.
        let amount = text.replace(',', ".").parse::<f64>().ok();
        let amount = amount.filter(|it| it.is_finite());
        amount.ok_or_else(|| column.bad(format!("`{}` is not a number of points", quoted(text))))
    })
}

/// The players who forfeited a game of more than two that ended so, by the name in the column. Two seats can have one
/// player, so the seats with the worst places are meant. If it ended by the rules, they left it, and others may be below
/// them that resigned.
fn forfeiters_of_more(
    names: &PerSeat<&str>,
    result: GameResult,
    by_rules: bool,
    name: &str,
) -> Result<ForfeitedBy, String> {
    if name.is_empty() {
        return Ok(ForfeitedBy::Nobody);
    }
    let count = names.count();
    let places = result.places(count);
    let seats = |set: usize| Seat::all(count).filter(move |seat| set >> seat.index() & 1 == 1);
    let sets = 1..1_usize << count;
    let mut named = sets
        .map(|set| (set, ForfeitedBy::of(seats(set).collect())))
        .filter(|(_, forfeited_by)| forfeited_by.name(names) == name)
        .peekable();
    if named.peek().is_none() {
        return Err(format!(
            "`{}` is no player of the game: expected one, several joined by `+`, or nothing",
            quoted(name)
        ));
    }
    let all = (1 << count) - 1;
    let mut lost = named.filter(|(set, _)| {
        let best = seats(*set).map(|seat| places[seat]).min();
        let worst = seats(all & !set).map(|seat| places[seat]).max();
        worst < best || *set == all || by_rules && best > Some(1)
    });
    let sum = |set: usize| seats(set).map(|seat| u32::from(places[seat])).sum::<u32>();
    let forfeited_by = match by_rules {
        true => lost.max_by_key(|(set, _)| (sum(*set), Reverse(*set))),
        false => lost.next(),
    };
    let forfeited_by = forfeited_by.map(|(_, forfeited_by)| forfeited_by);
    forfeited_by.ok_or_else(|| not_lost(name))
}

const NO_RESULT: &str = "the game has no result";

fn not_lost(name: &str) -> String {
    let name = quoted(name);
    format!("`{name}` forfeited and has not lost by the points: correct one of them")
}
