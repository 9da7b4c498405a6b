//! How a board is drawn: the cells with their places, and what stands on them by letter. The script in
//! the browser knows none of this; it only says which letter stands on which cell.

use std::fmt::Write;

use serde::Serialize;

use crate::game::Game;
use crate::game::dark_chess::{Color, Piece};

/// What a letter of a board means.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Symbol {
    letter: char,
    /// How it is drawn: a class of the style sheet.
    class: &'static str,
    /// What is written on it. A browser without Chinese letters shows the letter alone.
    glyph: &'static str,
    /// What it is called.
    name: String,
}

/// A board as a picture, in units of a tenth of a cell.
#[derive(Debug, Clone)]
pub(super) struct BoardPicture {
    pub width: f64,
    pub height: f64,
    /// Elements of SVG: a group with the class `cell` for each cell, in the order of the board's letters.
    pub elements: String,
}

/// How far the cells are from the left and the upper edge: room for the labels.
const MARGIN: f64 = 6.0;

/// The board of a game whose rows have so many cells.
pub(super) fn picture(game: Game, cells: usize, columns: usize) -> BoardPicture {
    let rows = cells / columns.max(1);
    match game {
        Game::WatchYourBack => {
            let number = |at: usize| at.to_string();
            squares(rows, columns, number, number)
        }
        Game::DarkChess => squares(rows, columns, letter, |row| (rows - row).to_string()),
        Game::Cachex => hexagons(columns),
    }
}

/// The letters that occur on the boards of a game.
pub(super) fn symbols(game: Game) -> Vec<Symbol> {
    let symbol = |letter, class, glyph, name: &str| Symbol {
        letter,
        class,
        glyph,
        name: name.to_owned(),
    };
    match game {
        Game::WatchYourBack => vec![
            symbol('-', "empty", "", "empty"),
            symbol('W', "stone first", "", "white"),
            symbol('B', "stone second", "", "black"),
            symbol('X', "corner", "×", "corner"),
            symbol('#', "removed", "", "removed"),
        ],
        Game::Cachex => vec![
            symbol('.', "empty", "", "empty"),
            symbol('r', "stone red", "", "red"),
            symbol('b', "stone blue", "", "blue"),
        ],
        Game::DarkChess => {
            let fixed = [
                symbol('.', "empty", "", "empty"),
                symbol('?', "stone hidden", "", "face-down"),
            ];
            let pieces = GLYPHS.iter().flat_map(|(letter, red, black)| {
                [(letter.to_ascii_uppercase(), red), (*letter, black)]
            });
            let pieces = pieces.filter_map(|(letter, glyph)| {
                let piece = Piece::from_letter(letter)?;
                let (class, color) = match piece.color {
                    Color::Red => ("stone piece red", "red"),
                    Color::Black => ("stone piece black", "black"),
                };
                Some(symbol(
                    letter,
                    class,
                    glyph,
                    &format!("{color} {}", piece.kind),
                ))
            });
            fixed.into_iter().chain(pieces).collect()
        }
    }
}

/// What is written on the pieces of dark chess: in red, and in black.
const GLYPHS: [(char, &str, &str); 7] = [
    ('k', "帥", "將"),
    ('g', "仕", "士"),
    ('m', "相", "象"),
    ('r', "俥", "車"),
    ('n', "傌", "馬"),
    ('c', "炮", "包"),
    ('p', "兵", "卒"),
];

/// The columns of Cachex and of dark chess.
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
    let points = |corners: &[(f64, f64)], x: f64, y: f64| {
        let points = corners
            .iter()
            .map(|(dx, dy)| format!("{:.2},{:.2}", x + dx, y + dy));
        points.collect::<Vec<_>>().join(" ")
    };
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
            let points = points(&corners, x(row, column), y(row));
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
    let shape = format!("<polygon points=\"{}\"/>", points(&corners, 0.0, 0.0));
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
