//! `referee rate FILES…`: ratings from results.

mod args;
mod error;
mod progress;
mod read;
mod tables;
mod values;

pub(super) use args::RateArgs;

use crate::cli::exit::{Exit, Failure};
use crate::cli::output::{print, style};
use crate::report::{self, ReportTable};
use crate::results::{Results, Settings};
use crate::text::{counted, escaped_json};
use args::RateFormat;
use progress::RateProgress;
use read::{Games, read, settings};
use tables::tables;

pub(super) fn run(args: &RateArgs) -> Result<Exit, Failure> {
    let progress = RateProgress::new();
    let Games {
        results,
        mut history,
        display_names,
        mixtures,
        programs,
        run_test,
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
        ..settings(args, &results)?
    };
    let rated = results.rate(&settings);
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
    let of_two = results.games().map(|(_, one)| one.players().len() as u64);
    let tables = results.tables();
    let at_tables = tables.map(|(_, games)| games.players().len() as u64);
    let players = of_two.chain(at_tables).sum();
    format!("rating {}", counted(players, "player", "players"))
}
