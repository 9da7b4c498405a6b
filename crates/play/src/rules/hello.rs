//! The answer to `rules 1`: which game this is, its seats, options and reasons, and its capabilities.

use super::{Malformed, split_word};
use crate::game::{EngineProtocol, is_name};

const MOST: usize = 256;

const MOST_SEATS: u8 = 64;

/// Keys of a configuration's `[game]` table and of the protocol. No option can have such a name.
const RESERVED: [&str; 10] = [
    "seed",
    "seats",
    "name",
    "rules",
    "dir",
    "measure",
    "per-game",
    "increment",
    "per-move",
    "period",
];

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Hello {
    pub name: String,
    /// The version of these rules, in the program's own words.
    pub version: String,
    pub seats: SeatNames,
    pub options: Vec<RulesOption>,
    /// Reasons for the end of a game, each with its meaning for people.
    pub reasons: Vec<(String, String)>,
    pub has: Capabilities,
    pub notation: Option<EngineProtocol>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SeatNames {
    Named(Vec<String>),
    /// A number of seats in this range, called `p1`, `p2` and so on.
    Range {
        least: u8,
        most: u8,
    },
}

impl Default for SeatNames {
    fn default() -> Self {
        Self::Named(Vec::new())
    }
}

impl SeatNames {
    pub fn least(&self) -> u8 {
        match self {
            // The reader takes at most 64.
            Self::Named(names) => names.len() as u8,
            Self::Range { least, .. } => (*least).max(2),
        }
    }

    /// The names of a game with `count` seats; `None` if the game is not for that many.
    pub fn of(&self, count: u8) -> Option<Vec<String>> {
        match self {
            Self::Named(names) => (names.len() == usize::from(count)).then(|| names.clone()),
            Self::Range { least, most } => (*least..=*most)
                .contains(&count)
                .then(|| (1..=count).map(|seat| format!("p{seat}")).collect()),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RulesOption {
    pub key: String,
    pub values: OptionValues,
    pub default: String,
    pub meaning: String,
    /// Whether bots are not told its value.
    pub secret: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OptionValues {
    Numbers(i64, i64),
    OneOf(Vec<String>),
    /// Any word without `=`.
    Text,
}

impl OptionValues {
    fn parse(text: &str) -> Option<Self> {
        if text == "text" {
            return Some(Self::Text);
        }
        if let Some((least, most)) = text.split_once("..") {
            let (least, most) = (least.parse().ok()?, most.parse().ok()?);
            return (least <= most).then_some(Self::Numbers(least, most));
        }
        let words: Vec<String> = text.split('|').map(str::to_owned).collect();
        let is_word = |word: &String| !word.is_empty() && !word.contains('=');
        words.iter().all(is_word).then_some(Self::OneOf(words))
    }

    /// Whether the option takes `value`. A number has no sign but `-`, and no leading zeros.
    pub fn take(&self, value: &str) -> bool {
        match self {
            Self::Numbers(least, most) => value.parse().is_ok_and(|number: i64| {
                (*least..=*most).contains(&number) && number.to_string() == value
            }),
            Self::OneOf(words) => words.iter().any(|word| word == value),
            Self::Text => {
                let is_allowed = |c: char| !c.is_whitespace() && !c.is_control() && c != '=';
                !value.is_empty() && value.chars().all(is_allowed)
            }
        }
    }

    pub fn in_words(&self) -> String {
        match self {
            Self::Numbers(least, most) => format!("a number from {least} to {most}"),
            Self::OneOf(words) => words.join(", "),
            Self::Text => "a word".to_owned(),
        }
    }
}

/// Capabilities of a rules program, and peculiarities of its game: the words of its `has` lines.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Capabilities {
    pub legal: bool,
    /// Something is hidden: nobody hears anything but what the rules say.
    pub hidden: bool,
    /// A seat that forfeited can be taken out of the game.
    pub drop: bool,
    /// It says with each turn what the acting seats may do.
    pub offers: bool,
    /// An action is a line, blanks included.
    pub lines: bool,
    pub score: bool,
}

impl Capabilities {
    /// Each capability with its word.
    pub(super) fn words(&mut self) -> [(&'static str, &mut bool); 6] {
        [
            ("legal", &mut self.legal),
            ("hidden", &mut self.hidden),
            ("drop", &mut self.drop),
            ("offers", &mut self.offers),
            ("lines", &mut self.lines),
            ("score", &mut self.score),
        ]
    }

    fn add(&mut self, word: &str) -> bool {
        let known = self.words().into_iter().find(|(known, _)| *known == word);
        known.map(|(_, has)| *has = true).is_some()
    }
}

impl Hello {
    pub fn parse<'a>(lines: impl IntoIterator<Item = &'a str>) -> Result<Self, Malformed> {
        let mut hello = Self::default();
        for line in lines {
            hello.add(line)?;
        }
        hello.finish()
    }

    pub(super) fn add(&mut self, line: &str) -> Result<(), Malformed> {
        let (word, rest) = split_word(line);
        let added = match word {
            "game" => self.add_game(rest),
            "seats" => self.add_seats(rest),
            "option" => self.add_option(rest),
            "secret" => self.add_secret(rest),
            "reason" => self.add_reason(rest),
            "has" => match rest.split_ascii_whitespace().all(|word| self.has.add(word)) {
                true if !rest.is_empty() => Ok(()),
                _ => Err("`has` with words of legal, hidden, drop, offers, lines, score"),
            },
            "notation" => self.add_notation(rest),
            _ => Err("game, seats, option, secret, reason, notation, has or ok"),
        };
        added.map_err(|expected| Malformed::new(line, expected))
    }

    fn add_game(&mut self, rest: &str) -> Result<(), &'static str> {
        let (name, version) = split_word(rest);
        if !self.name.is_empty() || !is_name(name) || !is_name(version) {
            return Err(
                "`game NAME VERSION` once; both have 1 to 64 characters of A-Z a-z 0-9 . _ -",
            );
        }
        (self.name, self.version) = (name.to_owned(), version.to_owned());
        Ok(())
    }

    fn add_seats(&mut self, rest: &str) -> Result<(), &'static str> {
        if self.seats.least() > 0 {
            return Err("`seats` once");
        }
        if let Some((least, most)) = rest.split_once("..") {
            let range = least.parse().ok().zip(most.parse().ok());
            let (least, most) = range.ok_or("`seats MIN..MAX`")?;
            if least < 1 || least > most || most > MOST_SEATS {
                return Err("`seats MIN..MAX`, from 1 to 64");
            }
            self.seats = SeatNames::Range { least, most };
            return Ok(());
        }
        let names: Vec<String> = rest.split_ascii_whitespace().map(str::to_owned).collect();
        let is_new = |index: usize| !names[..index].contains(&names[index]);
        if names.is_empty()
            || names.len() > usize::from(MOST_SEATS)
            || !names.iter().all(|name| is_name(name))
            || !(0..names.len()).all(is_new)
        {
            return Err("`seats` with a different name for each seat, or `seats MIN..MAX`");
        }
        self.seats = SeatNames::Named(names);
        Ok(())
    }

    fn add_option(&mut self, rest: &str) -> Result<(), &'static str> {
        let (key, rest) = split_word(rest);
        let (values, rest) = split_word(rest);
        let (default, meaning) = split_word(rest);
        if !is_key(key) || RESERVED.contains(&key) {
            return Err(
                "`option KEY VALUES DEFAULT MEANING`, where KEY is a-z, 0-9 and -, begins with a letter, and is no \
                 word of the configuration (seed, seats, name, rules, dir, measure, per-game, increment, per-move, period)",
            );
        }
        if self.options.iter().any(|option| option.key == key) || self.options.len() == MOST {
            return Err("each option once, and 256 at most");
        }
        let values = OptionValues::parse(values).ok_or("VALUES as MIN..MAX, a|b|c or text")?;
        if !values.take(default) {
            return Err("a DEFAULT that is one of the VALUES");
        }
        self.options.push(RulesOption {
            key: key.to_owned(),
            values,
            default: default.to_owned(),
            meaning: meaning.to_owned(),
            secret: false,
        });
        Ok(())
    }

    fn add_secret(&mut self, rest: &str) -> Result<(), &'static str> {
        let option = self.options.iter_mut().find(|option| option.key == rest);
        option.ok_or("`secret KEY` after the option KEY")?.secret = true;
        Ok(())
    }

    fn add_reason(&mut self, rest: &str) -> Result<(), &'static str> {
        let (name, words) = split_word(rest);
        let is_known = self.reasons.iter().any(|(known, _)| known == name);
        if !is_name(name) || is_known || self.reasons.len() == MOST {
            return Err("`reason NAME WORDS`, each name once, and 256 at most");
        }
        self.reasons.push((name.to_owned(), words.to_owned()));
        Ok(())
    }

    fn add_notation(&mut self, rest: &str) -> Result<(), &'static str> {
        let notation = EngineProtocol::from_name(rest).filter(|_| self.notation.is_none());
        self.notation = Some(notation.ok_or("`notation` once, with uci, usi or gtp")?);
        Ok(())
    }

    /// Checks that the lines so far were all that a hello needs.
    pub(super) fn finish(self) -> Result<Self, Malformed> {
        let is_black_and_white = || {
            let mut names = self.seats.of(2).unwrap_or_default();
            names.sort();
            names == ["black", "white"]
        };
        let missing = if self.name.is_empty() {
            "a line `game NAME VERSION` before it"
        } else if self.seats.least() == 0 {
            "a line `seats` before it"
        } else if self.notation.is_some() && !is_black_and_white() {
            "seats black and white, since engines call them so"
        } else {
            return Ok(self);
        };
        Err(Malformed::new("ok", missing))
    }
}

