//! Expands an entry with a `[player.grid]` into its variants, and one with a `[player.tune]` into the players of a tuning.

use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;

use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

use crate::config::Flaw;

const MOST_VARIANTS: usize = 1000;

const GRID: &str = "grid";
const TUNE: &str = "tune";

/// Suffixes of a tuned player's name for its four sets of values: the values found, the start, and the two that an
/// iteration compares. The order is that of [`crate::schedule::Tuning`].
const TUNED: [&str; 4] = ["", "-start", "-plus", "-minus"];

/// Keys whose texts have parameters: those that only name the player, and those that change how it plays.
const NAMES: [&str; 2] = ["name", "display-name"];
const TERMS: [&str; 10] = [
    "args", "clock", "command", "dir", "env", "go", "house", "limits", "options", "shell",
];

type Parameter<'a> = (&'a Spanned<DeString<'a>>, Vec<String>);

pub struct Tuned<'i> {
    pub players: Vec<Spanned<DeValue<'i>>>,
    pub parameters: Spanned<DeValue<'i>>,
}

fn text_of<'a>(name: &'a Spanned<DeString<'_>>) -> &'a str {
    name.get_ref()
}

/// Players of an entry: one for each combination of grid values, the last parameter changing fastest, with its values as
/// its grid. An entry without a grid is one player.
pub fn variants(entry: Spanned<DeValue<'_>>) -> Result<Vec<Spanned<DeValue<'_>>>, Flaw> {
    let Some((place, grid)) = table_of(&entry, GRID) else {
        return Ok(vec![entry]);
    };
    let parameters: Vec<Parameter<'_>> = grid
        .iter()
        .map(|(name, values)| Ok((name, list(name, values)?)))
        .collect::<Result<_, Flaw>>()?;
    let at = place.start;
    let count = count(at, &parameters)?;
    let mut names = BTreeSet::new();
    let mut all = Vec::with_capacity(count);
    for number in 0..count {
        let chosen = combination(&parameters, number);
        let mut variant = entry.clone();
        let DeValue::Table(player) = variant.get_mut() else {
            continue;
        };
        fill(player, GRID, &parameters, &chosen)?;
        let name = player.get("name");
        let name_place = name.map_or(at, |name| name.span().start);
        let name = name.or(player.get("house"));
        let name = name.and_then(|name| name.get_ref().as_str());
        if count > 1 && !names.insert(name.map(str::to_owned)) {
            let problem = same_name(name.unwrap_or_default(), &parameters);
            return Err(Flaw::at(name_place, problem));
        }
        if let Some(DeValue::Table(values)) = player.get_mut(GRID).map(Spanned::get_mut) {
            for ((_, value), chosen) in values.iter_mut().zip(&chosen) {
                *value.get_mut() = DeValue::String((*chosen).to_owned().into());
            }
        }
        all.push(variant);
    }
    Ok(all)
}

fn table_of<'a, 'i>(
    entry: &'a Spanned<DeValue<'i>>,
    key: &str,
) -> Option<(std::ops::Range<usize>, &'a DeTable<'i>)> {
    let table = entry.get_ref().get(key)?;
    Some((table.span(), table.get_ref().as_table()?))
}

/// The players of a tuning and the table of their parameters, for an entry with one. Placeholders stay: each game
/// has values of its own. In the players, `tune` has the values at the start.
pub fn tuned<'i>(entry: &Spanned<DeValue<'i>>) -> Result<Option<Tuned<'i>>, Flaw> {
    let Some((place, tune)) = table_of(entry, TUNE) else {
        return Ok(None);
    };
    if let Some((grid, _)) = table_of(entry, GRID) {
        let problem = "a player has `grid` or `tune`: expected one of them";
        return Err(Flaw::at(grid.start, problem));
    }
    if tune.is_empty() {
        let problem = "`tune` has no parameter: expected some, such as `depth = { min = 1, max = 9, start = 4 }`";
        return Err(Flaw::at(place.start, problem));
    }
    let mut parameters: Vec<Parameter<'_>> = Vec::new();
    for name in tune.keys() {
        check_name(name)?;
        parameters.push((name, vec![format!("{{{}}}", text_of(name))]));
    }
    let placeholders = combination(&parameters, 0);
    let mut players = Vec::new();
    for suffix in TUNED {
        let mut player = entry.clone();
        let DeValue::Table(table) = player.get_mut() else {
            continue;
        };
        fill(table, TUNE, &parameters, &placeholders)?;
        if let Some(DeValue::Table(values)) = table.get_mut(TUNE).map(Spanned::get_mut) {
            for (name, value) in values.iter_mut() {
                let start = value.get_ref().get("start");
                let start = start.and_then(|it| text(it.get_ref())).ok_or_else(|| {
                    let problem = format!(
                        "`{}` has no `start`: expected a table, such as {{ min = 1, max = 9, start = 4 }}",
                        text_of(name)
                    );
                    Flaw::of(value, problem)
                })?;
                *value.get_mut() = DeValue::String(start.into());
            }
        }
        if !suffix.is_empty() {
            let name = table.get("name").or(table.get("house"));
            let name = name.and_then(|it| Some((it.span(), it.get_ref().as_str()?.to_owned())));
            let (span, name) = name.unwrap_or((entry.span(), String::new()));
            let value = DeValue::String(format!("{name}{suffix}").into());
            let key = Spanned::new(span.clone(), DeString::from("name"));
            table.insert(key, Spanned::new(span, value));
            table.remove("display-name");
        }
        players.push(player);
    }
    Ok(Some(Tuned {
        parameters: Spanned::new(place, DeValue::Table(tune.clone())),
        players,
    }))
}

