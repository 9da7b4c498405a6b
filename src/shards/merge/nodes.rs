//! Compares the score of each player on single machines with its score on all. A slower machine, or another
//! version of an interpreter, changes results if wall time counts.

use std::collections::BTreeMap;
use std::path::Path;

use crate::rating::normal_tails;
use crate::runs::{GameRow, RunFileError, remove_if_there, write_whole};
use crate::shards::plan::AttemptSummary;

/// File name of the table in the plan's folder.
pub const NODES: &str = "nodes.csv";

/// Minimum number of a player's games on a machine; fewer are not tested.
const FEWEST_GAMES: u64 = 10;

/// Significance level, shared by all scores that are tested (Bonferroni).
const STANDS_OUT: f64 = 0.01;

/// Number of games, sum of points and sum of their squares.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Score {
    games: u64,
    points: f64,
    squares: f64,
}

impl Score {
    fn add(&mut self, points: f64) {
        self.games += 1;
        self.points += points;
        self.squares += points * points;
    }
}

/// Measurements of a machine, summed over its attempts.
#[derive(Debug, Clone, Copy, Default)]
struct Machine {
    attempts: u32,
    speed: f64,
    load: f64,
}

/// Scores of players by machine.
#[derive(Debug, Default)]
pub(super) struct Nodes {
    machines: BTreeMap<String, Machine>,
    /// By player, then machine.
    scores: BTreeMap<String, BTreeMap<String, Score>>,
}

/// The score of a player on one machine.
#[derive(Debug, Clone, PartialEq)]
pub struct NodeScore {
    /// Name of the machine.
    pub node: String,
    /// Name of the player.
    pub player: String,
    /// Number of its games on this machine.
    pub games: u64,
    /// Points on this machine.
    pub points: f64,
    /// Expected points on this machine, at the mean score on all machines.
    pub expected: f64,
    /// Standard deviations between points and expected points.
    pub deviations: f64,
    /// Whether the deviation is significant at 1 %, corrected for the number of scores tested.
    pub stands_out: bool,
}

impl Nodes {
    /// Adds an attempt that counts to its machine.
    pub fn attempt(&mut self, done: &AttemptSummary) {
        let machine = self.machines.entry(done.host.clone()).or_default();
        machine.attempts += 1;
        machine.speed += done.speed;
        machine.load += done.load;
    }

    /// Adds the points of a game on a machine.
    pub fn game(&mut self, node: &str, row: &GameRow) {
        for (seat, player) in row.players.iter() {
            self.score(node, player, row.end.result.points(seat));
        }
    }

    fn score(&mut self, node: &str, player: &str, points: f64) {
        if !self.scores.contains_key(player) {
            self.scores.insert(player.to_owned(), BTreeMap::new());
        }
        let Some(scores) = self.scores.get_mut(player) else {
            return;
        };
        match scores.get_mut(node) {
            Some(score) => score.add(points),
            None => scores.entry(node.to_owned()).or_default().add(points),
        }
    }

    /// Score of each player on each machine; empty if there is only one machine. Shards give all machines
    /// similar opponents, so a player's points on a machine are a sample without replacement: `n` games of `N`
    /// have the expectation `n x̄` and at most the variance `n s² (1 − n / N)` (W. Cochran, *Sampling
    /// Techniques*, 1977, section 2.5).
    pub fn scores(&self) -> Vec<NodeScore> {
        let mut all = Vec::new();
        if self.machines.len() < 2 {
            return all;
        }
        for (player, scores) in &self.scores {
            let mut whole = Score::default();
            for score in scores.values() {
                whole.games += score.games;
                whole.points += score.points;
                whole.squares += score.squares;
            }
            let count = whole.games as f64;
            let mean = whole.points / count;
            let variance = (whole.squares / count - mean * mean).max(0.0) * count / (count - 1.0);
            for (node, score) in scores {
                let games = score.games as f64;
                let expected = games * mean;
                let spread = (games * variance * (1.0 - games / count)).sqrt();
                // A single game has a spread of NaN, which fails the comparison.
                let deviations = if spread > 0.0 && score.games >= FEWEST_GAMES {
                    (score.points - expected) / spread
                } else {
                    0.0
                };
                all.push(NodeScore {
                    node: node.clone(),
                    player: player.clone(),
                    games: score.games,
                    points: score.points,
                    expected,
                    deviations,
                    stands_out: false,
                });
            }
        }
        let tells = |score: &NodeScore| score.games >= FEWEST_GAMES;
        let looked_at = all.iter().filter(|score| tells(score)).count() as f64;
        for score in &mut all {
            let probability = normal_tails(score.deviations) * looked_at;
            score.stands_out = tells(score) && probability < STANDS_OUT;
        }
        all
    }

