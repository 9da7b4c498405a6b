//! A game to be played again and again.

use referee::game::{Chance, News, Setup};
use referee::random::Stream;

/// The actions of a random game.
pub fn script(setup: &Setup, seed: u64) -> Vec<String> {
    let mut chance = Stream::new(seed, 0);
    let mut game = setup.start(&mut chance).expect("it starts");
    let mut script = Vec::new();
    let mut news = News::default();
    while game.to_act().is_some() {
        let mut legal = game.legal().expect("listed");
        let action = legal.swap_remove(chance.below(legal.len() as u32) as usize);
        game.act(&action, &mut news).expect("legal");
        script.push(action);
    }
    script
}
