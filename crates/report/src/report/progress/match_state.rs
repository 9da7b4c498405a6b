//! The state of a match while it is played, in the words and the order of fastchess.

use crate::rating::{Interval, MatchScore, Tally};
use crate::schedule::TestState;

/// The figures of a player's games, one line for each kind.
pub(super) fn figures(tally: Tally, games: &MatchScore, test: Option<&TestState>) -> String {
    let margin = |[low, value, high]: Interval| format!("{value:.2} +/- {:.2}", (high - low) / 2.0);
    let known = |figure: Option<String>| figure.unwrap_or_else(|| "-".to_owned());
    let share = |share: f64| format!("{:.2} %", 100.0 * share);
    let elo = games.elo();
    let elo = elo.map(|[low, elo, high]| format!("{elo:.2} ({low:.2} to {high:.2})"));
    let [lost, nearly_lost, even, nearly_won, won] = games.pairs;
    let pairs = games.pairs.iter().sum::<u64>().max(1);
    let ratio = (nearly_won + won) as f64 / (lost + nearly_lost) as f64;
    // Without a pair that is not even, there is none.
    let ratio = (!ratio.is_nan()).then(|| format!("{ratio:.2}"));
    let mut lines = vec![
        format!(
            "Elo: {}, nElo: {}",
            known(elo),
            known(games.normalized_elo().map(margin))
        ),
        format!(
            "LOS: {}, DrawRatio: {}, PairsRatio: {}",
            known(games.los().map(share)),
            share(even as f64 / pairs as f64),
            known(ratio)
        ),
    ];
    if let Some(state) = test {
        let [low, high] = state.bounds();
        lines.push(format!(
            "LLR: {:.2} ({low:.2}, {high:.2}) [{:.2}, {:.2}]",
            state.llr, state.test.elo0, state.test.elo1
        ));
    }
    let points = tally.wins as f64 + tally.draws as f64 / 2.0;
    lines.push(format!(
        "Games: {}, Wins: {}, Losses: {}, Draws: {}, Points: {:.1} ({})",
        tally.games(),
        tally.wins,
        tally.losses,
        tally.draws,
        points,
        share(points / tally.games().max(1) as f64)
    ));
    lines.push(format!("Ptnml(0-2): {:?}", games.pairs));
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_figures_are_those_of_fastchess() {
        let tally = Tally {
            wins: 22,
            draws: 5,
            losses: 3,
        };
        let games = MatchScore {
            pairs: [0, 1, 2, 4, 8],
            singles: Tally::default(),
        };
        // Fastchess prints `Elo: 259.52 +/- 157.10` of these games, and all else as here.
        let expected = "Elo: 259.52 (115.94 to 403.10), nElo: 335.13 +/- 124.33\n\
                        LOS: 100.00 %, DrawRatio: 13.33 %, PairsRatio: 12.00\n\
                        Games: 30, Wins: 22, Losses: 3, Draws: 5, Points: 24.5 (81.67 %)\n\
                        Ptnml(0-2): [0, 1, 2, 4, 8]";
        assert_eq!(figures(tally, &games, None), expected);
    }
}
