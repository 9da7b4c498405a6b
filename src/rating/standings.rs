//! The results of all players, and of each two players against each other: all that a fit needs to
//! know about the games.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

use super::opening_games::{OpeningGames, OpeningIndex};
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
    /// All scores, worst first.
    pub const ALL: [Score; 3] = [Score::Loss, Score::Draw, Score::Win];

    /// The score of the first seat; `None` if both players forfeited.
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

    /// Its points: 0, ½ or 1.
    pub fn points(self) -> f64 {
        f64::from(self as u8) / 2.0
    }

    /// The opponent's score of the same game.
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
    /// Games lost, including those that both players forfeited.
    pub losses: u64,
}

impl Tally {
    /// How many games there are.
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

    /// The sum of two tallies.
    pub fn plus(self, other: Self) -> Self {
        Self {
            wins: self.wins + other.wins,
            draws: self.draws + other.draws,
            losses: self.losses + other.losses,
        }
    }

    /// The opponent's tally of the same games.
    pub fn reversed(self) -> Self {
        Self {
            wins: self.losses,
            draws: self.draws,
            losses: self.wins,
        }
    }
}

/// The results of one player.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PlayerStanding {
    /// The player's name.
    pub name: String,
    /// Its results against all opponents.
    pub tally: Tally,
    /// How many games it lost by its own forfeit.
    pub forfeits: u64,
    /// How many games it won by an opponent's forfeit.
    pub forfeit_wins: u64,
}

/// What the ratings need to know about a finished game.
#[derive(Debug, Clone, Copy)]
pub struct RatedGame<'a> {
    /// The players, by seat.
    pub names: [&'a str; 2],
    /// Who won.
    pub result: GameResult,
    /// Who forfeited.
    pub blame: Blame,
    /// The number of the game pair, if the game belongs to one. No two pairs have the same number.
    pub pair: Option<u64>,
    /// A digest of what was played, if it is known: games with equal digests were the same.
    pub digest: Option<u64>,
}

/// All games between two players, seen by the player with the lower index.
// What most games change is in one line of the cache: with many players, every game waits for that.
#[repr(C, align(64))]
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Meeting {
    /// The indices of the two, the lower one first.
    pub players: [usize; 2],
    /// The results of `players[0]` in the first seat, and in the second seat.
    pub by_seat: [Tally; 2],
    /// How many complete game pairs there are, by the score of `players[0]` in the first seat and in
    /// the second. Their games are in `by_seat` too.
    pub pairs: [[u32; 3]; 3],
    /// Games that both players forfeited. They are not counted in the other fields.
    pub forfeited_by_both: u64,
}

impl Meeting {
    /// The games of both seats, without those that both players forfeited: only these show who is
    /// stronger.
    pub fn tally(&self) -> Tally {
        self.by_seat[0].plus(self.by_seat[1])
    }

    /// The games of `players[side]`, of which those that both forfeited are lost.
    pub(super) fn tally_of(&self, side: usize) -> Tally {
        let mut tally = match side {
            0 => self.tally(),
            _ => self.tally().reversed(),
        };
        tally.losses += self.forfeited_by_both;
        tally
    }

    /// How many complete game pairs there are.
    pub fn complete_pairs(&self) -> u64 {
        self.pairs.iter().flatten().copied().map(u64::from).sum()
    }
}

/// How many digests are kept to recognise duplicates. The number is limited so that memory does not
/// grow with the games; only where duplicates are left out are all digests kept.
const MAX_DIGESTS: usize = 100_000;

/// The results of a set of games, by player and by meeting. Its size grows with the number of
/// meetings. It also keeps one game of every incomplete game pair, and eight bytes for each digest.
#[derive(Debug, Clone, Default)]
pub struct Standings {
    players: Vec<PlayerStanding>,
    index: HashMap<String, usize>,
    meetings: Vec<Meeting>,
    /// One more than the index of the meeting of two early players, or 0: by the higher player, then by the
    /// lower one. Results of few players are read much faster so.
    early_meetings: Vec<u32>,
    /// The index of the meeting of other players, by [`key`].
    meeting_index: HashMap<u64, usize, BuildHasherDefault<IndexHasher>>,
    /// Incomplete game pairs: by pair and meeting, the seat and score of the lower player in the game
    /// that is known.
    incomplete_pairs: HashMap<(u64, u64), (usize, Score), BuildHasherDefault<IndexHasher>>,
    openings: OpeningIndex,
    digests: HashSet<u64>,
    duplicates: u64,
    leave_duplicates_out: bool,
}

