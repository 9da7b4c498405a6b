//! Openings from a file: one per line, as action tokens separated by spaces; or a book of the game.

mod listed;

use std::io::{self, BufRead, Read, Take};
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use listed::ListedOpening;
pub(super) use listed::start_word;

use crate::config::file::{LARGEST_BOOK, TextLines, open_text};
use crate::game::{BookFormat, BookOpening, BookProblem, Setup};
use crate::random::shuffled;
use crate::rating::Openings as OpeningsAre;
use crate::text::counted;

/// The openings of a game: at least one, each legal from its first ply to its last.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Openings {
    lines: Arc<Lines>,
    pub order: OpeningOrder,
    /// With a sequential order, the opening of the first block, from 1.
    pub first: usize,
    /// Whether they are a sample of many, or all that there are.
    pub are: OpeningsAre,
}

/// Openings as text, a line each: a book can have millions, and what they mean takes ten times the room.
#[derive(Debug, Default, PartialEq, Eq)]
struct Lines {
    text: String,
    ends: Vec<usize>,
    have_starts: bool,
    left_out: Option<LeftOut>,
}

/// Openings of a file that are left out because they are none.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{} left out, the first at line {}: {first}", counted(*count, "opening is", "openings are"), first.line.unwrap_or_default())]
pub struct LeftOut {
    pub count: u64,
    pub first: OpeningsProblem,
}

impl Openings {
    /// Reads a file of openings, which may be compressed. The ending of its name says whether it is a book.
    pub fn read(
        path: &Path,
        setup: &Setup,
        used: impl Into<OpeningUse>,
    ) -> Result<Self, OpeningsError> {
        let used = used.into();
        let is_compressed = path
            .extension()
            .is_some_and(|ending| ending == "gz" || ending == "zst");
        let name = if is_compressed {
            path.with_extension("")
        } else {
            path.to_owned()
        };
        let ending = name.extension().and_then(|ending| ending.to_str());
        let format = ending.and_then(BookFormat::from_ending);
        Self::read_with(path, used, |input| match format {
            None => lines_of_actions(input, setup, used),
            Some(BookFormat::Polyglot) => lines_of_polyglot(input.input(), setup, used),
            Some(format) => lines_of_book(format, input, setup, used),
        })
    }

    /// Reads openings that a run keeps. They were checked when it began: the caller compares their digest instead, since
    /// checking millions takes seconds.
    pub fn read_kept(
        path: &Path,
        setup: &Setup,
        used: impl Into<OpeningUse>,
    ) -> Result<Self, OpeningsError> {
        Self::read_with(path, used.into(), |input| {
            let mut lines = Lines::default();
            while let Some((_, text)) = input.next_line()? {
                lines.have_starts |= listed::start_and_words(&text, setup).0.is_some();
                lines.text.push_str(&text);
                lines.text.push('\n');
                lines.end_line()?;
            }
            Ok(lines)
        })
    }

    fn read_with(
        path: &Path,
        used: OpeningUse,
        read: impl Fn(&mut TextLines<Take<Box<dyn BufRead>>>) -> Result<Lines, OpeningsProblem>,
    ) -> Result<Self, OpeningsError> {
        let bad = |problem: OpeningsProblem| OpeningsError {
            path: path.to_owned(),
            problem,
        };
        // Reading a pipe or a device may never end.
        match std::fs::metadata(path) {
            Ok(file) if !file.is_file() => return Err(bad("is not a file".to_owned().into())),
            Ok(file) if file.len() > LARGEST_BOOK => return Err(bad(OpeningsProblem::too_large())),
            _ => {}
        }
        let file = open_text(path).map_err(|error| bad(error.into()))?;
        let mut input = TextLines::new(file.take(LARGEST_BOOK + 1));
        let lines = read(&mut input).map_err(bad)?;
        // The length of some files is not known before.
        match input.input().limit() {
            0 => Err(bad(OpeningsProblem::too_large())),
            _ => Self::new(lines, used).map_err(bad),
        }
    }

