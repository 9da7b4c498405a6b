//! The house bots: built-in players, strong enough to be worth beating.
//!
//! `referee bot NAME` speaks the protocol on stdin and stdout like any other bot. A [`Brain`], which sees only a
//! [`View`], chooses the actions.

pub mod cachex;
pub mod chess;
pub mod dark_chess;
mod serve;
pub mod watch_your_back;

use std::time::Instant;

pub use serve::{ServeError, serve};

use crate::bot::LaunchError;
use crate::game::{Chance, Position, View, shuffle};
use crate::random::Stream;
use crate::text::did_you_mean;

#[cfg(test)]
pub(crate) mod duel {
    //! Plays two brains against each other without processes, to compare their strength in tests.

    use std::time::Instant;

    use super::{Brain, Budget, Random};
    use crate::game::{Position, Seat, Side, View};
    use crate::random::Stream;

    /// Checks that a brain plays legal actions, also without nodes or time, and the same ones each time.
    pub fn check<V: View>(view: &V, brain: &mut dyn Brain<V>) {
        for nodes in [0, 1, 300] {
            let mut choose = || {
                let mut budget = Budget::new(nodes, None);
                brain.choose(view, &mut budget, &mut Stream::new(1, 0))
            };
            let chosen = choose();
            assert_eq!(view.check(chosen), Ok(()));
            assert_eq!(choose(), chosen);
        }
        let mut late = Budget::new(u64::MAX, Some(Instant::now()));
        let chosen = brain.choose(view, &mut late, &mut Stream::new(1, 0));
        assert_eq!(view.check(chosen), Ok(()));
    }

    pub fn random_action<V: View>(view: &V, chance: &mut Stream) -> Option<V::Action> {
        view.to_act()?;
        Some(Random.choose(view, &mut Budget::new(0, None), chance))
    }

    /// Points of `a` in `2 * pairs` games against `b`, each start position played from both seats.
    pub fn points<P: Position>(
        start: impl Fn(&mut Stream) -> P,
        mut a: impl FnMut() -> Box<dyn Brain<P::View>>,
        mut b: impl FnMut() -> Box<dyn Brain<P::View>>,
        nodes: u64,
        pairs: u64,
    ) -> f64 {
        let mut points = 0.0;
        for pair in 0..pairs {
            for a_side in Side::BOTH {
                let mut chance = Stream::new(pair, 0);
                let mut position = start(&mut chance);
                let mut brains = match a_side {
                    Side::First => [a(), b()],
                    Side::Second => [b(), a()],
                };
                while let Some(seat) = position.view(Side::First).to_act() {
                    let view = position.view(seat).clone();
                    let action = brains[seat.index()].choose(
                        &view,
                        &mut Budget::new(nodes, None),
                        &mut chance,
                    );
                    position.apply(action).expect("a brain plays legal actions");
                }
                let winner = position.view(Side::First).outcome().expect("over").winner;
                points += match winner {
                    Some(seat) if seat == Seat::from(a_side) => 1.0,
                    Some(_) => 0.0,
                    None => 0.5,
                };
            }
        }
        points
    }
}

pub trait Brain<V: View> {
    /// Chooses a legal action for the seat to act in `view`, which must not be over. `chance` breaks ties. The choice
    /// is a function of view, budget and stream, unless the budget's deadline passes.
    fn choose(&mut self, view: &V, budget: &mut Budget, chance: &mut Stream) -> V::Action;

    /// Limits what a search looks at. Most brains have no such limits.
    fn set_widths(&mut self, _widths: Widths) {}
}

/// Upper bounds on what the search of Cachex looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Widths {
    /// Actions in the position itself, at least one.
    pub root: usize,
    /// Actions in each later position, at least one.
    pub inner: usize,
    pub captures: usize,
}

impl Default for Widths {
    fn default() -> Self {
        Self {
            root: 24,
            inner: 12,
            captures: 4,
        }
    }
}

impl Widths {
    /// Parses the value of `--widths`, such as `24,12,4`.
    pub fn parse(text: &str) -> Option<Self> {
        let numbers: Option<Vec<usize>> = text.split(',').map(|it| it.parse().ok()).collect();
        let [root, inner, captures] = numbers?[..] else {
            return None;
        };
        let widths = Self {
            root,
            inner,
            captures,
        };
        (root > 0 && inner > 0).then_some(widths)
    }
}

