//! The options of a match on the command line: one table, from which arguments, help, keys and the words of other
//! programs come.

use std::time::Duration;

use toml::Value;

use super::{Draft, Key};
use crate::config::file::{did_you_mean, in_brackets};

/// An option, which stands for keys of a configuration.
#[derive(Debug)]
pub struct LineOption {
    pub name: &'static str,
    pub alias: Option<&'static str>,
    pub value: &'static str,
    pub help: &'static str,
    notation: Notation,
    keys: &'static [&'static str],
    /// The option of other tournament managers that it stands for, with the keys of its values, or none, and their
    /// defaults there.
    pub peer: (&'static str, &'static [&'static str]),
}

/// How the value of an option is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Notation {
    Text,
    Names,
    /// A number, or several, each after its sign. All but the first may be left out.
    Numbers(&'static str),
    /// A number of games, which are played in whole blocks.
    Games,
    /// `NAME=VALUE`, for any key below the option's.
    Pair,
    /// A time: a bare number has seconds.
    Time,
    /// `MOVES/TIME+TIME`: the moves of a period, if any, their time, and what a move adds.
    TimeControl,
}

/// A key of an option, what comes below it, and its value.
type Part<'a> = (&'static str, Option<&'a str>, Value);

use Notation::{Games, Names, Numbers, Pair, Text, Time, TimeControl};

const fn option(
    name: &'static str,
    value: &'static str,
    notation: Notation,
    keys: &'static [&'static str],
    help: &'static str,
) -> LineOption {
    LineOption {
        name,
        alias: None,
        value,
        help,
        notation,
        keys,
        peer: ("", &[]),
    }
}

impl LineOption {
    const fn or(mut self, alias: &'static str) -> Self {
        self.alias = Some(alias);
        self
    }

    const fn like(mut self, name: &'static str, keys: &'static [&'static str]) -> Self {
        self.peer = (name, keys);
        self
    }
}

#[rustfmt::skip]
pub const LINE_OPTIONS: [LineOption; 29] = [
    option("set", "KEY=VALUE", Pair, &["game"], "Set an option of the game, such as `--set size=5`; see `referee rules GAME --text`"),
    option("games", "N", Games, &[super::GAMES],
        "How many games every two bots play with each other, in blocks with the same start and a game for each rotation of \
         the seats; rounded up to whole blocks; 20 if not given. A test has at most so many, or no limit if not given"),
    option("opening-plies", "N", Numbers(""), &["format.opening-plies"],
        "Plies played at random before the bots take over; 2 if not given, where random openings are possible"),
    option("book", "FILE", Text, &["game.openings"], "Openings: .epd, .fen, .pgn, Polyglot's .bin, or lines of actions, also with .gz or .zst")
        .like("-openings", &["file"]),
    option("book-order", "ORDER", Text, &["game.opening-order"], "random, as if not given, or sequential")
        .like("-openings", &["order=sequential"]),
    option("book-first", "N", Numbers(""), &["game.opening-first"], "The number of the first opening, in sequential order")
        .like("-openings", &["start"]),
    option("book-plies", "N", Numbers(""), &["game.opening-length"], "Only so many plies of each opening").like("-openings", &["plies"]),
    option("tc", "TIME+INC", TimeControl, &["clock.period", "clock.per-game", "clock.increment"],
        "Time of each bot for a game, and what each action adds: 8+0.08 or 1:30+1 in seconds and minutes, or 60s; 40/60 is for \
         40 actions each time; new:8+0.08 is for one bot, as with all options of bots").or("per-game"),
    option("per-move", "TIME", Time, &["clock.per-move"], "Time of each bot for one action, such as 500ms, or 0.5 in seconds").or("st"),
    option("margin", "TIME", Text, &["clock.margin"], "Overrun that is forgiven, such as 50ms"),
    option("memory", "SIZE", Text, &["limits.memory"], "Memory of each bot with all its processes, such as 100MiB"),
    option("speaks", "LANGUAGE", Text, &["each.speaks"],
        "The language of the bots that are no house bots: uci, usi or gtp for engines, or referee; uci in chess if not given; \
         see `referee docs engines`"),
    option("option", "NAME=VALUE", Pair, &["each.options"], "Set an option of the engines, such as Hash=16, or of one: new:Hash=64"),
    option("go", "LIMIT=N", Pair, &["each.go"], "What limits a search of the engines: nodes=2000, depth=8 or movetime=90ms"),
    option("resign", "SCORExMOVES", Numbers("x/"),
        &["game.adjudicate-resign-score", "game.adjudicate-resign-moves", "game.adjudicate-resign-sides"],
        "A loss by both bots' scores, such as 600x3: 600 hundredths of a pawn, for 3 moves; by the loser's alone: 600x3/1")
        .like("-resign", &["score=0", "movecount=1", "twosided=false"]),
    option("draw", "SCORExMOVES@MOVE", Numbers("x@#"),
        &["game.adjudicate-draw-score", "game.adjudicate-draw-moves", "game.adjudicate-draw-after", "game.adjudicate-draw-number"],
        "A draw by both bots' scores, such as 10x8@34: within 10, for 8 moves, after 34 moves of the game; 10x8#34 counts by the \
         numbers in the FEN of a book").like("-draw", &["score=0", "movecount=1", "movenumber=1"]),
    option("max-moves", "N", Numbers(""), &["game.adjudicate-max-moves"], "A draw after so many moves of each bot").like("-maxmoves", &[""]),
    option("syzygy", "DIR", Text, &["game.syzygy"], "End games of chess by the tablebases in this folder").like("-tb", &[""]),
    option("syzygy-pieces", "N", Numbers(""), &["game.syzygy-pieces"], "The most pieces of a position that they end").like("-tbpieces", &[""]),
    option("sprt", "ELO0,ELO1", Numbers(","), &[super::ELO0, "format.elo1"],
        "Test the first bot against the others until it is decided which Elo is more likely, such as 0,5")
        .like("-sprt", &["elo0=0", "elo1=5"]),
    option("model", "MODEL", Text, &["format.model"], "The Elo of --sprt: logistic, as if not given, or normalized")
        .like("-sprt", &["model"]),
    option("errors", "ALPHA,BETA", Numbers(","), &["format.alpha", "format.beta"],
        "How often --sprt may accept a bot of ELO0, and reject one of ELO1; 0.05,0.05 if not given")
        .like("-sprt", &["alpha=0.05", "beta=0.05"]),
    option("gauntlet", "BOT,…", Names, &[super::CHALLENGERS], "Only these bots, by name, meet all others"),
    option("pgn", "FILE", Text, &["record.pgn"], "Write the games of chess to this file too").like("-pgnout", &["file"]),
    option("pgn-with", "WORD,…", Names, &["record.pgn-with"],
        "What its comments have too: timeleft, latency, nodes, seldepth, nps, hashfull, tbhits, pv")
        .like("-pgnout", &["timeleft", "latency", "nodes", "seldepth", "nps", "hashfull", "tbhits", "pv"]),
    option("pgn-moves", "NOTATION", Text, &["record.pgn-moves"], "Its notation of moves: san, as if not given, lan or uci")
        .like("-pgnout", &["notation"]),
    option("epd", "FILE", Text, &["record.epd"], "Write the final positions of games of chess to this file").like("-epdout", &["file"]),
    option("name", "NAME", Text, &["name"], "The name of the match, and of its folder in results/; GAME-match if not given")
        .like("-event", &[""]),
    option("seed", "N", Numbers(""), &["seed"], "The seed for everything random; drawn if not given").like("-srand", &[""]),
];

impl LineOption {
    /// Whether it is about terms of players, which one player may have for itself.
    pub fn is_term(&self) -> bool {
        let tables = ["clock.", "limits.", "each."];
        tables.iter().any(|table| self.keys[0].starts_with(table))
    }

