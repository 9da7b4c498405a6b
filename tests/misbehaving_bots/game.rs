//! One game of a misbehaving bot against an honest one, and how it must end.

use std::time::{Duration, Instant};

use referee::bot::{Player, Process};
use referee::clock::{Measure, TimeControl};
use referee::game::{AnyPosition, ForfeitedBy, GameResult, PerSeat, Seat, Setup, cachex};
use referee::random::Stream;
use referee::referee::{
    Adjudication, GameEnd, GameSpec, Participant, Ply, SeatTerms, Termination, Void, Witness, play,
};

use crate::catalogue::{Expected, Limits, MisbehavingBot};
use crate::start;

/// The time to exit after the last game.
pub const QUIT: Duration = Duration::from_millis(500);

pub fn preparation(limits: Limits) -> Duration {
    match limits {
        Limits::ShortHandshake => Duration::from_secs(2),
        _ => Duration::from_secs(10),
    }
}

pub fn time_control(limits: Limits) -> TimeControl {
    let ms = Duration::from_millis;
    let mut time = TimeControl {
        measure: Measure::Wall,
        per_game: None,
        period: None,
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

/// The longest that such a game can take by its limits: both bots prepare at the same time, every
/// action that was asked for takes all its time, and then the bot must exit.
fn bound(limits: Limits, end: &GameEnd) -> Duration {
    let time = time_control(limits);
    let asked = match end.termination {
        Termination::Handshake => 0,
        Termination::Rules => end.plies,
        _ => end.plies + 1,
    };
    2 * preparation(limits) + time.per_move.unwrap_or(time.wall_cap) * asked + QUIT
}

pub fn game(players: [&mut Participant<Process>; 2], limits: Limits) -> GameEnd {
    let mut setup = Setup::new(cachex::GAME);
    setup.set("size", "4").expect("a size");
    let terms = vec![(time_control(limits), preparation(limits)); 2];
    let [first, second] = players;
    let players = [first as &mut Participant<dyn Player>, second].into();
    play_by(&setup, &terms, false, players).expect("a game that counts")
}

/// One game, with the clock of each seat and the time for its handshake and for getting ready.
pub fn play_by<'p>(
    setup: &Setup,
    terms: &[(TimeControl, Duration)],
    drops: bool,
    players: PerSeat<&'p mut Participant<dyn Player + 'p>>,
) -> Result<GameEnd, Void> {
    let mut chance = Stream::new(1, 0);
    let mut position = setup.start(&mut chance).map_err(Void::Rules)?;
    let terms = terms.iter().map(|(time, preparation)| SeatTerms {
        time,
        handshake: *preparation,
        start: *preparation,
    });
    let spec = GameSpec {
        game: setup.game(),
        options: setup.public_options().into(),
        bot_seeds: (1..).take(terms.len()).collect(),
        opening_plies: 0,
        adjudication: Adjudication::default(),
        drops,
        terms: terms.collect(),
    };
    play(
        &spec,
        position.as_mut(),
        players,
        &mut chance,
        &mut Unwatched,
    )
}

struct Unwatched;

impl Witness for Unwatched {
    fn ply(&mut self, _ply: &Ply<'_>, _position: &dyn AnyPosition) {}
}

/// One game of a bot in this seat against an honest one.
fn game_in(
    seat: Seat,
    bot: &mut Participant<Process>,
    honest: &mut Participant<Process>,
    limits: Limits,
) -> GameEnd {
    let mut players = [bot, honest];
    players.rotate_left(seat.index());
    game(players, limits)
}

pub struct Played {
    pub end: GameEnd,
    /// From the first request until nothing of the bot was left.
    pub took: Duration,
    /// What it could have taken.
    pub bound: Duration,
}

/// Plays a game of a bot, which must end as the catalogue says and in time. Its opponent must be able
/// to play the next game.
pub fn ends_as_declared(
    bot: &'static MisbehavingBot,
    seat: Seat,
    subject: Process,
    honest: Process,
) -> Played {
    let [mut subject, mut honest] = [subject, honest].map(Participant::new);
    let begun = Instant::now();
    let end = game_in(seat, &mut subject, &mut honest, bot.limits);
    let mut subject = subject.player;
    subject.dismiss();
    subject.close(QUIT);
    let cleanup = subject.finish();
    let took = begun.elapsed();
    match bot.expected() {
        Expected::Plays => {
            assert_eq!(end.termination, Termination::Rules, "{end:?}");
            assert_eq!(end.forfeited_by(), ForfeitedBy::Nobody, "{end:?}");
        }
        Expected::Forfeits(termination, words) => {
            assert_eq!(end.termination, termination, "{end:?}");
            assert_eq!(end.forfeited_by(), ForfeitedBy::Of(seat), "{end:?}");
            assert_eq!(end.result, GameResult::Won(seat.other()), "{end:?}");
            assert!(end.detail(cachex::GAME).contains(words), "{end:?}");
            assert!(
                !end.detail(cachex::GAME).contains(char::is_control),
                "{end:?}"
            );
        }
    }
    // The time of the action that lost the game counts.
    if end.detail(cachex::GAME).starts_with("no answer") {
        let spent = end.spent[seat];
        let time = time_control(bot.limits);
        let is_counted = match (bot.limits, end.termination) {
            (Limits::ShortMoves, _) => Some(spent.wall) >= time.per_move,
            (Limits::LittleCpu, Termination::Time) => Some(spent.cpu) >= time.per_game,
            _ => true,
        };
        assert!(is_counted, "{end:?}");
    }
    assert_eq!(cleanup.survivors, 0, "{cleanup:?}");
    let bound = bound(bot.limits, &end);
    assert!(
        took <= bound + Duration::from_secs(1),
        "{took:?} of {bound:?}"
    );
    let mut next = Participant::new(start("honest"));
    let next = game_in(seat, &mut next, &mut honest, Limits::Ample);
    assert_eq!(next.termination, Termination::Rules, "{next:?}");
    Played { end, took, bound }
}
