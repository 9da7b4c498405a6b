//! What everybody scored, and against whom.

use std::collections::BTreeMap;

/// Results of one player against another, or against all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tally {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost, those that both players forfeited included.
    pub losses: u64,
}

impl Tally {
    /// All games.
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// A point for a win, half a point for a draw.
    pub fn points(&self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// Counts a game worth `points` to the player.
    fn count(&mut self, points: f64) {
        if points >= 1.0 {
            self.wins += 1;
        } else if points > 0.0 {
            self.draws += 1;
        } else {
            self.losses += 1;
        }
    }
}

/// One player's line in the standings.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Line {
    /// The player's name.
    pub name: String,
    /// Its results against all.
    pub tally: Tally,
    /// How many of its losses were forfeits of its own.
    pub forfeits: u64,
}

/// The results of a set of games, by player and by pairing. Its size grows with the number of
/// pairings, not of games.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Standings {
    lines: Vec<Line>,
    index: BTreeMap<String, usize>,
    met: BTreeMap<(usize, usize), Tally>,
}

impl Standings {
    /// Adds one game between two players, with the points of each and who forfeited it.
    pub fn add(&mut self, names: [&str; 2], points: [f64; 2], forfeited: [bool; 2]) {
        let players = names.map(|name| self.player(name));
        for seat in [0, 1] {
            let (player, other) = (players[seat], players[1 - seat]);
            self.lines[player].tally.count(points[seat]);
            self.lines[player].forfeits += u64::from(forfeited[seat]);
            self.met
                .entry((player, other))
                .or_default()
                .count(points[seat]);
        }
    }

    /// The index of a player, who is entered if new.
    pub fn player(&mut self, name: &str) -> usize {
        if let Some(index) = self.index.get(name) {
            return *index;
        }
        self.lines.push(Line {
            name: name.to_owned(),
            ..Line::default()
        });
        self.index.insert(name.to_owned(), self.lines.len() - 1);
        self.lines.len() - 1
    }

    /// All players, in the order in which they were entered.
    pub fn lines(&self) -> &[Line] {
        &self.lines
    }

    /// The results of `player` against `other`; nothing where they have not met.
    pub fn against(&self, player: usize, other: usize) -> Tally {
        self.met.get(&(player, other)).copied().unwrap_or_default()
    }

    /// All pairings, each once, with the results of the first named.
    pub fn pairings(&self) -> impl Iterator<Item = ((usize, usize), Tally)> + '_ {
        self.met
            .iter()
            .filter(|((player, other), _)| player < other)
            .map(|(players, tally)| (*players, *tally))
    }

    /// The indices of all players, best first: by share of the points, then by points, then by
    /// name.
    pub fn order(&self) -> Vec<usize> {
        let share = |line: &Line| match line.tally.games() {
            0 => 0.0,
            games => line.tally.points() / games as f64,
        };
        let mut order: Vec<usize> = (0..self.lines.len()).collect();
        order.sort_by(|a, b| {
            let (a, b) = (&self.lines[*a], &self.lines[*b]);
            share(b)
                .total_cmp(&share(a))
                .then(b.tally.points().total_cmp(&a.tally.points()))
                .then_with(|| a.name.cmp(&b.name))
        });
        order
    }
}
