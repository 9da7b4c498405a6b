//! A tuning: iterations of games between two sets of values, and then a match of the values found against the start.

use std::collections::VecDeque;

use crate::game::{GameResult, PerSeat};
use crate::rating::{MatchScore, Tally, WinDrawLoss};
use crate::schedule::tuning::role;
use crate::schedule::{
    Conclusion, GameCount, Iteration, Method, NextGame, Schedule, Ticket, Tuning, TuningFit,
    TuningProgress, TuningState, Values,
};
use crate::tuning::{Compared, Design, Landscape, Spsa};

const SEATS: u64 = 2;

/// Scores of the first player of a game pair, in the first seat and in the second. One is missing until its game is over,
/// and if both players forfeited it, which says nothing about strength.
type Pair = [Option<WinDrawLoss>; 2];

/// All games are fitted after this share of the iterations before, where a tuning may end early.
const SHARE: u64 = 8;

/// Iterations are taken in by their numbers. One begins once all but the last `lag` before it are over, so any number of
/// jobs plays equal games. The confirmation begins when all iterations are over.
#[derive(Debug)]
pub struct TuneSchedule {
    tuning: Tuning,
    spsa: Spsa,
    design: Option<Design>,
    /// The number of iterations; it falls where the fit says that little is left to gain.
    iterations: u64,
    issued: u64,
    center: Vec<f64>,
    trend: Vec<Iteration>,
    /// Iterations that have begun or may begin, and are not over.
    open: VecDeque<OpenIteration>,
    compared: Vec<Compared>,
    fit: Option<TuningFit>,
    confirmation: Vec<Pair>,
}

#[derive(Debug)]
struct OpenIteration {
    center: Vec<f64>,
    points: [Vec<f64>; 2],
    values: [Values; 2],
    pairs: Vec<Pair>,
    games: u64,
}

impl OpenIteration {
    /// Half points of the first point, and of the second.
    fn half_points(&self) -> [u64; 2] {
        let scores = self.pairs.iter().flatten().flatten();
        let scores = scores.map(|score| [*score, score.reversed()].map(|it| it as u64));
        scores.fold([0; 2], |[a, b], [one, other]| [a + one, b + other])
    }

    fn compared(&self) -> Compared {
        let mut compared = Compared::new(self.points.clone());
        for pair in &self.pairs {
            match pair {
                [Some(first), Some(second)] => compared.add_pair([*first, *second]),
                [Some(score), None] => compared.add_single(0, *score),
                [None, Some(score)] => compared.add_single(1, *score),
                [None, None] => {}
            }
        }
        compared
    }
}

impl TuneSchedule {
    pub fn new(tuning: Tuning, seed: u64) -> Self {
        let parameters = tuning.parameters();
        let (iterations, pairs) = (tuning.iterations(), tuning.games_per_iteration / SEATS);
        // Its grid is too large for many parameters.
        let design =
            (tuning.method == Method::Design).then(|| Design::new(parameters.clone(), pairs, seed));
        let spsa = Spsa::new(parameters, iterations, pairs, tuning.step_elo, seed);
        let mut schedule = Self {
            center: spsa.start(),
            confirmation: vec![[None; 2]; (tuning.confirm / SEATS) as usize],
            tuning,
            design,
            spsa,
            iterations,
            issued: 0,
            trend: Vec::new(),
            open: VecDeque::new(),
            compared: Vec::new(),
            fit: None,
        };
        (0..=schedule.tuning.lag).for_each(|_| schedule.open_next());
        schedule
    }

    /// Opens the next iteration around the center, unless all are.
    fn open_next(&mut self) {
        let number = (self.trend.len() + self.open.len()) as u64;
        if number >= self.iterations {
            return;
        }
        let points = match &mut self.design {
            Some(design) => design.points(&self.compared),
            None => self.spsa.points(number, &self.center),
        };
        self.open.push_back(OpenIteration {
            center: self.center.clone(),
            values: points.each_ref().map(|point| self.tuning.values(point)),
            points,
            pairs: vec![[None; 2]; (self.tuning.games_per_iteration / SEATS) as usize],
            games: 0,
        });
    }

