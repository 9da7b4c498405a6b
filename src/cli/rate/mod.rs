//! `referee rate FILES…`: ratings from results.

mod args;
mod error;
mod read;
mod tables;
mod values;

pub(super) use args::RateArgs;

use crate::cli::exit::{Exit, Failure};
use crate::cli::output::{print, style};
use crate::report::{self, ReportTable};
use crate::results::Settings;
use crate::text::escaped_json;
use args::RateFormat;
use read::{Games, read, settings};
use tables::tables;

pub(super) fn run(args: &RateArgs) -> Result<Exit, Failure> {
    let Games {
        results,
        mut history,
        display_names,
        mixtures,
        programs,
        run_test,
    } = read(args)?;
    for note in mixtures.notes() {
        report::print_to_stderr(&format!("note: {note}"));
    }
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
    match args.format {
        RateFormat::Terminal if tables.is_empty() => {
            print(&report::summary(&results, &rated, style()))?;
        }
        RateFormat::Terminal => {
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
