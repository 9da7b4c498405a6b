//! Rules programs as games: a definition made of a hello, and options that start the program.

use std::sync::{Arc, Mutex, PoisonError};

use super::hello::{Hello, RulesOption, SeatNames};
use super::pool::{Pool, SupervisorSource};
use super::position::ProgramPosition;
use crate::game::{
    AnyPosition, Chance, Definition, Game, GameOptions, Games, MOST_SEATS, OptionDoc, OptionError,
    Origin, ProgramGames, Reason, RulesCommand, RulesFault, RulesProgram, Values,
};

/// The rules programs that a process has met. Each becomes a game once.
#[derive(Debug)]
pub struct Programs {
    built_in: Games,
    supervisor: SupervisorSource,
    known: Mutex<Vec<Known>>,
}

#[derive(Debug)]
struct Known {
    game: Game,
    pool: Arc<Pool>,
    /// Whether the program itself said its hello.
    was_asked: bool,
}

impl Programs {
    /// None yet, beside these built-in games. `supervisor` is asked whenever a program is started.
    pub const fn new(built_in: Games, supervisor: SupervisorSource) -> Self {
        Self {
            built_in,
            supervisor,
            known: Mutex::new(Vec::new()),
        }
    }

    pub fn close(&self) {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.iter().for_each(|known| known.pool.close());
    }

    /// The known game of this command with this hello; with any that the program said itself for `None`.
    fn known(&self, command: &RulesCommand, hello: Option<&str>) -> Option<Game> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let mut games = known.iter();
        let known = games.find(|known| {
            known.game.program().is_some_and(|program| {
                program.command == *command
                    && hello.map_or(known.was_asked, |hello| program.hello == hello)
            })
        });
        known.map(|known| known.game)
    }

    fn add(
        &self,
        command: RulesCommand,
        hello: &str,
        pool: Pool,
        was_asked: bool,
    ) -> Result<Game, RulesFault> {
        let pool = Arc::new(pool);
        let game = Game::read(definition(command, hello, &pool, self.built_in)?);
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.push(Known {
            game,
            pool,
            was_asked,
        });
        Ok(game)
    }
}

impl ProgramGames for Programs {
    fn ask(&self, command: RulesCommand) -> Result<Game, RulesFault> {
        if let Some(game) = self.known(&command, None) {
            return Ok(game);
        }
        let pool = Pool::new(&command, None, self.supervisor);
        let program = match pool.take() {
            // Once more: what killed it may be gone.
            Err(fault) if fault.is_kill() => pool.take()?,
            taken => taken?,
        };
        let hello = program.hello_text.clone();
        pool.give_back(program);
        self.add(command, &hello, pool.with_hello(&hello), true)
    }

    fn recorded(&self, command: RulesCommand, hello: &str) -> Result<Game, RulesFault> {
        if let Some(game) = self.known(&command, Some(hello)) {
            return Ok(game);
        }
        let pool = Pool::new(&command, Some(hello), self.supervisor);
        self.add(command, hello, pool, false)
    }
}

fn definition(
    command: RulesCommand,
    hello_text: &str,
    pool: &Arc<Pool>,
    built_in: Games,
) -> Result<Definition, RulesFault> {
    let hello = Hello::parse(hello_text.lines())?;
    let count = command.seats.unwrap_or_else(|| hello.seats.least());
    let is_possible = (2..=MOST_SEATS).contains(&usize::from(count));
    let seats = hello.seats.of(count).filter(|_| is_possible);
    let seats = seats.ok_or_else(|| {
        let mut lines = hello_text.lines();
        let line = lines.find(|line| line.starts_with("seats"));
        let said = line.unwrap_or_default();
        RulesFault::Broken(match command.seats {
            Some(count) if is_possible => {
                format!("the game has `{said}`, and {count} seats are asked for")
            }
            _ => format!("the game has `{said}`: expected 2 to {MOST_SEATS} seats"),
        })
    })?;
    let seats: Vec<&'static str> = seats.into_iter().map(|name| &*name.leak()).collect();
    let reasons = hello.reasons.iter();
    let reasons: Vec<Reason> = reasons
        .filter_map(|(name, _)| Reason::interned(name))
        .collect();
    let options: Vec<OptionDoc> = hello.options.iter().map(document).collect();
    let label = built_in.program_label(&hello.name).leak();
    Ok(Definition {
        name: hello.name.leak(),
        seats: seats.leak(),
        hides_something: hello.has.hidden,
        options: options.leak(),
        defaults: Box::leak(Box::new(ProgramOptions {
            pool: Arc::clone(pool),
            seats: count,
            values: hello
                .options
                .iter()
                .map(|option| option.default.clone())
                .collect(),
            options: hello.options.leak(),
        })),
        reasons: reasons.leak(),
        origin: Origin::Program(RulesProgram {
            label,
            command,
            hello: hello_text.to_owned(),
            has_seat_range: matches!(hello.seats, SeatNames::Range { .. }),
            lists_legal: hello.has.legal,
            offers: hello.has.offers,
            lines: hello.has.lines,
            drops: hello.has.drop,
        }),
        notation: hello.notation,
    })
}

/// Its texts live as long as the process, as a definition does.
fn document(option: &RulesOption) -> OptionDoc {
    OptionDoc {
        key: option.key.clone().leak(),
        values: Values::Text(option.values.in_words().leak()),
        default: option.default.clone().leak(),
        meaning: option.meaning.clone().leak(),
        secret: option.secret,
    }
}

#[derive(Debug, Clone)]
struct ProgramOptions {
    pool: Arc<Pool>,
    seats: u8,
    options: &'static [RulesOption],
    values: Vec<String>,
}

impl ProgramOptions {
    fn index(&self, key: &str) -> Option<usize> {
        self.options.iter().position(|option| option.key == key)
    }
}

impl GameOptions for ProgramOptions {
    fn set(&mut self, key: &str, value: &str) -> Result<(), OptionError> {
        let Some(index) = self.index(key) else {
            return Err(OptionError::Unknown {
                known: self.options.iter().map(|it| it.key.as_str()).collect(),
            });
        };
        let values = &self.options[index].values;
        if !values.take(value) {
            return Err(OptionError::expected(values.in_words()));
        }
        value.clone_into(&mut self.values[index]);
        Ok(())
    }

    fn get(&self, key: &str) -> Option<String> {
        Some(self.values[self.index(key)?].clone())
    }

    fn goal(&self) -> &'static str {
        match self.seats {
            2 => "Have more points than the other seat at the end.",
            _ => "Have more points than the other seats at the end.",
        }
    }

    fn start(&self, chance: &mut dyn Chance) -> Result<Box<dyn AnyPosition>, RulesFault> {
        let keys = self.options.iter().map(|option| option.key.clone());
        let options: Vec<(String, String)> = keys.zip(self.values.iter().cloned()).collect();
        let position = ProgramPosition::new(&self.pool, self.seats, &options, chance)?;
        Ok(Box::new(position))
    }

    fn boxed(&self) -> Box<dyn GameOptions> {
        Box::new(self.clone())
    }
}
