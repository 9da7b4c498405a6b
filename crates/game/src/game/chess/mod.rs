//! Chess, and Fischer random chess (Chess960).
//!
//! Moves are made by the library `cozy-chess`. [`State`] adds what a game has besides a board: the spelling of
//! moves, and the draws that need its history. `docs/rules/chess.md` gives the rules and every choice.

mod book;
mod ends;
mod fen;
mod movetext;
mod options;
mod polyglot;
mod san;
mod state;

use cozy_chess::{
    BitBoard, Board, File, Move, Piece, Rank, Square, get_bishop_moves, get_king_moves,
    get_knight_moves, get_pawn_attacks, get_pawn_quiets, get_rook_moves,
};
use ends::castling;
pub use ends::{CHECKMATE, FIFTY_MOVES, INSUFFICIENT_MATERIAL, STALEMATE, THREEFOLD_REPETITION};
pub use movetext::{Action, Public};
use movetext::{SEATS, seat};
use options::START;
pub use options::{Options, Variant};
pub use san::MoveNotation;
pub use state::State;

use crate::game::{
    AnyPosition, BookFormat, BookReader, Chance, Definition, EngineProtocol, Game, GameOptions,
    OptionError, Origin, RulesFault, Side,
};

pub const GAME: Game = Game(&Definition {
    name: "chess",
    seats: SEATS,
    hides_something: false,
    options: Options::DOCS,
    defaults: &Options::DEFAULT,
    reasons: &[
        CHECKMATE,
        STALEMATE,
        INSUFFICIENT_MATERIAL,
        THREEFOLD_REPETITION,
        FIFTY_MOVES,
    ],
    origin: Origin::BuiltIn,
    notation: Some(EngineProtocol::Uci),
});

impl GameOptions for Options {
    fn set(&mut self, key: &str, value: &str) -> Result<(), OptionError> {
        *self = self.with(key, value)?;
        Ok(())
    }

    fn get(&self, key: &str) -> Option<String> {
        self.value(key)
    }

    fn goal(&self) -> &'static str {
        "Checkmate the king of the other side."
    }

    fn start_option(&self) -> Option<&'static str> {
        Some(START)
    }

    fn book(&self, format: BookFormat, most: usize) -> Option<Box<dyn BookReader + '_>> {
        Some(match format {
            BookFormat::Epd => Box::new(book::Positions),
            BookFormat::Pgn => Box::new(book::PgnBook::new(self, most)),
            BookFormat::Polyglot => return None,
        })
    }

    fn polyglot(&self, bytes: &[u8], plies: usize) -> Option<Result<Vec<String>, String>> {
        let start = || match self.is_drawn() {
            true => Err("has no start, and the start is drawn: expected `start`".to_owned()),
            false => Ok(State::new(self, &mut book::NoChance)),
        };
        let book = polyglot::PolyglotBook::new(bytes);
        let book = book.ok_or("is no book of Polyglot: expected entries of 16 bytes".to_owned());
        Some(book.and_then(|book| Ok(book.openings(&start()?, plies))))
    }

    fn check_opening(&self, _action: &str) -> Result<(), &'static str> {
        match self.is_drawn() {
            false => Ok(()),
            true => {
                Err("depends on the start, which is drawn: expected `start=` and a FEN before it")
            }
        }
    }

    fn settled(&self, chance: &mut dyn Chance) -> Option<Box<dyn GameOptions>> {
        let settled = self.with_drawn_start(chance)?;
        Some(Box::new(settled))
    }

    fn start(&self, chance: &mut dyn Chance) -> Result<Box<dyn AnyPosition>, RulesFault> {
        Ok(Box::new(State::new(self, chance)))
    }

    fn boxed(&self) -> Box<dyn GameOptions> {
        Box::new(self.clone())
    }
}

/// The rule that an illegal move breaks. `Display` tells the player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Rule {
    #[error("the game is over: no move follows")]
    Over,
    #[error("{0} is empty")]
    Empty(Square),
    #[error("the {} on {from} belongs to {}", name(*piece), SEATS[owner.index()])]
    NotOwn {
        from: Square,
        piece: Piece,
        owner: Side,
    },
    #[error(
        "a pawn that reaches the last row becomes another piece: add q, r, b or n, as in {from}{to}q"
    )]
    NoPromotion { from: Square, to: Square },
    #[error("only a pawn that reaches the last row becomes another piece")]
    Promotion,
    #[error("an own {} stands on {to}", name(*piece))]
    Own { to: Square, piece: Piece },
    #[error("the {} on {from} cannot move to {to}", name(*piece))]
    Unreachable {
        from: Square,
        to: Square,
        piece: Piece,
    },
    #[error("the king would be in check")]
    Check,
    #[error("castling is written {0} here")]
    Spelling(Action),
    #[error(
        "castling needs a king and a rook that have not moved, free squares between them and on their ways, and no \
         check before, during or after it"
    )]
    Castling,
}

