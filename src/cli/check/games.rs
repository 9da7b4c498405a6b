//! The games of a check.

use std::time::Duration;

use super::super::{Exit, Failure};
use super::observed::{Notes, Observed, Trouble};
use crate::clock::TimeControl;
use crate::game::{AnyPosition, Seat, Setup};
use crate::player::{Cleanup, Confinement, Launch, Log, OutputLimits, Player, Process, Supervisor};
use crate::random::PairSeeds;
use crate::referee::{self, GameEnd, GameSpec, Participant, Ply, Termination, Witness};

/// How much more of a bot that forfeits game after game there is to learn.
const ENOUGH_FORFEITS: usize = 3;

/// Under which conditions a bot is checked.
pub(super) struct Table {
    pub setup: Setup,
    pub bot: Launch,
    pub opponent: Launch,
    pub supervisor: Supervisor,
    /// Of the bot; its opponent has the default one.
    pub confinement: Confinement,
    pub time: TimeControl,
    pub handshake: Duration,
    /// How long it may take to exit after `quit`, and how long its last words are waited for.
    pub quit: Duration,
    pub seed: u64,
    pub tells_progress: bool,
}

/// One game as it went.
pub(super) struct Played {
    /// Its number, from 0.
    pub number: u32,
    pub seat: Seat,
    pub end: GameEnd,
    pub notes: Notes,
    /// All actions of both seats.
    pub actions: Vec<String>,
    /// What the bot wrote besides its answers.
    pub log: Log,
    /// Whether it wrote something that nobody asked for as the game ended.
    pub out_of_step: bool,
    pub peak_kib: Option<u64>,
    /// Whether it was its process's first game.
    pub first: bool,
}

impl Played {
    /// What the bot did wrong.
    pub fn detail(&self) -> &str {
        &self.end.details[self.seat.index()]
    }

    /// Whether the bot lost by its own fault.
    pub fn forfeited(&self) -> bool {
        self.end.blame.includes(self.seat)
    }
}

/// How a process was ended.
pub(super) struct Departure {
    /// Whether it exited by itself in time.
    pub by_itself: bool,
    pub cleanup: Cleanup,
    /// What a bot that had not answered wrote once its input was closed.
    pub last_words: Option<String>,
    /// Whether it had forfeited: then nothing hangs on how it leaves.
    pub forfeited: bool,
}

/// A game that was played a second time, in a new process.
pub(super) struct Again {
    /// The second time.
    pub game: Played,
    /// The first ply that was not the same, from 1.
    pub differs_at: Option<usize>,
}

/// Everything that was seen.
pub(super) struct Seen {
    pub games: Vec<Played>,
    pub departures: Vec<Departure>,
    /// The first game of a process again.
    pub again: Option<Again>,
    /// A later game of a process again, as the first of another.
    pub alone: Option<Again>,
}

struct Actions(Vec<String>);

impl Witness for Actions {
    fn ply(&mut self, ply: &Ply<'_>, _position: &dyn AnyPosition) {
        self.0.push(ply.action.to_owned());
    }
}

impl Table {
    /// Plays so many games, and some of them again. An error is the machine's.
    pub fn play(&self, games: u32) -> Result<Seen, Failure> {
        let opponent = self.start(&self.opponent, &Confinement::default())?;
        let mut opponent = Participant::new(opponent);
        let mut seen = Seen {
            games: Vec::new(),
            departures: Vec::new(),
            again: None,
            alone: None,
        };
        let mut waiting = None;
        for number in 0..games {
            let first = waiting.is_none();
            let mut bot = match waiting.take() {
                Some(bot) => bot,
                None => self.start_bot()?,
            };
            self.progress(&format!("game {} of {games}", number + 1));
            let played = self.game(&mut bot, &mut opponent, number, first)?;
            // As in a tournament.
            if played.forfeited() || played.out_of_step || self.setup.game().hides_something() {
                seen.departures.push(self.part(bot, &played));
            } else {
                waiting = Some(bot);
            }
            seen.games.push(played);
            let forfeits = seen.games.iter().filter(|game| game.forfeited());
            let never_began = |game: &Played| game.end.termination == Termination::Handshake;
            if forfeits.clone().count() >= ENOUGH_FORFEITS || forfeits.clone().any(never_began) {
                break;
            }
        }
        if let (Some(bot), Some(last)) = (waiting, seen.games.last()) {
            seen.departures.push(self.part(bot, last));
        }
        seen.again = self.again(&mut seen.departures, &mut opponent, &seen.games, true)?;
        seen.alone = self.again(&mut seen.departures, &mut opponent, &seen.games, false)?;
        opponent.player.dismiss();
        opponent.player.close(self.quit);
        Ok(seen)
    }

