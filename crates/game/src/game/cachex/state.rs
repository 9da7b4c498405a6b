//! A whole game of Cachex.

use super::board::{Board, MAX_TURNS};
use super::hex::{MARGIN, WORDS};
use super::history::History;
use super::notation::{Action, Cell, Public};
use super::{Options, PIECES, REPETITION, Rule, SIDES};
use crate::game::cachex::board;
use crate::game::{self, Cells, Drawing, OutcomeOfTwo, Position, Side, Slant, View};

const OCCURRENCES: u8 = 7;

/// A game of Cachex. Nothing is hidden, so it is its own [`View`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct State {
    board: Board,
    history: History,
}

impl State {
    pub fn new(options: Options) -> Self {
        Self::from_board(Board::new(options))
    }

    /// A game that goes on from a position: `turns` turns were played, and the stones stand as
    /// `board` says, a letter a cell as [`View::board`] writes them. Earlier turns are unknown, so
    /// this counts as the position's first occurrence. A chain that is already on the board wins
    /// only when its owner adds a stone to it. A board with such a chain, which no game from the
    /// start can reach, may fill up until no action is legal. `None` for another board, and for too
    /// many turns.
    pub fn from_parts(options: Options, turns: u16, board: &str) -> Option<Self> {
        let size = usize::from(options.size());
        if board.chars().count() != size * size || turns >= MAX_TURNS {
            return None;
        }
        let mut stones = [[0; WORDS]; 2];
        for (i, letter) in board.chars().enumerate() {
            let seat = match letter {
                '.' => continue,
                'r' => Side::First,
                'b' => Side::Second,
                _ => return None,
            };
            stones[seat.index()][i / size + MARGIN] |= 1 << (i % size + MARGIN);
        }
        let board = Board::set_up(options, turns, stones);
        let is_empty = |seat: Side| board.stones(seat).iter().all(|row| *row == 0);
        let fits = match turns {
            0 => board.count == 0,
            1 => {
                let centre = board.centre().and_then(|centre| board.stone(centre));
                board.count == 1 && is_empty(Side::Second) && centre.is_none()
            }
            _ => true,
        };
        fits.then(|| Self::from_board(board))
    }

    fn from_board(board: Board) -> Self {
        let history = History::new(&board);
        Self { board, history }
    }

    pub fn stones(&self) -> &Board {
        &self.board
    }

    /// Occurrences of the position on the board, this one included.
    pub fn occurrences(&self) -> u32 {
        self.history.times(self.board.turns).into()
    }
}

impl View for State {
    type Action = Action;
    type Public = Public;
    type Rule = Rule;

    const NOTATION: &'static str = "a cell as column letter and row number, like d2, or steal";

    fn ply(&self) -> u32 {
        self.board.turns.into()
    }

    fn to_act(&self) -> Option<Side> {
        self.outcome().is_none().then(|| self.board.mover())
    }

    fn legal(&self, actions: &mut Vec<Action>) {
        self.board.legal(actions);
    }

    fn check(&self, action: Action) -> Result<(), Rule> {
        self.board.check(action)
    }

    /// The captures follow from the action, so `_public` is ignored.
    fn observe(&mut self, action: Action, _public: Public) -> Result<(), Rule> {
        self.apply(action).map(drop)
    }

    fn outcome(&self) -> Option<OutcomeOfTwo> {
        self.board.outcome
    }

    fn board(&self) -> String {
        let mut cells = vec![b'.'; usize::from(self.board.size).pow(2)];
        for (seat, letter) in Side::BOTH.into_iter().zip(*b"rb") {
            self.board.places(seat).for_each(|at| cells[at] = letter);
        }
        // Three letters of ASCII.
        String::from_utf8(cells).unwrap_or_default()
    }

    fn apart(one: Action, other: Action) -> u32 {
        match (one, other) {
            (Action::Place(one), Action::Place(other)) => one.distance(other),
            (Action::Place(_), Action::Steal) => u32::MAX,
            (Action::Steal, _) => 0,
        }
    }

    fn drawing(&self) -> Drawing {
        let size = usize::from(self.board.size);
        let letters: Vec<char> = View::board(self).chars().collect();
        // Row one is the lowest.
        let rows = letters.chunks(size).rev();
        let board = game::Board {
            sides: Some(SIDES),
            ..game::Board::new(Cells::Hexagons(Slant::Left), size, rows.flatten().collect())
        };
        let place = |cell: Cell| (size - 1 - usize::from(cell.r())) * size + usize::from(cell.q());
        let winner = self.board.outcome.and_then(|outcome| outcome.winner);
        let chain = winner.map(|winner| board::shortest_chain(&self.board, Side::of(winner)));
        Drawing {
            marks: chain.into_iter().flatten().map(place).collect(),
            ..Drawing::new(board, PIECES)
        }
    }
}

impl Position for State {
    type View = Self;

    fn view(&self, _seat: Side) -> &Self {
        self
    }

    fn apply(&mut self, action: Action) -> Result<Public, Rule> {
        self.board.check(action)?;
        let (cell, captured) = self.board.play(action);
        let times = self.history.add(&self.board, cell, captured);
        let won = self
            .board
            .outcome
            .is_some_and(|outcome| outcome.winner.is_some());
        if times >= OCCURRENCES && !won {
            self.board.outcome = Some(OutcomeOfTwo::drawn(REPETITION));
        }
        Ok(Board::public(cell, captured))
    }
}
