//! The parameters of a set of games, and their most likely values.

use super::PlacedError;
use super::choice::{GameModel, GameTerms};
use super::game::PlacedGame;
use crate::game::MOST_SEATS;
use crate::rating::ELO;
use crate::rating::fit::{ADVANTAGE_DEVIATION, DRAWS_DEVIATION, Model, PRIOR_DEVIATION};
use crate::rating::math::Information;

/// Upper bound on Newton steps. Convergence takes about six.
const STEPS: usize = 100;

/// Steps are small enough below this change of any parameter.
const SMALL: f64 = 1e-9;

/// Accuracy of a Newton step: the squared error relative to the squared gradient.
const STEP_ACCURACY: f64 = 1e-14;

/// Games, and the place of each parameter: strengths, then the seats of each kind of table, then ties.
#[derive(Debug, Clone)]
pub struct Problem {
    pub players: usize,
    /// By block, so that sums have one order.
    pub games: Vec<PlacedGame>,
    /// Index of the first seat's worth, by number of seats; `None` without such games, and where no seats are fitted.
    seats_at: [Option<usize>; MOST_SEATS + 1],
    /// Index of `ln δ`, by size of a tie from 2; `None` if no tie of this size occurred.
    ties_at: [Option<usize>; MOST_SEATS - 1],
    size: usize,
    tables: usize,
}

/// The log posterior at a point, with its derivatives.
struct State {
    log_posterior: f64,
    gradient: Vec<f64>,
    information: Information,
}

/// The fitted parameters.
#[derive(Debug)]
pub struct Fit {
    /// The most likely ones.
    pub at: Vec<f64>,
    /// The most likely ones, drawn together: errors put them too far apart, where results look surer than they are.
    pub moderate: Vec<f64>,
    /// The information at the moderate ones.
    pub information: Information,
}

impl Problem {
    /// The games of players with the indices from 0 to `players - 1`.
    pub fn new(players: usize, games: &[PlacedGame], model: Model) -> Result<Self, PlacedError> {
        games.iter().try_for_each(|game| game.check(players))?;
        let mut games = games.to_vec();
        let who = |game: &PlacedGame| {
            let seats = game.seats.iter().map(|seat| (seat.player, seat.place));
            seats.collect::<Vec<_>>()
        };
        games.sort_by(|a, b| a.block.cmp(&b.block).then_with(|| who(a).cmp(&who(b))));
        let mut problem = Self {
            players,
            seats_at: [None; MOST_SEATS + 1],
            ties_at: [None; MOST_SEATS - 1],
            size: players,
            tables: 0,
            games,
        };
        for seats in 2..=MOST_SEATS {
            let occurs = problem.games.iter().any(|game| game.seats.len() == seats);
            if occurs && model.first_mover {
                problem.seats_at[seats] = Some(problem.size);
                problem.size += seats;
            }
        }
        problem.tables = problem.size;
        let of_size = |(chosen, _): (usize, usize)| chosen.count_ones() as usize;
        for size in 2..=MOST_SEATS {
            let mut games = problem.games.iter();
            if games.any(|game| game.choices().any(|it| of_size(it) == size)) {
                problem.ties_at[size - 2] = Some(problem.size);
                problem.size += 1;
            }
        }
        Ok(problem)
    }

    /// Number of parameters.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Number of blocks.
    pub fn blocks(&self) -> usize {
        self.games.chunk_by(|a, b| a.block == b.block).count()
    }

    /// Index of the first seat's worth at a table with this number of seats, if it is fitted.
    pub fn seats_at(&self, seats: usize) -> Option<usize> {
        *self.seats_at.get(seats)?
    }

    /// Index of `ln δ` of ties of this size, if there are any.
    pub fn tie_at(&self, size: usize) -> Option<usize> {
        *self.ties_at.get(size.checked_sub(2)?)?
    }

    /// The local parameters of a game, each with a parameter that it stands for.
    pub fn indices(&self, game: &PlacedGame) -> impl Iterator<Item = (usize, usize)> {
        let seats = game.seats.len();
        let players = game.seats.iter().map(|seat| seat.player).enumerate();
        let of_seats = self.seats_at[seats].into_iter();
        let of_seats =
            of_seats.flat_map(move |first| (0..seats).map(move |seat| (seat, first + seat)));
        let ties = self.ties_at[..seats - 1].iter().enumerate();
        let ties = ties.filter_map(move |(size, index)| Some((seats + size, (*index)?)));
        players.chain(of_seats).chain(ties)
    }

    /// The model of a game at these parameters.
    pub fn model(&self, game: &PlacedGame, at: &[f64]) -> GameModel {
        let seats = game.seats.len();
        let mut worths = [0.0; MOST_SEATS];
        for (seat, one) in game.seats.iter().enumerate() {
            let of_seat = self.seats_at[seats].map_or(0.0, |first| at[first + seat]);
            worths[seat] = at[one.player] + of_seat;
        }
        GameModel {
            seats,
            worths,
            ln_delta: self.ties_at.map(|index| index.map(|index| at[index])),
        }
    }

