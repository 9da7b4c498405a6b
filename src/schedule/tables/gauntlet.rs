//! The tables of a gauntlet: one challenger at each, the others from the rest.

use std::collections::VecDeque;

use super::balanced::{self, Balanced, Table};
use super::meetings::Meetings;

/// An endless sequence of tables with one challenger each. All challengers meet the same tables of the others,
/// which are balanced by meetings as in a round robin. In a round nobody plays twice. Where the others cannot fill a
/// table, they sit there in copies, and each table is a round.
#[derive(Debug, Clone)]
pub struct GauntletTables {
    challengers: Vec<usize>,
    others: Vec<usize>,
    source: Others,
    /// The first table of the others in the next round of the source.
    ahead: Option<Table>,
    ready: VecDeque<Table>,
    round: u64,
    meetings: Meetings,
}

/// The tables of the others.
#[derive(Debug, Clone)]
enum Others {
    Different(Box<Balanced>),
    Copies(Copies),
}

impl Others {
    fn next(&mut self) -> Table {
        match self {
            Self::Different(tables) => tables.next(),
            Self::Copies(tables) => tables.next(),
        }
    }
}

/// Tables of fewer players than seats: the players take the seats of one table after the other in turn.
#[derive(Debug, Clone)]
struct Copies {
    players: usize,
    seats: usize,
    tables: u64,
}

impl Copies {
    fn next(&mut self) -> Table {
        let taken = self.tables as usize * self.seats;
        self.tables += 1;
        let mut players: Vec<usize> = (0..self.seats)
            .map(|seat| (taken + seat) % self.players)
            .collect();
        players.sort_unstable();
        Table {
            round: self.tables,
            players,
        }
    }
}

/// Number of different tables that a challenger meets in turn, each once before any comes again; `None` where `others`
/// make too many to play all. There is at least one of them, and a table has `seats`.
pub fn tables_in_turn(others: usize, seats: usize) -> Option<usize> {
    match others + 1 < seats {
        true => (1..).find(|tables| (tables * (seats - 1)).is_multiple_of(others)),
        false => balanced::tables_in_turn(others, seats - 1),
    }
}

impl GauntletTables {
    /// Tables of `seats` players, at least three. There is a challenger, and at least one other.
    pub fn new(players: usize, seats: usize, challengers: &[usize]) -> Self {
        let (challengers, others): (Vec<usize>, Vec<usize>) =
            (0..players).partition(|player| challengers.contains(player));
        let source = match others.len() + 1 < seats {
            true => Others::Copies(Copies {
                players: others.len(),
                seats: seats - 1,
                tables: 0,
            }),
            false => Others::Different(Box::new(Balanced::new(others.len(), seats - 1))),
        };
        Self {
            source,
            challengers,
            others,
            ahead: None,
            ready: VecDeque::new(),
            round: 0,
            meetings: Meetings::new(players),
        }
    }

    /// Meetings of the players so far. Two challengers never meet.
    pub fn meetings(&self) -> &Meetings {
        &self.meetings
    }

    /// The next table, with the challenger first.
    pub fn next(&mut self) -> Table {
        loop {
            if let Some(table) = self.ready.pop_front() {
                self.meetings.seat(&table.players);
                return table;
            }
            self.prepare();
        }
    }

