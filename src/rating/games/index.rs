//! Keys of hash tables that are indices.

use std::hash::Hasher;

/// Two indices in one number. There are never 2³² players.
pub fn key(low: usize, high: usize) -> u64 {
    (low as u64) << 32 | high as u64
}

/// A fast hash for keys that nobody outside can choose: Fibonacci hashing (Knuth, *The Art of Computer Programming*
/// 3, section 6.4).
#[derive(Debug, Clone, Default)]
pub struct IndexHasher(u64);

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