    fn take_in_iterations(&mut self) {
        let all = self.tuning.games_per_iteration;
        while let Some(over) = self.open.pop_front_if(|it| it.games == all) {
            let number = self.trend.len() as u64;
            self.compared.push(over.compared());
            let half_points = over.half_points();
            let [plus, minus] = half_points.map(|it| it as f64 / 2.0);
            self.center = match &self.design {
                Some(design) => design.best().to_vec(),
                None => self.spsa.step(number, &self.center, plus - minus),
            };
            self.trend.push(Iteration {
                center: over.center,
                points: over.values,
                half_points,
            });
            if self.is_enough() {
                self.iterations = (self.trend.len() + self.open.len()) as u64;
            }
            self.open_next();
        }
        if self.fit.is_none() && self.trend.len() as u64 == self.iterations {
            self.fit = Some(TuningFit::of(&self.landscape(), &self.tuning));
            self.compared.clear();
        }
    }

    fn landscape(&self) -> Landscape {
        Landscape::fit(&self.tuning.parameters(), &self.compared)
    }

    /// Whether the games so far say that little is left to gain. They are fitted more seldom the more there are.
    fn is_enough(&self) -> bool {
        let over = self.trend.len() as u64;
        self.tuning.until_gain_left.is_some_and(|least| {
            over.is_multiple_of((over / SHARE).max(1).next_power_of_two())
                && self.landscape().gain_left()[2] <= least
        })
    }

    /// The number of games before the confirmation.
    fn searched(&self) -> u64 {
        self.iterations * self.tuning.games_per_iteration
    }

    /// The players of a game by seat, with their values; `None` if they are not known yet.
    fn seated(&self, id: u64) -> Option<PerSeat<(usize, Values)>> {
        let is_search = id < self.searched();
        let two = if is_search {
            let number = (id / self.tuning.games_per_iteration) as usize;
            let open = self.open.get(number.checked_sub(self.trend.len())?)?;
            let [plus, minus] = open.values.clone();
            [(role::PLUS, plus), (role::MINUS, minus)]
        } else {
            let fit = self.fit.as_ref()?;
            let start = self.spsa.start();
            [
                (role::FOUND, self.tuning.values(&fit.found)),
                (role::START, self.tuning.values(&start)),
            ]
        };
        let [one, other] = two;
        Some(match id % SEATS {
            0 => [one, other].into(),
            _ => [other, one].into(),
        })
    }
}

impl Schedule for TuneSchedule {
    fn next(&mut self) -> NextGame {
        let id = self.issued;
        if id >= self.searched() + self.tuning.confirm {
            return NextGame::Done;
        }
        let Some(seated) = self.seated(id) else {
            return NextGame::Wait;
        };
        self.issued += 1;
        let iteration = (id / self.tuning.games_per_iteration).min(self.iterations);
        NextGame::Issue(Ticket {
            id,
            block: id / SEATS,
            round: Some(iteration + 1),
            players: seated.each_ref().map(|(player, _)| *player),
            values: Some(Box::new(seated.map(|(_, values)| values))),
        })
    }

    fn record(&mut self, id: u64, result: GameResult) {
        // The first player of a pair has the second seat in its second game.
        let game = (id % SEATS) as usize;
        let score = WinDrawLoss::of_first(result);
        let score = score.map(|it| if game == 0 { it } else { it.reversed() });
        if let Some(beyond) = id.checked_sub(self.searched()) {
            if let Some(pair) = self.confirmation.get_mut((beyond / SEATS) as usize) {
                pair[game] = score;
            }
            return;
        }
        let number = (id / self.tuning.games_per_iteration) as usize;
        let open = number.checked_sub(self.trend.len());
        if let Some(open) = open.and_then(|it| self.open.get_mut(it)) {
            let pair = id % self.tuning.games_per_iteration / SEATS;
            open.pairs[pair as usize][game] = score;
            open.games += 1;
        }
        self.take_in_iterations();
    }

    fn count(&self) -> GameCount {
        let games = self.searched() + self.tuning.confirm;
        match self.tuning.until_gain_left {
            Some(_) if self.iterations == self.tuning.iterations() => GameCount::AtMost(games),
            _ => GameCount::Exactly(games),
        }
    }

    fn conclusion(&self) -> Option<Conclusion> {
        let mut confirmation = MatchScore {
            pairs: [0; 5],
            singles: Tally::default(),
        };
        for pair in &self.confirmation {
            if let [Some(first), Some(second)] = pair {
                confirmation.pairs[*first as usize + *second as usize] += 1;
            }
        }
        Some(Conclusion::Tuned(Box::new(TuningState {
            tuning: self.tuning.clone(),
            trend: self.trend.clone(),
            center: self.center.clone(),
            fit: self.fit.clone(),
            confirmation,
        })))
    }

