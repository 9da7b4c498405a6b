//! The public state of a game, with all rules.

use super::board::{Board, Cell, Moves};
use super::options::{Repetition, Rules};
use super::pieces::{Color, DRAWN_PIECES, Kind};
use super::quiet::QuietPlies;
use super::{
    Action, ELIMINATION, MAX_PLIES, NO_LEGAL, Options, Piece, Public, QUIET_PLIES, REPETITION,
    Rule, SCORE_60, Square,
};
use crate::game::{
    self, Cells, Chance, Drawing, Limit, OutcomeOfTwo, Position, Side, View as _, shuffle,
};

pub const WINNING_SCORE: u32 = 60;

/// The public state of a game, equal for both seats.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct View {
    pub(super) board: Board,
    pub rules: Rules,
    pub repetition: Repetition,
    /// Number of quiet plies in a row that makes the game a draw.
    pub quiet_limit: Limit,
    pub(super) ply_limit: Limit,
    /// The seat whose turn it is; once the game is over, whose turn it would be.
    pub turn: Side,
    /// The colour of the first seat, once the first flip has settled it.
    pub(super) first_color: Option<Color>,
    /// Points of each seat: the worth of its opponent's captured pieces. Kept under every reading, also where points do
    /// not count.
    pub captured: [u32; 2],
    pub(super) quiet: QuietPlies,
    pub(super) ply: u32,
    pub(super) outcome: Option<OutcomeOfTwo>,
}

impl View {
    pub fn new(options: &Options) -> Self {
        let mut board = Board::EMPTY;
        for (square, piece) in Square::all().zip(Piece::full_set()) {
            board.put_down(square, piece);
        }
        Self {
            board,
            rules: options.rules(),
            repetition: options.repetition(),
            quiet_limit: options.quiet_plies,
            ply_limit: options.max_plies,
            turn: Side::First,
            first_color: None,
            captured: [0, 0],
            quiet: QuietPlies::NONE,
            ply: 0,
            outcome: None,
        }
    }

    /// The face-up pieces, the face-down squares, and the numbers of unseen pieces.
    pub fn seen(&self) -> &Board {
        &self.board
    }

    /// The colour that a seat plays; `None` before the first flip.
    pub fn color(&self, seat: Side) -> Option<Color> {
        match seat {
            Side::First => self.first_color,
            Side::Second => self.first_color.map(Color::other),
        }
    }

    pub fn quiet_plies(&self) -> u32 {
        self.quiet.count()
    }

    /// All legal actions, not yet as a list; none once the game is over.
    pub fn moves(&self) -> Moves {
        if self.outcome.is_some() {
            return Moves::NONE;
        }
        self.board.moves(self.color(self.turn), self.rules)
    }

    /// The square whose face-down piece a legal action shows.
    pub fn shows(&self, action: Action) -> Option<Square> {
        let (Action::Flip(square) | Action::Move(_, square)) = action;
        (self.board.at(square) == Cell::Down).then_some(square)
    }

    pub fn follow(&mut self, action: Action, shown: Option<Piece>) {
        match (action, shown) {
            (Action::Flip(square), Some(piece)) => {
                self.board.take_down(square, piece);
                self.board.put(square, piece);
                self.first_color.get_or_insert(match self.turn {
                    Side::First => piece.color,
                    Side::Second => piece.color.other(),
                });
                self.quiet = QuietPlies::NONE;
            }
            (Action::Flip(_), None) => {}
            (Action::Move(from, to), _) => {
                match (self.board.at(to), shown) {
                    (Cell::Up(piece), _) => {
                        self.board.take(to, piece);
                        self.capture(piece);
                    }
                    (Cell::Down, Some(piece)) => {
                        self.board.take_down(to, piece);
                        self.capture(piece);
                    }
                    (Cell::Down, None) | (Cell::Empty, _) => self.quiet.add(from, to),
                }
                if let Cell::Up(piece) = self.board.at(from) {
                    self.board.take(from, piece);
                    self.board.put(to, piece);
                }
            }
        }
        self.ply += 1;
        self.turn = self.turn.other();
        self.outcome = self.decide();
    }

