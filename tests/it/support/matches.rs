//! Simulated matches of two players whose true difference is known, played by a sequential test.

use referee::game::{GameResult, Seat};
use referee::random::Stream;
use referee::rating::{Sprt, SprtVerdict};
use referee::schedule::{Conclusion, Format, NextGame};

/// How the results of a game pair vary, apart from the players' strength.
#[derive(Debug, Clone, Copy)]
pub struct World {
    pub name: &'static str,
    /// How many games are drawn.
    pub draws: f64,
    /// By how much an opening favours one seat. Each player has the good seat once, which correlates the
    /// two games of a pair negatively.
    pub seat: f64,
    /// By how much an opening favours one player in both games, which correlates them positively.
    pub style: f64,
}

pub const WORLDS: [World; 5] = [
    World {
        name: "decisive",
        draws: 0.0,
        seat: 0.0,
        style: 0.0,
    },
    World {
        name: "a third drawn",
        draws: 1.0 / 3.0,
        seat: 0.1,
        style: 0.0,
    },
    World {
        name: "drawish",
        draws: 0.7,
        seat: 0.0,
        style: 0.0,
    },
    World {
        name: "pairs opposed",
        draws: 0.1,
        seat: 0.3,
        style: 0.0,
    },
    World {
        name: "pairs alike",
        draws: 0.1,
        seat: 0.0,
        style: 0.3,
    },
];

/// The outcome of many matches.
#[derive(Debug, Clone, Copy)]
pub struct Rates {
    /// How often elo1 was accepted though elo0 is true.
    pub false_alarms: f64,
    /// How often elo0 was accepted though elo1 is true.
    pub misses: f64,
    /// How many game pairs a match took to be decided, on average.
    pub pairs: f64,
}

/// Plays so many matches at elo0, and as many at elo1.
pub fn rates(world: &World, test: Sprt, matches: u64) -> Rates {
    let mut pairs = 0;
    let [accepted0, accepted1] = [test.elo0, test.elo1].map(|elo| {
        let accepted = (0..matches).filter(|number| {
            let stream = Stream::new(elo.to_bits(), *number);
            let played = play(world, test, elo, Chance(stream));
            let (stronger, played) = played.expect("a test without a limit is decided");
            pairs += played;
            stronger
        });
        accepted.count() as f64 / matches as f64
    });
    Rates {
        false_alarms: accepted0,
        misses: 1.0 - accepted1,
        pairs: pairs as f64 / (2 * matches) as f64,
    }
}

/// Whether the first of two players, who is so much stronger, is accepted, and after how many pairs.
fn play(world: &World, test: Sprt, elo: f64, mut chance: Chance) -> Option<(bool, u64)> {
    let format = Format::Sprt {
        challenger: 0,
        test,
        most_pairs: None,
    };
    let mut schedule = format.schedule(2);
    let score = 1.0 / (1.0 + 10_f64.powf(-elo / 400.0));
    let mut opening = 1.0;
    while let NextGame::Issue(ticket) = schedule.next() {
        let seat = usize::from(ticket.players[0] != 0);
        if seat == 0 {
            opening = if chance.uniform() < 0.5 { 1.0 } else { -1.0 };
        }
        let seat_luck = if seat == 0 { world.seat } else { -world.seat };
        let win = score + opening * (seat_luck + world.style) - world.draws / 2.0;
        assert!((0.0..=1.0 - world.draws).contains(&win), "{world:?}");
        let result = match chance.uniform() {
            luck if luck < win => GameResult::Won(Seat::BOTH[seat]),
            luck if luck < win + world.draws => GameResult::Drawn,
            _ => GameResult::Won(Seat::BOTH[1 - seat]),
        };
        schedule.record(ticket.id, result);
    }
    match schedule.conclusion()? {
        Conclusion::Test(test) => match test.verdict {
            SprtVerdict::AcceptElo0 => Some((false, test.pairs.iter().sum())),
            SprtVerdict::AcceptElo1 => Some((true, test.pairs.iter().sum())),
            SprtVerdict::Undecided => None,
        },
        _ => None,
    }
}

struct Chance(Stream);

impl Chance {
    fn uniform(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
    }
}