impl Standings {
    /// Standings that count games with the same digest once.
    pub fn without_duplicates() -> Self {
        Self {
            leave_duplicates_out: true,
            ..Self::default()
        }
    }

    /// Adds one game. Returns `false` if it was left out as a duplicate.
    pub fn add(&mut self, game: &RatedGame<'_>) -> bool {
        self.add_with_opening(game, "")
    }

    /// Adds one game that began from this opening; an empty one is not known. Returns `false` if the game was
    /// left out as a duplicate.
    pub fn add_with_opening(&mut self, game: &RatedGame<'_>, opening: &str) -> bool {
        if let Some(digest) = game.digest
            && self.is_duplicate(digest)
        {
            self.duplicates += 1;
            if self.leave_duplicates_out {
                return false;
            }
        }
        let seats = game.names.map(|name| self.add_player(name));
        let first_score = Score::of_first(game.result);
        let scores = match first_score {
            Some(score) => [score, score.reversed()],
            None => [Score::Loss, Score::Loss],
        };
        let forfeited = Seat::BOTH.map(|seat| game.blame.includes(seat));
        for seat in [0, 1] {
            let player = &mut self.players[seats[seat]];
            player.tally.count(scores[seat]);
            player.forfeits += u64::from(forfeited[seat]);
            let forfeit_win = forfeited[1 - seat] && scores[seat] == Score::Win;
            player.forfeit_wins += u64::from(forfeit_win);
        }
        // A player against itself does not show who is stronger.
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
        meeting.by_seat[swapped].count(score);
        let mut completed = None;
        if let Some(pair) = game.pair {
            match self.incomplete_pairs.entry((pair, at as u64)) {
                Entry::Vacant(entry) => {
                    entry.insert((swapped, score));
                }
                Entry::Occupied(entry) if entry.get().0 != swapped => {
                    let (_, other) = entry.remove();
                    let [first, second] = match swapped {
                        0 => [score, other],
                        _ => [other, score],
                    };
                    meeting.pairs[first as usize][second as usize] += 1;
                    completed = Some([first, second]);
                }
                // Two games in the same seats are not a game pair.
                Entry::Occupied(_) => {}
            }
        }
        if !opening.is_empty() {
            self.openings.add(opening, at, (swapped, score), completed);
        }
        true
    }

    /// The openings of the games, in the order in which they were first added.
    pub fn openings(&self) -> &[String] {
        &self.openings.names
    }

    /// Games by opening and meeting, in the order in which they were first added.
    pub(super) fn opening_games(&self) -> impl Iterator<Item = &OpeningGames> {
        self.openings.games.iter()
    }

    /// Whether a game with this digest was added before. Remembers the digest while there is room.
    fn is_duplicate(&mut self, digest: u64) -> bool {
        if self.leave_duplicates_out || self.digests.len() < MAX_DIGESTS {
            return !self.digests.insert(digest);
        }
        self.digests.contains(&digest)
    }

    /// The index of the player with this name, who is added if there is none.
    pub fn add_player(&mut self, name: &str) -> usize {
        if let Some(index) = self.index.get(name) {
            return *index;
        }
        self.players.push(PlayerStanding {
            name: name.to_owned(),
            ..PlayerStanding::default()
        });
        self.index.insert(name.to_owned(), self.players.len() - 1);
        self.players.len() - 1
    }