    /// Writes the table, or removes it if there are no scores.
    pub fn write(&self, folder: &Path, scores: &[NodeScore]) -> Result<(), RunFileError> {
        let path = folder.join(NODES);
        if scores.is_empty() {
            return remove_if_there(&path);
        }
        write_whole(&path, &mut |file| {
            let mut csv = csv::Writer::from_writer(file);
            csv.write_record([
                "node",
                "attempts",
                "speed",
                "load",
                "player",
                "games",
                "points",
                "expected",
                "deviations",
                "stands_out",
            ])?;
            for score in scores {
                let machine = self.machines.get(&score.node).copied().unwrap_or_default();
                let mean = |sum: f64| sum / f64::from(machine.attempts.max(1));
                csv.write_record([
                    score.node.clone(),
                    machine.attempts.to_string(),
                    format!("{:.0}", mean(machine.speed)),
                    format!("{:.2}", mean(machine.load)),
                    score.player.clone(),
                    score.games.to_string(),
                    score.points.to_string(),
                    format!("{:.2}", score.expected),
                    format!("{:.2}", score.deviations),
                    if score.stands_out { "yes" } else { "no" }.to_owned(),
                ])?;
            }
            csv.flush()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ten machines with the points of both players in 100 games on each.
    fn nodes(points: [[u32; 2]; 10]) -> Nodes {
        let mut nodes = Nodes::default();
        for (node, points) in points.iter().enumerate() {
            let node = format!("node{node}");
            nodes.machines.entry(node.clone()).or_default().attempts = 1;
            for (player, points) in ["ada", "bob"].iter().zip(points) {
                for game in 0..100 {
                    nodes.score(&node, player, f64::from(u8::from(game < *points)));
                }
            }
        }
        nodes
    }

    #[test]
    fn a_player_that_scores_less_on_one_machine_stands_out_there_and_nowhere_else() {
        let like = [
            [50, 60],
            [44, 66],
            [55, 55],
            [47, 61],
            [52, 58],
            [50, 63],
            [46, 60],
            [53, 57],
        ];
        let mut points = [[50, 60]; 10];
        points[..8].copy_from_slice(&like);
        assert!(nodes(points).scores().iter().all(|score| !score.stands_out));
        points[9] = [20, 60];
        let scores = nodes(points).scores();
        let out = scores.iter().filter(|score| score.stands_out);
        let out: Vec<_> = out
            .map(|it| (it.node.as_str(), it.player.as_str()))
            .collect();
        assert_eq!(out, [("node9", "ada")]);
        let there = scores.iter().find(|it| it.stands_out).expect("one");
        assert_eq!(
            (there.games, there.points, there.expected),
            (100, 20.0, 46.7)
        );
    }

    #[test]
    fn one_machine_alone_and_few_games_say_nothing() {
        let mut nodes = Nodes::default();
        nodes.machines.insert("a".to_owned(), Machine::default());
        nodes.score("a", "ada", 1.0);
        assert!(nodes.scores().is_empty());
        nodes.machines.insert("b".to_owned(), Machine::default());
        (0..9).for_each(|_| nodes.score("b", "ada", 0.0));
        assert!(
            nodes
                .scores()
                .iter()
                .all(|it| it.deviations == 0.0 && !it.stands_out)
        );
    }
}
