//! How a game ended, without the names of its players.

use crate::game::{MOST_SEATS, PerSeat};

/// The seating and the places of a game. Players are numbered within the block of the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GameKind {
    seats: u8,
    members: [u8; MOST_SEATS],
    places: [u8; MOST_SEATS],
    /// A bit for each seat whose player forfeited.
    forfeited: u8,
    /// A forfeit ended it before the others played it out. They share a place above, which shows nothing about their
    /// strengths among themselves.
    stopped: bool,
}

/// A choice of the model: the seats of the players who are chosen, and of those whom they are chosen from, as bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Choice {
    pub left: u8,
    /// Whether the last one is chosen, and not the first.
    pub is_last: bool,
    pub chosen: u8,
}

impl GameKind {
    /// A game by the member, the place and the forfeit of each seat. `stopped`: a forfeit ended it.
    pub fn new(seats: &PerSeat<(u8, u8, bool)>, stopped: bool) -> Self {
        let mut kind = Self {
            seats: seats.count() as u8,
            members: [0; MOST_SEATS],
            places: [0; MOST_SEATS],
            forfeited: 0,
            stopped,
        };
        for (at, (member, place, forfeited)) in seats.values().enumerate() {
            kind.members[at] = *member;
            kind.places[at] = *place;
            kind.forfeited |= u8::from(*forfeited) << at;
        }
        kind.stopped &= kind.can_be_stopped();
        kind
    }

    /// Whether a forfeit can have ended it: several others share the first place.
    fn can_be_stopped(&self) -> bool {
        let others = || (0..self.seats()).filter(|seat| !self.has_forfeited(*seat));
        let count = others().count();
        count < self.seats() && count > 1 && others().all(|seat| self.places[seat] == 1)
    }

    pub fn seats(&self) -> usize {
        usize::from(self.seats)
    }

    pub fn members(&self) -> &[u8] {
        &self.members[..self.seats()]
    }

    /// The place of each seat, 1 for the best.
    pub fn places(&self) -> &[u8] {
        &self.places[..self.seats()]
    }

    pub fn has_forfeited(&self, seat: usize) -> bool {
        self.forfeited >> seat & 1 == 1
    }

    pub fn all_forfeited(&self) -> bool {
        self.forfeited.count_ones() as usize == self.seats()
    }

    pub fn renumbered(mut self, number: impl Fn(u8) -> u8) -> Self {
        for member in &mut self.members[..usize::from(self.seats)] {
            *member = number(*member);
        }
        self
    }

    /// One seat beside another: whether it was ahead, tied or behind. `None` if the game does not show it: another's forfeit
    /// stopped it, or both forfeited together.
    pub fn beside(&self, seat: usize, other: usize) -> Option<std::cmp::Ordering> {
        let forfeited = [seat, other].map(|seat| self.has_forfeited(seat));
        let order = self.places[other].cmp(&self.places[seat]);
        match forfeited {
            [false, false] if self.stopped => None,
            [true, true] if order.is_eq() => None,
            _ => Some(order),
        }
    }

    /// Halves of the other members' seats that a seat has beaten, and the number of these seats. A player can have several
    /// seats, and is no opponent of itself.
    pub fn beaten(&self, seat: usize) -> [u64; 2] {
        let own = self.members[seat];
        let others = (0..self.seats()).filter(|other| self.members[*other] != own);
        others.fold([0, 0], |[halves, count], other| {
            let tie = match self.has_forfeited(seat) && self.has_forfeited(other) {
                true => 0,
                false => 1,
            };
            let more = match self.places[seat].cmp(&self.places[other]) {
                std::cmp::Ordering::Less => 2,
                std::cmp::Ordering::Equal => tie,
                std::cmp::Ordering::Greater => 0,
            };
            [halves + more, count + 1]
        })
    }

    /// The choices that make up the game, the best players first. Players who forfeited together show nothing about each
    /// other: each is chosen from itself and the players below. Of a game that forfeits stopped, it is only known that the
    /// forfeiters are behind the others: each is chosen as the last of them.
    pub fn choices(&self) -> Vec<Choice> {
        let all = ((1_u16 << self.seats()) - 1) as u8;
        if self.stopped {
            let others = all & !self.forfeited;
            let last = (0..self.seats()).filter(|seat| self.has_forfeited(*seat));
            let choice = |seat: usize| Choice {
                left: others | 1 << seat,
                is_last: true,
                chosen: 1 << seat,
            };
            return last.map(choice).collect();
        }
        let mut choices = Vec::new();
        let mut left = all;
        while left.count_ones() > 0 {
            let seats = || (0..self.seats()).filter(|seat| left >> seat & 1 == 1);
            let best = seats().map(|seat| self.places[seat]).min().unwrap_or(0);
            let chosen = seats()
                .filter(|seat| self.places[*seat] == best)
                .fold(0_u8, |set, seat| set | 1 << seat);
            let below = left & !chosen;
            let together = chosen.count_ones() > 1 && chosen & self.forfeited == chosen;
            let each: Vec<u8> = match together {
                true => seats()
                    .map(|seat| 1 << seat & chosen)
                    .filter(|it| *it > 0)
                    .collect(),
                false => vec![chosen],
            };
            choices.extend(each.into_iter().map(|chosen| Choice {
                left: below | chosen,
                is_last: false,
                chosen,
            }));
            left = below;
        }
        // One player alone is no choice.
        choices.retain(|choice| choice.left.count_ones() > 1);
        choices
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A game of players `0..` in their order with these places; a minus is a forfeit.
    fn kind(places: &[i8], stopped: bool) -> GameKind {
        let seats = places.iter().zip(0..);
        let seats = seats.map(|(place, at)| (at, place.unsigned_abs(), *place < 0));
        GameKind::new(&seats.collect(), stopped)
    }

    fn choices(places: &[i8]) -> Vec<(u8, u8)> {
        let choices = kind(places, false).choices();
        choices.iter().map(|it| (it.chosen, it.left)).collect()
    }

    #[test]
    fn players_who_forfeited_together_are_not_chosen_from_each_other() {
        // A last player alone is no choice.
        assert_eq!(choices(&[2, 3, 1]), [(4, 7), (1, 3)]);
        assert_eq!(choices(&[1, 1]), [(3, 3)]);
        assert_eq!(choices(&[-2, -2]), []);
        assert_eq!(choices(&[-3, 1, -3]), [(2, 7)]);
        assert_eq!(choices(&[-3, 1, -2]), [(2, 7), (4, 5)]);
        // The first and the third forfeited together, above the second.
        assert_eq!(choices(&[-3, -4, -3, 1]), [(8, 15), (1, 3), (4, 6)]);
    }

    #[test]
    fn of_a_stopped_game_only_the_forfeiters_are_known() {
        let stopped = kind(&[1, -3, 1], true);
        let last = Choice {
            left: 7,
            is_last: true,
            chosen: 2,
        };
        assert_eq!(stopped.choices(), [last]);
        assert_eq!(stopped.beside(0, 2), None);
        assert_eq!(stopped.beside(0, 1), Some(std::cmp::Ordering::Greater));
        // One other player alone has won.
        assert_eq!(kind(&[1, -2], true), kind(&[1, -2], false));
    }
}
