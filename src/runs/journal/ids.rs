//! Compact sets and maps of games by number: a journal may have millions.

use std::collections::BTreeMap;

/// Numbers per page of a set. A run numbers its games almost without gaps, but a file from elsewhere may have
/// any numbers, so pages are allocated on demand.
const PAGE: u64 = 1024;

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
}
