//! Openings from a file: one per line, as action tokens separated by spaces.

use std::path::{Path, PathBuf};

use crate::config::file::{LARGEST_TEXT, read_text};
use crate::game::{ActError, AnyPosition, Chance, News, Refusal, RulesFault, Setup};
use crate::random::Stream;

/// Maximum number of plies in an opening.
pub const LONGEST_OPENING: u32 = 100;

/// Assignment of openings to game pairs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OpeningOrder {
    /// A random one for each pair.
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

    /// The order with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|order| order.name() == name)
    }
}

/// The openings of a game: at least one, each legal from its first ply to its last.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Openings {
    lines: Vec<Vec<String>>,
    order: OpeningOrder,
}

/// Why a file of openings cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}{}: {problem}", path.display(), problem.place())]
pub struct OpeningsError {
    /// The file.
    pub path: PathBuf,
    /// The problem.
    #[source]
    pub problem: OpeningsProblem,
}

/// An error in a file of openings.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OpeningsProblem {
    /// It is a folder, a pipe or a device.
    #[error("is not a file")]
    NotAFile,
    /// It is too large.
    #[error("is larger than {} MiB", LARGEST_TEXT >> 20)]
    TooLarge,
    /// It cannot be read.
    #[error("cannot be read: {0}")]
    Read(String),
    /// It has no opening.
    #[error("has no opening: expected a line of actions, such as `b2 c3`")]
    Empty,
    /// A line is not an opening.
    #[error("{problem}")]
    Line {
        line: usize,
        #[source]
        problem: OpeningProblem,
    },
}

impl OpeningsProblem {
    /// The line of the problem after a colon; empty without a line.
    fn place(&self) -> String {
        match self {
            Self::NotAFile | Self::TooLarge | Self::Read(_) => String::new(),
            Self::Empty => ":1".to_owned(),
            Self::Line { line, .. } => format!(":{line}"),
        }
    }
}

/// An error in an opening.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OpeningProblem {
    /// It is too long.
    #[error("has {0} plies: expected at most {LONGEST_OPENING}")]
    TooLong(usize),
    /// It ends the game.
    #[error("ends the game: nothing is left to play")]
    EndsTheGame,
    /// The rules failed before its first ply.
    #[error("cannot be checked: {0}")]
    Rules(#[source] RulesFault),
    /// One of its plies.
    #[error("ply {ply}, `{action}`, {problem}")]
    Ply {
        ply: usize,
        action: String,
        #[source]
        problem: PlyProblem,
    },
}

/// An error in a ply of an opening.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PlyProblem {
    /// Its result depends on chance.
    #[error("{0}")]
    LeftToChance(&'static str),
    /// The game is over before it.
    #[error("comes after the end of the game")]
    AfterTheEnd,
    /// The rules refuse it.
    #[error("is {0}")]
    Refused(#[source] Refusal),
    /// The rules failed.
    #[error("cannot be checked: {0}")]
    Rules(#[source] RulesFault),
}

impl Openings {
    /// Reads a file of openings.
    ///
    /// # Errors
    /// The file cannot be read, or a line in it is not an opening.
    pub fn read(path: &Path, setup: &Setup, order: OpeningOrder) -> Result<Self, OpeningsError> {
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
        Self::parse(&text, setup, order).map_err(bad)
    }

    /// Parses openings. A remark begins with `#`.
    ///
    /// # Errors
    /// A line is not an opening, or there is none.
    pub fn parse(text: &str, setup: &Setup, order: OpeningOrder) -> Result<Self, OpeningsProblem> {
        let mut lines = Vec::new();
        // Some editors write a byte order mark, and some end lines with a carriage return alone.
        let text = text.trim_start_matches('\u{feff}');
        let text = text.replace("\r\n", "\n").replace('\r', "\n");
        for (index, line) in text.lines().enumerate() {
            let actions = line.split('#').next().unwrap_or_default();
            let actions: Vec<String> = actions.split_whitespace().map(str::to_owned).collect();
            if actions.is_empty() {
                continue;
            }
            let line = index + 1;
            check(&actions, setup).map_err(|problem| OpeningsProblem::Line { line, problem })?;
            lines.push(actions);
        }
        match lines.len() {
            0 => Err(OpeningsProblem::Empty),
            _ => Ok(Self { lines, order }),
        }
    }

    /// The openings without remarks, one per line.
    pub fn text(&self) -> String {
        let lines = self.lines.iter().map(|line| line.join(" ") + "\n");
        lines.collect()
    }

    /// The order of their use.
    pub fn order(&self) -> OpeningOrder {
        self.order
    }

    /// The opening of a game pair, given the pair's own random stream.
    pub fn of_pair(&self, pair: u64, chance: &mut dyn Chance) -> &[String] {
        let count = self.lines.len();
        &self.lines[match self.order {
            OpeningOrder::Sequential => (pair % count as u64) as usize,
            // Fits: the file is bounded to far fewer lines.
            OpeningOrder::Random => chance.below(count as u32) as usize,
        }]
    }
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
            .map(|pair| openings.of_pair(pair, &mut chance).join(" "))
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
        let drawn = |stream| openings.of_pair(7, &mut Stream::new(3, stream)).to_vec();
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
            parse("a8 b8 a8-b8", &setup).map(|it| it.text()),
            Ok("a8 b8 a8-b8\n".to_owned())
        );
        assert!(parse("a8 b8 a8-a7", &setup).is_err());
    }
}
