//! Kuhn poker of three seats and more by the wrapper of OpenSpiel: private cards, and points that add up to 0.

use std::collections::BTreeSet;

use referee::game::NewsLine;
use referee::rules::{Answer, Deadlines, Program, SeatNames, Turn};

use super::{acting, end, play_all, strings};
use crate::support::{Heard, RandomGame, begin, begin_with, examples, python_with, start, turn};

fn poker(game: &str) -> Option<(String, Program)> {
    let python = python_with("pyspiel")?;
    let args = ["openspiel.py", "--game", game];
    let started = start(&python, &args, &examples(), Deadlines::default());
    Some((python, started.expect("a rules program")))
}

fn heard(turn: &Turn) -> Vec<(u8, &str)> {
    let seen = turn.news.iter().filter_map(|news| match news {
        (Some(seat), NewsLine::See(words)) => Some((seat.number(), words.as_str())),
        _ => None,
    });
    let seen: Vec<_> = seen.collect();
    assert_eq!(seen.len(), turn.news.len(), "{:?}", turn.news);
    seen
}

#[test]
fn three_players_see_their_own_card_alone_and_the_best_card_wins() {
    let (_, mut program) = needed!(poker("kuhn_poker(players=3)"));
    assert!(program.hello().has.hidden);
    let mut winners = BTreeSet::new();
    for seed in 0..30 {
        let mut next = begin(&mut program, seed, &[]);
        let mut cards = [0; 3];
        // All bet two chips in the end.
        for (seat, action) in [(0, "Pass"), (1, "Bet"), (2, "Bet"), (0, "Bet")] {
            let [(to, words)] = heard(&next)[..] else {
                panic!("{next:?}");
            };
            assert_eq!((to, acting(&next)), (seat, &[seat][..]));
            // The card and the bets of all.
            let (card, bets) = words.split_at(1);
            assert!(["", "p", "pb", "pbb"].contains(&bets), "{words}");
            cards[usize::from(seat)] = card.parse::<u8>().expect("a card");
            next = play_all(&mut program, &[(seat, action)]);
        }
        assert_eq!(cards.iter().collect::<BTreeSet<_>>().len(), 3, "{cards:?}");
        let best = cards.iter().max().expect("cards");
        let expected = cards.map(|card| if card == *best { "4" } else { "-2" });
        assert_eq!(end(&next), (strings(expected), "over"));
        winners.insert(cards.iter().position(|card| card == best));
    }
    assert_eq!(winners.len(), 3);
}

#[test]
fn any_number_of_players_that_the_game_allows_can_sit_down() {
    let (_, mut program) = needed!(poker("kuhn_poker"));
    let range = SeatNames::Range { least: 2, most: 10 };
    assert_eq!(program.hello().seats, range);
    for seats in [2, 3, 5, 8] {
        let mut next = turn(begin_with(&mut program, seats, 1, &[]));
        for seat in 0..seats {
            assert_eq!(acting(&next), [seat]);
            next = play_all(&mut program, &[(seat, "Pass")]);
        }
        let (points, _) = end(&next);
        let points = points.iter().map(|it| it.parse().expect("a number"));
        let mut points: Vec<i32> = points.collect();
        points.sort_unstable();
        // The best card wins the stakes of all.
        let others = vec![-1; usize::from(seats - 1)];
        assert_eq!(points, [others, vec![i32::from(seats) - 1]].concat());
    }
    // A star has two, three, four or six points in use, so each number is a game of its own.
    for (game, seats) in [("chinese_checkers", 2), ("chinese_checkers(players=6)", 6)] {
        let Some((_, mut program)) = poker(game) else {
            return;
        };
        turn(begin_with(&mut program, seats, 1, &[]));
        let Ok(Answer::Refused(_)) = begin_with(&mut program, 5, 1, &[]) else {
            panic!("a star has no five points");
        };
    }
}

#[test]
fn nothing_leaks_between_three_players() {
    for game in [
        "kuhn_poker(players=3)",
        "leduc_poker(players=3)",
        "goofspiel(players=3,num_cards=4,imp_info=true)",
    ] {
        let Some((_, mut program)) = poker(game) else {
            return;
        };
        let Some((_, mut other)) = poker(game) else {
            return;
        };
        let mut heard = Heard::default();
        for seed in 1..=40 {
            let played = RandomGame::play(&mut program, seed, &mut heard);
            assert!(played.points.iter().sum::<f64>().abs() < 1e-6, "{played:?}");
            assert_eq!(played.points.len(), 3);
            if seed <= 4 {
                played.replay(&mut other);
            }
        }
        assert!(heard.repeated > 10, "{game}: {}", heard.repeated);
        assert_eq!(heard.leaks, 0, "{game}");
    }
}
