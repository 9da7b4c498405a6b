//! Properties of the formats that hold for any results.

use std::collections::{HashMap, HashSet};

use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use crate::game::GameResult;
use crate::rating::{EloModel, OrderVerdict, RankingTest, Sprt};
use crate::schedule::seating::possible;
use crate::schedule::testing::{balance, conclude, conclude_among, number, random};
use crate::schedule::{Conclusion, Format, GamesPerPairing, Ticket};

/// A fixed seed, so that every run tests equal cases.
fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        rng_seed: RngSeed::Fixed(2026),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

fn to(most: u32) -> impl Strategy<Value = GamesPerPairing> {
    (1..=most).prop_map(number)
}

fn in_pairs(most: u32) -> impl Strategy<Value = GamesPerPairing> {
    (1..=most).prop_map(|pairs| number(2 * pairs))
}

/// A tournament of any form among up to 12 players, and its number of seats.
fn tournament() -> impl Strategy<Value = (Format, usize, usize)> {
    let format = |players: usize, seats: u32| {
        let some = proptest::sample::subsequence((0..players).collect::<Vec<_>>(), 1..players);
        let in_blocks = move || (1..=3_u32).prop_map(move |blocks| number(blocks * seats));
        let most_games = move || (1..60_u64).prop_map(move |blocks| blocks * u64::from(seats));
        prop_oneof![
            to(5).prop_map(Format::RoundRobin),
            (some, to(5)).prop_map(|(challengers, games)| Format::Gauntlet { challengers, games }),
            (1..9_u32, in_blocks()).prop_map(|(rounds, games)| Format::Swiss { rounds, games }),
            in_blocks().prop_map(|games| Format::Knockout { games }),
            (0..players, 20.0..100.0, most_games()).prop_map(|(challenger, elo1, most_games)| {
                Format::Sprt {
                    challenger,
                    test: Sprt {
                        elo0: 0.0,
                        elo1,
                        alpha: 0.1,
                        beta: 0.1,
                        model: EloModel::Logistic,
                    },
                    most_games: Some(most_games),
                }
            }),
            (0.6..0.95, most_games()).prop_map(|(confidence, most_games)| Format::Adaptive {
                test: RankingTest {
                    confidence,
                    indifference: 50.0
                },
                most_games
            }),
        ]
    };
    // Two seats, with formats of their own, are as likely as all others.
    let seats = prop_oneof![Just(2_usize), 3..=5_usize];
    let tournament = (seats, 2..=12_usize).prop_flat_map(move |(seats, players)| {
        (format(players, seats as u32), Just(players), Just(seats))
    });
    tournament.prop_filter("seats that are filled", |(format, players, seats)| {
        format.fits(*players, *seats).is_ok()
    })
}

fn games_per_pairing(games: &[(Ticket, GameResult)]) -> HashMap<[usize; 2], u32> {
    let mut met = HashMap::new();
    for (ticket, _) in games {
        let [a, b] = ticket.players.clone().pair().expect("two seats");
        *met.entry([a.min(b), a.max(b)]).or_insert(0) += 1;
    }
    met
}

/// FNV-1a of the numbers, the blocks, the rounds and the players of all games.
fn digest(games: &[(Ticket, GameResult)]) -> u64 {
    let numbers = games.iter().flat_map(|(game, _)| {
        let head = [game.id, game.block, game.round.unwrap_or(0)];
        head.into_iter()
            .chain(game.players.values().map(|player| *player as u64))
    });
    numbers
        .flat_map(u64::to_le_bytes)
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
        })
}

