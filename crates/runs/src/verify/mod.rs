//! Verifies the records of a run: replays every game from its log, and the schedule from the plan and the results.

mod fault;

use std::fmt::Display;

use crate::game::{Game, PerSeat, Reason, RulesFault};
use crate::referee::has_tablebases;
use crate::runner::{QueuedGame, ScheduleCheck, UnfitGame, check_against_schedule};
use crate::runs::{
    Difference, Done, DoneGames, FileDigests, GameRow, GameStart, Ids, PlanIndex, RowProblem, Run,
    RunFileError, RunFileProblem, SealError, player_column, seat_column,
};
use crate::schedule::values_text;

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Verified {
    pub games: u64,
    /// Number of games that the plan keeps no log of. They were not replayed.
    pub unlogged: u64,
    /// Number of games that were ended by a tablebase, where none is open here.
    pub without_tablebases: u64,
    /// Number of games set aside, because they could not be played.
    pub set_aside: u64,
    pub complete: bool,
    /// Files in the folder of the run that are no records of it.
    pub beside: Vec<String>,
}

/// Verifies all records of a run. Calls `checked` after each game.
pub fn verify(run: &Run, checked: &mut dyn FnMut()) -> Result<Verified, VerifyError> {
    let mut verified = Verified::default();
    if !run.has_digests() {
        return Err(SealError::NotEnded(run.path().to_owned()).into());
    }
    let done = verify_games(run, &mut verified, checked)?;
    verified.complete = verify_schedule(run, done)?.complete;
    // Last, because every other check says more about a change than a digest.
    run.check_digests()?;
    Ok(verified)
}

pub fn is_complete(run: &Run) -> Result<bool, VerifyError> {
    Ok(run.has_digests() && verify_schedule(run, played(run)?.0)?.complete)
}

/// Replays the schedule of a run with its journal, without replaying games. Games set aside count as draws, as they
/// do for the schedule.
pub fn check_schedule(run: &Run) -> Result<ScheduleCheck, VerifyError> {
    let (mut done, index) = played(run)?;
    for game in run.set_aside()? {
        let id = game.id;
        let drawn = index.drawn(&game);
        let drawn = drawn.map_err(|problem| untrue(id, &problem))?;
        done.insert(id, drawn);
    }
    let checked = verify_schedule(run, done)?;
    Ok(ScheduleCheck {
        complete: checked.complete && run.has_digests(),
        ..checked
    })
}

fn played(run: &Run) -> Result<(DoneGames, PlanIndex<'_>), VerifyError> {
    let index = run.plan_index();
    let mut done = DoneGames::default();
    for row in run.rows()? {
        let row = row?;
        let id = row.id;
        let result = index.done(&row);
        let result = result.map_err(|problem| untrue(id, &problem))?;
        done.insert(id, result);
    }
    Ok((done, index))
}

fn verify_games(
    run: &Run,
    verified: &mut Verified,
    checked: &mut dyn FnMut(),
) -> Result<DoneGames, VerifyError> {
    let index = run.plan_index();
    let mut seen = Ids::default();
    let mut done = DoneGames::default();
    let mut take_in = |id, result: Result<Done, RowProblem>| {
        if !seen.insert(id) {
            let words = format!("game {id} is there twice, in games.csv or in set-aside.csv");
            return Err(VerifyError::Untrue(words));
        }
        done.insert(id, result.map_err(|problem| untrue(id, &problem))?);
        Ok(())
    };
    let mut with_rows = Ids::default();
    for row in run.rows()? {
        let row = row.map_err(untrue_row)?;
        let id = row.id;
        take_in(id, index.done(&row))?;
        with_rows.insert(id);
        verified.games += 1;
        let planned = run.planned(row.game)?;
        let start = planned.start(run.manifest().seed, row.block);
        start
            .and_then(|start| GameStart::of(&start, row.start.round))
            .map_err(Difference::Rules)
            .and_then(|due| Ok(row.start.check(&due)?))
            .map_err(|difference| VerifyError::of(id, difference))?;
        match run.keeps_log(&row) {
            true => verify_log(run, row.clone())?,
            false => verified.unlogged += 1,
        }
        if row.end.reason == Some(Reason::TABLEBASE) && !has_tablebases() {
            verified.without_tablebases += 1;
        }
        fault::check_row(&row, planned.drops).map_err(|problem| untrue(id, &problem))?;
        verify_files(run, &row)?;
        checked();
    }
    for game in run.set_aside()? {
        take_in(game.id, index.drawn(&game))?;
        verified.set_aside += 1;
    }
    verified.beside = run.strangers(&with_rows)?;
    Ok(done)
}

