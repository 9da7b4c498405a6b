//! The table of a game, in configurations and manifests.

use std::path::PathBuf;

use toml::{Spanned, Value};

use super::adjudication::{ADJUDICATION_KEYS, adjudication, adjudication_numbers};
use super::{
    DROP, FORFEIT, LONGEST_OPENING, OpeningOrder, OpeningUse, Openings, PlannedGame, PlannedOpening,
};
use crate::config::file::{Base, GameTable, did_you_mean, in_brackets, one_of, whole_number};
use crate::config::{Flaw, RulesLimits};
use crate::game::{Game, Games, MOST_SEATS, OptionError, RulesCommand, Setup};
use crate::pgn::is_writable;
use crate::rating::Openings as OpeningsAre;
use crate::referee::{Adjudication, TablebaseTerms};

/// Keys of a game that are neither options nor adjudication.
const NAME: &str = "name";
const OPENINGS: &str = "openings";
const OPENING_ORDER: &str = "opening-order";
const OPENING_FIRST: &str = "opening-first";
const OPENING_LENGTH: &str = "opening-length";
const OPENINGS_ARE: &str = "openings-are";
const SKIP_BAD_OPENINGS: &str = "skip-bad-openings";
const RULES: &str = "rules";
const DIR: &str = "dir";
const SEATS: &str = "seats";
const SYZYGY: &str = "syzygy";
const SYZYGY_PIECES: &str = "syzygy-pieces";
const SYZYGY_FIFTY_MOVES: &str = "syzygy-fifty-moves";
const MOST_PIECES: u32 = 7;
/// In manifests only: the hello of a rules program, and the digest of its files.
const HELLO: &str = "hello";
const DIGEST: &str = "rules-digest";
const KEYS: [&str; 16] = [
    NAME,
    OPENINGS,
    OPENING_ORDER,
    OPENING_FIRST,
    OPENING_LENGTH,
    OPENINGS_ARE,
    SKIP_BAD_OPENINGS,
    RULES,
    DIR,
    SEATS,
    SYZYGY,
    SYZYGY_PIECES,
    SYZYGY_FIFTY_MOVES,
    FORFEIT,
    HELLO,
    DIGEST,
];

