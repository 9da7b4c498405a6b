//! When what was written is brought to the disk itself, so that it outlives a power cut.

use std::time::{Duration, Instant};

/// How often the journal is brought to the disk. Whatever is chosen, a run that is killed loses
/// nothing: the system has each row as soon as the game is over. This is about the power.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Durability {
    /// When the system decides to.
    #[default]
    System,
    /// A second after a row came in, at the latest, all rows since then together.
    Second,
    /// The log of each game before its row, and each row before the next.
    Game,
}

/// How long a row may wait for others with [`Durability::Second`].
const PATIENCE: Duration = Duration::from_secs(1);

/// Tells when rows are to be brought to the disk.
#[derive(Debug)]
pub(super) struct Timer {
    durability: Durability,
    /// When the first row came in of those that are not on the disk.
    since: Option<Instant>,
}

impl Timer {
    pub fn new(durability: Durability) -> Self {
        Self {
            durability,
            since: None,
        }
    }

    /// A row was written at `now`.
    pub fn written(&mut self, now: Instant) {
        self.since.get_or_insert(now);
    }

    /// When rows that wait must be brought to the disk; `None` if none wait.
    pub fn deadline(&self) -> Option<Instant> {
        match self.durability {
            Durability::Second => Some(self.since? + PATIENCE),
            // The system decides, or the rows are there already.
            Durability::System | Durability::Game => None,
        }
    }

    /// Whether rows wait that are to be brought to the disk at `now`, or at the `end` of the run.
    /// They are taken to be there from then on.
    pub fn due(&mut self, now: Instant, end: bool) -> bool {
        let due = self.since.is_some_and(|since| match self.durability {
            Durability::System => false,
            Durability::Second => end || now.saturating_duration_since(since) >= PATIENCE,
            Durability::Game => true,
        });
        if due {
            self.since = None;
        }
        due
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Which of these moments, in milliseconds, see the journal brought to the disk. A row is
    /// written at each that is marked.
    fn synced(durability: Durability, moments: &[(u64, bool)]) -> Vec<u64> {
        let begun = Instant::now();
        let mut timer = Timer::new(durability);
        let mut synced = Vec::new();
        for (at, written) in moments {
            let now = begun + Duration::from_millis(*at);
            if *written {
                timer.written(now);
            }
            if timer.due(now, false) {
                synced.push(*at);
            }
        }
        if timer.due(begun, true) {
            synced.push(u64::MAX);
        }
        synced
    }

    #[test]
    fn each_policy_syncs_when_it_says() {
        let rows = [
            (0, true),
            (400, true),
            (999, false),
            (1000, false),
            (1900, true),
            (2000, true),
            (2899, true),
            (2900, true),
            (5000, false),
            (5100, true),
        ];
        assert_eq!(synced(Durability::System, &rows), [0; 0]);
        assert_eq!(synced(Durability::Second, &rows), [1000, 2900, u64::MAX]);
        assert_eq!(
            synced(Durability::Game, &rows),
            [0, 400, 1900, 2000, 2899, 2900, 5100]
        );
    }
}