    /// This position with the other seat to act. A search that skips most flips uses it in place of a
    /// flip that reveals nothing important.
    pub fn passed(&self) -> Self {
        Self {
            turn: self.turn.other(),
            ply: self.ply + 1,
            quiet: QuietPlies::NONE,
            ..*self
        }
    }

    /// Adds the points of a captured piece to the opponent of its colour. A Cannon may capture a
    /// face-down piece of its own side, so the capturer does not matter.
    fn capture(&mut self, piece: Piece) {
        let loser = if self.first_color == Some(piece.color) {
            Side::First
        } else {
            Side::Second
        };
        self.captured[loser.other().index()] += piece.kind.points();
        self.quiet = QuietPlies::NONE;
    }

    /// The rules of the game come before our own conventions.
    pub(super) fn decide(&self) -> Option<OutcomeOfTwo> {
        for seat in Side::BOTH {
            let gone = |color| self.board.is_gone(color);
            if self.rules.ntu && self.color(seat.other()).is_some_and(gone) {
                return Some(OutcomeOfTwo::won(seat, ELIMINATION));
            }
            if !self.rules.ntu && self.captured[seat.index()] >= WINNING_SCORE {
                return Some(OutcomeOfTwo::won(seat, SCORE_60));
            }
        }
        if !self.board.can_act(self.color(self.turn), self.rules) {
            return Some(OutcomeOfTwo::won(self.turn.other(), NO_LEGAL));
        }
        let repeated = match self.repetition {
            Repetition::Allowed => false,
            Repetition::OfPosition { times } => self.quiet.repeated(&self.board, times),
            Repetition::OfMoves => self.quiet.third_round(),
        };
        if repeated {
            return Some(OutcomeOfTwo::drawn(REPETITION));
        }
        if self.quiet_limit.reached(self.quiet.count()) {
            return Some(OutcomeOfTwo::drawn(QUIET_PLIES));
        }
        if self.ply_limit.reached(self.ply) {
            return Some(OutcomeOfTwo::drawn(MAX_PLIES));
        }
        None
    }

    fn check_move(&self, from: Square, to: Square) -> Result<(), Rule> {
        let piece = match self.board.at(from) {
            Cell::Empty => return Err(Rule::NothingToMove(from)),
            Cell::Down => return Err(Rule::MovesFaceDown(from)),
            Cell::Up(piece) => piece,
        };
        if let Some(yours) = self.color(self.turn).filter(|&color| color != piece.color) {
            return Err(Rule::NotYours { from, piece, yours });
        }
        if from == to {
            return Err(Rule::Nowhere(from));
        }
        if piece.kind == Kind::Cannon {
            return self.check_cannon(from, to, piece.color);
        }
        if from.distance(to) != 1 {
            let kind = piece.kind;
            return Err(Rule::NotBeside { from, to, kind });
        }
        match self.board.at(to) {
            Cell::Empty => Ok(()),
            Cell::Down if self.rules.ntu => Err(Rule::FaceDownIsSafe(to)),
            Cell::Down => Err(Rule::TakesFaceDown {
                to,
                kind: piece.kind,
            }),
            Cell::Up(prey) if prey.color == piece.color => Err(Rule::OwnPiece(to, prey)),
            Cell::Up(prey) if self.rules.takes(piece.kind, prey.kind) => Ok(()),
            Cell::Up(prey) => Err(Rule::Outranked {
                taker: piece.kind,
                to,
                prey: prey.kind,
            }),
        }
    }

    fn check_cannon(&self, from: Square, to: Square, color: Color) -> Result<(), Rule> {
        match self.board.at(to) {
            Cell::Empty if self.rules.ntu && from.distance(to) == 1 => return Ok(()),
            Cell::Empty if self.rules.ntu => return Err(Rule::CannonFar { from, to }),
            Cell::Empty => return Err(Rule::CannonStep { from, to }),
            Cell::Down if self.rules.ntu => return Err(Rule::FaceDownIsSafe(to)),
            Cell::Up(prey) if prey.color == color => return Err(Rule::OwnPiece(to, prey)),
            Cell::Up(_) | Cell::Down => {}
        }
        match self.board.jump_targets(from) & to.bit() {
            0 => Err(Rule::CannonLine { from, to }),
            _ => Ok(()),
        }
    }

