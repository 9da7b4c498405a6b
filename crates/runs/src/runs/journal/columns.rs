//! The columns of `games.csv`: their names and the fields of a row, in one order.

use std::fmt::{Display, Write as _};
use std::str::FromStr;
use std::time::Duration;

use csv::StringRecord;

use super::{GameRow, GameStart, SEATS, seat_column};
use crate::bot::LateCause;
use crate::clock::Spent;
use crate::game::{ForfeitedBy, Game, GameResult, PerSeat, Places, Reason, RulesPoints, Seat};
use crate::referee::{FaultKind, GameEnd, PlayerFault, Termination};
use crate::runs::error::{RowError, RowProblem};
use crate::runs::logs::game_files::FileDigests;
use crate::text::quoted;
use crate::units::micros;

/// The content of a journal's rows, which decides their columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RowShape {
    pub seats: usize,
    /// Whether players have parameters, with values of their own in each game.
    pub has_values: bool,
}

impl RowShape {
    /// Games of two seats, whose players have no parameters.
    pub const OF_TWO: Self = Self {
        seats: 2,
        has_values: false,
    };

    fn of(header: &StringRecord) -> Self {
        let is_there = |word: &str| header.iter().any(|name| name == word);
        let seats = SEATS.iter().take_while(|word| is_there(word)).count();
        Self {
            seats: seats.max(2),
            has_values: is_there(&seat_column(Seat::FIRST, VALUES)),
        }
    }
}

const VALUES: &str = "values";

pub(super) fn names(shape: RowShape) -> StringRecord {
    let RowShape { seats, has_values } = shape;
    let mut names = StringRecord::new();
    let some = |names: &mut StringRecord, some: &[&str]| {
        some.iter().for_each(|name| names.push_field(name))
    };
    let each = |names: &mut StringRecord, columns: &[&str]| {
        for seat in Seat::all(seats) {
            let columns = columns.iter().map(|column| seat_column(seat, column));
            columns.for_each(|name| names.push_field(&name));
        }
    };
    some(&mut names, &["id", "game", "options", "block"]);
    some(&mut names, &SEATS[..seats]);
    some(&mut names, &["winner"]);
    if seats > 2 {
        each(&mut names, &["place"]);
    }
    each(&mut names, &["points"]);
    each(&mut names, &["rules_points"]);
    some(&mut names, &["termination", "forfeited_by", "reason"]);
    for column in ["fault", "detail", "late"] {
        each(&mut names, &[column]);
    }
    if seats > 2 {
        each(&mut names, &["termination"]);
    }
    some(
        &mut names,
        &["plies", "actions_digest", "answers", "date", "game_us"],
    );
    each(&mut names, &["wall_us", "cpu_us", "waited_us"]);
    each(&mut names, &["peak_kib"]);
    some(&mut names, &["log_digest"]);
    each(&mut names, &["stderr_digest"]);
    some(&mut names, &["round", "opening"]);
    each(&mut names, &["seed"]);
    if has_values {
        each(&mut names, &[VALUES]);
    }
    names
}

