//! A game to be played again and again.

use referee::game::{News, Setup, watch_your_back};
use referee::random::Stream;
use referee::referee::Opening;

/// The actions of a random game of Watch Your Back!.
pub fn script(seed: u64) -> Vec<String> {
    let mut chance = Stream::new(seed, 0);
    let mut game = Setup::new(watch_your_back::GAME)
        .start(&mut chance)
        .expect("built in");
    let mut script = Vec::new();
    let mut news = News::default();
    while !game.to_act().is_nobody() {
        let action = chance.choose(game.as_ref()).expect("built in");
        game.act(&action, &mut news).expect("legal");
        script.push(action);
    }
    script
}
