//! The state of a match while it is played and at its end, in the words and the order of fastchess.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::game::GameResult;
use crate::rating::{Interval, MatchScore, Tally};
use crate::runs::GameRow;
use crate::schedule::TestState;

/// The games of a player in pairs. A pair counts once both games have ended.
#[derive(Debug)]
pub(super) struct MatchState {
    pub player: String,
    pub opponents: BTreeSet<String>,
    pub pairs: u64,
    /// The first game of a pair, by game, block and opponent.
    open: HashMap<(&'static str, u64, String), Ended>,
    pub games: BTreeMap<&'static str, PairedGames>,
}

/// The half points of a game, and whether a player forfeited. As in the tables, a game that both forfeited counts for
/// neither.
type Ended = (Option<usize>, bool);

#[derive(Debug, Default)]
pub(super) struct PairedGames {
    pub score: MatchScore,
    pub tally: Tally,
    pub forfeited: u64,
    pub is_any_played: bool,
}

impl MatchState {
    pub fn of(player: String) -> Self {
        Self {
            player,
            opponents: BTreeSet::new(),
            pairs: 0,
            open: HashMap::new(),
            games: BTreeMap::new(),
        }
    }

    pub fn add(&mut self, row: &GameRow) {
        let seat = row.players.find(|player| *player == self.player);
        let (Some(seat), 2) = (seat, row.players.count()) else {
            return;
        };
        let opponent = row.players[seat.other()].clone();
        let game = row.game.label();
        let result = row.end.result;
        let points = Some(result).filter(|result| *result != GameResult::Nobody);
        let points = points.map(|result| result.half_points(seat, 2) as usize);
        let ended = (points, row.is_forfeited());
        self.opponents.insert(opponent.clone());
        let key = (game, row.block, opponent);
        let Some(first) = self.open.remove(&key) else {
            self.open.insert(key, ended);
            return;
        };
        self.pairs += 1;
        let games = self.games.entry(game).or_default();
        let both = [first, ended];
        let mut singles = Tally::default();
        for (points, is_forfeited) in both {
            match points {
                None => {}
                Some(0) => singles.losses += 1,
                Some(1) => singles.draws += 1,
                Some(_) => singles.wins += 1,
            }
            games.forfeited += u64::from(is_forfeited);
            games.is_any_played |= !is_forfeited;
        }
        games.tally = games.tally.plus(singles);
        match both.map(|(points, _)| points) {
            [Some(first), Some(second)] => games.score.pairs[first + second] += 1,
            _ => games.score.singles = games.score.singles.plus(singles),
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
