//! Which draw model predicts games best that it was not fitted to: cross-validation over ten parts of recorded results.
//!
//! ```text
//! cargo run --release --example draws -- FILE...
//! ```
//!
//! Files are those that `referee rate` reads. `docs/ratings.md` has the models and the figures.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use referee::game::{Chance, GameResult, Seat};
use referee::random::Stream;
use referee::rating::{ADVANTAGE_DEVIATION, DRAWS_DEVIATION, PRIOR_DEVIATION};
use referee::results::{BadRows, read_results};

const ELO: f64 = 400.0 / std::f64::consts::LN_10;

const PARTS: u32 = 10;

/// The ends of the classes of gaps, in units of the log odds.
const GAPS: [f64; 4] = [0.5, 1.0, 2.0, f64::INFINITY];

/// How the probability of a draw follows from the log odds.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Draws {
    Davidson,
    RaoKupper,
    Generalised,
}

impl Draws {
    const ALL: [Self; 3] = [Self::Davidson, Self::RaoKupper, Self::Generalised];

    fn name(self) -> &'static str {
        match self {
            Self::Davidson => "Davidson",
            Self::RaoKupper => "Rao and Kupper",
            Self::Generalised => "generalised Davidson",
        }
    }

    /// The probabilities that the first seat wins, draws and loses.
    fn outcomes(self, [odds, draws, scale]: [f64; 3]) -> [f64; 3] {
        let weights = match self {
            Self::Davidson => [(odds / 2.0).exp(), draws.exp(), (-odds / 2.0).exp()],
            Self::RaoKupper => {
                let threshold = 1.0 + draws.exp();
                let [win, loss] = [-odds, odds].map(|it| 1.0 / (1.0 + threshold * it.exp()));
                [win, (threshold * threshold - 1.0) * win * loss, loss]
            }
            Self::Generalised => {
                let [win, loss] = [-odds, odds].map(|it| 1.0 / (1.0 + it.exp()));
                [
                    win,
                    (draws + scale.exp() / 2.0 * (win * loss).ln()).exp(),
                    loss,
                ]
            }
        };
        let sum: f64 = weights.iter().sum();
        weights.map(|weight| weight / sum)
    }

    /// The derivatives of the logarithms of these probabilities by what they depend on.
    fn slopes(self, at: [f64; 3]) -> [[f64; 3]; 3] {
        const STEP: f64 = 1e-5;
        [0, 1, 2].map(|by| {
            let [low, high] = [-STEP, STEP].map(|step| {
                let mut moved = at;
                moved[by] += step;
                self.outcomes(moved).map(f64::ln)
            });
            [0, 1, 2].map(|outcome| (high[outcome] - low[outcome]) / (2.0 * STEP))
        })
    }
}

/// The games of two players in the same seats: how often the first seat won, drew and lost.
type Counts = BTreeMap<[usize; 2], [f64; 3]>;

/// Strengths, and after them the first seat's advantage and two parameters of draws.
struct Fit {
    model: Draws,
    at: Vec<f64>,
}

impl Fit {
    fn new(model: Draws, players: usize, counts: &Counts) -> Self {
        let mut fit = Self {
            model,
            at: vec![0.0; players + 3],
        };
        let mut reached = fit.log_posterior(counts);
        for _ in 0..200 {
            let step = fit.step(counts);
            let mut share = 1.0;
            while share > 1e-6 {
                let moved = fit.at.iter().zip(&step).map(|(at, step)| at + share * step);
                let tried = Self {
                    model,
                    at: moved.collect(),
                };
                let posterior = tried.log_posterior(counts);
                if posterior >= reached {
                    (fit, reached) = (tried, posterior);
                    break;
                }
                share /= 2.0;
            }
            if step.iter().all(|part| part.abs() < 1e-8) || share <= 1e-6 {
                break;
            }
        }
        fit
    }

    fn players(&self) -> usize {
        self.at.len() - 3
    }

    fn of(&self, [first, second]: [usize; 2]) -> [f64; 3] {
        let rest = &self.at[self.players()..];
        [self.at[first] - self.at[second] + rest[0], rest[1], rest[2]]
    }

