//! Counts games that pass the filters, and finds the reason if none does.

use super::{FILTERS, GameFilter, known_date};
use crate::results::ResultRow;
use crate::text::{counted, visible};

/// Counters for games and filters.
#[derive(Debug, Default)]
pub struct FilterCounts {
    games: u64,
    kept: u64,
    /// Number of games that passed each filter alone; counted until one passes all.
    alone: [u64; FILTERS.len()],
    /// First and last date of the games; counted likewise.
    dates: Option<[String; 2]>,
    /// Number of games that pass all filters except an unknown date.
    undated: u64,
}

impl FilterCounts {
    /// Takes in a game. Returns whether it passes all filters.
    pub fn add(&mut self, filter: &GameFilter, row: &ResultRow<'_>) -> bool {
        self.games += 1;
        let passes = filter.keeps(row);
        self.kept += u64::from(passes);
        if !passes && filter.lacks_date_alone(row) {
            self.undated += 1;
        }
        if self.kept == 0 {
            for (count, (_, passes)) in self.alone.iter_mut().zip(FILTERS) {
                *count += u64::from(passes(filter, row));
            }
            self.add_date(known_date(row.date));
        }
        passes
    }

    fn add_date(&mut self, date: &str) {
        match &mut self.dates {
            _ if date.is_empty() => {}
            None => self.dates = Some([date, date].map(str::to_owned)),
            Some([first, _]) if date < first.as_str() => date.clone_into(first),
            Some([_, last]) if date > last.as_str() => date.clone_into(last),
            Some(_) => {}
        }
    }

    /// Notes on games that do not pass.
    pub fn notes(&self, filter: &GameFilter) -> Vec<String> {
        let mut notes = Vec::new();
        let has_dates = filter.since.is_some() || filter.until.is_some();
        if self.games > 0 && self.kept == 0 {
            let alone = self.alone.iter().zip(FILTERS);
            let given = alone.filter(|(_, (name, _))| filter.is_given(name));
            let given = given.map(|(passed, (name, _))| match passed {
                0 => format!("none passes {name}"),
                1 => format!("1 passes {name}"),
                passed => format!("{passed} pass {name}"),
            });
            let given = given.collect::<Vec<_>>().join(", ");
            let games = counted(self.games, "game", "games");
            let dates = match &self.dates {
                Some([first, last]) if has_dates => {
                    format!("; they are of {} to {}", visible(first), visible(last))
                }
                _ => String::new(),
            };
            notes.push(format!("no game is left of {games}: {given}{dates}"));
        }
        if self.undated > 0 {
            let games = counted(self.undated, "game", "games");
            notes.push(format!(
                "--since and --until leave out {games} whose date is not known, or not as exactly as theirs"
            ));
        }
        notes
    }
}
