//! A game of Watch Your Back!

use super::board::{Board, Square, ZONES};
use super::notation::{Action, Removed};
use super::{AFTER_PLACING, ELIMINATION, MAX_PLIES, Options, PIECES, Rule, SHRINK_128, SHRINK_192};
use crate::game::{
    self, Cells, Drawing, Labels, Limit, OutcomeOfTwo, Position, Reason, Side, View,
};

/// Information that an action makes public besides itself: the squares of the pieces it removed.
pub type Public = Removed;

/// Plies of the placing phase, both seats together.
pub const PLACING_PLIES: u32 = 24;

/// The board shrinks after these numbers of actions of the moving phase.
pub const SHRINKS_AFTER: [u32; 2] = [128, 192];

/// A game in progress. Nothing is hidden, so it is both the position and the view.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct State {
    pub(super) board: Board,
    pub(super) ply: u32,
    pub(super) max_plies: Limit,
    pub(super) outcome: Option<OutcomeOfTwo>,
}

impl State {
    pub fn new(options: Options) -> Self {
        Self {
            board: Board::default(),
            ply: 0,
            max_plies: options.max_plies,
            outcome: None,
        }
    }

    /// The pieces and the squares, without the rest of the game.
    pub fn layout(&self) -> &Board {
        &self.board
    }

    pub fn is_placing(&self) -> bool {
        self.ply < PLACING_PLIES
    }

    /// Number of plies left until the next shrink, or `None` after the last one.
    pub fn plies_to_shrink(&self) -> Option<u32> {
        let after = SHRINKS_AFTER.get(usize::from(self.board.shrinks()))?;
        (PLACING_PLIES + after).checked_sub(self.ply)
    }

    /// Whose turn it is, or would be if the game were not over.
    fn turn(&self) -> Side {
        Side::BOTH[(self.ply % 2) as usize]
    }

    /// The squares where the seat to act may place a piece.
    fn places(&self) -> u64 {
        self.board.empty() & ZONES[self.turn().index()]
    }

    /// Plays an action that is known to be legal.
    #[inline]
    pub fn play(&mut self, action: Action) -> Removed {
        let seat = self.turn();
        let mut removed = Removed::NONE;
        if let Action::Move { from, .. } = action {
            self.board.lift(from);
        }
        if let Action::Place(to) | Action::Move { to, .. } = action {
            let [enemies, own] = self.board.arrive(seat, to);
            removed.add(enemies);
            removed.add(own);
        }
        self.ply += 1;
        self.outcome = self.end(&mut removed).or_else(|| {
            let reached = self.max_plies.reached(self.ply);
            reached.then(|| OutcomeOfTwo::drawn(MAX_PLIES))
        });
        removed
    }

    /// Applies the endings of the rule text after an action, with the shrink that may follow it.
    #[inline]
    fn end(&mut self, removed: &mut Removed) -> Option<OutcomeOfTwo> {
        let moves = self.ply.checked_sub(PLACING_PLIES)?;
        let reason = if moves == 0 {
            AFTER_PLACING
        } else {
            ELIMINATION
        };
        let ended = self.too_few(reason);
        if ended.is_some() || !SHRINKS_AFTER.contains(&moves) {
            return ended;
        }
        removed.add(self.board.shrink());
        self.too_few(if moves == SHRINKS_AFTER[0] {
            SHRINK_128
        } else {
            SHRINK_192
        })
    }

    /// Ends the game if a seat has fewer than two pieces.
    #[inline]
    fn too_few(&self, reason: Reason) -> Option<OutcomeOfTwo> {
        let [first, second] = Side::BOTH.map(|seat| self.board.pieces(seat).count_ones() < 2);
        let winner = match (first, second) {
            (false, false) => return None,
            (true, true) => None,
            (true, false) => Some(Side::Second),
            (false, true) => Some(Side::First),
        };
        Some(winner.map_or(OutcomeOfTwo::drawn(reason), |winner| {
            OutcomeOfTwo::won(winner, reason)
        }))
    }

    fn check_place(&self, seat: Side, square: Square) -> Result<(), Rule> {
        if self.board.corners() & square.bit() != 0 {
            return Err(Rule::Corner { square });
        }
        if ZONES[seat.index()] & square.bit() == 0 {
            return Err(Rule::Zone { seat, square });
        }
        match self.board.at(square) {
            Some(by) => Err(Rule::Taken { square, by }),
            None => Ok(()),
        }
    }