    /// The index of the meeting of two players, which is added if there is none.
    fn meeting(&mut self, low: usize, high: usize) -> usize {
        let next = self.meetings.len();
        let at = if high < EARLY_PLAYERS {
            let cell = early_cell(low, high);
            if cell >= self.early_meetings.len() {
                self.early_meetings.resize(early_cell(0, high + 1), 0);
            }
            let known = &mut self.early_meetings[cell];
            if *known == 0 {
                *known = next as u32 + 1;
            }
            *known as usize - 1
        } else {
            *self.meeting_index.entry(key(low, high)).or_insert(next)
        };
        if at == next {
            self.meetings.push(Meeting {
                players: [low, high],
                ..Meeting::default()
            });
        }
        at
    }

    /// The index of the meeting of two players, if they met.
    fn find_meeting(&self, low: usize, high: usize) -> Option<usize> {
        if low == high {
            return None;
        }
        match high < EARLY_PLAYERS {
            true => {
                let known = *self.early_meetings.get(early_cell(low, high))? as usize;
                known.checked_sub(1)
            }
            false => self.meeting_index.get(&key(low, high)).copied(),
        }
    }

    /// All players, in the order in which they were added.
    pub fn players(&self) -> &[PlayerStanding] {
        &self.players
    }

    /// The indices of all players, ordered by name.
    pub(super) fn by_name(&self) -> Vec<usize> {
        let mut players: Vec<usize> = (0..self.players.len()).collect();
        players.sort_by_key(|player| &self.players[*player].name);
        players
    }

    /// The index of the player with this name, if there is one.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.index.get(name).copied()
    }

    /// All meetings, in the order in which the players first met.
    pub fn meetings(&self) -> &[Meeting] {
        &self.meetings
    }

    /// The results of `player` against `other`; an empty tally if they have not met. Games that both
    /// forfeited count as lost.
    pub fn against(&self, player: usize, other: usize) -> Tally {
        let Some(at) = self.find_meeting(player.min(other), player.max(other)) else {
            return Tally::default();
        };
        self.meetings[at].tally_of(usize::from(player > other))
    }

    /// How many games there are.
    pub fn games(&self) -> u64 {
        let seats: u64 = self.players.iter().map(|player| player.tally.games()).sum();
        seats / 2
    }

    /// How many games were the same, action by action, as an earlier one. There can be more of them
    /// if [`Standings::may_miss_duplicates`].
    pub fn duplicates(&self) -> u64 {
        self.duplicates
    }

    /// Whether there were more different games than digests that are kept.
    pub fn may_miss_duplicates(&self) -> bool {
        !self.leave_duplicates_out && self.digests.len() >= MAX_DIGESTS
    }

    /// Whether duplicates were left out.
    pub fn duplicates_left_out(&self) -> bool {
        self.leave_duplicates_out
    }

    /// Points per game, and points: what orders the players.
    pub fn points_of(&self, player: usize) -> [f64; 2] {
        let tally = &self.players[player].tally;
        match tally.games() {
            0 => [0.0; 2],
            games => [tally.points() / games as f64, tally.points()],
        }
    }

    /// The indices of all players, best first: by points per game, then by points, then by name.
    pub fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.players.len()).collect();
        order.sort_by(|a, b| {
            let ([a_score, a_points], [b_score, b_points]) =
                (self.points_of(*a), self.points_of(*b));
            let by_points = b_score.total_cmp(&a_score);
            by_points
                .then(b_points.total_cmp(&a_points))
                .then_with(|| self.players[*a].name.cmp(&self.players[*b].name))
        });
        order
    }
}

/// How many of the players who were added first have their meetings in a table.
const EARLY_PLAYERS: usize = 2048;

/// The place of two different players in that table.
fn early_cell(low: usize, high: usize) -> usize {
    high * high.saturating_sub(1) / 2 + low
}

/// Two indices in one number. There are never 2³² players.
pub(super) fn key(low: usize, high: usize) -> u64 {
    (low as u64) << 32 | high as u64
}

/// A fast hash for keys that are indices, which nobody outside can choose: Fibonacci hashing (Knuth,
/// *The Art of Computer Programming* 3, section 6.4).
#[derive(Debug, Clone, Default)]
pub(super) struct IndexHasher(u64);

impl Hasher for IndexHasher {
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
