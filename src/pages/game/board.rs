//! Drawing of boards: geometry of the cells, and symbols by letter. The script in the browser knows no
//! game; it only puts letters on cells.

use std::fmt::Write;

use serde::Serialize;

use crate::game::{Board, Cells, Colour, Drawing, Piece, Shape};

/// A piece for the script in the browser.
#[derive(Debug, Clone, Serialize)]
pub struct SymbolData {
    letter: char,
    class: &'static str,
    glyph: String,
    name: String,
}

/// A board as a picture, in units of a tenth of a cell.
#[derive(Debug, Clone, Default)]
pub struct BoardPicture {
    pub width: f64,
    pub height: f64,
    /// Elements of SVG: a group with the class `cell` for each cell, in the order of the board's letters.
    pub elements: String,
}

/// Distance of the cells from the left and the upper edge, for the labels.
const MARGIN: f64 = 6.0;

/// The empty board.
pub fn picture(board: &Board) -> BoardPicture {
    match board.cells {
        Cells::Squares | Cells::Points => squares(board),
        Cells::Hexagons(_) => hexagons(board.columns),
    }
}

/// The pieces of a drawing.
pub fn symbols(drawing: &Drawing) -> Vec<SymbolData> {
    let symbols = drawing.pieces.iter();
    let symbols = symbols.map(|piece| SymbolData {
        letter: piece.letter,
        class: class(piece),
        glyph: piece.glyph.clone().into_owned(),
        name: piece.name.clone().into_owned(),
    });
    symbols.collect()
}

fn class(piece: &Piece) -> &'static str {
    match (piece.shape, piece.colour) {
        (Shape::Disc, Colour::White) => "stone first",
        (Shape::Disc, Colour::Black) => "stone second",
        (Shape::Disc, Colour::Red) => "stone red",
        (Shape::Disc, Colour::Blue) => "stone blue",
        (Shape::Disc, _) => "stone hidden",
        (Shape::Ring, Colour::Red) => "stone piece red",
        (Shape::Ring, _) => "stone piece black",
        (Shape::Block, _) => "corner",
        (Shape::Gap, _) => "removed",
        _ => "empty",
    }
}

/// The letter of a column.
fn letter(column: usize) -> String {
    ('a'..='z').nth(column).into_iter().collect()
}

/// A board of squares, the first row on top.
fn squares(board: &Board) -> BoardPicture {
    let (columns, rows) = board.size();
    let column_labels = board.column_labels.list(columns);
    let row_labels = board.row_labels.list(rows);
    let mut elements = String::new();
    let place = |at: usize| MARGIN + 10.0 * at as f64;
    for column in 0..columns {
        label(
            &mut elements,
            place(column) + 5.0,
            3.0,
            &column_labels[column],
        );
    }
    for row in 0..rows {
        label(&mut elements, 3.0, place(row) + 5.0, &row_labels[row]);
        for column in 0..columns {
            let shape = "<rect x=\"-5\" y=\"-5\" width=\"10\" height=\"10\"/>";
            cell(&mut elements, place(column) + 5.0, place(row) + 5.0, shape);
        }
    }
    BoardPicture {
        width: place(columns) + 1.0,
        height: place(rows) + 1.0,
        elements,
    }
}

/// A rhombus: each higher row half a cell to the right.
fn hexagons(size: usize) -> BoardPicture {
    let (step, rise) = (10.0, 10.0 * 3_f64.sqrt() / 2.0);
    let radius = rise * 2.0 / 3.0;
    let last = size - 1;
    let x = |row: usize, column: usize| {
        MARGIN + 6.0 + step * (column as f64 + (last - row) as f64 / 2.0)
    };
    let y = |row: usize| MARGIN + rise * row as f64 + 2.0;
    let corners = [
        (0.0, -1.0),
        (0.866, -0.5),
        (0.866, 0.5),
        (0.0, 1.0),
        (-0.866, 0.5),
        (-0.866, -0.5),
    ];
    let corners = corners.map(|(x, y)| (x * radius, y * radius));
    let mut elements = String::new();
    // Each seat's two sides.
    for along in 0..size {
        let sides = [
            ("red", last, along, [corners[4], corners[3], corners[2]]),
            ("red", 0, along, [corners[5], corners[0], corners[1]]),
            ("blue", along, 0, [corners[5], corners[4], corners[3]]),
            ("blue", along, last, [corners[0], corners[1], corners[2]]),
        ];
        for (color, row, column, corners) in sides {
            let points = svg_points(&corners, x(row, column), y(row));
            let _ = write!(
                elements,
                "<polyline class=\"side {color}\" points=\"{points}\"/>"
            );
        }
    }
    for column in 0..size {
        label(
            &mut elements,
            x(last, column) - 4.5,
            y(last) + 8.0,
            &letter(column),
        );
    }
    let shape = format!("<polygon points=\"{}\"/>", svg_points(&corners, 0.0, 0.0));
    for row in 0..size {
        label(
            &mut elements,
            x(row, 0) - 9.0,
            y(row),
            &(size - row).to_string(),
        );
        for column in 0..size {
            cell(&mut elements, x(row, column), y(row), &shape);
        }
    }
    BoardPicture {
        width: x(0, last) + 8.0,
        height: y(last) + 12.0,
        elements,
    }
}

/// Points around `x` and `y` in the notation of SVG.
fn svg_points(offsets: &[(f64, f64)], x: f64, y: f64) -> String {
    let points = offsets
        .iter()
        .map(|(dx, dy)| format!("{:.2},{:.2}", x + dx, y + dy));
    points.collect::<Vec<_>>().join(" ")
}

fn label(elements: &mut String, x: f64, y: f64, text: &str) {
    let _ = write!(
        elements,
        "<text class=\"label\" x=\"{x:.2}\" y=\"{y:.2}\">{text}</text>"
    );
}

fn cell(elements: &mut String, x: f64, y: f64, shape: &str) {
    let _ = write!(
        elements,
        "<g class=\"cell\" transform=\"translate({x:.2} {y:.2})\">{shape}<circle r=\"4\"/><text class=\"glyph\" y=\"-0.6\"></text><text class=\"letter\" y=\"2.7\"></text></g>"
    );
}
