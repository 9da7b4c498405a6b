//! Tunings of simulated bots whose strength is a known function of their parameters.

use std::cell::RefCell;

use referee::random::Stream;
use referee::rating::WinDrawLoss;
use referee::tuning::{
    Compared, Design, Landscape, MOST_DESIGNED, Parameter, STEP_ELO, Scale, Spsa,
};

use crate::simulated::{Held, outcome};

/// A kind of bot.
#[derive(Debug, Clone, Copy)]
pub struct World {
    pub parameters: usize,
    pub draw_rate: f64,
    /// The Elo of the best point over the start.
    pub height: f64,
    pub shape: Shape,
}

/// The strength of a bot by its distance from the best values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    Quadratic,
    /// Every other parameter does not matter.
    Sparse,
    /// Far from the best values, strength falls in a line.
    Kinked,
}

const fn world(shape: Shape, height: f64, parameters: usize, draw_rate: f64) -> World {
    World {
        parameters,
        draw_rate,
        height,
        shape,
    }
}

pub const WORLDS: [World; 14] = [
    world(Shape::Quadratic, 50.0, 1, 0.0),
    world(Shape::Quadratic, 50.0, 1, 0.6),
    world(Shape::Quadratic, 50.0, 2, 0.0),
    world(Shape::Quadratic, 50.0, 2, 0.6),
    world(Shape::Quadratic, 50.0, 5, 0.0),
    world(Shape::Quadratic, 50.0, 5, 0.6),
    world(Shape::Quadratic, 50.0, 12, 0.0),
    world(Shape::Quadratic, 50.0, 12, 0.6),
    world(Shape::Quadratic, 5.0, 2, 0.3),
    world(Shape::Quadratic, 5.0, 5, 0.3),
    world(Shape::Sparse, 50.0, 5, 0.3),
    world(Shape::Sparse, 50.0, 12, 0.3),
    world(Shape::Kinked, 50.0, 2, 0.3),
    world(Shape::Kinked, 50.0, 5, 0.3),
];

/// Iterations of each tuning, at most.
const ITERATIONS: u64 = 500;

/// A tenth of the range.
const STEP: f64 = 0.2;

/// Points that random search compares with the start.
const RANDOM: usize = 20;

/// The first seat's advantage in units of the log odds.
const ADVANTAGE: f64 = 0.2;

fn iterations_of(games: u64) -> u64 {
    ITERATIONS.min(games / 2)
}

fn pairs_of(games: u64) -> u64 {
    games / 2 / iterations_of(games)
}

/// Figures over some tunings.
#[derive(Debug, Clone, Default)]
pub struct Study {
    pub tunings: u64,
    /// Sums of the Elo lost to the best point: by the fit, by the last center, by random search, by the fit of a design.
    pub lost: [f64; 4],
    pub gain: Held,
    pub design_gain: Held,
    /// The sum of how far estimated gains are above the true ones, and of their margins.
    pub bias: f64,
    pub margin: f64,
    pub left: Held,
    /// Intervals of the best values of parameters.
    pub values: Held,
    /// Fits that are said not to hold.
    pub misfits: u64,
}

impl Study {
    pub fn mean(&self, sum: f64) -> f64 {
        sum / self.tunings as f64
    }
}

/// Makes so many tunings of so many games.
pub fn study(world: &World, games: u64, tunings: u64) -> Study {
    let mut study = Study::default();
    for number in 0..tunings {
        let mut chance = Stream::of_purpose("simulated tuning", games, number);
        let bot = Bot::new(world, &mut chance);
        let (landscape, center) = bot.tune(games, number, &mut chance);
        let searched = bot.search(games, &mut chance);
        let best = landscape.best();
        let design = (world.parameters <= MOST_DESIGNED).then(|| {
            let mut design = Design::new(bot.parameters(), pairs_of(games), number);
            bot.fit(games, &mut chance, |_, all| design.points(all), |_, _| {})
        });
        let designed = design.as_ref().map_or(best.clone(), Landscape::best);
        let lost = [&best, &center, &searched, &designed].map(|point| -bot.elo(point));
        if let Some(gain) = design.map(|it| it.gain()) {
            let truth = world.height - lost[3];
            study.design_gain.count(gain.low(), truth, gain.high());
        }
        study.tunings += 1;
        for (sum, lost) in study.lost.iter_mut().zip(lost) {
            *sum += lost;
        }
        let gain = landscape.gain();
        let truth = world.height - lost[0];
        study.gain.count(gain.low(), truth, gain.high());
        study.bias += gain.elo - truth;
        study.margin += gain.margin();
        let [_, _, most] = landscape.gain_left();
        study.left.count(0.0, lost[0], most);
        for (parameter, best) in bot.best.iter().enumerate() {
            let [low, _, high] = landscape.interval(parameter);
            study.values.count(low, *best, high);
        }
        study.misfits += u64::from(landscape.misfit() < 0.05);
    }
    study
}

/// A bot with parameters from -1 to 1.
struct Bot {
    world: World,
    start: Vec<f64>,
    best: Vec<f64>,
    /// A root of its curvatures: each row is a parameter.
    root: Vec<Vec<f64>>,
    scale: f64,
}

