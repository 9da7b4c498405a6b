//! Expands an entry with a `[player.grid]` into its variants.

use std::collections::BTreeSet;
use std::fmt::{self, Display, Formatter};

use toml::{Spanned, Value};

use crate::config::Flaw;
use crate::config::file;

/// Maximum number of variants of an entry.
const MOST_VARIANTS: usize = 1000;

/// Name of a parameter, and its values as text.
type Parameter<'a> = (&'a Spanned<String>, Vec<String>);

/// Parameters of one variant with their values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GridValues(pub Vec<(String, String)>);

impl Display for GridValues {
    /// For example `depth = 3, seed = 1`.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (at, (name, value)) in self.0.iter().enumerate() {
            let separator = if at > 0 { ", " } else { "" };
            write!(f, "{separator}{name} = {value}")?;
        }
        Ok(())
    }
}

/// A player of the plan, with its grid values if its entry has a grid.
pub struct Variant {
    pub player: file::PlayerSection,
    pub settings: Option<GridValues>,
}

/// Players of an entry: one for each combination of grid values, the last parameter changing fastest. An entry
/// without a grid is one player.
pub fn variants(entry: &Spanned<file::PlayerSection>) -> Result<Vec<Variant>, Flaw> {
    let player = entry.get_ref();
    let Some(grid) = &player.grid else {
        return Ok(vec![Variant {
            player: player.clone(),
            settings: None,
        }]);
    };
    let parameters: Vec<Parameter<'_>> = grid
        .get_ref()
        .iter()
        .map(|(name, values)| Ok((name, list(name, values)?)))
        .collect::<Result<_, Flaw>>()?;
    let at = grid.span().start;
    let count = count(at, &parameters)?;
    let mut names = BTreeSet::new();
    let mut all = Vec::with_capacity(count);
    for number in 0..count {
        let chosen = combination(&parameters, number);
        let variant = fill(entry, &parameters, &chosen)?;
        let name = variant.name.as_ref().map(|name| name.get_ref().clone());
        if count > 1 && !names.insert(name.clone()) {
            let house = player.house.as_ref().map(|house| house.get_ref().clone());
            let problem = same_name(&name.or(house).unwrap_or_default(), &parameters);
            return Err(Flaw::at(player.name_place(at), problem));
        }
        let settings = parameters.iter().zip(&chosen);
        let settings =
            settings.map(|((name, _), value)| (name.get_ref().clone(), (*value).to_owned()));
        all.push(Variant {
            player: variant,
            settings: Some(GridValues(settings.collect())),
        });
    }
    Ok(all)
}