fn is_key(text: &str) -> bool {
    let is_allowed = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    text.len() <= 64
        && text.starts_with(|first: char| first.is_ascii_lowercase())
        && text.bytes().all(is_allowed)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Hello, Malformed> {
        Hello::parse(text.lines())
    }

    #[test]
    fn malformed_lines_are_named() {
        let good = "game g 1\nseats a b\n";
        for bad in [
            "",
            " game",
            "game",
            "game h 2",
            "seats c d",
            "option 7 1..2 1",
            "option seed 1..2 1",
            "option per-game 1..2 1",
            "option n 2..1 1",
            "option n 1..2 3",
            "option n 1..2",
            "option n a||b a",
            "secret n",
            "reason",
            "reason a/b words",
            "has",
            "has legal magic",
            "notation",
            "notation pgn",
            "Has legal",
        ] {
            let error = parse(&format!("{good}{bad}\n")).expect_err(bad);
            assert_eq!(error.line, bad);
        }
        for (text, words) in [
            ("seats a b", "a line `game NAME VERSION` before it"),
            ("game g 1", "a line `seats` before it"),
        ] {
            assert_eq!(parse(text).expect_err(text).expected, words);
        }
        for bad in [
            "seats a a",
            "seats 0..2",
            "seats 3..2",
            "seats 2..65",
            "seats",
            "seats a b/c",
        ] {
            parse(&format!("game g 1\n{bad}")).expect_err(bad);
        }
    }
}
