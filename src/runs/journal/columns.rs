//! The columns of `games.csv`: their names and the fields of a row, in one order.

use std::fmt::{Display, Write as _};
use std::str::FromStr;
use std::time::Duration;

use csv::StringRecord;

use super::game_start::GameStart;
use super::row::GameRow;
use super::seat_columns::{SEATS, seat_column};
use crate::bot::LateCause;
use crate::clock::Spent;
use crate::game::{Blame, Game, GameResult, PerSeat, Places, Reason, RulesPoints, Seat};
use crate::referee::{FaultKind, GameEnd, PlayerFault, Termination};
use crate::runs::error::journal::{RowError, RowProblem};
use crate::runs::logs::game_files::FileDigests;
use crate::units::micros;

/// Number of seats of the rows below this header.
pub(super) fn seats_of(header: &StringRecord) -> usize {
    let is_there = |word: &&&str| header.iter().any(|name| name == **word);
    SEATS.iter().take_while(is_there).count().max(2)
}

/// The names of all columns of games of `seats`.
pub(super) fn names(seats: usize) -> StringRecord {
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
    each(&mut names, &["wall_us", "cpu_us"]);
    each(&mut names, &["peak_kib"]);
    some(&mut names, &["log_digest"]);
    each(&mut names, &["stderr_digest"]);
    some(&mut names, &["round", "opening"]);
    each(&mut names, &["seed"]);
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

/// Where the columns of [`names`] are in the lines of a file.
#[derive(Debug)]
pub(super) struct Order {
    seats: usize,
    names: StringRecord,
    places: Vec<usize>,
}

impl Order {
    /// The order below a header. The error is a column that it lacks, or one that it should not have.
    pub fn of(header: &StringRecord) -> Result<Self, String> {
        let seats = seats_of(header);
        let names = names(seats);
        let place = |name: &str| {
            let place = header.iter().position(|column| column == name);
            place.ok_or_else(|| name.to_owned())
        };
        let places = names.iter().map(place).collect::<Result<Vec<_>, _>>()?;
        Ok(Self {
            seats,
            names,
            places,
        })
    }

    /// A column that no journal has.
    pub fn unknown<'a>(&self, header: &'a StringRecord) -> Option<&'a str> {
        header
            .iter()
            .find(|column| self.names.iter().all(|name| name != *column))
    }
}

/// The fields of a line that is read, one by one in the order of [`names`].
struct Read<'a> {
    order: &'a Order,
    line: &'a StringRecord,
    next: usize,
}

impl<'a> Read<'a> {
    /// The name of the column that was read last.
    fn column(&self) -> &'a str {
        self.order
            .names
            .get(self.next.saturating_sub(1))
            .unwrap_or_default()
    }

    fn text(&mut self) -> &'a str {
        let place = self.order.places.get(self.next);
        self.next += 1;
        place
            .and_then(|place| self.line.get(*place))
            .unwrap_or_default()
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

    /// A word that stands for something.
    fn word<T>(
        &mut self,
        meaning: impl FnOnce(&str) -> Option<T>,
        expected: &str,
    ) -> Result<T, RowError> {
        let word = self.text();
        meaning(word).ok_or_else(|| RowError::unknown(self.column(), word, expected))
    }

    /// A word that stands for something, or nothing.
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

    fn each<T, E>(&mut self, read: impl FnMut(&mut Self) -> Result<T, E>) -> Result<PerSeat<T>, E> {
        let mut read = read;
        PerSeat::try_of(self.order.seats, |_| read(self))
    }

    fn texts(&mut self) -> PerSeat<&'a str> {
        PerSeat::of(self.order.seats, |_| self.text())
    }
}

/// The columns of a result, which repeat each other.
struct ResultColumns<'a> {
    winner: &'a str,
    places: Option<PerSeat<u8>>,
    points: PerSeat<f64>,
}

