//! Cachex: what is its own.

mod records;

use std::collections::BTreeMap;

use referee::game::cachex::{Action, Cell, Options, State};
use referee::game::{Chance, Game, OutcomeOfTwo, Position, Setup, Side, View, cachex};
use referee::random::Stream;

use super::{Rules, legal, options, random_action};

impl Rules for State {
    const GAME: Game = cachex::GAME;
    const SETTINGS: &'static [&'static [(&'static str, &'static str)]] = &[
        &[("size", "3")],
        &[("size", "4")],
        &[("size", "5")],
        &[("size", "8")],
        &[("size", "9")],
        &[("size", "26")],
    ];
    const GAMES: u64 = 4;
    const ONE_IN: u32 = 25;
    const POSITIONS: usize = 100;
    const NEARLY: &'static str = "[a-e]?[-0-9a-f+ ]{0,6}|ste?al ?|.{0,8}";
    const PAGE: &'static str = include_str!("../../../docs/rules/cachex.md");
    const CASES: &'static str = include_str!("../../rules/cachex.cases");
    const PERFT: (&'static str, usize) = (include_str!("../../perft/cachex.perft"), 76);

    fn start(setup: &Setup, _chance: &mut dyn Chance) -> Self {
        State::new(options(setup))
    }

    fn set_up(setup: &Setup, board: &str, more: &BTreeMap<&str, &str>) -> Result<Self, String> {
        let turns = more
            .get("turns")
            .map_or(2, |turns| turns.parse().expect("a number"));
        State::from_parts(options(setup), turns, &board.replace('/', ""))
            .ok_or_else(|| "refused".to_owned())
    }

    fn every_action() -> Vec<Action> {
        let cells = (0..26).flat_map(|r| (0..26).filter_map(move |q| Cell::new(r, q)));
        cells.map(Action::Place).chain([Action::Steal]).collect()
    }

    fn fact(&self, name: &str) -> String {
        match name {
            "stones" => self.stones().count.to_string(),
            "occurrences" => self.occurrences().to_string(),
            _ => unreachable!("an unknown fact {name}"),
        }
    }

    fn inspect(&self, _start: &Self, played: &[Action]) {
        let board = self.board();
        let stones = board.chars().filter(|letter| *letter != '.').count();
        assert_eq!(usize::from(self.stones().count), stones);
        assert_eq!(usize::from(self.stones().turns), played.len());
    }
}

fn start(size: u8) -> State {
    State::new(Options::with_size(size).expect("a size"))
}

/// The same rules once more, written to be read rather than to be fast: cells in a plain list, and
/// every position since the start kept whole.
struct Plain {
    size: i32,
    cells: Vec<Option<Side>>,
    past: Vec<Vec<Option<Side>>>,
}

impl Plain {
    fn new(size: u8) -> Self {
        let cells = vec![None; usize::from(size) * usize::from(size)];
        Self {
            size: size.into(),
            past: vec![cells.clone()],
            cells,
        }
    }

    fn index(&self, (r, q): (i32, i32)) -> Option<usize> {
        let on = |x| (0..self.size).contains(&x);
        (on(r) && on(q)).then_some((r * self.size + q) as usize)
    }

    fn is(&self, cell: (i32, i32), seat: Side) -> bool {
        self.index(cell)
            .is_some_and(|i| self.cells[i] == Some(seat))
    }

