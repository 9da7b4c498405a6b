//! What everybody scored, and against whom: all that a fit needs to know about the games.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

use crate::game::{Blame, GameResult, Seat};

/// The result of one game for one of its players.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Score {
    /// No point.
    Loss = 0,
    /// Half a point.
    Draw = 1,
    /// One point.
    Win = 2,
}

impl Score {
    /// All results, worst first.
    pub const ALL: [Score; 3] = [Score::Loss, Score::Draw, Score::Win];

    /// The result for the first seat; `None` where both players forfeited.
    pub fn of_first(result: GameResult) -> Option<Self> {
        match result {
            GameResult::Won(Seat::First) => Some(Score::Win),
            GameResult::Won(Seat::Second) => Some(Score::Loss),
            GameResult::Drawn => Some(Score::Draw),
            GameResult::Nobody => None,
        }
    }

    /// The result of a game in which the first seat has this score.
    pub fn as_result(self) -> GameResult {
        match self {
            Score::Win => GameResult::Won(Seat::First),
            Score::Draw => GameResult::Drawn,
            Score::Loss => GameResult::Won(Seat::Second),
        }
    }

    /// What it is worth.
    pub fn points(self) -> f64 {
        f64::from(self as u8) / 2.0
    }

    /// The same game for the other player.
    pub fn reversed(self) -> Self {
        match self {
            Score::Loss => Score::Win,
            Score::Draw => Score::Draw,
            Score::Win => Score::Loss,
        }
    }
}

/// Results of one player against another, or against all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tally {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost, those that both players forfeited included.
    pub losses: u64,
}

impl Tally {
    /// All games.
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// A point for a win, half a point for a draw.
    pub fn points(&self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// Counts a game.
    pub fn count(&mut self, score: Score) {
        match score {
            Score::Win => self.wins += 1,
            Score::Draw => self.draws += 1,
            Score::Loss => self.losses += 1,
        }
    }

    /// Both together.
    pub fn plus(self, other: Self) -> Self {
        Self {
            wins: self.wins + other.wins,
            draws: self.draws + other.draws,
            losses: self.losses + other.losses,
        }
    }

    /// The same games for the opponent.
    pub fn reversed(self) -> Self {
        Self {
            wins: self.losses,
            draws: self.draws,
            losses: self.wins,
        }
    }
}

/// One player's line in the standings.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Line {
    /// The player's name.
    pub name: String,
    /// Its results against all.
    pub tally: Tally,
    /// How many of its losses were forfeits of its own.
    pub forfeits: u64,
    /// How many of its wins were forfeits of an opponent.
    pub gifts: u64,
    /// How many of its games were in the first seat.
    pub first: u64,
}

/// One finished game, as far as ratings go.
#[derive(Debug, Clone, Copy)]
pub struct RatedGame<'a> {
    /// The players, by seat.
    pub names: [&'a str; 2],
    /// Who won.
    pub result: GameResult,
    /// Who forfeited.
    pub blame: Blame,
    /// The number of the game pair, if it belongs to one; no two pairs have the same.
    pub pair: Option<u64>,
    /// A digest of what was played, if it is known: of equal digests, the games were the same.
    pub digest: Option<u64>,
}

/// All games between two players, as seen by the one that was entered first.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Meeting {
    /// The indices of the two.
    pub players: [usize; 2],
    /// What the first named scored in the first seat, and in the second.
    pub seated: [Tally; 2],
    /// Whole game pairs, by what it scored in the first seat and in the second. Their games are in
    /// `seated` too.
    pub pairs: [[u64; 3]; 3],
    /// Games that both players forfeited. They are nowhere else.
    pub forfeited_by_both: u64,
}

impl Meeting {
    /// The results that say something about who is stronger, in both seats.
    pub fn decided(&self) -> Tally {
        self.seated[0].plus(self.seated[1])
    }

    /// How many game pairs are whole.
    pub fn whole_pairs(&self) -> u64 {
        self.pairs.iter().flatten().sum()
    }
}

/// How many different games are remembered to tell duplicates by, so that memory does not grow with
/// the games. Where duplicates are left out, all are.
const REMEMBERED: usize = 100_000;

/// The results of a set of games, by player and by meeting. Its size grows with the number of
/// meetings; beside those it keeps the first game of every pair whose second has not come yet, and
/// eight bytes for each of some games with a digest.
#[derive(Debug, Clone, Default)]
pub struct Standings {
    lines: Vec<Line>,
    index: HashMap<String, usize>,
    meetings: Vec<Meeting>,
    met: HashMap<u64, usize, BuildHasherDefault<Spread>>,
    halves: HashMap<(u64, usize), (usize, Score)>,
    digests: HashSet<u64>,
    duplicates: u64,
    once: bool,
}

impl Standings {
    /// Standings that count games with the same digest once.
    pub fn without_duplicates() -> Self {
        Self {
            once: true,
            ..Self::default()
        }
    }

