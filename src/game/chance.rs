//! A source of chance.

/// A source of chance, handed to whatever needs some.
pub trait Chance {
    /// A number in `0..bound`, each equally likely. `bound` is at least 1.
    fn below(&mut self, bound: u32) -> u32;
}

/// Shuffles `items`, with every order equally likely (Fisher and Yates, from the end).
pub fn shuffle<T>(items: &mut [T], chance: &mut dyn Chance) {
    for last in (1..items.len()).rev() {
        items.swap(last, chance.below(last as u32 + 1) as usize);
    }
}
