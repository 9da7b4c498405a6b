//! Properties of the formats that hold for any results.

use std::collections::{HashMap, HashSet};
use std::num::NonZeroU32;

use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use crate::game::GameResult;
use crate::rating::{EloModel, OrderVerdict, RankingTest, Sprt};
use crate::schedule::pairings::possible;
use crate::schedule::testing::{balance, conclude, random};
use crate::schedule::{Conclusion, Format, Ticket};

/// A fixed seed, so that every run tests equal cases.
fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        rng_seed: RngSeed::Fixed(2026),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

fn number(most: u32) -> impl Strategy<Value = NonZeroU32> {
    (1..=most).prop_map(|number| NonZeroU32::new(number).expect("at least 1"))
}

/// A tournament of any form among 2 to 12 players.
fn tournament() -> impl Strategy<Value = (Format, usize)> {
    let format = |players: usize| {
        let some = proptest::sample::subsequence((0..players).collect::<Vec<_>>(), 1..players);
        prop_oneof![
            number(5).prop_map(Format::RoundRobin),
            (some, number(5))
                .prop_map(|(challengers, games)| Format::Gauntlet { challengers, games }),
            (1..9_u32, number(3)).prop_map(|(rounds, pairs)| Format::Swiss { rounds, pairs }),
            number(3).prop_map(|pairs| Format::Knockout { pairs }),
            (0..players, 20.0..100.0, 1..60_u64).prop_map(|(challenger, elo1, pairs)| {
                Format::Sprt {
                    seats: 2,
                    challenger,
                    test: Sprt {
                        elo0: 0.0,
                        elo1,
                        alpha: 0.1,
                        beta: 0.1,
                        model: EloModel::Logistic,
                    },
                    most_pairs: Some(pairs),
                }
            }),
            (0.6..0.95, 1..60_u64).prop_map(|(confidence, most_pairs)| Format::Adaptive {
                test: RankingTest {
                    confidence,
                    indifference: 50.0
                },
                most_pairs
            }),
        ]
    };
    (2..=12_usize).prop_flat_map(move |players| (format(players), Just(players)))
}

fn games_per_pairing(games: &[(Ticket, GameResult)]) -> HashMap<[usize; 2], u32> {
    let mut met = HashMap::new();
    for (ticket, _) in games {
        let [a, b] = ticket.players.clone().pair().expect("two seats");
        *met.entry([a.min(b), a.max(b)]).or_insert(0) += 1;
    }
    met
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn any_number_of_jobs_plays_the_same_games_with_balanced_seats(
        (format, players) in tournament(), seed in 0..1000_u64, jobs in 2..20_usize,
    ) {
        let one = conclude(&format, players, 1, random(seed));
        prop_assert!(balance(players, &one.0) <= 1);
        for pair in one.0.chunk_by(|(one, _), (two, _)| one.pair == two.pair) {
            let (first, last) = (&pair[0].0.players, &pair[pair.len() - 1].0.players);
            let [a, b] = first.clone().pair().expect("two seats");
            prop_assert!(pair.len() <= 2);
            prop_assert!(pair.len() == 1 || last.clone().pair().expect("two seats") == [b, a]);
        }
        prop_assert_eq!(one, conclude(&format, players, jobs, random(seed)));
    }
}