/// Number of variants of a grid; `at` is its byte offset.
fn count(at: usize, parameters: &[Parameter<'_>]) -> Result<usize, Flaw> {
    if parameters.is_empty() {
        let problem = "`grid` has no parameter: expected some, such as `depth = [1, 2, 3]`";
        return Err(Flaw::at(at, problem));
    }
    let mut values = parameters.iter().map(|(_, values)| values.len());
    let count = values.try_fold(1, usize::checked_mul);
    let too_many = || Flaw::at(at, format!("`grid` has more than {MOST_VARIANTS} variants"));
    count
        .filter(|count| *count <= MOST_VARIANTS)
        .ok_or_else(too_many)
}

/// Message for two variants with this name.
fn same_name(name: &str, parameters: &[Parameter<'_>]) -> String {
    let varied = parameters.iter().filter(|(_, values)| values.len() > 1);
    let placeholders: Vec<String> = varied
        .map(|(name, _)| format!("{{{}}}", name.get_ref()))
        .collect();
    format!(
        "two variants are called `{name}`: expected `name` to have {}",
        placeholders.join(" and ")
    )
}

/// Values of the combination with this number, by parameter.
fn combination<'a>(parameters: &'a [Parameter<'_>], mut number: usize) -> Vec<&'a str> {
    // Digits of the number in a mixed radix, with the last parameter as the least significant.
    let mut chosen: Vec<&str> = parameters
        .iter()
        .rev()
        .map(|(_, values)| {
            let value = &values[number % values.len()];
            number /= values.len();
            value.as_str()
        })
        .collect();
    chosen.reverse();
    chosen
}

/// Values of a parameter: a list, or an inclusive range of integers.
fn list(name: &Spanned<String>, values: &Spanned<Value>) -> Result<Vec<String>, Flaw> {
    let bad = |problem: &str| {
        Flaw::of(
            values,
            format!(
                "`{}` {problem}: expected a list, such as [1, 2, 3], or a range of whole numbers, such as \
                 \"1..=3\"",
                name.get_ref()
            ),
        )
    };
    if name.get_ref().is_empty() || !name.get_ref().chars().all(is_of_a_name) {
        return Err(Flaw::of(
            name,
            format!(
                "`{}` cannot be a parameter: expected letters, digits, `-` and `_`",
                name.get_ref()
            ),
        ));
    }
    match values.get_ref() {
        Value::Array(array) if !array.is_empty() => array
            .iter()
            .map(|value| match value {
                Value::String(text) => Ok(text.clone()),
                Value::Integer(_) | Value::Float(_) | Value::Boolean(_) => Ok(value.to_string()),
                _ => Err(bad(
                    "has a value that is not a text, a number or a truth value",
                )),
            })
            .collect(),
        Value::Array(_) => Err(bad("has no values")),
        Value::String(text) => {
            let ends = text.split_once("..=").and_then(|(from, to)| {
                Some((
                    from.trim().parse::<i64>().ok()?,
                    to.trim().parse::<i64>().ok()?,
                ))
            });
            match ends {
                Some((from, to)) if from <= to && to.abs_diff(from) < MOST_VARIANTS as u64 => {
                    Ok((from..=to).map(|value| value.to_string()).collect())
                }
                Some((from, to)) if from <= to => Err(bad("has too many values")),
                Some(_) => Err(bad("ends before it begins")),
                None => Err(bad(&format!("cannot be `{text}`"))),
            }
        }
        other => Err(bad(&format!("cannot be `{other}`"))),
    }
}

/// The entry with each `{parameter}` replaced by its chosen value.
fn fill(
    entry: &Spanned<file::PlayerSection>,
    parameters: &[Parameter<'_>],
    chosen: &[&str],
) -> Result<file::PlayerSection, Flaw> {
    let at = entry.span().start;
    let mut player = entry.get_ref().clone();
    player.grid = None;
    let mut used = vec![false; parameters.len()];
    let mut put = |text: &mut String, at: usize, runs: bool| {
        *text = replaced(text, |name| {
            let mut known = parameters.iter();
            let index = known.position(|(known, _)| known.get_ref() == name);
            let index = index.ok_or_else(|| unknown(name, parameters, at))?;
            used[index] |= runs;
            Ok(chosen[index])
        })?;
        Ok(())
    };
    for name in [&mut player.name, &mut player.display_name]
        .into_iter()
        .flatten()
    {
        let at = name.span().start;
        put(name.get_mut(), at, false)?;
    }
    if let Some(command) = &mut player.command {
        let at = command.span().start;
        for word in command.get_mut() {
            put(word, at, true)?;
        }
    }
    for text in [&mut player.shell, &mut player.house, &mut player.dir]
        .into_iter()
        .flatten()
    {
        let at = text.span().start;
        put(text.get_mut(), at, true)?;
    }
    if let Some(args) = &mut player.args {
        let at = args.span().start;
        for text in args.get_mut() {
            put(text, at, true)?;
        }
    }
    let tables = [&mut player.options, &mut player.go];
    for table in tables.into_iter().flatten() {
        for value in table.get_mut().values_mut() {
            let at = value.span().start;
            if let Value::String(text) = value.get_mut() {
                put(text, at, true)?;
            }
        }
    }
    for text in player.env.values_mut() {
        put(text, at, true)?;
    }
    let clock = player.clock.amounts_mut().into_iter();
    let limits = player.limits.own_amounts_mut();
    for value in clock.chain(limits).filter_map(|(_, value)| value.as_mut()) {
        let at = value.span().start;
        put(&mut value.get_mut().0, at, true)?;
    }
    let Some(index) = used.iter().position(|used| !used) else {
        return Ok(player);
    };
    let name = parameters[index].0;
    let problem = format!(
        "`{0}` changes nothing: expected `{{{0}}}` in `command`, `args`, `shell`, `house`, `dir`, `env`, \
         `options`, `go`, `clock` or `limits`",
        name.get_ref()
    );
    Err(Flaw::of(name, problem))
}

/// Error for a text at byte `at` with a parameter that the grid does not have.
fn unknown(name: &str, parameters: &[Parameter<'_>], at: usize) -> Flaw {
    let known: Vec<&str> = parameters
        .iter()
        .map(|(name, _)| name.get_ref().as_str())
        .collect();
    let known = known.join(", ");
    Flaw::at(
        at,
        format!("`{{{name}}}` is not a parameter of `grid`: expected one of {known}"),
    )
}

fn is_of_a_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '-' | '_')
}

/// Replaces each `{name}` in a text. Other braces stay, and so does a shell's `${name}`.
fn replaced<'a>(
    text: &str,
    mut value: impl FnMut(&str) -> Result<&'a str, Flaw>,
) -> Result<String, Flaw> {
    let mut out = String::new();
    let mut rest = text;
    while let Some(open) = rest.find('{') {
        let (before, from) = rest.split_at(open);
        out.push_str(before);
        let inner = from[1..].split('}').next().unwrap_or_default();
        let closed = from[1 + inner.len()..].starts_with('}');
        let is_name = closed && !inner.is_empty() && inner.chars().all(is_of_a_name);
        if is_name && !before.ends_with('$') {
            out.push_str(value(inner)?);
            rest = &from[inner.len() + 2..];
        } else {
            out.push('{');
            rest = &from[1..];
        }
    }
    out.push_str(rest);
    Ok(out)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::config::Plan;
    use crate::game::BUILT_IN;

    fn plan(player: &str) -> Result<Plan, String> {
        let text = format!(
            "seed = 1\n[game]\nname = \"cachex\"\n[format]\nkind = \"round-robin\"\ngames-per-pairing = 2\n\
             [[player]]\nhouse = \"random\"\n[[player]]\n{player}\n"
        );
        Plan::parse(&text, Path::new("config.toml"), BUILT_IN).map_err(|error| error.to_string())
    }

    #[test]
    fn every_combination_is_a_player() {
        let plan = plan(
            "name = \"s-{nodes}-{kind}\"\nhouse = \"search\"\nargs = [\"--nodes\", \"{nodes}\"]\n\
             env = { KIND = \"{kind}\" }\n[player.grid]\nkind = [\"a\", 2]\nnodes = \"9..=11\"",
        )
        .expect("valid");
        let names: Vec<&str> = plan
            .players
            .iter()
            .map(|entry| entry.name.as_str())
            .collect();
        assert_eq!(
            names,
            [
                "random", "s-9-a", "s-10-a", "s-11-a", "s-9-2", "s-10-2", "s-11-2"
            ]
        );
        let last = &plan.players[6];
        assert_eq!(last.launch.args, ["bot", "search", "--nodes", "11"]);
        assert_eq!(last.launch.env, [("KIND".to_owned(), "2".to_owned())]);
        let variant = last.variant.as_ref().map(ToString::to_string);
        assert_eq!(variant.as_deref(), Some("kind = 2, nodes = 11"));
        assert_eq!(plan.players[0].variant, None);
    }

    #[test]
    fn braces_of_others_are_left_alone() {
        let put = |text: &str| replaced(text, |name| Ok(if name == "a" { "1" } else { "?" }));
        for (text, expected) in [
            ("x{a}y{a}", "x1y1"),
            ("${a} {} {a b} { {a", "${a} {} {a b} { {a"),
            ("{{a}}", "{1}"),
            ("ä{a}ö", "ä1ö"),
        ] {
            assert_eq!(put(text).ok().as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn errors_say_what_is_missing() {
        let house = "house = \"search\"\n";
        let nodes = "args = [\"--nodes\", \"{nodes}\"]\n";
        let named = "name = \"s{nodes}\"\n";
        for (player, said) in [
            (
                format!("{house}{nodes}[player.grid]\nnodes = [1, 2]"),
                "two variants are called `search`: expected `name` to have {nodes}",
            ),
            (
                format!("name = \"s\"\n{house}{nodes}[player.grid]\nnodes = [1, 2]"),
                "two variants are called `s`",
            ),
            (
                format!("{named}{house}[player.grid]\nnodes = [1, 2]"),
                "`nodes` changes nothing: expected `{nodes}` in `command`",
            ),
            (
                format!("{named}{house}{nodes}[player.grid]\nnode = [1, 2]"),
                "`{nodes}` is not a parameter of `grid`: expected one of node",
            ),
            (format!("{named}{house}{nodes}grid = {{}}"), "has no parameter"),
            (
                format!("{named}{house}{nodes}[player.grid]\nnodes = []"),
                "`nodes` has no values",
            ),
            (
                format!("{named}{house}{nodes}[player.grid]\nnodes = \"3..=1\""),
                "`nodes` ends before it begins",
            ),
            (
                format!("{named}{house}{nodes}[player.grid]\nnodes = \"1..=100000\""),
                "`nodes` has too many values",
            ),
            (
                format!("{named}{house}{nodes}[player.grid]\nnodes = [1, [2]]"),
                "`nodes` has a value that is not a text",
            ),
            (
                format!("{named}{house}{nodes}[player.grid]\nnodes = 7"),
                "`nodes` cannot be `7`: expected a list",
            ),
            (
                format!("{named}{house}{nodes}[player.grid]\n\"a b\" = [7]"),
                "`a b` cannot be a parameter",
            ),
            (
                "name = \"x{a}{b}\"\nshell = \"x {a} {b}\"\n[player.grid]\na = \"1..=100\"\nb = \"1..=100\""
                    .to_owned(),
                "`grid` has more than 1000 variants",
            ),
        ] {
            let error = plan(&player).expect_err(&player);
            assert!(error.contains(said), "{player}: {error}");
            assert!(error.starts_with("config.toml:"), "{error}");
        }
    }
}
