//! The log of one game: a row for each action. A ply of several seats at once is several rows with one number.

use std::path::Path;
use std::time::Duration;

use sha2::{Digest, Sha256};

use super::LOG_HEADER;
use super::game_files::game_log_path;
use crate::bot::Values;
use crate::clock::Spent;
use crate::config::{LARGEST_RECORD, read_bounded};
use crate::game::{Actors, AnyPosition, Game, MOST_SEATS, PerSeat, Seat};
use crate::referee::{Ply, Witness};
use crate::runs::error::{RunFileError, RunFileProblem};
use crate::runs::files::{csv_words, hex};
use crate::units::micros;

/// One ply of a log: the action of each seat that acted, one at least.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoggedPly(PerSeat<Option<LoggedAction>>);

impl LoggedPly {
    fn new(seats: usize, seat: Seat, action: LoggedAction) -> Self {
        let mut actions = PerSeat::defaults(seats);
        actions[seat] = Some(action);
        Self(actions)
    }

    pub fn actors(&self) -> Actors {
        Actors::those(self.actions().map(|(seat, _)| seat).collect())
    }

    pub fn of(&self, seat: Seat) -> Option<&LoggedAction> {
        self.0[seat].as_ref()
    }

    pub fn actions(&self) -> impl Iterator<Item = (Seat, &LoggedAction)> {
        let actions = self.0.iter();
        actions.filter_map(|(seat, action)| Some((seat, action.as_ref()?)))
    }

    /// The action of each seat as text; empty for a seat that did not act.
    pub fn texts(&self) -> PerSeat<&str> {
        self.tokens().map(Option::unwrap_or_default)
    }

    pub fn tokens(&self) -> PerSeat<Option<&str>> {
        let actions = self.0.each_ref();
        actions.map(|it| it.as_ref().map(|it| it.action.as_str()))
    }

    pub fn word(&self) -> String {
        self.actors().join(&self.texts())
    }

    pub fn reported(&self) -> PerSeat<Option<&Values>> {
        let actions = self.0.each_ref();
        actions.map(|it| it.as_ref().map(|it| &it.values))
    }

    pub fn is_drop(&self) -> bool {
        self.actions().all(|(_, logged)| logged.action.is_empty())
    }

    /// Whether players chose it. No player chose a ply of the opening.
    pub fn is_chosen(&self) -> bool {
        self.actions().all(|(_, action)| action.spent.is_some())
    }
}

/// Index of the first ply at which two logs have different actions, with the first seat whose action differs.
pub fn first_difference(one: &[LoggedPly], other: &[LoggedPly]) -> Option<(usize, Seat)> {
    let action = |plies: &'_ [LoggedPly], at: usize, seat: Seat| {
        let logged = plies
            .get(at)
            .and_then(|ply| ply.0.as_slice().get(seat.index())?.as_ref());
        logged.map(|logged| logged.action.clone())
    };
    (0..one.len().max(other.len())).find_map(|at| {
        let mut seats = Seat::all(MOST_SEATS);
        let seat = seats.find(|seat| action(one, at, *seat) != action(other, at, *seat))?;
        Some((at, seat))
    })
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoggedAction {
    pub action: String,
    pub public: String,
    /// Time spent, in whole microseconds; `None` in the opening.
    pub spent: Option<Spent>,
    /// Time left on the player's clock after it; `None` without a limit per game.
    pub left: Option<Duration>,
    /// Digest of the answers of the rules program up to here; empty where the rules are none.
    pub answers: String,
    /// Time that the rules program took for the ply, in whole microseconds; `None` where the rules are none.
    pub rules: Option<Duration>,
    pub values: Values,
    /// Bytes of its standard error and debug lines that had been read by then; `None` in the opening.
    pub output: Option<u64>,
}

pub(in crate::runs) fn read_log(
    run: &Path,
    id: u64,
    game: Game,
) -> Result<Vec<LoggedPly>, RunFileError> {
    let path = game_log_path(run, id);
    let log = read_bounded(&path, LARGEST_RECORD)
        .map_err(RunFileError::at(&path, RunFileProblem::Read))?;
    read_plies(&log, &path, game)
}