    /// The priors of the library's fit, and one of the last parameter around Davidson's value.
    fn precision(&self, parameter: usize) -> f64 {
        let deviation = match parameter.checked_sub(self.players()) {
            None => PRIOR_DEVIATION / ELO,
            Some(0) => ADVANTAGE_DEVIATION / ELO,
            Some(1) => DRAWS_DEVIATION,
            Some(_) => 1.0,
        };
        deviation.powi(-2)
    }

    fn log_posterior(&self, counts: &Counts) -> f64 {
        let games = counts.iter().map(|(players, counts)| {
            let outcomes = self.model.outcomes(self.of(*players));
            let terms = counts.iter().zip(outcomes);
            terms.map(|(count, p)| count * p.ln()).sum::<f64>()
        });
        let priors = self.at.iter().enumerate();
        games.sum::<f64>()
            - priors
                .map(|(parameter, at)| 0.5 * self.precision(parameter) * at * at)
                .sum::<f64>()
    }

    /// A step of Fisher's scoring.
    fn step(&self, counts: &Counts) -> Vec<f64> {
        let (size, players) = (self.at.len(), self.players());
        let mut information = vec![vec![0.0; size]; size];
        let mut gradient = vec![0.0; size];
        for parameter in 0..size {
            information[parameter][parameter] = self.precision(parameter);
            gradient[parameter] = -self.precision(parameter) * self.at[parameter];
        }
        for (pairing, counts) in counts {
            let at = self.of(*pairing);
            let (outcomes, slopes) = (self.model.outcomes(at), self.model.slopes(at));
            let games: f64 = counts.iter().sum();
            // The log odds depend on three parameters.
            let places = [
                (pairing[0], 0, 1.0),
                (pairing[1], 0, -1.0),
                (players, 0, 1.0),
                (players + 1, 1, 1.0),
                (players + 2, 2, 1.0),
            ];
            for (place, by, sign) in places {
                for outcome in 0..3 {
                    gradient[place] += sign * counts[outcome] * slopes[by][outcome];
                }
                for (other, other_by, other_sign) in places {
                    let products = (0..3).map(|outcome| {
                        outcomes[outcome] * slopes[by][outcome] * slopes[other_by][outcome]
                    });
                    information[place][other] += sign * other_sign * games * products.sum::<f64>();
                }
            }
        }
        solve(information, gradient)
    }

    /// The Elo of all players: between equals, one Elo changes the score as on the classical curve.
    fn elo(&self) -> Vec<f64> {
        let rest = &self.at[self.players()..];
        let score = |odds| {
            let [win, draw, _] = self.model.outcomes([odds, rest[1], rest[2]]);
            win + draw / 2.0
        };
        let unit = (score(1e-4) - score(-1e-4)) / 2e-4 * 4.0 * ELO;
        let strengths = &self.at[..self.players()];
        let mean = strengths.iter().sum::<f64>() / strengths.len() as f64;
        strengths.iter().map(|it| unit * (it - mean)).collect()
    }
}

/// Gauss's elimination for a positive definite matrix.
fn solve(mut matrix: Vec<Vec<f64>>, mut right: Vec<f64>) -> Vec<f64> {
    let size = right.len();
    for pivot in 0..size {
        let row = matrix[pivot].clone();
        for below in pivot + 1..size {
            let factor = matrix[below][pivot] / row[pivot];
            for (cell, of_pivot) in matrix[below][pivot..].iter_mut().zip(&row[pivot..]) {
                *cell -= factor * of_pivot;
            }
            right[below] -= factor * right[pivot];
        }
    }
    for pivot in (0..size).rev() {
        let known = matrix[pivot][pivot + 1..].iter().zip(&right[pivot + 1..]);
        let known: f64 = known.map(|(cell, value)| cell * value).sum();
        right[pivot] = (right[pivot] - known) / matrix[pivot][pivot];
    }
    right
}

/// A game that was not forfeited by both: the players by seat, and 0, 1 or 2 if the first seat won, drew or lost.
struct Game {
    players: [usize; 2],
    outcome: usize,
    part: u32,
}

/// The games of each kind, by its name.
type Games = BTreeMap<String, Vec<Game>>;

