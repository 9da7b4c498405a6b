//! A game as a value: its definition and options, and the games that a reader may meet.

mod games;
mod options;

use std::borrow::Cow;
use std::fmt::{self, Debug};
use std::hash::{Hash, Hasher};
use std::ops::{Deref, DerefMut};
use std::path::PathBuf;

pub use games::{Games, ProgramGames, name_of_label};
pub use options::{GameOptions, Limit, OptionDoc, OptionError, Values};

use crate::game::{Actors, Chance, GameResult, PerSeat, Reason, Seat, Seats};

/// Facts about a game that do not depend on its options: names and reasons. A built-in game writes them down;
/// for any other game they are read at run time.
#[derive(Debug)]
pub struct Definition {
    /// The name in configs, the protocol and records.
    pub name: &'static str,
    /// The names of its seats, in the order of play. There are at least two, and at most
    /// [`MOST_SEATS`](crate::game::MOST_SEATS).
    pub seats: &'static [&'static str],
    pub hides_something: bool,
    pub options: &'static [OptionDoc],
    pub defaults: &'static dyn GameOptions,
    pub reasons: &'static [Reason],
    pub origin: Origin,
    /// The engines that write its actions as it does.
    pub notation: Option<EngineProtocol>,
}

/// A game: equal by its name and whether its rules are a program.
#[derive(Clone, Copy)]
pub struct Game(pub &'static Definition);

impl Game {
    /// A game whose definition was read at run time. The definition lives as long as the process, so that a game stays
    /// as light as a name: read each once.
    pub fn read(definition: Definition) -> Self {
        Self(Box::leak(Box::new(definition)))
    }

    pub fn name(self) -> &'static str {
        self.0.name
    }

    /// The name in tables and on pages, where a rules program that shares the name of a built-in game is told apart.
    pub fn label(self) -> &'static str {
        self.program().map_or(self.name(), |program| program.label)
    }

    pub fn seat_names(self) -> &'static [&'static str] {
        self.0.seats
    }

    pub fn seats(self) -> impl DoubleEndedIterator<Item = Seat> + ExactSizeIterator + Clone {
        Seat::all(self.seat_count())
    }

    pub fn seat_count(self) -> usize {
        self.0.seats.len()
    }

    pub fn per_seat<T>(self, value: impl FnMut(Seat) -> T) -> PerSeat<T> {
        PerSeat::of(self.seat_count(), value)
    }

    pub fn seat_name(self, seat: Seat) -> &'static str {
        self.0.seats[seat.index()]
    }

    /// The result of a game that these seats lost: they are last, and the others share the places above.
    pub fn lost_by(self, losers: Seats) -> GameResult {
        GameResult::Drawn.below_which(self.seat_count(), &[losers])
    }

    /// The place of each seat in a game of more than two; of two the result says all.
    pub fn places(self, result: GameResult) -> Option<Vec<u8>> {
        let seats = self.seat_count();
        (seats > 2).then(|| result.places(seats).into_values().collect())
    }

    /// The name of a result in the protocol and in records: the winner's seat, several joined by `+`, `draw`, or `none`.
    pub fn result_name(self, result: GameResult) -> Cow<'static, str> {
        match result {
            GameResult::Won(seat) => self.seat_name(seat).into(),
            GameResult::Drawn => "draw".into(),
            GameResult::Nobody => "none".into(),
            GameResult::Placed(places) => {
                let names: Vec<&str> = places.best().map(|seat| self.seat_name(seat)).collect();
                match names.is_empty() {
                    true => "none".into(),
                    false => names.join("+").into(),
                }
            }
        }
    }

    pub fn result_from_name(self, name: &str) -> Option<GameResult> {
        let mut results = GameResult::OF_TWO.into_iter();
        results.find(|result| self.result_name(*result) == name)
    }

    pub fn result_words(self, result: GameResult, name: &dyn Fn(Seat) -> String) -> String {
        let winners: Vec<String> = result.winners().iter().map(name).collect();
        match (result, &winners[..]) {
            (GameResult::Drawn, _) => "a draw".to_owned(),
            (_, []) => "nobody wins".to_owned(),
            (_, [winner]) => format!("{winner} wins"),
            (_, several) => format!("{} share the first place", several.join(" and ")),
        }
    }

    /// The names of the seats that act, joined by `+` as their actions are; `None` once the game is over.
    pub fn actor_names(self, actors: Actors) -> Option<String> {
        let names = self.per_seat(|seat| self.seat_name(seat));
        (!actors.is_nobody()).then(|| actors.join(&names))
    }

    pub fn seat_from_name(self, name: &str) -> Option<Seat> {
        self.seats().find(|seat| self.seat_name(*seat) == name)
    }

    pub fn hides_something(self) -> bool {
        self.0.hides_something
    }

    /// The rules by which a game of this kind can end, and the ends that a plan can ask for.
    pub fn reasons(self) -> impl Iterator<Item = Reason> {
        self.0.reasons.iter().copied().chain(Reason::PLANNED)
    }

    pub fn reason_from_name(self, name: &str) -> Option<Reason> {
        let mut all = self.reasons().chain([Reason::RESIGNED]);
        let known = all.find(|reason| reason.name() == name);
        // A rules program may name reasons that its hello does not list.
        known.or_else(|| {
            self.program()?;
            [Reason::MAX_PLIES]
                .into_iter()
                .find(|reason| reason.name() == name)
                .or_else(|| Reason::interned(name))
        })
    }

    pub fn program(self) -> Option<&'static RulesProgram> {
        match &self.0.origin {
            Origin::BuiltIn => None,
            Origin::Program(program) => Some(program),
        }
    }

    /// Whether an opening can be drawn from the legal actions: they are listed, and rules that are a program hide nothing.
    pub fn has_random_openings(self) -> bool {
        self.program()
            .is_none_or(|program| program.lists_legal && !self.hides_something())
    }

    pub fn notation(self) -> Option<EngineProtocol> {
        self.0.notation
    }

    pub fn options(self) -> &'static [OptionDoc] {
        self.0.options
    }
}

