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

    /// Counts a meeting of each two players of a seating.
    pub fn seat(&mut self, players: &[usize]) {
        for [one, other] in pairs(players) {
            self.counts[one * self.players + other] += 1;
            self.counts[other * self.players + one] += 1;
        }
    }

    /// Least and greatest number of meetings of any two players.
    #[cfg(test)]
    pub fn extremes(&self) -> [u32; 2] {
        let all = (0..self.players).flat_map(|one| (0..one).map(move |other| self.of(one, other)));
        all.fold([u32::MAX, 0], |[least, most], count| {
            [least.min(count), most.max(count)]
        })
    }
}

/// Each two of these players.
pub fn pairs(players: &[usize]) -> impl Iterator<Item = [usize; 2]> + Clone {
    let before = |at: usize| players[..at].iter();
    (1..players.len()).flat_map(move |at| before(at).map(move |one| [*one, players[at]]))
}