    /// The log-likelihood of a game with its derivatives.
    pub fn terms(&self, game: &PlacedGame, at: &[f64]) -> GameTerms {
        let model = self.model(game, at);
        match game.stopped {
            true => GameTerms::stopped(&model, game.forfeiters()),
            false => GameTerms::new(&model, game.choices()),
        }
    }

    /// The precision of the prior of a parameter.
    pub fn precision(&self, index: usize) -> f64 {
        let deviation = if index < self.players {
            PRIOR_DEVIATION / ELO
        } else if index < self.tables {
            // The advantage over another seat has twice this variance.
            ADVANTAGE_DEVIATION / ELO / std::f64::consts::SQRT_2
        } else {
            DRAWS_DEVIATION
        };
        deviation.powi(-2)
    }

    /// The information of the prior, with room for cells of all players who met.
    fn prior(&self) -> Information {
        let precisions = (0..self.size).map(|index| self.precision(index));
        let met = self.games.iter().flat_map(|game| {
            let seats = game.seats.iter().enumerate();
            seats.flat_map(|(at, seat)| {
                let others = game.seats[..at].iter();
                others.map(|other| [seat.player, other.player])
            })
        });
        Information::of_meetings(precisions.collect(), self.players, met)
    }

    fn evaluate(&self, at: &[f64], prior: &Information) -> State {
        let mut state = State {
            log_posterior: 0.0,
            gradient: vec![0.0; self.size],
            information: prior.clone(),
        };
        for (index, value) in at.iter().enumerate() {
            let precision = self.precision(index);
            state.log_posterior -= precision * value * value / 2.0;
            state.gradient[index] -= precision * value;
        }
        for game in &self.games {
            let terms = self.terms(game, at);
            state.log_posterior += terms.log_likelihood;
            for (local, index) in self.indices(game) {
                state.gradient[index] += terms.gradient[local];
            }
            self.for_each_cell(game, &terms, |one, other, value| {
                state.information.add_met(one, other, value);
            });
        }
        state
    }

    /// Calls a function with each cell of a game's information on the diagonal or below it.
    pub fn for_each_cell(
        &self,
        game: &PlacedGame,
        terms: &GameTerms,
        mut add: impl FnMut(usize, usize, f64),
    ) {
        for (row, one) in self.indices(game) {
            for (column, other) in self.indices(game).filter(|(_, other)| *other <= one) {
                add(one, other, terms.information[row][column]);
            }
        }
    }

    /// The parameters with the highest posterior.
    ///
    /// Uses Newton's method, with conjugate gradients for its steps.
    pub fn solve(&self) -> Fit {
        let prior = self.prior();
        let mut at = vec![0.0; self.size];
        let mut state = self.evaluate(&at, &prior);
        for _ in 0..STEPS {
            let right: Vec<[f64; 1]> = state.gradient.iter().map(|part| [*part]).collect();
            let step = state.information.solve(&right, STEP_ACCURACY);
            let mut step: Vec<f64> = step.into_iter().map(|[part]| part).collect();
            let mut longest;
            // The log posterior is concave, but a step can be too long where results are one-sided.
            loop {
                let tried: Vec<f64> = at.iter().zip(&step).map(|(at, step)| at + step).collect();
                let reached = self.evaluate(&tried, &prior);
                longest = step.iter().fold(0.0_f64, |most, part| most.max(part.abs()));
                if reached.log_posterior >= state.log_posterior || longest < SMALL {
                    at = tried;
                    state = reached;
                    break;
                }
                step.iter_mut().for_each(|part| *part /= 2.0);
            }
            if longest < SMALL {
                break;
            }
        }
        let moderate = self.moderate(&at, &state.information);
        let information = self.evaluate(&moderate, &prior).information;
        Fit {
            at,
            moderate,
            information,
        }
    }

    /// Draws the strengths together, and the seats of each kind of table. Without blocks of several games they stay, as in
    /// the model of two seats.
    ///
    /// The errors of a fit put them too far apart. Their true variance follows by moments (R. DerSimonian, N. Laird,
    /// Controlled Clinical Trials 7, 1986), where each one's information takes the others as known.
    fn moderate(&self, at: &[f64], information: &Information) -> Vec<f64> {
        let mut moderate = at.to_vec();
        if self.blocks() == self.games.len() {
            return moderate;
        }
        let tables = (0..=MOST_SEATS).filter_map(|seats| Some((self.seats_at[seats]?, seats)));
        for (first, count) in tables.chain([(0, self.players)]) {
            let group = first..first + count;
            let own = |index: usize| information.own(index);
            let sum = |part: &dyn Fn(usize) -> f64| group.clone().map(part).sum::<f64>();
            let all = sum(&own);
            let mean = sum(&|index| own(index) * at[index]) / all;
            let apart = sum(&|index| own(index) * (at[index] - mean).powi(2));
            let by_errors = sum(&|index| {
                let by_games = 1.0 - self.precision(index) / own(index);
                by_games * (1.0 - own(index) / all).powi(2)
            });
            if apart > 0.0 {
                let truly = (1.0 - by_errors / apart).max(0.0).sqrt();
                for value in &mut moderate[group] {
                    *value = mean + truly * (*value - mean);
                }
            }
        }
        moderate
    }
}
