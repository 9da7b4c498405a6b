//! Options that select games.

use std::collections::BTreeSet;

use crate::config::{did_you_mean, in_brackets};
use crate::game::{BUILT_IN, Seat, name_of_label};
use crate::referee::Termination;
use crate::report::{listed, shortened};
use crate::results::ResultRow;
use crate::runs::player_column;
use crate::text::{self, counted, visible};

/// A game passes if it passes all filters that are given. Where a filter is given several times, one of
/// its values is enough, except for options: a game must have all of them.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Only some games")]
pub struct GameFilter {
    /// Only games of this player
    #[arg(long, value_name = "NAME", value_parser = parse_name)]
    player: Vec<String>,
    /// Only games where that player had this seat: its name in the game, such as red, or first, second and so on
    #[arg(long, value_name = "SEAT", requires = "player")]
    seat: Option<String>,
    /// Only games between two players named by --player
    #[arg(long, requires = "player")]
    among: bool,
    /// Only games with this termination, as in the column `termination`
    #[arg(long, value_name = "NAME")]
    termination: Vec<String>,
    /// Only games of this date or later: 2026, 2026-03, 2026-03-31T12:00; without those whose date is not known
    #[arg(long, value_name = "DATE", value_parser = parse_date)]
    since: Option<String>,
    /// Only games of this date or earlier, including all of that year, month or day; without those whose date is not
    /// known
    #[arg(long, value_name = "DATE", value_parser = parse_date)]
    until: Option<String>,
    /// Only games with this option, such as size=9
    #[arg(long, value_name = "KEY=VALUE")]
    option: Vec<String>,
    /// Only this game, such as cachex
    #[arg(long, value_name = "NAME")]
    game: Vec<String>,
}

/// An invalid value of a filter.
#[derive(Debug, thiserror::Error)]
pub enum FilterError {
    #[error("expected a date with the year first, such as 2026, 2026-03 or 2026-03-31T12:00")]
    Date,
    #[error("{flag} {value}: no game has it{}; there is {there}", in_brackets(.hint.clone()))]
    Unknown {
        flag: &'static str,
        value: String,
        hint: Option<String>,
        there: String,
    },
}

/// Maximum number of known values in a message, and characters of each.
const LISTED: usize = 20;
const COLUMNS: usize = 40;

fn parse_name(text: &str) -> Result<String, std::convert::Infallible> {
    Ok(text::name(text).into_owned())
}

/// Parses a date, or a prefix of one that ends after a part.
fn parse_date(text: &str) -> Result<String, FilterError> {
    const FORM: &str = "0000-00-00T00:00:00Z";
    let fits = |(c, form): (char, char)| match form {
        '0' => c.is_ascii_digit(),
        other => c == other,
    };
    let is_whole = [4, 7, 10, 13, 16, 19, 20].contains(&text.len());
    if is_whole && text.chars().zip(FORM.chars()).all(fits) {
        Ok(text.to_owned())
    } else {
        Err(FilterError::Date)
    }
}

/// Filter values without a match so far: they may be misspelt.
pub struct UnmatchedFilters<'a> {
    values: [UnseenValues<'a>; 4],
}

struct UnseenValues<'a> {
    flag: &'static str,
    wanted: BTreeSet<&'a str>,
    /// Values of games, to suggest one.
    there: BTreeSet<String>,
}

impl<'a> UnmatchedFilters<'a> {
    /// Takes in a game, independent of whether it passes.
    pub fn see(&mut self, row: &ResultRow<'_>) {
        if self.values.iter().all(|values| values.wanted.is_empty()) {
            return;
        }
        let [game, termination, option, seat] = &mut self.values;
        game.see(row.game);
        termination.see(row.termination);
        for one in row.options.split(' ') {
            option.see(one);
        }
        for (at, _) in row.names.iter() {
            let [word, name] = seat_words(row, at);
            seat.wanted.remove(word);
            seat.see(name);
        }
    }

    /// # Errors
    /// No game has one of the values.
    pub fn none_left(&self) -> Result<(), FilterError> {
        for values in &self.values {
            // A run without games has no values to compare with.
            if let (Some(value), false) = (values.wanted.first(), values.there.is_empty()) {
                let there: Vec<&str> = values.there.iter().map(String::as_str).collect();
                return Err(FilterError::Unknown {
                    flag: values.flag,
                    value: (*value).to_owned(),
                    hint: did_you_mean(value, there.iter().copied()),
                    there: listed(&there, there.len(), LISTED, ", ", |value| {
                        shortened(&visible(value), COLUMNS)
                    }),
                });
            }
        }
        Ok(())
    }
}

