//! Openings from a file: one per line, as action tokens separated by spaces; or a book of the game.

mod listed;
mod problem;

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Take};
use std::path::Path;
use std::sync::Arc;

pub use listed::ListedOpening;
pub(super) use listed::start_word;
pub use problem::{OpeningsError, OpeningsProblem};

use crate::config::file::{LARGEST_BOOK, TextLines};
use crate::game::{BookFormat, BookOpening, Chance, Setup};
use crate::rating::Openings as OpeningsAre;

/// The openings of a game: at least one, each legal from its first ply to its last.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Openings {
    lines: Arc<Lines>,
    order: OpeningOrder,
    /// With a sequential order, the index of the first block's opening.
    first: usize,
    are: OpeningsAre,
}

/// Openings as text, a line each: a book can have millions, and what they mean takes ten times the room.
#[derive(Debug, Default, PartialEq, Eq)]
struct Lines {
    text: String,
    /// The end of each line.
    ends: Vec<usize>,
    have_starts: bool,
}

impl Openings {
    /// Reads a file of openings. The ending of its name says whether it is a book.
    ///
    /// # Errors
    /// The file cannot be read, or a line in it is not an opening.
    pub fn read(
        path: &Path,
        setup: &Setup,
        used: impl Into<OpeningUse>,
    ) -> Result<Self, OpeningsError> {
        let used = used.into();
        let ending = path.extension().and_then(|ending| ending.to_str());
        let format = ending.and_then(BookFormat::from_ending);
        Self::read_with(path, used, |input| match format {
            None => lines_of_actions(input, setup, used.length),
            Some(format) => lines_of_book(format, input, setup, used.length),
        })
    }

    /// Reads openings that a run keeps. They were checked when it began: the caller compares their digest instead, since
    /// checking millions takes seconds.
    ///
    /// # Errors
    /// The file cannot be read, or has no opening.
    pub fn read_kept(
        path: &Path,
        setup: &Setup,
        used: impl Into<OpeningUse>,
    ) -> Result<Self, OpeningsError> {
        Self::read_with(path, used.into(), |input| {
            let mut lines = Lines::default();
            while let Some((_, text)) = input.next_line()? {
                lines.have_starts |= ListedOpening::has_start(text, setup);
                lines.text.push_str(text);
                lines.text.push('\n');
                lines.end_line()?;
            }
            Ok(lines)
        })
    }

    fn read_with(
        path: &Path,
        used: OpeningUse,
        read: impl Fn(&mut TextLines<BufReader<Take<File>>>) -> Result<Lines, OpeningsProblem>,
    ) -> Result<Self, OpeningsError> {
        let bad = |problem: OpeningsProblem| OpeningsError {
            path: path.to_owned(),
            problem,
        };
        // Reading a pipe or a device may never end.
        match std::fs::metadata(path) {
            Ok(file) if !file.is_file() => return Err(bad(OpeningsProblem::NotAFile)),
            Ok(file) if file.len() > LARGEST_BOOK => return Err(bad(OpeningsProblem::TooLarge)),
            _ => {}
        }
        let file = File::open(path).map_err(|error| bad(error.into()))?;
        let mut input = TextLines::new(BufReader::new(file.take(LARGEST_BOOK + 1)));
        let lines = read(&mut input).map_err(bad)?;
        // The length of some files is not known before.
        match input.input().get_ref().limit() {
            0 => Err(bad(OpeningsProblem::TooLarge)),
            _ => Self::new(lines, used).map_err(bad),
        }
    }

    /// Parses openings. A remark begins with `#`.
    ///
    /// # Errors
    /// A line is not an opening, or there is none.
    pub fn parse(
        text: &str,
        setup: &Setup,
        used: impl Into<OpeningUse>,
    ) -> Result<Self, OpeningsProblem> {
        let used = used.into();
        let mut input = TextLines::new(text.as_bytes());
        Self::new(lines_of_actions(&mut input, setup, used.length)?, used)
    }

    fn new(mut lines: Lines, used: OpeningUse) -> Result<Self, OpeningsProblem> {
        lines.text.shrink_to_fit();
        lines.ends.shrink_to_fit();
        match lines.ends.len() {
            0 => Err(OpeningsProblem::Empty),
            count if used.first > count => Err(OpeningsProblem::TooFew {
                count,
                first: used.first,
            }),
            _ => Ok(Self {
                lines: Arc::new(lines),
                order: used.order,
                first: used.first.saturating_sub(1),
                are: used.are,
            }),
        }
    }

    /// The openings without remarks, one per line.
    pub fn text(&self) -> &str {
        &self.lines.text
    }

    /// Whether they are a sample of many, or all that there are.
    pub fn are(&self) -> OpeningsAre {
        self.are
    }

    /// The order of their use.
    pub fn order(&self) -> OpeningOrder {
        self.order
    }

    /// With a sequential order, the opening of the first block, from 1.
    pub fn first(&self) -> usize {
        self.first + 1
    }

    /// Number of openings.
    pub fn count(&self) -> usize {
        self.lines.ends.len()
    }

    /// Whether openings have starts of their own, so that one is chosen before the game starts.
    pub fn have_starts(&self) -> bool {
        self.lines.have_starts
    }

    /// The opening of a block, given the game and the block's own random stream.
    pub fn of_block(&self, block: u64, setup: &Setup, chance: &mut dyn Chance) -> ListedOpening {
        let count = self.lines.ends.len() as u64;
        let index = match self.order {
            OpeningOrder::Sequential => ((self.first as u64 + block % count) % count) as usize,
            // Fits: the file is bounded to far fewer lines.
            OpeningOrder::Random => chance.below(count as u32) as usize,
        };
        ListedOpening::of_checked(self.lines.line(index), setup)
    }
}

