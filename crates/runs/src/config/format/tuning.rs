//! The keys of a tuning, and its parameters.

use std::collections::BTreeMap;

use serde::Deserialize;
use toml::{Spanned, Table, Value};

use super::{Keys, PARAMETERS, refuse_cut_blocks};
use crate::config::Flaw;
use crate::config::file::one_of;
use crate::schedule::{Method, Tuning};
use crate::tuning::{MOST_DESIGNED, Parameter, STEP_ELO, Scale};

const GAMES: &str = "games";
const PER_ITERATION: &str = "games-per-iteration";
const CONFIRM: &str = "confirm";
const LAG: &str = "lag";
const METHOD: &str = "method";
const STEP_ELO_KEY: &str = "step-elo";
const GAIN_LEFT: &str = "until-gain-left";

const ITERATION: u64 = 8;

/// Default of `lag`: with the default above, enough for 40 games at a time.
const LAGGING: u64 = 4;

/// Upper bounds that keep a schedule in memory.
const MOST_PARAMETERS: usize = 100;
const MOST_GAMES: u64 = 100_000_000;
const MOST_ITERATIONS: u64 = 20_000;

/// Default of `step`: this share of the range, on the scale of the parameter.
const STEPS: f64 = 10.0;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ParameterTable {
    min: Number,
    max: Number,
    start: Number,
    step: Option<Number>,
    scale: Option<String>,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(untagged)]
enum Number {
    Whole(i64),
    Real(f64),
}

impl Number {
    fn value(self) -> f64 {
        match self {
            Self::Whole(number) => number as f64,
            Self::Real(number) => number,
        }
    }
}

impl Keys {
    pub(super) fn tuning(&mut self, seats: usize) -> Result<Tuning, Flaw> {
        let typed = self.take::<String>(METHOD)?;
        let method = match &typed {
            Some(method) => one_of(METHOD, method, Method::ALL, Method::name)?,
            None => Method::default(),
        };
        let games_per_iteration = self.games_of(PER_ITERATION, ITERATION, seats)?;
        let games = self.needed::<u64>(GAMES)?;
        refuse_cut_iterations(&games, games_per_iteration)?;
        let games = games.into_inner();
        let default = (games / 4).next_multiple_of(seats as u64);
        let confirm = self.games_of(CONFIRM, default, seats)?;
        let lag = self.take::<u32>(LAG)?;
        let step_elo = self.number(STEP_ELO_KEY, STEP_ELO, 0.01..=100.0)?;
        let until_gain_left = self.number_in(GAIN_LEFT, 0.1..=1000.0)?;
        let missing = "kind = \"tune\" needs one [[player]] with [player.tune]";
        let tables = self.take::<BTreeMap<String, Value>>(PARAMETERS)?;
        let tables = tables.ok_or_else(|| Flaw::at(self.at, missing))?;
        let count = tables.get_ref().len();
        if !(1..=MOST_PARAMETERS).contains(&count) {
            let problem = format!("{count} parameters: expected from 1 to {MOST_PARAMETERS}");
            return Err(Flaw::of(&tables, problem));
        }
        if method == Method::Design && count > MOST_DESIGNED {
            let problem = format!(
                "{count} parameters: expected at most {MOST_DESIGNED} with `method = \"design\"`"
            );
            return Err(Flaw::of(&tables, problem));
        }
        let parameters = tables.get_ref().iter().map(|(name, table)| {
            let read = parameter(table.clone());
            let read = read
                .map_err(|problem| Flaw::of(&tables, format!("parameter `{name}`: {problem}")))?;
            Ok((name.clone(), read))
        });
        Ok(Tuning {
            method,
            until_gain_left,
            parameters: parameters.collect::<Result<_, Flaw>>()?,
            games,
            games_per_iteration,
            lag: lag.map_or(LAGGING, |lag| lag.into_inner().into()),
            confirm,
            step_elo,
        })
    }

    /// The number of games under a key, in blocks with a game for each seat.
    fn games_of(&mut self, key: &'static str, default: u64, seats: usize) -> Result<u64, Flaw> {
        let Some(games) = self.take::<u64>(key)? else {
            return Ok(default);
        };
        let number = *games.get_ref();
        if number > MOST_GAMES {
            let problem = format!("`{key}` is {number}: expected at most {MOST_GAMES}");
            return Err(Flaw::of(&games, problem));
        }
        refuse_cut_blocks(key, &games, number, seats)?;
        Ok(number)
    }
}