fn name(piece: Piece) -> &'static str {
    match piece {
        Piece::Pawn => "pawn",
        Piece::Knight => "knight",
        Piece::Bishop => "bishop",
        Piece::Rook => "rook",
        Piece::Queen => "queen",
        Piece::King => "king",
    }
}

fn broken_rule(board: &Board, variant: Variant, Action(wanted): Action) -> Rule {
    let Move {
        from,
        to,
        promotion,
    } = wanted;
    let mover = board.side_to_move();
    let Some((piece, color)) = board.piece_on(from).zip(board.color_on(from)) else {
        return Rule::Empty(from);
    };
    if color != mover {
        let owner = seat(color);
        return Rule::NotOwn { from, piece, owner };
    }
    if let Some(rule) = castling_rule(board, variant, wanted) {
        return rule;
    }
    let own = board.colors(mover).has(to);
    if let Some(piece) = board.piece_on(to).filter(|_| own) {
        return Rule::Own { to, piece };
    }
    if !reach(board, from, piece).has(to) {
        return Rule::Unreachable { from, to, piece };
    }
    let is_last = piece == Piece::Pawn && to.rank() == Rank::Eighth.relative_to(mover);
    match (is_last, promotion) {
        (true, None) => Rule::NoPromotion { from, to },
        (false, Some(_)) => Rule::Promotion,
        _ => Rule::Check,
    }
}

/// The squares to which a piece can move, but for the safety of its king.
fn reach(board: &Board, from: Square, piece: Piece) -> BitBoard {
    let (mover, occupied) = (board.side_to_move(), board.occupied());
    match piece {
        Piece::Knight => get_knight_moves(from),
        Piece::Bishop => get_bishop_moves(from, occupied),
        Piece::Rook => get_rook_moves(from, occupied),
        Piece::Queen => get_bishop_moves(from, occupied) | get_rook_moves(from, occupied),
        Piece::King => get_king_moves(from),
        Piece::Pawn => {
            let row = Rank::Sixth.relative_to(mover);
            let en_passant = board.en_passant().map(|file| Square::new(file, row));
            let en_passant = en_passant.map_or(BitBoard::EMPTY, Square::bitboard);
            let captures = get_pawn_attacks(from, mover) & (board.colors(!mover) | en_passant);
            captures | get_pawn_quiets(from, mover, occupied)
        }
    }
}

/// The rule that a castling move breaks; `None` if the move is none.
fn castling_rule(board: &Board, variant: Variant, wanted: Move) -> Option<Rule> {
    let mover = board.side_to_move();
    let row = Rank::First.relative_to(mover);
    let Move { from, to, .. } = wanted;
    if from != board.king(mover) || from.rank() != row || to.rank() != row {
        return None;
    }
    let takes_rook = board.colored_pieces(mover, Piece::Rook).has(to);
    let is_short = to.file() > from.file();
    let [short, long] = castling(board, mover);
    let right = if is_short { short } else { long };
    match variant {
        Variant::Standard if takes_rook => {
            let file = if is_short { File::G } else { File::C };
            let to = Square::new(file, row);
            right?;
            return Some(Rule::Spelling(Action(Move { to, ..wanted })));
        }
        Variant::Standard => {
            let apart = (from.file() as u8).abs_diff(to.file() as u8);
            if from.file() != File::E || apart != 2 {
                return None;
            }
        }
        Variant::FischerRandom if takes_rook => {}
        Variant::FischerRandom => {
            let apart = (from.file() as u8).abs_diff(to.file() as u8);
            let rook = Square::new(right?, row);
            let is_target = matches!(to.file(), File::G | File::C);
            return (apart > 1 && is_target)
                .then_some(Rule::Spelling(Action(Move { to: rook, ..wanted })));
        }
    }
    Some(Rule::Castling)
}
