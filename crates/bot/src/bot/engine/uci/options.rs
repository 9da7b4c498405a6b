//! Options that an engine declares, and the check of configured values against them.

use std::fmt::Write as _;

use crate::bot::pipes::Outbox;
use crate::text::{did_you_mean, excerpt};

const MOST: usize = 1000;

const EXCERPT: usize = 60;

#[derive(Debug, Clone, PartialEq, Eq)]
struct DeclaredOption {
    name: String,
    kind: Kind,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Kind {
    Check,
    Spin {
        min: Option<i128>,
        max: Option<i128>,
    },
    /// Without values if the engine names none.
    Combo(Vec<String>),
    Button,
    /// Also a kind that is not known: nothing is checked.
    Text,
    /// Not said, so that nobody knows where the name ends.
    Unsaid,
}

#[derive(Debug, Clone, Default)]
pub(super) struct DeclaredOptions(Vec<DeclaredOption>);

impl DeclaredOptions {
    /// Adds the option of a line that begins with `option`. A line that declares none is passed over.
    pub fn add(&mut self, line: &str) {
        if self.0.len() < MOST {
            self.0.extend(declared(line));
        }
    }

    /// The name that the engine gives an option, whose case does not matter, and the value to send; `None` for the
    /// value of a button.
    pub fn checked<'a>(
        &'a self,
        name: &'a str,
        value: &'a str,
    ) -> Result<(&'a str, Option<&'a str>), String> {
        let mut options = self.0.iter();
        let option = options.find(|option| option.name.eq_ignore_ascii_case(name));
        let Some(option) = option else {
            let mut unsaid = self.0.iter().filter(|it| it.kind == Kind::Unsaid);
            let words = format!("{} ", name.to_ascii_lowercase());
            return match unsaid.any(|it| it.name.to_ascii_lowercase().starts_with(&words)) {
                true => Ok((name, Some(value))),
                false => Err(self.unknown(name)),
            };
        };
        let refuse = |expected: String| {
            let [name, value] = [&option.name, value].map(|text| excerpt(text, EXCERPT));
            Err(format!(
                "the engine's option `{name}` cannot be `{value}`: expected {expected}"
            ))
        };
        match &option.kind {
            Kind::Check => match value {
                "true" | "false" => {}
                _ => return refuse("true or false".to_owned()),
            },
            Kind::Spin { min, max } => {
                let number: Option<i128> = value.parse().ok();
                let fits = |number: i128| {
                    min.is_none_or(|min| number >= min) && max.is_none_or(|max| number <= max)
                };
                if !number.is_some_and(fits) {
                    return refuse(bounds(*min, *max));
                }
            }
            Kind::Combo(known) if !known.is_empty() => {
                let mut values = known.iter();
                return match values.find(|known| known.eq_ignore_ascii_case(value)) {
                    Some(known) => Ok((&option.name, Some(known))),
                    None => refuse(format!("one of {}", known.join(", "))),
                };
            }
            Kind::Button => match value {
                "" | "true" => return Ok((&option.name, None)),
                _ => return refuse("true, since it is a button".to_owned()),
            },
            Kind::Combo(_) | Kind::Text | Kind::Unsaid => {}
        }
        Ok((&option.name, Some(value)))
    }

    fn unknown(&self, name: &str) -> String {
        let known = self.0.iter().map(|option| option.name.as_str());
        let hint = match did_you_mean(name, known.clone()) {
            Some(hint) => format!(": {}", excerpt(&hint, EXCERPT)),
            None if self.0.is_empty() => ": it declares none".to_owned(),
            None => format!(": expected one of {}", known.collect::<Vec<_>>().join(", ")),
        };
        format!(
            "the engine has no option `{}`{hint}",
            excerpt(name, EXCERPT)
        )
    }
}

fn bounds(min: Option<i128>, max: Option<i128>) -> String {
    match (min, max) {
        (Some(min), Some(max)) => format!("a whole number from {min} to {max}"),
        (Some(min), None) => format!("a whole number from {min}"),
        (None, Some(max)) => format!("a whole number up to {max}"),
        (None, None) => "a whole number".to_owned(),
    }
}