    fn check_move(&self, seat: Side, from: Square, to: Square) -> Result<(), Rule> {
        let board = &self.board;
        let inside = board.inside();
        if let Some(square) = [from, to].into_iter().find(|s| inside & s.bit() == 0) {
            return Err(Rule::Removed { square });
        }
        match board.at(from) {
            None => return Err(Rule::NoPiece { seat, square: from }),
            Some(owner) if owner != seat => return Err(Rule::NotYours { seat, square: from }),
            Some(_) => {}
        }
        if board.corners() & to.bit() != 0 {
            return Err(Rule::Corner { square: to });
        }
        if let Some(by) = board.at(to) {
            return Err(Rule::Taken { square: to, by });
        }
        match (from.x().abs_diff(to.x()), from.y().abs_diff(to.y())) {
            (0, 1) | (1, 0) => Ok(()),
            (0, 2) | (2, 0) => {
                let over = Square::new((from.x() + to.x()) / 2, (from.y() + to.y()) / 2)
                    .filter(|over| board.at(*over).is_none());
                match over {
                    Some(over) => Err(Rule::NothingToJump { from, to, over }),
                    None => Ok(()),
                }
            }
            _ => Err(Rule::TooFar { from, to }),
        }
    }

    /// The moves of a seat, in the order of the list of legal actions.
    fn moves(&self, seat: Side) -> impl Iterator<Item = Action> {
        let board = self.board;
        Square::of(board.pieces(seat))
            .flat_map(move |from| board.targets(from).map(move |to| Action::Move { from, to }))
    }
}

impl View for State {
    type Action = Action;
    type Public = Public;
    type Rule = Rule;

    const NOTATION: &'static str =
        "a square to place on, like 3,4 (column,row), a move, like 3,4-3,5, or pass";

    fn ply(&self) -> u32 {
        self.ply
    }

    fn to_act(&self) -> Option<Side> {
        self.outcome.is_none().then(|| self.turn())
    }

    fn legal(&self, actions: &mut Vec<Action>) {
        actions.clear();
        let Some(seat) = self.to_act() else { return };
        if self.is_placing() {
            actions.extend(Square::of(self.places()).map(Action::Place));
            return;
        }
        actions.extend(self.moves(seat));
        if actions.is_empty() {
            actions.push(Action::Pass);
        }
    }

    fn check(&self, action: Action) -> Result<(), Rule> {
        let seat = self.to_act().ok_or(Rule::GameOver)?;
        match (action, self.is_placing()) {
            (Action::Place(square), true) => self.check_place(seat, square),
            (Action::Move { .. }, true) => Err(Rule::MoveInPlacing),
            (Action::Pass, true) => Err(Rule::PassInPlacing),
            (Action::Place(_), false) => Err(Rule::PlaceInMoving),
            (Action::Move { from, to }, false) => self.check_move(seat, from, to),
            (Action::Pass, false) => match self.moves(seat).next() {
                Some(possible) => Err(Rule::MustMove { possible }),
                None => Ok(()),
            },
        }
    }

    /// The removals follow from the action, so `_public` is ignored.
    fn observe(&mut self, action: Action, _public: Public) -> Result<(), Rule> {
        self.apply(action).map(drop)
    }

    fn outcome(&self) -> Option<OutcomeOfTwo> {
        self.outcome
    }

    fn rules_points(&self) -> Option<[u32; 2]> {
        Some(Side::BOTH.map(|seat| self.board.pieces(seat).count_ones()))
    }

    fn board(&self) -> String {
        Square::all()
            .map(|square| self.board.letter(square))
            .collect()
    }

    fn apart(one: Action, other: Action) -> u32 {
        let ends = |action| match action {
            Action::Place(square) => Some((None, square)),
            Action::Move { from, to } => Some((Some(from), to)),
            Action::Pass => None,
        };
        let Some(((from, to), (other_from, other_to))) = ends(one).zip(ends(other)) else {
            return 0;
        };
        let starts = from.zip(other_from);
        starts.map_or(0, |(from, other)| from.distance(other)) * 16 + to.distance(other_to)
    }

    fn drawing(&self) -> Drawing {
        let board = game::Board {
            column_labels: Labels::FromZero,
            row_labels: Labels::FromZero,
            ..game::Board::new(Cells::Squares, 8, View::board(self))
        };
        Drawing::new(board, PIECES)
    }
}

impl Position for State {
    type View = Self;

    fn view(&self, _seat: Side) -> &Self {
        self
    }

    fn apply(&mut self, action: Action) -> Result<Public, Rule> {
        self.check(action)?;
        Ok(self.play(action))
    }
}
