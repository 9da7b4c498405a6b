//! Ratings on the scale of several anchors.

use referee::rating::{
    Anchor, Estimate, FitOptions, GameCounter, Model, RatedGame, Ratings, Standings, WinDrawLoss,
};

/// Elo per unit of the logarithm of the odds.
const UNIT: f64 = 400.0 / std::f64::consts::LN_10;

/// Two players, the first one in the first seat, with wins, draws and losses of the first.
type Record = ([usize; 2], [u32; 3]);

const DRAWN: [Record; 8] = [
    ([0, 1], [9, 6, 5]),
    ([1, 0], [8, 3, 9]),
    ([1, 2], [11, 7, 2]),
    ([2, 1], [6, 8, 6]),
    ([2, 3], [10, 2, 8]),
    ([3, 2], [5, 9, 6]),
    ([3, 0], [4, 4, 12]),
    ([0, 2], [13, 5, 2]),
];

fn exactly(elo: f64) -> Estimate {
    Estimate { elo, error: 0.0 }
}

fn about(elo: f64, error: f64) -> Estimate {
    Estimate { elo, error }
}

fn standings(players: usize, records: &[Record]) -> Standings {
    let mut games = GameCounter::default();
    for player in 0..players {
        games.add_player(&player.to_string());
    }
    for (seats, counts) in records {
        let names = seats.map(|player| player.to_string());
        for (score, count) in [WinDrawLoss::Win, WinDrawLoss::Draw, WinDrawLoss::Loss]
            .iter()
            .zip(counts)
        {
            for _ in 0..*count {
                let names = names.each_ref().map(String::as_str);
                games.add(&RatedGame::new(names.into(), score.as_result()));
            }
        }
    }
    games.standings()
}

fn anchored(standings: &Standings, anchors: &[(usize, Estimate)]) -> Ratings {
    let options = FitOptions {
        anchors: anchors.to_vec(),
        ..FitOptions::default()
    };
    Ratings::of_any_number(standings, &options)
}

fn rated(records: &[Record], anchors: &[(usize, Estimate)]) -> Vec<Estimate> {
    let ratings = anchored(&standings(4, records), anchors);
    let rating = |player| ratings.rating(player, Anchor::Fitted);
    (0..4).map(rating).collect()
}

/// The same by a plain scoring in Elo: free ratings, advantage and `δ`, with derivatives by differences.
struct Plain<'a> {
    records: &'a [Record],
    anchors: &'a [(usize, Estimate)],
}

