//! Steps through a game at a terminal.

use std::io::stdin;

use rustix::termios::{LocalModes, OptionalActions, SpecialCodeIndex, Termios};
use rustix::termios::{tcgetattr, tcsetattr};

use super::show;
use crate::cli::exit::{Exit, Failure};
use crate::cli::output::print;
use crate::replay::ReplayedGame;

/// ANSI sequence: cursor home, then clear the screen.
const CLEAR: &str = "\x1b[H\x1b[2J";

/// Request of a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Key {
    On,
    Back,
    First,
    Last,
    Quit,
}

/// Terminal in non-canonical mode: each key arrives at once. The mode is restored on drop.
struct Keyboard {
    before: Termios,
}

impl Keyboard {
    fn take() -> rustix::io::Result<Self> {
        let before = tcgetattr(stdin())?;
        let mut now = before.clone();
        // Handle Ctrl-C as a key: a signal would leave the terminal without echo.
        now.local_modes
            .remove(LocalModes::ICANON | LocalModes::ECHO | LocalModes::ISIG);
        now.special_codes[SpecialCodeIndex::VMIN] = 1;
        now.special_codes[SpecialCodeIndex::VTIME] = 0;
        tcsetattr(stdin(), OptionalActions::Now, &now)?;
        Ok(Self { before })
    }
}

impl Drop for Keyboard {
    fn drop(&mut self) {
        // A failure cannot be reported here.
        let _ = tcsetattr(stdin(), OptionalActions::Now, &self.before);
    }
}

/// Shows positions as the keys ask.
pub(super) fn through(game: &ReplayedGame) -> Result<(), Failure> {
    let failed = |error| {
        Failure::new(
            Exit::Failed,
            format!("the terminal cannot be used: {error}"),
        )
    };
    let last = game.recording.plies.len();
    let mut index = 0;
    let keyboard = Keyboard::take().map_err(failed)?;
    let mut bytes = [0; 64];
    'shown: loop {
        print(&format!(
            "{CLEAR}{}\nply {index} of {last}   Enter or → on, ← back, Home and End, q quits\n",
            show::ply(game, index)
        ))?;
        let count = match rustix::io::read(stdin(), &mut bytes) {
            Ok(0) => break,
            Ok(count) => count,
            Err(rustix::io::Errno::INTR) => continue,
            Err(error) => return Err(failed(error)),
        };
        for key in keys(&bytes[..count]) {
            index = match key {
                Key::On => (index + 1).min(last),
                Key::Back => index.saturating_sub(1),
                Key::First => 0,
                Key::Last => last,
                Key::Quit => break 'shown,
            };
        }
    }
    drop(keyboard);
    Ok(())
}

/// Keys in these bytes from a terminal.
fn keys(mut bytes: &[u8]) -> Vec<Key> {
    const KEYS: [(&[u8], Key); 22] = [
        (b"\x1b[C", Key::On),
        (b"\x1b[B", Key::On),
        (b"\x1bOC", Key::On),
        (b"\x1bOB", Key::On),
        (b"\r", Key::On),
        (b"\n", Key::On),
        (b" ", Key::On),
        (b"n", Key::On),
        (b"\x1b[D", Key::Back),
        (b"\x1b[A", Key::Back),
        (b"\x1bOD", Key::Back),
        (b"\x1bOA", Key::Back),
        (b"\x7f", Key::Back),
        (b"p", Key::Back),
        (b"\x1b[H", Key::First),
        (b"\x1b[1~", Key::First),
        (b"g", Key::First),
        (b"\x1b[F", Key::Last),
        (b"\x1b[4~", Key::Last),
        (b"G", Key::Last),
        (b"q", Key::Quit),
        (b"\x03", Key::Quit),
    ];
    let mut keys = Vec::new();
    while !bytes.is_empty() {
        let known = KEYS.iter().find(|(code, _)| bytes.starts_with(code));
        let length = known.map_or(1, |(code, _)| code.len());
        keys.extend(known.map(|(_, key)| *key));
        bytes = &bytes[length..];
    }
    keys
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_come_one_by_one_or_many_at_once() {
        assert_eq!(keys(b"\r"), [Key::On]);
        assert_eq!(keys(b"\x1b[C\x1b[C\x1b[D"), [Key::On, Key::On, Key::Back]);
        assert_eq!(keys(b"xG\x1b[1~q"), [Key::Last, Key::First, Key::Quit]);
        assert_eq!(keys(b"\x1b"), []);
    }
}
