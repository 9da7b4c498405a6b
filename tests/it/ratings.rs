//! Properties that ratings have for any games.

use proptest::prelude::*;
use referee::rating::{Anchor, GameCounter, Model, RatedGame, Ratings, Standings, WinDrawLoss};

use crate::rate::rate;

#[derive(Debug, Clone, Copy)]
struct Game {
    players: [usize; 2],
    /// Its place in `WinDrawLoss::ALL`.
    score: usize,
    pair: Option<u64>,
}

prop_compose! {
    fn game()(
        first in 0..6_usize,
        step in 1..6_usize,
        score in 0..3_usize,
        pair in proptest::option::of(0..8_u64),
    ) -> Game {
        Game { players: [first, (first + step) % 6], score, pair }
    }
}

fn games() -> impl Strategy<Value = Vec<Game>> {
    proptest::collection::vec(game(), 1..60)
}

fn add(games: &mut GameCounter, names: [&str; 2], score: WinDrawLoss, block: Option<u64>) {
    games.add(&RatedGame {
        block,
        ..RatedGame::new(names.into(), score.as_result())
    });
}

fn standings(games: &[Game], name: &dyn Fn(usize) -> String) -> Standings {
    let mut counter = GameCounter::default();
    for game in games {
        let names = game.players.map(name);
        let score = WinDrawLoss::ALL[game.score];
        add(&mut counter, [&names[0], &names[1]], score, game.pair);
    }
    counter.standings()
}

fn letters(player: usize) -> String {
    char::from(b'a' + player as u8).to_string()
}

fn rated(games: &[Game], name: &dyn Fn(usize) -> String) -> Vec<Option<(f64, f64)>> {
    let standings = standings(games, name);
    let ratings = Ratings::new(&standings, Model::default());
    let of = |player| {
        let found = standings.find(&name(player))?;
        let rating = ratings.rating(found, Anchor::default());
        Some((rating.elo, rating.margin()))
    };
    (0..6).map(of).collect()
}

fn close(one: &[Option<(f64, f64)>], other: &[Option<(f64, f64)>]) -> bool {
    one.iter().zip(other).all(|pair| match pair {
        (Some(a), Some(b)) => (a.0 - b.0).abs() < 1e-4 && (a.1 - b.1).abs() < 1e-4,
        (None, None) => true,
        _ => false,
    })
}

proptest! {
    #![proptest_config(crate::support::properties::cases(256))]

    #[test]
    fn the_order_of_single_games_changes_nothing(games in games(), seed in any::<u64>()) {
        let single: Vec<Game> = games.into_iter().map(|game| Game { pair: None, ..game }).collect();
        let mut turned = single.clone();
        let key = |Game { players: [a, b], score, .. }: &Game| a * 31 + b * 7 + score;
        turned.sort_by_key(|game| key(game).wrapping_mul(seed as usize | 1));
        prop_assert_eq!(rated(&single, &letters), rated(&turned, &letters));
    }

    #[test]
    fn names_do_not_matter(games in games()) {
        let other = |player: usize| letters(5 - player);
        prop_assert!(close(&rated(&games, &letters), &rated(&games, &other)));
    }

    #[test]
    fn all_is_finite_and_differences_add_up(games in games()) {
        let standings = standings(&games, &letters);
        let ratings = Ratings::new(&standings, Model::default());
        let count = standings.players().len();
        for a in 0..count {
            let rating = ratings.rating(a, Anchor::default());
            prop_assert!(rating.elo.is_finite() && rating.error.is_finite() && rating.error > 0.0);
            for b in 0..count {
                let there = ratings.difference(a, b);
                let back = ratings.difference(b, a);
                prop_assert!((there.elo + back.elo).abs() < 1e-9);
                prop_assert!((there.error - back.error).abs() < 1e-6);
                let anchored = ratings.rating(a, Anchor::Player(b, 0.0));
                prop_assert_eq!(anchored, there);
                let of_mean = rating.elo - ratings.rating(b, Anchor::default()).elo;
                prop_assert!((there.elo - of_mean).abs() < 1e-6);
                let both = ratings.superiority(a, b) + ratings.superiority(b, a);
                prop_assert!((both - 1.0).abs() < 1e-9);
                let expected = ratings.expected(a, b) + ratings.expected(b, a);
                prop_assert!((expected - 1.0).abs() < 1e-9);
            }
        }
    }

    #[test]
    fn swapping_all_seats_reverses_only_the_advantage(games in games()) {
        let turn = |&Game { players: [a, b], score, pair }: &Game| Game { players: [b, a], score: 2 - score, pair };
        let turned: Vec<Game> = games.iter().map(turn).collect();
        prop_assert!(close(&rated(&games, &letters), &rated(&turned, &letters)));
        let advantage = |games: &[Game]| {
            let ratings = Ratings::new(&standings(games, &letters), Model::default());
            ratings.advantage().expect("fitted").elo
        };
        prop_assert!((advantage(&games) + advantage(&turned)).abs() < 1e-4);
    }
}

