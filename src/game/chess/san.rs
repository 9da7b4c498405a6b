//! Standard algebraic notation, as PGN has it.

use cozy_chess::{BitBoard, Board, File, Move, Piece, Rank, Square, util};

use super::ends::castling;

/// The legal move that a token means. More than the least is read: the file and rank of the piece even where they say
/// nothing new, `0-0`, `e8Q`, and marks such as `+` and `!?`.
pub(super) fn read(board: &Board, token: &str) -> Option<Move> {
    let token = token.trim_end_matches(['+', '#', '!', '?']);
    let wanted = match token {
        "O-O" | "0-0" => return castled(board, 0),
        "O-O-O" | "0-0-0" => return castled(board, 1),
        _ => Wanted::parse(token)?,
    };
    let pieces = board.colored_pieces(board.side_to_move(), wanted.piece) & wanted.from;
    let mut found = Vec::new();
    board.generate_moves_for(pieces, |mut moves| {
        // Castling is the king's move to its own rook, and is not written so.
        moves.to &= wanted.to.bitboard() & !board.colors(board.side_to_move());
        found.extend(
            moves
                .into_iter()
                .filter(|it| it.promotion == wanted.promotion),
        );
        false
    });
    match found[..] {
        [only] => Some(only),
        _ => None,
    }
}

/// A move in standard algebraic notation, with `+` and `#`. The move is legal.
pub(super) fn write(board: &Board, played: Move) -> String {
    util::display_san_move(board, played).to_string()
}

/// Castling on the king's side (0) or on the queen's.
fn castled(board: &Board, side: usize) -> Option<Move> {
    let mover = board.side_to_move();
    let from = board.king(mover);
    let played = Move {
        from,
        to: Square::new(castling(board, mover)[side]?, from.rank()),
        promotion: None,
    };
    board.is_legal(played).then_some(played)
}

/// A move as a token has it.
struct Wanted {
    piece: Piece,
    /// The squares from which it can begin.
    from: BitBoard,
    to: Square,
    promotion: Option<Piece>,
}

impl Wanted {
    fn parse(token: &str) -> Option<Self> {
        let mut rest = token.as_bytes();
        let promotion = match rest {
            [front @ .., letter] if rest.len() > 2 && letter.is_ascii_uppercase() => {
                rest = front.strip_suffix(b"=").unwrap_or(front);
                let promoted = piece(*letter)?;
                Some(promoted).filter(|it| !matches!(it, Piece::King | Piece::Pawn))
            }
            _ => None,
        };
        let kind = match rest {
            [letter, back @ ..] if letter.is_ascii_uppercase() => {
                rest = back;
                piece(*letter)?
            }
            _ => Piece::Pawn,
        };
        let [front @ .., column, row] = rest else {
            return None;
        };
        let to = Square::new(file(*column)?, rank(*row)?);
        let mut from = BitBoard::FULL;
        for letter in front.iter().filter(|it| !matches!(it, b'x' | b'-')) {
            from &= match (file(*letter), rank(*letter)) {
                (Some(file), _) => file.bitboard(),
                (_, Some(rank)) => rank.bitboard(),
                (None, None) => return None,
            };
        }
        Some(Self {
            piece: kind,
            from,
            to,
            promotion,
        })
    }
}

fn piece(letter: u8) -> Option<Piece> {
    Piece::try_from(char::from(letter.to_ascii_lowercase())).ok()
}

fn file(letter: u8) -> Option<File> {
    File::try_index(usize::from(letter.checked_sub(b'a')?))
}

fn rank(digit: u8) -> Option<Rank> {
    Rank::try_index(usize::from(digit.checked_sub(b'1')?))
}