impl<'a> UnseenValues<'a> {
    fn new(flag: &'static str, wanted: &'a [String], is_known: impl Fn(&str) -> bool) -> Self {
        let wanted = wanted.iter().map(String::as_str);
        Self {
            flag,
            wanted: wanted.filter(|value| !is_known(value)).collect(),
            there: BTreeSet::new(),
        }
    }

    fn see(&mut self, value: &str) {
        if !self.wanted.is_empty() && !value.is_empty() && !self.there.contains(value) {
            self.wanted.remove(value);
            self.there.insert(value.to_owned());
        }
    }
}

impl GameFilter {
    /// Filter values that this program does not know, so that a game must have them.
    pub fn unseen(&self) -> UnmatchedFilters<'_> {
        let is_option = |text: &str| {
            let key = text.split_once('=').map_or(text, |(key, _)| key);
            let mut options = BUILT_IN.into_iter().flat_map(|game| game.options());
            options.any(|option| option.key == key)
        };
        UnmatchedFilters {
            values: [
                UnseenValues::new("--game", &self.game, |name| BUILT_IN.named(name).is_some()),
                UnseenValues::new("--termination", &self.termination, |name| {
                    Termination::from_name(name).is_some()
                }),
                UnseenValues::new("--option", &self.option, is_option),
                UnseenValues::new("--seat", self.seat.as_slice(), |_| false),
            ],
        }
    }

    /// Players named by `--player`.
    pub fn players(&self) -> impl Iterator<Item = &str> {
        self.player.iter().map(String::as_str)
    }

    /// Whether a game passes all filters.
    pub fn keeps(&self, row: &ResultRow<'_>) -> bool {
        FILTERS.iter().all(|(_, passes)| passes(self, row))
    }

    fn is_given(&self, name: &str) -> bool {
        match name {
            "--player" => !self.player.is_empty(),
            "--termination" => !self.termination.is_empty(),
            "--game" => !self.game.is_empty(),
            "--since" => self.since.is_some(),
            "--until" => self.until.is_some(),
            "--option" => !self.option.is_empty(),
            _ => false,
        }
    }

    /// Whether a game passes all filters except dates, because its date is too vague for them.
    fn lacks_date_alone(&self, row: &ResultRow<'_>) -> bool {
        let date = known_date(row.date);
        let mut limits = self.since.iter().chain(&self.until);
        limits.any(|limit| is_undecided(date, limit))
            && FILTERS
                .iter()
                .filter(|(name, _)| !["--since", "--until"].contains(name))
                .all(|(_, passes)| passes(self, row))
    }

    fn passes_player(&self, row: &ResultRow<'_>) -> bool {
        if self.player.is_empty() {
            return true;
        }
        let named = row.names.each_ref();
        let named = named.map(|name| self.players().any(|player| player == *name));
        let seated = match &self.seat {
            None => named.contains(&true),
            Some(name) => seat_named(row, name).is_some_and(|seat| named[seat]),
        };
        seated && (!self.among || !named.contains(&false))
    }

    fn passes_termination(&self, row: &ResultRow<'_>) -> bool {
        is_one_of(&self.termination, row.termination)
    }

    fn passes_game(&self, row: &ResultRow<'_>) -> bool {
        is_one_of(&self.game, row.game) || is_one_of(&self.game, name_of_label(row.game))
    }

    // Dates begin with the year, so text order is time order.
    fn passes_since(&self, row: &ResultRow<'_>) -> bool {
        self.since.as_ref().is_none_or(|since| {
            let date = known_date(row.date);
            !is_undecided(date, since) && date >= since.as_str()
        })
    }

    fn passes_until(&self, row: &ResultRow<'_>) -> bool {
        self.until.as_ref().is_none_or(|until| {
            let date = known_date(row.date);
            !is_undecided(date, until)
                && (date <= until.as_str() || date.starts_with(until.as_str()))
        })
    }

    fn passes_option(&self, row: &ResultRow<'_>) -> bool {
        let has = |wanted: &String| row.options.split(' ').any(|option| option == wanted);
        self.option.iter().all(has)
    }
}

