//! Tokens of Watch Your Back!.
#![no_main]

mod game;

use libfuzzer_sys::fuzz_target;
use referee::game::watch_your_back;

fuzz_target!(|text: &str| {
    game::tokens_are_read_as_written::<watch_your_back::State>(text);
    game::refusals_change_nothing(watch_your_back::GAME, text);
});
