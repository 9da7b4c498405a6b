//! Result of a game, and blame for its end.

use crate::game::{Game, PerSeat, Seat};

/// Who won a game that counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum GameResult {
    /// The player of this seat won.
    Won(Seat),
    /// The game was drawn.
    Drawn,
    /// Both players forfeited: both lose.
    Nobody,
}

impl GameResult {
    /// Every result.
    pub const ALL: [GameResult; 4] = [
        GameResult::Won(Seat::FIRST),
        GameResult::Won(Seat::SECOND),
        GameResult::Drawn,
        GameResult::Nobody,
    ];

    /// The points of both seats: 1 for a win, ½ for a draw.
    pub fn points(self) -> [f64; 2] {
        match self {
            GameResult::Won(winner) => Seat::BOTH.map(|seat| f64::from(u8::from(seat == winner))),
            GameResult::Drawn => [0.5, 0.5],
            GameResult::Nobody => [0.0, 0.0],
        }
    }

    /// The name in the protocol and in records: the winner's seat, `draw`, or `none`.
    pub fn name(self, game: Game) -> &'static str {
        match self {
            GameResult::Won(seat) => game.seat_name(seat),
            GameResult::Drawn => "draw",
            GameResult::Nobody => "none",
        }
    }

    /// The result of that name.
    pub fn from_name(game: Game, name: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|result| result.name(game) == name)
    }
}

/// Name in records for the blame of a double forfeit.
pub const BOTH_PLAYERS: &str = "both";

/// Who is to blame for the end of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Blame {
    /// No player: the game ended normally, or by a fault outside the players.
    Nobody,
    /// The player of one seat, who forfeits the game.
    Of(Seat),
    /// Both players, who both forfeit: nobody wins, and it is no draw.
    Both,
}

impl Blame {
    /// Whether `seat` is to blame.
    pub fn includes(self, seat: Seat) -> bool {
        match self {
            Blame::Nobody => false,
            Blame::Of(blamed) => blamed == seat,
            Blame::Both => true,
        }
    }

    /// The name in records: the player to blame, `both`, or an empty string.
    pub fn name(self, players: PerSeat<&str>) -> &str {
        match self {
            Blame::Nobody => "",
            Blame::Of(seat) => players[seat],
            Blame::Both => BOTH_PLAYERS,
        }
    }

    /// The blame of that name.
    pub fn from_name(players: PerSeat<&str>, name: &str) -> Option<Self> {
        match name {
            "" => Some(Blame::Nobody),
            BOTH_PLAYERS => Some(Blame::Both),
            name => players.find(|player| *player == name).map(Blame::Of),
        }
    }
}
