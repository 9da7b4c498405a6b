//! The games of one kind with more than two seats.

use std::collections::{HashMap, HashSet};

use super::row::ResultRow;
use crate::game::{Blame, MOST_SEATS, Places, Seat};
use crate::rating::{PlacedGame, PlacedSeat};

/// The results of one player at tables of more than two. A player with several seats of a game has a game for each.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TablePlayer {
    /// The player's name.
    pub name: String,
    /// Its games.
    pub games: u64,
    /// Its points: a game is worth the share of its opponents that the player has beaten.
    pub points: f64,
    /// Games that it forfeited.
    pub forfeits: u64,
}

impl TablePlayer {
    /// The mean share of opponents beaten; 0 without games.
    pub fn share(&self) -> f64 {
        self.points / self.games.max(1) as f64
    }
}

/// Upper bound on the digests that are kept to recognise duplicates, so that memory does not grow with the games.
/// Where duplicates are left out, all digests are kept.
const MAX_DIGESTS: usize = 100_000;

/// The games of one kind with more than two seats, with what their ratings need: a game of four takes 80 bytes.
#[derive(Debug, Clone, Default)]
pub struct TableGames {
    players: Vec<TablePlayer>,
    index: HashMap<String, usize>,
    games: Vec<KeptGame>,
    /// The seats of all games, one game after the other.
    seats: Vec<KeptSeat>,
    /// Points of the seats by the rules. Empty if no game has any, and NaN where one has none.
    points: Vec<f64>,
    forfeited: u64,
    digests: HashSet<u64>,
    duplicates: u64,
    leave_duplicates_out: bool,
}

#[derive(Debug, Clone, Copy)]
struct KeptGame {
    block: u64,
    seats: u8,
    stopped: bool,
}

#[derive(Debug, Clone, Copy)]
struct KeptSeat {
    player: u32,
    place: u8,
    forfeited: bool,
}

impl TableGames {
    /// Games that count once where their digests are equal.
    pub(super) fn without_duplicates() -> Self {
        Self {
            leave_duplicates_out: true,
            ..Self::default()
        }
    }

    /// Adds one game, of this block and with this digest of the actions. Returns `false` if it was left out as a
    /// duplicate.
    pub(super) fn add(&mut self, row: &ResultRow<'_>, block: u64, digest: Option<u64>) -> bool {
        if digest.is_some_and(|digest| self.is_duplicate(digest)) {
            self.duplicates += 1;
            if self.leave_duplicates_out {
                return false;
            }
        }
        let count = row.names.count();
        let has_forfeited = |seat: Seat| row.blame.includes(seat);
        let places = row.result.places(count);
        for (seat, place) in places.iter() {
            let player = self.add_player(row.names[seat]);
            let own = &mut self.players[player];
            own.games += 1;
            own.points += row.result.share(seat);
            own.forfeits += u64::from(has_forfeited(seat));
            self.seats.push(KeptSeat {
                player: player as u32,
                place: *place,
                forfeited: has_forfeited(seat),
            });
            if let Some(points) = row.points.as_ref().filter(|_| !has_forfeited(seat)) {
                self.points.resize(self.seats.len() - 1, f64::NAN);
                self.points.push(points[seat]);
            }
        }
        let ends = places
            .iter()
            .map(|(seat, place)| (*place, has_forfeited(seat)));
        // Where seats left, two others at least have played.
        let played = row
            .names
            .seats()
            .filter(|seat| !has_forfeited(*seat))
            .count();
        let was_played = row.blame == Blame::Nobody || row.is_by_rules() && played > 1;
        self.forfeited += u64::from(!was_played);
        self.games.push(KeptGame {
            block,
            seats: count as u8,
            stopped: !row.is_by_rules() && PlacedGame::is_stopped(ends),
        });
        true
    }

