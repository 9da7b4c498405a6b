//! Evidence of a check: observed facts, and their texts.

use std::fmt::{self, Display};
use std::ops::ControlFlow;
use std::time::Duration;

use crate::bot::{
    AnswerWait, Contention, Fault, LateAnswer, Log, Piped, Player, Process, ReadyStreams, Streams,
    Values,
};
use crate::clock::{Spent, Wait};
use crate::protocol::{ToBot, said_illegal};
use crate::referee::{PlayerFault, Termination};

/// Observation of a bot in one respect.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Evidence {
    /// No observation, because a precondition of the check was not met.
    Missing {
        needs: &'static str,
    },
    Forfeit(ForfeitedGame),
    /// The bot's answer to the handshake.
    Hello {
        line: String,
        /// Longest time taken.
        took: Duration,
        limit: Duration,
    },
    /// The bot got ready for games.
    Ready {
        /// Longest time taken.
        took: Duration,
        limit: Duration,
    },
    /// Results of the bot's games.
    Results(Results),
    /// Slowest action of the bot.
    SlowestAction {
        took: Duration,
        limit: Duration,
    },
    PeakMemory {
        /// Peak, in bytes.
        bytes: u64,
        /// Memory limit, in bytes.
        limit: Option<u64>,
    },
    /// A game was replayed in a new process, with an equal seed.
    Repeated {
        game: GameLabel,
        /// First ply that differed, from 1; `None` if no ply did.
        differs_at: Option<usize>,
    },
    /// Maximum CPU time between two turns of the bot.
    OffTurn {
        used: Duration,
    },
    /// The bot wrote an unrequested line at the end of a game.
    UnaskedLine {
        /// Number of the game, from 1.
        game: u32,
    },
    /// Amount of output besides answers.
    DebugOutput {
        games: usize,
        /// Total bytes.
        bytes: u64,
        /// Bytes that were not kept.
        dropped: u64,
    },
    /// The bot exited after `quit`.
    Exited,
    /// The bot had to be killed after `quit`.
    Killed {
        waited: Duration,
    },
    /// Processes that outlived the bot.
    Leftovers {
        killed: u32,
        /// Number of processes that survived the kill.
        survivors: u32,
    },
}

/// Results of a bot's games.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Results {
    /// Number of games with a request for an action.
    pub begun: usize,
    pub seats: Vec<&'static str>,
    pub won: usize,
    pub drawn: usize,
    /// Number of games lost without a forfeit.
    pub lost: usize,
}

impl Results {
    /// Number of games without a forfeit of the bot.
    pub fn finished(&self) -> usize {
        self.won + self.drawn + self.lost
    }
}

impl Display for Results {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} of {} to their end, as {}: {} won, {} drawn, {} lost",
            self.finished(),
            self.begun,
            self.seats.join(" and "),
            self.won,
            self.drawn,
            self.lost
        )
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ForfeitedGame {
    pub game: GameLabel,
    pub termination: Termination,
    pub fault: PlayerFault,
    /// The last request to the bot.
    pub request: Option<Request>,
    /// The answer that came late, if one did.
    pub late_answer: Option<LateAnswer>,
    /// Last lines of output before its process ended, escaped for a terminal.
    pub last_lines: Vec<String>,
}

/// A game of a check, as shown to people.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GameLabel {
    /// Number of the game, from 1.
    pub number: u32,
    /// Name of the bot's seat.
    pub seat: &'static str,
}

impl Display for GameLabel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "game {}, as {}", self.number, self.seat)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Request {
    Hello,
    /// Get ready for a game.
    Start,
    Act,
}

#[derive(Debug, Default)]
pub(super) struct Notes {
    /// Answer to the handshake, and the time it took.
    pub hello: Option<(String, Spent)>,
    /// Time until it was ready.
    pub ready: Option<Spent>,
    pub actions: Vec<Spent>,
    /// The last request.
    pub request: Option<Request>,
}

impl Notes {
    /// Notes an answer to the last request.
    fn add(&mut self, answer: &str, spent: Spent) {
        match self.request {
            Some(Request::Hello) => self.hello = Some((answer.to_owned(), spent)),
            Some(Request::Start) => self.ready = Some(spent),
            Some(Request::Act) if said_illegal(answer).is_some() => {}
            Some(Request::Act) => self.actions.push(spent),
            None => {}
        }
    }

    /// Whether the handshake was requested and not answered.
    pub fn is_silent(&self) -> bool {
        self.request == Some(Request::Hello) && self.hello.is_none()
    }
}

/// Forwards all calls to a process, and takes notes.
pub(super) struct ObservedProcess {
    pub process: Process,
    pub notes: Notes,
}

impl Player for ObservedProcess {
    fn tell(&mut self, message: &ToBot<'_>) {
        match message {
            ToBot::Hello { .. } => self.notes.request = Some(Request::Hello),
            ToBot::Start(_) => self.notes.request = Some(Request::Start),
            ToBot::Act { .. } => self.notes.request = Some(Request::Act),
            ToBot::Did { .. }
            | ToBot::See { .. }
            | ToBot::Can { .. }
            | ToBot::Points { .. }
            | ToBot::End { .. }
            | ToBot::Quit => {}
        }
        self.process.tell(message);
    }

    fn flush(&mut self) {
        self.process.flush();
    }

    fn request(&mut self) {
        self.process.request();
    }

    fn answer(&mut self, wait: Wait, answer: &mut String) -> Result<Spent, Fault> {
        let spent = self.process.answer(wait, answer)?;
        self.notes.add(answer, spent);
        Ok(spent)
    }

    fn piped(&mut self) -> Option<&mut dyn Piped> {
        Some(self)
    }

    fn unanswered(&mut self) -> Spent {
        self.process.unanswered()
    }

    fn contention(&mut self) -> Contention {
        self.process.contention()
    }

    fn take_log(&mut self) -> Log {
        self.process.take_log()
    }

    fn values(&self) -> &Values {
        self.process.values()
    }

    fn out_of_step(&mut self) -> bool {
        self.process.out_of_step()
    }

    fn peak_kib(&mut self) -> Option<u64> {
        self.process.peak_kib()
    }

    fn dismiss(&mut self) {
        self.process.dismiss();
    }

    fn close(&mut self, grace: Duration) {
        self.process.close(grace);
    }

    fn late_answer(&mut self) -> Option<LateAnswer> {
        self.process.late_answer()
    }
}

impl Piped for ObservedProcess {
    fn begin_wait(
        &mut self,
        wait: Wait,
        answer: &mut String,
    ) -> Result<ControlFlow<Spent, AnswerWait>, Fault> {
        let begun = self.process.begin_wait(wait, answer)?;
        if let ControlFlow::Break(spent) = begun {
            self.notes.add(answer, spent);
        }
        Ok(begun)
    }

    fn streams(&self, waiting: &AnswerWait) -> Option<Streams<'_>> {
        self.process.streams(waiting)
    }

    fn wait_on(
        &mut self,
        waiting: &mut AnswerWait,
        ready: ReadyStreams,
        answer: &mut String,
    ) -> Result<Option<Spent>, Fault> {
        let spent = self.process.wait_on(waiting, ready, answer)?;
        if let Some(spent) = spent {
            self.notes.add(answer, spent);
        }
        Ok(spent)
    }
}
