//! Statistics of the games for the pages, in one pass over the journal. Memory grows with the players and
//! pairings, not with the games.

use std::collections::{BTreeMap, HashMap};

use super::openings::Openings;
use crate::clock::Measure;
use crate::game::{GameResult, Seat};
use crate::report::Forfeits;
use crate::results::{ResultRow, Results};
use crate::runs::{GameRow, RecordError, Run};
use crate::text::excerpt;
use crate::units::micros;

/// Upper bound on the games kept for a player and a result. The lowest game numbers are kept.
pub(super) const KEPT: usize = 100;

/// Maximum length of the reason why a game ended, in characters.
const EXCERPT: usize = 300;

/// Number of histogram classes between 0 and the limit.
pub(super) const CLASSES: usize = 20;

/// The games of a run.
#[derive(Debug, Default)]
pub(super) struct Gathered {
    pub results: Results,
    pub forfeits: Forfeits,
    /// Number of games.
    pub games: u64,
    /// Date of the last game's end.
    pub last_date: String,
    /// Number of games by plies, by the name of the game.
    pub lengths: BTreeMap<&'static str, BTreeMap<u32, u64>>,
    /// Results by opening, by the name of the game.
    pub openings: BTreeMap<&'static str, Openings>,
    /// The players of the manifest, in its order.
    pub players: Vec<PlayerGames>,
}

/// The games of a player.
#[derive(Debug, Default)]
pub(super) struct PlayerGames {
    pub forfeited: Kept,
    /// Lost without a forfeit.
    pub lost: Kept,
    pub drawn: Kept,
    pub won: Kept,
    /// Time and memory used, by the name of the game.
    pub usage: BTreeMap<&'static str, Usage>,
}

/// The first games with some result, and the number of all.
#[derive(Debug, Default)]
pub(super) struct Kept {
    pub games: BTreeMap<u64, KeptGame>,
    pub count: u64,
}

/// A game, seen by one of its players.
#[derive(Debug)]
pub(super) struct KeptGame {
    pub game: &'static str,
    pub seat: &'static str,
    pub opponent: String,
    pub plies: u32,
    pub termination: &'static str,
    /// Why it ended, or what the player did wrong.
    pub why: String,
    /// Whether its log is kept, so that it can be replayed.
    pub logged: bool,
}

/// Time and memory of a player in the games of one kind.
#[derive(Debug)]
pub(super) struct Usage {
    /// Measure of the player's clock.
    pub measure: Measure,
    /// Time per game in microseconds, by that measure.
    pub time: Amounts,
    /// Peak memory per game in KiB.
    pub memory: Amounts,
}

/// Distribution of an amount per game.
#[derive(Debug, Default)]
pub(super) struct Amounts {
    /// Limit per game, if there is one.
    pub limit: Option<u64>,
    pub games: u64,
    pub sum: f64,
    pub most: u64,
    /// The game with the most.
    pub most_in: u64,
    /// Whether its log is kept.
    pub most_in_logged: bool,
    /// Number of games that used up to 1/20, 2/20 and so on of the limit.
    pub classes: [u64; CLASSES],
}

impl Amounts {
    fn add(&mut self, amount: u64, id: u64, logged: bool) {
        if self.games == 0 || amount > self.most {
            (self.most, self.most_in, self.most_in_logged) = (amount, id, logged);
        }
        self.games += 1;
        self.sum += amount as f64;
        if let Some(limit) = self.limit.filter(|limit| *limit > 0) {
            let class = (amount as f64 / limit as f64 * CLASSES as f64) as usize;
            self.classes[class.min(CLASSES - 1)] += 1;
        }
    }

    pub fn mean(&self) -> f64 {
        self.sum / self.games.max(1) as f64
    }
}

impl Kept {
    fn add(&mut self, id: u64, game: impl FnOnce() -> KeptGame) {
        self.count += 1;
        let is_early = |last: &u64| id < *last;
        if self.games.len() < KEPT || self.games.keys().next_back().is_some_and(is_early) {
            self.games.insert(id, game());
        }
        if self.games.len() > KEPT {
            self.games.pop_last();
        }
    }
}

