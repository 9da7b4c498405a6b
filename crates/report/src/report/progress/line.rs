//! Display of progress on stderr: on a terminal one line at its bottom that is redrawn; elsewhere, such as in a log
//! file, a line now and then.

use std::io::{IsTerminal, stderr};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::Count;
use crate::report::text::{in_lines, shortened, width};
use crate::report::{is_dumb, print_to_stderr, stderr_width};
use crate::text::visible;

/// Maximum number of redraws per second on a terminal.
const HZ: u8 = 8;

/// Minimum and maximum time between two lines in a log, while games end.
const LINE_EARLIEST: Duration = Duration::from_secs(10);
const LINE_LATEST: Duration = Duration::from_secs(60);

/// Progress between two lines in a log, in percent.
const LINE_PERCENT: u64 = 10;

/// The line on a terminal; with a bar if the number of games has a limit.
const LINE: &str = "{msg}";
const LINE_WITH_BAR: &str = "[{bar:10}] {msg}";

const BAR: usize = 13;

/// Columns for the `^C` that a terminal writes after the line. In the next line it would leave this one behind.
const INTERRUPT: usize = 2;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Display {
    /// Not at all; warnings are.
    Quiet,
    Lines,
    Bar,
}

#[derive(Debug)]
pub struct ProgressLine {
    pub(super) display: Display,
    /// Time and count of the last display.
    shown: (Instant, u64),
    /// The line on the terminal. It is hidden where progress is not shown as one.
    bar: ProgressBar,
}

impl ProgressLine {
    /// A line on stderr, or none if it is `quiet`.
    pub fn new(quiet: bool) -> Self {
        Self {
            display: match (quiet, stderr().is_terminal() && !is_dumb()) {
                (true, _) => Display::Quiet,
                (false, true) => Display::Bar,
                (false, false) => Display::Lines,
            },
            shown: (Instant::now(), 0),
            bar: ProgressBar::hidden(),
        }
    }

    pub fn begin(&mut self, count: Count, parts: &[impl AsRef<str>]) {
        self.shown = (Instant::now(), count.done);
        if self.display != Display::Bar {
            return;
        }
        let template = match count.most() {
            Some(_) => LINE_WITH_BAR,
            None => LINE,
        };
        // Both templates are right; a wrong one would be drawn as the library has it.
        let style = ProgressStyle::with_template(template);
        let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
        let target = ProgressDrawTarget::stderr_with_hz(HZ);
        self.bar = ProgressBar::with_draw_target(count.most(), target)
            .with_style(style.progress_chars("#-."));
        self.show(count, parts);
    }

    pub fn is_due(&self, count: Count) -> bool {
        let (at, done) = self.shown;
        match self.display {
            Display::Quiet => false,
            Display::Bar => at.elapsed() >= Duration::from_secs(1) / u32::from(HZ),
            Display::Lines => {
                let step = |done: u64| Some(done * 100 / count.most()?.max(1) / LINE_PERCENT);
                let is_step = step(done) != step(count.done);
                (at.elapsed() >= LINE_EARLIEST && is_step) || at.elapsed() >= LINE_LATEST
            }
        }
    }

    /// Shows these parts, as many as there is room for.
    pub fn show(&mut self, count: Count, parts: &[impl AsRef<str>]) {
        self.shown = (Instant::now(), count.done);
        match self.display {
            Display::Quiet => {}
            Display::Lines => print_to_stderr(&in_room(parts, None)),
            Display::Bar => {
                let bar = count.most().map_or(0, |_| BAR);
                let room = stderr_width().map(|width| width.saturating_sub(bar + INTERRUPT));
                self.bar.set_position(count.done);
                self.bar.set_message(in_room(parts, room));
            }
        }
    }

    /// Prints a message that stays, however progress is shown.
    pub fn say(&self, message: &str) {
        if self.bar.is_hidden() {
            print_to_stderr(message);
        } else {
            self.bar
                .println(in_lines(&visible(message), stderr_width()));
        }
    }

    pub fn clear(&mut self) {
        self.bar.finish_and_clear();
        self.bar = ProgressBar::hidden();
    }
}

/// The parts that fit, in their order. Only the first is cut.
pub fn in_room(parts: &[impl AsRef<str>], room: Option<usize>) -> String {
    let room = room.unwrap_or(usize::MAX);
    let mut line = String::new();
    for part in parts
        .iter()
        .map(AsRef::as_ref)
        .filter(|part: &&str| !part.is_empty())
    {
        if line.is_empty() {
            line = shortened(part, room);
        } else if width(&line) + 2 + width(part) <= room {
            line = format!("{line}  {part}");
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schedule::GameCount;

    #[test]
    fn a_narrow_terminal_gets_fewer_parts_and_no_part_of_one() {
        let parts = [
            "123/840 games",
            "",
            "2.0/s  10s left",
            "cachex: 小明 leads with 12/20",
        ];
        let whole = parts.join("  ").replace("    ", "  ");
        assert_eq!(in_room(&parts, None), whole);
        for room in 1..=width(&whole) {
            let line = in_room(&parts, Some(room));
            assert!(width(&line) <= room, "{room}: {line}");
            let is_part = |part: &str| parts.iter().any(|whole| whole.contains(part));
            assert!(room < 13 || line.split("  ").all(is_part), "{room}: {line}");
            assert!(room < 13 || line.starts_with(parts[0]), "{room}: {line}");
        }
        assert_eq!(in_room(&parts, Some(40)), "123/840 games  2.0/s  10s left");
    }

    #[test]
    fn a_log_gets_a_line_now_and_then() {
        let mut line = ProgressLine::new(true);
        line.display = Display::Lines;
        let count = Count {
            before: 0,
            done: 123,
            all: GameCount::Exactly(840),
        };
        let mut is_time = |done_then: u64, seconds| {
            let at = Instant::now()
                .checked_sub(Duration::from_secs(seconds))
                .expect("a time");
            line.shown = (at, done_then);
            line.is_due(count)
        };
        // 123 of 840 games are 14 %.
        assert!(!is_time(50, 5), "too early");
        assert!(is_time(50, 15), "10 % are done");
        assert!(!is_time(100, 15), "10 % were done before");
        assert!(is_time(122, 61), "a minute later");
    }
}