    /// Parses openings. A remark begins with `#`.
    pub fn parse(
        text: &str,
        setup: &Setup,
        used: impl Into<OpeningUse>,
    ) -> Result<Self, OpeningsProblem> {
        let used = used.into();
        let mut input = TextLines::new(text.as_bytes());
        Self::new(lines_of_actions(&mut input, setup, used)?, used)
    }

    fn new(mut lines: Lines, used: OpeningUse) -> Result<Self, OpeningsProblem> {
        lines.text.shrink_to_fit();
        lines.ends.shrink_to_fit();
        match lines.ends.len() {
            0 => Err(match lines.left_out {
                Some(left_out) => left_out.first,
                None => OpeningsProblem {
                    line: Some(1),
                    words: "has no opening: expected a line of actions, such as `b2 c3`".to_owned(),
                },
            }),
            count if used.first > count => {
                let first = used.first;
                Err(format!("has {count} openings: `opening-first` is {first}").into())
            }
            _ => Ok(Self {
                lines: Arc::new(lines),
                order: used.order,
                first: used.first.max(1),
                are: used.are,
            }),
        }
    }

    /// The openings without remarks, one per line.
    pub fn text(&self) -> &str {
        &self.lines.text
    }

    pub fn count(&self) -> usize {
        self.lines.ends.len()
    }

    pub fn left_out(&self) -> Option<&LeftOut> {
        self.lines.left_out.as_ref()
    }

    /// Whether openings have starts of their own, so that one is chosen before the game starts.
    pub fn have_starts(&self) -> bool {
        self.lines.have_starts
    }

    pub fn of_block(&self, seed: u64, block: u64, setup: &Setup) -> ListedOpening {
        let count = self.lines.ends.len() as u64;
        let index = match self.order {
            OpeningOrder::Sequential => (self.first as u64 - 1 + block % count) % count,
            OpeningOrder::Random => shuffled(seed, block, count),
        };
        ListedOpening::of_checked(self.lines.line(index as usize), setup)
    }
}

impl Lines {
    fn line(&self, index: usize) -> &str {
        let begin = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.text[begin..self.ends[index]]
    }

    fn add(
        &mut self,
        opening: Result<BookOpening, BookProblem>,
        setup: &Setup,
        used: OpeningUse,
    ) -> Result<(), OpeningsProblem> {
        let read =
            opening
                .map_err(OpeningsProblem::from)
                .and_then(|BookOpening { line, words }| {
                    let read = ListedOpening::read(&words, setup, used.length);
                    read.map_err(|words| OpeningsProblem {
                        line: Some(line),
                        words,
                    })
                });
        match read {
            Ok(None) => Ok(()),
            Ok(Some(read)) => {
                read.write_to(&mut self.text);
                self.have_starts |= read.setup.is_some();
                self.end_line()
            }
            Err(problem) if used.skips_bad => {
                let first = LeftOut {
                    count: 0,
                    first: problem,
                };
                self.left_out.get_or_insert(first).count += 1;
                Ok(())
            }
            Err(mut problem) => {
                let help =
                    "; `skip-bad-openings = true` in the configuration leaves such openings out";
                problem.words.push_str(help);
                Err(problem)
            }
        }
    }

    fn end_line(&mut self) -> Result<(), OpeningsProblem> {
        self.ends.push(self.text.len());
        match self.text.len() as u64 > LARGEST_BOOK {
            true => Err(OpeningsProblem::too_large()),
            false => Ok(()),
        }
    }
}

fn lines_of_actions<R: BufRead>(
    input: &mut TextLines<R>,
    setup: &Setup,
    used: OpeningUse,
) -> Result<Lines, OpeningsProblem> {
    let mut lines = Lines::default();
    while let Some((line, text)) = input.next_line()? {
        let words = text.into_owned();
        lines.add(Ok(BookOpening { line, words }), setup, used)?;
    }
    Ok(lines)
}

