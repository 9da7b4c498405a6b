//! A value for each seat.

use std::ops::{Index, IndexMut};

use super::Seat;

/// A value for each seat of a game, indexed by [`Seat`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct PerSeat<T>([T; 2]);

impl<T> PerSeat<T> {
    /// The value of each seat, in the order of play.
    pub fn of(mut value: impl FnMut(Seat) -> T) -> Self {
        Self(Seat::BOTH.map(&mut value))
    }

    /// The value of each seat, in the order of play, unless one cannot be had.
    ///
    /// # Errors
    /// The first error.
    pub fn try_of<E>(mut value: impl FnMut(Seat) -> Result<T, E>) -> Result<Self, E> {
        Ok(Self([value(Seat::FIRST)?, value(Seat::SECOND)?]))
    }

    /// The values, in the order of play.
    pub fn into_array(self) -> [T; 2] {
        self.0
    }

    /// References to the values.
    pub fn each_ref(&self) -> PerSeat<&T> {
        PerSeat(self.0.each_ref())
    }

    /// References to the values, to change them.
    pub fn each_mut(&mut self) -> PerSeat<&mut T> {
        PerSeat(self.0.each_mut())
    }

    /// Changes each value.
    pub fn map<U>(self, change: impl FnMut(T) -> U) -> PerSeat<U> {
        PerSeat(self.0.map(change))
    }

    /// The values, in the order of play.
    pub fn values(&self) -> impl DoubleEndedIterator<Item = &T> {
        self.0.iter()
    }

    /// The values, in the order of play.
    pub fn into_values(self) -> impl DoubleEndedIterator<Item = T> {
        self.0.into_iter()
    }

    /// The first seat with a value like this.
    pub fn find(&self, is_like_this: impl Fn(&T) -> bool) -> Option<Seat> {
        let mut values = self.iter();
        values.find_map(|(seat, value)| is_like_this(value).then_some(seat))
    }

    /// The values with their seats.
    pub fn iter(&self) -> impl Iterator<Item = (Seat, &T)> {
        Seat::BOTH.into_iter().zip(&self.0)
    }

    /// The values with their seats, to be changed.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (Seat, &mut T)> {
        Seat::BOTH.into_iter().zip(&mut self.0)
    }
}

impl<T: PartialEq> PerSeat<T> {
    /// Whether a seat has this value.
    pub fn contains(&self, value: &T) -> bool {
        self.0.contains(value)
    }
}

impl<T> From<[T; 2]> for PerSeat<T> {
    fn from(values: [T; 2]) -> Self {
        Self(values)
    }
}

impl<T> Index<Seat> for PerSeat<T> {
    type Output = T;

    fn index(&self, seat: Seat) -> &T {
        &self.0[seat.index()]
    }
}

impl<T> IndexMut<Seat> for PerSeat<T> {
    fn index_mut(&mut self, seat: Seat) -> &mut T {
        &mut self.0[seat.index()]
    }
}
