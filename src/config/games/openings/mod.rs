//! Openings from a file: one per line, as action tokens separated by spaces; or a book of the game.

mod problem;
mod use_of;

use std::borrow::Cow;
use std::path::Path;

use crate::config::file::{LARGEST_TEXT, read_text};
use crate::game::{ActError, AnyPosition, BookFormat, Chance, News, Setup};
use crate::random::Stream;
pub use problem::{OpeningProblem, OpeningsError, OpeningsProblem, PlyProblem};
pub use use_of::{LONGEST_OPENING, OpeningOrder, OpeningUse};

/// An opening.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedOpening {
    /// The game with the start of this opening, where it has its own.
    pub setup: Option<Setup>,
    /// The actions that follow.
    pub actions: Vec<String>,
}

impl ListedOpening {
    /// The words of the opening, separated by spaces: the setting of its start, and its actions.
    fn words(&self) -> String {
        let start = self.setup.as_ref().and_then(start_word);
        let words = start.into_iter().chain(self.actions.iter().cloned());
        words.collect::<Vec<_>>().join(" ")
    }
}

/// The setting of the start of a game, as `key=value`; `None` if it is not set.
pub(super) fn start_word(setup: &Setup) -> Option<String> {
    let key = setup.start_option()?;
    Some(format!("{key}={}", setup.get(key)?))
}

/// The openings of a game: at least one, each legal from its first ply to its last.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Openings {
    lines: Vec<ListedOpening>,
    order: OpeningOrder,
    /// With a sequential order, the index of the first pair's opening.
    first: usize,
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
        let bad = |problem: OpeningsProblem| OpeningsError {
            path: path.to_owned(),
            problem,
        };
        // Reading a pipe or a device may never end.
        match std::fs::metadata(path) {
            Ok(file) if !file.is_file() => return Err(bad(OpeningsProblem::NotAFile)),
            Ok(file) if file.len() > LARGEST_TEXT => return Err(bad(OpeningsProblem::TooLarge)),
            _ => {}
        }
        let text =
            read_text(path).map_err(|error| bad(OpeningsProblem::Read(error.to_string())))?;
        let ending = path.extension().and_then(|ending| ending.to_str());
        let format = ending.and_then(BookFormat::from_ending);
        Self::parse_as(format, &text, setup, used.into()).map_err(bad)
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
        Self::parse_as(None, text, setup, used.into())
    }

    fn parse_as(
        format: Option<BookFormat>,
        text: &str,
        setup: &Setup,
        used: OpeningUse,
    ) -> Result<Self, OpeningsProblem> {
        // Some editors write a byte order mark, and some end lines with a carriage return alone.
        let text = text.trim_start_matches('\u{feff}');
        let text = text.replace("\r\n", "\n").replace('\r', "\n");
        let length = used.length.unwrap_or(LONGEST_OPENING + 1) as usize;
        let lines: Vec<(usize, Cow<'_, str>)> = match format {
            None => (1..).zip(text.lines().map(Cow::Borrowed)).collect(),
            Some(format) => {
                let openings =
                    setup
                        .book(format, &text, length)
                        .ok_or(OpeningsProblem::NoBooks {
                            format,
                            game: setup.game().name(),
                        })?;
                let openings = openings.map_err(OpeningsProblem::Book)?.into_iter();
                openings
                    .map(|opening| (opening.line, Cow::Owned(opening.words)))
                    .collect()
            }
        };
        let mut openings = Vec::new();
        for (line, words) in lines {
            let opening = opening(&words, setup, used.length)
                .map_err(|problem| OpeningsProblem::Line { line, problem })?;
            openings.extend(opening);
        }
        match openings.len() {
            0 => Err(OpeningsProblem::Empty),
            count if used.first > count => Err(OpeningsProblem::TooFew {
                count,
                first: used.first,
            }),
            _ => Ok(Self {
                lines: openings,
                order: used.order,
                first: used.first.saturating_sub(1),
            }),
        }
    }

    /// The openings without remarks, one per line.
    pub fn text(&self) -> String {
        let lines = self.lines.iter().map(|line| line.words() + "\n");
        lines.collect()
    }

    /// The order of their use.
    pub fn order(&self) -> OpeningOrder {
        self.order
    }

    /// With a sequential order, the opening of the first pair, from 1.
    pub fn first(&self) -> usize {
        self.first + 1
    }

    /// Whether openings have starts of their own, so that one is chosen before the game starts.
    pub fn have_starts(&self) -> bool {
        self.lines.iter().any(|line| line.setup.is_some())
    }

    /// The opening of a game pair, given the pair's own random stream.
    pub fn of_pair(&self, pair: u64, chance: &mut dyn Chance) -> &ListedOpening {
        let count = self.lines.len() as u64;
        &self.lines[match self.order {
            OpeningOrder::Sequential => ((self.first as u64 + pair % count) % count) as usize,
            // Fits: the file is bounded to far fewer lines.
            OpeningOrder::Random => chance.below(count as u32) as usize,
        }]
    }
}

