//! Whole tournaments with invented results, for the tests of the formats.

use super::{Conclusion, Format, GameCount, GamesPerPairing, NextGame, Ticket};
use crate::game::{GameResult, PerSeat, Places, Seat};

pub(super) fn random(seed: u64) -> impl FnMut(&Ticket) -> GameResult {
    move |ticket| {
        let (luck, seats) = (mixed(seed << 32 | ticket.id), ticket.players.count());
        match luck % 16 {
            15 => GameResult::Nobody,
            of_two if seats == 2 => match of_two {
                0..6 => GameResult::Won(Seat::FIRST),
                6..12 => GameResult::Won(Seat::SECOND),
                _ => GameResult::Drawn,
            },
            _ => {
                let amounts = PerSeat::of(seats, |seat| (luck >> (8 * seat.index())) % 5);
                GameResult::placed(Places::by(&amounts))
            }
        }
    }
}

pub(super) fn number(number: u32) -> GamesPerPairing {
    GamesPerPairing::new(number).expect("not zero")
}

pub(super) fn mixed(number: u64) -> u64 {
    let mut z = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

pub(super) fn stronger_wins(ticket: &Ticket) -> GameResult {
    let amounts = ticket.players.clone().map(std::cmp::Reverse);
    GameResult::placed(Places::by(&amounts))
}

/// Like [`conclude_among`], in a game of two.
pub(super) fn conclude(
    format: &Format,
    players: usize,
    jobs: usize,
    result: impl FnMut(&Ticket) -> GameResult,
) -> (Vec<(Ticket, GameResult)>, Option<Conclusion>) {
    conclude_among(format, players, 2, jobs, result)
}

/// Plays a tournament with up to `jobs` games at a time. The game that began last ends first. Returns the games
/// by number, and the conclusion of the format.
pub(super) fn conclude_among(
    format: &Format,
    players: usize,
    seats: usize,
    jobs: usize,
    mut result: impl FnMut(&Ticket) -> GameResult,
) -> (Vec<(Ticket, GameResult)>, Option<Conclusion>) {
    let mut schedule = format.schedule(players, seats);
    let mut in_play: Vec<Ticket> = Vec::new();
    let mut games = Vec::new();
    loop {
        while in_play.len() < jobs {
            match schedule.next() {
                NextGame::Issue(ticket) => {
                    let issued = games.len() + in_play.len();
                    assert_eq!(ticket.id, issued as u64, "numbers have no gaps");
                    assert_eq!(ticket.players.count(), seats);
                    assert!(ticket.players.values().all(|player| *player < players));
                    in_play.push(ticket);
                }
                NextGame::Wait => {
                    assert!(!in_play.is_empty(), "it waits without a game in play");
                    break;
                }
                NextGame::Done => break,
            }
        }
        let Some(ticket) = in_play.pop() else {
            break;
        };
        let result = result(&ticket);
        schedule.record(ticket.id, result);
        games.push((ticket, result));
    }
    assert_eq!(
        schedule.next(),
        NextGame::Done,
        "a schedule that is done stays done"
    );
    games.sort_by_key(|(ticket, _)| ticket.id);
    let played = games.len() as u64;
    match schedule.count() {
        GameCount::Exactly(count) => assert_eq!(played, count),
        GameCount::AtMost(most) => assert!(played <= most),
        GameCount::Unknown => {}
    }
    let rounds: Vec<Option<u64>> = games.iter().map(|(ticket, _)| ticket.round).collect();
    assert!(rounds.is_sorted(), "rounds come one after another");
    assert_ne!(rounds.first(), Some(&Some(0)), "rounds count from 1");
    (games, schedule.conclusion())
}

/// The games of a format that does not depend on results.
pub(super) fn fixed_games(format: &Format, players: usize, seats: usize) -> Vec<Ticket> {
    let games = conclude_among(format, players, seats, 1, |_| GameResult::Drawn).0;
    games.into_iter().map(|(ticket, _)| ticket).collect()
}

/// Maximum over players of the difference between their games in the first and the second seat.
pub(super) fn balance<'a>(players: usize, games: impl IntoIterator<Item = &'a Ticket>) -> i64 {
    let mut first = vec![0_i64; players];
    for ticket in games {
        let [one, other] = ticket.players.clone().pair().expect("two seats");
        first[one] += 1;
        first[other] -= 1;
    }
    first.into_iter().map(i64::abs).max().unwrap_or(0)
}

pub(super) fn pairings(games: &[(Ticket, GameResult)]) -> Vec<[usize; 2]> {
    let first_games = games.iter().step_by(2);
    first_games
        .map(|(game, _)| game.players.clone().pair().expect("two seats"))
        .collect()
}