    fn tuning(&self) -> Option<TuningProgress> {
        let found = self.fit.as_ref().map(|fit| &fit.found);
        Some(TuningProgress {
            over: self.trend.len() as u64,
            iterations: self.iterations,
            values: self.tuning.values(found.unwrap_or(&self.center)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Seat;
    use crate::schedule::testing::{conclude, mixed};
    use crate::schedule::{Format, values_text};
    use crate::tuning::{Parameter, STEP_ELO, Scale};

    fn tuning(games: u64, lag: u64) -> Format {
        let parameter = Parameter {
            low: 0.0,
            high: 20.0,
            start: 4.0,
            step: 2.0,
            scale: Scale::Linear,
            whole: true,
        };
        Format::Tune(Tuning {
            method: Method::Spsa,
            until_gain_left: None,
            parameters: vec![("n".to_owned(), parameter)],
            games,
            games_per_iteration: 8,
            lag,
            confirm: 400,
            step_elo: STEP_ELO,
        })
    }

    /// The player whose value is nearer to 13 is stronger.
    fn nearer_to_13(ticket: &Ticket) -> GameResult {
        let values = ticket.values.as_deref().expect("values");
        let off = |seat| {
            let value: f64 = values[seat]["n"].parse().expect("a number");
            (value - 13.0).powi(2)
        };
        let [first, second] = Seat::BOTH.map(off);
        let expected = 1.0 / (1.0 + 10_f64.powf((first - second) / 400.0));
        let luck = (mixed(ticket.id) % 10_000) as f64 / 10_000.0;
        let winner = Seat::BOTH[usize::from(luck >= expected)];
        match mixed(!ticket.id) % 10 {
            0 => GameResult::Drawn,
            1 if ticket.id.is_multiple_of(7) => GameResult::Nobody,
            _ => GameResult::Won(winner),
        }
    }

    #[test]
    fn a_design_finds_it_too_and_ends_once_little_is_left() {
        let Format::Tune(spsa) = tuning(4000, 3) else {
            unreachable!()
        };
        let format = Format::Tune(Tuning {
            method: Method::Design,
            until_gain_left: Some(10.0),
            ..spsa
        });
        let (games, end) = conclude(&format, role::COUNT, 1, nearer_to_13);
        for jobs in [2, 50] {
            assert!(
                conclude(&format, role::COUNT, jobs, nearer_to_13) == (games.clone(), end.clone())
            );
        }
        let Some(Conclusion::Tuned(state)) = end else {
            panic!("{end:?}");
        };
        assert!(state.trend.len() < 300, "{}", state.trend.len());
        assert_eq!(games.len(), state.trend.len() * 8 + 400);
        let fit = state.fit.expect("a fit");
        assert!(
            (11.0..=15.0).contains(&fit.found[0]) && fit.gain_left[2] < 12.0,
            "{fit:?}"
        );
    }

    #[test]
    fn it_finds_the_best_value_and_the_same_games_at_any_number_of_jobs() {
        let format = tuning(4000, 3);
        let (games, end) = conclude(&format, role::COUNT, 1, nearer_to_13);
        for jobs in [2, 7, 100] {
            assert!(
                conclude(&format, role::COUNT, jobs, nearer_to_13) == (games.clone(), end.clone())
            );
        }
        let Some(Conclusion::Tuned(state)) = end else {
            panic!("{end:?}");
        };
        let fit = state.fit.expect("a fit");
        assert!((11.0..=15.0).contains(&fit.found[0]), "{fit:?}");
        let [low, _, high] = fit.intervals[0];
        assert!(
            low <= 13.0 && 13.0 <= high && fit.worths[0].low() > 0.0,
            "{fit:?}"
        );
        let [low, _, _] = state.confirmation.elo().expect("games");
        assert!(low > 0.0, "{:?}", state.confirmation);
        assert_eq!(state.trend.len(), 500);
        // All games of the confirmation are between the values found and the start.
        let last = games[4399].0.values.as_deref().expect("values").each_ref();
        let found = format!("n={}", fit.found[0]);
        let last: Vec<String> = last.map(values_text).into_values().collect();
        assert_eq!(last, ["n=4".to_owned(), found]);
    }

    #[test]
    fn many_parameters_are_tuned_by_spsa() {
        let Format::Tune(one) = tuning(80, 2) else {
            unreachable!()
        };
        let (_, parameter) = &one.parameters[0];
        let names = ('a'..'q').map(|name| (name.to_string(), parameter.clone()));
        let format = Format::Tune(Tuning {
            parameters: names.collect(),
            ..one
        });
        let (games, _) = conclude(&format, role::COUNT, 3, |_| GameResult::Drawn);
        assert_eq!(games.len(), 480);
    }
}
