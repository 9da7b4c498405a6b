//! The table of a game, in configurations and manifests.

use toml::{Spanned, Value};

use super::adjudication::{ADJUDICATION_KEYS, adjudication, adjudication_numbers};
use super::{OpeningOrder, Openings, PlannedGame, PlannedOpening};
use crate::config::Flaw;
use crate::config::file::{GameTable, did_you_mean, in_brackets};
use crate::game::{Game, Games, OptionError, Setup};

/// Keys of a game that are neither options nor adjudication.
const NAME: &str = "name";
const OPENINGS: &str = "openings";
const OPENING_ORDER: &str = "opening-order";
const KEYS: [&str; 3] = [NAME, OPENINGS, OPENING_ORDER];

/// All keys of a game with these options.
fn all_keys<'a>(options: &'a [&'static str]) -> impl Iterator<Item = &'a str> {
    let keys = KEYS.iter().chain(&ADJUDICATION_KEYS).chain(options);
    keys.copied()
}

fn is_option(key: &str) -> bool {
    !KEYS.contains(&key) && !ADJUDICATION_KEYS.contains(&key)
}

impl GameTable {
    /// The table of a game; `openings` names its listed openings, if it has any.
    pub(crate) fn new(planned: &PlannedGame, openings: impl FnOnce(&Openings) -> String) -> Self {
        let mut table = Self::of(planned.game());
        if let Some(listed) = planned.openings() {
            table.set(OPENINGS, openings(listed));
            table.set(OPENING_ORDER, listed.order().name().to_owned());
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

    /// The table of a game with its default options.
    pub(in crate::config) fn of(game: Game) -> Self {
        let mut table = Self::default();
        table.set(NAME, game.name().to_owned());
        table
    }

    fn get(&self, name: &str) -> Option<(&Spanned<String>, &Spanned<Value>)> {
        self.0.iter().find(|(key, _)| key.get_ref() == name)
    }

    /// Name of the game; empty without one.
    pub fn name(&self) -> &str {
        let name = self.get(NAME).and_then(|(_, name)| name.get_ref().as_str());
        name.unwrap_or_default()
    }

    /// One of `games` with its options; `at` is the byte offset of the table.
    pub(crate) fn setup(&self, at: usize, games: Games) -> Result<Setup, Flaw> {
        let names = games.names();
        let (_, name) = self.get(NAME).ok_or_else(|| {
            Flaw::at(at, format!("a game has no `name`: expected one of {names}"))
        })?;
        let game = games.named(self.name()).ok_or_else(|| {
            let hint = did_you_mean(self.name(), games.into_iter().map(Game::name));
            let hint = in_brackets(hint);
            let name_text = name.get_ref();
            Flaw::of(
                name,
                format!("unknown game {name_text}{hint}: expected one of {names}"),
            )
        })?;
        let mut setup = Setup::new(game);
        for (key, value) in self.0.iter().filter(|(key, _)| is_option(key.get_ref())) {
            set_option(&mut setup, key, value)?;
        }
        Ok(setup)
    }

    /// The text that names the openings, and their order, if there are any.
    pub(crate) fn openings(&self) -> Result<Option<(Spanned<String>, OpeningOrder)>, Flaw> {
        let order = match (self.get(OPENING_ORDER), self.get(OPENINGS)) {
            (None, _) => OpeningOrder::Random,
            (Some((key, _)), None) => {
                let problem = "`opening-order` goes with `openings` only";
                return Err(Flaw::of(key, problem));
            }
            (Some((_, value)), Some(_)) => opening_order(value)?,
        };
        let Some((_, value)) = self.get(OPENINGS) else {
            return Ok(None);
        };
        let path = value.get_ref().as_str().ok_or_else(|| {
            Flaw::of(
                value,
                "`openings` is not a text: expected the path of a file",
            )
        })?;
        Ok(Some((Spanned::new(value.span(), path.to_owned()), order)))
    }

    /// The game with its options and opening, and the adjudication of this table.
    pub(crate) fn planned(
        &self,
        setup: Setup,
        opening: PlannedOpening,
    ) -> Result<PlannedGame, Flaw> {
        let planned = PlannedGame::new(setup, opening);
        Ok(PlannedGame {
            adjudication: adjudication(self, &planned)?,
            ..planned
        })
    }
}

fn opening_order(value: &Spanned<Value>) -> Result<OpeningOrder, Flaw> {
    let order = value.get_ref().as_str().and_then(OpeningOrder::from_name);
    order.ok_or_else(|| {
        let names = OpeningOrder::ALL.map(|order| format!("\"{}\"", order.name()));
        let (wrong, names) = (value.get_ref(), names.join(" or "));
        Flaw::of(
            value,
            format!("`opening-order` cannot be {wrong}: expected {names}"),
        )
    })
}

/// Sets an option of a game.
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
                "unknown key `{}`{}, expected `name`, `openings`, `opening-order`, `{}` or an option of {game}: `{}`",
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