    /// Whether it says more about the test of `--sprt`.
    pub fn is_of_test(&self) -> bool {
        self.peer.0 == "-sprt" && self.keys[0] != super::ELO0
    }

    /// Its keys, in words.
    pub fn keys(&self) -> String {
        let keys = self.keys.iter().map(|key| format!("`{key}`"));
        keys.collect::<Vec<_>>().join(", ")
    }

    /// A problem of a configuration with this option in the place of its key, if it has only one.
    pub(super) fn in_place_of_key(&self, problem: String) -> String {
        match self.keys.first().and_then(|key| key.split_once('.')) {
            Some((_, key)) if self.keys.len() == 1 => {
                problem.replace(&format!("`{key}`"), &format!("`--{}`", self.name))
            }
            _ => problem,
        }
    }

    pub(super) fn signs(&self) -> &'static str {
        match self.notation {
            Numbers(signs) => signs,
            _ => "",
        }
    }

    pub fn names(&self) -> impl Iterator<Item = &'static str> + use<> {
        std::iter::once(self.name).chain(self.alias)
    }

    pub(super) fn is_of_names(&self) -> bool {
        self.notation == Names
    }

    pub fn may_repeat(&self) -> bool {
        self.notation == Pair || self.is_term()
    }

    /// Sets its keys, by its name or alias. `BOT:` before the value of a term is for the player of that name.
    ///
    /// # Errors
    /// The value is not written as it should be. The problem begins with the option as it was typed.
    pub fn set(&self, draft: &mut Draft, name: &str, typed: &str) -> Result<(), String> {
        let named = typed.split_once(':').filter(|_| self.is_term());
        let option = format!("--{name} {typed}");
        // Times have colons too, and so have values.
        let named =
            named.filter(|(name, _)| name.starts_with(char::is_alphabetic) && !name.contains('='));
        let (player, value) = match named {
            None => (None, typed),
            Some((name, value)) => {
                let player = draft.players.iter().position(|player| player == name);
                let player = player.ok_or_else(|| {
                    let known = draft.players.iter().map(String::as_str);
                    let hint = in_brackets(did_you_mean(name, known.clone()));
                    let known: Vec<&str> = known.collect();
                    let known = known.join(", ");
                    format!("{option}: there is no player `{name}`{hint}: expected one of {known}")
                })?;
                (Some(player), value)
            }
        };
        let values = self.values(value);
        for (key, below, value) in values.map_err(|problem| format!("{option}: {problem}"))? {
            let parts = key
                .split('.')
                .filter(|part| player.is_none() || *part != "each");
            let path = parts.chain(below).map(str::to_owned).collect();
            draft.put(Key {
                player,
                path,
                value,
                typed: Some(option.clone()),
            });
        }
        Ok(())
    }

    /// Its keys, with what comes below them, and their values.
    fn values<'a>(&self, text: &'a str) -> Result<Vec<Part<'a>>, String> {
        let one = |value: Value| vec![(self.keys[0], None, value)];
        Ok(match self.notation {
            Text => one(text.into()),
            Names => one(text.split(',').map(Value::from).collect::<Vec<_>>().into()),
            Games => one(games(text)?.into()),
            Pair => match text.split_once('=') {
                Some((name, text)) => vec![(self.keys[0], Some(name), value(text))],
                None => return Err(self.expected()),
            },
            Time => one(time(text).into()),
            TimeControl => {
                let (period, budget) = text.split_once('/').unzip();
                let budget = budget.unwrap_or(text);
                // Scripts write 0 or inf for a whole game.
                let period = period.filter(|it| *it != "inf" && !it.trim_matches('0').is_empty());
                let is_number = |it: &&str| it.bytes().all(|byte| byte.is_ascii_digit());
                if !period.iter().all(is_number) {
                    return Err(self.expected());
                }
                let (budget, increment) = budget
                    .split_once('+')
                    .map_or((budget, None), |(it, more)| (it, Some(more)));
                let period = period.map(number).transpose()?;
                let values = [
                    period,
                    Some(time(budget).into()),
                    increment.map(|it| time(it).into()),
                ];
                let keys = self.keys.iter().zip(values);
                keys.filter_map(|(key, value)| Some((*key, None, value?)))
                    .collect()
            }
            Numbers(signs) => {
                let (mut rest, mut index, mut parts) = (text, 0, Vec::new());
                // A list of two numbers needs both.
                if signs == "," && !text.contains(signs) {
                    return Err(self.expected());
                }
                loop {
                    let cut = rest.find(|sign| signs[index..].contains(sign));
                    let (part, after) = rest.split_at(cut.unwrap_or(rest.len()));
                    parts.push((self.keys[index], None, number(part)?));
                    let sign = after.chars().next();
                    let Some(at) = sign.and_then(|sign| signs[index..].find(sign)) else {
                        break parts;
                    };
                    index += at + 1;
                    rest = &after[1..];
                }
            }
        })
    }

    fn expected(&self) -> String {
        let (example, _) = self.help.split_once(';').unwrap_or((self.help, ""));
        let example = example
            .split_once(", such as ")
            .map_or("", |(_, example)| example);
        let ends = [", ", ": "].iter().filter_map(|sign| example.find(sign));
        let example = example[..ends.min().unwrap_or(example.len())].trim_matches('`');
        let such_as = match example.is_empty() {
            true => String::new(),
            false => format!(", such as {example}"),
        };
        format!("expected {}{such_as}", self.value)
    }
}

