//! The page that shows games on their boards, and the files with the games.

mod board;
mod data;
mod files;
mod views;

pub use board::{MOST_PLAYERS as MOST_REPORTING, Reported, SPEED};
pub use files::{
    DrawnGames, GAME_PAGE, GAMES, GAMES_PER_FILE, GamesRead, MOST_GAMES, WritePage, game_page,
    game_pages,
};

use crate::game::{PerSeat, Seat};
use crate::runs::{BotOutput, LoggedAction};
use crate::text::visible_lines;

/// Upper bounds on the characters of a ply, of the words after the last action, and of a game.
const OF_A_PLY: usize = 400;
const AT_THE_END: usize = 1000;
const OF_A_GAME: usize = 16 << 10;

/// The words of the bots of a game, which are read ply by ply.
pub struct Written<'a> {
    outputs: &'a PerSeat<BotOutput>,
    /// Offset in each output up to which it has been read.
    at: PerSeat<u64>,
    /// How many more characters are shown.
    room: usize,
}

impl<'a> Written<'a> {
    pub fn new(outputs: &'a PerSeat<BotOutput>) -> Self {
        Self {
            outputs,
            at: PerSeat::defaults(outputs.count()),
            room: OF_A_GAME,
        }
    }

    /// The words of a bot since its last action, up to this one.
    pub fn before(&mut self, seat: Seat, action: &LoggedAction) -> String {
        let Some(to) = action.output else {
            return String::new();
        };
        let from = std::mem::replace(&mut self.at[seat], to);
        let words = words(self.outputs[seat].between(from, to));
        let shown = first(&words, OF_A_PLY.min(self.room));
        self.room -= shown.chars().count().min(self.room);
        shown
    }

    /// The last words of each bot after its last action.
    pub fn after(&self) -> Vec<String> {
        let of = |seat: Seat| {
            let words = words(self.outputs[seat].after(self.at[seat]));
            let surplus = words.chars().count().saturating_sub(AT_THE_END);
            if surplus == 0 {
                return words;
            }
            let rest: String = words.chars().skip(surplus).collect();
            format!("…{rest}")
        };
        self.at.seats().map(of).collect()
    }
}

/// Output as text, without reports of values, which have charts of their own.
fn words(output: &[u8]) -> String {
    let text = String::from_utf8_lossy(output);
    let is_report = |line: &&str| {
        let debug = line.strip_prefix('#').map(str::trim_start);
        debug.is_some_and(|words| words.starts_with("value "))
    };
    let lines: Vec<&str> = text.lines().filter(|line| !is_report(line)).collect();
    visible_lines(lines.join("\n").trim_end())
}

/// The first `length` characters, with `…` if there are more.
fn first(text: &str, length: usize) -> String {
    match text.char_indices().nth(length) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