proptest! {
    #![proptest_config(cases(100))]

    #[test]
    fn in_a_round_robin_all_meet_as_often_as_promised(
        players in 2..40_usize, games in number(5), seed in 0..1000_u64,
    ) {
        let (played, _) = conclude(&Format::RoundRobin(games), players, 4, random(seed));
        let met = games_per_pairing(&played);
        prop_assert_eq!(met.len(), players * (players - 1) / 2);
        prop_assert!(met.values().all(|count| *count == games.get()));
        prop_assert!(balance(players, &played) <= 1);
    }

    #[test]
    fn in_a_gauntlet_challengers_meet_the_others_as_often_as_promised(
        players in 2..40_usize, share in 0.0..1.0, games in number(5),
    ) {
        let challengers: Vec<usize> = (0..1 + (share * (players - 1) as f64) as usize).collect();
        let count = challengers.len();
        let format = Format::Gauntlet { challengers, games };
        let (played, _) = conclude(&format, players, 4, random(1));
        let met = games_per_pairing(&played);
        prop_assert_eq!(met.len(), count * (players - count));
        prop_assert!(met.iter().all(|([a, b], n)| *a < count && *b >= count && *n == games.get()));
        prop_assert!(balance(players, &played) <= 1);
    }

    #[test]
    fn a_swiss_repeats_no_pairing_while_another_exists(
        players in 2..=8_usize, rounds in 1..9_u32, seed in 0..1000_u64,
    ) {
        let format = Format::Swiss { rounds, pairs: NonZeroU32::MIN };
        let (played, _) = conclude(&format, players, 4, random(seed));
        let seats = players + players % 2;
        let all: Vec<usize> = (0..seats).collect();
        let mut met = HashSet::new();
        for round in played.chunks(players / 2 * 2) {
            let mut pairings: Vec<[usize; 2]> = games_per_pairing(round).into_keys().collect();
            let free = (0..players).find(|player| !pairings.iter().flatten().any(|p| p == player));
            pairings.extend(free.map(|player| [player, players]));
            prop_assert_eq!(pairings.len(), seats / 2);
            if pairings.iter().any(|pairing| met.contains(pairing)) {
                let new = |a: usize, b: usize| !met.contains(&[a.min(b), a.max(b)]);
                prop_assert!(!possible(&all, &new), "{:?}", pairings);
            }
            met.extend(pairings);
        }
    }

    #[test]
    fn a_knockout_has_one_winner_and_everybody_else_lost_the_last_match(
        players in 2..70_usize, pairs in number(3), seed in 0..1000_u64,
    ) {
        let (played, end) = conclude(&Format::Knockout { pairs }, players, 4, random(seed));
        let Some(Conclusion::Winner(places)) = end else {
            return Err(TestCaseError::fail("nobody won"));
        };
        prop_assert_eq!(places.len(), players);
        let winner = places[0].player;
        let met = games_per_pairing(&played);
        prop_assert_eq!(met.len(), players - 1);
        // Everybody else lost the last match: by points, or after a tie by the seed.
        for player in (0..players).filter(|player| *player != winner) {
            let of_player = |(ticket, _): &&(Ticket, GameResult)| ticket.players.contains(&player);
            let last = played.iter().rfind(of_player).expect("everybody plays").0.players.clone();
            let seat = last.find(|seated| *seated == player).expect("it plays");
            let other = last[seat.other()];
            let mut lead = 0.0;
            for (ticket, result) in &played {
                let points = result.points();
                if ticket.players == [player, other].into() {
                    lead += points[0] - points[1];
                } else if ticket.players == [other, player].into() {
                    lead += points[1] - points[0];
                }
            }
            prop_assert!(lead < 0.0 || (lead == 0.0 && other < player), "{} {}", player, lead);
        }
    }

    #[test]
    fn an_adaptive_tournament_ends_at_most_pairs_or_when_the_order_is_clear(
        players in 2..30_usize, confidence in 0.6..0.95, most_pairs in 1..150_u64, seed in 0..1000_u64,
    ) {
        let test = RankingTest { confidence, indifference: 200.0 };
        let format = Format::Adaptive { test, most_pairs };
        let (played, end) = conclude(&format, players, 4, random(seed));
        let Some(Conclusion::Ranking { order, next, .. }) = end else {
            return Err(TestCaseError::fail("no ranking"));
        };
        let pairs = played.len() as u64 / 2;
        prop_assert!(pairs <= most_pairs);
        prop_assert!(pairs == most_pairs || next.iter().all(|next| next.apart != OrderVerdict::Unclear));
        let mut players_in_order = order.clone();
        players_in_order.sort_unstable();
        prop_assert_eq!(players_in_order, (0..players).collect::<Vec<_>>());
        prop_assert_eq!(next.len(), players - 1);
    }
}
