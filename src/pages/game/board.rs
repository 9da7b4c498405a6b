//! Boards and pieces as data for the script in the browser, each once for all games that have it.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::game::{Board, Cells, Piece, Slant};
use crate::pages::parts::page::{digest, script_json};

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
    /// Adds a board, and returns its key.
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

    /// Adds the pieces of a game, and returns their key.
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

    /// Adds the boards and pieces of another game.
    pub fn extend(&mut self, other: Self) {
        self.boards.extend(other.boards);
        self.pieces.extend(other.pieces);
    }

    /// Both tables as one object of JSON.
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
