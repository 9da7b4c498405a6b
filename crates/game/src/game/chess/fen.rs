//! Positions as text: FEN, with the castling rights of X-FEN and of Shredder-FEN.

use cozy_chess::{Board, Color, FenParseError, File, Rank, Square};

use super::ends::{castling, en_passant};

const ROWS: &str = "the pieces are not eight rows of eight squares";
const CASTLING: &str = "the castling rights do not fit the king and the rooks";

/// Reads a position. Fields are separated by blanks or by `_`; without the two counters they are 0 and 1, and move 0 is the first. An en passant
/// square where no pawn can legally be captured is not kept, so that equal positions are equal.
pub(super) fn read(text: &str) -> Result<Board, String> {
    let board = read_as_written(text)?;
    match board.en_passant().is_some() && en_passant(&board).is_none() {
        true => read_as_written(&write(&board)),
        false => Ok(board),
    }
}

fn read_as_written(text: &str) -> Result<Board, String> {
    let fields = text.split([' ', '_']).filter(|field| !field.is_empty());
    let fields: Vec<&str> = fields.collect();
    let ([pieces, side, rights, en_passant], counters) = match fields[..] {
        [a, b, c, d] => ([a, b, c, d], ["0", "1"]),
        [a, b, c, d, quiet, number] => ([a, b, c, d], [quiet, number]),
        _ => return Err(format!("it has {} fields, not 4 or 6", fields.len())),
    };
    let rows: Vec<&str> = pieces.split('/').collect();
    let &[black, _, _, _, _, _, _, white] = rows.as_slice() else {
        return Err(ROWS.to_owned());
    };
    let rights = rooks(rights, [white, black])?;
    let [quiet, number] = counters;
    // Some tools count moves from 0.
    let number = if number == "0" { "1" } else { number };
    let text = format!("{pieces} {side} {rights} {en_passant} {quiet} {number}");
    let problem = match Board::from_fen(&text, true) {
        Ok(board) => return Ok(board),
        Err(FenParseError::InvalidBoard) => {
            "the position is impossible: a side has one king and at most 16 pieces and 8 pawns, no pawn stands on the \
             first or last row, and the side that has moved is not in check"
        }
        Err(FenParseError::InvalidSideToMove) => "the side to move is neither w nor b",
        Err(FenParseError::InvalidCastlingRights) => CASTLING,
        Err(FenParseError::InvalidEnPassant) => {
            "the en passant square is not behind a pawn that has just moved two squares"
        }
        Err(FenParseError::InvalidHalfMoveClock | FenParseError::InvalidFullmoveNumber) => {
            "the counters are not a number up to 100 and a number from 1 to 65535"
        }
        Err(FenParseError::MissingField | FenParseError::TooManyFields) => "it has not 6 fields",
    };
    Err(problem.to_owned())
}

/// Castling rights with the files of the rooks in place of `K` and `Q`, which mean the outermost rook on that side of
/// the king. `rows` are the first rows of White and of Black.
fn rooks(rights: &str, rows: [&str; 2]) -> Result<String, String> {
    if rights == "-" {
        return Ok(rights.to_owned());
    }
    let file = |letter: char| {
        let is_white = letter.is_ascii_uppercase();
        let row = squares(rows[usize::from(!is_white)]).ok_or(ROWS)?;
        let [king, rook] = if is_white { ['K', 'R'] } else { ['k', 'r'] };
        let king = row.iter().position(|square| *square == king);
        let is_rook = |at: &usize| row[*at] == rook;
        let at = match (letter.to_ascii_lowercase(), king) {
            ('k', Some(king)) => (king + 1..8).rev().find(is_rook),
            ('q', Some(king)) => (0..king).find(is_rook),
            (other @ 'a'..='h', _) => Some(other as usize - 'a' as usize),
            _ => None,
        };
        let file = char::from(File::index(at.ok_or(CASTLING)?));
        Ok(match is_white {
            true => file.to_ascii_uppercase(),
            false => file,
        })
    };
    rights.chars().map(file).collect()
}

fn squares(row: &str) -> Option<[char; 8]> {
    let squares = row.chars().flat_map(|letter| match letter.to_digit(10) {
        Some(empty) => vec!['.'; empty as usize],
        None => vec![letter],
    });
    squares.collect::<Vec<char>>().try_into().ok()
}

/// The position in one spelling: castling rights as in X-FEN, and an en passant square only where a pawn can legally
/// be captured on it.
pub(super) fn write(board: &Board) -> String {
    let text = board.to_string();
    let mut fields = text.split(' ');
    let pieces = fields.next().unwrap_or_default();
    let en_passant = en_passant(board).map_or("-".to_owned(), |square| square.to_string());
    format!(
        "{pieces} {} {} {en_passant} {} {}",
        board.side_to_move(),
        rights(board),
        board.halfmove_clock(),
        board.fullmove_number()
    )
}

/// The position as one word, as options are in the protocol and in records.
pub(super) fn one_word(board: &Board) -> String {
    write(board).replace(' ', "_")
}

fn rights(board: &Board) -> String {
    let mut text = String::new();
    for color in Color::ALL {
        for (side, file) in ['k', 'q'].into_iter().zip(castling(board, color)) {
            let Some(file) = file else { continue };
            let letter = match is_outermost(board, color, file) {
                true => side,
                false => char::from(file),
            };
            text.push(match color {
                Color::White => letter.to_ascii_uppercase(),
                Color::Black => letter,
            });
        }
    }
    match text.is_empty() {
        true => "-".to_owned(),
        false => text,
    }
}

/// Whether no rook of a side stands between the rook on `file` and the edge.
fn is_outermost(board: &Board, color: Color, file: File) -> bool {
    let row = Rank::First.relative_to(color);
    let rooks = board.colored_pieces(color, cozy_chess::Piece::Rook);
    let is_short = board.king(color).file() < file;
    File::ALL.iter().all(|other| {
        let is_outside = match is_short {
            true => *other > file,
            false => *other < file,
        };
        !is_outside || !rooks.has(Square::new(*other, row))
    })
}

pub(super) fn has_standard_rights(board: &Board) -> bool {
    Color::ALL
        .iter()
        .all(|color| match castling(board, *color) {
            [None, None] => true,
            [short, long] => {
                board.king(*color).file() == File::E
                    && short.is_none_or(|file| file == File::H)
                    && long.is_none_or(|file| file == File::A)
            }
        })
}
