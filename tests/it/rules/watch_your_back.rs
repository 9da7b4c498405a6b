//! Watch Your Back!: what is its own.

mod records;

use std::collections::BTreeMap;

use referee::game::watch_your_back::{Action, Options, Square, State};
use referee::game::{Chance, Game, Position, Setup, Side, View, watch_your_back};

use super::{Rules, options, setup};

impl Rules for State {
    const GAME: Game = watch_your_back::GAME;
    const SETTINGS: &'static [&'static [(&'static str, &'static str)]] = &[&[]];
    const GAMES: u64 = 20;
    const ONE_IN: u32 = 1;
    const POSITIONS: usize = 1500;
    const NEARLY: &'static str = "[-0-9, apsP]{0,12}|-?[0-9]{1,3},-?[0-9]{1,3}(-[0-9]{1,2},[0-9])?";
    const PAGE: &'static str = include_str!("../../../docs/rules/watch-your-back.md");
    const CASES: &'static str = include_str!("../../rules/watch_your_back.cases");
    const PERFT: (&'static str, usize) = (include_str!("../../perft/watch_your_back.perft"), 81);

    fn start(setup: &Setup, _chance: &mut dyn Chance) -> Self {
        State::new(options(setup))
    }

    fn set_up(setup: &Setup, board: &str, more: &BTreeMap<&str, &str>) -> Result<Self, String> {
        let ply = more
            .get("ply")
            .map_or(0, |ply| ply.parse().expect("a number"));
        State::from_parts(options(setup), &board.replace('/', ""), ply)
            .ok_or_else(|| "refused".to_owned())
    }

    fn every_action() -> Vec<Action> {
        let moves =
            Square::all().flat_map(|from| Square::all().map(move |to| Action::Move { from, to }));
        let places = Square::all().map(Action::Place);
        let actions: Vec<Action> = places.chain(moves).chain([Action::Pass]).collect();
        assert_eq!(actions.len(), 64 + 64 * 64 + 1);
        actions
    }

    fn fact(&self, name: &str) -> String {
        match name {
            "shrinks" => self.layout().shrinks().to_string(),
            "to-shrink" => self
                .plies_to_shrink()
                .map_or("-".to_owned(), |plies| plies.to_string()),
            "placing" => self.is_placing().to_string(),
            "pieces" => Side::BOTH
                .map(|seat| self.layout().pieces(seat).count_ones().to_string())
                .join(" "),
            _ => unreachable!("an unknown fact {name}"),
        }
    }

    fn inspect(&self, start: &Self, played: &[Action]) {
        if self.outcome().is_none() {
            let set_up = State::from_parts(Options::default(), &self.board(), self.ply());
            assert_eq!(set_up, Some(*self));
        }
        let number = played.len();
        if let Some((last, before)) = played.split_last()
            && (number % 8 == 1 || number == 152 || number == 216)
        {
            let mut earlier = *start;
            for action in before {
                earlier.apply(*action).expect("legal");
            }
            explain(self, earlier, *last);
        }
    }
}

/// The letters before, less those removed, are the letters after.
fn explain(now: &State, mut earlier: State, last: Action) {
    let mut letters: Vec<char> = earlier.board().chars().collect();
    let piece = ['W', 'B'][earlier.ply() as usize % 2];
    if let Action::Move { from, .. } = last {
        letters[from.index()] = '-';
    }
    if let Action::Place(to) | Action::Move { to, .. } = last {
        letters[to.index()] = piece;
    }
    for square in earlier.apply(last).expect("legal").squares() {
        assert!("WB".contains(letters[square.index()]));
        letters[square.index()] = '-';
    }
    for (old, new) in letters.iter().zip(now.board().chars()) {
        assert_eq!("WB".contains(*old), "WB".contains(new));
        assert!(!"WB".contains(new) || *old == new);
    }
}

fn endless() -> Setup {
    setup::<State>(&[("max-plies", "none")])
}

fn start() -> State {
    State::new(options(&endless()))
}

fn set_up(board: &str, ply: u32) -> Result<State, String> {
    let ply = ply.to_string();
    State::set_up(&endless(), board, &BTreeMap::from([("ply", ply.as_str())]))
}
