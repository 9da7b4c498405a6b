//! Messages of the protocol, from either side.
#![no_main]

use libfuzzer_sys::fuzz_target;
use referee::protocol::{Hello, ToBot};

fuzz_target!(|line: &str| {
    if let Ok(message) = ToBot::parse(line) {
        let written = message.to_string();
        let again = ToBot::parse(&written).map(|message| message.to_string());
        assert_eq!(again, Ok(written));
    }
    if let Ok(hello) = Hello::parse(line) {
        assert_eq!(Hello::parse(&hello.to_string()), Ok(hello));
    }
});
