//! The pages of a run: an index, a page for each player, and lists of players and games.

mod curves;
mod figures;
mod games;
mod index;
mod openings;
mod places;
mod plan;
mod player;
mod players;
mod statistics;
mod usage;

pub use figures::ScheduleState;

use std::collections::{BTreeSet, HashMap};

use curves::Histories;
use figures::{RunFigures, run_state};
use games::games_page;
use index::index_page;
use plan::plan_page;
use player::player_page;
use players::players_page;
use statistics::RunStatistics;

use crate::pages::context::{RunContext, player_file};
use crate::pages::error::PageError;
use crate::pages::exports::Exports;
use crate::pages::game::{
    DrawnGames, GAMES_PER_FILE, GamesRead, MOST_GAMES, WritePage, game_pages,
};
use crate::pages::parts::navigation::RunPart;
use crate::pages::parts::page::Templates;
use crate::parallel;
use crate::report::shell_word;
use crate::results::Settings;
use crate::runs::{Run, RunFileError};

/// Batch size of player pages rendered in parallel.
const PAGES_AT_ONCE: usize = 32;

/// About how many files [`run_pages`] writes, without figures.
///
/// # Errors
/// The journal cannot be read.
pub fn page_files(run: &Run) -> Result<u64, RunFileError> {
    let of_games = run.rows_about()?.div_ceil(GAMES_PER_FILE);
    let players = run.manifest().players.len() as u64;
    // The index, the lists of players and games, the plan, and the board.
    Ok(5 + players + of_games)
}

/// Makes a page in its context.
type MakePage<'a> = &'a dyn Fn(&RunContext<'_>) -> Result<String, PageError>;

/// Which pages of a run are made.
#[derive(Debug)]
pub enum Wanted {
    /// All. A run of more than `MOST_GAMES` draws only the games with these numbers.
    All(BTreeSet<u64>),
    /// The index alone, without links to other pages. While the run is played, it loads itself again.
    Index,
}

/// Makes the pages of a run: an index, a page for each player, one for the boards, and lists of players and games.
/// `checked` is the state of its schedule, if games depend on results and it could be worked out. Charts and tables also go to
/// `figures`, if they are wanted. Damaged records of games do not stop the pages: they are returned.
///
/// # Errors
/// The journal cannot be read, or `write` or `figures` fails.
pub fn run_pages(
    run: &Run,
    checked: Option<&ScheduleState>,
    wanted: Wanted,
    write: &mut WritePage<'_>,
    mut figures: Option<&mut WritePage<'_>>,
) -> Result<GamesRead, PageError> {
    let mut statistics = RunStatistics::read(run)?;
    let settings = Settings::of_run(run);
    let rated = statistics.results.rate(&settings);
    let histories = Histories::read(run, &rated, &settings)?;
    let names = run.player_names();
    let players: HashMap<&str, usize> = names.iter().copied().zip(0..).collect();
    let is_alone = matches!(wanted, Wanted::Index);
    let drawn = match wanted {
        Wanted::All(asked) if statistics.games > MOST_GAMES => DrawnGames::Some(asked),
        Wanted::All(_) | Wanted::Index => DrawnGames::All,
    };
    let read = match is_alone {
        true => GamesRead::default(),
        false => game_pages(run, &drawn, None, write)?,
    };
    let pages = RunContext {
        exports: match figures {
            Some(_) => Exports::of_page(""),
            None => Exports::default(),
        },
        run,
        names: &settings.display_names,
        players: &players,
        templates: &Templates::new()?,
        folder: &shell_word(run.path()),
        drawn: &drawn,
        read: &read,
        is_alone,
        refreshes: is_alone && run.is_in_play(),
    };
    let results = RunFigures {
        histories: &histories,
        state: run_state(run, &statistics, checked.map(|it| it.complete))?,
        checked,
        statistics: &statistics,
        places: rated
            .iter()
            .map(|one| one.standings.blocks().seat_places(one.most_seats()))
            .collect(),
        rated: &rated,
    };
    if is_alone {
        write(RunPart::Run.file(), &index_page(&pages, &results)?)?;
        return Ok(read);
    }
    let mut export = |exports: Exports| {
        let mut files = exports.into_files().into_iter();
        files.try_for_each(|file| match &mut figures {
            Some(figures) => figures(&file.name, &file.text),
            None => Ok(()),
        })
    };
    let numbered: Vec<(usize, &str)> = names.iter().copied().enumerate().collect();
    for some in numbered.chunks(PAGES_AT_ONCE) {
        let made = parallel::map(some, |(player, name)| {
            let pages = pages.of_other_page(&format!("player-{player}-"));
            let page = player_page(&pages, &results, *player, name);
            (page, pages.exports)
        });
        for ((player, _), (page, exports)) in some.iter().zip(made) {
            write(&player_file(*player), &page?)?;
            export(exports)?;
        }
    }
    let lists: [(RunPart, MakePage<'_>); 3] = [
        (RunPart::Players, &|pages| {
            Ok(players_page(pages, &results)?)
        }),
        (RunPart::Games, &|pages| Ok(games_page(pages, &statistics)?)),
        (RunPart::Plan, &plan_page),
    ];
    for (part, make) in lists {
        let pages = pages.of_other_page("");
        write(part.file(), &make(&pages)?)?;
        export(pages.exports)?;
    }
    // Written last, so that an index never links to pages that could not be made.
    write(RunPart::Run.file(), &index_page(&pages, &results)?)?;
    export(pages.exports)?;
    Ok(read)
}