    const AROUND: [(i32, i32); 6] = [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)];

    fn turn(&mut self, action: Action) -> Option<OutcomeOfTwo> {
        let mover = Side::BOTH[(self.past.len() - 1) % 2];
        match action {
            Action::Steal => {
                let stone = self.cells.iter().position(Option::is_some);
                let (from, size) = (stone.expect("a stone"), self.size as usize);
                self.cells[from] = None;
                self.cells[from % size * size + from / size] = Some(mover);
            }
            Action::Place(cell) => {
                let new = (i32::from(cell.r()), i32::from(cell.q()));
                let at = self.index(new).expect("on the board");
                self.cells[at] = Some(mover);
                for cell in self.lost(new, mover) {
                    let at = self.index(cell).expect("on the board");
                    self.cells[at] = None;
                }
            }
        }
        self.past.push(self.cells.clone());
        let end = |winner, reason| Some(OutcomeOfTwo { winner, reason });
        if self.connects(mover) {
            end(Some(mover.into()), cachex::CONNECTION)
        } else if self.occurrences() == 7 {
            end(None, cachex::REPETITION)
        } else if self.past.len() == 344 {
            end(None, cachex::MAX_TURNS_PLAYED)
        } else {
            None
        }
    }

    /// Each diamond: a cell, two neighbours that touch, and the cell beyond them.
    fn lost(&self, new: (i32, i32), mover: Side) -> Vec<(i32, i32)> {
        let mut lost = Vec::new();
        for r in new.0 - 2..=new.0 + 2 {
            for q in new.1 - 2..=new.1 + 2 {
                for i in 0..6 {
                    let (a, b) = (Self::AROUND[i], Self::AROUND[(i + 1) % 6]);
                    let sharp = [(r, q), (r + a.0 + b.0, q + a.1 + b.1)];
                    let blunt = [(r + a.0, q + a.1), (r + b.0, q + b.1)];
                    for (ours, theirs) in [(sharp, blunt), (blunt, sharp)] {
                        if ours.contains(&new)
                            && ours.iter().all(|&cell| self.is(cell, mover))
                            && theirs.iter().all(|&cell| self.is(cell, mover.other()))
                        {
                            lost.extend(theirs);
                        }
                    }
                }
            }
        }
        lost
    }

    fn connects(&self, mover: Side) -> bool {
        let side = |cell: (i32, i32)| if mover == Side::First { cell.0 } else { cell.1 };
        let all = (0..self.size).flat_map(|r| (0..self.size).map(move |q| (r, q)));
        let starts = all.filter(|&cell| side(cell) == 0 && self.is(cell, mover));
        let mut chain: Vec<_> = starts.collect();
        let mut next = 0;
        while let Some(&(r, q)) = chain.get(next) {
            next += 1;
            for (down, right) in Self::AROUND {
                let cell = (r + down, q + right);
                if self.is(cell, mover) && !chain.contains(&cell) {
                    chain.push(cell);
                }
            }
        }
        chain.iter().any(|&cell| side(cell) == self.size - 1)
    }

    fn occurrences(&self) -> usize {
        let same = self.past.iter().filter(|&past| *past == self.cells);
        same.count()
    }

    fn board(&self) -> String {
        let letter = |cell: &Option<Side>| match cell {
            None => '.',
            Some(Side::First) => 'r',
            Some(Side::Second) => 'b',
        };
        self.cells.iter().map(letter).collect()
    }
}

/// Games that capture whenever they can and connect only when they must, so that all ends occur.
#[test]
fn fast_rules_equal_plain_rules() {
    let mut ends = BTreeMap::new();
    for game in 0..150 {
        let mut chance = Stream::new(11, game);
        let size = 3 + (game % 8) as u8;
        let (mut state, mut plain) = (start(size), Plain::new(size));
        while state.to_act().is_some() {
            let (mut captures, mut quiet) = (Vec::new(), Vec::new());
            for action in legal(&state) {
                let mut next = state.clone();
                let public = next.apply(action).expect("legal");
                let won = next.outcome().is_some_and(|end| end.winner.is_some());
                match (won, public.is_empty()) {
                    (true, _) => {}
                    (false, true) => quiet.push(action),
                    (false, false) => captures.push(action),
                }
            }
            let liked = if captures.is_empty() { quiet } else { captures };
            let random = chance.below(liked.len().max(1) as u32) as usize;
            // A player of habit repeats itself, so positions come back.
            let habit = game % 2 == 0 && state.ply() > 12;
            let action = match liked.get(if habit { 0 } else { random }) {
                Some(&action) => action,
                None => random_action(&state, &mut chance).expect("not over"),
            };
            state.apply(action).expect("legal");
            assert_eq!(plain.turn(action), state.outcome());
            assert_eq!(plain.board(), state.board());
            assert_eq!(plain.occurrences() as u32, state.occurrences());
        }
        let reason = state.outcome().expect("over").reason.name();
        *ends.entry(reason).or_insert(0) += 1;
    }
    assert_eq!(ends.len(), 3, "{ends:?}");
    assert!(ends.values().all(|&games| games >= 20), "{ends:?}");
}

#[test]
fn the_largest_picture_is_straight() {
    let large = View::drawing(&start(26)).to_string();
    assert!(large.starts_with(&format!("{}26{}\n", " ".repeat(25), " .".repeat(26))));
    let letters: String = ('a'..='z').map(|letter| format!(" {letter}")).collect();
    assert!(large.ends_with(&format!("\n 1{}\n  {letters}\n", " .".repeat(26))));
}
