//! The pages of a run: an index, a page for each player, and lists of players and games.

mod figures;
mod games;
mod index;
mod openings;
mod plan;
mod player;
mod players;
mod statistics;
mod usage;

pub use figures::ScheduleState;

use std::collections::{BTreeSet, HashMap};
use std::path::Path;

use figures::{RunFigures, run_state};
use games::games_page;
use index::index_page;
use plan::plan_page;
use player::player_page;
use players::players_page;
use statistics::RunStatistics;

use crate::pages::context::{RunContext, player_file};
use crate::pages::error::PageError;
use crate::pages::game::{DrawnGames, GamesRead, MOST_GAMES, WritePage, game_pages};
use crate::pages::parts::navigation::RunPart;
use crate::pages::parts::page::Templates;
use crate::parallel;
use crate::report::shell_word;
use crate::results::Settings;
use crate::runs::Run;

/// Batch size of player pages rendered in parallel.
const PAGES_AT_ONCE: usize = 32;

/// Makes the pages of a run: an index, a page for each player, one for the boards, and lists of players and games. `checked` is the state of
/// its schedule, if games depend on results and it could be worked out. A run of more than `MOST_GAMES` draws
/// only the games in `asked`. Commands on the pages call the run's folder `shown`. Damaged records of games do
/// not stop the pages: they are returned.
///
/// # Errors
/// The journal cannot be read, or `write` fails.
pub fn run_pages(
    run: &Run,
    checked: Option<&ScheduleState>,
    asked: BTreeSet<u64>,
    shown: &Path,
    write: &mut WritePage<'_>,
) -> Result<GamesRead, PageError> {
    let statistics = RunStatistics::read(run)?;
    let settings = Settings::of_run(run);
    let rated = statistics.results.rate(&settings);
    let names = run.player_names();
    let players: HashMap<&str, usize> = names.iter().copied().zip(0..).collect();
    let drawn = if statistics.games <= MOST_GAMES {
        DrawnGames::All
    } else {
        DrawnGames::Some(asked)
    };
    let read = game_pages(run, &drawn, write)?;
    let pages = RunContext {
        run,
        names: &settings.display_names,
        players,
        templates: Templates::new()?,
        folder: shell_word(shown),
        drawn,
        read: &read,
    };
    let figures = RunFigures {
        state: run_state(run, &statistics, checked.map(|it| it.complete))?,
        checked,
        statistics: &statistics,
        rated: &rated,
    };
    let numbered: Vec<(usize, &str)> = names.iter().copied().enumerate().collect();
    for some in numbered.chunks(PAGES_AT_ONCE) {
        let made = parallel::map(some, |(player, name)| {
            player_page(&pages, &figures, *player, name)
        });
        for ((player, _), page) in some.iter().zip(made) {
            write(&player_file(*player), &page?)?;
        }
    }
    let others = [
        (RunPart::Players, players_page(&pages, &figures)?),
        (RunPart::Games, games_page(&pages, &statistics)?),
        (RunPart::Plan, plan_page(&pages)?),
    ];
    for (part, page) in others {
        write(part.file(), &page)?;
    }
    // Written last, so that an index never links to pages that could not be made.
    write(RunPart::Run.file(), &index_page(&pages, &figures)?)?;
    Ok(read)
}