fn refuse_cut_iterations(games: &Spanned<u64>, games_of_each: u64) -> Result<(), Flaw> {
    let number = *games.get_ref();
    let problem = if number == 0 || !number.is_multiple_of(games_of_each) {
        format!(
            "`games` is {number}: expected a multiple of {games_of_each}, the games of an iteration"
        )
    } else if number / games_of_each > MOST_ITERATIONS {
        format!(
            "`games` is {number}: expected at most {MOST_ITERATIONS} iterations; with more `{PER_ITERATION}`, now \
             {games_of_each}, there are fewer"
        )
    } else {
        return Ok(());
    };
    Err(Flaw::of(games, problem))
}

fn parameter(table: Value) -> Result<Parameter, String> {
    let ParameterTable {
        min,
        max,
        start,
        step,
        scale,
    } = table
        .try_into()
        .map_err(|error: toml::de::Error| error.message().to_owned())?;
    let scale = match scale.as_deref() {
        None => Scale::default(),
        Some(name) => Scale::from_name(name)
            .ok_or_else(|| format!("`scale` cannot be `{name}`: expected `linear` or `log`"))?,
    };
    let mut values = [min, max, start].into_iter();
    let whole = values.all(|number| matches!(number, Number::Whole(_)));
    let [low, high, start] = [min, max, start].map(Number::value);
    if ![low, high].iter().all(|it| it.is_finite()) || low >= high {
        return Err(format!(
            "`min` is {low} and `max` {high}: expected `min` below `max`"
        ));
    }
    if !(low..=high).contains(&start) {
        return Err(format!("`start` is {start}: expected from {low} to {high}"));
    }
    let least_step = match scale {
        Scale::Linear => 0.0,
        Scale::Logarithmic if low > 0.0 => 1.0,
        Scale::Logarithmic => {
            return Err(format!(
                "`min` is {low}: expected more than 0 with `scale = \"log\"`"
            ));
        }
    };
    let default = match scale {
        Scale::Linear if whole => ((high - low) / STEPS).max(1.0),
        Scale::Linear => (high - low) / STEPS,
        Scale::Logarithmic => (high / low).powf(STEPS.recip()),
    };
    let step = step.map_or(default, Number::value);
    let most_step = match scale {
        Scale::Linear => high - low,
        Scale::Logarithmic => high / low,
    };
    if !(step > least_step && step <= most_step) {
        return Err(format!(
            "`step` is {step}: expected more than {least_step}, and at most {most_step}"
        ));
    }
    if whole && scale == Scale::Linear && step < 0.5 {
        return Err(format!(
            "`step` is {step}: expected at least 0.5, or both values of a game are often equal"
        ));
    }
    Ok(Parameter {
        low,
        high,
        start,
        step,
        scale,
        whole,
    })
}

/// The keys of a tuning, as [`Keys::tuning`] reads them.
pub(super) fn keys(tuning: &Tuning) -> Vec<(&'static str, Value)> {
    let number = |number: u64| Value::from(i64::try_from(number).unwrap_or(i64::MAX));
    let tables: Table = tuning
        .parameters
        .iter()
        .map(|(name, parameter)| (name.clone(), table(parameter)))
        .collect();
    let until = tuning.until_gain_left;
    let mut keys = vec![
        (METHOD, tuning.method.name().into()),
        (GAMES, number(tuning.games)),
        (PER_ITERATION, number(tuning.games_per_iteration)),
        (LAG, number(tuning.lag)),
        (CONFIRM, number(tuning.confirm)),
        (STEP_ELO_KEY, tuning.step_elo.into()),
        (PARAMETERS, tables.into()),
    ];
    keys.extend(until.map(|elo| (GAIN_LEFT, elo.into())));
    keys
}

fn table(parameter: &Parameter) -> Value {
    let number = |value: f64| match parameter.whole {
        true => Value::from(value as i64),
        false => value.into(),
    };
    let keys = [
        ("min", number(parameter.low)),
        ("max", number(parameter.high)),
        ("start", number(parameter.start)),
        ("step", parameter.step.into()),
        ("scale", parameter.scale.name().into()),
    ];
    let keys = keys.map(|(key, value)| (key.to_owned(), value));
    Value::Table(keys.into_iter().collect())
}
