//! Standard algebraic notation, as PGN has it.

use cozy_chess::{
    BitBoard, Board, File, Move, Piece, Rank, Square, get_bishop_moves, get_king_moves,
    get_knight_moves, get_rook_moves,
};

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

/// A legal move in standard algebraic notation, followed by `mark`: `+`, `#` or nothing. The library's own writer plays
/// the move once more to find the mark.
pub(super) fn write(board: &Board, played: Move, mark: &str) -> String {
    let Move {
        from,
        to,
        promotion,
    } = played;
    let mover = board.side_to_move();
    let piece = board.piece_on(from).unwrap_or(Piece::Pawn);
    let mut san = String::with_capacity(8);
    if board.colors(mover).has(to) {
        san.push_str(if to.file() > from.file() {
            "O-O"
        } else {
            "O-O-O"
        });
        san.push_str(mark);
        return san;
    }
    let is_pawn = piece == Piece::Pawn;
    let captures = match is_pawn {
        true => from.file() != to.file(),
        false => board.occupied().has(to),
    };
    if is_pawn {
        san.extend(captures.then(|| char::from(from.file())));
    } else {
        san.push(char::from(piece).to_ascii_uppercase());
        let (file, rank) = told_apart(board, piece, from, to);
        san.extend(file.then(|| char::from(from.file())));
        san.extend(rank.then(|| char::from(from.rank())));
    }
    san.extend(captures.then_some('x'));
    san.extend([char::from(to.file()), char::from(to.rank())]);
    if let Some(promoted) = promotion {
        san.extend(['=', char::from(promoted).to_ascii_uppercase()]);
    }
    san.push_str(mark);
    san
}

/// Whether a move says the file of its piece, and the rank: other pieces of its kind may go to that square too.
fn told_apart(board: &Board, piece: Piece, from: Square, to: Square) -> (bool, bool) {
    let occupied = board.occupied();
    let reach = match piece {
        Piece::Pawn => BitBoard::EMPTY,
        Piece::Knight => get_knight_moves(to),
        Piece::Bishop => get_bishop_moves(to, occupied),
        Piece::Rook => get_rook_moves(to, occupied),
        Piece::Queen => get_bishop_moves(to, occupied) | get_rook_moves(to, occupied),
        Piece::King => get_king_moves(to),
    };
    let kind = board.colored_pieces(board.side_to_move(), piece);
    let others = (kind & reach & !from.bitboard()).into_iter();
    let others = others.filter(|other| {
        board.is_legal(Move {
            from: *other,
            to,
            promotion: None,
        })
    });
    let others: BitBoard = others.collect();
    let on_file = !(others & from.file().bitboard()).is_empty();
    let on_rank = !(others & from.rank().bitboard()).is_empty();
    (
        !others.is_empty() && (!on_file || on_rank),
        !others.is_empty() && on_file,
    )
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

#[cfg(test)]
mod tests {
    use cozy_chess::util::display_san_move;

    use super::*;

    /// Compares the notation of all moves up to a depth with the library's.
    fn compare(board: &Board, depth: usize) {
        let mut legal = Vec::new();
        board.generate_moves(|moves| {
            legal.extend(moves);
            false
        });
        for played in legal {
            let known = display_san_move(board, played).to_string();
            let mark = &known[known.trim_end_matches(['+', '#']).len()..];
            assert_eq!(write(board, played, mark), known, "{board}: {played}");
            if depth > 1 {
                let mut next = board.clone();
                next.play_unchecked(played);
                compare(&next, depth - 1);
            }
        }
    }

    #[test]
    fn moves_are_written_as_the_library_writes_them() {
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
            // Queens and knights to tell apart, one of them pinned.
            "4r3/7k/2Q5/3N1N2/Q7/2Q1N3/8/4K3 w - - 0 1",
            "4r2k/8/8/8/1n3n2/8/1n2Nn2/4K3 b - - 0 1",
        ] {
            compare(&fen.parse().expect("a position"), 3);
        }
    }
}
