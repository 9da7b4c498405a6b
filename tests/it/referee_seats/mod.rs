//! The referee in games of two to four seats, in turn and at once.

mod at_once;
mod at_once_records;
mod contention;
mod dropped;
mod failed_starts;
mod in_turn;
mod records;
mod tally;

use referee::bot::Player;
use referee::clock::{Measure, TimeControl};
use referee::game::{ForfeitedBy, GameResult, PerSeat, Places, Seat, Seats, Setup};
use referee::referee::{GameEnd, Participant};

use crate::support::{CONDUCTS, Conduct, MS, watched_seats};

fn setup(seats: usize, options: &[(&str, &str)]) -> Setup {
    let mut setup = Setup::new(tally::tally(seats));
    for (key, value) in options {
        setup.set(key, value).expect("an option");
    }
    setup
}

fn seated<'p, P: Player + 'p>(
    players: &'p mut [Participant<P>],
) -> PerSeat<&'p mut Participant<dyn Player + 'p>> {
    players.iter_mut().map(|it| it as _).collect()
}

fn game<'p, P: Player + 'p>(
    setup: &Setup,
    time: &TimeControl,
    players: &'p mut [Participant<P>],
) -> GameEnd {
    let times = setup.game().per_seat(|_| time.clone());
    let end = watched_seats(setup, &times, 100 * MS, 0, seated(players), |_, _| {});
    end.expect("a game that counts")
}

fn seats<const N: usize>(numbers: [u8; N]) -> Seats {
    numbers.into_iter().map(Seat::numbered).collect()
}

fn placed<const N: usize>(places: [u8; N]) -> GameResult {
    let places = Places::numbered(&places.into_iter().collect());
    GameResult::placed(places.expect("possible places"))
}

/// Checks each combination of conducts in this number of seats, on both clocks.
fn each_combination(seats: usize, check: impl Fn(&PerSeat<Conduct>, Measure)) {
    let count = CONDUCTS.len();
    for measure in [Measure::Wall, Measure::Cpu] {
        for number in 0..count.pow(seats as u32) {
            let conduct = |seat: Seat| CONDUCTS[number / count.pow(seat.index() as u32) % count];
            check(&PerSeat::of(seats, conduct), measure);
        }
    }
}

/// These seats forfeit a game: they are last, the others share the place above.
fn forfeited_by(end: &GameEnd, losers: Seats) {
    let seats = end.spent.count();
    let places = PerSeat::of(seats, |seat| match losers.contains(seat) {
        true => seats as u8,
        false => 1,
    });
    let places = Places::numbered(&places).expect("possible places");
    assert_eq!(end.result, GameResult::placed(places), "{end:?}");
    assert_eq!(end.forfeited_by(), ForfeitedBy::of(losers), "{end:?}");
    assert_eq!(end.rules_points, None, "{end:?}");
}
