//! A whole game of chess.

use std::sync::Arc;

use cozy_chess::util::display_san_move;
use cozy_chess::{Board, Color, File, Move, Rank, Square};

use super::ends::{self, CHECKMATE};
use super::movetext::{Action, Public, seat};
use super::options::{Options, Variant};
use super::{MoveNotation, Rule, broken_rule, fen, san};
use crate::game::{
    self, Cells, Chance, Colour, Drawing, OutcomeOfTwo, Piece, Position, Shape, Side, View,
};

/// A game of chess. Nothing is hidden, so it is its own [`View`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct State {
    board: Board,
    variant: Variant,
    ply: u32,
    /// The last move, with the position before it.
    last: Option<(Board, Move)>,
    /// The earlier positions since the last capture or pawn's move. Copies of a game share them.
    past: Arc<Vec<Board>>,
    outcome: Option<OutcomeOfTwo>,
}

impl State {
    /// A game at its start, which `chance` draws where the options leave it open.
    pub fn new(options: &Options, chance: &mut dyn Chance) -> Self {
        Self::from_board(options.board(chance), options.variant())
    }

    fn from_board(board: Board, variant: Variant) -> Self {
        Self {
            outcome: ends::outcome(&board, &[]),
            board,
            variant,
            ply: 0,
            last: None,
            past: Arc::default(),
        }
    }

    /// The pieces, the side to move and the rights, for searching.
    pub fn pieces(&self) -> &Board {
        &self.board
    }

    /// The number of the next move, and of plies since the last capture or move of a pawn, as in FEN.
    pub fn counters(&self) -> [u32; 2] {
        let clock = self.board.halfmove_clock();
        [self.board.fullmove_number().into(), clock.into()]
    }

    /// The move as the library has it, where castling is always the king's move to its rook; `None` for a spelling of
    /// castling that belongs to the other variant.
    pub fn library_move(&self, Action(wanted): Action) -> Option<Move> {
        let mover = self.board.side_to_move();
        if self.variant == Variant::FischerRandom || wanted.from != self.board.king(mover) {
            return Some(wanted);
        }
        if self.board.colors(mover).has(wanted.to) {
            return None;
        }
        let row = Rank::First.relative_to(mover);
        let [short, long] = ends::castling(&self.board, mover);
        let rook = match wanted.to.file() {
            File::G => short,
            File::C => long,
            _ => None,
        };
        Some(match rook {
            // A king with a right to castle stands on its file e, two squares from its target.
            Some(file) if wanted.to.rank() == row => Move {
                to: Square::new(file, row),
                ..wanted
            },
            _ => wanted,
        })
    }

    /// The spelling of a legal move of the library.
    pub fn action_of(&self, played: Move) -> Action {
        self.spelled(&self.board, played)
    }

    fn spelled(&self, before: &Board, played: Move) -> Action {
        let is_castling = before.colors(before.side_to_move()).has(played.to);
        if self.variant == Variant::FischerRandom || !is_castling {
            return Action(played);
        }
        let file = match played.to.file() > played.from.file() {
            true => File::G,
            false => File::C,
        };
        let to = Square::new(file, played.to.rank());
        Action(Move { to, ..played })
    }

    pub fn fen(&self) -> String {
        fen::write(&self.board)
    }

    pub fn last_move(&self, notation: MoveNotation) -> Option<String> {
        let (before, played) = self.last.as_ref()?;
        if notation == MoveNotation::Uci {
            return Some(self.spelled(before, *played).to_string());
        }
        let san = display_san_move(before, *played).to_string();
        Some(match notation {
            MoveNotation::Lan => san::long(before, *played, &san),
            MoveNotation::San | MoveNotation::Uci => san,
        })
    }

    fn is_over(&self) -> bool {
        self.outcome.is_some()
    }

    fn legal_move(&self, action: Action) -> Result<Move, Rule> {
        if self.is_over() {
            return Err(Rule::Over);
        }
        let played = self.library_move(action);
        played
            .filter(|played| self.board.is_legal(*played))
            .ok_or_else(|| broken_rule(&self.board, self.variant, action))
    }
}

impl View for State {
    type Action = Action;
    type Public = Public;
    type Rule = Rule;

    const NOTATION: &'static str = "a move in UCI notation, like e2e4 or e7e8q";

    fn ply(&self) -> u32 {
        self.ply
    }

    fn to_act(&self) -> Option<Side> {
        (!self.is_over()).then(|| seat(self.board.side_to_move()))
    }

