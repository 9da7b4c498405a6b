//! Tokens of dark chess.
#![no_main]

mod game;

use libfuzzer_sys::fuzz_target;
use referee::game::dark_chess;

fuzz_target!(|text: &str| {
    game::tokens_are_read_as_written::<dark_chess::View>(text);
    game::refusals_change_nothing(dark_chess::GAME, text);
});
