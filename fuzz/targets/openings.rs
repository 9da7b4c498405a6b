//! Files of openings, for each game.
#![no_main]

use libfuzzer_sys::fuzz_target;
use referee::config::{OpeningOrder, Openings};
use referee::game::{BUILT_IN, Setup};

fuzz_target!(|text: &str| {
    for game in BUILT_IN {
        let setup = Setup::new(game);
        let order = OpeningOrder::Sequential;
        if let Ok(openings) = Openings::parse(text, &setup, order) {
            let again = Openings::parse(openings.text(), &setup, order);
            assert_eq!(again, Ok(openings));
        }
    }
});
