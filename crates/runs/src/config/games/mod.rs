//! The games of a plan: rules, openings and adjudication.
//!
//! It is handed the keys of a game's table, and gives a [`PlannedGame`] with the starts of its game pairs.

mod adjudication;
mod openings;
pub(crate) mod table;

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use openings::start_word;
pub use openings::{LONGEST_OPENING, OpeningOrder, OpeningUse, Openings};

use crate::config::Flaw;
use crate::config::file::GameTable;
use crate::game::{
    ActError, AnyPosition, Game, Games, News, PerSeat, RulesCommand, RulesFault, Setup,
};
use crate::random::BlockSeeds;
use crate::referee::{
    Adjudication, Adjudicator, GameSpec, Line, Opening, SeatTerms, open_tablebases,
};

/// The key in the table of a game, and its values.
pub const FORFEIT: &str = "forfeit";
const END: &str = "end";
pub const DROP: &str = "drop";

impl GameTable {
    /// Whether a game drops the seats of players that forfeit, which its rules have to allow.
    fn checked_drops(&self, game: Game) -> Result<bool, Flaw> {
        let Some((_, value)) = self.get(FORFEIT) else {
            return Ok(false);
        };
        match value.get_ref().as_str() {
            Some(END) => return Ok(false),
            Some(DROP) => {}
            _ => {
                let wrong = value.get_ref();
                let problem =
                    format!("`forfeit` cannot be {wrong}: expected \"{END}\" or \"{DROP}\"");
                return Err(Flaw::of(value, problem));
            }
        }
        let name = game.name();
        let problem = match (game.seat_count(), game.program()) {
            (2, _) => format!("{name} has 2 seats, so a forfeit ends the game"),
            (_, None) => {
                format!("{name} is built in, and seats leave only where rules are a program")
            }
            (_, Some(program)) if !program.drops => {
                format!(
                    "the rules of {name} cannot go on without a seat: they do not say `has drop`"
                )
            }
            _ => return Ok(true),
        };
        let problem = format!("`forfeit` cannot be \"{DROP}\": {problem}; expected \"{END}\"");
        Err(Flaw::of(value, problem))
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlannedGame {
    pub setup: Setup,
    pub opening: PlannedOpening,
    pub adjudication: Adjudication,
    pub syzygy: Option<PathBuf>,
    /// Whether the seats of players that forfeit leave, and the others play on.
    pub drops: bool,
    pub options: Vec<(&'static str, String)>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PlannedOpening {
    Random(u32),
    Listed(Openings),
}

impl PlannedGame {
    pub fn new(setup: Setup, opening: PlannedOpening) -> Self {
        Self {
            options: setup.public_options(),
            setup,
            opening,
            adjudication: Adjudication::default(),
            syzygy: None,
            drops: false,
        }
    }

    /// This game, with its rules program started in another folder; an error in words if it is another game there.
    pub fn with_rules_in(&self, dir: &Path, games: Games) -> Result<Self, String> {
        let (Some(program), Some(programs)) = (self.game().program(), games.programs()) else {
            return Ok(self.clone());
        };
        let command = RulesCommand {
            dir: dir.to_owned(),
            ..program.command.clone()
        };
        let game = programs.ask(command).map_err(|fault| fault.to_string())?;
        if game.name() != self.game().name() {
            return Err(format!("it calls its game {}", game.name()));
        }
        if game.seat_count() != self.game().seat_count() {
            return Err(format!("its game has {} seats", game.seat_count()));
        }
        let mut setup = Setup::new(game);
        for option in self.game().options() {
            let (key, value) = (option.key, self.setup.get(option.key).unwrap_or_default());
            let set = setup.set(key, &value);
            set.map_err(|problem| format!("its option `{key}` cannot be `{value}`: {problem}"))?;
        }
        Ok(Self {
            options: setup.public_options(),
            setup,
            ..self.clone()
        })
    }

    /// The definitions of these games of one run: all that its records name.
    pub fn each(games: &[Self]) -> impl Iterator<Item = Game> + Clone {
        games.iter().map(Self::game)
    }

    /// Number of seats of these games of one run: all have the same.
    pub fn seats_of(games: &[Self]) -> usize {
        games
            .first()
            .map_or(2, |planned| planned.game().seat_count())
    }

    pub fn game(&self) -> Game {
        self.setup.game()
    }

    /// The public options as `key=value`, separated by spaces.
    pub fn options_text(&self) -> String {
        let options = self.options.iter();
        let options: Vec<String> = options
            .map(|(key, value)| format!("{key}={value}"))
            .collect();
        options.join(" ")
    }

    pub fn openings(&self) -> Option<&Openings> {
        match &self.opening {
            PlannedOpening::Random(_) => None,
            PlannedOpening::Listed(openings) => Some(openings),
        }
    }

    /// Whether several seats act at once in the first ply. A game whose rules fail there is not played anyway.
    pub fn acts_at_once(&self) -> bool {
        // Which cards or layout are drawn does not matter, so any seed will do.
        let mut seeds = BlockSeeds::new(0, self.game(), 0);
        let position = self.setup.start(&mut seeds.chance);
        position.is_ok_and(|position| position.to_act().are_several())
    }

    /// Start of block `block`, a function of the master seed and the block's number alone.
    pub fn start(&self, master_seed: u64, block: u64) -> Result<BlockStart<'_>, RulesFault> {
        let BlockSeeds { bots, mut chance } = BlockSeeds::new(master_seed, self.game(), block);
        let openings = self.openings();
        let with_start = openings.filter(|openings| openings.have_starts());
        let with_start =
            with_start.map(|openings| openings.of_block(master_seed, block, &self.setup));
        let setup = with_start.as_ref();
        let setup = setup.and_then(|opening| opening.setup.as_ref());
        let settled = setup.unwrap_or(&self.setup).settled(&mut chance);
        let own = settled.as_ref().or(setup);
        let position = own.unwrap_or(&self.setup).start(&mut chance)?;
        let drawn_plies = match &self.opening {
            PlannedOpening::Random(plies) if self.game().program().is_none() => Some(*plies),
            _ => None,
        };
        let line = match (&self.opening, &with_start) {
            (PlannedOpening::Random(0), _) => Vec::new(),
            (PlannedOpening::Random(plies), _) => self.drawn(*plies, master_seed, block)?,
            (PlannedOpening::Listed(_), Some(listed)) => listed.actions.clone(),
            (PlannedOpening::Listed(openings), None) => {
                openings.of_block(master_seed, block, &self.setup).actions
            }
        };
        Ok(BlockStart {
            planned: self,
            options: match own {
                Some(setup) => Cow::Owned(setup.public_options()),
                None => Cow::Borrowed(&self.options),
            },
            start: own.and_then(start_word),
            bot_seeds: bots,
            position,
            opening_plies: drawn_plies.unwrap_or(line.len() as u32),
            opening: Line(line),
        })
    }

    /// A random opening, up to the end of the game. One that ends a game whose rules are a program is drawn again.
    fn drawn(&self, plies: u32, master_seed: u64, block: u64) -> Result<Vec<String>, RulesFault> {
        let BlockSeeds { mut chance, .. } = BlockSeeds::new(master_seed, self.game(), block);
        let mut position = self.setup.start(&mut chance)?;
        for _ in 0..MOST_DRAWS {
            let mut line = Vec::new();
            while position.ply() < plies && !position.to_act().is_nobody() {
                let ply = chance.choose(position.as_ref())?;
                let played = position.play(&ply, &mut News::default());
                played.map_err(|error| match error {
                    ActError::Rules(fault) => fault,
                    ActError::Refused(refusal) => RulesFault::ListedRefused {
                        action: ply.clone(),
                        words: refusal.to_string(),
                    },
                })?;
                line.push(ply);
            }
            if !position.to_act().is_nobody() || self.game().program().is_none() {
                return Ok(line);
            }
            // The rules draw the same again: only the opening is another.
            let mut again = BlockSeeds::new(master_seed, self.game(), block);
            position = self.setup.start(&mut again.chance)?;
        }
        Err(RulesFault::Broken(format!(
            "{MOST_DRAWS} random openings in a row ended the game within {plies} plies: make `opening-plies` smaller, \
             or name a file of `openings`"
        )))
    }
}

/// Random openings that may end the game, one after another.
const MOST_DRAWS: u32 = 100;

pub struct BlockStart<'a> {
    planned: &'a PlannedGame,
    options: Cow<'a, [(&'static str, String)]>,
    /// The setting of the block's own start, as `key=value`; `None` if it has none.
    pub start: Option<String>,
    pub bot_seeds: PerSeat<u64>,
    pub position: Box<dyn AnyPosition>,
    pub opening_plies: u32,
    /// The opening's plies, up to the end of the game.
    pub opening: Line,
}

impl<'a> BlockStart<'a> {
    pub fn game(&self) -> Game {
        self.planned.game()
    }

    pub fn adjudicator(&self) -> Adjudicator {
        let rules = self.planned.adjudication;
        if let Some(folder) = &self.planned.syzygy {
            // Who verifies a run may not have them.
            let _ = open_tablebases(folder);
        }
        Adjudicator::new(rules, self.opening_plies, self.position.as_ref())
    }

    /// Specification of the game for the referee, with the terms of both players.
    pub fn spec(&self, terms: PerSeat<SeatTerms<'a>>) -> GameSpec<'a> {
        GameSpec {
            game: self.planned.game(),
            options: self.options.clone(),
            bot_seeds: self.bot_seeds.clone(),
            opening_plies: self.opening_plies,
            adjudication: self.planned.adjudication,
            drops: self.planned.drops,
            terms,
        }
    }
}
