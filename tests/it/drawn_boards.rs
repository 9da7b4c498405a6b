//! Boards of games that nobody built in, on their page in a real browser: squares, points, hexagons, text alone, hidden
//! information, and a board that becomes another one.

mod scripted;

use std::borrow::Cow;
use std::path::Path;

use referee::game::{Board, Cells, Colour, Drawing, Labels, PerSeat, Piece, Shape, Slant};
use referee::pages::game_page;
use referee::runs::Run;
use serde_json::json;

use crate::support::browser::{Browser, Page};
use crate::support::tournament::{only, tournament};
use scripted::{PLIES, Views, scripted};

const SIZE: [u32; 2] = [1100, 760];

const LETTERS: &str =
    "[...document.querySelectorAll('#board .cell')].map(cell => cell.dataset.letter).join('')";

fn open(drawing: Drawing) -> Views {
    [drawing.clone(), drawing.clone(), drawing]
}

/// Positions that begin with an empty board and put these letters on these cells, one a ply.
fn growing(board: Board, pieces: &[Piece], on: [(usize, char); PLIES]) -> [Views; PLIES + 1] {
    let position = |ply: usize| {
        let mut letters: Vec<char> = board.letters.chars().collect();
        for (cell, letter) in &on[..ply] {
            letters[*cell] = *letter;
        }
        let last = ply == PLIES;
        open(Drawing {
            board: Some(Board {
                letters: letters.into_iter().collect(),
                ..board.clone()
            }),
            pieces: Cow::Owned(pieces.to_vec()),
            marks: on.iter().filter(|_| last).map(|(cell, _)| *cell).collect(),
            ..Drawing::default()
        })
    };
    std::array::from_fn(position)
}

/// Opens the page of a game with these positions, at its start.
fn page<'a>(
    browser: &'a mut Browser,
    folder: &Path,
    name: &'static str,
    positions: [Views; PLIES + 1],
) -> Page<'a> {
    let game = scripted(name, positions);
    let out = folder.join(name);
    assert_eq!(tournament(game, &out), (vec![], vec![]));
    let run = Run::open(&out, only(game)).expect("a run");
    let recording = run.recording(0).expect("read").expect("there");
    let names = run.manifest().display_names();
    let html = game_page(&recording, &names, &PerSeat::defaults(2)).expect("a page");
    let file = folder.join(format!("{name}.html"));
    std::fs::write(&file, html).expect("written");
    browser.open(&file, "#g0p0", SIZE)
}

/// Compares the letters of every ply, forwards and back. The page is then at the end.
fn compare(page: &mut Page<'_>, positions: &[Views; PLIES + 1], view: usize) {
    for key in ["ArrowRight", "ArrowLeft"] {
        for ply in 0..=PLIES {
            let at = if key == "ArrowRight" {
                ply
            } else {
                PLIES - ply
            };
            let letters = positions[at][view].letters();
            assert_eq!(page.evaluate(LETTERS), letters, "ply {at}");
            page.press(key);
        }
    }
    page.press("End");
}

fn empty(cells: Cells, columns: usize, rows: usize) -> Board {
    Board::new(cells, columns, ".".repeat(columns * rows))
}

fn discs(letters: [(char, Colour); 2]) -> Vec<Piece> {
    let disc = |(letter, colour)| Piece::new(letter, Shape::Disc, colour, "", "disc");
    letters.map(disc).to_vec()
}

#[test]
fn boards_of_squares_points_and_hexagons_have_their_pieces_and_marks() {
    let mut browser = needed!(Browser::start());
    let folder = tempfile::tempdir().expect("a folder");
    let numbers = (1..=7).map(|number| number.to_string()).collect();
    let connect_four = Board {
        column_labels: Labels::Words(numbers),
        ..empty(Cells::Squares, 7, 6)
    };
    let hex = Board {
        sides: Some([Colour::Red, Colour::Blue, Colour::Red, Colour::Blue]),
        ..empty(Cells::Hexagons(Slant::Right), 11, 11)
    };
    let (yellow, black) = (('y', Colour::Yellow), ('x', Colour::Black));
    let (red, blue) = (('r', Colour::Red), ('b', Colour::Blue));
    let white = ('o', Colour::White);
    for (name, board, letters) in [
        ("connect-four", connect_four, [yellow, red]),
        ("go-9", empty(Cells::Points, 9, 9), [black, white]),
        ("go-19", empty(Cells::Points, 19, 19), [black, white]),
        ("hex-11", hex, [red, blue]),
    ] {
        let [one, other] = letters.map(|(letter, _)| letter);
        let cells = board.letters.len();
        let (low, middle) = (cells - board.columns, cells / 2);
        let on = [(low, one), (low + 1, other), (middle, one), (0, other)];
        let positions = growing(board, &discs(letters), on);
        let mut page = page(&mut browser, folder.path(), name, positions.clone());
        compare(&mut page, &positions, 0);
        let marked = "document.querySelectorAll('#board .marked .mark').length";
        assert_eq!(page.evaluate(marked), PLIES, "{name}");
        let changed =
            "[...document.querySelectorAll('#board .changed')].map(cell => cell.dataset.letter)";
        assert_eq!(page.evaluate(changed), json!([other.to_string()]), "{name}");
        assert_eq!(page.evaluate(OVERLAPS), json!([]), "{name}");
        let scores = "[0, 1].map(seat => document.getElementById(`points-${seat}`).textContent)";
        assert_eq!(page.evaluate(scores), json!(["4 points", "4 points"]));
    }
}

/// Labels and cells outside the picture, and labels that touch each other.
const OVERLAPS: &str = include_str!("files/overlaps.js");

#[test]
fn every_shape_and_colour_is_drawn_and_its_glyph_is_legible() {
    let mut browser = needed!(Browser::start());
    let folder = tempfile::tempdir().expect("a folder");
    let (shapes, colours) = (Shape::ALL, Colour::ALL);
    let mut letter = '\u{4e00}';
    let mut pieces = Vec::new();
    for shape in shapes {
        for colour in colours {
            pieces.push(Piece::new(letter, shape, colour, "W", "piece"));
            letter = char::from_u32(u32::from(letter) + 1).expect("a letter");
        }
    }
    let letters = pieces.iter().map(|piece| piece.letter).collect();
    let drawing = Drawing {
        board: Some(Board::new(Cells::Squares, colours.len(), letters)),
        pieces: Cow::Owned(pieces),
        ..Drawing::default()
    };
    let positions = std::array::from_fn(|_| open(drawing.clone()));
    let mut page = page(&mut browser, folder.path(), "shapes", positions.clone());
    compare(&mut page, &positions, 0);
    for dark in [false, true] {
        page.show_as(false, dark);
        assert_eq!(page.evaluate(FAINT), json!([]), "dark: {dark}");
    }
}

/// Glyphs whose contrast to what is below or around them is less than 4.5, and outlines whose contrast to their cell is less than 3.
const FAINT: &str = include_str!("files/faint.js");