impl Debug for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl PartialEq for Game {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name() && self.program().is_some() == other.program().is_some()
    }
}

impl Eq for Game {}

impl Hash for Game {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name().hash(state);
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BookFormat {
    /// A position a line: Extended Position Description, or FEN.
    Epd,
    /// Games: Portable Game Notation.
    Pgn,
    /// Positions with their moves, in bytes.
    Polyglot,
}

impl BookFormat {
    pub fn from_ending(ending: &str) -> Option<Self> {
        match ending.to_ascii_lowercase().as_str() {
            "epd" | "fen" => Some(Self::Epd),
            "pgn" => Some(Self::Pgn),
            "bin" => Some(Self::Polyglot),
            _ => None,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Epd => "EPD",
            Self::Pgn => "PGN",
            Self::Polyglot => "Polyglot's format",
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BookOpening {
    /// The line on which it begins, from 1.
    pub line: usize,
    /// The setting of its start, if it has one, and its actions.
    pub words: String,
}

/// Reads a book line by line, so that a large one is never in memory as a whole.
pub trait BookReader {
    /// Takes the next line, with its number, or `None` at the end. Adds the openings that end before or in it, and why
    /// others are none.
    fn read(
        &mut self,
        line: Option<(usize, &str)>,
        openings: &mut Vec<Result<BookOpening, BookProblem>>,
    ) -> Result<(), BookProblem>;
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{problem}")]
pub struct BookProblem {
    /// The line, from 1.
    pub line: usize,
    /// The problem, in words that follow the place.
    pub problem: String,
}

crate::named! {
    pub enum EngineProtocol {
        Uci = "uci",
        Usi = "usi",
        Gtp = "gtp",
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    BuiltIn,
    Program(RulesProgram),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RulesProgram {
    /// The name of the game in tables and on pages: its own, unless the harness has another game of this name.
    pub label: &'static str,
    pub command: RulesCommand,
    /// The lines of its hello, each with a line feed.
    pub hello: String,
    /// Whether it plays with any number of seats of a range.
    pub has_seat_range: bool,
    pub lists_legal: bool,
    /// Whether it says with each turn what its seats may do, so that bots are told.
    pub offers: bool,
    /// Whether an action is a line, blanks included.
    pub lines: bool,
    /// Whether a seat can leave and the others play on.
    pub drops: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RulesCommand {
    /// The program and its arguments: at least one word.
    pub words: Vec<String>,
    pub dir: PathBuf,
    /// Number of seats; `None` leaves it to the program, which takes the fewest of a range.
    pub seats: Option<u8>,
    /// Time for an answer, in milliseconds.
    pub answer_ms: u64,
    /// Time for its hello, and to begin a game, in milliseconds.
    pub start_ms: u64,
    /// Memory of the program with all its processes, in bytes.
    pub memory: u64,
    /// Whether the folder is the program's own, and all of it decides how the program plays.
    pub owns_dir: bool,
}

/// A game with its options, ready to start. Dereferences to the options.
#[derive(Debug, Clone)]
pub struct Setup {
    game: Game,
    options: Box<dyn GameOptions>,
}

impl PartialEq for Setup {
    fn eq(&self, other: &Self) -> bool {
        let mut docs = self.game.options().iter();
        self.game == other.game && docs.all(|doc| self.get(doc.key) == other.get(doc.key))
    }
}

impl Eq for Setup {}

impl Deref for Setup {
    type Target = dyn GameOptions;

    fn deref(&self) -> &Self::Target {
        self.options.as_ref()
    }
}

impl DerefMut for Setup {
    fn deref_mut(&mut self) -> &mut Self::Target {
        self.options.as_mut()
    }
}

impl Setup {
    pub fn new(game: Game) -> Self {
        Self {
            game,
            options: game.0.defaults.boxed(),
        }
    }

    pub fn game(&self) -> Game {
        self.game
    }

    /// This game with everything set that is public and left to chance; `None` if nothing is.
    pub fn settled(&self, chance: &mut dyn Chance) -> Option<Self> {
        let options = self.options.settled(chance)?;
        Some(Self { options, ..*self })
    }

    /// All options that a player may know, with their values.
    pub fn public_options(&self) -> Vec<(&'static str, String)> {
        self.game
            .options()
            .iter()
            .filter(|doc| !doc.secret)
            .filter_map(|doc| Some((doc.key, self.get(doc.key)?)))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::game::BUILT_IN;

    #[test]
    fn names_lead_back_to_what_they_name() {
        for game in BUILT_IN {
            assert_eq!(BUILT_IN.named(game.name()), Some(game));
            for seat in game.seats() {
                assert_eq!(game.seat_from_name(game.seat_name(seat)), Some(seat));
            }
            assert_eq!(game.seat_from_name("draw"), None);
            let names: BTreeSet<&str> = game.reasons().map(Reason::name).collect();
            assert_eq!(
                names.len(),
                game.reasons().count(),
                "each reason has its name"
            );
            for reason in game.reasons() {
                assert_eq!(game.reason_from_name(reason.name()), Some(reason));
            }
            assert_eq!(game.reason_from_name("rules"), None);
        }
    }
}
