//! Boards and pieces as data for the script in the browser, each once for all games that have it.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::game::{Board, Cells, PerSeat, Piece, Slant};
use crate::pages::parts::page::{digest, script_json};
use crate::runs::{LoggedAction, Recording};

/// Length of a key. With 72 bits, no two boards of a run share one.
const KEY: usize = 12;

/// The boards and pieces of some games, as JSON by key.
#[derive(Debug, Default)]
pub struct Tables {
    pub boards: BTreeMap<String, String>,
    pub pieces: BTreeMap<String, String>,
}

/// A board without the letters on it.
#[derive(Serialize)]
struct BoardData {
    cells: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    slant: Option<&'static str>,
    columns: usize,
    rows: usize,
    column_labels: Vec<String>,
    row_labels: Vec<String>,
    /// Colours of the upper, right, lower and left side.
    #[serde(skip_serializing_if = "Option::is_none")]
    sides: Option<[&'static str; 4]>,
}

#[derive(Serialize)]
struct PieceData<'a> {
    letter: char,
    shape: &'static str,
    colour: &'static str,
    #[serde(skip_serializing_if = "str::is_empty")]
    glyph: &'a str,
    name: &'a str,
}

impl Tables {
    pub fn add_board(&mut self, board: &Board) -> String {
        let (columns, rows) = board.size();
        let (cells, slant) = match board.cells {
            Cells::Squares => ("squares", None),
            Cells::Points => ("points", None),
            Cells::Hexagons(Slant::Left) => ("hexagons", Some("left")),
            Cells::Hexagons(Slant::Right) => ("hexagons", Some("right")),
        };
        let data = BoardData {
            cells,
            slant,
            columns,
            rows,
            column_labels: board.column_labels.list(columns),
            row_labels: board.row_labels.list(rows),
            sides: board.sides.map(|sides| sides.map(|colour| colour.name())),
        };
        add(&mut self.boards, &data)
    }

    pub fn add_pieces(&mut self, pieces: &[Piece]) -> String {
        let data: Vec<PieceData<'_>> = pieces
            .iter()
            .map(|piece| PieceData {
                letter: piece.letter,
                shape: piece.shape.name(),
                colour: piece.colour.name(),
                glyph: &piece.glyph,
                name: &piece.name,
            })
            .collect();
        add(&mut self.pieces, &data)
    }

    pub fn extend(&mut self, other: Self) {
        self.boards.extend(other.boards);
        self.pieces.extend(other.pieces);
    }

    pub fn json(&self) -> String {
        let [boards, pieces] = [&self.boards, &self.pieces].map(|table| {
            let entries = table.iter().map(|(key, json)| format!("\"{key}\":{json}"));
            entries.collect::<Vec<_>>().join(",")
        });
        format!("{{\"boards\":{{{boards}}},\"pieces\":{{{pieces}}}}}")
    }
}

fn add(table: &mut BTreeMap<String, String>, data: &impl Serialize) -> String {
    // Plain structs of strings and numbers always serialize.
    let json = script_json(data).unwrap_or_default();
    let key: String = digest(&json).chars().take(KEY).collect();
    table.insert(key.clone(), json);
    key
}

const STRETCHES: u64 = 60;

/// Upper bound on the players with values, and on the names of values. More would be no chart.
pub const MOST_PLAYERS: usize = 8;
const MOST_NAMES: usize = 32;

/// The name under which nodes per second are kept. No value that a bot reports has spaces.
pub const SPEED: &str = "nodes per second";

/// Means of reported values in one game: the name of each value and its mean, by seat.
pub type GameMeans = PerSeat<BTreeMap<String, f64>>;

/// The means of the values that each player reported in a game, without scores.
pub fn means(recording: &Recording) -> GameMeans {
    let mut sums = PerSeat::defaults(recording.row.players.count());
    for ply in &recording.plies {
        for (seat, logged) in ply.actions() {
            add_values(&mut sums[seat], logged);
        }
    }
    sums.map(|sums: BTreeMap<String, [f64; 2]>| {
        let means = sums
            .into_iter()
            .map(|(name, [sum, count])| (name, sum / count));
        means.collect()
    })
}