/// Reads an opening, of at most `length` plies; `None` for an empty line.
fn opening(
    text: &str,
    setup: &Setup,
    length: Option<u32>,
) -> Result<Option<ListedOpening>, OpeningProblem> {
    let words = text.split('#').next().unwrap_or_default();
    let mut words = words.split_whitespace().peekable();
    let start = setup.start_option().and_then(|key| {
        let (set, value) = words.peek()?.split_once('=')?;
        (set == key).then_some((key, value))
    });
    let setup_of_its_own = match start {
        None => None,
        Some((key, value)) => {
            words.next();
            Some(started(setup, key, value)?)
        }
    };
    let mut actions: Vec<String> = words.map(str::to_owned).collect();
    actions.truncate(length.unwrap_or(u32::MAX) as usize);
    if actions.is_empty() && setup_of_its_own.is_none() {
        return Ok(None);
    }
    check(&actions, setup_of_its_own.as_ref().unwrap_or(setup))?;
    Ok(Some(ListedOpening {
        setup: setup_of_its_own,
        actions,
    }))
}

/// The game with this start. No other option changes.
fn started(setup: &Setup, key: &str, value: &str) -> Result<Setup, OpeningProblem> {
    let mut started = setup.clone();
    started.set(key, value).map_err(OpeningProblem::Start)?;
    let others = setup.game().options().iter().map(|doc| doc.key);
    for other in others.filter(|other| *other != key) {
        if setup.get(other) != started.get(other) {
            return Err(OpeningProblem::OtherOption {
                key: other,
                needed: started.get(other).unwrap_or_default(),
            });
        }
    }
    Ok(started)
}

/// Checks that an opening is legal whatever the outcome of chance.
fn check(actions: &[String], setup: &Setup) -> Result<(), OpeningProblem> {
    if actions.len() > LONGEST_OPENING as usize {
        return Err(OpeningProblem::TooLong(actions.len()));
    }
    let position = setup.start(&mut Stream::new(0, 0));
    let mut position = position.map_err(OpeningProblem::Rules)?;
    for (index, action) in actions.iter().enumerate() {
        check_ply(action, position.as_mut(), setup).map_err(|problem| OpeningProblem::Ply {
            ply: index + 1,
            action: action.clone(),
            problem,
        })?;
    }
    match position.to_act().is_nobody() {
        false => Ok(()),
        true => Err(OpeningProblem::EndsTheGame),
    }
}

fn check_ply(
    action: &str,
    position: &mut dyn AnyPosition,
    setup: &Setup,
) -> Result<(), PlyProblem> {
    setup
        .check_opening(action)
        .map_err(PlyProblem::LeftToChance)?;
    if position.to_act().is_nobody() {
        return Err(PlyProblem::AfterTheEnd);
    }
    let acted = position.play(action, &mut News::default());
    acted.map_err(|error| match error {
        ActError::Refused(refusal) => PlyProblem::Refused(refusal),
        ActError::Rules(fault) => PlyProblem::Rules(fault),
    })
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
    fn remarks_and_empty_lines_are_no_openings() {
        let text = "# two openings\n\n a1   b2 # and a remark\nc1\n";
        let openings = Openings::parse(text, &cachex("5"), OpeningOrder::Sequential);
        let openings = openings.expect("valid");
        assert_eq!(openings.text(), "a1 b2\nc1\n");
        let mut chance = Stream::new(1, 1);
        let drawn: Vec<String> = (0..3)
            .map(|pair| openings.of_pair(pair, &mut chance).words())
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
        let drawn = |stream| openings.of_pair(7, &mut Stream::new(3, stream)).words();
        let all: std::collections::BTreeSet<String> = (0..40).map(drawn).collect();
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
            parse("a8 b8 a8-b8", &setup).map(|it| it.text()),
            Ok("a8 b8 a8-b8\n".to_owned())
        );
        assert!(parse("a8 b8 a8-a7", &setup).is_err());
    }
}
