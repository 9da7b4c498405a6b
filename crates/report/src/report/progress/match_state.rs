//! The state of a match while it is played and at its end, in the words and the order of fastchess.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::rating::{Interval, MatchScore, Tally};
use crate::runs::GameRow;
use crate::schedule::TestState;

/// The games of a player in pairs. A pair counts once both games have ended.
#[derive(Debug)]
pub(super) struct MatchState {
    pub player: String,
    pub opponents: BTreeSet<String>,
    pub pairs: u64,
    /// The half points from the first game of a pair, by game, block and opponent.
    open: HashMap<(&'static str, u64, String), usize>,
    pub games: BTreeMap<&'static str, MatchScore>,
    pub tallies: BTreeMap<&'static str, Tally>,
}

impl MatchState {
    pub fn of(player: String) -> Self {
        Self {
            player,
            opponents: BTreeSet::new(),
            pairs: 0,
            open: HashMap::new(),
            games: BTreeMap::new(),
            tallies: BTreeMap::new(),
        }
    }

    pub fn add(&mut self, row: &GameRow) {
        let seat = row.players.find(|player| *player == self.player);
        let (Some(seat), 2) = (seat, row.players.count()) else {
            return;
        };
        let opponent = row.players[seat.other()].clone();
        let game = row.game.label();
        let points = row.end.result.half_points(seat, 2) as usize;
        self.opponents.insert(opponent.clone());
        let key = (game, row.block, opponent);
        let Some(first) = self.open.remove(&key) else {
            self.open.insert(key, points);
            return;
        };
        self.pairs += 1;
        let none = || MatchScore {
            pairs: [0; 5],
            singles: Tally::default(),
        };
        self.games.entry(game).or_insert_with(none).pairs[first + points] += 1;
        let tally = self.tallies.entry(game).or_default();
        for points in [first, points] {
            match points {
                0 => tally.losses += 1,
                1 => tally.draws += 1,
                _ => tally.wins += 1,
            }
        }
    }
}

fn known(figure: Option<String>) -> String {
    figure.unwrap_or_else(|| "-".to_owned())
}

fn share(share: f64) -> String {
    format!("{:.2} %", 100.0 * share)
}

/// A difference with half the width of its interval, or with its ends where one is infinite.
fn with_margin([low, value, high]: Interval) -> String {
    match ((high - low) / 2.0, value.is_finite()) {
        (margin, true) if margin.is_finite() => format!("{value:.2} +/- {margin:.2}"),
        _ => format!("{value:.2} ({low:.2} to {high:.2})"),
    }
}

/// The difference in Elo, and how sure it is that there is one.
pub fn elo_and_los(games: &MatchScore) -> String {
    let elo = known(games.elo().map(with_margin));
    format!("Elo: {elo}, LOS: {}", known(games.los().map(share)))
}

/// All figures of a match, one line for each kind.
pub(super) fn figures(tally: Tally, games: &MatchScore, test: Option<&TestState>) -> Vec<String> {
    let [lost, nearly_lost, even, nearly_won, won] = games.pairs;
    let pairs = games.pairs.iter().sum::<u64>().max(1);
    let ratio = (nearly_won + won) as f64 / (lost + nearly_lost) as f64;
    // Without a pair that is not even, there is none.
    let ratio = (!ratio.is_nan()).then(|| format!("{ratio:.2}"));
    let points = tally.wins as f64 + tally.draws as f64 / 2.0;
    let mut lines = vec![
        format!(
            "Elo: {}, nElo: {}",
            known(games.elo().map(with_margin)),
            known(games.normalized_elo().map(with_margin))
        ),
        format!(
            "LOS: {}, DrawRatio: {}, PairsRatio: {}",
            known(games.los().map(share)),
            share(even as f64 / pairs as f64),
            known(ratio)
        ),
        format!(
            "Games: {}, Wins: {}, Losses: {}, Draws: {}, Points: {points:.1} ({})",
            tally.games(),
            tally.wins,
            tally.losses,
            tally.draws,
            share(points / tally.games().max(1) as f64)
        ),
        format!("Ptnml(0-2): {:?}", games.pairs),
    ];
    if let Some(state) = test {
        let [low, high] = state.bounds();
        let bound = if state.llr < 0.0 { -low } else { high };
        lines.push(format!(
            "LLR: {:.2} ({:.1} %) ({low:.2}, {high:.2}) [{:.2}, {:.2}]",
            state.llr,
            100.0 * state.llr / bound,
            state.test.elo0,
            state.test.elo1
        ));
    }
    lines
}