    /// Prepares the tables of all challengers against one round of the others. In each step every challenger has one
    /// table, and the next step moves them on by one. A step has several rounds where there are more challengers than tables.
    fn prepare(&mut self) {
        let mut tables = Vec::new();
        loop {
            let table = self.ahead.take().unwrap_or_else(|| self.source.next());
            let is_next_round = tables
                .first()
                .is_some_and(|first: &Table| first.round < table.round);
            if is_next_round {
                self.ahead = Some(table);
                break;
            }
            tables.push(table);
        }
        for step in 0..tables.len() {
            for challengers in self.challengers.chunks(tables.len()) {
                self.round += 1;
                for (number, challenger) in challengers.iter().enumerate() {
                    let table = &tables[(number + step) % tables.len()];
                    let others = table.players.iter().map(|player| self.others[*player]);
                    self.ready.push_back(Table {
                        round: self.round,
                        players: std::iter::once(*challenger).chain(others).collect(),
                    });
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    #[test]
    fn each_table_has_one_challenger_and_all_challengers_meet_the_same_tables() {
        for (players, seats, challengers) in [
            (8, 3, vec![0]),
            (9, 4, vec![8, 2]),
            (12, 3, vec![1, 5, 7]),
            (7, 3, vec![0, 1, 2, 3, 4]),
            (9, 3, vec![0, 1, 2, 3]),
        ] {
            let mut gauntlet = GauntletTables::new(players, seats, &challengers);
            let mut tables: HashMap<usize, Vec<Vec<usize>>> = HashMap::new();
            let mut last = Table {
                round: 0,
                players: Vec::new(),
            };
            // After whole rounds of the others, all challengers are level.
            for _ in 0..400 {
                let table = gauntlet.next();
                assert!(table.round >= last.round);
                if table.round == last.round {
                    assert!(
                        table
                            .players
                            .iter()
                            .all(|player| !last.players.contains(player))
                    );
                    last.players.extend(&table.players);
                } else {
                    last = table.clone();
                }
                let is_challenger = |player: &usize| challengers.contains(player);
                assert_eq!(table.players.len(), seats);
                assert!(is_challenger(&table.players[0]));
                assert!(!table.players[1..].iter().any(is_challenger));
                let met = tables.entry(table.players[0]).or_default();
                met.push(table.players[1..].to_vec());
                let counts = challengers
                    .iter()
                    .map(|it| tables.get(it).map_or(0, Vec::len));
                let (least, most) = (counts.clone().min(), counts.max());
                assert!(
                    least
                        .zip(most)
                        .is_some_and(|(least, most)| most - least <= 1)
                );
                if gauntlet.ready.is_empty() {
                    let mut each = tables.values().map(|met| {
                        let mut met = met.clone();
                        met.sort_unstable();
                        met
                    });
                    let first = each.next();
                    assert!(each.all(|met| Some(met) == first));
                }
            }
            assert_eq!(tables.len(), challengers.len());
        }
    }

    #[test]
    fn a_challenger_meets_all_others_equally_often() {
        // Seven others in pairs: 21 tables, six with each.
        let mut gauntlet = GauntletTables::new(8, 3, &[3]);
        (0..21).for_each(|_| drop(gauntlet.next()));
        for other in (0..8).filter(|other| *other != 3) {
            assert_eq!(gauntlet.meetings().of(3, other), 6);
        }
        assert_eq!(gauntlet.meetings().of(0, 7), 1);
    }

    #[test]
    fn others_who_cannot_fill_a_table_sit_there_in_copies_and_equally_often() {
        for (others, seats, tables) in [
            (1, 3, vec![vec![1, 1]]),
            (1, 4, vec![vec![1, 1, 1]]),
            (2, 4, vec![vec![1, 1, 2], vec![1, 2, 2]]),
            (4, 7, vec![vec![1, 1, 2, 2, 3, 4], vec![1, 2, 3, 3, 4, 4]]),
        ] {
            assert_eq!(tables_in_turn(others, seats), Some(tables.len()));
            let mut gauntlet = GauntletTables::new(others + 1, seats, &[0]);
            for round in 0..3 * tables.len() {
                let next = gauntlet.next();
                assert_eq!(next.round, round as u64 + 1);
                assert_eq!(next.players[0], 0);
                assert_eq!(next.players[1..], tables[round % tables.len()]);
            }
        }
    }

    #[test]
    fn a_challenger_meets_each_table_once_before_any_comes_again() {
        for (others, seats) in [(2, 3), (3, 3), (5, 3), (9, 4), (16, 5)] {
            let tables = tables_in_turn(others, seats).expect("few tables");
            let mut gauntlet = GauntletTables::new(others + 1, seats, &[0]);
            for _ in 0..2 {
                let met: std::collections::HashSet<Vec<usize>> =
                    (0..tables).map(|_| gauntlet.next().players).collect();
                assert_eq!(met.len(), tables, "{others} {seats}");
            }
        }
        assert_eq!(tables_in_turn(24, 4), None);
    }
}
