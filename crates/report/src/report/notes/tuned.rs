//! The findings of a tuning, in words. The confirmation comes first: the tuning's own figure is of games that chose the values.

use super::with_interval;
use crate::rating::Estimate;
use crate::report::tables::matters;
use crate::schedule::{TuningState, shown, values_text};
use crate::text::counted;

/// A fit with a lower p-value does not hold.
const MISFIT: f64 = 0.05;

pub(super) fn tuned(player: &str, state: &TuningState) -> String {
    let tuning = &state.tuning;
    let Some(fit) = &state.fit else {
        return format!(
            "the tuning is not over: {} of {} iterations, with the center at {}",
            state.trend.len(),
            tuning.iterations(),
            values_text(&tuning.values(&state.center))
        );
    };
    let played = state.trend.len() as u64 * tuning.games_per_iteration;
    let interval = |it: Estimate| with_interval([it.low(), it.elo, it.high()]);
    let mut words = format!(
        "{}. By the fit of {}, their gain is {}, and the best values have at most {:.0} Elo more",
        confirmed(player, state),
        counted(played, "game", "games"),
        interval(fit.gain),
        fit.gain_left[2]
    );
    for (at, (name, parameter)) in tuning.parameters.iter().enumerate() {
        let best = shown(parameter, fit.found[at]);
        let ends = [("min", parameter.low), ("max", parameter.high)];
        let end = ends.iter().find(|(_, end)| shown(parameter, *end) == best);
        // Any value of a parameter that does not matter may be best.
        if let Some((end, _)) = end.filter(|_| matters(fit.worths[at]) != "no") {
            words.push_str(&format!(
                ". {name} is best at its {end}, {best}: a wider range may have a better value"
            ));
        }
    }
    if fit.misfit < MISFIT {
        words.push_str(&format!(
            ". The fit does not hold: such games have a probability of {:.2} % under it, so trust the confirmation alone",
            100.0 * fit.misfit
        ));
    }
    words
}

/// Whether the values found beat the start.
pub(super) fn confirmed(player: &str, state: &TuningState) -> String {
    let Some(fit) = &state.fit else {
        return "The tuning is not over".to_owned();
    };
    let values = values_text(&state.tuning.values(&fit.found));
    let pairs: u64 = state.confirmation.pairs.iter().sum();
    if 2 * pairs < state.tuning.confirm {
        return format!(
            "the confirmation of {player} with {values} is not over: {}",
            counted(pairs, "game pair", "game pairs")
        );
    }
    let found = state.confirmation.elo();
    let verdict = match found {
        Some([low, _, _]) if low > 0.0 => "beats its start in the confirmation",
        Some([_, _, high]) if high < 0.0 => "loses to its start in the confirmation",
        _ => "shows no gain over its start in the confirmation",
    };
    let found = found.map_or_else(String::new, |elo| format!(": {}", with_interval(elo)));
    format!(
        "{player} with {values} {verdict} of {}{found}",
        counted(2 * pairs, "game", "games")
    )
}
