//! Policy for syncing the journal to the disk, so that rows survive a power cut.

use std::time::{Duration, Instant};

/// Frequency of syncs. It matters for power cuts only: a killed run loses nothing, since the system has
/// each row as soon as the game is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Durability {
    /// No sync: the system writes back when it likes.
    #[default]
    System,
    /// At most a second after a row, with all rows since.
    Second,
    /// The log of each game before its row, and each row before the next one.
    Game,
}

/// Maximum wait of a row with [`Durability::Second`].
const PATIENCE: Duration = Duration::from_secs(1);

/// Decides when rows are synced.
#[derive(Debug)]
pub(in crate::runs) struct Timer {
    durability: Durability,
    /// Time of the first unsynced row.
    since: Option<Instant>,
}

impl Timer {
    pub fn new(durability: Durability) -> Self {
        Self {
            durability,
            since: None,
        }
    }

    /// Notes that a row was written at `now`.
    pub fn written(&mut self, now: Instant) {
        self.since.get_or_insert(now);
    }

    /// Deadline of the next sync; `None` if no row waits.
    pub fn deadline(&self) -> Option<Instant> {
        match self.durability {
            Durability::Second => Some(self.since? + PATIENCE),
            // Either there are no syncs, or every row is synced at once.
            Durability::System | Durability::Game => None,
        }
    }

    /// Whether a sync is due at `now`, or at the `end` of the run. If so, the caller must sync: waiting
    /// rows count as synced from then on.
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
