//! Counts blocks: its size grows with the different blocks, not with the games.
//!
//! A *block* is the games of one start, one for each rotation of its players around the seats. Blocks of equal players
//! with equal games are counted, so that a million games of a match take no more memory than ten.

use std::borrow::Borrow;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hash, Hasher};

use super::kind::GameKind;
use crate::game::MOST_SEATS;

/// A fast hash for numbers that no player can choose: Fibonacci hashing (Knuth, *The Art of Computer Programming*
/// 3, section 6.4).
#[derive(Debug, Clone, Default)]
pub struct IndexHasher(u64);

impl Hasher for IndexHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for part in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..part.len()].copy_from_slice(part);
            self.write_u64(u64::from_le_bytes(word));
        }
    }

    fn write_u8(&mut self, value: u8) {
        self.write_u64(value.into());
    }

    fn write_usize(&mut self, value: usize) {
        self.write_u64(value as u64);
    }

    fn write_u32(&mut self, value: u32) {
        self.write_u64(value.into());
    }

    fn write_u64(&mut self, value: u64) {
        let mixed = (self.0 ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = mixed ^ mixed >> 32;
    }
}

pub type ByIndex<K, V> = HashMap<K, V, BuildHasherDefault<IndexHasher>>;

/// Distinct values, numbered in the order of their first use.
#[derive(Debug, Clone)]
pub struct Numbered<T> {
    pub all: Vec<T>,
    numbers: ByIndex<T, u32>,
}

impl<T> Default for Numbered<T> {
    fn default() -> Self {
        Self {
            all: Vec::new(),
            numbers: HashMap::default(),
        }
    }
}

impl<T: Eq + Hash> Numbered<T> {
    pub fn number<Q>(&mut self, value: &Q) -> u32
    where
        T: Borrow<Q>,
        Q: Eq + Hash + ToOwned<Owned = T> + ?Sized,
    {
        if let Some(known) = self.numbers.get(value) {
            return *known;
        }
        let number = self.all.len() as u32;
        self.all.push(value.to_owned());
        self.numbers.insert(value.to_owned(), number);
        number
    }
}

/// The players of a block: two, in ascending order, or the number of a larger set.
pub type Key = [u32; 2];

/// The first part of the key of a larger set. There are never as many players.
pub const LARGER: u32 = u32::MAX;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cell {
    pub players: Key,
    /// Number of the list of games.
    pub shape: u32,
    /// Number of the opening, from 1; 0 if it is not known.
    pub opening: u32,
    pub count: u32,
}

impl Cell {
    /// In one number: cells are compared often.
    fn key(&self) -> u128 {
        let [low, high] = self.players;
        let parts = [low, high, self.shape, self.opening];
        parts
            .iter()
            .fold(0, |key, part| key << 32 | u128::from(*part))
    }
}

#[derive(Debug, Clone, Copy)]
struct Alike {
    kinds: [u32; MOST_SEATS],
    count: u8,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BlockKey {
    Alone,
    Numbered(u64),
    /// To the block of exactly as many games that began alike as the game has seats, each player once in each seat. More
    /// are none: only their order could say which belong together.
    Alike(u64),
}

type OpenKey = (u64, Key, u32);

/// Cells that are not sorted in yet: at least so many, and at least this part of the sorted ones.
const RECENT: [usize; 2] = [1 << 15, 3];

/// Upper bound on cells by opening. Where there are more, the openings are forgotten, so that memory is limited.
const MOST_BY_OPENING: usize = 1 << 18;

#[derive(Debug, Clone, Default)]
pub struct BlockCounter {
    larger: Numbered<Vec<u32>>,
    pub kinds: Numbered<GameKind>,
    /// Lists of games, each in ascending order.
    pub shapes: Numbered<Vec<u32>>,
    /// Strangers choose these, so their hash is a keyed one.
    openings: HashMap<String, u32>,
    has_forgotten_openings: bool,
    open: ByIndex<OpenKey, Alike>,
    alike: ByIndex<OpenKey, Alike>,
    sorted: Vec<Cell>,
    recent: Vec<Cell>,
}

impl BlockCounter {
    /// Adds a game of these players, at least two, in ascending order. They are the members in `kind`.
    pub fn add(&mut self, players: &[u32], kind: GameKind, block: BlockKey, opening: &str) {
        let group = match *players {
            [low, high] => [low, high],
            _ => [LARGER, self.larger.number(players)],
        };
        let opening = match opening {
            "" => 0,
            _ if self.has_forgotten_openings => 0,
            name => match self.openings.get(name) {
                Some(known) => *known,
                None => {
                    let next = self.openings.len() as u32 + 1;
                    self.openings.insert(name.to_owned(), next);
                    next
                }
            },
        };
        let seats = kind.seats();
        let kind = self.kinds.number(&kind);
        match block {
            BlockKey::Alone => self.count(group, opening, &[kind]),
            BlockKey::Numbered(number) => {
                let key = (number, group, opening);
                let block = self.open.entry(key).or_insert(Alike::NONE);
                block.add(kind);
                if usize::from(block.count) == seats {
                    let whole = *block;
                    self.open.remove(&key);
                    self.count(group, opening, whole.kinds());
                }
            }
            BlockKey::Alike(number) => {
                let block = self.alike.entry((number, group, opening));
                let block = block.or_insert(Alike::NONE);
                match usize::from(block.count) {
                    count if count < seats => block.add(kind),
                    count if count == seats => {
                        let no_block = *block;
                        block.count = Alike::TOO_MANY;
                        for kind in no_block.kinds().iter().chain([&kind]) {
                            self.count(group, opening, &[*kind]);
                        }
                    }
                    _ => self.count(group, opening, &[kind]),
                }
            }
        }
    }

