//! A game to be played again and again.

use referee::game::{Chance, News, Setup, watch_your_back};
use referee::random::Stream;

/// The actions of a random game of Watch Your Back!.
pub fn script(seed: u64) -> Vec<String> {
    let mut chance = Stream::new(seed, 0);
    let mut game = Setup::new(watch_your_back::GAME)
        .start(&mut chance)
        .expect("built in");
    let mut script = Vec::new();
    let mut news = News::default();
    while game.to_act().is_some() {
        let mut legal = game.legal().expect("built in");
        let action = legal.swap_remove(chance.below(legal.len() as u32) as usize);
        game.act(&action, &mut news).expect("legal");
        script.push(action);
    }
    script
}
