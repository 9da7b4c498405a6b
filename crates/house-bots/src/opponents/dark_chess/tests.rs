use super::*;
use crate::game::dark_chess::{Options, State};
use crate::game::{GameOptions, Position, Side};
use crate::opponents::Random;
use crate::opponents::duel::{check, points, random_action};
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
fn actions_are_legal_even_without_time_and_the_same_each_time() {
    for (seed, start) in (0..5).flat_map(|seed| [(seed, start as Start), (seed, start_ntu)]) {
        let mut chance = Stream::new(seed, 1);
        let mut state = start(&mut chance);
        while let Some(action) = random_action(state.view(Side::First), &mut chance) {
            check(state.view(Side::First), &mut Search);
            check(state.view(Side::First), &mut Greedy);
            state.apply(action).expect("a legal action");
        }
    }
}