fn legal<V: View>(view: &V) -> Vec<V::Action> {
    let mut actions = Vec::new();
    view.legal(&mut actions);
    actions
}

/// The action that leads to the best value. Actions are tried in a random order, which breaks ties and selects the ones
/// that a short budget covers.
fn best_action<V: Position<View = V> + View>(
    view: &V,
    chance: &mut Stream,
    mut spend: impl FnMut() -> bool,
    value: impl Fn(&V, V::Public) -> i32,
) -> V::Action {
    let mut actions = legal(view);
    shuffle(&mut actions, chance);
    let (mut best, mut best_value) = (actions[0], i32::MIN);
    for action in actions {
        if !spend() {
            break;
        }
        let mut next = view.clone();
        let value = next
            .apply(action)
            .map_or(i32::MIN, |public| value(&next, public));
        if value > best_value {
            (best, best_value) = (action, value);
        }
    }
    best
}

/// One of the actions with the best value, each equally likely.
fn one_of_the_best<A: Copy>(actions: &[A], value: impl Fn(A) -> i32, chance: &mut Stream) -> A {
    let values: Vec<i32> = actions.iter().map(|action| value(*action)).collect();
    let best = values.iter().max();
    let ties = actions.iter().zip(&values);
    let ties: Vec<&A> = ties
        .filter_map(|(action, value)| (Some(value) == best).then_some(action))
        .collect();
    *ties[chance.below(ties.len() as u32) as usize]
}

/// Iterative deepening: searches the moves to depth 1, 2, … up to `deepest`, until the value is at least `decided`, and
/// puts the best one in front, where the next iteration begins. Also an iteration that is broken off leaves a better move
/// there. `search` gives the value of a move at a depth, which is exact if it is above the best value so far, and `None`
/// once the budget is spent.
fn deepen<M: Copy>(
    moves: &mut [M],
    deepest: i32,
    decided: i32,
    mut search: impl FnMut(M, i32, i32) -> Option<i32>,
) {
    if moves.len() < 2 {
        return;
    }
    for depth in 1..=deepest {
        let mut best = -i32::MAX;
        for index in 0..moves.len() {
            let Some(value) = search(moves[index], depth, best) else {
                return;
            };
            if value > best {
                best = value;
                moves[..=index].rotate_right(1);
            }
        }
        if best.abs() >= decided {
            return;
        }
    }
}

#[derive(Debug, Clone)]
pub struct Budget {
    nodes_left: u64,
    deadline: Option<Instant>,
    until_look: u32,
}

/// Nodes between two readings of the clock: well under a millisecond, at a few million nodes per second.
const NODES_PER_LOOK: u32 = 512;

impl Budget {
    /// At most `nodes` search nodes, and none after `deadline`.
    pub fn new(nodes: u64, deadline: Option<Instant>) -> Self {
        Self {
            nodes_left: nodes,
            deadline,
            until_look: NODES_PER_LOOK,
        }
    }

    /// Spends one node. Returns `false` once the budget is spent: stop, and play the best action so far.
    pub fn spend(&mut self) -> bool {
        if self.nodes_left == 0 {
            return false;
        }
        self.nodes_left -= 1;
        self.until_look -= 1;
        if self.until_look == 0 {
            self.until_look = NODES_PER_LOOK;
            if self.deadline.is_some_and(|at| Instant::now() >= at) {
                self.nodes_left = 0;
                return false;
            }
        }
        true
    }
}

referee_game::named! {
    /// The house bots. Each plays every game.
    pub enum HouseBot {
        Random = "random",
        Greedy = "greedy",
        Search = "search",
    }
}

impl HouseBot {
    /// The words `; did you mean …?` after a command that cannot be started, if it looks like a house bot.
    pub fn meant(error: &LaunchError) -> String {
        let LaunchError::NotInPath(name) = error else {
            return String::new();
        };
        let names = Self::ALL.map(Self::name);
        let meant = did_you_mean(&name.to_string_lossy(), names);
        meant.map_or_else(String::new, |meant| format!("; {meant}"))
    }
}

pub const ARGUMENTS: [&str; 2] = ["--nodes", "--widths"];

/// Parses the value of `--nodes`: a number, or `none` for no limit.
pub fn parse_nodes(text: &str) -> Option<u64> {
    match text {
        "none" => Some(u64::MAX),
        number => number.parse().ok(),
    }
}