/// A text in which each `{parameter}` has its value.
pub fn filled(text: &str, values: &BTreeMap<String, String>) -> String {
    let Ok(text) = replaced(text, |name| {
        let value = values.get(name).cloned();
        Ok::<_, Infallible>(value.unwrap_or_else(|| format!("{{{name}}}")))
    });
    text
}

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

fn check_name(name: &Spanned<DeString<'_>>) -> Result<(), Flaw> {
    if !text_of(name).is_empty() && text_of(name).chars().all(is_of_a_name) {
        return Ok(());
    }
    let problem = format!(
        "`{}` cannot be a parameter: expected letters, digits, `-` and `_`",
        text_of(name)
    );
    Err(Flaw::of(name, problem))
}

fn text(value: &DeValue<'_>) -> Option<String> {
    match value {
        DeValue::String(text) => Some(text.to_string()),
        DeValue::Integer(number) => Some(number.to_string()),
        DeValue::Float(number) => Some(number.to_string()),
        DeValue::Boolean(is_set) => Some(is_set.to_string()),
        _ => None,
    }
}

/// Values of a parameter: a list, or an inclusive range of integers.
fn list(name: &Spanned<DeString<'_>>, values: &Spanned<DeValue<'_>>) -> Result<Vec<String>, Flaw> {
    let bad = |problem: &str| {
        let problem = format!(
            "`{}` {problem}: expected a list, such as [1, 2, 3], or a range of whole numbers, such as \
                 \"1..=3\"",
            text_of(name)
        );
        Flaw::of(values, problem)
    };
    check_name(name)?;
    match values.get_ref() {
        DeValue::Array(array) if array.is_empty() => Err(bad("has no values")),
        DeValue::Array(array) => {
            let array = array.iter().map(|one| text(one.get_ref()));
            let problem = "has a value that is not a text, a number or a truth value";
            array.map(|one| one.ok_or_else(|| bad(problem))).collect()
        }
        DeValue::String(text) => {
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
        other => {
            let shown = text(other).unwrap_or_else(|| other.type_str().to_owned());
            Err(bad(&format!("cannot be `{shown}`")))
        }
    }
}

/// Replaces each `{parameter}` in the texts of an entry by its chosen value.
fn fill(
    entry: &mut DeTable<'_>,
    table: &str,
    parameters: &[Parameter<'_>],
    chosen: &[&str],
) -> Result<(), Flaw> {
    let mut used = vec![false; parameters.len()];
    for (key, value) in entry.iter_mut() {
        let changes_play = TERMS.contains(&text_of(key));
        if !changes_play && !NAMES.contains(&text_of(key)) {
            continue;
        }
        put(value, &mut |name, at| {
            let mut known = parameters.iter();
            let index = known.position(|(known, _)| text_of(known) == name);
            let index = index.ok_or_else(|| unknown(name, table, parameters, at))?;
            used[index] |= changes_play;
            Ok(chosen[index].to_owned())
        })?;
    }
    let Some(index) = used.iter().position(|used| !used) else {
        return Ok(());
    };
    let name = parameters[index].0;
    let problem = format!(
        "`{0}` changes nothing: expected `{{{0}}}` in `command`, `args`, `shell`, `house`, `dir`, `env`, \
         `options`, `go`, `clock` or `limits`",
        text_of(name)
    );
    Err(Flaw::of(name, problem))
}

/// The value of the parameter with this name, which stands at this byte.
type Find<'a> = dyn FnMut(&str, usize) -> Result<String, Flaw> + 'a;

fn put(value: &mut Spanned<DeValue<'_>>, find: &mut Find<'_>) -> Result<(), Flaw> {
    let at = value.span().start;
    match value.get_mut() {
        DeValue::String(text) => *text = replaced(text, |name| find(name, at))?.into(),
        DeValue::Array(values) => values.iter_mut().try_for_each(|it| put(it, find))?,
        DeValue::Table(values) => values.iter_mut().try_for_each(|(_, it)| put(it, find))?,
        _ => {}
    }
    Ok(())
}

fn unknown(name: &str, table: &str, parameters: &[Parameter<'_>], at: usize) -> Flaw {
    let known: Vec<&str> = parameters.iter().map(|(name, _)| text_of(name)).collect();
    let known = known.join(", ");
    let problem = format!("`{{{name}}}` is not a parameter of `{table}`: expected one of {known}");
    Flaw::at(at, problem)
}

fn is_of_a_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '-' | '_')
}

/// Replaces each `{name}` in a text. Other braces stay, and so does a shell's `${name}`.
fn replaced<E>(text: &str, mut value: impl FnMut(&str) -> Result<String, E>) -> Result<String, E> {
    let mut out = String::new();
    let mut rest = text;
    while let Some(open) = rest.find('{') {
        let (before, from) = rest.split_at(open);
        out.push_str(before);
        let inner = from[1..].split('}').next().unwrap_or_default();
        let closed = from[1 + inner.len()..].starts_with('}');
        let is_name = closed && !inner.is_empty() && inner.chars().all(is_of_a_name);
        if is_name && !before.ends_with('$') {
            out.push_str(&value(inner)?);
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
    fn braces_of_others_are_left_alone() {
        let put = |text: &str| {
            replaced(text, |name| {
                Ok::<_, Infallible>(if name == "a" { "1" } else { "?" }.to_owned())
            })
        };
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
        let search = "house = \"search\"\nargs = [\"--nodes\", \"{nodes}\"]";
        let named = |rest: &str| format!("name = \"s{{nodes}}\"\n{rest}");
        let two = "[player.grid]\nnodes = [1, 2]";
        let both = "name = \"x{a}{b}\"\nshell = \"x {a} {b}\"";
        let all = "[player.grid]\na = \"1..=100\"\nb = \"1..=100\"";
        let alike = "two variants are called `search`: expected `name` to have {nodes}";
        let unused = "`nodes` changes nothing: expected `{nodes}` in `command`";
        let house = named(&format!("house = \"search\"\n{two}"));
        let empty = named(&format!("{search}\ngrid = {{}}"));
        let mut rows = vec![
            (format!("{search}\n{two}"), alike),
            (format!("name = \"s\"\n{search}\n{two}"), "called `s`"),
            (house, unused),
            (empty, "has no parameter"),
            (
                format!("{both}\n{all}"),
                "`grid` has more than 1000 variants",
            ),
        ];
        for row in [
            "node = [1, 2] => `{nodes}` is not a parameter of `grid`: expected one of node",
            "nodes = [] => `nodes` has no values",
            "nodes = \"3..=1\" => `nodes` ends before it begins",
            "nodes = \"1..=100000\" => `nodes` has too many values",
            "nodes = [1, [2]] => `nodes` has a value that is not a text",
            "nodes = 7 => `nodes` cannot be `7`: expected a list",
            "\"a b\" = [7] => `a b` cannot be a parameter",
        ] {
            let (grid, said) = row.split_once(" => ").expect("a row");
            rows.push((named(&format!("{search}\n[player.grid]\n{grid}")), said));
        }
        for (player, said) in rows {
            let error = plan(&player).expect_err(&player);
            assert!(error.contains(said), "{player}: {error}");
            assert!(error.starts_with("config.toml:"), "{error}");
        }
    }
}