    /// Plays one of the games again in a new process: one that was its process's first, or not.
    fn again(
        &self,
        departures: &mut Vec<Departure>,
        opponent: &mut Participant<Process>,
        games: &[Played],
        first: bool,
    ) -> Result<Option<Again>, Failure> {
        let fit = |game: &&Played| !game.forfeited() && game.first == first;
        let Some(before) = games.iter().find(fit) else {
            return Ok(None);
        };
        self.progress(&format!("game {} again", before.number + 1));
        let mut bot = self.start_bot()?;
        let game = self.game(&mut bot, opponent, before.number, true)?;
        departures.push(self.part(bot, &game));
        let plies = before.actions.len().max(game.actions.len());
        let differs_at = (0..plies).find(|ply| before.actions.get(*ply) != game.actions.get(*ply));
        Ok(Some(Again {
            game,
            differs_at: differs_at.map(|ply| ply + 1),
        }))
    }

    fn start_bot(&self) -> Result<Participant<Observed>, Failure> {
        Ok(Participant::new(Observed {
            process: self.start(&self.bot, &self.confinement)?,
            notes: Notes::default(),
        }))
    }

    fn start(&self, launch: &Launch, confinement: &Confinement) -> Result<Process, Failure> {
        let limits = OutputLimits::default();
        Process::supervised(launch, limits, &self.supervisor, confinement)
            .map_err(|fault| Failure::new(Exit::Failed, fault))
    }

    fn game(
        &self,
        bot: &mut Participant<Observed>,
        opponent: &mut Participant<Process>,
        number: u32,
        first: bool,
    ) -> Result<Played, Failure> {
        let game = self.setup.game();
        let seat = Seat::BOTH[number as usize % 2];
        let mut seeds = PairSeeds::new(self.seed, game, u64::from(number / 2));
        let mut position = self.setup.start(&mut seeds.chance);
        let mut actions = Actions(Vec::new());
        let end = referee::play(
            &GameSpec {
                game,
                options: &self.setup.public_options(),
                bot_seeds: seeds.bots,
                opening_plies: 0,
                time: &self.time,
                handshake: self.handshake,
                start: self.handshake,
            },
            position.as_mut(),
            match seat {
                Seat::First => [bot, opponent],
                Seat::Second => [opponent, bot],
            },
            &mut seeds.chance,
            &mut actions,
        );
        let Observed { process, notes } = &mut bot.player;
        let end = end.map_err(|void| Failure::new(Exit::Halted, void))?;
        if end.blame.includes(seat.other()) {
            let problem = format!("the house bot failed: {}", end.detail(game));
            return Err(Failure::new(Exit::Failed, problem));
        }
        Ok(Played {
            number,
            seat,
            notes: std::mem::take(notes),
            actions: actions.0,
            out_of_step: process.out_of_step(),
            peak_kib: process.usage().map(|usage| usage.peak_kib),
            log: process.take_log(),
            first,
            end,
        })
    }

    fn progress(&self, what: &str) {
        if self.tells_progress {
            eprintln!("{what}");
        }
    }

    /// Lets a bot go after a game, and sees what it leaves behind.
    fn part(&self, bot: Participant<Observed>, last: &Played) -> Departure {
        let mut bot = bot.player.process;
        let late = last.notes.trouble == Some(Trouble::Late);
        let last_words = late.then(|| bot.hang_up(self.quit)).flatten();
        bot.dismiss();
        Departure {
            by_itself: bot.exits_within(self.quit),
            cleanup: bot.finish(),
            last_words,
            forfeited: last.forfeited(),
        }
    }
}