/// The fields of a row, in the order of [`names`].
pub(super) fn fields(row: &GameRow) -> StringRecord {
    let mut fields = Fields::default();
    let end = &row.end;
    let seats = row.players.count();
    fields.number(row.id);
    fields.text(row.game.name());
    fields.text(&row.options);
    fields.number(row.block);
    row.players.values().for_each(|player| fields.text(player));
    fields.text(&row.game.result_name(end.result));
    if seats > 2 {
        let places = end.result.places(seats);
        places.values().for_each(|place| fields.number(place));
    }
    for seat in row.players.seats() {
        // Whole numbers have a decimal, too.
        fields.shown(format_args!("{:?}", end.result.points(seat)));
    }
    for seat in row.players.seats() {
        fields.maybe(end.rules_points.as_ref().map(|points| points[seat]));
    }
    fields.text(end.termination.name());
    fields.text(&row.forfeited_by());
    fields.text(end.reason.map_or("", Reason::name));
    let faults = || end.faults.values().map(Option::as_ref);
    faults().for_each(|fault| fields.text(fault.map_or("", |it| it.kind.name())));
    faults().for_each(|fault| fields.text(fault.map_or("", |it| &it.detail)));
    let late = |fault: &PlayerFault| fault.late.map(LateCause::name);
    faults().for_each(|fault| fields.text(fault.and_then(late).unwrap_or_default()));
    if seats > 2 {
        let termination = |fault: &PlayerFault| fault.termination.name();
        faults().for_each(|fault| fields.text(fault.map_or("", termination)));
    }
    fields.number(end.plies);
    fields.text(&row.actions_digest);
    fields.text(&row.answers);
    fields.text(&row.date);
    fields.number(micros(row.took));
    for spent in end.spent.values() {
        fields.number(micros(spent.wall));
        fields.number(micros(spent.cpu));
        fields.number(micros(spent.waited));
    }
    row.peak_kib.values().for_each(|peak| fields.maybe(*peak));
    fields.text(&row.files.log);
    row.files
        .stderr
        .values()
        .for_each(|digest| fields.text(digest));
    fields.maybe(row.start.round);
    fields.text(&row.start.opening);
    row.start
        .seeds
        .values()
        .for_each(|seed| fields.number(seed));
    if let Some(values) = &row.values {
        values.values().for_each(|values| fields.text(values));
    }
    fields.record
}

/// Fields that are written. One buffer has the text of all numbers.
#[derive(Default)]
struct Fields {
    record: StringRecord,
    number: String,
}

impl Fields {
    fn text(&mut self, text: &str) {
        self.record.push_field(text);
    }

    fn number(&mut self, number: impl Display) {
        self.shown(format_args!("{number}"));
    }

    fn maybe(&mut self, number: Option<impl Display>) {
        match number {
            Some(number) => self.number(number),
            None => self.text(""),
        }
    }

    fn shown(&mut self, shown: std::fmt::Arguments<'_>) {
        self.number.clear();
        // Writing to a `String` cannot fail.
        let _ = self.number.write_fmt(shown);
        self.record.push_field(&self.number);
    }
}

/// An error for the first column that differs between two rows.
pub(super) fn compare(
    shape: RowShape,
    is: &StringRecord,
    should: &StringRecord,
) -> Result<(), RowError> {
    let mut pairs = is.iter().zip(should);
    let Some(at) = pairs.position(|(is, should)| is != should) else {
        return Ok(());
    };
    let at = |fields: &StringRecord| fields.get(at).unwrap_or_default().to_owned();
    Err(RowError::contradiction(
        &at(&names(shape)),
        &at(is),
        &at(should),
    ))
}

#[derive(Debug)]
pub(super) struct Header {
    shape: RowShape,
    names: StringRecord,
}

impl Header {
    /// The header in this line. The error is the first column that is another.
    pub fn read(line: &StringRecord) -> Result<Self, String> {
        let shape = RowShape::of(line);
        let names = names(shape);
        let column = |at, names: &StringRecord| names.get(at).unwrap_or_default().to_owned();
        let differs = |at: &usize| line.get(*at) != names.get(*at);
        match (0..line.len().max(names.len())).find(differs) {
            None => Ok(Self { shape, names }),
            Some(at) => Err(format!(
                "line 1 is not the header of a games.csv: its column {} is `{}`, and should be `{}`",
                at + 1,
                quoted(&column(at, line)),
                column(at, &names)
            )),
        }
    }
}

/// The fields of a line that is read, one by one in the order of [`names`].
struct Read<'a> {
    header: &'a Header,
    line: &'a StringRecord,
    next: usize,
}

