//! A game to be played again and again.

use referee::game::{News, Setup};
use referee::random::Stream;
use referee::referee::Opening;

/// The actions of a random game.
pub fn script(setup: &Setup, seed: u64) -> Vec<String> {
    let mut chance = Stream::new(seed, 0);
    let mut game = setup.start(&mut chance).expect("it starts");
    let mut script = Vec::new();
    let mut news = News::default();
    while !game.to_act().is_nobody() {
        let action = chance.choose(game.as_ref()).expect("built in");
        game.act(&action, &mut news).expect("legal");
        script.push(action);
    }
    script
}
