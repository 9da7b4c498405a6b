//! `history.csv`: the ratings at the end of each day. It follows from the runs, and spares their ratings of earlier days.

use std::collections::BTreeMap;
use std::path::Path;

use crate::config::read_text;
use crate::rating::Interval;
use crate::report::{Cell, Column, ReportTable};

/// The file name, in the folder of the pages.
pub(super) const HISTORY: &str = "history.csv";

/// So many days with games before, the trend of a rating begins.
const TREND: usize = 7;

/// A day with games: the number of all games by its end, and the ratings of those who played.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Day {
    pub day: String,
    pub games: u64,
    pub ratings: BTreeMap<String, Interval>,
}

#[derive(Debug, Clone, Default)]
pub struct History {
    /// The days of the file, which are true where the number of games is.
    kept: Vec<Day>,
    /// The days before the last one.
    pub days: Vec<Day>,
    pub today: String,
    /// The number of the first batch of this day.
    pub first_batch: usize,
}

impl History {
    /// The days that were written into a folder. Where the file is damaged, they are rated again.
    pub fn load(folder: &Path) -> Self {
        let text = read_text(&folder.join(HISTORY)).unwrap_or_default();
        let mut history = Self::default();
        for line in text.lines().skip(1) {
            let cells: Vec<&str> = line.split(',').collect();
            let [day, games, player, numbers @ ..] = &cells[..] else {
                continue;
            };
            let numbers: Vec<f64> = numbers.iter().filter_map(|it| it.parse().ok()).collect();
            let numbers: Result<[f64; 3], _> = numbers.try_into();
            let (Ok(games), Ok([elo, low, high])) = (games.parse(), numbers) else {
                continue;
            };
            let days = &mut history.kept;
            if days.last().is_none_or(|it| it.day != *day) {
                days.push(Day {
                    day: (*day).to_owned(),
                    games,
                    ..Day::default()
                });
            }
            if let Some(last) = days.last_mut() {
                last.ratings.insert((*player).to_owned(), [low, elo, high]);
            }
        }
        history
    }

    /// The end of this day after so many games, from the file.
    pub fn kept(&self, games: u64) -> Option<&Day> {
        let is_it = |it: &&Day| it.day == self.today && it.games == games;
        self.kept.iter().find(is_it)
    }

    /// The Elo of a bot some days ago.
    pub fn before(&self, owner: &str) -> Option<f64> {
        let last = self.days.len().saturating_sub(TREND) + 1;
        let days = self.days.get(..last)?.iter().rev();
        let mut ratings = days.flat_map(|day| day.ratings.iter().rev());
        let found = ratings.find(|(player, _)| owner_of(player) == owner);
        found.map(|(_, [_, elo, _])| *elo)
    }
}

pub fn owner_of(player: &str) -> &str {
    player.rsplit_once('.').map_or(player, |it| it.0)
}

pub fn history_table(days: &[Day]) -> ReportTable {
    let numbers = ["elo", "elo_low", "elo_high"].map(|name| Column::number(name, name));
    let mut columns = vec![
        Column::text("day", "day"),
        Column::number("games", "games"),
        Column::text("player", "player"),
    ];
    columns.extend(numbers);
    let rows = days.iter().flat_map(|day| {
        day.ratings.iter().map(|(player, [low, elo, high])| {
            let mut cells = vec![
                Cell::text(&day.day),
                Cell::Count(day.games),
                Cell::text(player),
            ];
            cells.extend([elo, low, high].map(|it| Cell::Elo(*it)));
            cells
        })
    });
    ReportTable::new("history", columns, rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(day: &str, games: u64, ratings: &[(&str, f64)]) -> Day {
        let ratings = ratings.iter().map(|(player, elo)| {
            let name = (*player).to_owned();
            (name, [elo - 30.0, *elo, elo + 30.0])
        });
        Day {
            day: day.to_owned(),
            games,
            ratings: ratings.collect(),
        }
    }

    #[test]
    fn days_are_kept_by_their_number_of_games() {
        let days = [
            day("2026-03-01", 8, &[("ann.1", 0.0), ("bob.1", -12.5)]),
            day("2026-03-02", 20, &[("ann.2", 40.0)]),
        ];
        let folder = tempfile::tempdir().expect("a folder");
        let csv = history_table(&days).csv();
        std::fs::write(folder.path().join(HISTORY), csv).expect("written");
        let mut history = History::load(folder.path());
        assert_eq!(history.kept, days);
        history.today = "2026-03-02".to_owned();
        assert!(history.kept(19).is_none());
        assert_eq!(history.kept(20), Some(&days[1]));
        history.days = days.to_vec();
        assert_eq!(history.before("bob"), Some(-12.5));
        assert_eq!(history.before("ann"), Some(0.0));
        assert_eq!(history.before("carol"), None);
    }
}