impl<'a> Read<'a> {
    fn column(&self) -> &'a str {
        let last = self.next.saturating_sub(1);
        self.header.names.get(last).unwrap_or_default()
    }

    fn text(&mut self) -> &'a str {
        self.next += 1;
        self.line.get(self.next - 1).unwrap_or_default()
    }

    fn owned(&mut self) -> String {
        self.text().to_owned()
    }

    fn number<T: FromStr<Err: Display>>(&mut self) -> Result<T, RowProblem> {
        let text = self.text();
        text.parse()
            .map_err(|error| RowProblem::Malformed(format!("`{}`: {error}", self.column())))
    }

    fn maybe<T: FromStr<Err: Display>>(&mut self) -> Result<Option<T>, RowProblem> {
        let place = self.next;
        match self.text() {
            "" => Ok(None),
            _ => {
                self.next = place;
                self.number().map(Some)
            }
        }
    }

    fn word<T>(
        &mut self,
        meaning: impl FnOnce(&str) -> Option<T>,
        expected: &str,
    ) -> Result<T, RowError> {
        let word = self.text();
        meaning(word).ok_or_else(|| RowError::unknown(self.column(), word, expected))
    }

    fn maybe_word<T>(
        &mut self,
        meaning: impl FnOnce(&str) -> Option<T>,
        expected: &str,
    ) -> Result<Option<T>, RowError> {
        let meaning = |word: &str| match word {
            "" => Some(None),
            word => meaning(word).map(Some),
        };
        self.word(meaning, expected)
    }

    fn each<T, E>(
        &mut self,
        mut read: impl FnMut(&mut Self) -> Result<T, E>,
    ) -> Result<PerSeat<T>, E> {
        PerSeat::try_of(self.header.shape.seats, |_| read(self))
    }

    fn texts(&mut self) -> PerSeat<&'a str> {
        PerSeat::of(self.header.shape.seats, |_| self.text())
    }
}

impl GameRow {
    /// The row in this line, of one of these games. Columns can follow from others: they must hold what the row would be
    /// written with.
    pub(super) fn from_line(
        header: &Header,
        line: &StringRecord,
        games: &[Game],
    ) -> Result<Self, RowProblem> {
        let mut read = Read {
            header,
            line,
            next: 0,
        };
        let id = read.number()?;
        let names: Vec<&str> = games.iter().map(|game| game.name()).collect();
        let game = read.word(
            |name| games.iter().copied().find(|game| game.name() == name),
            &format!("expected one of {}", names.join(", ")),
        )?;
        let options = read.owned();
        let block = read.number()?;
        let players = read.texts().map(str::to_owned);
        if players.count() != game.seat_count() {
            let (name, due, found) = (game.name(), game.seat_count(), players.count());
            let words = format!("{name} has {due} seats, and the row has {found}");
            return Err(RowError(words).into());
        }
        if game.seat_count() == 2 && players[Seat::FIRST] == players[Seat::SECOND] {
            return Err(RowError("expected two players".to_owned()).into());
        }
        let winner = read.text();
        let seats = header.shape.seats;
        let places = match seats {
            2 => None,
            _ => Some(read.each(Read::number)?),
        };
        let _points = read.texts();
        let rules_points = read.each(|read| {
            read.maybe_word(RulesPoints::parse, "expected a decimal number, or nothing")
        })?;
        let termination = read.word(Termination::from_name, "expected a way to end")?;
        let _forfeited_by = read.text();
        let reason = read.maybe_word(
            |name| game.reason_from_name(name),
            "expected the name of a rule, or nothing",
        )?;
        let kinds = read.each(|read| {
            read.maybe_word(FaultKind::from_name, "expected a kind of fault, or nothing")
        })?;
        let details = read.texts();
        let lates = read.each(|read| {
            read.maybe_word(
                LateCause::from_name,
                "expected slow, buffered, unended, computing, waiting, next_line or nothing",
            )
        })?;
        let terminations = match seats {
            2 => None,
            _ => Some(read.each(|read| {
                read.maybe_word(Termination::from_name, "expected a way to end, or nothing")
            })?),
        };
        let faults = PerSeat::of(seats, |seat| {
            kinds[seat].map(|kind| PlayerFault {
                kind,
                // Of two seats the row has one termination, and the kind says the rest.
                termination: terminations
                    .as_ref()
                    .and_then(|it| it[seat])
                    .unwrap_or_else(|| kind.termination()),
                detail: details[seat].to_owned(),
                late: lates[seat],
            })
        });
        let plies = read.number()?;
        let (actions_digest, answers, date) = (read.owned(), read.owned(), read.owned());
        let took = Duration::from_micros(read.number()?);
        let spent = read.each(|read| {
            Ok::<_, RowProblem>(Spent {
                wall: Duration::from_micros(read.number()?),
                cpu: Duration::from_micros(read.number()?),
                waited: Duration::from_micros(read.number()?),
                ..Spent::default()
            })
        })?;
        let peak_kib = read.each(Read::maybe)?;
        let files = FileDigests {
            log: read.owned(),
            stderr: read.texts().map(str::to_owned),
        };
        let start = GameStart {
            round: read.maybe()?,
            opening: read.owned(),
            seeds: read.each(Read::number)?,
        };
        let values = header.shape.has_values;
        let values = values.then(|| read.texts().map(str::to_owned));
        let mut end = GameEnd {
            result: GameResult::Nobody,
            termination,
            reason,
            // All seats have some, or none has.
            rules_points: PerSeat::try_of(seats, |seat| rules_points[seat].ok_or(())).ok(),
            faults,
            plies,
            spent,
            left: game.per_seat(|_| None),
        };
        if terminations.is_none() {
            for seat in game.seats() {
                let termination = end.termination_for(seat);
                if let Some(fault) = &mut end.faults[seat] {
                    fault.termination = termination;
                }
            }
        }
        end.result = result(game, winner, places.as_ref(), &end)?;
        let row = Self {
            id,
            game,
            options,
            block,
            players,
            end,
            actions_digest,
            answers,
            date,
            took,
            peak_kib,
            files,
            start,
            values,
        };
        compare(header.shape, line, &fields(&row))?;
        Ok(row)
    }

