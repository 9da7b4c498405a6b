//! Reports of an engine about its search, in `info` lines.

use crate::bot::Values;

/// Maximum bytes of the line that is kept of a search.
const LONGEST: usize = 1000;

/// The state of a search as the engine has reported it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct SearchReport {
    /// The score of the best move, with its unit.
    score: Option<Score>,
    depth: Option<i64>,
    nodes: Option<i64>,
    /// In milliseconds.
    time: Option<i64>,
    /// The last line with an exact score of the best move, cut off where it is long.
    line: String,
}

/// A score from the engine's point of view.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Score {
    /// In hundredths of a pawn.
    Centipawns(i64),
    /// In moves until mate; negative where the engine is mated.
    Mate(i64),
}

impl SearchReport {
    /// Forgets the last search.
    pub fn clear(&mut self) {
        let mut line = std::mem::take(&mut self.line);
        line.clear();
        *self = Self {
            line,
            ..Self::default()
        };
    }

    /// The last line with a score; empty without one.
    pub fn line(&self) -> &str {
        &self.line
    }

    /// Gives an answer all known numbers as its values.
    pub fn give(&self, values: &mut Values) {
        let (score, mate) = match self.score {
            Some(Score::Centipawns(score)) => (Some(score), None),
            Some(Score::Mate(moves)) => (None, Some(moves)),
            None => (None, None),
        };
        values.replace(&[
            ("score", score),
            ("mate", mate),
            ("depth", self.depth),
            ("nodes", self.nodes),
            ("time", self.time),
        ]);
    }

    /// Notes a line that begins with `info`. Scores of other moves than the best one, and bounds, are passed over.
    pub fn add(&mut self, line: &str) {
        let mut words = line.split_ascii_whitespace().skip(1);
        let number =
            |words: &mut dyn Iterator<Item = &str>| -> Option<i64> { words.next()?.parse().ok() };
        let mut now = Self::default();
        let mut is_exact = true;
        while let Some(word) = words.next() {
            match word {
                "depth" => now.depth = number(&mut words),
                "nodes" => now.nodes = number(&mut words),
                "time" => now.time = number(&mut words),
                "score" => {
                    let unit = words.next();
                    let value = number(&mut words);
                    now.score = match unit {
                        Some("cp") => value.map(Score::Centipawns),
                        Some("mate") => value.map(Score::Mate),
                        _ => None,
                    };
                }
                "lowerbound" | "upperbound" => is_exact = false,
                "multipv" => is_exact &= number(&mut words).is_none_or(|rank| rank == 1),
                // Moves and messages come last.
                "pv" | "string" => break,
                _ => {}
            }
        }
        self.nodes = now.nodes.or(self.nodes);
        self.time = now.time.or(self.time);
        if is_exact && now.score.is_some() {
            self.score = now.score;
            self.depth = now.depth;
            self.line.clear();
            self.line
                .push_str(&line[..line.floor_char_boundary(LONGEST)]);
        }
    }
}