fn lines_of_polyglot(
    input: &mut impl Read,
    setup: &Setup,
    used: OpeningUse,
) -> Result<Lines, OpeningsProblem> {
    let mut bytes = Vec::new();
    input.read_to_end(&mut bytes)?;
    let Some(plies) = used.length else {
        let problem = "is a book of Polyglot: expected `opening-length`, the number of its plies";
        return Err(problem.to_owned().into());
    };
    let openings = setup.polyglot(&bytes, plies as usize);
    let openings = openings.ok_or_else(|| no_books(BookFormat::Polyglot, setup))?;
    let mut lines = Lines::default();
    for (index, words) in openings?.into_iter().enumerate() {
        let line = index + 1;
        lines.add(Ok(BookOpening { line, words }), setup, used)?;
    }
    Ok(lines)
}

fn no_books(format: BookFormat, setup: &Setup) -> String {
    format!(
        "is a book in {}, and the rules of {} read none: expected a line of actions per opening, in a file of another \
         ending",
        format.name(),
        setup.game().name()
    )
}

fn lines_of_book<R: BufRead>(
    format: BookFormat,
    input: &mut TextLines<R>,
    setup: &Setup,
    used: OpeningUse,
) -> Result<Lines, OpeningsProblem> {
    let most = used.length.unwrap_or(LONGEST_OPENING + 1) as usize;
    let book = setup.book(format, most);
    let mut book = book.ok_or_else(|| no_books(format, setup))?;
    let (mut lines, mut openings) = (Lines::default(), Vec::new());
    loop {
        let line = input.next_line()?;
        let line = line.as_ref().map(|(number, text)| (*number, &**text));
        let is_over = line.is_none();
        book.read(line, &mut openings)?;
        for opening in openings.drain(..) {
            lines.add(opening, setup, used)?;
        }
        if is_over {
            return Ok(lines);
        }
    }
}

pub const LONGEST_OPENING: u32 = 100;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OpeningOrder {
    Random,
    Sequential,
}

impl OpeningOrder {
    pub const ALL: [OpeningOrder; 2] = [OpeningOrder::Random, OpeningOrder::Sequential];