impl Lines {
    fn line(&self, index: usize) -> &str {
        let begin = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.text[begin..self.ends[index]]
    }

    /// Checks an opening, and adds it.
    fn add(
        &mut self,
        opening: &BookOpening,
        setup: &Setup,
        length: Option<u32>,
    ) -> Result<(), OpeningsProblem> {
        let read = ListedOpening::read(&opening.words, setup, length);
        let read = read.map_err(|problem| OpeningsProblem::Line {
            line: opening.line,
            problem,
        })?;
        let Some(read) = read else {
            return Ok(());
        };
        read.write_to(&mut self.text);
        self.have_starts |= read.setup.is_some();
        self.end_line()
    }

    /// Ends the line that was added to the text.
    fn end_line(&mut self) -> Result<(), OpeningsProblem> {
        self.ends.push(self.text.len());
        match self.text.len() as u64 > LARGEST_BOOK {
            true => Err(OpeningsProblem::TooLarge),
            false => Ok(()),
        }
    }
}

/// The openings of a file with one per line.
fn lines_of_actions<R: BufRead>(
    input: &mut TextLines<R>,
    setup: &Setup,
    length: Option<u32>,
) -> Result<Lines, OpeningsProblem> {
    let mut lines = Lines::default();
    while let Some((line, text)) = input.next_line()? {
        let words = text.to_owned();
        lines.add(&BookOpening { line, words }, setup, length)?;
    }
    Ok(lines)
}

/// The openings of a book.
fn lines_of_book<R: BufRead>(
    format: BookFormat,
    input: &mut TextLines<R>,
    setup: &Setup,
    length: Option<u32>,
) -> Result<Lines, OpeningsProblem> {
    let most = length.unwrap_or(LONGEST_OPENING + 1) as usize;
    let no_books = || OpeningsProblem::NoBooks {
        format,
        game: setup.game().name(),
    };
    let mut book = setup.book(format, most).ok_or_else(no_books)?;
    let (mut lines, mut openings) = (Lines::default(), Vec::new());
    loop {
        let next = input.next_line()?;
        let is_over = next.is_none();
        match next {
            Some((line, text)) => book.line(line, text, &mut openings)?,
            None => book.end(&mut openings)?,
        }
        for opening in openings.drain(..) {
            lines.add(&opening, setup, length)?;
        }
        if is_over {
            return Ok(lines);
        }
    }
}

/// Maximum number of plies in an opening.
pub const LONGEST_OPENING: u32 = 100;

/// Assignment of openings to game pairs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OpeningOrder {
    /// A random one for each block.
    Random,
    /// In the order of the file, again and again.
    Sequential,
}

impl OpeningOrder {
    /// All orders.
    pub const ALL: [OpeningOrder; 2] = [OpeningOrder::Random, OpeningOrder::Sequential];

    /// The name in configurations and records.
    pub fn name(self) -> &'static str {
        match self {
            Self::Random => "random",
            Self::Sequential => "sequential",
        }
    }
}

/// How the openings of a file are used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OpeningUse {
    /// Their order.
    pub order: OpeningOrder,
    /// With a sequential order, the opening of the first block, from 1.
    pub first: usize,
    /// How many plies of each are played; `None` is all.
    pub length: Option<u32>,
    /// Whether they are a sample of many.
    pub are: OpeningsAre,
}

impl From<OpeningOrder> for OpeningUse {
    /// All openings from the first one, whole.
    fn from(order: OpeningOrder) -> Self {
        Self {
            order,
            first: 1,
            length: None,
            are: OpeningsAre::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{cachex, dark_chess};
    use crate::random::Stream;

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
    fn remarks_and_empty_lines_are_no_openings() {
        let text = "# two openings\n\n a1   b2 # and a remark\nc1\n";
        let openings = Openings::parse(text, &cachex("5"), OpeningOrder::Sequential);
        let openings = openings.expect("valid");
        assert_eq!(openings.text(), "a1 b2\nc1\n");
        let mut chance = Stream::new(1, 1);
        let drawn: Vec<String> = (0..3)
            .map(|block| openings.of_block(block, &cachex("5"), &mut chance))
            .map(|opening| opening.actions.join(" "))
            .collect();
        assert_eq!(drawn, ["a1 b2", "c1", "a1 b2"]);
    }

    #[test]
    fn byte_order_marks_and_all_ends_of_lines_are_read() {
        let setup = cachex("5");
        let read = |text: &str| Openings::parse(text, &setup, OpeningOrder::Sequential);
        for end in ["\r\n", "\r", "\n"] {
            let text = format!("\u{feff}a1 b2{end}# none{end}c1{end}");
            assert_eq!(read(&text).expect("valid").text(), "a1 b2\nc1\n");
            let wrong = read(&format!("\u{feff}a1{end}zz{end}")).expect_err("wrong");
            assert_eq!(wrong.place(), ":2");
        }
    }

    #[test]
    fn a_random_order_depends_on_the_chance_of_the_pair_alone() {
        let text = "a1\nb1\nc1\nd1\n";
        let openings = Openings::parse(text, &cachex("5"), OpeningOrder::Random).expect("valid");
        let setup = cachex("5");
        let drawn = |stream| {
            let mut chance = Stream::new(3, stream);
            openings.of_block(7, &setup, &mut chance).actions
        };
        let all: std::collections::BTreeSet<Vec<String>> = (0..40).map(drawn).collect();
        assert_eq!(all.len(), 4);
        assert_eq!(drawn(5), drawn(5));
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
