use super::{Greedy, Search};
use crate::game::GameOptions;
use crate::game::chess::{Options, State};
use crate::opponents::duel::points;
use crate::opponents::{Brain, Budget, Random};
use crate::random::Stream;

fn state(fen: &str) -> State {
    let mut options = Options::default();
    options.set("start", fen).expect("a position");
    State::new(&options, &mut Stream::new(0, 0))
}

#[test]
fn each_bot_beats_the_weaker_one() {
    let start = |_: &mut Stream| state("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    let greedy = || Box::<Greedy>::default() as Box<dyn Brain<State>>;
    let search = || Box::<Search>::default() as Box<dyn Brain<State>>;
    let random = || Box::<Random>::default() as Box<dyn Brain<State>>;
    let over_random = points(start, greedy, random, 100, 2);
    assert!(over_random > 2.5, "{over_random} of 4");
    let over_greedy = points(start, search, greedy, 300, 2);
    assert!(over_greedy > 2.5, "{over_greedy} of 4");
}

#[test]
fn search_finds_a_mate() {
    let chosen = |fen: &str| {
        let view = state(fen);
        let action = Search.choose(
            &view,
            &mut Budget::new(20_000, None),
            &mut Stream::new(1, 0),
        );
        action.to_string()
    };
    assert_eq!(chosen("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1"), "a1a8");
    // Mate in two by two rooks.
    let first = chosen("7k/8/8/8/8/8/R7/1R4K1 w - - 0 1");
    assert!(["a2a7", "b1b7"].contains(&first.as_str()), "{first}");
}