    /// These games and players in an order of their own: games arrive in any order, and sums of floating-point numbers
    /// depend on it.
    pub(super) fn sorted(&self) -> Self {
        let mut names: Vec<&String> = self.players.iter().map(|player| &player.name).collect();
        names.sort_unstable();
        let mut sorted = Self {
            players: Vec::new(),
            index: HashMap::new(),
            games: Vec::new(),
            seats: Vec::with_capacity(self.seats.len()),
            points: Vec::with_capacity(self.points.len()),
            forfeited: self.forfeited,
            digests: self.digests.clone(),
            duplicates: self.duplicates,
            leave_duplicates_out: self.leave_duplicates_out,
        };
        for name in names {
            sorted.add_player(name);
        }
        let mut next = 0;
        let mut spans: Vec<(KeptGame, usize)> = Vec::with_capacity(self.games.len());
        for game in &self.games {
            spans.push((*game, next));
            next += usize::from(game.seats);
        }
        let seats_of = |(game, first): &(KeptGame, usize)| *first..first + usize::from(game.seats);
        spans.sort_by_cached_key(|span| {
            let seats = self.seats[seats_of(span)].iter();
            let names = seats.map(|seat| {
                let name = self.players[seat.player as usize].name.as_str();
                (sorted.index[name], seat.place, seat.forfeited)
            });
            (span.0.block, names.collect::<Vec<_>>())
        });
        for span in &spans {
            let seats = seats_of(span);
            let places = self.seats[seats.clone()].iter().map(|seat| seat.place);
            let places = Places::numbered(&places.collect());
            for (at, seat) in seats.zip(Seat::all(MOST_SEATS)) {
                let kept = self.seats[at];
                let player = sorted.index[&self.players[kept.player as usize].name];
                let own = &mut sorted.players[player];
                own.games += 1;
                // Kept places come from a result, so they are valid.
                own.points += places.map_or(0.0, |places| places.share(seat));
                own.forfeits += u64::from(kept.forfeited);
                sorted.seats.push(KeptSeat {
                    player: player as u32,
                    ..kept
                });
                if !self.points.is_empty() {
                    let points = self.points.get(at).copied().unwrap_or(f64::NAN);
                    sorted.points.push(points);
                }
            }
            sorted.games.push(span.0);
        }
        sorted
    }

    fn is_duplicate(&mut self, digest: u64) -> bool {
        if self.leave_duplicates_out || self.digests.len() < MAX_DIGESTS {
            return !self.digests.insert(digest);
        }
        self.digests.contains(&digest)
    }

    fn add_player(&mut self, name: &str) -> usize {
        if let Some(index) = self.index.get(name) {
            return *index;
        }
        self.players.push(TablePlayer {
            name: name.to_owned(),
            ..TablePlayer::default()
        });
        self.index.insert(name.to_owned(), self.players.len() - 1);
        self.players.len() - 1
    }

    /// Number of games.
    pub fn count(&self) -> u64 {
        self.games.len() as u64
    }

    /// Number of games that forfeits decided: one ended the game, or they left one player.
    pub fn forfeited(&self) -> u64 {
        self.forfeited
    }

    /// Number of games that repeat an earlier one action by action. There can be more if [`Self::may_miss_duplicates`].
    pub fn duplicates(&self) -> u64 {
        self.duplicates
    }

    /// Whether there were more different games than digests are kept.
    pub fn may_miss_duplicates(&self) -> bool {
        !self.leave_duplicates_out && self.digests.len() >= MAX_DIGESTS
    }

    /// Whether duplicates were left out.
    pub fn duplicates_left_out(&self) -> bool {
        self.leave_duplicates_out
    }

    /// All players, in the order of their first games.
    pub fn players(&self) -> &[TablePlayer] {
        &self.players
    }

    /// The index of the player with this name, if there is one.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.index.get(name).copied()
    }

    /// The greatest number of seats of a game.
    pub fn most_seats(&self) -> usize {
        let seats = self.games.iter().map(|game| usize::from(game.seats));
        seats.max().unwrap_or_default()
    }

    /// The indices of all players, best first: by the share of opponents beaten, then by points, then by name.
    pub fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.players.len()).collect();
        order.sort_by(|a, b| {
            let (a, b) = (&self.players[*a], &self.players[*b]);
            b.share()
                .total_cmp(&a.share())
                .then(b.points.total_cmp(&a.points))
                .then_with(|| a.name.cmp(&b.name))
        });
        order
    }

    /// The games as ratings see them.
    pub(super) fn placed(&self) -> Vec<PlacedGame> {
        let mut next = 0;
        let games = self.games.iter().map(|game| {
            let first = next;
            next += usize::from(game.seats);
            let seats = (first..next).map(|at| {
                let seat = self.seats[at];
                PlacedSeat {
                    player: seat.player as usize,
                    place: seat.place,
                    points: self.points.get(at).copied().filter(|it| !it.is_nan()),
                    forfeited: seat.forfeited,
                }
            });
            PlacedGame {
                seats: seats.collect(),
                block: game.block,
                stopped: game.stopped,
            }
        });
        games.collect()
    }
}
