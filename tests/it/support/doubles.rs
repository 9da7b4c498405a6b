//! Games between doubles inside this process, where every time is exact.

use std::collections::VecDeque;
use std::time::Duration;

use referee::bot::{Double, Player, Reply};
use referee::clock::{Measure, TimeControl};
use referee::game::{AnyPosition, PerSeat, Setup, cachex};
use referee::random::Stream;
use referee::referee::{
    Adjudication, GameEnd, GameSpec, Participant, Ply, SeatTerms, Void, Witness, play,
};

pub const MS: Duration = Duration::from_millis(1);

/// Red connects a1, a2 and a3 on a board of size 3, and blue does not prevent it.
pub const RED: [&str; 3] = ["a1", "a2", "a3"];
pub const BLUE: [&str; 2] = ["c1", "c2"];

pub const SHUFFLE: u64 = 6;

pub fn no_limits() -> TimeControl {
    TimeControl {
        measure: Measure::Wall,
        per_game: None,
        period: None,
        increment: Duration::ZERO,
        per_move: None,
        margin: Duration::ZERO,
        wall_cap: 1000 * MS,
    }
}

pub fn small_cachex() -> Setup {
    let mut setup = Setup::new(cachex::GAME);
    setup.set("size", "3").expect("a size");
    setup
}

pub type Planned = Participant<Double<Box<dyn FnMut(&[String]) -> Reply>>>;

pub fn line(text: &str) -> Reply {
    Reply::Line(text.to_owned(), Duration::ZERO)
}

/// Gives these replies one after another, whatever it is asked.
pub fn replies(replies: Vec<Reply>) -> Planned {
    let mut replies = VecDeque::from(replies);
    Participant::new(Double::new(Box::new(move |_| {
        let reply = replies.pop_front();
        reply.expect("it is asked no more than planned")
    })))
}

/// Answers the handshake and the start, then gives these replies.
pub fn acts(actions: Vec<Reply>) -> Planned {
    let mut all = vec![line("bot 1 double"), line("ready")];
    all.extend(actions);
    replies(all)
}

/// Plays these actions, which take so many milliseconds each, or none.
pub fn plays(actions: &[&str], ms: &[u32]) -> Planned {
    let took = ms.iter().chain(std::iter::repeat(&0));
    let reply = |(action, ms): (&&str, &u32)| Reply::Line((*action).to_owned(), *ms * MS);
    acts(std::iter::zip(actions, took).map(reply).collect())
}

pub struct Unwatched;

impl Witness for Unwatched {
    fn ply(&mut self, _ply: &Ply<'_>, _position: &dyn AnyPosition) {}
}

struct Watch<F>(F);

impl<F: FnMut(&Ply<'_>, &dyn AnyPosition)> Witness for Watch<F> {
    fn ply(&mut self, ply: &Ply<'_>, position: &dyn AnyPosition) {
        (self.0)(ply, position);
    }
}

/// One game, of which `watch` sees every ply.
pub fn watched_game<'p>(
    setup: &Setup,
    time: &TimeControl,
    opening_plies: u32,
    players: [&'p mut Participant<dyn Player + 'p>; 2],
    watch: impl FnMut(&Ply<'_>, &dyn AnyPosition),
) -> Result<GameEnd, Void> {
    let (times, players) = ([time.clone(), time.clone()].into(), players.into());
    watched_seats(setup, &times, 100 * MS, opening_plies, players, watch)
}

/// One game of any number of seats, of which `watch` sees every ply. Each player has its own time, and as much as the others
/// for the handshake and to get ready.
pub fn watched_seats<'p>(
    setup: &Setup,
    times: &PerSeat<TimeControl>,
    preparation: Duration,
    opening_plies: u32,
    players: PerSeat<&'p mut Participant<dyn Player + 'p>>,
    watch: impl FnMut(&Ply<'_>, &dyn AnyPosition),
) -> Result<GameEnd, Void> {
    let terms = (preparation, opening_plies, false);
    table(setup, times, terms, players, watch)
}

/// Such a game that goes on without the seats whose players forfeit.
pub fn dropping_seats<'p>(
    setup: &Setup,
    times: &PerSeat<TimeControl>,
    opening_plies: u32,
    players: PerSeat<&'p mut Participant<dyn Player + 'p>>,
    watch: impl FnMut(&Ply<'_>, &dyn AnyPosition),
) -> Result<GameEnd, Void> {
    let terms = (100 * MS, opening_plies, true);
    table(setup, times, terms, players, watch)
}

fn table<'p>(
    setup: &Setup,
    times: &PerSeat<TimeControl>,
    (preparation, opening_plies, drops): (Duration, u32, bool),
    players: PerSeat<&'p mut Participant<dyn Player + 'p>>,
    watch: impl FnMut(&Ply<'_>, &dyn AnyPosition),
) -> Result<GameEnd, Void> {
    let mut chance = Stream::new(SHUFFLE, 0);
    let mut position = setup.start(&mut chance)?;
    play(
        &GameSpec {
            game: setup.game(),
            options: setup.public_options().into(),
            bot_seeds: (41..).take(times.count()).collect(),
            opening_plies,
            adjudication: Adjudication::default(),
            drops,
            terms: times.each_ref().map(|time| SeatTerms {
                time,
                handshake: preparation,
                start: preparation,
            }),
        },
        position.as_mut(),
        players,
        &mut chance,
        &mut Watch(watch),
    )
}

/// One game of Cachex on a board of size 3, which may be void.
pub fn try_game<'p>(
    time: &TimeControl,
    players: [&'p mut Participant<dyn Player + 'p>; 2],
) -> Result<GameEnd, Void> {
    watched_game(&small_cachex(), time, 0, players, |_, _| {})
}

/// One game of Cachex on a board of size 3.
pub fn game<'p>(time: &TimeControl, players: [&'p mut Participant<dyn Player + 'p>; 2]) -> GameEnd {
    try_game(time, players).expect("a game that counts")
}

/// The legal actions of the seat that acts, of a game that is built in.
pub fn legal(position: &dyn AnyPosition) -> Vec<String> {
    let seats = position.to_act().seats();
    let legal = seats.map(|seat| position.legal(seat).expect("built in"));
    legal.collect::<Vec<_>>().concat()
}

/// The lines that begin with this word among those that a player was sent.
pub fn told<'a>(lines: &'a [String], word: &str) -> Vec<&'a str> {
    lines
        .iter()
        .map(String::as_str)
        .filter(|line| line.split(' ').next() == Some(word))
        .collect()
}