/// Reads all games; also how many players they have together.
fn read() -> Result<(usize, Games), Box<dyn std::error::Error>> {
    let mut names = HashMap::new();
    let mut games = Games::new();
    let mut chance = Stream::new(1, 0);
    for (source, file) in std::env::args().skip(1).enumerate() {
        let mut each = |row: &referee::results::ResultRow<'_>| {
            let outcome = match row.result {
                GameResult::Won(Seat::FIRST) => 0,
                GameResult::Drawn => 1,
                GameResult::Won(_) => 2,
                GameResult::Nobody | GameResult::Placed(_) => return,
            };
            let Some(names_of_game) = row.names.clone().pair() else {
                return;
            };
            let players = names_of_game.map(|name| {
                let next = names.len();
                *names.entry(name.to_owned()).or_insert(next)
            });
            games.entry(row.game.to_owned()).or_default().push(Game {
                players,
                outcome,
                part: chance.below(PARTS),
            });
        };
        read_results(
            Path::new(&file),
            source as u64,
            BadRows::Refuse,
            &mut each,
            &mut |_| (),
        )?;
    }
    Ok((names.len(), games))
}

fn counts<'a>(games: impl Iterator<Item = &'a Game>) -> Counts {
    let mut counts = Counts::new();
    for game in games {
        counts.entry(game.players).or_default()[game.outcome] += 1.0;
    }
    counts
}

/// What a model expects of each game, fitted to the other parts; and the gap of its players in log odds.
fn expected(model: Draws, players: usize, games: &[Game]) -> Vec<([f64; 3], f64)> {
    let fits: Vec<Fit> = (0..PARTS)
        .map(|part| {
            let others = games.iter().filter(|game| game.part != part);
            Fit::new(model, players, &counts(others))
        })
        .collect();
    let of = |game: &Game| {
        let at = fits[game.part as usize].of(game.players);
        (model.outcomes(at), at[0].abs())
    };
    games.iter().map(of).collect()
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (players, games) = read()?;
    for (name, games) in games {
        let drawn = games.iter().filter(|game| game.outcome == 1).count();
        println!("{name}: {} games, {drawn} drawn\n", games.len());
        compare(players, &games);
    }
    Ok(())
}

fn compare(players: usize, games: &[Game]) {
    let expected = Draws::ALL.map(|model| expected(model, players, games));
    let all = counts(games.iter());
    let fits = Draws::ALL.map(|model| Fit::new(model, players, &all));
    println!(
        "| model | log-likelihood of a game | above Davidson's, of 1000 games | Elo changes by |"
    );
    println!("|---|---:|---:|---:|");
    let logs = expected.each_ref().map(|of_games| -> Vec<f64> {
        let each = of_games.iter().zip(games);
        each.map(|((p, _), game)| p[game.outcome].ln()).collect()
    });
    let count = games.len() as f64;
    for (at, fit) in fits.iter().enumerate() {
        let gains = logs[at].iter().zip(&logs[0]).map(|(own, base)| own - base);
        let mean = gains.clone().sum::<f64>() / count;
        let variance = gains.map(|it| (it - mean).powi(2)).sum::<f64>() / (count - 1.0);
        let changes = fit.elo().into_iter().zip(fits[0].elo());
        let most = changes.map(|(own, base)| (own - base).abs());
        println!(
            "| {} | {:.4} | {:+.2} ± {:.2} | {:.1} |",
            fit.model.name(),
            logs[at].iter().sum::<f64>() / count,
            1e3 * mean,
            1e3 * 1.96 * (variance / count).sqrt(),
            most.fold(0.0, f64::max),
        );
    }
    println!(
        "\nscale of the generalised model, 1 for Davidson's: {:.2}\n",
        fits[2].at[players + 2].exp()
    );
    println!("| gap in log odds, to | games | drawn | Davidson | Rao and Kupper | generalised |");
    println!("|---:|---:|---:|---:|---:|---:|");
    let mut low = 0.0;
    for high in GAPS {
        // The classes are those of Davidson's model for all.
        let inside: Vec<usize> = (0..games.len())
            .filter(|at| (low..high).contains(&expected[0][*at].1))
            .collect();
        let percent = |of: &dyn Fn(usize) -> f64| {
            100.0 * inside.iter().map(|at| of(*at)).sum::<f64>() / inside.len() as f64
        };
        let found = percent(&|at| f64::from(games[at].outcome == 1));
        let models = expected.each_ref().map(|it| percent(&|at| it[at].0[1]));
        println!(
            "| {high} | {} | {found:.1} % | {:.1} % | {:.1} % | {:.1} % |",
            inside.len(),
            models[0],
            models[1],
            models[2],
        );
        low = high;
    }
    println!();
}