/// The same results, with the two games of each pair split or won by the same player.
#[test]
fn pairs_that_cancel_narrow_the_interval_and_pairs_that_agree_widen_it() {
    let margin = |opposed: bool| {
        let mut games = GameCounter::default();
        for pair in 0..100 {
            let (one, two) = match (opposed, pair % 2 == 0) {
                // The start decides: the player in the better seat wins, then the other.
                (true, true) => (WinDrawLoss::Win, WinDrawLoss::Win),
                (true, false) => (WinDrawLoss::Loss, WinDrawLoss::Loss),
                // The player decides: one player wins both.
                (false, true) => (WinDrawLoss::Win, WinDrawLoss::Loss),
                (false, false) => (WinDrawLoss::Loss, WinDrawLoss::Win),
            };
            add(&mut games, ["a", "b"], one, Some(pair));
            add(&mut games, ["b", "a"], two, Some(pair));
        }
        let ratings = Ratings::new(&games.standings(), Model::default());
        (
            ratings.difference(0, 1).margin(),
            ratings.variation().expect("pairs"),
        )
    };
    let ((narrow, opposed), (wide, alike)) = (margin(true), margin(false));
    assert!(opposed < 0.1 && alike > 1.9, "{opposed} {alike}");
    assert!(wide > 4.0 * narrow, "{wide} {narrow}");
    // Two hundred single games: (400 / ln 10) / sqrt(n / 4).
    let single = 1.96 * 400.0 / 10_f64.ln() / 50_f64.sqrt();
    assert!(
        (wide / single - 2_f64.sqrt()).abs() < 0.05,
        "{wide} {single}"
    );
}

/// A match of the two, with so many pairs of each two results of the first of them.
fn match_of_pairs(counts: &[(WinDrawLoss, WinDrawLoss, u32)], paired: bool) -> Ratings {
    let mut games = GameCounter::default();
    let mut number = 0;
    for (one, two, count) in counts {
        for _ in 0..*count {
            number += 1;
            let pair = paired.then_some(number);
            add(&mut games, ["a", "b"], *one, pair);
            add(&mut games, ["b", "a"], two.reversed(), pair);
        }
    }
    Ratings::new(&games.standings(), Model::default())
}

proptest! {
    #![proptest_config(crate::support::properties::cases(256))]

    #[test]
    fn no_game_pairs_have_an_interval_without_width(counts in proptest::array::uniform9(0..12_u32)) {
        let scores = WinDrawLoss::ALL.into_iter().flat_map(|one| WinDrawLoss::ALL.map(|two| (one, two)));
        let counts: Vec<_> = scores.zip(counts).map(|((one, two), count)| (one, two, count)).collect();
        let ratings = match_of_pairs(&counts, true);
        if ratings.clusters() > 0 {
            let of_fit = match_of_pairs(&counts, false).difference(0, 1).error;
            let error = ratings.difference(0, 1).error;
            prop_assert!(error > 0.1 * of_fit && error < 2.0 * of_fit, "{} {}", error, of_fit);
            let (los, sure) = (ratings.los(0, 1), ratings.difference(0, 1).elo.abs() > 6.0 * error);
            prop_assert!(!sure || (los - 0.5).abs() > 0.4, "{}", los);
        }
    }
}

#[test]
fn no_player_and_one_player() {
    let ratings = Ratings::new(&Standings::default(), Model::default());
    assert_eq!(ratings.clusters(), 0);
    let mut games = GameCounter::default();
    let alone = games.add_player("a");
    let ratings = Ratings::new(&games.standings(), Model::default());
    assert_eq!(ratings.rating(alone, Anchor::Mean(100.0)).elo, 100.0);
}

#[test]
fn equals_draw_as_often_as_on_the_seats_that_they_have() {
    let mut file = String::new();
    for names in ["a,b", "b,a"] {
        for (score, games) in [("1", 60), ("0.5", 30), ("0", 10)] {
            file.push_str(&format!("{names},{score}\n").repeat(games));
        }
    }
    // Of all games 30 % are drawn, and ν / (2 + ν) is 38 % for ν = 30 / √(60 × 10).
    let said = "draw 30 % of their games.";
    let shown = rate(&file, "").ok().replace("\n  ", " ");
    assert!(shown.contains(said), "{shown}");
    let json: serde_json::Value =
        serde_json::from_str(&rate(&file, "--format json").ok()).expect("JSON");
    for (name, rate) in [
        ("draw_rate_between_equals", 0.3),
        ("draw_rate_with_equal_seats", 0.38),
    ] {
        let found = json["games"]["games"][name].as_f64().expect("a number");
        assert!((found - rate).abs() < 0.005, "{name}: {found}");
    }
    let equal = rate(&file, "--equal-seats").ok();
    assert!(!equal.contains("if both seats"), "{equal}");
}
