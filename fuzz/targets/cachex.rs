//! Tokens of Cachex.
#![no_main]

mod game;

use libfuzzer_sys::fuzz_target;
use referee::game::cachex;

fuzz_target!(|text: &str| {
    game::tokens_are_read_as_written::<cachex::State>(text);
    game::refusals_change_nothing(cachex::GAME, text);
});
