//! `referee rate FILES…`: ratings from results.

mod args;
mod error;
mod progress;
mod read;
mod tables;
mod values;

pub(super) use args::RateArgs;

use std::collections::BTreeSet;

use crate::cli::exit::{Exit, Failure};
use crate::cli::output::{print, style};
use crate::rating::Openings;
use crate::report::{self, ReportTable};
use crate::results::{Results, Settings};
use crate::text::{counted, escaped_json};
use args::RateFormat;
use error::RateError;
use progress::RateProgress;
use read::{GamesRead, read, settings};
use tables::tables;

pub(super) fn run(args: &RateArgs) -> Result<Exit, Failure> {
    let progress = RateProgress::new();
    let GamesRead {
        mut results,
        mut history,
        display_names,
        mixtures,
        programs,
        run_test,
        all_openings,
    } = read(args, &progress)?;
    for note in mixtures.notes() {
        progress.say(&format!("note: {note}"));
    }
    progress.begins(rating(&results));
    let settings = Settings {
        display_names,
        programs,
        sprt: args.sprt.clone().or_else(|| run_test.clone()),
        run_test,
        familywise: args.familywise,
        all_openings: match args.openings {
            Some(Openings::All) => results.games().map(|(game, _)| game.to_owned()).collect(),
            Some(Openings::Sample) => BTreeSet::new(),
            None => all_openings,
        },
        ..settings(args, &results)?
    };
    let rated = results.rate(&settings);
    if let Some((name, _)) = &args.sprt
        && rated.iter().all(|one| one.tested_games().is_none())
    {
        return Err(RateError::SprtOfMore(name.clone()).into());
    }
    let mut tables = tables(args, &rated, &mut history)?;
    if args.format == RateFormat::Terminal {
        let shown = |table: ReportTable| table.with_display_names(&settings.display_names);
        tables = tables.into_iter().map(shown).collect();
    }
    let summary = match args.format {
        RateFormat::Terminal if tables.is_empty() => {
            Some(report::summary(&results, &rated, style()))
        }
        _ => None,
    };
    // Its line would stand between the lines of the output.
    drop(progress);
    match args.format {
        RateFormat::Terminal => {
            print(&summary.unwrap_or_default())?;
            for table in &tables {
                print(&report::plain(table, style()))?;
            }
        }
        RateFormat::Csv => {
            for table in &tables {
                print(&String::from_utf8_lossy(&table.csv()))?;
            }
        }
        RateFormat::Json => {
            let json = format!("{:#}\n", report::json(&rated, &tables));
            print(&escaped_json(&json))?;
        }
    }
    Ok(Exit::Done)
}

/// The work on the games that were read, in words.
fn rating(results: &Results) -> String {
    let players = results
        .games()
        .map(|(_, games)| games.players().len() as u64)
        .sum();
    format!("rating {}", counted(players, "player", "players"))
}
