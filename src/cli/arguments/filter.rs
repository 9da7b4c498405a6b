//! Options that select games.

use std::collections::BTreeSet;

use crate::cli::exit::Failure;
use crate::config::{did_you_mean, in_brackets};
use crate::game::{BUILT_IN, Seat, name_of_label};
use crate::referee::Termination;
use crate::report::{listed, shortened};
use crate::results::ResultRow;
use crate::runs::player_column;
use crate::text::{self, visible};

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
    /// Only games with this option, such as size=9
    #[arg(long, value_name = "KEY=VALUE")]
    option: Vec<String>,
    /// Only this game, such as cachex
    #[arg(long, value_name = "NAME")]
    game: Vec<String>,
}

/// Maximum number of known values in a message, and characters of each.
const LISTED: usize = 20;
const COLUMNS: usize = 40;

fn parse_name(text: &str) -> Result<String, std::convert::Infallible> {
    Ok(text::name(text).into_owned())
}

/// Filter values without a match so far: they may be misspelt.
pub struct UnmatchedFilters<'a>([UnseenValues<'a>; 4]);

struct UnseenValues<'a> {
    flag: &'static str,
    wanted: BTreeSet<&'a str>,
    there: BTreeSet<String>,
}

impl<'a> UnmatchedFilters<'a> {
    pub fn see(&mut self, row: &ResultRow<'_>) {
        if self.0.iter().all(|values| values.wanted.is_empty()) {
            return;
        }
        let [game, termination, option, seat] = &mut self.0;
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

    pub fn none_left(&self) -> Result<(), Failure> {
        for values in &self.0 {
            // A run without games has no values to compare with.
            if let (Some(value), false) = (values.wanted.first(), values.there.is_empty()) {
                let there: Vec<&str> = values.there.iter().map(String::as_str).collect();
                let hint = in_brackets(did_you_mean(value, there.iter().copied()));
                let some = listed(&there, there.len(), LISTED, ", ", |value| {
                    shortened(&visible(value), COLUMNS)
                });
                let flag = values.flag;
                return Err(Failure::usage(format!(
                    "{flag} {value}: no game has it{hint}; there is {some}"
                )));
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
        let is_termination = |name: &str| Termination::from_name(name).is_some();
        UnmatchedFilters([
            UnseenValues::new("--game", &self.game, |name| BUILT_IN.named(name).is_some()),
            UnseenValues::new("--termination", &self.termination, is_termination),
            UnseenValues::new("--option", &self.option, is_option),
            UnseenValues::new("--seat", self.seat.as_slice(), |_| false),
        ])
    }

    pub fn players(&self) -> impl Iterator<Item = &str> {
        self.player.iter().map(String::as_str)
    }

    pub fn keeps(&self, row: &ResultRow<'_>) -> bool {
        let has = |wanted: &String| row.options.split(' ').any(|option| option == wanted);
        let is_named = |name| is_one_of(&self.game, name);
        self.passes_player(row)
            && is_one_of(&self.termination, row.termination)
            && (is_named(row.game) || is_named(name_of_label(row.game)))
            && self.option.iter().all(has)
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
