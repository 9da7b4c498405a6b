//! Places of games that seats left.

use proptest::prelude::*;
use referee::game::{GameResult, PerSeat, Places, Seat, Seats};

proptest! {
    /// Who left is below all others, the earliest lowest; the others have the order that they would have alone.
    #[test]
    fn places_of_a_game_that_seats_left(points in prop::collection::vec(0_u8..4, 3..=8), when in prop::collection::vec(0_usize..5, 8)) {
        let count = points.len();
        // A seat with 0 to 2 leaves then; the others stay.
        let leaves = |seat: Seat| Some(when[seat.index()]).filter(|when| *when < 3);
        let left = (0..3).map(|at| Seat::all(count).filter(|seat| leaves(*seat) == Some(at)).collect::<Seats>());
        let left: Vec<Seats> = left.filter(|set| !set.is_empty()).collect();
        let points: PerSeat<u8> = points.into_iter().collect();
        let own = GameResult::placed(Places::by(&points));
        let result = own.below_which(count, &left);
        let places = result.places(count);
        prop_assert!(Places::numbered(&places).is_some());
        for one in Seat::all(count) {
            for other in Seat::all(count).filter(|other| *other != one) {
                let expected = match (leaves(one), leaves(other)) {
                    (None, None) => points[other].cmp(&points[one]),
                    (None, Some(_)) => std::cmp::Ordering::Less,
                    (Some(_), None) => std::cmp::Ordering::Greater,
                    (Some(one), Some(other)) => other.cmp(&one),
                };
                prop_assert_eq!(places[one].cmp(&places[other]), expected);
            }
            // Those that left together have not beaten each other.
            if let Some(at) = leaves(one) {
                let beaten = Seat::all(count).filter(|other| leaves(*other).is_some_and(|it| it < at)).count();
                prop_assert_eq!(result.points(one), beaten as f64 / (count - 1) as f64);
            }
        }
    }
}