impl GameRow {
    /// The row in this line, of one of these games.
    pub(super) fn from_line(
        order: &Order,
        line: &StringRecord,
        games: &[Game],
    ) -> Result<Self, RowProblem> {
        let mut read = Read {
            order,
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
            return Err(RowError::Seats {
                game: game.name(),
                due: game.seat_count(),
                found: players.count(),
            }
            .into());
        }
        if game.seat_count() == 2 && players[Seat::FIRST] == players[Seat::SECOND] {
            return Err(RowError::OnePlayer.into());
        }
        let result = ResultColumns {
            winner: read.text(),
            places: match order.seats {
                2 => None,
                _ => Some(read.each(Read::number)?),
            },
            points: read.each(Read::number)?,
        };
        let points = read.each(|read| {
            read.maybe_word(RulesPoints::parse, "expected a decimal number, or nothing")
        })?;
        let termination = read.word(Termination::from_name, "expected a way to end")?;
        let forfeited_by = read.text();
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
                "expected slow, buffered, unended or nothing",
            )
        })?;
        let terminations = match order.seats {
            2 => None,
            _ => Some(read.each(|read| {
                read.maybe_word(Termination::from_name, "expected a way to end, or nothing")
            })?),
        };
        let faults = faults(&kinds, &details, &lates, terminations.as_ref())?;
        let plies = read.number()?;
        let (actions_digest, answers, date) = (read.owned(), read.owned(), read.owned());
        let took = Duration::from_micros(read.number()?);
        let spent = read.each(|read| {
            Ok::<_, RowProblem>(Spent {
                wall: Duration::from_micros(read.number()?),
                cpu: Duration::from_micros(read.number()?),
                idle_cpu: Duration::ZERO,
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
        let mut end = GameEnd {
            result: GameResult::Nobody,
            termination,
            reason,
            rules_points: rules_points(points)?,
            faults,
            plies,
            spent,
        };
        if terminations.is_none() {
            for seat in game.seats() {
                let termination = end.termination_for(seat);
                if let Some(fault) = &mut end.faults[seat] {
                    fault.termination = termination;
                }
            }
        }
        end.result = result.read(game, &end)?;
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
        };
        RowError::unless_equal("forfeited_by", forfeited_by, row.forfeited_by())?;
        Ok(row)
    }
}

/// The points of the seats by the rules: all seats have some, or none has.
fn rules_points(
    points: PerSeat<Option<RulesPoints>>,
) -> Result<Option<PerSeat<RulesPoints>>, RowError> {
    if points.values().all(Option::is_none) {
        return Ok(None);
    }
    let missing = |seat| {
        let column = seat_column(seat, "rules_points");
        RowError::unknown(&column, "", "expected a decimal number, or nothing")
    };
    let points = PerSeat::try_of(points.count(), |seat| {
        points[seat].ok_or_else(|| missing(seat))
    });
    points.map(Some)
}

fn faults(
    kinds: &PerSeat<Option<FaultKind>>,
    details: &PerSeat<&str>,
    lates: &PerSeat<Option<LateCause>>,
    terminations: Option<&PerSeat<Option<Termination>>>,
) -> Result<PerSeat<Option<PlayerFault>>, RowError> {
    PerSeat::try_of(kinds.count(), |seat| {
        let Some(kind) = kinds[seat] else {
            let late = lates[seat].map_or("", LateCause::name);
            let termination = terminations.and_then(|it| it[seat]);
            let termination = termination.map_or("", Termination::name);
            let beside = [
                ("detail", details[seat]),
                ("late", late),
                ("termination", termination),
            ];
            return match beside.into_iter().find(|(_, value)| !value.is_empty()) {
                None => Ok(None),
                Some((column, value)) => Err(RowError::unknown(
                    &seat_column(seat, column),
                    value,
                    "expected nothing without a fault",
                )),
            };
        };
        let termination = match terminations {
            // Of two seats the row has one termination, and the kind says the rest.
            None => kind.termination(),
            Some(terminations) => terminations[seat].ok_or_else(|| {
                let column = seat_column(seat, "termination");
                RowError::unknown(&column, "", "expected a way to end beside a fault")
            })?,
        };
        Ok(Some(PlayerFault {
            kind,
            termination,
            detail: details[seat].to_owned(),
            late: lates[seat],
        }))
    })
}

impl ResultColumns<'_> {
    /// Who won: the winner, the places, the points and the forfeits must agree. Where a game went on without the players at
    /// fault, only its log has their order.
    fn read(self, game: Game, end: &GameEnd) -> Result<GameResult, RowError> {
        let blame = end.blame();
        let result = match &self.places {
            None => game.result_from_name(self.winner).ok_or_else(|| {
                let seats = game.seat_names().join(", ");
                let expected = format!("expected {seats}, draw or none");
                RowError::unknown("winner", self.winner, expected)
            })?,
            Some(places) => {
                let numbers: Vec<String> = places.values().map(u8::to_string).collect();
                let placed = Places::numbered(places).map(GameResult::placed);
                placed.ok_or_else(|| {
                    let column = seat_column(Seat::FIRST, "place");
                    let expected = "expected places such as 1, 2, 2 for all seats";
                    RowError::unknown(&column, &numbers.join(", "), expected)
                })?
            }
        };
        let seats = game.seat_count();
        let has_won = |result: GameResult| {
            let places = result.places(seats);
            end.blamed().iter().any(|seat| places[seat] == 1)
        };
        let due = match blame {
            Blame::Nobody if result == GameResult::Nobody => {
                let all: PerSeat<&str> = game.per_seat(|seat| game.seat_name(seat));
                let all = Blame::of(game.seats().collect()).name(&all);
                return Err(RowError::contradiction("forfeited_by", "", &all));
            }
            Blame::Nobody => result,
            _ if seats > 2 && !has_won(result) => result,
            _ => game.lost_by(game.seats().filter(|seat| blame.includes(*seat)).collect()),
        };
        RowError::unless_equal("winner", self.winner, game.result_name(due))?;
        for (seat, place) in due.places(game.seat_count()).iter() {
            let found = self.places.as_ref().map_or(*place, |places| places[seat]);
            RowError::unless_equal(seat_column(seat, "place"), found, place)?;
            RowError::unless_equal(
                seat_column(seat, "points"),
                self.points[seat],
                due.points(seat),
            )?;
        }
        Ok(due)
    }
}