/// The word for a seat in the columns of a journal, and its name in the game, which is the word if the game is not known.
fn seat_words<'a>(row: &ResultRow<'a>, seat: Seat) -> [&'a str; 2] {
    let word = player_column(seat);
    [word, row.seats.get(seat.index()).copied().unwrap_or(word)]
}

/// The seat of a game that is called so. Where a name in the game is the word for another seat, the game's name counts.
fn seat_named(row: &ResultRow<'_>, name: &str) -> Option<Seat> {
    let find = |at: usize| {
        let mut seats = Seat::all(row.names.count());
        seats.find(|seat| seat_words(row, *seat)[at] == name)
    };
    find(1).or_else(|| find(0))
}

fn is_one_of(wanted: &[String], given: &str) -> bool {
    wanted.is_empty() || wanted.iter().any(|one| one == given)
}

/// Known prefix of a date: PGN has `?` for unknown digits. Empty without a year.
fn known_date(date: &str) -> &str {
    let known = date.split('?').next().unwrap_or_default();
    let known = known.trim_end_matches(['-', 'T', ':']);
    let year = known.bytes().take_while(u8::is_ascii_digit).count();
    if year == 4 { known } else { "" }
}

/// Whether a vague date may be on either side of a limit.
fn is_undecided(date: &str, limit: &str) -> bool {
    date.is_empty() || (date.len() < limit.len() && limit.starts_with(date))
}

/// Predicate of a filter. A filter that is not given passes every game.
type Passes = fn(&GameFilter, &ResultRow<'_>) -> bool;

/// Names and predicates of all filters.
const FILTERS: [(&str, Passes); 6] = [
    ("--player", GameFilter::passes_player),
    ("--termination", GameFilter::passes_termination),
    ("--game", GameFilter::passes_game),
    ("--since", GameFilter::passes_since),
    ("--until", GameFilter::passes_until),
    ("--option", GameFilter::passes_option),
];

/// Counters for games and filters.
#[derive(Debug, Default)]
pub struct FilterCounts {
    games: u64,
    kept: u64,
    /// Number of games that passed each filter alone; counted until one passes all.
    alone: [u64; FILTERS.len()],
    /// First and last date of the games; counted likewise.
    dates: Option<[String; 2]>,
    /// Number of games that pass all filters except an unknown date.
    undated: u64,
}

impl FilterCounts {
    /// Takes in a game. Returns whether it passes all filters.
    pub fn add(&mut self, filter: &GameFilter, row: &ResultRow<'_>) -> bool {
        self.games += 1;
        let passes = filter.keeps(row);
        self.kept += u64::from(passes);
        if !passes && filter.lacks_date_alone(row) {
            self.undated += 1;
        }
        if self.kept == 0 {
            for (count, (_, passes)) in self.alone.iter_mut().zip(FILTERS) {
                *count += u64::from(passes(filter, row));
            }
            self.add_date(known_date(row.date));
        }
        passes
    }

    fn add_date(&mut self, date: &str) {
        match &mut self.dates {
            _ if date.is_empty() => {}
            None => self.dates = Some([date, date].map(str::to_owned)),
            Some([first, _]) if date < first.as_str() => date.clone_into(first),
            Some([_, last]) if date > last.as_str() => date.clone_into(last),
            Some(_) => {}
        }
    }

    /// Notes on games that do not pass.
    pub fn notes(&self, filter: &GameFilter) -> Vec<String> {
        let mut notes = Vec::new();
        let has_dates = filter.since.is_some() || filter.until.is_some();
        if self.games > 0 && self.kept == 0 {
            let alone = self.alone.iter().zip(FILTERS);
            let given = alone.filter(|(_, (name, _))| filter.is_given(name));
            let given = given.map(|(passed, (name, _))| match passed {
                0 => format!("none passes {name}"),
                1 => format!("1 passes {name}"),
                passed => format!("{passed} pass {name}"),
            });
            let given = given.collect::<Vec<_>>().join(", ");
            let games = counted(self.games, "game", "games");
            let dates = match &self.dates {
                Some([first, last]) if has_dates => {
                    format!("; they are of {} to {}", visible(first), visible(last))
                }
                _ => String::new(),
            };
            notes.push(format!("no game is left of {games}: {given}{dates}"));
        }
        if self.undated > 0 {
            let games = counted(self.undated, "game", "games");
            notes.push(format!(
                "--since and --until leave out {games} whose date is not known, or not as exactly as theirs"
            ));
        }
        notes
    }
}
