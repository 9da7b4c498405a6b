use std::time::Instant;

use super::*;
use crate::game::dark_chess::{Options, State};
use crate::game::{GameOptions, Position, Side, View as _};
use crate::opponents::duel::{points, random_action};
use crate::opponents::{Brain, Budget, Random};
use crate::random::Stream;

type Start = fn(&mut Stream) -> State;

fn start(chance: &mut Stream) -> State {
    State::new(&Options::default(), chance)
}

fn start_ntu(chance: &mut Stream) -> State {
    let mut options = Options::default();
    options.set("reading", "ntu").expect("a reading");
    State::new(&options, chance)
}

#[test]
fn each_bot_beats_the_weaker_one_by_both_readings() {
    for (start, of_greedy, of_search) in [(start as Start, 34.0, 16.0), (start_ntu, 36.0, 17.0)] {
        let greedy = points(start, || Box::new(Greedy), || Box::new(Random), 0, 20);
        assert!(greedy >= of_greedy, "{greedy} of 40");
        let search = points(start, || Box::new(Search), || Box::new(Greedy), 5000, 10);
        assert!(search >= of_search, "{search} of 20");
    }
}

#[test]
fn a_move_is_played_without_any_budget() {
    for (seed, start) in (0..5).flat_map(|seed| [(seed, start as Start), (seed, start_ntu)]) {
        let mut chance = Stream::new(seed, 1);
        let mut state = start(&mut chance);
        while let Some(action) = random_action(state.view(Side::First), &mut chance) {
            let view = state.view(Side::First);
            for mut budget in [
                Budget::new(0, None),
                Budget::new(u64::MAX, Some(Instant::now())),
            ] {
                let chosen = Search.choose(view, &mut budget, &mut chance);
                assert_eq!(view.check(chosen), Ok(()));
            }
            let chosen = Greedy.choose(view, &mut Budget::new(0, None), &mut chance);
            assert_eq!(view.check(chosen), Ok(()));
            state.apply(action).expect("a legal action");
        }
    }
}

#[test]
fn the_same_view_budget_and_stream_give_the_same_action() {
    let mut chance = Stream::new(3, 1);
    let mut state = start(&mut chance);
    while let Some(action) = random_action(state.view(Side::First), &mut chance) {
        let view = state.view(Side::First);
        let choose = || {
            let mut budget = Budget::new(700, None);
            Search.choose(view, &mut budget, &mut Stream::new(4, 0))
        };
        assert_eq!(choose(), choose());
        state.apply(action).expect("a legal action");
    }
}