fn add_values(sums: &mut BTreeMap<String, [f64; 2]>, logged: &LoggedAction) {
    let values = &logged.values;
    let mut add = |name: &str, amount: f64, weight: f64| match sums.get_mut(name) {
        Some([sum, count]) => {
            *sum += amount;
            *count += weight;
        }
        None => {
            sums.insert(name.to_owned(), [amount, weight]);
        }
    };
    let is_other = |name: &str| !["score", "mate", "nodes", "time"].contains(&name);
    for (name, value) in values.iter().filter(|(name, _)| is_other(name)) {
        add(name, value, 1.0);
    }
    // `time` is in milliseconds. All nodes by all time, not the mean of speeds: short answers count less.
    if let (Some(nodes), Some(time)) = (values.get("nodes"), values.get("time"))
        && time > 0.0
    {
        add(SPEED, nodes, time / 1000.0);
    }
}

#[derive(Debug, Default)]
pub struct Reported {
    games: u64,
    /// By the name of the value, then by the player.
    pub values: BTreeMap<String, BTreeMap<String, Stretches>>,
    /// Whether there were too many players or names to keep all.
    pub too_many: bool,
}

impl Reported {
    pub fn add(&mut self, players: &PerSeat<&str>, means: GameMeans) {
        let game = self.games;
        self.games += 1;
        for (player, means) in players.values().zip(means.into_values()) {
            for (name, mean) in means {
                let known = self.values.len();
                if known == MOST_NAMES && !self.values.contains_key(&name) {
                    self.too_many = true;
                    continue;
                }
                let by_player = self.values.entry(name).or_default();
                if by_player.len() == MOST_PLAYERS && !by_player.contains_key(*player) {
                    self.too_many = true;
                    continue;
                }
                by_player
                    .entry((*player).to_owned())
                    .or_default()
                    .add(game, mean);
            }
        }
    }

    pub fn games(&self) -> u64 {
        self.games
    }
}

/// Means of one value of a player, a number for each stretch of games.
#[derive(Debug, Default)]
pub struct Stretches {
    /// Games in a stretch, as a power of two.
    width_log: u32,
    sums: Vec<[f64; 2]>,
}

impl Stretches {
    fn add(&mut self, game: u64, mean: f64) {
        while game >> self.width_log >= STRETCHES {
            let merged = self.sums.chunks(2).map(|two| {
                two.iter()
                    .fold([0.0; 2], |[sum, count], it| [sum + it[0], count + it[1]])
            });
            self.sums = merged.collect();
            self.width_log += 1;
        }
        // Below `STRETCHES`.
        let at = (game >> self.width_log) as usize;
        if self.sums.len() <= at {
            self.sums.resize(at + 1, [0.0; 2]);
        }
        self.sums[at][0] += mean;
        self.sums[at][1] += 1.0;
    }

    /// Number of games of the run in a stretch.
    pub fn width(&self) -> u64 {
        1 << self.width_log
    }

    /// The mean of each stretch with values of the player, after the number of the stretch's last game, from 1.
    pub fn means(&self) -> impl Iterator<Item = (u64, f64)> {
        let ends = (1..).map(|stretch: u64| stretch << self.width_log);
        let with_games = ends.zip(&self.sums).filter(|(_, [_, count])| *count > 0.0);
        with_games.map(|(end, [sum, count])| (end, sum / count))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stretches_merge_as_games_are_added_and_keep_the_mean() {
        for games in [1, 2, 59, 60, 61, 1000, 12_345] {
            let mut stretches = Stretches::default();
            for game in (0..games).step_by(3) {
                stretches.add(game, game as f64);
            }
            let means: Vec<(u64, f64)> = stretches.means().collect();
            assert!(means.len() <= 60, "{games}: {}", means.len());
            for (end, mean) in &means {
                let width = stretches.width();
                let in_it: Vec<f64> = (end - width..*end)
                    .filter(|game| game % 3 == 0 && *game < games)
                    .map(|game| game as f64)
                    .collect();
                let expected = in_it.iter().sum::<f64>() / in_it.len() as f64;
                assert!(
                    (mean - expected).abs() < 1e-9,
                    "{games}, {end}: {mean} {expected}"
                );
            }
        }
    }

    #[test]
    fn players_and_names_are_bounded() {
        let mut reported = Reported::default();
        let means = |name: &str| [BTreeMap::from([(name.to_owned(), 1.0)]), BTreeMap::new()].into();
        for number in 0..100 {
            reported.add(&[&*format!("p{number}"), "q"].into(), means("depth"));
            reported.add(&["p", "q"].into(), means(&format!("v{number}")));
        }
        assert_eq!(reported.games(), 200);
        assert!(reported.too_many);
        assert_eq!(reported.values.len(), MOST_NAMES);
        assert_eq!(reported.values["depth"].len(), MOST_PLAYERS);
    }
}