fn value(text: &str) -> Value {
    match (text.parse::<i64>(), text.parse::<bool>()) {
        (Ok(number), _) if number.to_string() == text => number.into(),
        (_, Ok(is_set)) => is_set.into(),
        _ => text.into(),
    }
}

/// A number, or any other text for the file's own error.
fn number(text: &str) -> Result<Value, String> {
    match (text.parse::<i64>(), text.parse::<f64>()) {
        (Ok(number), _) => Ok(number.into()),
        (_, Ok(_)) if text.bytes().all(|byte| byte.is_ascii_digit()) => {
            Err(format!("expected a whole number from 0 to {}", i64::MAX))
        }
        (_, Ok(number)) => Ok(number.into()),
        _ => Ok(text.into()),
    }
}

fn games(text: &str) -> Result<u32, String> {
    match text.parse() {
        Ok(0) => Err("expected at least 1 game".to_owned()),
        Ok(games) => Ok(games),
        Err(_) => Err(format!("expected a whole number from 0 to {}", u32::MAX)),
    }
}

/// The text of a time with its unit. Without one it is in seconds, in minutes and seconds, or has hours too.
fn time(text: &str) -> String {
    if text == "inf" {
        return "none".to_owned();
    }
    let seconds = text.split(':').try_fold(0.0, |sum, part| {
        let number = part.parse::<f64>().ok().filter(|number| *number >= 0.0)?;
        Some(sum * 60.0 + number)
    });
    let time = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    time.map_or_else(
        || text.to_owned(),
        |time| humantime::format_duration(time).to_string(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_as_testers_write_them() {
        for (typed, told) in [
            ("8", "8s"),
            ("0.08", "80ms"),
            ("1:30", "1m 30s"),
            ("1:00:00.5", "1h 500ms"),
            ("500ms", "500ms"),
            ("none", "none"),
            ("-1", "-1"),
            ("inf", "none"),
        ] {
            assert_eq!(time(typed), told);
        }
        // Not the number 7, which is written otherwise.
        assert_eq!(value("007"), Value::from("007"));
    }
}