/// Ratings choose the games of an adaptive tournament, so it is not among these.
#[test]
fn equal_results_lead_to_the_games_that_were_first_recorded() {
    let round_robin = |games| Format::RoundRobin(number(games));
    let some = |challengers: &[usize], games| Format::Gauntlet {
        challengers: challengers.to_vec(),
        games: number(games),
    };
    let swiss = |games| Format::Swiss {
        rounds: if games == 4 { 5 } else { 6 },
        games: number(games),
    };
    let knockout = Format::Knockout { games: number(6) };
    let sprt = Format::Sprt {
        challenger: 1,
        test: Sprt {
            elo0: 0.0,
            elo1: 60.0,
            alpha: 0.05,
            beta: 0.1,
            model: EloModel::Logistic,
        },
        most_games: None,
    };
    for (format, players, seats, games, expected) in [
        (round_robin(3), 5, 2, 30, 0x3ed8_b4db_aed6_ae65),
        (round_robin(2), 8, 2, 56, 0x6b05_6643_5d58_aa65),
        (round_robin(4), 9, 3, 48, 0x6ae1_a459_98c3_f601),
        (some(&[1, 2], 5), 9, 2, 70, 0xe031_b7e8_6fcf_e106),
        (some(&[0, 2, 3, 4, 7], 3), 9, 2, 60, 0x906d_d888_4b40_0def),
        (some(&[0, 2], 8), 9, 4, 40, 0xebc4_48aa_8d2f_4b25),
        (swiss(4), 8, 2, 80, 0xc2f4_d7eb_d71b_9925),
        (swiss(4), 13, 2, 120, 0xa82d_dec4_a8fe_a365),
        (swiss(6), 9, 3, 108, 0x964a_d91e_67e4_8925),
        (swiss(8), 14, 4, 144, 0xa055_8ebf_6226_7b25),
        (swiss(16), 20, 8, 192, 0x8af3_78ee_9e18_e625),
        (knockout, 13, 2, 74, 0x1c2d_1dce_98f0_6ca4),
        (sprt.clone(), 5, 2, 152, 0xbd67_289a_dfc8_f025),
        (sprt, 14, 4, 148, 0xa655_5b26_fee8_4c65),
    ] {
        let (played, _) = conclude_among(&format, players, seats, 3, random(7));
        assert_eq!(played.len(), games, "{format:?}");
        let found = digest(&played);
        assert_eq!(found, expected, "{format:?} of {seats}: {found:#x}");
    }
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn any_number_of_jobs_plays_the_same_blocks_with_each_player_in_each_seat_once(
        (format, players, seats) in tournament(), seed in 0..1000_u64, jobs in 2..20_usize,
    ) {
        let one = conclude_among(&format, players, seats, 1, random(seed));
        let blocks: Vec<_> = one.0.chunk_by(|(one, _), (two, _)| one.block == two.block).collect();
        for (number, block) in blocks.iter().enumerate() {
            let first = &block[0].0;
            prop_assert_eq!(first.block, number as u64);
            let mut turns = HashSet::new();
            for (game, _) in *block {
                let rotated = |turn: &usize| {
                    let players = first.players.values().cycle().skip(*turn).take(seats);
                    players.eq(game.players.values())
                };
                prop_assert!(turns.insert((0..seats).find(rotated).expect("a rotation")));
            }
        }
        if seats == 2 {
            prop_assert!(balance(players, one.0.iter().map(|it| &it.0)) <= 1);
        }
        prop_assert_eq!(one, conclude_among(&format, players, seats, jobs, random(seed)));
    }
}

proptest! {
    #![proptest_config(cases(100))]

    #[test]
    fn in_a_round_robin_all_meet_as_often_as_promised(
        players in 2..40_usize, games in to(5), seed in 0..1000_u64,
    ) {
        let (played, _) = conclude(&Format::RoundRobin(games), players, 4, random(seed));
        let met = games_per_pairing(&played);
        prop_assert_eq!(met.len(), players * (players - 1) / 2);
        prop_assert!(met.values().all(|count| *count == games.get()));
        prop_assert!(balance(players, played.iter().map(|it| &it.0)) <= 1);
    }

    #[test]
    fn in_a_gauntlet_challengers_meet_the_others_as_often_as_promised(
        players in 2..40_usize, share in 0.0..1.0, games in to(5),
    ) {
        let challengers: Vec<usize> = (0..1 + (share * (players - 1) as f64) as usize).collect();
        let count = challengers.len();
        let format = Format::Gauntlet { challengers, games };
        let (played, _) = conclude(&format, players, 4, random(1));
        let met = games_per_pairing(&played);
        prop_assert_eq!(met.len(), count * (players - count));
        prop_assert!(met.iter().all(|([a, b], n)| *a < count && *b >= count && *n == games.get()));
        prop_assert!(balance(players, played.iter().map(|it| &it.0)) <= 1);
    }

    #[test]
    fn a_swiss_repeats_no_pairing_while_another_exists(
        players in 2..=8_usize, rounds in 1..9_u32, seed in 0..1000_u64,
    ) {
        let format = Format::Swiss { rounds, games: number(2) };
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
        players in 2..70_usize, games in in_pairs(3), seed in 0..1000_u64,
    ) {
        let (played, end) = conclude(&Format::Knockout { games }, players, 4, random(seed));
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
                let points = result.points_of_two();
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
        let format = Format::Adaptive { test, most_games: 2 * most_pairs };
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
