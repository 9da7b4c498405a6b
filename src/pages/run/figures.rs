//! Figures that the pages of a run show, and how far the run is.

use super::statistics::RunStatistics;
use crate::results::Rated;
use crate::runs::{RecordError, Run};
use crate::schedule::Conclusion;
use crate::text::counted;

/// State of a run's schedule after the games in its journal.
#[derive(Debug)]
pub struct Checked {
    /// Whether all games were played.
    pub complete: bool,
    /// Conclusions of the format, by index of the game. Undecided ones are left out.
    pub conclusions: Vec<(usize, Conclusion)>,
}

/// Results that the pages show.
pub struct RunFigures<'a> {
    pub state: State,
    pub checked: Option<&'a Checked>,
    pub statistics: &'a RunStatistics,
    pub rated: &'a [Rated<'a>],
}

/// Progress of a run.
pub struct State {
    pub words: String,
    /// Whether there may be more games than the pages have.
    pub open: bool,
}

pub fn state(
    run: &Run,
    statistics: &RunStatistics,
    complete: Option<bool>,
) -> Result<State, RecordError> {
    let schedule = run.format().schedule(run.player_names().len());
    let total = schedule
        .count()
        .exactly()
        .map(|games| games * run.games().len() as u64);
    let played = statistics.games;
    let done = match total {
        Some(total) => format!("{played} of {}", counted(total, "game", "games")),
        None => counted(played, "game", "games"),
    };
    let aside = run.set_aside()?.len() as u64;
    let is_complete = total.map(|total| played + aside >= total).or(complete);
    Ok(match (run.is_in_play(), is_complete) {
        (true, _) => State {
            words: format!("The run is going on: {done} when this page was made."),
            open: true,
        },
        (false, Some(false)) => State {
            words: format!(
                "The run ended early: {done} played. `referee run` with --resume goes on with it."
            ),
            open: true,
        },
        (false, _) => State {
            words: format!("{done} played."),
            open: false,
        },
    })
}
