//! What a player inside this process is sent, write by write.

use std::time::Duration;

use referee::bot::{Contention, Fault, LateAnswer, Log, Player};
use referee::clock::{Spent, Wait};
use referee::protocol::ToBot;

/// What goes to a player at once.
#[derive(Debug, PartialEq)]
pub enum Write {
    News(Vec<String>),
    Request(Vec<String>),
}

pub struct Watched<P> {
    player: P,
    queued: Vec<String>,
    pub writes: Vec<Write>,
}

impl<P> Watched<P> {
    pub fn new(player: P) -> Self {
        Self {
            player,
            queued: Vec::new(),
            writes: Vec::new(),
        }
    }
}

impl<P: Player> Player for Watched<P> {
    fn tell(&mut self, message: &ToBot<'_>) {
        self.queued.push(message.to_string());
        self.player.tell(message);
    }

    fn flush(&mut self) {
        let lines = std::mem::take(&mut self.queued);
        self.writes.push(Write::News(lines));
        self.player.flush();
    }

    fn request(&mut self) {
        let lines = std::mem::take(&mut self.queued);
        self.writes.push(Write::Request(lines));
        self.player.request();
    }

    fn answer(&mut self, wait: Wait, answer: &mut String) -> Result<Spent, Fault> {
        self.player.answer(wait, answer)
    }

    fn contention(&mut self) -> Contention {
        self.player.contention()
    }

    fn take_log(&mut self) -> Log {
        self.player.take_log()
    }

    fn out_of_step(&mut self) -> bool {
        self.player.out_of_step()
    }

    fn peak_kib(&mut self) -> Option<u64> {
        self.player.peak_kib()
    }

    fn dismiss(&mut self) {
        self.player.dismiss();
    }

    fn close(&mut self, grace: Duration) {
        self.player.close(grace);
    }

    fn late_answer(&mut self) -> Option<LateAnswer> {
        self.player.late_answer()
    }
}

pub fn news(lines: &[&str]) -> Write {
    Write::News(lines.iter().map(ToString::to_string).collect())
}

pub fn request(lines: &[&str]) -> Write {
    Write::Request(lines.iter().map(ToString::to_string).collect())
}