/// Reads the log of a game from its bytes. `path` is only for errors.
fn read_plies(log: &[u8], path: &Path, game: Game) -> Result<Vec<LoggedPly>, RunFileError> {
    let bad = |problem| RunFileError::new(path, RunFileProblem::Malformed(problem));
    let mut reader = csv::Reader::from_reader(log);
    let found = reader.headers().map(|found| {
        let names: Vec<&str> = found.iter().collect();
        names.join(",")
    });
    if !found.is_ok_and(|found| found == LOG_HEADER.trim_end()) {
        return Err(bad("line 1 is not the header of a game's log".to_owned()));
    }
    let mut plies = Vec::new();
    let mut record = csv::StringRecord::new();
    for line in 2.. {
        let wrong = |problem: String| bad(format!("line {line}: {problem}"));
        let malformed = |error| wrong(csv_words(error));
        if !reader.read_record(&mut record).map_err(malformed)? {
            break;
        }
        let (found, seat, action) = action(&record, game).map_err(wrong)?;
        add_row(&mut plies, game, found, seat, action)
            .map_err(|expected| wrong(format!("it has ply {found}, expected {expected}")))?;
    }
    Ok(plies)
}

/// Adds a row to the plies before it: it begins the next ply, or is a later seat's action beside an earlier one's. The
/// error is the number that a next ply would have.
fn add_row(
    plies: &mut Vec<LoggedPly>,
    game: Game,
    number: u32,
    seat: Seat,
    action: LoggedAction,
) -> Result<(), u32> {
    let count = plies.len() as u32;
    if number == count + 1 {
        plies.push(LoggedPly::new(game.seat_count(), seat, action));
        return Ok(());
    }
    match plies.last_mut() {
        Some(last)
            if number == count
                && last
                    .actors()
                    .seats()
                    .next_back()
                    .is_some_and(|at| at < seat) =>
        {
            last.0[seat] = Some(action);
            Ok(())
        }
        _ => Err(count + 1),
    }
}

/// The number of the ply, the seat and its action, in a row with as many fields as the header.
fn action(record: &csv::StringRecord, game: Game) -> Result<(u32, Seat, LoggedAction), String> {
    let mut fields = record.iter();
    let [
        ply,
        seat,
        action,
        public,
        wall_us,
        cpu_us,
        idle_cpu_us,
        left_us,
        answers,
        rules_us,
        values,
        output_bytes,
    ] = std::array::from_fn(|_| fields.next().unwrap_or_default());
    let bad = |column: &str, found: &str, expected: &str| {
        format!(
            "it has `{}` as `{column}`: expected {expected}",
            found.escape_debug()
        )
    };
    let number = |column: &str, text: &str| match text {
        "" => Ok(None),
        text => match text.parse() {
            Ok(number) => Ok(Some(number)),
            Err(_) => Err(bad(column, text, "a whole number")),
        },
    };
    let time = |column: &str, text: &str| {
        number(column, text).map(|micros| micros.map(Duration::from_micros))
    };
    let seat = game.seat_from_name(seat).ok_or_else(|| {
        let seats = game.seat_names();
        bad("seat", seat, &format!("{} or {}", seats[0], seats[1]))
    })?;
    let spent = match (
        time("wall_us", wall_us)?,
        time("cpu_us", cpu_us)?,
        time("idle_cpu_us", idle_cpu_us)?,
    ) {
        (None, None, None) => None,
        (Some(wall), Some(cpu), Some(idle_cpu)) => Some(Spent {
            wall,
            cpu,
            idle_cpu,
            ..Spent::default()
        }),
        _ => return Err("it has some of its times, and not all".to_owned()),
    };
    let left = time("left_us", left_us)?;
    let action = LoggedAction {
        action: action.to_owned(),
        public: public.to_owned(),
        spent,
        left,
        answers: answers.to_owned(),
        rules: time("rules_us", rules_us)?,
        values: Values::parse(values).ok_or_else(|| {
            let expected = "names with numbers, such as score=31 depth=14";
            bad("values", values, expected)
        })?,
        output: number("output_bytes", output_bytes)?,
    };
    let number = ply.parse();
    let number = number.map_err(|_| bad("ply", ply, "a whole number"))?;
    Ok((number, seat, action))
}

#[derive(Debug)]
pub struct GameLog {
    game: Game,
    rows: csv::Writer<Vec<u8>>,
    digest: ActionsDigest,
    answers: String,
}

impl GameLog {
    pub fn new(game: Game) -> Self {
        let mut bytes = Vec::with_capacity(8 << 10);
        bytes.extend_from_slice(LOG_HEADER.as_bytes());
        Self {
            game,
            rows: csv::Writer::from_writer(bytes),
            digest: ActionsDigest::default(),
            answers: String::new(),
        }
    }