    fn legal(&self, actions: &mut Vec<Action>) {
        actions.clear();
        if self.is_over() {
            return;
        }
        self.board.generate_moves(|moves| {
            actions.extend(moves.into_iter().map(|played| self.action_of(played)));
            false
        });
        actions.sort_unstable_by_key(|Action(played)| {
            (played.from as u8, played.to as u8, played.promotion)
        });
    }

    fn check(&self, action: Action) -> Result<(), Rule> {
        self.legal_move(action).map(drop)
    }

    /// A promotion with a capital letter; in standard chess, castling as the king's move to its rook.
    fn respelled(&self, token: &str) -> Option<Action> {
        let (squares, letter) = token.split_at_checked(4)?;
        let action = format!("{squares}{}", letter.to_ascii_lowercase());
        let action = action.parse().ok()?;
        let meant = match self.legal_move(action) {
            Err(Rule::Spelling(meant)) if self.variant == Variant::Standard => meant,
            _ => action,
        };
        self.legal_move(meant).ok().map(|_| meant)
    }

    fn observe(&mut self, action: Action, _public: Public) -> Result<(), Rule> {
        self.apply(action).map(drop)
    }

    fn outcome(&self) -> Option<OutcomeOfTwo> {
        self.outcome
    }

    fn board(&self) -> String {
        letters(&self.board)
    }

    fn drawing(&self) -> Drawing {
        let board = game::Board::new(Cells::Squares, 8, View::board(self));
        let is_mate = self.outcome.is_some_and(|end| end.reason == CHECKMATE);
        let king = self.board.king(self.board.side_to_move());
        Drawing {
            marks: is_mate.then(|| place(king)).into_iter().collect(),
            ..Drawing::new(board, PIECES)
        }
    }

    fn chess(&self) -> Option<&Self> {
        Some(self)
    }

    fn apart(Action(one): Action, Action(other): Action) -> u32 {
        let apart = |one: Square, other: Square| {
            let files = (one.file() as u32).abs_diff(other.file() as u32);
            files.max((one.rank() as u32).abs_diff(other.rank() as u32))
        };
        // Moves of one piece stand before all others.
        8 * apart(one.from, other.from) + apart(one.to, other.to)
    }
}

impl Position for State {
    type View = Self;

    fn view(&self, _seat: Side) -> &Self {
        self
    }

    fn apply(&mut self, action: Action) -> Result<Public, Rule> {
        let played = self.legal_move(action)?;
        let before = self.board.clone();
        self.board.play_unchecked(played);
        let is_quiet = self.board.halfmove_clock() > 0;
        match Arc::get_mut(&mut self.past) {
            Some(past) if !is_quiet => past.clear(),
            None if !is_quiet => self.past = Arc::default(),
            _ => Arc::make_mut(&mut self.past).push(before.clone()),
        }
        self.last = Some((before, played));
        self.ply += 1;
        self.outcome = ends::outcome(&self.board, &self.past);
        Ok(Public)
    }
}

/// Both colours have the same glyphs: filled ones are legible on light and on dark squares.
const PIECES: &[Piece] = &[
    Piece::new('.', Shape::None, Colour::None, "", "empty"),
    white('K', "♚", "white king"),
    white('Q', "♛", "white queen"),
    white('R', "♜", "white rook"),
    white('B', "♝", "white bishop"),
    white('N', "♞", "white knight"),
    white('P', "♟", "white pawn"),
    black('k', "♚", "black king"),
    black('q', "♛", "black queen"),
    black('r', "♜", "black rook"),
    black('b', "♝", "black bishop"),
    black('n', "♞", "black knight"),
    black('p', "♟", "black pawn"),
];

const fn white(letter: char, glyph: &'static str, name: &'static str) -> Piece {
    Piece::new(letter, Shape::None, Colour::White, glyph, name)
}

const fn black(letter: char, glyph: &'static str, name: &'static str) -> Piece {
    Piece::new(letter, Shape::None, Colour::Black, glyph, name)
}

/// A letter a square from a8 to h1, as in a FEN, and `.` for an empty one.
fn letters(board: &Board) -> String {
    let ranks = Rank::ALL.iter().rev();
    let squares = ranks.flat_map(|rank| File::ALL.map(|file| Square::new(file, *rank)));
    squares.map(|square| letter(board, square)).collect()
}

fn letter(board: &Board, square: Square) -> char {
    let Some(piece) = board.piece_on(square) else {
        return '.';
    };
    let letter = char::from(piece);
    match board.color_on(square) {
        Some(Color::White) => letter.to_ascii_uppercase(),
        _ => letter,
    }
}

fn place(square: Square) -> usize {
    square.flip_rank() as usize
}
