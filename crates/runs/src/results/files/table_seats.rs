//! The columns that each seat has in a table of games with more than two seats.

use std::cmp::Reverse;
use std::str::FromStr;

use super::table_rows::Row;
use super::{Column, UNFINISHED};
use crate::game::{Blame, GameResult, MOST_SEATS, PerSeat, Places, Seat};
use crate::text::quoted;

const PLAYERS: [&[&str]; MOST_SEATS] = [
    &["first", "white"],
    &["second", "black"],
    &["third"],
    &["fourth"],
    &["fifth"],
    &["sixth"],
    &["seventh"],
    &["eighth"],
];
const PLACES: [&[&str]; MOST_SEATS] = [
    &["first_place"],
    &["second_place"],
    &["third_place"],
    &["fourth_place"],
    &["fifth_place"],
    &["sixth_place"],
    &["seventh_place"],
    &["eighth_place"],
];
const POINTS: [&[&str]; MOST_SEATS] = [
    &["first_points", "score", "result", "points"],
    &["second_points"],
    &["third_points"],
    &["fourth_points"],
    &["fifth_points"],
    &["sixth_points"],
    &["seventh_points"],
    &["eighth_points"],
];
const RULES_POINTS: [&[&str]; MOST_SEATS] = [
    &["first_rules_points"],
    &["second_rules_points"],
    &["third_rules_points"],
    &["fourth_rules_points"],
    &["fifth_rules_points"],
    &["sixth_rules_points"],
    &["seventh_rules_points"],
    &["eighth_rules_points"],
];

#[derive(Debug, Clone)]
pub(super) struct SeatColumns {
    /// The players, of two seats or more.
    pub players: Vec<Column>,
    places: Vec<Column>,
    /// Points; beside places, the share of opponents beaten, which follows from them.
    points: Vec<Column>,
    rules_points: Vec<Column>,
}

/// The end of a game with more than two seats.
pub(super) struct SeatsEnd {
    pub result: GameResult,
    pub rules_points: Option<PerSeat<f64>>,
}

impl SeatColumns {
    pub fn find(header: &[String]) -> Self {
        let find = |names| Column::find(header, names);
        let more = PLAYERS[2..].iter().map(|names| find(names));
        let more = more.take_while(|column| column.place.is_some()).count();
        let each = |names: [&'static [&'static str]; MOST_SEATS]| {
            names.into_iter().take(2 + more).map(find).collect()
        };
        Self {
            players: each(PLAYERS),
            places: each(PLACES),
            points: each(POINTS),
            rules_points: each(RULES_POINTS),
        }
    }

    pub fn has_more_than_two(&self) -> bool {
        self.players.len() > 2
    }

    /// The columns that a table of games with more than two seats needs: places or points of all seats.
    pub fn needed(&self) -> &[Column] {
        match self.places.iter().any(|column| column.place.is_some()) {
            true => &self.places,
            false => &self.points,
        }
    }

    /// The columns that only a table of more than two has.
    pub fn all(&self) -> impl Iterator<Item = Column> {
        let more = [
            &self.players[2..],
            &self.points[2..],
            &self.places,
            &self.rules_points,
        ];
        more.into_iter().flatten().copied()
    }

    /// Number of seats of a game: the last ones may be empty.
    pub fn seats(&self, row: &Row<'_>) -> Result<usize, String> {
        for seats in (3..=self.players.len()).rev() {
            if !self.players[seats - 1].text(row)?.is_empty() {
                return Ok(seats);
            }
        }
        Ok(2)
    }

    /// The end of a game with this number of seats; `None` if it was not finished.
    pub fn end(&self, row: &Row<'_>, seats: usize) -> Result<Option<SeatsEnd>, String> {
        let has_places = self.places[0].place.is_some();
        let decides = if has_places {
            &self.places
        } else {
            &self.points
        };
        match decides[0].text(row)? {
            UNFINISHED => return Ok(None),
            "" => return Err(decides[0].bad(NO_RESULT)),
            _ => {}
        }
        let places = if has_places {
            let numbers = PerSeat::try_of(seats, |seat| number(&self.places[seat.index()], row))?;
            let texts: Vec<String> = numbers.values().map(u8::to_string).collect();
            let bad = || {
                let expected = "expected places such as 1, 2, 2 for all seats";
                let texts = texts.join(", ");
                self.places[0].bad(format!("{texts} are not the places of a game: {expected}"))
            };
            Places::numbered(&numbers).ok_or_else(bad)?
        } else {
            Places::by(&amounts(&self.points, row, seats)?)
        };
        let by_rules = match has_places {
            true => &self.rules_points,
            false => &self.points,
        };
        let rules_points = match by_rules[0].text(row)? {
            "" => None,
            _ => Some(amounts(by_rules, row, seats)?),
        };
        Ok(Some(SeatsEnd {
            result: GameResult::placed(places),
            rules_points,
        }))
    }
}

pub(super) fn number<T: FromStr>(column: &Column, row: &Row<'_>) -> Result<T, String> {
    let text = column.text(row)?;
    let bad = |_| column.bad(format!("`{}` is not a whole number", quoted(text)));
    text.parse().map_err(bad)
}

fn amounts(columns: &[Column], row: &Row<'_>, seats: usize) -> Result<PerSeat<f64>, String> {
    PerSeat::try_of(seats, |seat| {
        let column = &columns[seat.index()];
        let text = column.text(row)?;
        // A file with semicolons between fields may have decimal commas.
        let amount = text.replace(',', ".").parse::<f64>().ok();
        let amount = amount.filter(|it| it.is_finite());
        amount.ok_or_else(|| column.bad(format!("`{}` is not a number of points", quoted(text))))
    })
}

/// The players who forfeited a game of more than two that ended so, by the name of the blame. Two seats can have one
/// player, so the seats with the worst places are meant. If it ended by the rules, they left it, and others may be below
/// them that resigned.
pub(super) fn blame(
    names: &PerSeat<&str>,
    result: GameResult,
    by_rules: bool,
    name: &str,
) -> Result<Blame, String> {
    if name.is_empty() {
        return Ok(Blame::Nobody);
    }
    let count = names.count();
    let places = result.places(count);
    let seats = |set: usize| Seat::all(count).filter(move |seat| set >> seat.index() & 1 == 1);
    let sets = 1..1_usize << count;
    let mut named = sets
        .map(|set| (set, Blame::of(seats(set).collect())))
        .filter(|(_, blame)| blame.name(names) == name)
        .peekable();
    if named.peek().is_none() {
        return Err(format!(
            "`{}` is no player of the game: expected one, several joined by `+`, or nothing",
            quoted(name)
        ));
    }
    let all = (1 << count) - 1;
    let mut lost = named.filter(|(set, _)| {
        let best = seats(*set).map(|seat| places[seat]).min();
        let worst = seats(all & !set).map(|seat| places[seat]).max();
        worst < best || *set == all || by_rules && best > Some(1)
    });
    let sum = |set: usize| seats(set).map(|seat| u32::from(places[seat])).sum::<u32>();
    let blame = match by_rules {
        true => lost.max_by_key(|(set, _)| (sum(*set), Reverse(*set))),
        false => lost.next(),
    };
    let blame = blame.map(|(_, blame)| blame);
    blame.ok_or_else(|| not_lost(name))
}

pub(super) const NO_RESULT: &str = "the game has no result";

pub(super) fn not_lost(name: &str) -> String {
    let name = quoted(name);
    format!("`{name}` forfeited and has not lost by the points: correct one of them")
}

pub(super) fn one_player(name: &str) -> String {
    format!("`{}` cannot play itself", quoted(name))
}
