//! Files of anchors: players with a fixed Elo. Required columns are `player`, `elo` and `margin`, as in
//! ratings.csv; `game` is optional, and other columns are ignored.

use std::path::{Path, PathBuf};

use super::header_names;
use super::table::delimiter;
use crate::config::{did_you_mean, in_brackets, read_text};
use crate::runs::{FileError, csv_words};
use crate::text;

const MOST_ELO: f64 = 100_000.0;

/// Upper bound on the margin of an anchor, in Elo. A margin this large carries next to no information.
const MOST_MARGIN: f64 = 10_000.0;

#[derive(Debug, Clone, PartialEq)]
pub struct AnchorRow {
    pub line: u64,
    /// The game that it anchors; `None` for all games of the player.
    pub game: Option<String>,
    pub player: String,
    pub elo: f64,
    /// Half the width of the 95 % interval of its rating; 0 if it is exact.
    pub margin: f64,
}

#[derive(Debug, Clone, PartialEq)]
pub struct AnchorFile {
    pub path: PathBuf,
    /// Its rows. No player has two for one game.
    pub rows: Vec<AnchorRow>,
}

pub type AnchorsError = FileError<AnchorsProblem>;

#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct AnchorsProblem(String);

impl AnchorFile {
    pub fn read(path: &Path) -> Result<Self, AnchorsError> {
        let text = read_text(path).map_err(|error| {
            AnchorsError::new(path, AnchorsProblem(format!("cannot be read: {error}")))
        })?;
        let bad = |line: u64, problem: String| at_line(path, line, &problem);
        let mut reader = csv::ReaderBuilder::new()
            .trim(csv::Trim::All)
            .delimiter(delimiter(text.as_bytes()))
            .from_reader(text.as_bytes());
        let malformed = |error: csv::Error| {
            let line = error.position().map_or(1, csv::Position::line);
            bad(line, csv_words(error))
        };
        let header = reader.headers().map_err(malformed)?.clone();
        let place = |name: &str| header.iter().position(|column| column == name);
        let needed = |missing| {
            place(missing).ok_or_else(|| {
                let found = header_names(&header.iter().collect::<Vec<_>>());
                let problem = format!(
                    "there is no column `{missing}`; expected player, elo and margin (half the width of the 95 % interval, \
                     empty where the Elo is exact), and it has {found}"
                );
                bad(1, problem)
            })
        };
        let columns = [needed("player")?, needed("elo")?, needed("margin")?];
        let game = place("game");
        for name in ["player", "elo", "margin", "game"] {
            if header.iter().filter(|column| *column == name).count() > 1 {
                return Err(bad(
                    1,
                    format!("there are two columns `{name}`: leave one out"),
                ));
            }
        }
        let mut rows: Vec<AnchorRow> = Vec::new();
        for record in reader.records() {
            let record = record.map_err(malformed)?;
            let line = record.position().map_or(0, csv::Position::line);
            let cell = |column: usize| record.get(column).unwrap_or_default();
            let row = row(line, columns.map(cell), game.map(cell).unwrap_or_default())
                .map_err(|problem| bad(line, problem))?;
            if let Some(before) = rows.iter().find(|before| before.overlaps(&row)) {
                let problem = format!("`{}` is in line {} already", row.player, before.line);
                return Err(bad(line, problem));
            }
            rows.push(row);
        }
        if rows.is_empty() {
            let problem = "it names no player: expected a row for each anchor";
            return Err(bad(1, problem.to_owned()));
        }
        Ok(Self {
            path: path.to_owned(),
            rows,
        })
    }

    /// Checks that all anchors play. `plays` tells whether a player plays a game, or any game for `None`. `names`
    /// are all players, for a suggestion.
    pub fn check<'a>(
        &self,
        plays: impl Fn(&str, Option<&str>) -> bool,
        names: impl Iterator<Item = &'a str>,
    ) -> Result<(), AnchorsError> {
        let unknown = |row: &&AnchorRow| !plays(&row.player, row.game.as_deref());
        let Some(row) = self.rows.iter().find(unknown) else {
            return Ok(());
        };
        let player = &row.player;
        let problem = match &row.game {
            Some(game) if plays(player, None) => {
                format!("`{player}` plays no game of `{game}`: correct the game, or remove the row")
            }
            _ => format!(
                "`{player}` plays none of these games{}: correct the name, or remove the row",
                in_brackets(did_you_mean(player, names))
            ),
        };
        Err(at_line(&self.path, row.line, &problem))
    }
}

fn at_line(path: &Path, line: u64, problem: &str) -> AnchorsError {
    AnchorsError::new(path, AnchorsProblem(format!("line {line}: {problem}")))
}

impl AnchorRow {
    pub fn is_for(&self, game: &str) -> bool {
        self.game.as_deref().is_none_or(|own| own == game)
    }

    fn overlaps(&self, other: &Self) -> bool {
        let all_games = self.game.is_none() || other.game.is_none();
        self.player == other.player && (all_games || self.game == other.game)
    }
}

fn row(line: u64, [player, elo, margin]: [&str; 3], game: &str) -> Result<AnchorRow, String> {
    let player = text::name(player);
    if player.is_empty() {
        return Err("it names no player".to_owned());
    }
    let number = |text: &str, [low, high]: [f64; 2]| {
        // A file with semicolons between fields may have decimal commas.
        let number = text.replace(',', ".").parse::<f64>().ok();
        number.filter(|number| (low..=high).contains(number))
    };
    let found = number(elo, [-MOST_ELO, MOST_ELO]);
    let margin_found = match margin {
        "" => Some(0.0),
        margin => number(margin, [0.0, MOST_MARGIN]),
    };
    Ok(AnchorRow {
        line,
        game: (!game.is_empty()).then(|| game.to_owned()),
        player: player.into_owned(),
        elo: found.ok_or_else(|| {
            format!("elo `{elo}`: expected a number from -{MOST_ELO} to {MOST_ELO}")
        })?,
        margin: margin_found.ok_or_else(|| {
            format!(
                "margin `{margin}`: expected a number from 0 to {MOST_MARGIN}, or nothing where the Elo is exact"
            )
        })?,
    })
}