    pub(super) fn drawn(&self, letters: String) -> Drawing {
        let board = game::Board::new(Cells::Squares, 4, letters);
        let colours = match self.first_color {
            None => "no seat has a colour yet",
            Some(Color::Red) => "first is red, upper case; second is black, lower case",
            Some(Color::Black) => "first is black, lower case; second is red, upper case",
        };
        Drawing {
            text: vec![colours.to_owned()],
            ..Drawing::new(board, DRAWN_PIECES)
        }
    }
}

impl crate::game::View for View {
    type Action = Action;
    type Public = Public;
    type Rule = Rule;

    const NOTATION: &'static str =
        "a square to turn up (`b3`), or two squares to move or capture (`b3-b4`)";

    fn ply(&self) -> u32 {
        self.ply
    }

    fn to_act(&self) -> Option<Side> {
        match self.outcome {
            None => Some(self.turn),
            Some(_) => None,
        }
    }

    fn legal(&self, actions: &mut Vec<Action>) {
        actions.clear();
        self.moves().for_each(|action| actions.push(action));
    }

    fn check(&self, action: Action) -> Result<(), Rule> {
        if self.outcome.is_some() {
            return Err(Rule::GameOver);
        }
        match action {
            Action::Flip(square) => match self.board.at(square) {
                Cell::Down => Ok(()),
                Cell::Empty => Err(Rule::NothingToFlip(square)),
                Cell::Up(piece) => Err(Rule::AlreadyUp(square, piece)),
            },
            Action::Move(from, to) => self.check_move(from, to),
        }
    }

    fn observe(&mut self, action: Action, public: Public) -> Result<(), Rule> {
        self.check(action)?;
        let can_be = match (self.shows(action), public.0) {
            (Some(_), Some(piece)) => self.board.unseen(piece) > 0,
            (shows, shown) => shows.is_none() && shown.is_none(),
        };
        if !can_be {
            return Err(Rule::NotShown);
        }
        self.follow(action, public.0);
        Ok(())
    }

    fn outcome(&self) -> Option<OutcomeOfTwo> {
        self.outcome
    }

    fn rules_points(&self) -> Option<[u32; 2]> {
        (!self.rules.ntu).then_some(self.captured)
    }

    fn board(&self) -> String {
        Square::all()
            .map(|square| self.board.at(square).letter())
            .collect()
    }

    fn apart(one: Action, other: Action) -> u32 {
        let ends = |action| match action {
            Action::Flip(square) => (square, square),
            Action::Move(from, to) => (from, to),
        };
        let ((from, to), (other_from, other_to)) = (ends(one), ends(other));
        from.distance(other_from) * 16 + to.distance(other_to)
    }

    fn drawing(&self) -> Drawing {
        self.drawn(game::View::board(self))
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct State {
    pub(super) view: View,
    pub(super) hidden: [Option<Piece>; 32],
}

impl State {
    /// The start of a game, from the layout of the options or from one drawn from `chance`.
    pub fn new(options: &Options, chance: &mut dyn Chance) -> Self {
        let mut hidden = [None; 32];
        match options.layout {
            Some(layout) => hidden = layout.map(Some),
            None => {
                for (slot, piece) in hidden.iter_mut().zip(Piece::full_set()) {
                    *slot = Some(piece);
                }
                shuffle(&mut hidden, chance);
            }
        }
        Self {
            view: View::new(options),
            hidden,
        }
    }
}

impl Position for State {
    type View = View;

    fn view(&self, _seat: Side) -> &View {
        &self.view
    }

    fn apply(&mut self, action: Action) -> Result<Public, Rule> {
        self.view.check(action)?;
        let (Action::Flip(square) | Action::Move(_, square)) = action;
        let shown = self.hidden[square.index()].take();
        self.view.follow(action, shown);
        Ok(Public(shown))
    }

    fn revealed(&self) -> Drawing {
        let letter = |square: Square| match self.hidden[square.index()] {
            Some(piece) => piece.letter(),
            None => self.view.seen().at(square).letter(),
        };
        self.view.drawn(Square::all().map(letter).collect())
    }
}
