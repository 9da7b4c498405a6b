//! `referee verify RUN`: are the records of a run true?

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::{Exit, Failure, print, run::tables};
use crate::game::{Match, Setup};
use crate::record::{GameRow, JOURNAL, LoggedPly, Recorded, read_games, read_log, replay};
use crate::report::{Results, Settings};
use crate::runner::Seeds;

/// Play all games of a run again from their logs, and work its tables out again
///
/// Every action must be legal, what became public must be what the rules and the seed say, and the
/// end must be the one in games.csv. The first difference is named; the exit code is then 1.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The folder of the run
    #[arg(value_name = "RUN")]
    run: PathBuf,
}

pub(super) fn run(args: &Args) -> Result<Exit, Failure> {
    let file = |error| Failure::new(Exit::File, error);
    let different = |difference| Failure::new(Exit::Failed, difference);
    let recorded = Recorded::read(&args.run).map_err(file)?;
    let mut rows = read_games(&args.run.join(JOURNAL)).map_err(file)?;
    rows.sort_by_key(|row| row.id);
    let mut results = Results::default();
    let mut pairs = BTreeMap::new();
    for (index, row) in rows.iter().enumerate() {
        if index > 0 && rows[index - 1].id == row.id {
            return Err(different(format!("game {} is in games.csv twice", row.id)));
        }
        let plies = read_log(&args.run, row.id).map_err(file)?;
        play_again(&recorded, row, &plies, &mut |_| ())
            .and_then(|()| pair(&mut pairs, row))
            .map_err(|problem| different(format!("game {}: {problem}", row.id)))?;
        results.add(&row.result(0));
    }
    let settings = Settings::default();
    let sheets = tables(&args.run, &results.rate(&settings)).map_err(file)?;
    for sheet in &sheets {
        let name = format!("{}.csv", sheet.name);
        compare(&args.run.join(name), &sheet.csv())?;
    }
    print(&format!(
        "{}: {} games and {} tables are as recorded\n",
        args.run.display(),
        rows.len(),
        sheets.len()
    ))?;
    Ok(Exit::Done)
}

/// Plays one game again from its log, and shows every position to `each`.
pub(super) fn play_again(
    recorded: &Recorded,
    row: &GameRow,
    plies: &[LoggedPly],
    each: &mut dyn FnMut(&dyn Match),
) -> Result<(), String> {
    let setup = setup(recorded, row)?;
    let options: Vec<String> = setup
        .public_options()
        .iter()
        .map(|(key, value)| format!("{key}={value}"))
        .collect();
    if row.options != options.join(" ") {
        return Err(format!(
            "`options` is `{}`, and the manifest says `{}`",
            row.options,
            options.join(" ")
        ));
    }
    let mut seeds = Seeds::new(recorded.seed, setup.game(), row.pair);
    let start = (setup.game(), setup.start(&mut seeds.chance));
    let chance = &mut seeds.chance;
    replay(row, plies, recorded.opening_plies, start, chance, each)
}

/// The game of a row with its options, as the manifest has it.
pub(super) fn setup<'a>(recorded: &'a Recorded, row: &GameRow) -> Result<&'a Setup, String> {
    recorded
        .games
        .iter()
        .find(|setup| setup.game().name() == row.game)
        .ok_or_else(|| format!("the manifest has no game `{}`", row.game))
}

/// The games of a pair are two at most, between the same players with the seats swapped.
fn pair<'a>(
    pairs: &mut BTreeMap<(&'a str, u64), Vec<[&'a str; 2]>>,
    row: &'a GameRow,
) -> Result<(), String> {
    let games = pairs.entry((&row.game, row.pair)).or_default();
    let players = [row.first.as_str(), row.second.as_str()];
    match games.as_slice() {
        [] => {}
        [[first, second]] if [*second, *first] == players => {}
        _ => return Err(format!("it is no other half of pair {}", row.pair)),
    }
    games.push(players);
    Ok(())
}

/// Names the first line that is not as it was worked out again.
fn compare(path: &Path, table: &[u8]) -> Result<(), Failure> {
    let found = std::fs::read(path)
        .map_err(|error| Failure::new(Exit::File, format!("{}: {error}", path.display())))?;
    if found == table {
        return Ok(());
    }
    let lines = |bytes: &[u8]| -> Vec<String> {
        let text = String::from_utf8_lossy(bytes);
        text.split('\n').map(str::to_owned).collect()
    };
    let (found, table) = (lines(&found), lines(table));
    let line = (0..found.len().max(table.len()))
        .find(|line| found.get(*line) != table.get(*line))
        .unwrap_or(0);
    let show = |lines: &[String]| lines.get(line).cloned().unwrap_or_default();
    Err(Failure::new(
        Exit::Failed,
        format!(
            "{}: line {} is `{}`, and the games say `{}`",
            path.display(),
            line + 1,
            show(&found),
            show(&table)
        ),
    ))
}
