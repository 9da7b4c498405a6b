//! Figures on the pages of a run, and its progress.

use super::curves::Histories;
use super::statistics::RunStatistics;
use crate::rating::SeatPlaces;
use crate::results::Rated;
use crate::runs::{Run, RunFileError};
use crate::schedule::Conclusion;
use crate::text::counted;

/// State of a run's schedule after the games in its journal.
#[derive(Debug)]
pub struct ScheduleState {
    /// Whether all games were played.
    pub complete: bool,
    /// Conclusions of the format, by index of the game. Undecided ones are left out.
    pub conclusions: Vec<(usize, Conclusion)>,
}

/// Results that the pages show.
pub struct RunFigures<'a> {
    pub histories: &'a Histories,
    pub state: RunState,
    pub checked: Option<&'a ScheduleState>,
    pub statistics: &'a RunStatistics,
    pub rated: &'a [Rated<'a>],
    /// The places by seat of each of these games.
    pub places: Vec<SeatPlaces>,
}

/// State of a run.
pub struct RunState {
    /// Number of games played, in words.
    pub text: String,
    /// Whether there may be more games than the pages have.
    pub is_open: bool,
}

/// The state of a run. `complete` is the state of its schedule, if it is known.
pub fn run_state(
    run: &Run,
    statistics: &RunStatistics,
    complete: Option<bool>,
) -> Result<RunState, RunFileError> {
    let schedules = run.schedules();
    let counts = schedules.iter().map(|schedule| schedule.count().exactly());
    let total: Option<u64> = counts.sum();
    let played = statistics.games;
    let done = match total {
        Some(total) => format!("{played} of {}", counted(total, "game", "games")),
        None => counted(played, "game", "games"),
    };
    let aside = run.set_aside()?.len() as u64;
    let is_complete = total.map(|total| played + aside >= total).or(complete);
    Ok(match (run.is_in_play(), is_complete) {
        (true, _) => RunState {
            text: format!("The run is going on: {done} when this page was made."),
            is_open: true,
        },
        (false, Some(false)) => RunState {
            text: format!(
                "The run ended early: {done} played. `referee run` with --resume goes on with it."
            ),
            is_open: true,
        },
        (false, _) => RunState {
            text: format!("{done} played."),
            is_open: false,
        },
    })
}