fn all_keys<'a>(options: &'a [&'static str]) -> impl Iterator<Item = &'a str> {
    let keys = KEYS.iter().chain(&ADJUDICATION_KEYS).chain(options);
    keys.copied()
}

/// Whether a key of a game is an option of its rules.
pub(crate) fn is_option(key: &str) -> bool {
    !KEYS.contains(&key) && !ADJUDICATION_KEYS.contains(&key)
}

impl GameTable {
    /// The table of a game; `openings` names its listed openings, if it has any.
    pub(crate) fn new(planned: &PlannedGame, openings: impl FnOnce(&Openings) -> String) -> Self {
        let mut table = Self::of(planned.game());
        if let Some(program) = planned.game().program() {
            table.set_command(&program.command);
            table.set(DIR, program.command.dir.display().to_string());
            table.set(HELLO, program.hello.clone());
        }
        if planned.drops {
            table.set(FORFEIT, DROP.to_owned());
        }
        if let Some(listed) = planned.openings() {
            table.set(OPENINGS, openings(listed));
            table.set(OPENING_ORDER, listed.order.name().to_owned());
            if listed.first > 1 {
                table.set_value(OPENING_FIRST, Value::Integer(listed.first as i64));
            }
            if listed.are == OpeningsAre::All {
                table.set(OPENINGS_ARE, listed.are.name().to_owned());
            }
        }
        if let (Some(folder), Some(terms)) = (&planned.syzygy, planned.adjudication.tablebase) {
            table.set(SYZYGY, folder.display().to_string());
            table.set_value(SYZYGY_PIECES, Value::Integer(terms.pieces.into()));
            table.set_value(SYZYGY_FIFTY_MOVES, Value::Boolean(terms.fifty_moves));
        }
        let numbers = adjudication_numbers(planned.adjudication);
        for (key, number) in ADJUDICATION_KEYS.into_iter().zip(numbers) {
            if let Some(number) = number {
                table.set(key, number.to_string());
            }
        }
        for doc in planned.game().options() {
            if let Some(value) = planned.setup.get(doc.key) {
                table.set(doc.key, value);
            }
        }
        table
    }

    pub(in crate::config) fn of(game: Game) -> Self {
        let mut table = Self::default();
        table.set(NAME, game.name().to_owned());
        table
    }

    pub(in crate::config) fn set_command(&mut self, command: &RulesCommand) {
        let words = command.words.iter().cloned();
        self.set_value(RULES, Value::Array(words.map(Value::String).collect()));
        if let Some(seats) = command.seats {
            self.set_value(SEATS, Value::Integer(seats.into()));
        }
        if command.owns_dir {
            self.set(DIR, command.dir.display().to_string());
        }
    }

    pub(crate) fn with_rules_digest(mut self, digest: String) -> Self {
        self.set(DIGEST, digest);
        self
    }

    /// The digest of the rules program's files; in manifests only.
    pub fn rules_digest(&self) -> Option<&str> {
        self.get(DIGEST)?.1.get_ref().as_str()
    }

    pub(crate) fn without_dir(&self) -> Self {
        let mut table = self.clone();
        table.0.retain(|key, _| key.get_ref() != DIR);
        table
    }

    /// Whether the digest is of the files in the command alone, as the program has no folder of its own.
    fn is_digest_of_command(&self) -> bool {
        self.rules_digest()
            .is_some_and(|digest| digest.starts_with("sha256:"))
    }

    pub(super) fn get(&self, name: &str) -> Option<(&Spanned<String>, &Spanned<Value>)> {
        self.0.iter().find(|(key, _)| key.get_ref() == name)
    }

    pub fn name(&self) -> &str {
        let name = self.get(NAME).and_then(|(_, name)| name.get_ref().as_str());
        name.unwrap_or_default()
    }

    /// The game with its options; `at` is the byte offset of the table.
    pub(crate) fn setup(&self, at: usize, base: Base<'_>) -> Result<Setup, Flaw> {
        let game = match self.get(RULES) {
            Some((_, rules)) => self.program_game(rules, base)?,
            None => self.known_game(at, base.games)?,
        };
        let mut setup = Setup::new(game);
        for (key, value) in self.0.iter().filter(|(key, _)| is_option(key.get_ref())) {
            set_option(&mut setup, key, value)?;
        }
        Ok(setup)
    }

    fn program_game(&self, rules: &Spanned<Value>, base: Base<'_>) -> Result<Game, Flaw> {
        let words = rules.get_ref().as_array().and_then(|words| {
            let words = words.iter().map(|word| word.as_str().map(str::to_owned));
            words.collect::<Option<Vec<String>>>()
        });
        let words = words.filter(|words| !words.is_empty()).ok_or_else(|| {
            let problem = "`rules` is no command: expected its words, such as [\"python3\", \"connect_four.py\"]";
            Flaw::of(rules, problem)
        })?;
        let programs = base
            .games
            .programs()
            .ok_or_else(|| Flaw::of(rules, "`rules`: no rules program can be started here"))?;
        let owns_dir = self.get(DIR).is_some() && !self.is_digest_of_command();
        let dir = self.program_dir(base)?;
        let command = RulesCommand {
            seats: self.seats()?.map(|(_, seats)| seats),
            ..base.rules_limits.command(words, dir, owns_dir)
        };
        let game = match self.get(HELLO).filter(|_| base.is_manifest) {
            Some((_, hello)) => {
                programs.recorded(command, hello.get_ref().as_str().unwrap_or_default())
            }
            None => programs.ask(command),
        };
        let game = game.map_err(|fault| Flaw {
            is_of_machine: fault.is_kill() || fault.is_of_machine(),
            ..Flaw::of(rules, format!("`rules`: {fault}"))
        })?;
        self.check_program(game)?;
        Ok(game)
    }

    fn seats(&self) -> Result<Option<(&Spanned<Value>, u8)>, Flaw> {
        let Some((_, value)) = self.get(SEATS) else {
            return Ok(None);
        };
        let seats = whole_number(SEATS, value, 2..=MOST_SEATS as i64)? as u8;
        Ok(Some((value, seats)))
    }

    /// Working directory of the rules program: the folder of the configuration if no other is named.
    fn program_dir(&self, base: Base<'_>) -> Result<PathBuf, Flaw> {
        let dir = self.text(DIR, "a folder")?;
        let path = base.path(dir.as_ref().map_or(".", |dir| dir.get_ref()));
        match dir {
            Some(dir) if !base.is_manifest && !path.is_dir() => {
                let hint = base.hint(dir.get_ref());
                let problem = format!("`dir`: there is no folder `{}`{hint}", path.display());
                Err(Flaw::of(&dir, problem))
            }
            _ => Ok(std::path::absolute(&path).unwrap_or(path)),
        }
    }

    /// Checks what the program said of itself against this table.
    fn check_program(&self, game: Game) -> Result<(), Flaw> {
        if let Some((_, name)) = self.get(NAME)
            && self.name() != game.name()
        {
            let problem = format!(
                "`name` is {}, and the rules program calls its game \"{}\": expected that name, or none",
                name.get_ref(),
                game.name()
            );
            return Err(Flaw::of(name, problem));
        }
        let mut keys = game.options().iter().map(|option| option.key);
        let taken = keys.find(|key| !is_option(key));
        let place = self.get(RULES).map(|(_, rules)| rules.span().start);
        match (taken, place) {
            (Some(key), Some(place)) => Err(Flaw::at(
                place,
                format!(
                    "the rules program has an option `{key}`, which is a key of `[game]`: expected another name"
                ),
            )),
            _ => Ok(()),
        }
    }

    fn known_game(&self, at: usize, games: Games) -> Result<Game, Flaw> {
        let names = games.names();
        let (_, name) = self.get(NAME).ok_or_else(|| {
            let problem = format!("a game has no `name`: expected one of {names}, or `rules` with the command of a rules program");
            Flaw::at(at, problem)
        })?;
        if let Some((key, _)) = self.get(DIR) {
            return Err(Flaw::of(key, "`dir` goes with `rules` only"));
        }
        let game = games.named(self.name()).ok_or_else(|| {
            let hint = did_you_mean(self.name(), games.into_iter().map(Game::name));
            let hint = in_brackets(hint);
            let name_text = name.get_ref();
            let problem = format!(
                    "unknown game {name_text}{hint}: expected one of {names}, or `rules` with the command of a rules \
                     program"
                );
            Flaw::of(name, problem)
        })?;
        match self.seats()? {
            Some((value, seats)) if usize::from(seats) != game.seat_count() => {
                let (name, count) = (game.name(), game.seat_count());
                let problem = format!("`seats` is {seats}, and {name} has {count}");
                Err(Flaw::of(value, problem))
            }
            _ => Ok(game),
        }
    }

    /// The text that names the openings, and how they are used, if there are any.
    pub(crate) fn openings(&self) -> Result<Option<(Spanned<String>, OpeningUse)>, Flaw> {
        if self.get(OPENINGS).is_none() {
            let keys = [
                OPENING_ORDER,
                OPENING_FIRST,
                OPENING_LENGTH,
                OPENINGS_ARE,
                SKIP_BAD_OPENINGS,
            ];
            return self.refuse_alone(&keys, OPENINGS);
        }
        let order = self.word(OPENING_ORDER, OpeningOrder::ALL, OpeningOrder::name)?;
        let order = order.unwrap_or(OpeningOrder::Random);
        let are = self.word(OPENINGS_ARE, OpeningsAre::ALL, OpeningsAre::name)?;
        if let (Some((key, _)), OpeningOrder::Random) = (self.get(OPENING_FIRST), order) {
            let problem = "`opening-first` goes with `opening-order = \"sequential\"` only";
            return Err(Flaw::of(key, problem));
        }
        let length = self.whole(OPENING_LENGTH, LONGEST_OPENING.into())?;
        let used = OpeningUse {
            order,
            first: self.whole(OPENING_FIRST, i64::MAX)?.unwrap_or(1) as usize,
            length: length.map(|length| length as u32),
            are: are.unwrap_or_default(),
            skips_bad: self.flag(SKIP_BAD_OPENINGS)?.unwrap_or(false),
        };
        let path = self.text(OPENINGS, "the path of a file")?;
        Ok(path.map(|path| (path, used)))
    }

    /// Refuses keys that go with another only, which is not there.
    fn refuse_alone<T>(&self, keys: &[&str], with: &str) -> Result<Option<T>, Flaw> {
        let alone = keys.iter().find_map(|key| self.get(key));
        alone.map_or(Ok(None), |(key, _)| {
            let problem = format!("`{}` goes with `{with}` only", key.get_ref());
            Err(Flaw::of(key, problem))
        })
    }

    fn text(&self, key: &str, expected: &str) -> Result<Option<Spanned<String>>, Flaw> {
        let value = self.get(key).map(|(_, value)| {
            let text = value.get_ref().as_str().ok_or_else(|| {
                Flaw::of(value, format!("`{key}` is not a text: expected {expected}"))
            });
            text.map(|text| Spanned::new(value.span(), text.to_owned()))
        });
        value.transpose()
    }

    fn flag(&self, key: &str) -> Result<Option<bool>, Flaw> {
        let value = self.get(key).map(|(_, value)| {
            let problem = || Flaw::of(value, format!("`{key}` is neither true nor false"));
            value.get_ref().as_bool().ok_or_else(problem)
        });
        value.transpose()
    }

    fn word<T: Copy>(
        &self,
        key: &str,
        all: [T; 2],
        name: impl Fn(T) -> &'static str,
    ) -> Result<Option<T>, Flaw> {
        let word = self.text(key, "one of its words")?;
        word.map(|word| one_of(key, &word, all, name)).transpose()
    }

    /// A whole number from 1 to `most`, if the key is there.
    fn whole(&self, key: &str, most: i64) -> Result<Option<i64>, Flaw> {
        let value = self
            .get(key)
            .map(|(_, value)| whole_number(key, value, 1..=most));
        value.transpose()
    }

    pub(in crate::config) fn syzygy(&self) -> Result<Option<Spanned<String>>, Flaw> {
        self.text(SYZYGY, "a folder")
    }

    fn tablebase(&self, game: Game) -> Result<Option<TablebaseTerms>, Flaw> {
        let Some((key, _)) = self.get(SYZYGY) else {
            return self.refuse_alone(&[SYZYGY_PIECES, SYZYGY_FIFTY_MOVES], SYZYGY);
        };
        if !is_writable(game) {
            return Err(Flaw::of(
                key,
                "`syzygy` is for chess: expected it in a game of chess",
            ));
        }
        let pieces = self.whole(SYZYGY_PIECES, MOST_PIECES.into())?;
        Ok(Some(TablebaseTerms {
            pieces: pieces.map_or(MOST_PIECES, |pieces| pieces as u32),
            fifty_moves: self.flag(SYZYGY_FIFTY_MOVES)?.unwrap_or(true),
        }))
    }

    /// The game with its options and opening, and the adjudication of this table.
    pub(crate) fn planned(
        &self,
        setup: Setup,
        opening: PlannedOpening,
        rules_limits: RulesLimits,
    ) -> Result<PlannedGame, Flaw> {
        let planned = PlannedGame::new(setup, opening);
        let is_program = planned.game().program().is_some();
        let syzygy = self.syzygy()?.map(Spanned::into_inner);
        Ok(PlannedGame {
            drops: self.checked_drops(planned.game())?,
            adjudication: Adjudication {
                // Built-in rules bound their games themselves.
                most_plies: is_program.then_some(rules_limits.plies),
                tablebase: self.tablebase(planned.game())?,
                ..adjudication(self, &planned)?
            },
            syzygy: syzygy.map(PathBuf::from),
            ..planned
        })
    }
}

fn set_option(
    setup: &mut Setup,
    key: &Spanned<String>,
    value: &Spanned<Value>,
) -> Result<(), Flaw> {
    let text = match value.get_ref() {
        Value::String(text) => text.clone(),
        Value::Integer(number) => number.to_string(),
        Value::Boolean(true) => "yes".to_owned(),
        Value::Boolean(false) => "no".to_owned(),
        other => other.to_string(),
    };
    let game = setup.game().name();
    setup.set(key.get_ref(), &text).map_err(|error| match error {
        OptionError::Unknown { ref known } => Flaw::of(
            key,
            format!(
                "unknown key `{}`{}, expected `name`, `rules`, `dir`, `openings`, `opening-order`, `opening-first`, `opening-length`, `openings-are`, `skip-bad-openings`, `syzygy`, `syzygy-pieces`, `syzygy-fifty-moves`, `{}` or an option of {game}: `{}`",
                key.get_ref(),
                in_brackets(did_you_mean(key.get_ref(), all_keys(known))),
                ADJUDICATION_KEYS.join("`, `"),
                known.join("`, `")
            ),
        ),
        OptionError::Value { .. } => {
            Flaw::of(value, format!("`{}` cannot be `{text}`: {error}", key.get_ref()))
        }
    })
}