impl Bot {
    fn new(world: &World, chance: &mut Stream) -> Self {
        let size = world.parameters;
        let point = |chance: &mut Stream| (0..size).map(|_| 1.4 * chance.uniform() - 0.7).collect();
        let start: Vec<f64> = point(chance);
        let best = std::iter::repeat_with(|| point(chance)).find(|best: &Vec<f64>| {
            let apart = start
                .iter()
                .zip(best)
                .map(|(start, best)| (start - best).powi(2));
            apart.sum::<f64>() > 0.1 * size as f64
        });
        let root: Vec<Vec<f64>> = (0..size)
            .map(|row| {
                let matters = world.shape != Shape::Sparse || row % 2 == 0;
                let own = f64::from(matters) * (0.2 + chance.uniform());
                let mixed = own * 0.5 / (size as f64).sqrt();
                let cell = |column: usize| {
                    if row == column {
                        own
                    } else {
                        mixed * chance.normal()
                    }
                };
                (0..size).map(cell).collect()
            })
            .collect();
        let mut bot = Self {
            world: *world,
            root,
            start,
            best: best.expect("points go on"),
            scale: 1.0,
        };
        bot.scale = world.height / -bot.elo(&bot.start);
        bot
    }

    /// Its Elo at a point, below 0: the best one has 0.
    fn elo(&self, point: &[f64]) -> f64 {
        let mut squares = 0.0;
        for column in 0..point.len() {
            let rows = self.root.iter().zip(point.iter().zip(&self.best));
            squares += rows
                .map(|(row, (at, best))| row[column] * (at - best))
                .sum::<f64>()
                .powi(2);
        }
        let distance = match self.world.shape {
            Shape::Quadratic | Shape::Sparse => squares,
            Shape::Kinked => (squares / 0.04 + 1.0).sqrt() - 1.0,
        };
        -self.scale * distance
    }

    fn play(&self, points: [&[f64]; 2], chance: &mut Stream) -> [WinDrawLoss; 2] {
        let elo = 400.0 / 10_f64.ln() * (1.0 - self.world.draw_rate);
        let odds = (self.elo(points[0]) - self.elo(points[1])) / elo;
        [ADVANTAGE, -ADVANTAGE]
            .map(|side| outcome(odds + side, self.world.draw_rate, chance.uniform()))
    }

    fn parameters(&self) -> Vec<Parameter> {
        let parameter = |start: &f64| Parameter {
            low: -1.0,
            high: 1.0,
            start: *start,
            step: STEP,
            scale: Scale::Linear,
            whole: false,
        };
        self.start.iter().map(parameter).collect()
    }

    /// The fit of a tuning, and its last center.
    fn tune(&self, games: u64, seed: u64, chance: &mut Stream) -> (Landscape, Vec<f64>) {
        let (iterations, pairs) = (iterations_of(games), pairs_of(games));
        let spsa = Spsa::new(self.parameters(), iterations, pairs, STEP_ELO, seed);
        let center = RefCell::new(spsa.start());
        let points = |iteration, _: &[Compared]| spsa.points(iteration, &center.borrow());
        let fit = self.fit(games, chance, points, |iteration, result| {
            let next = spsa.step(iteration, &center.borrow(), result);
            *center.borrow_mut() = next;
        });
        (fit, center.into_inner())
    }

    /// The fit of all iterations between the points that are named for each. `over` is told how many points more the first
    /// one scored.
    fn fit(
        &self,
        games: u64,
        chance: &mut Stream,
        mut points: impl FnMut(u64, &[Compared]) -> [Vec<f64>; 2],
        mut over: impl FnMut(u64, f64),
    ) -> Landscape {
        let mut all = Vec::new();
        for iteration in 0..iterations_of(games) {
            let points = points(iteration, &all);
            let mut compared = Compared::new(points.clone());
            let mut result = 0.0;
            for _ in 0..pairs_of(games) {
                let scores = self.play([&points[0], &points[1]], chance);
                compared.add_pair(scores);
                result += 2.0 * (scores[0].points() + scores[1].points() - 1.0);
            }
            over(iteration, result);
            all.push(compared);
        }
        Landscape::fit(&self.parameters(), &all)
    }

    /// The point of some random ones that scores most against the start.
    fn search(&self, games: u64, chance: &mut Stream) -> Vec<f64> {
        let mut best = (0.5, self.start.clone());
        let pairs = (games / 2 / RANDOM as u64).max(1);
        for _ in 0..RANDOM {
            let point: Vec<f64> = self
                .start
                .iter()
                .map(|_| 2.0 * chance.uniform() - 1.0)
                .collect();
            let points = (0..pairs).map(|_| {
                let [one, two] = self.play([&point, &self.start], chance);
                one.points() + two.points()
            });
            let score = points.sum::<f64>() / (2 * pairs) as f64;
            if score > best.0 {
                best = (score, point);
            }
        }
        best.1
    }
}

#[cfg(test)]
mod tests {
    use super::{WORLDS, study};

    #[test]
    #[ignore = "slow"]
    fn the_gain_of_a_tuning_holds_about_as_often_as_it_says() {
        for world in [&WORLDS[3], &WORLDS[5], &WORLDS[9]] {
            let study = study(world, 10_000, 200);
            let [fit, center, random, _] = study.lost.map(|sum| study.mean(sum));
            println!("{world:?}: lost {fit:.1}, {center:.1}, {random:.1}");
            println!("{:.1} % of gains hold", study.gain.percent());
            assert!((90.0..99.5).contains(&study.gain.percent()));
            assert!(fit < random && fit < 0.4 * world.height);
            assert!(study.mean(study.misfits as f64) < 0.1);
        }
    }
}