    pub fn name(self) -> &'static str {
        match self {
            Self::Random => "random",
            Self::Sequential => "sequential",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OpeningUse {
    pub order: OpeningOrder,
    pub first: usize,
    /// How many plies of each are played; `None` is all.
    pub length: Option<u32>,
    pub are: OpeningsAre,
    /// Whether an opening that is none is left out.
    pub skips_bad: bool,
}

impl From<OpeningOrder> for OpeningUse {
    fn from(order: OpeningOrder) -> Self {
        Self {
            order,
            first: 1,
            length: None,
            are: OpeningsAre::default(),
            skips_bad: false,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}{}: {problem}", path.display(), problem.place())]
pub struct OpeningsError {
    pub path: PathBuf,
    #[source]
    pub problem: OpeningsProblem,
}

/// The line, if one is to blame, and words that follow the place.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{words}")]
pub struct OpeningsProblem {
    pub line: Option<usize>,
    pub words: String,
}

impl From<String> for OpeningsProblem {
    fn from(words: String) -> Self {
        Self { line: None, words }
    }
}

impl From<io::Error> for OpeningsProblem {
    fn from(error: io::Error) -> Self {
        format!("cannot be read: {error}").into()
    }
}

impl From<BookProblem> for OpeningsProblem {
    fn from(BookProblem { line, problem }: BookProblem) -> Self {
        Self {
            line: Some(line),
            words: problem,
        }
    }
}

impl OpeningsProblem {
    fn too_large() -> Self {
        format!("is larger than {} MiB", LARGEST_BOOK >> 20).into()
    }

    /// The line of the problem after a colon; empty without a line.
    fn place(&self) -> String {
        self.line
            .map_or_else(String::new, |line| format!(":{line}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{cachex, dark_chess};

    fn cachex(size: &str) -> Setup {
        let mut setup = Setup::new(cachex::GAME);
        setup.set("size", size).expect("an option");
        setup
    }

    fn error(text: &str, setup: &Setup) -> String {
        let parsed = Openings::parse(text, setup, OpeningOrder::Random);
        let problem = parsed.expect_err(text);
        format!("{}: {problem}", problem.place())
    }

    #[test]
    fn a_random_order_has_each_opening_before_one_comes_again() {
        let text = "a1\nb1\nc1\nd1\n";
        let openings = Openings::parse(text, &cachex("5"), OpeningOrder::Random).expect("valid");
        let drawn = |seed, from| {
            let blocks = (from..from + 4).map(|block| openings.of_block(seed, block, &cachex("5")));
            blocks
                .map(|opening| opening.actions.concat())
                .collect::<Vec<_>>()
        };
        for seed in 0..10 {
            for from in [0, 4, 400] {
                let mut all = drawn(seed, from);
                all.sort();
                assert_eq!(all, ["a1", "b1", "c1", "d1"]);
            }
        }
        assert!((0..10).any(|seed| drawn(seed, 0) != drawn(0, 0)));
        assert!((0..10).any(|seed| drawn(seed, 0) != drawn(seed, 4)));
    }

    #[test]
    fn errors_name_the_line_the_ply_and_the_rule() {
        for (text, line, said) in [
            ("# nothing\n", 1, "has no opening"),
            ("a1\na1 a1\n", 2, "ply 2, `a1`, is illegal: "),
            ("c3", 1, "ply 1, `c3`, is illegal: c3 is the centre"),
            (
                "\n\nb1 nonsense",
                3,
                "ply 2, `nonsense`, is not an action: expected",
            ),
            ("z9", 1, "ply 1, `z9`, is illegal: z9 is off the board"),
        ] {
            let problem = error(text, &cachex("5"));
            assert!(problem.starts_with(&format!(":{line}: ")), "{problem}");
            assert!(problem.contains(said), "{problem}");
        }
        let over = "a1 b1 a2 c1 a3";
        assert!(error(over, &cachex("3")).contains("ends the game"));
        assert!(error(&format!("{over} b3"), &cachex("3")).contains("comes after the end"));
        let long = vec!["pass"; 101].join(" ");
        assert!(error(&long, &cachex("5")).contains("has 101 plies"));
    }

    #[test]
    fn what_never_ends_is_not_read() {
        for path in ["/dev/zero", "/"] {
            let read = Openings::read(Path::new(path), &cachex("5"), OpeningOrder::Random);
            let error = read.expect_err(path).to_string();
            assert_eq!(error, format!("{path}: is not a file"));
        }
    }

    #[test]
    fn where_the_layout_is_drawn_only_flips_are_openings() {
        let mut setup = Setup::new(dark_chess::GAME);
        let parse = |text: &str, setup: &Setup| {
            Openings::parse(text, setup, OpeningOrder::Random)
                .map_err(|problem| problem.to_string())
        };
        assert!(parse("a8 b8 c1", &setup).is_ok());
        let problem = parse("a8 a8-a7", &setup).expect_err("a move");
        assert!(problem.contains("is not a flip"), "{problem}");
        let problem = parse("a8 a8", &setup).expect_err("flipped");
        assert!(problem.contains("is illegal"), "{problem}");
        // With a layout it is known what a move meets.
        setup
            .set("layout", "KpGGMMRRNNCCPPPPPkggmmrrnnccpppp")
            .expect("a layout");
        assert_eq!(
            parse("a8 b8 a8-b8", &setup).map(|it| it.text().to_owned()),
            Ok("a8 b8 a8-b8\n".to_owned())
        );
        assert!(parse("a8 b8 a8-a7", &setup).is_err());
    }
}