impl Plain<'_> {
    fn fixed(&self, player: usize) -> Option<f64> {
        let found = self.anchors.iter().find(|(it, _)| *it == player);
        found.filter(|(_, it)| it.error == 0.0).map(|it| it.1.elo)
    }

    fn elo(&self, at: &[f64]) -> [f64; 4] {
        std::array::from_fn(|player| self.fixed(player).unwrap_or(at[player]))
    }

    /// The logarithms of the probabilities of all outcomes, and the residuals of all priors in their deviations.
    fn terms(&self, at: &[f64]) -> (Vec<[f64; 3]>, Vec<f64>) {
        // Without a drawn game, draws are not fitted.
        let any_drawn = self.records.iter().any(|(_, counts)| counts[1] > 0);
        let (gamma, nu) = (at[4], if any_drawn { at[5].exp() } else { 1e-12 });
        let unit = UNIT * (1.0 - nu / (2.0 + nu));
        let elo = self.elo(at);
        let logs = self.records.iter().map(|([a, b], _)| {
            let odds = (elo[*a] - elo[*b]) / unit + gamma;
            let weights = [(odds / 2.0).exp(), nu, (-odds / 2.0).exp()];
            let sum: f64 = weights.iter().sum();
            weights.map(|weight| (weight / sum).ln())
        });
        let mean = elo.iter().sum::<f64>() / 4.0;
        let residuals = elo.iter().map(|elo| (elo - mean) / unit / (1000.0 / UNIT));
        let mut residuals: Vec<f64> = residuals.collect();
        residuals.extend([gamma / (400.0 / UNIT), at[5] / 3.0]);
        let loose = self.anchors.iter().filter(|(_, it)| it.error > 0.0);
        residuals.extend(loose.map(|(player, it)| (elo[*player] - it.elo) / it.error));
        (logs.collect(), residuals)
    }

    fn derivatives(&self, at: &[f64]) -> (Vec<f64>, Vec<Vec<f64>>) {
        let slopes: Vec<_> = (0..6)
            .map(|parameter| {
                let width = if parameter < 4 { 1e-2 } else { 1e-5 };
                let [mut up, mut down] = [at.to_vec(), at.to_vec()];
                up[parameter] += width;
                down[parameter] -= width;
                let (up, down) = (self.terms(&up), self.terms(&down));
                let slope = |up: f64, down: f64| (up - down) / (2.0 * width);
                let logs =
                    up.0.iter().zip(&down.0).map(|(up, down)| {
                        [0, 1, 2].map(|outcome| slope(up[outcome], down[outcome]))
                    });
                let residuals = up.1.iter().zip(&down.1).map(|(up, down)| slope(*up, *down));
                (logs.collect::<Vec<_>>(), residuals.collect::<Vec<_>>())
            })
            .collect();
        let (logs, residuals) = self.terms(at);
        let mut gradient = vec![0.0; 6];
        let mut information = vec![vec![0.0; 6]; 6];
        for row in 0..6 {
            for (record, (_, counts)) in self.records.iter().enumerate() {
                for (count, slope) in counts.iter().zip(slopes[row].0[record]) {
                    gradient[row] += f64::from(*count) * slope;
                }
            }
            for (at, residual) in residuals.iter().enumerate() {
                gradient[row] -= slopes[row].1[at] * residual;
            }
            for column in 0..6 {
                let cell = &mut information[row][column];
                for (record, (_, counts)) in self.records.iter().enumerate() {
                    let games = f64::from(counts.iter().sum::<u32>());
                    for (outcome, log) in logs[record].iter().enumerate() {
                        *cell += games
                            * log.exp()
                            * slopes[row].0[record][outcome]
                            * slopes[column].0[record][outcome];
                    }
                }
                for at in 0..residuals.len() {
                    *cell += slopes[row].1[at] * slopes[column].1[at];
                }
            }
            if row < 4 && self.fixed(row).is_some() {
                information[row][row] = 1.0;
            }
        }
        (gradient, information)
    }

    fn rated(&self) -> Vec<Estimate> {
        let sum: f64 = self.anchors.iter().map(|(_, it)| it.elo).sum();
        let mut at = vec![sum / self.anchors.len() as f64; 6];
        at[4..].fill(0.0);
        for _ in 0..120 {
            let (gradient, information) = self.derivatives(&at);
            for (parameter, row) in inverse(information).into_iter().enumerate() {
                let step: f64 = row.iter().zip(&gradient).map(|(a, b)| a * b).sum();
                // No step is tried twice, so none is long.
                let most = if parameter < 4 { 50.0 } else { 0.2 };
                at[parameter] += (0.4 * step).clamp(-most, most);
            }
        }
        let variances = inverse(self.derivatives(&at).1);
        let elo = self.elo(&at);
        let players = 0..4;
        players
            .map(|player| match self.fixed(player) {
                Some(elo) => exactly(elo),
                None => about(elo[player], variances[player][player].sqrt()),
            })
            .collect()
    }
}

/// By Gauss and Jordan.
fn inverse(mut matrix: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let size = matrix.len();
    for (at, row) in matrix.iter_mut().enumerate() {
        row.extend((0..size).map(|column| f64::from(u8::from(at == column))));
    }
    for pivot in 0..size {
        let by = matrix[pivot][pivot];
        matrix[pivot].iter_mut().for_each(|cell| *cell /= by);
        let from = matrix[pivot].clone();
        for (at, row) in matrix.iter_mut().enumerate() {
            let factor = row[pivot];
            if at != pivot {
                row.iter_mut()
                    .zip(&from)
                    .for_each(|(to, from)| *to -= factor * from);
            }
        }
    }
    matrix.into_iter().map(|row| row[size..].to_vec()).collect()
}