/// The option that a line declares. Names and values may have several words.
fn declared(line: &str) -> Option<DeclaredOption> {
    let mut name = Vec::new();
    let (mut kind, mut min, mut max) = (None, None, None);
    let mut values: Vec<Vec<&str>> = Vec::new();
    let mut words = line.split_whitespace().skip(1);
    let mut field = "";
    while let Some(word) = words.next() {
        match word {
            "name" if field.is_empty() => field = word,
            "type" if kind.is_none() => {
                kind = words.next();
                field = "type";
            }
            "min" if kind.is_some() => min = words.next().and_then(|min| min.parse().ok()),
            "max" if kind.is_some() => max = words.next().and_then(|max| max.parse().ok()),
            "default" if kind.is_some() => field = word,
            "var" if kind.is_some() => {
                field = word;
                values.push(Vec::new());
            }
            word => match field {
                "name" => name.push(word),
                "var" => values.last_mut()?.push(word),
                _ => {}
            },
        }
    }
    let kind = match kind {
        Some("check") => Kind::Check,
        Some("spin") => Kind::Spin { min, max },
        Some("combo") => Kind::Combo(values.iter().map(|words| words.join(" ")).collect()),
        Some("button") => Kind::Button,
        Some(_) => Kind::Text,
        None => Kind::Unsaid,
    };
    let name = name.join(" ");
    (!name.is_empty()).then_some(DeclaredOption { name, kind })
}

/// Queues the line that sets an option, or presses a button.
pub(super) fn set_option(name: &str, value: Option<&str>, out: &mut Outbox) {
    let _ = match value {
        Some(value) => writeln!(out, "setoption name {name} value {value}"),
        None => writeln!(out, "setoption name {name}"),
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options() -> DeclaredOptions {
        let mut options = DeclaredOptions::default();
        for line in [
            "option name Hash type spin default 16 min 1 max 1024",
            "option name Clear Hash type button",
            "option name Ponder type check default false",
            "option name NullMove Pruning type combo default Fail High var Always var Fail High var Never",
            "option name SyzygyPath type string default <empty>",
            "option",
            "option name",
            "option name Book Mode default false",
            "option name Nodes type spin default 0 min 0 max 18446744073709551615",
            "option name Strength type combo default Club",
        ] {
            options.add(line);
        }
        options
    }

    #[test]
    fn values_that_fit_are_sent_under_the_name_of_the_engine_and_others_are_told_what_would() {
        for (name, value, expected) in [
            ("Hash", "64", "Hash = 64"),
            ("hash", "1", "Hash = 1"),
            ("clear hash", "true", "Clear Hash"),
            ("Ponder", "false", "Ponder = false"),
            (
                "NullMove Pruning",
                "fail high",
                "NullMove Pruning = Fail High",
            ),
            ("SyzygyPath", "/a b", "SyzygyPath = /a b"),
            ("Book Mode", "true", "Book Mode = true"),
            (
                "Nodes",
                "18446744073709551615",
                "Nodes = 18446744073709551615",
            ),
            ("Strength", "IM", "Strength = IM"),
            ("Hahs", "64", "has no option `Hahs`: did you mean `Hash`?"),
            (
                "Threads",
                "1",
                "has no option `Threads`: expected one of Hash, Clear Hash, Ponder, NullMove Pruning, SyzygyPath, Book Mode default false, Nodes, Strength",
            ),
            ("Hash", "0", "expected a whole number from 1 to 1024"),
            ("Hash", "much", "expected a whole number from 1 to 1024"),
            ("Ponder", "on", "expected true or false"),
            (
                "NullMove Pruning",
                "Low",
                "expected one of Always, Fail High, Never",
            ),
            ("Clear Hash", "5", "expected true, since it is a button"),
        ] {
            let said = match options().checked(name, value) {
                Ok((name, Some(value))) => format!("{name} = {value}"),
                Ok((name, None)) => name.to_owned(),
                Err(problem) => problem,
            };
            assert!(said.ends_with(expected), "{name}: {said}");
        }
        let none = DeclaredOptions::default();
        let none = none.checked("Hash", "1");
        assert_eq!(
            none,
            Err("the engine has no option `Hash`: it declares none".to_owned())
        );
    }
}
