//! Tokens of chess.
#![no_main]

mod game;

use libfuzzer_sys::fuzz_target;
use referee::game::chess;

fuzz_target!(|text: &str| {
    game::tokens_are_read_as_written::<chess::State>(text);
    game::refusals_change_nothing(chess::GAME, text);
});