    /// An error for the first column that differs from the row as it should be.
    pub(in crate::runs) fn unless_equal(&self, should: &Self) -> Result<(), RowError> {
        let shape = RowShape {
            seats: self.players.count(),
            has_values: self.values.is_some(),
        };
        compare(shape, &fields(self), &fields(should))
    }
}

/// Who won. Where a game went on without the players at fault, only its log has their order.
fn result(
    game: Game,
    winner: &str,
    places: Option<&PerSeat<u8>>,
    end: &GameEnd,
) -> Result<GameResult, RowError> {
    let result = match places {
        None => game.result_from_name(winner).ok_or_else(|| {
            let seats = game.seat_names().join(", ");
            let expected = format!("expected {seats}, draw or none");
            RowError::unknown("winner", winner, &expected)
        })?,
        Some(places) => {
            let placed = Places::numbered(places).map(GameResult::placed);
            placed.ok_or_else(|| {
                let numbers: Vec<String> = places.values().map(u8::to_string).collect();
                let column = seat_column(Seat::FIRST, "place");
                let expected = "expected places such as 1, 2, 2 for all seats";
                RowError::unknown(&column, &numbers.join(", "), expected)
            })?
        }
    };
    let (seats, forfeiters) = (game.seat_count(), end.forfeiters());
    if end.forfeited_by() == ForfeitedBy::Nobody {
        if result == GameResult::Nobody {
            let all: PerSeat<&str> = game.per_seat(|seat| game.seat_name(seat));
            let all = ForfeitedBy::of(game.seats().collect()).name(&all);
            return Err(RowError::contradiction("forfeited_by", "", &all));
        }
        return Ok(result);
    }
    let has_won = forfeiters
        .iter()
        .any(|seat| result.places(seats)[seat] == 1);
    Ok(match seats {
        3.. if !has_won => result,
        _ => game.lost_by(forfeiters),
    })
}