/// Reads the journal of a run.
///
/// # Errors
/// The journal cannot be read.
pub(super) fn gather(run: &Run) -> Result<Gathered, RecordError> {
    let names = run.player_names();
    let index: HashMap<&str, usize> = names.iter().copied().zip(0..).collect();
    let mut all = Gathered::default();
    all.players.resize_with(names.len(), PlayerGames::default);
    for row in run.rows()? {
        let row = row?;
        all.games += 1;
        all.results.add(&ResultRow::from(&row));
        all.forfeits.add(&row);
        if row.date > all.last_date {
            all.last_date.clone_from(&row.date);
        }
        let lengths = all.lengths.entry(row.game.name()).or_default();
        *lengths.entry(row.end.plies).or_default() += 1;
        all.openings.entry(row.game.name()).or_default().add(&row);
        for seat in Seat::BOTH {
            let name = row.players[seat.index()].as_str();
            if let Some(player) = index.get(name) {
                all.players[*player].add(run, &row, seat);
            }
        }
    }
    Ok(all)
}

impl PlayerGames {
    fn add(&mut self, run: &Run, row: &GameRow, seat: Seat) {
        let forfeited = row.end.blame().includes(seat);
        let games = match row.end.result {
            _ if forfeited => &mut self.forfeited,
            GameResult::Won(winner) if winner == seat => &mut self.won,
            GameResult::Won(_) | GameResult::Nobody => &mut self.lost,
            GameResult::Drawn => &mut self.drawn,
        };
        let logged = run.keeps_log(row);
        games.add(row.id, || KeptGame {
            game: row.game.name(),
            seat: row.game.seat_name(seat),
            opponent: row.players[seat.other().index()].clone(),
            plies: row.end.plies,
            termination: row.end.termination.name(),
            why: match row.end.fault(seat) {
                Some(fault) => excerpt(&fault.to_string(), EXCERPT),
                None => excerpt(&row.end.why(row.game), EXCERPT),
            },
            logged,
        });
        let name = row.players[seat.index()].as_str();
        let game = row.game.name();
        let usage = self.usage.entry(game).or_insert_with(|| usage(run, name));
        let spent = row.end.spent[seat.index()];
        let time = match usage.measure {
            Measure::Cpu => spent.cpu,
            Measure::Wall => spent.wall,
        };
        usage.time.add(micros(time), row.id, logged);
        if let Some(kib) = row.peak_kib[seat.index()] {
            usage.memory.add(kib, row.id, logged);
        }
    }
}

/// Nothing used yet, and the limits of a player.
fn usage(run: &Run, name: &str) -> Usage {
    let manifest = run.manifest();
    let own = manifest.player(name).and_then(|it| it.limits.as_ref());
    let memory = own.unwrap_or(&manifest.limits).memory;
    let limited = |limit| Amounts {
        limit,
        ..Amounts::default()
    };
    let clock = manifest.time_of(name);
    Usage {
        measure: clock.measure,
        time: limited(clock.per_game.map(micros)),
        memory: limited(memory.map(|bytes| bytes / 1024)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_games_with_the_lowest_numbers_are_kept() {
        let mut kept = Kept::default();
        let game = || KeptGame {
            game: "cachex",
            seat: "red",
            opponent: String::new(),
            plies: 1,
            termination: "rules",
            why: String::new(),
            logged: true,
        };
        for id in (0..1000).rev() {
            kept.add(id, game);
        }
        assert_eq!((kept.count, kept.games.len()), (1000, KEPT));
        assert!(kept.games.keys().copied().eq(0..KEPT as u64));
    }

    #[test]
    fn amounts_are_sorted_by_their_part_of_the_limit() {
        let mut amounts = Amounts {
            limit: Some(100),
            ..Amounts::default()
        };
        for (amount, id) in [(0, 0), (4, 1), (5, 2), (99, 3), (250, 4)] {
            amounts.add(amount, id, true);
        }
        assert_eq!((amounts.most, amounts.most_in), (250, 4));
        assert_eq!(amounts.classes[0], 2);
        assert_eq!(amounts.classes[1], 1);
        assert_eq!(amounts.classes[CLASSES - 1], 2);
    }
}