    /// Adds one game. `false` if it was left out as a duplicate.
    pub fn add(&mut self, game: &RatedGame<'_>) -> bool {
        if let Some(digest) = game.digest
            && self.is_duplicate(digest)
        {
            self.duplicates += 1;
            if self.once {
                return false;
            }
        }
        let seats = game.names.map(|name| self.player(name));
        self.lines[seats[0]].first += 1;
        let first_score = Score::of_first(game.result);
        let scores = match first_score {
            Some(score) => [score, score.reversed()],
            None => [Score::Loss, Score::Loss],
        };
        let forfeited = Seat::BOTH.map(|seat| game.blame.includes(seat));
        for seat in [0, 1] {
            let line = &mut self.lines[seats[seat]];
            line.tally.count(scores[seat]);
            line.forfeits += u64::from(forfeited[seat]);
            let gift = forfeited[1 - seat] && scores[seat] == Score::Win;
            line.gifts += u64::from(gift);
        }
        // A player against itself says nothing about who is stronger.
        if seats[0] == seats[1] {
            return true;
        }
        let swapped = usize::from(seats[0] > seats[1]);
        let at = self.meeting(seats[swapped], seats[1 - swapped]);
        let Some(score) = first_score.map(|_| scores[swapped]) else {
            self.meetings[at].forfeited_by_both += 1;
            return true;
        };
        let meeting = &mut self.meetings[at];
        meeting.seated[swapped].count(score);
        if let Some(pair) = game.pair {
            match self.halves.remove(&(pair, at)) {
                Some((seat, half)) if seat != swapped => {
                    let pair = match swapped {
                        0 => [score, half],
                        _ => [half, score],
                    };
                    meeting.pairs[pair[0] as usize][pair[1] as usize] += 1;
                }
                // Two games in the same seats are no game pair.
                Some(other) => {
                    self.halves.insert((pair, at), other);
                }
                None => {
                    self.halves.insert((pair, at), (swapped, score));
                }
            }
        }
        true
    }

    /// Whether a game is known; it is from now on, as far as there is room.
    fn is_duplicate(&mut self, digest: u64) -> bool {
        if self.once || self.digests.len() < REMEMBERED {
            return !self.digests.insert(digest);
        }
        self.digests.contains(&digest)
    }

    /// The index of a player, who is entered if new.
    pub fn player(&mut self, name: &str) -> usize {
        if let Some(index) = self.index.get(name) {
            return *index;
        }
        self.lines.push(Line {
            name: name.to_owned(),
            ..Line::default()
        });
        self.index.insert(name.to_owned(), self.lines.len() - 1);
        self.lines.len() - 1
    }

    fn meeting(&mut self, low: usize, high: usize) -> usize {
        let next = self.meetings.len();
        let at = *self.met.entry(key(low, high)).or_insert(next);
        if at == next {
            self.meetings.push(Meeting {
                players: [low, high],
                ..Meeting::default()
            });
        }
        at
    }

    /// All players, in the order in which they were entered.
    pub fn lines(&self) -> &[Line] {
        &self.lines
    }

    /// The index of a player, if there is one of that name.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.index.get(name).copied()
    }

    /// All meetings, in the order in which the players first met.
    pub fn meetings(&self) -> &[Meeting] {
        &self.meetings
    }

    /// The results of `player` against `other`; nothing where they have not met. Games that both
    /// forfeited count as lost.
    pub fn against(&self, player: usize, other: usize) -> Tally {
        let key = key(player.min(other), player.max(other));
        let Some(meeting) = self.met.get(&key).map(|at| &self.meetings[*at]) else {
            return Tally::default();
        };
        let mut tally = meeting.decided();
        if player > other {
            tally = tally.reversed();
        }
        tally.losses += meeting.forfeited_by_both;
        tally
    }

    /// How many games there are.
    pub fn games(&self) -> u64 {
        let seats: u64 = self.lines.iter().map(|line| line.tally.games()).sum();
        seats / 2
    }

    /// How many games were the same, action by action, as one before them.
    /// They may be more where [`Standings::forgets`].
    pub fn duplicates(&self) -> u64 {
        self.duplicates
    }

    /// Whether there were more different games than are remembered.
    pub fn forgets(&self) -> bool {
        !self.once && self.digests.len() >= REMEMBERED
    }

    /// Whether duplicates were left out.
    pub fn duplicates_left_out(&self) -> bool {
        self.once
    }

    /// The indices of all players, best first: by share of the points, then by points, then by
    /// name.
    pub fn order(&self) -> Vec<usize> {
        let share = |line: &Line| match line.tally.games() {
            0 => 0.0,
            games => line.tally.points() / games as f64,
        };
        let mut order: Vec<usize> = (0..self.lines.len()).collect();
        order.sort_by(|a, b| {
            let (a, b) = (&self.lines[*a], &self.lines[*b]);
            share(b)
                .total_cmp(&share(a))
                .then(b.tally.points().total_cmp(&a.tally.points()))
                .then_with(|| a.name.cmp(&b.name))
        });
        order
    }
}

/// Two indices in one number; nobody has four thousand million players.
fn key(low: usize, high: usize) -> u64 {
    (low as u64) << 32 | high as u64
}

/// Spreads keys that are indices, not text from outside, over a table: by Fibonacci's multiplier
/// (Knuth, *The Art of Computer Programming* 3, section 6.4).
#[derive(Debug, Clone, Default)]
struct Spread(u64);

impl Hasher for Spread {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_u64(u64::from(*byte));
        }
    }

    fn write_u64(&mut self, value: u64) {
        let mixed = (self.0 ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = mixed ^ mixed >> 32;
    }
}
