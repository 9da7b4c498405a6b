//! Tuning: the values of a player's parameters at which it is strongest, from games between two sets of values.
//!
//! [`Spsa`] or [`Design`] says which values meet next, and [`Landscape`] fits all games: the best values, the gain over the start, and how
//! sure both are. `docs/tuning.md` has the formulas with their sources.

mod design;
mod landscape;
mod model;
mod posterior;
mod spsa;

pub use design::{Design, MOST_DESIGNED};
pub use landscape::Landscape;
pub use model::Compared;
pub use spsa::{STEP_ELO, Spsa};

crate::named! {
    /// The scale on which steps of a parameter are equal.
    #[derive(Default)]
    pub enum Scale {
        #[default]
        Linear = "linear",
        /// Steps are factors, and all values above 0.
        Logarithmic = "log",
    }
}

/// A parameter of a player, and the values that it may have.
///
/// `low < high`, `start` is between them, and `step` is above 0, or above 1 on a logarithmic scale.
#[derive(Debug, Clone, PartialEq)]
pub struct Parameter {
    pub low: f64,
    pub high: f64,
    pub start: f64,
    /// How far a tried value is from the center at the end of a tuning: a difference, or a factor on a logarithmic scale.
    pub step: f64,
    pub scale: Scale,
    pub whole: bool,
}

// `libm` has one result on all machines, so that a tuning is the same there.
impl Parameter {
    fn position(&self, value: f64) -> f64 {
        match self.scale {
            Scale::Linear => value,
            Scale::Logarithmic => libm::log(value.max(f64::MIN_POSITIVE)),
        }
    }

    fn value(&self, position: f64) -> f64 {
        let value = match self.scale {
            Scale::Linear => position,
            Scale::Logarithmic => libm::exp(position),
        };
        value.max(self.low).min(self.high)
    }

    fn step_on_scale(&self) -> f64 {
        match self.scale {
            Scale::Linear => self.step,
            Scale::Logarithmic => libm::log(self.step),
        }
    }

    /// The value that a bot is given: of a whole number the one below or above, by `luck` from 0 to below 1. Over uniform
    /// luck it is right on average.
    fn given(&self, value: f64, luck: f64) -> f64 {
        match self.whole {
            true => (value + luck)
                .floor()
                .max(self.low.ceil())
                .min(self.high.floor()),
            false => value,
        }
    }

    /// The position from -1 at the lower bound to 1 at the upper one.
    fn unit(&self, value: f64) -> f64 {
        let [low, high] = [self.low, self.high].map(|it| self.position(it));
        2.0 * (self.position(value) - low) / (high - low) - 1.0
    }

    fn of_unit(&self, unit: f64) -> f64 {
        let [low, high] = [self.low, self.high].map(|it| self.position(it));
        self.value(low + (unit + 1.0) / 2.0 * (high - low))
    }
}
