//! Drawing of boards: geometry of the cells, and symbols by letter. The script in the browser knows no
//! game; it only puts letters on cells.

use std::fmt::Write;

use serde::Serialize;

use crate::game::{Cells, Look};

/// A [`Symbol`](crate::game::Symbol) for the script in the browser.
#[derive(Debug, Clone, Serialize)]
pub struct SymbolData {
    letter: char,
    class: &'static str,
    glyph: &'static str,
    name: &'static str,
}

/// A board as a picture, in units of a tenth of a cell.
#[derive(Debug, Clone)]
pub struct BoardPicture {
    pub width: f64,
    pub height: f64,
    /// Elements of SVG: a group with the class `cell` for each cell, in the order of the board's letters.
    pub elements: String,
}

/// Distance of the cells from the left and the upper edge, for the labels.
const MARGIN: f64 = 6.0;

/// The empty board of a game, with `cells` cells in rows of `columns`.
pub fn picture(look: &Look, cells: usize, columns: usize) -> BoardPicture {
    let rows = cells / columns.max(1);
    match look.cells {
        Cells::NumberedSquares => {
            let number = |at: usize| at.to_string();
            squares(rows, columns, number, number)
        }
        Cells::LetteredSquares => squares(rows, columns, letter, |row| (rows - row).to_string()),
        Cells::Hexagons => hexagons(columns),
    }
}

/// The letters that occur on the boards of a game.
pub fn symbols(look: &Look) -> Vec<SymbolData> {
    let symbols = look.symbols.iter();
    let symbols = symbols.map(|symbol| SymbolData {
        letter: symbol.letter,
        class: symbol.class,
        glyph: symbol.glyph,
        name: symbol.name,
    });
    symbols.collect()
}

/// The letter of a column.
fn letter(column: usize) -> String {
    ('a'..='z').nth(column).into_iter().collect()
}

/// A board of squares, the first row on top.
fn squares(
    rows: usize,
    columns: usize,
    column_label: impl Fn(usize) -> String,
    row_label: impl Fn(usize) -> String,
) -> BoardPicture {
    let mut elements = String::new();
    let place = |at: usize| MARGIN + 10.0 * at as f64;
    for column in 0..columns {
        label(
            &mut elements,
            place(column) + 5.0,
            3.0,
            &column_label(column),
        );
    }
    for row in 0..rows {
        label(&mut elements, 3.0, place(row) + 5.0, &row_label(row));
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

/// The rhombus of Cachex: the first row at the bottom, each higher one half a cell to the right.
fn hexagons(size: usize) -> BoardPicture {
    let (step, rise) = (10.0, 10.0 * 3_f64.sqrt() / 2.0);
    let radius = rise * 2.0 / 3.0;
    let x = |row: usize, column: usize| MARGIN + 6.0 + step * (column as f64 + row as f64 / 2.0);
    let y = |row: usize| MARGIN + rise * (size - 1 - row) as f64 + 2.0;
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
    let last = size - 1;
    for along in 0..size {
        let sides = [
            ("red", 0, along, [corners[4], corners[3], corners[2]]),
            ("red", last, along, [corners[5], corners[0], corners[1]]),
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
            x(0, column) - 4.5,
            y(0) + 8.0,
            &letter(column),
        );
    }
    let shape = format!("<polygon points=\"{}\"/>", svg_points(&corners, 0.0, 0.0));
    for row in 0..size {
        label(
            &mut elements,
            x(row, 0) - 9.0,
            y(row),
            &(row + 1).to_string(),
        );
        for column in 0..size {
            cell(&mut elements, x(row, column), y(row), &shape);
        }
    }
    BoardPicture {
        width: x(last, last) + 8.0,
        height: y(0) + 12.0,
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
