//! Progress of a grading on the screen.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::thread;
use std::time::Duration;

use crate::grade::{Round, Step};
use crate::report::{Progress, Stages, warn};
use crate::runner::{Interrupt, InterruptLevel};
use crate::text::{DisplayNames, counted, excerpt};

/// Interval of checks for an interrupt, and for stages that are due for a redraw.
const TICK: Duration = Duration::from_millis(100);

/// Maximum characters shown of a problem; problems.txt has all.
const LONGEST_PROBLEM: usize = 1000;

/// Most submissions named for games that were set aside: all may have one cause.
const MOST_TOLD: usize = 5;

pub(super) struct GradeProgress(Arc<Mutex<ProgressDisplay>>);

struct ProgressDisplay {
    stages: Stages,
    quiet: bool,
    /// Whose games were set aside, up to the most that are told.
    told: BTreeSet<String>,
    /// Progress of the class tournament, shown like any run.
    tournament: Option<Progress>,
}

impl GradeProgress {
    pub fn new(quiet: bool, interrupt: Option<Arc<Interrupt>>) -> Self {
        let shown = Arc::new(Mutex::new(ProgressDisplay {
            stages: Stages::new(quiet),
            quiet,
            told: BTreeSet::new(),
            tournament: None,
        }));
        let watched = Arc::downgrade(&shown);
        // Without its thread the grading goes on, redrawn at steps only.
        let _ = thread::Builder::new()
            .name("progress".to_owned())
            .spawn(move || watch(&watched, interrupt.as_deref()));
        Self(shown)
    }

    pub fn tell(&self, step: &Step<'_>) {
        let mut shown = lock(&self.0);
        shown.tell(step);
        shown.stages.show_if_due();
    }

    pub fn clear(&self) {
        lock(&self.0).end();
    }
}

impl Drop for GradeProgress {
    fn drop(&mut self) {
        self.clear();
    }
}

impl ProgressDisplay {
    fn tell(&mut self, step: &Step<'_>) {
        let stages = &mut self.stages;
        match step {
            Step::Problem(problem) => stages.say(&excerpt(&problem.to_string(), LONGEST_PROBLEM)),
            Step::Warning(warning) => warn(&warning.to_string()),
            Step::Preparing { submissions } => {
                let submissions = *submissions as u64;
                let words = counted(submissions, "submission", "submissions");
                let words = format!("unpacking and building {words}");
                stages.begin(
                    "unpacking and building",
                    "submissions",
                    submissions,
                    Some(&words),
                );
            }
            Step::Checking { bots } => {
                let bots = *bots as u64;
                let words = format!("checking {}", counted(bots, "bot", "bots"));
                stages.begin("checking", "bots", bots, Some(&words));
            }
            Step::Round(_, 0) => stages.end(),
            Step::Round(round, games) => {
                let name = format!("round {}", round.number);
                stages.begin(&name, Stages::GAMES, *games, Some(&words(round, *games)));
            }
            Step::Begun(who) => stages.work_begins(who),
            Step::Ended(who) => stages.work_ends(who),
            Step::Game => stages.done(),
            Step::SetAside(who, game)
                if self.told.len() < MOST_TOLD && self.told.insert((*who).to_owned()) =>
            {
                let cause = excerpt(&game.cause, LONGEST_PROBLEM);
                stages.say(&format!(
                    "{who}: a game could not be played and is set aside: {cause}"
                ));
            }
            Step::SetAside(..) => {}
            Step::Tournament(event) => {
                stages.end();
                let quiet = self.quiet;
                let begin = || Progress::new(quiet, DisplayNames::default());
                self.tournament.get_or_insert_with(begin).event(event);
            }
        }
    }

    fn end(&mut self) {
        self.stages.end();
        if let Some(tournament) = self.tournament.take() {
            tournament.finish();
        }
    }
}

fn watch(shown: &Weak<Mutex<ProgressDisplay>>, interrupt: Option<&Interrupt>) {
    let mut answered = None;
    while let Some(shown) = shown.upgrade() {
        let mut shown = lock(&shown);
        shown.stages.show_if_due();
        let level = interrupt.and_then(Interrupt::level);
        // The class tournament answers for itself, like any run.
        if shown.tournament.is_none()
            && let Some(level) = level.filter(|_| level != answered)
        {
            shown.stages.say(answer(level, shown.stages.counts_games()));
        }
        answered = level;
        drop(shown);
        thread::sleep(TICK);
    }
}

fn answer(level: InterruptLevel, has_games: bool) -> &'static str {
    match (level, has_games) {
        (InterruptLevel::FinishGames, true) => {
            "stopping when the games in play are over; once more to break them off"
        }
        (InterruptLevel::BreakOffGames, true) => {
            "breaking off the games in play; once more to be killed"
        }
        (_, false) => "stopping; once more to be killed",
    }
}

fn words(round: &Round, games: u64) -> String {
    format!(
        "round {}: {} of {}",
        round.number,
        counted(games, "game", "games"),
        counted(round.students as u64, "student", "students"),
    )
}

/// Locks the state. No code under this lock can fail half-way, so a poisoned lock is still consistent.
fn lock(shown: &Mutex<ProgressDisplay>) -> MutexGuard<'_, ProgressDisplay> {
    shown.lock().unwrap_or_else(PoisonError::into_inner)
}
