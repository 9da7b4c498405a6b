//! Compact sets and maps of games by number: a journal may have millions.

use std::collections::BTreeMap;

use super::{Course, Done};
use crate::game::GameResult;

/// Numbers per page of a set. A run numbers its games almost without gaps, but a file from elsewhere may have
/// any numbers, so pages are allocated on demand.
const PAGE: u64 = 1024;

/// Results per page of a map. Results are larger than bits, so pages have fewer.
const DONE_PAGE: u64 = 64;

/// A set of games: a bit for each.
#[derive(Debug, Clone, Default)]
pub struct Ids {
    pages: BTreeMap<u64, [u64; PAGE as usize / 64]>,
}

impl Ids {
    /// Adds a game. Returns whether it is new.
    pub fn insert(&mut self, id: u64) -> bool {
        let (word, bit) = place(id);
        let word = &mut self.pages.entry(id / PAGE).or_default()[word];
        let new = *word & bit == 0;
        *word |= bit;
        new
    }

    /// Adds all games of another set.
    pub fn extend(&mut self, others: &Self) {
        for (page, words) in &others.pages {
            let own = self.pages.entry(*page).or_default();
            own.iter_mut()
                .zip(words)
                .for_each(|(own, other)| *own |= other);
        }
    }

    /// Whether a game is there.
    pub fn contains(&self, id: u64) -> bool {
        let (word, bit) = place(id);
        let page = self.pages.get(&(id / PAGE));
        page.is_some_and(|page| page[word] & bit != 0)
    }

    /// The game with the least number.
    pub fn first(&self) -> Option<u64> {
        let (page, words) = self.pages.first_key_value()?;
        let (bits, word) = words.iter().zip(0_u64..).find(|(bits, _)| **bits != 0)?;
        Some(page * PAGE + 64 * word + u64::from(bits.trailing_zeros()))
    }
}

/// The word and the bit of a game in its page.
fn place(id: u64) -> (usize, u64) {
    let at = id % PAGE;
    ((at / 64) as usize, 1 << (at % 64))
}

/// Results of games by number, sixteen bytes each. A page is freed once all its results are taken.
#[derive(Debug, Clone, Default)]
pub struct DoneGames {
    /// Pages of (number of results, slots). A slot is 0 if empty; the lowest bit marks a result.
    pages: BTreeMap<u64, (usize, [u128; DONE_PAGE as usize])>,
    /// Games that were ever set aside, including games played since.
    set_aside: Ids,
}

/// Widths of the fields of a slot in bits. Round 0 stands for none. With three bits for the result and the
/// mark, they fill 127 of 128.
const COURSE: u32 = 4;
const PLAYER: u32 = 22;
const GAME: u32 = 8;
const PAIR: u32 = 36;
const ROUND: u32 = 32;

impl DoneGames {
    /// Adds the result of a game. Returns `false` and adds nothing if a number is too large for its field.
    pub fn insert(&mut self, id: u64, done: Done) -> bool {
        let [first, second] = done.players.map(|player| player as u64);
        let parts = [
            (done.round.unwrap_or(0), ROUND),
            (done.pair, PAIR),
            (done.game as u64, GAME),
            (first, PLAYER),
            (second, PLAYER),
            (done.course.code(), COURSE),
        ];
        let fit = parts.iter().all(|(part, bits)| part >> bits == 0);
        if !fit {
            return false;
        }
        let result = GameResult::ALL
            .iter()
            .position(|result| *result == done.result);
        // `ALL` has every result.
        let result = result.unwrap_or_default() as u128;
        let packed = parts
            .iter()
            .fold(0, |packed, (part, bits)| packed << bits | u128::from(*part));
        let packed = packed << 3 | result << 1 | 1;
        let (count, page) = self
            .pages
            .entry(id / DONE_PAGE)
            .or_insert((0, [0; DONE_PAGE as usize]));
        let slot = &mut page[(id % DONE_PAGE) as usize];
        *count += usize::from(*slot == 0);
        *slot = packed;
        true
    }

    /// Removes and returns the result of a game, if there is one.
    pub fn take(&mut self, id: u64) -> Option<Done> {
        let key = id / DONE_PAGE;
        let (count, page) = self.pages.get_mut(&key)?;
        let packed = std::mem::take(&mut page[(id % DONE_PAGE) as usize]);
        if packed == 0 {
            return None;
        }
        *count -= 1;
        if *count == 0 {
            self.pages.remove(&key);
        }
        let mut rest = packed >> 3;
        let mut part = |bits: u32| {
            let part = rest & ((1 << bits) - 1);
            rest >>= bits;
            part as u64
        };
        let course = Course::of_code(part(COURSE));
        let [second, first] = [part(PLAYER), part(PLAYER)].map(|player| player as usize);
        Some(Done {
            game: part(GAME) as usize,
            pair: part(PAIR),
            round: Some(part(ROUND)).filter(|round| *round > 0),
            players: [first, second],
            result: GameResult::ALL[(packed >> 1 & 3) as usize],
            course,
        })
    }

    /// Notes that a game was set aside before.
    pub fn add_set_aside(&mut self, id: u64) {
        self.set_aside.insert(id);
    }

    /// Course of a game for the rule on players that never play. A game that was ever set aside is no evidence
    /// about them.
    pub fn course(&self, id: u64, course: Course) -> Course {
        match course {
            Course::Unplayed => course,
            _ if self.set_aside.contains(id) => Course::SetAside,
            _ => course,
        }
    }

    /// Whether the result of a game is there.
    pub fn contains(&self, id: u64) -> bool {
        let page = self.pages.get(&(id / DONE_PAGE));
        page.is_some_and(|(_, page)| page[(id % DONE_PAGE) as usize] != 0)
    }

    /// Number of results.
    pub fn count(&self) -> u64 {
        self.pages.values().map(|(count, _)| *count as u64).sum()
    }

    /// The game with the least number.
    pub fn first(&self) -> Option<u64> {
        let (key, (_, page)) = self.pages.first_key_value()?;
        let at = page.iter().zip(0..).find(|(packed, _)| **packed != 0)?.1;
        Some(key * DONE_PAGE + at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_holds_what_was_put_in() {
        let mut ids = Ids::default();
        assert_eq!(ids.first(), None);
        for id in [u64::MAX, 1 << 40, 1024, 63, 64] {
            assert!(ids.insert(id) && !ids.insert(id));
        }
        assert_eq!(ids.first(), Some(63));
        assert!(ids.contains(1024) && !ids.contains(1023) && !ids.contains(0));
    }

    #[test]
    fn results_come_out_as_they_went_in() {
        let mut games = DoneGames::default();
        let done = |id: u64| Done {
            game: id as usize % 3,
            pair: (1 << PAIR) - 1 - id,
            round: Some((1 << ROUND) - 1).filter(|_| id.is_multiple_of(2)),
            players: [id as usize, (1 << PLAYER) - 1],
            result: GameResult::ALL[id as usize % 4],
            course: Course::of_code(id % 10),
        };
        for id in (0..1000).step_by(3) {
            assert!(games.insert(id, done(id)));
        }
        assert_eq!(games.first(), Some(0));
        for id in 0..1000 {
            assert_eq!(games.take(id), (id % 3 == 0).then(|| done(id)), "{id}");
            assert_eq!(games.take(id), None);
        }
        assert!(games.first().is_none() && games.pages.is_empty());
        let far = Done {
            players: [1 << PLAYER, 1],
            ..done(0)
        };
        assert!(!games.insert(0, far));
    }
}