/// The first argument that a house bot does not understand.
pub fn wrong_argument(args: &[String]) -> Option<&str> {
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        let (name, value) = match arg.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (arg.as_str(), None),
        };
        if !ARGUMENTS.contains(&name) {
            return Some(arg);
        }
        let value = value.or_else(|| args.next().map(String::as_str));
        let is_right = |value: &str| match name {
            "--nodes" => parse_nodes(value).is_some(),
            _ => Widths::parse(value).is_some(),
        };
        if !value.is_some_and(is_right) {
            return Some(value.unwrap_or(arg));
        }
    }
    None
}

#[derive(Debug, Default)]
pub struct Random;

impl<V: View> Brain<V> for Random {
    fn choose(&mut self, view: &V, _budget: &mut Budget, chance: &mut Stream) -> V::Action {
        let actions = legal(view);
        actions[chance.below(actions.len() as u32) as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::duel::{check, points, random_action};
    use super::*;
    use crate::game::{self, GameOptions, Side};

    fn cachex(size: u8) -> game::cachex::State {
        game::cachex::State::new(game::cachex::Options::with_size(size).expect("a size"))
    }

    fn watch_your_back() -> game::watch_your_back::State {
        game::watch_your_back::State::new(game::watch_your_back::Options::default())
    }

    fn chess(chance: &mut Stream) -> game::chess::State {
        game::chess::State::new(&game::chess::Options::default(), chance)
    }

    fn dark_chess(reading: &str, chance: &mut Stream) -> game::dark_chess::State {
        let mut options = game::dark_chess::Options::default();
        options.set("reading", reading).expect("a reading");
        game::dark_chess::State::new(&options, chance)
    }

    /// Checks that greedy has at least this share of the points against random, and search against greedy.
    fn is_stronger<P, G, S>(start: impl Fn(&mut Stream) -> P, nodes: u64, pairs: u64, least: f64)
    where
        P: Position,
        G: Brain<P::View> + Default + 'static,
        S: Brain<P::View> + Default + 'static,
    {
        let greedy = || Box::<G>::default() as Box<dyn Brain<P::View>>;
        let of_greedy = points(&start, greedy, || Box::new(Random), nodes, 2 * pairs);
        let of_search = points(&start, || Box::<S>::default(), greedy, nodes, pairs);
        let shares = [of_greedy / 2.0, of_search].map(|points| points / (2 * pairs) as f64);
        assert!(shares.iter().all(|share| *share >= least), "{shares:?}");
    }

    #[test]
    fn each_bot_beats_the_weaker_one() {
        is_stronger::<_, cachex::Greedy, cachex::Search>(|_| cachex(7), 2000, 10, 0.8);
        is_stronger::<_, watch_your_back::Greedy, watch_your_back::Search>(
            |_| watch_your_back(),
            2000,
            10,
            0.8,
        );
        is_stronger::<_, chess::Greedy, chess::Search>(chess, 300, 2, 0.65);
        for reading in ["literal", "ntu"] {
            is_stronger::<_, dark_chess::Greedy, dark_chess::Search>(
                |chance| dark_chess(reading, chance),
                5000,
                10,
                0.8,
            );
        }
    }

    /// Checks both bots in two of each so many positions of a random game.
    fn play_legally<P, G, S>(mut state: P, each: u32, chance: &mut Stream)
    where
        P: Position,
        G: Brain<P::View> + Default,
        S: Brain<P::View> + Default,
    {
        while let Some(action) = random_action(state.view(Side::First), chance) {
            let view = state.view(Side::First);
            if view.ply() % each < 2 {
                check(view, &mut G::default());
                check(view, &mut S::default());
            }
            state.apply(action).expect("legal");
        }
    }

    #[test]
    fn actions_are_legal_even_without_time_and_the_same_each_time() {
        let chance = &mut Stream::new(9, 1);
        for (size, each) in [(3, 1), (4, 1), (9, 40), (26, 40)] {
            play_legally::<_, cachex::Greedy, cachex::Search>(cachex(size), each, chance);
        }
        for _ in 0..4 {
            let start = watch_your_back();
            play_legally::<_, watch_your_back::Greedy, watch_your_back::Search>(start, 14, chance);
            let start = chess(chance);
            play_legally::<_, chess::Greedy, chess::Search>(start, 20, chance);
            for reading in ["literal", "ntu"] {
                let start = dark_chess(reading, chance);
                play_legally::<_, dark_chess::Greedy, dark_chess::Search>(start, 1, chance);
            }
        }
    }
}
