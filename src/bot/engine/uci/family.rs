//! The words of the protocols of the UCI family, where they differ.

use crate::bot::engine::terms::EngineProtocol;
use crate::bot::fault::MissingAnswer;

/// The words of a protocol.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Family {
    /// The first line to the engine.
    pub hello: &'static str,
    /// The engine's answer to it, after its options.
    pub hello_ok: &'static str,
    /// The message for a missing answer to it.
    pub missing_hello: MissingAnswer,
    /// The line before each game.
    pub new_game: &'static str,
    /// The word before a position in `position`.
    pub notation: &'static str,
    /// The option that names the variant of the game.
    pub variant: &'static str,
    /// Its value for the game itself.
    pub standard: &'static str,
    /// The word of `go` for the time of one move.
    pub per_move: &'static str,
    /// Words of `go` where only the time of one move counts.
    pub no_clock: &'static str,
    /// The first word of the line that tells the end, where there is one.
    pub end: Option<&'static str>,
}

const UCI: Family = Family {
    hello: "uci",
    hello_ok: "uciok",
    missing_hello: MissingAnswer::UciOk,
    new_game: "ucinewgame",
    notation: "fen",
    variant: "UCI_Variant",
    standard: "chess",
    per_move: "movetime",
    no_clock: "",
    end: None,
};

const USI: Family = Family {
    hello: "usi",
    hello_ok: "usiok",
    missing_hello: MissingAnswer::UsiOk,
    new_game: "usinewgame",
    notation: "sfen",
    variant: "USI_Variant",
    standard: "shogi",
    per_move: "byoyomi",
    no_clock: " btime 0 wtime 0",
    end: Some("gameover"),
};

impl Family {
    /// The words of a protocol; UCI's for one that is not of the family.
    pub fn of(protocol: EngineProtocol) -> &'static Self {
        match protocol {
            EngineProtocol::Usi => &USI,
            EngineProtocol::Uci | EngineProtocol::Gtp => &UCI,
        }
    }
}