#[test]
fn ratings_and_errors_are_those_of_a_plain_fit_in_elo() {
    let decisive = DRAWN.map(|(seats, [wins, draws, losses])| (seats, [wins + draws, 0, losses]));
    let anchors: [&[(usize, Estimate)]; 5] = [
        &[(0, exactly(1500.0)), (2, exactly(1380.0))],
        &[(0, about(100.0, 30.0)), (3, about(-200.0, 15.0))],
        &[
            (3, exactly(20.0)),
            (1, about(90.0, 25.0)),
            (2, exactly(20.0)),
        ],
        &[(1, about(2000.0, 50.0))],
        &[
            (0, exactly(0.0)),
            (1, exactly(400.0)),
            (3, about(700.0, 20.0)),
        ],
    ];
    for records in [&DRAWN, &decisive] {
        for anchors in anchors {
            let plain = Plain { records, anchors }.rated();
            for (ours, plain) in rated(records, anchors).into_iter().zip(plain) {
                assert!((ours.elo - plain.elo).abs() < 0.01, "{ours:?} {plain:?}");
                let off = (ours.error - plain.error).abs();
                assert!(off < 1e-3 * plain.error + 1e-5, "{ours:?} {plain:?}");
            }
        }
    }
}

#[test]
fn one_fixed_anchor_is_the_reference_that_a_plain_fit_is_shifted_to() {
    let ratings = Ratings::new(&standings(4, &DRAWN), Model::default());
    let all = rated(&DRAWN, &[(2, exactly(1500.0))]);
    for (player, anchored) in all.into_iter().enumerate() {
        let shifted = ratings.rating(player, Anchor::Player(2, 1500.0));
        let off = [anchored.elo - shifted.elo, anchored.error - shifted.error];
        assert!(off[0].abs() < 1e-6, "{anchored:?} {shifted:?}");
        assert!(off[1].abs() < 1e-5, "{anchored:?} {shifted:?}");
    }
}

#[test]
fn each_group_is_placed_by_its_anchor() {
    let groups: [Record; 4] = [
        ([0, 1], [30, 0, 20]),
        ([1, 0], [25, 0, 25]),
        ([2, 3], [35, 0, 15]),
        ([3, 2], [20, 0, 30]),
    ];
    let apart = rated(&groups, &[(0, exactly(1000.0)), (3, about(2000.0, 5.0))]);
    let plain = rated(&groups, &[]);
    assert_eq!(apart[0].elo, 1000.0);
    assert!((apart[3].elo - 2000.0).abs() < 1.0, "{apart:?}");
    // The weak prior draws the groups together, by little.
    for [a, b] in [[0, 1], [2, 3]] {
        let off = (apart[a].elo - apart[b].elo) - (plain[a].elo - plain[b].elo);
        assert!(off.abs() < 2.0, "{apart:?} {plain:?}");
    }
    assert!(
        apart[2].error > 5.0 && plain[0].error > 5.0 * apart[1].error,
        "{apart:?} {plain:?}"
    );
}

#[test]
fn pairs_narrow_intervals_on_the_scale_of_anchors_as_they_do_elsewhere() {
    let mut games = GameCounter::default();
    for pair in 0..60 {
        // Each pair has one seat that wins both games, but for every fifth pair.
        let names = [["a", "b"], ["b", "c"], ["a", "c"]][pair % 3];
        let first = pair / 3 % 2 == 0;
        for (seats, wins) in [
            (names, first),
            ([names[1], names[0]], first == (pair % 5 != 0)),
        ] {
            let score = [WinDrawLoss::Loss, WinDrawLoss::Win][usize::from(wins)];
            games.add(&RatedGame {
                block: Some(pair as u64),
                ..RatedGame::new(seats.into(), score.as_result())
            });
        }
    }
    let standings = games.standings();
    let plain = Ratings::new(&standings, Model::default());
    assert!(plain.variation() < Some(0.8), "{:?}", plain.variation());
    let anchored = anchored(&standings, &[(1, exactly(0.0))]);
    for player in 0..3 {
        let ours = anchored.rating(player, Anchor::Fitted);
        let other = plain.rating(player, Anchor::Player(1, 0.0));
        let off = ours.error - other.error;
        assert!(off.abs() < 1e-4, "{ours:?} {other:?}");
    }
}
