//! The terms of a tuning, and its findings.

use std::collections::BTreeMap;

use crate::rating::{Estimate, Interval, MatchScore};
use crate::tuning::{Landscape, Parameter};

/// Values of parameters as a bot is given them, by name.
pub type Values = BTreeMap<String, String>;

/// The values as `name=value`, separated by spaces.
pub fn values_text(values: &Values) -> String {
    let words: Vec<String> = values
        .iter()
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    words.join(" ")
}

/// The values of such a text; `None` if it is another.
pub fn values_of_text(text: &str) -> Option<Values> {
    let words = text.split(' ').map(|word| word.split_once('='));
    words
        .map(|word| word.map(|(name, value)| (name.to_owned(), value.to_owned())))
        .collect()
}

/// The players of a tuning: one program with four sets of values.
pub mod role {
    /// The values that were found.
    pub const FOUND: usize = 0;
    pub const START: usize = 1;
    /// The two that meet in an iteration.
    pub const PLUS: usize = 2;
    pub const MINUS: usize = 3;
    pub const COUNT: usize = 4;
}

crate::named! {
    /// How the values of an iteration are chosen.
    #[derive(Default)]
    pub enum Method {
        #[default]
        Spsa = "spsa",
        /// By the fit of all games before.
        Design = "design",
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct Tuning {
    pub method: Method,
    /// The parameters by name, in the order of their names.
    pub parameters: Vec<(String, Parameter)>,
    /// Most games before the confirmation: a multiple of `games_per_iteration`.
    pub games: u64,
    /// The confirmation begins once the best values have at most so much more Elo.
    pub until_gain_left: Option<f64>,
    /// Even.
    pub games_per_iteration: u64,
    /// How many iterations begin before the results of an iteration move the center.
    pub lag: u64,
    /// Number of games of the found values against the start: even.
    pub confirm: u64,
    /// The Elo that a parameter is expected to lose one step away from its best value.
    pub step_elo: f64,
}

impl Tuning {
    pub fn iterations(&self) -> u64 {
        self.games / self.games_per_iteration
    }

    pub fn parameters(&self) -> Vec<Parameter> {
        self.parameters.iter().map(|(_, it)| it.clone()).collect()
    }

    pub fn values(&self, point: &[f64]) -> Values {
        let parameters = self.parameters.iter().zip(point);
        parameters
            .map(|((name, parameter), value)| (name.clone(), shown(parameter, *value)))
            .collect()
    }

    /// The least, the first and the greatest values of all parameters.
    pub fn extremes(&self) -> [Values; 3] {
        let of: [fn(&Parameter) -> f64; 3] = [|it| it.low, |it| it.start, |it| it.high];
        of.map(|of| {
            let point: Vec<f64> = self.parameters.iter().map(|(_, it)| of(it)).collect();
            self.values(&point)
        })
    }
}

/// A value as a bot is given it: whole, or with six significant digits.
pub fn shown(parameter: &Parameter, value: f64) -> String {
    if parameter.whole {
        return format!("{}", value.round() as i64);
    }
    let rounded = format!("{value:.5e}").parse().unwrap_or(value);
    format!("{rounded}")
}

/// The state of a tuning that plays or has ended.
#[derive(Debug, Clone, PartialEq)]
pub struct TuningState {
    pub tuning: Tuning,
    pub trend: Vec<Iteration>,
    /// The center after them.
    pub center: Vec<f64>,
    /// The fit of all iterations, once they are played.
    pub fit: Option<TuningFit>,
    /// The match of the found values against the start, in pairs.
    pub confirmation: MatchScore,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Iteration {
    /// The center that its points were drawn around.
    pub center: Vec<f64>,
    pub points: [Values; 2],
    /// Half points of the first point of its games, and of the second.
    pub half_points: [u64; 2],
}

/// The findings of the fit to all games of all iterations. `docs/tuning.md` has the formulas.
#[derive(Debug, Clone, PartialEq)]
pub struct TuningFit {
    /// The values that the confirmation plays.
    pub found: Vec<f64>,
    /// For each parameter, the 95 % interval of its best value.
    pub intervals: Vec<Interval>,
    /// For each parameter, the Elo that its worst value loses.
    pub worths: Vec<Estimate>,
    /// For each parameter, Elo over its values relative to the best ones.
    pub curves: Vec<Vec<(f64, Estimate)>>,
    /// Elo of the found values over the start.
    pub gain: Estimate,
    /// Elo that the best values may have over those found: low, mean and high.
    pub gain_left: Interval,
    /// The p-value of the games under a utility of this form.
    pub misfit: f64,
}

impl TuningFit {
    pub fn of(landscape: &Landscape, tuning: &Tuning) -> Self {
        let each = 0..tuning.parameters.len();
        Self {
            found: landscape.best(),
            intervals: each.clone().map(|it| landscape.interval(it)).collect(),
            worths: each.clone().map(|it| landscape.worth(it)).collect(),
            curves: each.map(|it| landscape.elo_over(it)).collect(),
            gain: landscape.gain(),
            gain_left: landscape.gain_left(),
            misfit: landscape.misfit(),
        }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct TuningProgress {
    pub over: u64,
    pub iterations: u64,
    /// The center after them, or the values found, as a bot is given them.
    pub values: Values,
}
