//! The house bots: built-in players, strong enough to be worth beating.
//!
//! `referee bot NAME` speaks the protocol on stdin and stdout like any other bot. A [`Brain`], which sees only a
//! [`View`](crate::game::View), chooses the actions.

mod brain;
pub mod cachex;
pub mod chess;
pub mod dark_chess;
mod house_bot;
mod random;
mod serve;
pub mod watch_your_back;

pub use brain::{Brain, Budget};
pub use house_bot::{HouseBot, parse_nodes, wrong_argument};
pub use random::Random;
pub use serve::{ServeError, serve};

#[cfg(test)]
pub(crate) mod duel {
    //! Plays two brains against each other without processes, to compare their strength in tests.

    use super::{Brain, Budget};
    use crate::game::{Position, Seat, Side, View};
    use crate::random::Stream;

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
