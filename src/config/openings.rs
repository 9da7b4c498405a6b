//! Openings from a file: a line each, as action tokens with spaces between them.

use std::path::Path;

use super::validate::LONGEST_OPENING;
use crate::game::{Chance, Setup};
use crate::random::Stream;

/// The largest file of openings that is read.
const LARGEST_FILE: u64 = 16 << 20;

/// Which opening a game pair has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OpeningOrder {
    /// Drawn for each pair.
    Random,
    /// One after another, in the order of the file.
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

/// The openings of a game: at least one, each legal from its first ply to its last.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Openings {
    lines: Vec<Vec<String>>,
    order: OpeningOrder,
}

impl OpeningOrder {
    /// The order of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|order| order.name() == name)
    }
}

impl Openings {
    /// Reads a file of openings. The error begins with the file.
    pub fn read(path: &Path, setup: &Setup, order: OpeningOrder) -> Result<Self, String> {
        let bad = |problem: &dyn std::fmt::Display| format!("{}: {problem}", path.display());
        // A pipe or a device may never end.
        match std::fs::metadata(path) {
            Ok(file) if !file.is_file() => return Err(bad(&"is no file")),
            Ok(file) if file.len() > LARGEST_FILE => {
                return Err(bad(&format!("is larger than {} MiB", LARGEST_FILE >> 20)));
            }
            _ => {}
        }
        let text = std::fs::read_to_string(path)
            .map_err(|error| bad(&format!("cannot be read: {error}")))?;
        Self::parse(&text, setup, order)
            .map_err(|(line, problem)| format!("{}:{line}: {problem}", path.display()))
    }

    /// Reads openings; what follows a `#` is a remark. The error is the number of the line, from 1, and
    /// what is wrong with it.
    pub fn parse(text: &str, setup: &Setup, order: OpeningOrder) -> Result<Self, (usize, String)> {
        let mut lines = Vec::new();
        for (index, line) in text.lines().enumerate() {
            let actions = line.split('#').next().unwrap_or_default();
            let actions: Vec<String> = actions.split_whitespace().map(str::to_owned).collect();
            if actions.is_empty() {
                continue;
            }
            check(&actions, setup).map_err(|problem| (index + 1, problem))?;
            lines.push(actions);
        }
        match lines.len() {
            0 => Err((
                1,
                "has no opening: expected a line of actions, such as `b2 c3`".to_owned(),
            )),
            _ => Ok(Self { lines, order }),
        }
    }

    /// The openings alone, a line each.
    pub fn text(&self) -> String {
        let lines = self.lines.iter().map(|line| line.join(" ") + "\n");
        lines.collect()
    }

    /// In which order they are used.
    pub fn order(&self) -> OpeningOrder {
        self.order
    }

    /// The opening of a pair; `chance` is that pair's own.
    pub fn of_pair(&self, pair: u64, chance: &mut dyn Chance) -> &[String] {
        let count = self.lines.len();
        &self.lines[match self.order {
            OpeningOrder::Sequential => (pair % count as u64) as usize,
            // A file of this size has far fewer lines than a number of 32 bits can count.
            OpeningOrder::Random => chance.below(count as u32) as usize,
        }]
    }
}

/// Whether an opening can be played, whatever is left to chance.
fn check(actions: &[String], setup: &Setup) -> Result<(), String> {
    if actions.len() > LONGEST_OPENING as usize {
        return Err(format!(
            "has {} plies: expected at most {LONGEST_OPENING}",
            actions.len()
        ));
    }
    let drawn = setup.game().hides_something() && setup.get("layout").is_none();
    let mut position = setup.start(&mut Stream::new(0, 0));
    for (index, action) in actions.iter().enumerate() {
        let ply = index + 1;
        let at_ply = |problem: String| format!("ply {ply}, `{action}`, {problem}");
        // What a flip shows depends on the shuffle, and with it every move.
        if drawn && action.contains('-') {
            return Err(at_ply(
                "is no flip: where the layout is drawn only flips are legal whatever is drawn"
                    .to_owned(),
            ));
        }
        if position.to_act().is_none() {
            return Err(at_ply("comes after the end of the game".to_owned()));
        }
        position
            .act(action, &mut String::new())
            .map_err(|refusal| at_ply(format!("is {refusal}")))?;
    }
    match position.to_act() {
        Some(_) => Ok(()),
        None => Err("ends the game: nothing is left to play".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;

    fn cachex(size: &str) -> Setup {
        let mut setup = Setup::new(Game::Cachex);
        setup.set("size", size).expect("an option");
        setup
    }

    fn error(text: &str, setup: &Setup) -> (usize, String) {
        Openings::parse(text, setup, OpeningOrder::Random).expect_err(text)
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
            let (at, problem) = error(text, &cachex("5"));
            assert_eq!(at, line, "{text}");
            assert!(problem.contains(said), "{problem}");
        }
        let over = "a1 b1 a2 c1 a3";
        assert!(error(over, &cachex("3")).1.contains("ends the game"));
        assert!(
            error(&format!("{over} b3"), &cachex("3"))
                .1
                .contains("comes after the end")
        );
        let long = vec!["pass"; 101].join(" ");
        assert!(error(&long, &cachex("5")).1.contains("has 101 plies"));
    }

    #[test]
    fn what_never_ends_is_not_read() {
        for path in ["/dev/zero", "/"] {
            let read = Openings::read(Path::new(path), &cachex("5"), OpeningOrder::Random);
            assert_eq!(read, Err(format!("{path}: is no file")));
        }
    }

    #[test]
    fn where_the_layout_is_drawn_only_flips_are_openings() {
        let mut setup = Setup::new(Game::DarkChess);
        let parse = |text: &str, setup: &Setup| {
            Openings::parse(text, setup, OpeningOrder::Random).map_err(|(_, problem)| problem)
        };
        assert!(parse("a8 b8 c1", &setup).is_ok());
        let problem = parse("a8 a8-a7", &setup).expect_err("a move");
        assert!(problem.contains("is no flip"), "{problem}");
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