    /// The digest of the answers of the rules program after the last ply; empty where the rules are none.
    pub fn answers(&self) -> &str {
        &self.answers
    }

    pub fn digest(&self) -> String {
        self.digest.text()
    }

    pub fn into_bytes(self) -> Vec<u8> {
        // Memory takes all bytes.
        self.rows.into_inner().unwrap_or_default()
    }
}

impl Witness for GameLog {
    fn ply(&mut self, ply: &Ply<'_>, position: &dyn AnyPosition) {
        if let Some(answers) = position.answers() {
            self.answers = answers;
        }
        let rules_us = position.rules_us();
        for (seat, played) in ply.played() {
            match ply.is_drop() {
                true => self.digest.update_left(self.game.seat_name(seat)),
                false => self.digest.update(played.action, played.public),
            }
            let texts = [self.game.seat_name(seat), played.action, played.public];
            let spent = |time: fn(&Spent) -> Duration| played.spent.as_ref().map(time).map(micros);
            let times = [
                spent(|spent| spent.wall),
                spent(|spent| spent.cpu),
                spent(|spent| spent.idle_cpu),
                played.left.map(micros),
            ];
            let mut digits = itoa::Buffer::new();
            // A serializer would take several times as long. Memory takes all bytes.
            let mut field = |text: &str| drop(self.rows.write_field(text));
            field(digits.format(ply.number));
            texts.into_iter().for_each(&mut field);
            times
                .into_iter()
                .for_each(|time| field(time.map_or("", |time| digits.format(time))));
            field(&self.answers);
            field(rules_us.map_or("", |time| digits.format(time)));
            field(played.values.as_str());
            field(played.spent.map_or("", |_| digits.format(played.output)));
            let _ = self.rows.write_record(None::<&[u8]>);
        }
    }
}

#[derive(Debug, Clone, Default)]
pub(in crate::runs) struct ActionsDigest(Option<Sha256>);

/// Length of the digest in bytes: enough that no two games of a million agree by chance.
const DIGEST: usize = 8;

impl ActionsDigest {
    pub fn update(&mut self, action: &str, public: &str) {
        let played = self.0.get_or_insert_default();
        for part in [action, " ", public, "\n"] {
            played.update(part);
        }
    }

    pub fn update_left(&mut self, seat: &str) {
        self.update("", seat);
    }

    /// The digest in hexadecimal digits; empty before the first ply.
    pub fn text(&self) -> String {
        let Some(played) = &self.0 else {
            return String::new();
        };
        hex(&played.clone().finalize()[..DIGEST])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::cachex;

    fn plies(rows: &str) -> Result<Vec<LoggedPly>, String> {
        let log = [LOG_HEADER.as_bytes(), rows.as_bytes()].concat();
        let plies = read_plies(&log, Path::new("1.csv"), cachex::GAME);
        plies.map_err(|error| error.to_string())
    }

    #[test]
    fn whatever_is_wrong_is_named() {
        for (rows, words) in [
            ("2,red,a1,,,,,,,,,\n", "it has ply 2, expected 1"),
            (
                "1,red,a1,,,,,,,,,\n1,red,a2,,,,,,,,,\n",
                "it has ply 1, expected 2",
            ),
            (
                "1,blue,a1,,,,,,,,,\n1,red,a2,,,,,,,,,\n",
                "it has ply 1, expected 2",
            ),
            ("1,red,a1,,,,,,,,\n", "it has 11 fields, expected 12"),
            ("1,red,a1,,,,,,,,,,\n", "it has 13 fields, expected 12"),
            ("1,white,a1,,,,,,,,,\n", "it has `white` as `seat`"),
            ("1,red,a1,,5,,,,,,,\n", "it has some of its times"),
            ("1,red,a1,,x,4,0,,,,,\n", "it has `x` as `wall_us`"),
            ("1,red,a1,,5,4,0,,,x,,\n", "it has `x` as `rules_us`"),
            ("1,red,a1,,5,4,0,,,,a=b,\n", "it has `a=b` as `values`"),
            ("1,red,a1,,5,4,0,,,,,-1\n", "it has `-1` as `output_bytes`"),
        ] {
            let error = plies(rows).expect_err(rows);
            assert!(error.contains(words), "{error}");
        }
    }
}