fn verify_log(run: &Run, row: GameRow) -> Result<(), VerifyError> {
    let id = row.id;
    let recording = run.recording_of(row)?;
    // Like a void game, a game whose rules fail is played once more, by a new process.
    let checked = match recording.check() {
        Err(Difference::Rules(_)) => recording.check(),
        checked => checked,
    };
    let to_act = checked.map_err(|difference| VerifyError::of(id, difference))?;
    fault::check_end(&recording, to_act).map_err(|problem| untrue(id, &problem))
}

fn verify_files(run: &Run, row: &GameRow) -> Result<(), VerifyError> {
    let FileDigests { log, stderr } = run.file_digests(row)?;
    let (column, file) = if log != row.files.log {
        ("log_digest".to_owned(), "its log".to_owned())
    } else if let Some(seat) = stderr.find_seat(|seat, found| *found != row.files.stderr[seat]) {
        let file = format!("the {} bot's log", player_column(seat));
        (seat_column(seat, "stderr_digest"), file)
    } else {
        return Ok(());
    };
    let problem = format!("`{column}` does not fit the file: {file} was changed, removed or added");
    Err(untrue(row.id, &problem))
}

/// Distinguishes a row that contradicts itself from one that cannot be read.
fn untrue_row(error: RunFileError) -> VerifyError {
    match &error.problem {
        RunFileProblem::Row {
            problem: RowProblem::Untrue(_),
            ..
        } => VerifyError::Untrue(error.to_string()),
        _ => VerifyError::RunFile(error),
    }
}

fn verify_schedule(run: &Run, done: DoneGames) -> Result<ScheduleCheck, VerifyError> {
    let players = run.player_names();
    let (id, planned) = match check_against_schedule(run.schedules(), done) {
        Ok(checked) => return Ok(checked),
        Err(UnfitGame { id, planned }) => (id, planned),
    };
    let words = |game: Game,
                 block: u64,
                 round: Option<u64>,
                 players: PerSeat<&str>,
                 values: Option<&PerSeat<String>>| {
        let players: Vec<String> = players
            .iter()
            .map(|(seat, player)| match values {
                None => (*player).to_owned(),
                Some(values) => format!("{player} ({})", values[seat]),
            })
            .collect();
        let round = round.map_or(String::new(), |round| format!("round {round}, "));
        format!(
            "{}, {round}block {block}, {}",
            game.name(),
            players.join(" against ")
        )
    };
    let mut found = String::new();
    for row in run.rows()? {
        let row = row?;
        if row.id == id {
            found = words(
                row.game,
                row.block,
                row.start.round,
                row.names(),
                row.values.as_ref(),
            );
        }
    }
    let planned = match planned {
        None => "have no such game".to_owned(),
        Some(planned) => {
            let QueuedGame { game, ticket, .. } = *planned;
            let names = ticket.players.each_ref().map(|player| players[*player]);
            let game = run.games()[game].game();
            let values = ticket
                .values
                .map(|values| values.map(|it| values_text(&it)));
            let planned = words(game, ticket.block, ticket.round, names, values.as_ref());
            format!("say {planned}")
        }
    };
    let problem = format!("it is {found}, and the plan and the results before it {planned}");
    Err(untrue(id, &problem))
}

#[derive(Debug, thiserror::Error)]
pub enum VerifyError {
    #[error(transparent)]
    RunFile(#[from] RunFileError),
    #[error(transparent)]
    Seal(#[from] SealError),
    #[error("game {id}: {fault}")]
    Rules { id: u64, fault: RulesFault },
    #[error("{0}")]
    Untrue(String),
}

impl VerifyError {
    fn of(id: u64, difference: Difference) -> Self {
        match difference {
            Difference::Rules(fault) => Self::Rules { id, fault },
            Difference::Records(problem) => untrue(id, &problem),
        }
    }
}

fn untrue(id: u64, problem: &dyn Display) -> VerifyError {
    VerifyError::Untrue(format!("game {id}: {problem}"))
}