    fn count(&mut self, players: Key, opening: u32, kinds: &[u32]) {
        let mut sorted = [0; MOST_SEATS];
        let sorted = &mut sorted[..kinds.len()];
        sorted.copy_from_slice(kinds);
        sorted.sort_unstable();
        let shape = self.shapes.number(&*sorted);
        self.recent.push(Cell {
            players,
            shape,
            opening,
            count: 1,
        });
        if self.recent.len() >= RECENT[0].max(self.sorted.len() / RECENT[1]) {
            self.sort_in();
        }
    }

    fn sort_in(&mut self) {
        self.recent.sort_unstable_by_key(Cell::key);
        // Growing as vectors do would take twice the memory.
        self.sorted.reserve_exact(self.recent.len());
        self.sorted.append(&mut self.recent);
        merge(&mut self.sorted);
        if self.sorted.len() > MOST_BY_OPENING && !self.openings.is_empty() {
            self.forget_openings();
        }
    }

    fn forget_openings(&mut self) {
        self.has_forgotten_openings = true;
        self.openings = HashMap::new();
        self.sorted.iter_mut().for_each(|cell| cell.opening = 0);
        merge(&mut self.sorted);
        for blocks in [&mut self.open, &mut self.alike] {
            let known: Vec<_> = blocks.drain().collect();
            blocks.extend(
                known
                    .into_iter()
                    .map(|((number, group, _), it)| ((number, group, 0), it)),
            );
        }
    }

    pub fn players<'a>(&'a self, key: &'a Key) -> &'a [u32] {
        match key {
            [LARGER, number] => &self.larger.all[*number as usize],
            two => two,
        }
    }

    /// The names of the openings with their numbers, and whether there were too many to keep.
    pub fn openings(&self) -> (&HashMap<String, u32>, bool) {
        (&self.openings, self.has_forgotten_openings)
    }

    /// Takes out all cells, some of them twice. Blocks that are not whole yet count with the games that they have.
    pub fn take_cells(&mut self) -> Vec<Cell> {
        self.sort_in();
        let mut more = Vec::with_capacity(self.open.len() + self.alike.len());
        for ((_, group, opening), block) in &self.open {
            let mut kinds = block.kinds().to_vec();
            kinds.sort_unstable();
            more.push((*group, *opening, kinds));
        }
        for ((_, group, opening), block) in &self.alike {
            if block.count == Alike::TOO_MANY {
                continue;
            }
            let mut kinds = block.kinds().to_vec();
            kinds.sort_unstable();
            match self.is_rotation(&kinds) {
                true => more.push((*group, *opening, kinds)),
                false => more.extend(kinds.into_iter().map(|kind| (*group, *opening, vec![kind]))),
            }
        }
        let cell = |(players, opening, kinds): (Key, u32, Vec<u32>)| Cell {
            players,
            shape: self.shapes.number(kinds.as_slice()),
            opening,
            count: 1,
        };
        let more: Vec<Cell> = more.into_iter().map(cell).collect();
        let mut cells = std::mem::take(&mut self.sorted);
        cells.reserve_exact(more.len());
        cells.extend(more);
        cells
    }

    /// Whether these games have each member once in each seat.
    fn is_rotation(&self, kinds: &[u32]) -> bool {
        let kinds = || kinds.iter().map(|kind| &self.kinds.all[*kind as usize]);
        is_rotation(kinds())
    }
}

/// Whether these games have each member equally often in each seat.
pub fn is_rotation<'a>(kinds: impl Iterator<Item = &'a GameKind> + Clone) -> bool {
    let Some(first) = kinds.clone().next() else {
        return false;
    };
    let members = |seat: usize| {
        let mut members: Vec<u8> = kinds.clone().map(|kind| kind.members()[seat]).collect();
        members.sort_unstable();
        members
    };
    let mut all: Vec<u8> = first.members().to_vec();
    all.sort_unstable();
    kinds.clone().all(|kind| kind.seats() == first.seats())
        && (0..first.seats()).all(|seat| members(seat) == all)
}

impl Alike {
    const NONE: Self = Self {
        kinds: [0; MOST_SEATS],
        count: 0,
    };

    const TOO_MANY: u8 = u8::MAX;

    fn add(&mut self, kind: u32) {
        self.kinds[usize::from(self.count)] = kind;
        self.count += 1;
    }

    fn kinds(&self) -> &[u32] {
        match self.count {
            Self::TOO_MANY => &[],
            count => &self.kinds[..usize::from(count)],
        }
    }
}

/// Sorts cells, and counts equal ones as one. Cells that are sorted already, with more behind them, take little time.
pub fn merge(cells: &mut Vec<Cell>) {
    cells.sort_by_key(Cell::key);
    cells.dedup_by(|cell, kept| {
        let is_known = cell.key() == kept.key();
        if is_known {
            kept.count = kept.count.saturating_add(cell.count);
        }
        is_known
    });
}
