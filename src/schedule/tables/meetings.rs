//! How often players met.

/// Number of meetings of each two players.
#[derive(Debug, Clone)]
pub struct Meetings {
    players: usize,
    /// A row per player, with the meetings of this player and each other.
    counts: Vec<u32>,
}

impl Meetings {
    /// No meetings yet.
    pub fn new(players: usize) -> Self {
        Self {
            players,
            counts: vec![0; players * players],
        }
    }

    /// Number of meetings of two players.
    pub fn of(&self, one: usize, other: usize) -> u32 {
        self.counts[one * self.players + other]
    }

    /// Counts one meeting of each two players at a table.
    pub fn seat(&mut self, table: &[usize]) {
        for [one, other] in pairs(table) {
            self.counts[one * self.players + other] += 1;
            self.counts[other * self.players + one] += 1;
        }
    }

    /// Sum of the meetings of each two players at a table.
    pub fn at(&self, table: &[usize]) -> u32 {
        pairs(table).map(|[one, other]| self.of(one, other)).sum()
    }

    /// Least and greatest number of meetings of any two players.
    pub fn extremes(&self) -> [u32; 2] {
        let all = (0..self.players).flat_map(|one| (0..one).map(move |other| self.of(one, other)));
        all.fold([u32::MAX, 0], |[least, most], count| {
            [least.min(count), most.max(count)]
        })
    }
}

/// Each two members of a table.
pub fn pairs(table: &[usize]) -> impl Iterator<Item = [usize; 2]> + Clone {
    let rest = |at: usize| table[..at].iter();
    (1..table.len()).flat_map(move |at| rest(at).map(move |one| [*one, table[at]]))
}
