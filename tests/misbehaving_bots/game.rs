//! One game of a member against an honest bot, and what is to come of it.

use std::time::{Duration, Instant};

use referee::clock::{Measure, TimeControl};
use referee::game::{AnyPosition, Blame, Game, GameResult, Seat, Setup};
use referee::player::{Player, Process};
use referee::random::Stream;
use referee::referee::{GameEnd, GameSpec, Participant, Ply, Termination, Witness, play};

use crate::start;
use crate::zoo::{Fate, Limits, Member};

/// For exiting after the last game.
const QUIT: Duration = Duration::from_millis(500);

/// For the handshake and for getting ready.
fn setting_out(limits: Limits) -> Duration {
    match limits {
        Limits::ShortHandshake => Duration::from_secs(2),
        _ => Duration::from_secs(10),
    }
}

fn time_control(limits: Limits) -> TimeControl {
    let ms = Duration::from_millis;
    let mut time = TimeControl {
        measure: Measure::Wall,
        per_game: None,
        increment: Duration::ZERO,
        per_move: None,
        margin: Duration::ZERO,
        wall_cap: ms(10_000),
    };
    match limits {
        Limits::Ample | Limits::ShortHandshake => {}
        Limits::ShortMoves => time.per_move = Some(ms(500)),
        Limits::LittleCpu => {
            time.measure = Measure::Cpu;
            time.per_game = Some(ms(200));
        }
        Limits::WallCap => {
            time.measure = Measure::Cpu;
            time.wall_cap = ms(500);
        }
    }
    time
}

/// The longest that such a game can take by its limits: both bots set out side by side, every action
/// that was asked for takes all its time, and then the member is to quit.
fn bound(limits: Limits, end: &GameEnd) -> Duration {
    let time = time_control(limits);
    let asked = match end.termination {
        Termination::Handshake => 0,
        Termination::Rules => end.plies,
        _ => end.plies + 1,
    };
    2 * setting_out(limits) + time.per_move.unwrap_or(time.wall_cap) * asked + QUIT
}

/// One game of Cachex.
pub fn game(players: [&mut Participant<Process>; 2], limits: Limits) -> GameEnd {
    let mut setup = Setup::new(Game::Cachex);
    setup.set("size", "4").expect("a size");
    let mut chance = Stream::new(1, 0);
    let mut position = setup.start(&mut chance);
    let [first, second] = players;
    play(
        &GameSpec {
            game: Game::Cachex,
            options: &setup.public_options(),
            bot_seeds: [1, 2],
            opening_plies: 0,
            time: &time_control(limits),
            handshake: setting_out(limits),
            start: setting_out(limits),
        },
        position.as_mut(),
        [first, second],
        &mut chance,
        &mut Nobody,
    )
    .expect("a game that counts")
}

struct Nobody;

impl Witness for Nobody {
    fn ply(&mut self, _ply: &Ply<'_>, _position: &dyn AnyPosition) {}
}

/// One game of a member in a seat against an honest bot.
fn game_in(
    seat: Seat,
    member: &mut Participant<Process>,
    honest: &mut Participant<Process>,
    limits: Limits,
) -> GameEnd {
    match seat {
        Seat::First => game([member, honest], limits),
        Seat::Second => game([honest, member], limits),
    }
}

/// How a member's game went.
pub struct Shown {
    pub end: GameEnd,
    /// From the first request until nothing of the member was left.
    pub took: Duration,
    /// What it could have taken.
    pub bound: Duration,
}

/// Plays a game of a member, which ends as it is declared to and in time, and ends both bots. The
/// opponent comes to no harm.
pub fn ends_as_declared(member: &Member, seat: Seat, subject: Process, honest: Process) -> Shown {
    let [mut subject, mut honest] = [subject, honest].map(Participant::new);
    let begun = Instant::now();
    let end = game_in(seat, &mut subject, &mut honest, member.limits);
    let mut subject = subject.player;
    subject.dismiss();
    subject.close(QUIT);
    let cleanup = subject.finish();
    let took = begun.elapsed();
    match member.fate {
        Fate::Plays => {
            assert_eq!(end.termination, Termination::Rules, "{end:?}");
            assert_eq!(end.blame, Blame::Nobody, "{end:?}");
        }
        Fate::Forfeits(termination, words) => {
            assert_eq!(end.termination, termination, "{end:?}");
            assert_eq!(end.blame, Blame::Of(seat), "{end:?}");
            assert_eq!(end.result, GameResult::Won(seat.other()), "{end:?}");
            assert!(end.detail(Game::Cachex).contains(words), "{end:?}");
            assert!(
                !end.detail(Game::Cachex).contains(char::is_control),
                "{end:?}"
            );
        }
    }
    assert_eq!(cleanup.survivors, 0, "{cleanup:?}");
    let bound = bound(member.limits, &end);
    assert!(
        took <= bound + Duration::from_secs(1),
        "{took:?} of {bound:?}"
    );
    // It plays its next game as if nothing had happened.
    let mut next = Participant::new(start("honest"));
    let next = game_in(seat, &mut next, &mut honest, Limits::Ample);
    assert_eq!(next.termination, Termination::Rules, "{next:?}");
    Shown { end, took, bound }
}
