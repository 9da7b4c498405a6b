//! A value for each seat.

use std::ops::{Index, IndexMut};

use super::Seat;

/// A value for each seat of a game, indexed by [`Seat`].
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct PerSeat<T>(Values<T>);

/// The values of two seats lie in place.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Values<T> {
    OfTwo([T; 2]),
    Of(Vec<T>),
}

impl<T> PerSeat<T> {
    pub fn of(count: usize, value: impl FnMut(Seat) -> T) -> Self {
        Self(match count {
            2 => Values::OfTwo(Seat::BOTH.map(value)),
            _ => Values::Of(Seat::all(count).map(value).collect()),
        })
    }

    /// The value of each seat of a game of `count`, in the order of play, unless one cannot be had.
    pub fn try_of<E>(count: usize, value: impl FnMut(Seat) -> Result<T, E>) -> Result<Self, E> {
        Seat::all(count).map(value).collect()
    }

    pub fn count(&self) -> usize {
        self.as_slice().len()
    }

    /// The seats, in the order of play.
    pub fn seats(
        &self,
    ) -> impl DoubleEndedIterator<Item = Seat> + ExactSizeIterator + Clone + use<T> {
        Seat::all(self.count())
    }

    pub fn each_ref(&self) -> PerSeat<&T> {
        PerSeat(match &self.0 {
            Values::OfTwo(values) => Values::OfTwo(values.each_ref()),
            Values::Of(values) => Values::Of(values.iter().collect()),
        })
    }

    pub fn each_mut(&mut self) -> PerSeat<&mut T> {
        PerSeat(match &mut self.0 {
            Values::OfTwo(values) => Values::OfTwo(values.each_mut()),
            Values::Of(values) => Values::Of(values.iter_mut().collect()),
        })
    }

    pub fn map<U>(self, change: impl FnMut(T) -> U) -> PerSeat<U> {
        match self.0 {
            Values::OfTwo(values) => PerSeat(Values::OfTwo(values.map(change))),
            Values::Of(values) => values.into_iter().map(change).collect(),
        }
    }

    pub fn as_slice(&self) -> &[T] {
        match &self.0 {
            Values::OfTwo(values) => values,
            Values::Of(values) => values,
        }
    }

    fn as_mut_slice(&mut self) -> &mut [T] {
        match &mut self.0 {
            Values::OfTwo(values) => values,
            Values::Of(values) => values,
        }
    }

    pub fn values(&self) -> std::slice::Iter<'_, T> {
        self.as_slice().iter()
    }

    pub fn into_values(self) -> impl DoubleEndedIterator<Item = T> {
        let (two, others) = match self.0 {
            Values::OfTwo(values) => (Some(values), Vec::new()),
            Values::Of(values) => (None, values),
        };
        two.into_iter().flatten().chain(others)
    }

    pub fn find(&self, is_like_this: impl Fn(&T) -> bool) -> Option<Seat> {
        self.find_seat(|_, value| is_like_this(value))
    }

    pub fn find_seat(&self, is_like_this: impl Fn(Seat, &T) -> bool) -> Option<Seat> {
        let mut values = self.iter();
        values.find_map(|(seat, value)| is_like_this(seat, value).then_some(seat))
    }

    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (Seat, &T)> + ExactSizeIterator + Clone {
        self.seats().zip(self.as_slice())
    }

    pub fn iter_mut(&mut self) -> impl Iterator<Item = (Seat, &mut T)> {
        self.seats().zip(self.as_mut_slice())
    }

    /// The values of a game of two.
    pub fn pair(self) -> Option<[T; 2]> {
        match self.0 {
            Values::OfTwo(values) => Some(values),
            Values::Of(_) => None,
        }
    }
}

impl<T: Default> PerSeat<T> {
    pub fn defaults(count: usize) -> Self {
        Self::of(count, |_| T::default())
    }
}

impl<T: PartialEq> PerSeat<T> {
    pub fn contains(&self, value: &T) -> bool {
        self.as_slice().contains(value)
    }
}

impl<T> From<[T; 2]> for PerSeat<T> {
    fn from(values: [T; 2]) -> Self {
        Self(Values::OfTwo(values))
    }
}

impl<T> FromIterator<T> for PerSeat<T> {
    fn from_iter<I: IntoIterator<Item = T>>(values: I) -> Self {
        let mut values = values.into_iter();
        let first = [values.next(), values.next(), values.next()];
        match first {
            [Some(first), Some(second), None] => Self(Values::OfTwo([first, second])),
            first => Self(Values::Of(
                first.into_iter().flatten().chain(values).collect(),
            )),
        }
    }
}

impl<T> Index<Seat> for PerSeat<T> {
    type Output = T;

    fn index(&self, seat: Seat) -> &T {
        &self.as_slice()[seat.index()]
    }
}

impl<T> IndexMut<Seat> for PerSeat<T> {
    fn index_mut(&mut self, seat: Seat) -> &mut T {
        &mut self.as_mut_slice()[seat.index()]
    }
}
