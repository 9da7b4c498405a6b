//! Shared state of the game in play, so that a person can try actions.

use std::io::{self, IsTerminal};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use super::Keyboard;
use crate::cli::drawing;
use crate::config::PlannedGame;
use crate::game::{
    ActError, Actors, AnyPosition, Drawing, Game, News, PerSeat, RulesFault, Seat, Seats,
};
use crate::referee::Ply;
use crate::report::print_to_stderr;

#[derive(Debug)]
pub(super) struct LiveGame {
    planned: PlannedGame,
    seed: u64,
    players: PerSeat<String>,
    is_human: PerSeat<bool>,
    so_far: Mutex<SoFar>,
    keyboard: Mutex<Keyboard>,
    /// Told who acts next, a bot or nobody.
    acts_next: Mutex<Sender<Option<String>>>,
}

#[derive(Debug, Default)]
struct SoFar {
    actions: Vec<String>,
    /// The seats whose last action no person was shown.
    hidden: Seats,
    /// Each seat's view of the position that was drawn last.
    views: Option<PerSeat<Drawing>>,
}

impl LiveGame {
    pub fn new(
        planned: PlannedGame,
        seed: u64,
        players: PerSeat<String>,
        is_human: PerSeat<bool>,
        keyboard: Keyboard,
    ) -> Self {
        let (acts_next, acting) = channel();
        // Ends with the game.
        thread::spawn(move || tell_of_silence(&acting));
        Self {
            planned,
            seed,
            players,
            is_human,
            so_far: Mutex::default(),
            keyboard: Mutex::new(keyboard),
            acts_next: Mutex::new(acts_next),
        }
    }

    pub fn players(&self) -> &PerSeat<String> {
        &self.players
    }

    pub fn waits_for(&self, actors: Actors) {
        let persons = self.is_human.iter().filter(|(_, is_human)| **is_human);
        let is_asked = persons
            .map(|(seat, _)| seat)
            .any(|seat| actors.includes(seat));
        let names = self.game().actor_names(actors).filter(|_| !is_asked);
        // Nobody listens where no thread could be started.
        let _ = locked(&self.acts_next).send(names);
    }

    pub fn game(&self) -> Game {
        self.planned.game()
    }

    pub fn goal(&self) -> &'static str {
        self.planned.setup.goal()
    }

    /// Asks for the next line from a person; `None` if the person has gone.
    pub fn line(&self, prompt: &str) -> io::Result<Option<String>> {
        locked(&self.keyboard).line(prompt)
    }

    /// Begins the game, which is played again where the machine broke it off.
    pub fn begin(&self) {
        *locked(&self.so_far) = SoFar::default();
    }

    /// Notes a ply, and returns the seats whose action in it is hidden from all persons.
    pub fn played(&self, ply: &Ply<'_>) -> Seats {
        let has_person = self.is_human.contains(&true);
        let hidden = ply
            .played()
            .filter(|(seat, played)| has_person && played.is_hidden && !self.is_human[*seat]);
        let mut so_far = locked(&self.so_far);
        so_far.actions.push(ply.word());
        so_far.hidden = hidden.map(|(seat, _)| seat).collect();
        so_far.hidden
    }

    pub fn was_hidden(&self, seat: &str) -> bool {
        let seat = self.game().seat_from_name(seat);
        seat.is_some_and(|seat| locked(&self.so_far).hidden.contains(seat))
    }

    /// Seats whose views are drawn: a person's own, or the seat to act at a keyboard for several.
    pub fn seats_to_show(&self, to_act: Actors) -> Vec<Seat> {
        let persons = self.is_human.iter().filter(|(_, is_human)| **is_human);
        let persons: Vec<Seat> = persons.map(|(seat, _)| seat).collect();
        match (persons.len(), to_act) {
            (0, _) => self.is_human.seats().collect(),
            (1, _) => persons,
            (_, Actors::One(seat)) if persons.contains(&seat) => vec![seat],
            _ => persons,
        }
    }

    /// Views of the next position, with the cells that changed since the last one.
    pub fn next_views(&self, now: PerSeat<Drawing>) -> PerSeat<Drawing> {
        let before = locked(&self.so_far).views.replace(now.clone());
        match before {
            Some(before) => drawing::changed_since(now, &before),
            None => now,
        }
    }

    pub fn position(&self) -> Result<Box<dyn AnyPosition>, RulesFault> {
        let so_far = locked(&self.so_far);
        let mut position = self.planned.start(self.seed, 0)?.position;
        for action in &so_far.actions {
            // Legal, because the game had it.
            if let Err(ActError::Rules(fault)) = position.play(action, &mut News::default()) {
                return Err(fault);
            }
        }
        Ok(position)
    }
}

const SILENCE: Duration = Duration::from_secs(5);

fn tell_of_silence(acting: &Receiver<Option<String>>) {
    let mut waits_for = None;
    loop {
        waits_for = match acting.recv_timeout(SILENCE) {
            Ok(next) => next,
            Err(RecvTimeoutError::Disconnected) => return,
            Err(RecvTimeoutError::Timeout) => match waits_for {
                Some(name) if io::stderr().is_terminal() => {
                    let words = format!("{name} has not answered for 5 s; Ctrl-C ends the game");
                    print_to_stderr(&words);
                    None
                }
                _ => None,
            },
        };
    }
}

fn locked<T>(what: &Mutex<T>) -> MutexGuard<'_, T> {
    what.lock().unwrap_or_else(PoisonError::into_inner)
}
