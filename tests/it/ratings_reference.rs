//! Ratings and intervals against others: the optimisers behind `tests/reference/ratings.json`, a fit by brute force in
//! numpy, and `choix`.
//!
//! `WRAPPED_PYTHON` names the Python that has numpy and `choix`.

use std::io::Write as _;
use std::process::{Command, Stdio};

use referee::game::Chance as _;
use referee::random::Stream;
use referee::rating::{Anchor, Estimate, GameCounter, Model, RatedGame, Ratings, WinDrawLoss};
use serde_json::{Value, json};

use crate::support::{Game, Luck, WORLDS, World, python_with, root, simulated_places};

fn number(value: &Value) -> f64 {
    value.as_f64().expect("a number")
}

fn index(value: &Value) -> usize {
    value.as_u64().expect("an index") as usize
}

fn list(value: &Value) -> &Vec<Value> {
    value.as_array().expect("a list")
}

/// They agree to 0.1 Elo, and to 1 % of the interval's width.
fn agrees(ours: Estimate, theirs: &[Value], what: &str) {
    let [elo, margin] = [0, 1].map(|at| number(&theirs[at]));
    assert!(
        (ours.elo - elo).abs() < 0.1,
        "{what}: {ours:?}, not {theirs:?}"
    );
    assert!(
        (ours.margin() / margin - 1.0).abs() < 0.01,
        "{what}: {ours:?} with ± {}, not {theirs:?}",
        ours.margin()
    );
}

#[test]
fn ratings_and_intervals_agree_with_other_implementations() {
    let sets: Value =
        serde_json::from_str(include_str!("../reference/ratings.json")).expect("JSON");
    assert!(list(&sets).len() >= 10);
    for set in list(&sets) {
        let name = set["name"].as_str().expect("a name");
        let players: Vec<String> = (0..index(&set["players"]))
            .map(|p| format!("{p:02}"))
            .collect();
        let mut games = GameCounter::default();
        for game in list(&set["games"]) {
            let names = [0, 1].map(|seat| players[index(&game[seat])].as_str());
            for (at, score) in [
                (2, WinDrawLoss::Win),
                (3, WinDrawLoss::Draw),
                (4, WinDrawLoss::Loss),
            ] {
                for _ in 0..index(&game[at]) {
                    games.add(&RatedGame::new(names.into(), score.as_result()));
                }
            }
        }
        let standings = games.standings();
        let seats = set["seats"].as_bool().expect("a choice");
        let ratings = Ratings::new(&standings, Model { first_mover: seats });
        let find = |player: usize| standings.find(&players[player]).expect("a player");
        for (player, theirs) in list(&set["ratings"]).iter().enumerate() {
            let ours = ratings.rating(find(player), Anchor::default());
            agrees(ours, list(theirs), &format!("{name}, player {player}"));
        }
        for theirs in list(&set["differences"]) {
            let (a, b) = (index(&theirs[0]), index(&theirs[1]));
            let ours = ratings.difference(find(a), find(b));
            agrees(ours, &list(theirs)[2..], &format!("{name}, {a} and {b}"));
        }
        match ratings.advantage() {
            Some(ours) => agrees(ours, list(&set["advantage"]), &format!("{name}, advantage")),
            None => assert!(set["advantage"].is_null()),
        }
    }
}

/// Games in the form of `tests/reference/places.py`.
fn as_json(players: usize, games: &[Game], seats: bool) -> Value {
    let of = |game: &Game| {
        let Game {
            players,
            places,
            forfeited,
            block,
        } = game;
        json!({"players": players, "places": places, "forfeited": forfeited, "block": block})
    };
    let games: Vec<Value> = games.iter().map(of).collect();
    json!({"players": players, "seats": seats, "games": games})
}

fn fit_in_python(python: &str, arguments: &[&str], games: &Value) -> Value {
    let mut child = Command::new(python)
        .arg(root().join("tests/reference/places.py"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("started");
    let mut input = child.stdin.take().expect("a pipe");
    input
        .write_all(games.to_string().as_bytes())
        .expect("written");
    drop(input);
    let output = child.wait_with_output().expect("ended");
    assert!(output.status.success());
    serde_json::from_slice(&output.stdout).expect("JSON")
}

/// A game by the amounts of the seats: more is better, and below 0 are forfeits, the earlier ones lower.
fn game(amounts: &[(usize, i32)], block: u64) -> Game {
    let place = |own: i32| 1 + amounts.iter().filter(|(_, it)| *it > own).count() as u8;
    Game {
        players: amounts.iter().map(|(player, _)| *player).collect(),
        places: amounts.iter().map(|(_, own)| place(*own)).collect(),
        forfeited: amounts.iter().map(|(_, own)| *own < 0).collect(),
        block,
    }
}

/// Games of three, four and five players with forfeits and ties, in blocks of one, two and three games.
fn mixed_games() -> Vec<Game> {
    let mut chance = Stream::new(11, 0);
    let mut games = Vec::new();
    for block in 0..14 {
        let seats = 3 + chance.below(3) as usize;
        let first = chance.below(6) as usize;
        for rotation in 0..1 + block as usize % 3 {
            let amounts = (0..seats).map(|seat| {
                let player = (first + (seat + rotation) % seats) % 6;
                let amount = match chance.below(12) {
                    0 => chance.below(2) as i32 - 9,
                    _ => (chance.below(6) + player as u32) as i32,
                };
                (player, amount)
            });
            games.push(game(&amounts.collect::<Vec<_>>(), block));
        }
    }
    // Two who forfeited together, ahead of one who forfeited before.
    games.push(game(&[(0, -9), (1, -7), (2, -7), (3, 1)], 14));
    games
}

/// Game pairs, half of them with a start that suits a player or favours a seat.
const PAIRS: World = World {
    seats: 2,
    players: 4,
    blocks: 6,
    ties: 0.5,
    first_over_last: 100.0,
    luck: Luck::OfPlayers,
    deviation: 139.0,
};

#[test]
#[ignore = "slow"]
fn ratings_and_intervals_agree_with_a_fit_by_brute_force() {
    let python = needed!(python_with("numpy"));
    let mut sets = vec![("mixed", 6, mixed_games())];
    let worlds = [
        ("pairs", PAIRS),
        ("three", WORLDS[2]),
        ("four", WORLDS[9]),
        ("decisive", WORLDS[11]),
    ];
    for (name, world) in worlds {
        let (_, games) = simulated_places::play(&world, 5);
        sets.push((name, world.players, games));
    }
    for (name, players, games) in &sets {
        for first_mover in [true, false] {
            let theirs = fit_in_python(&python, &[], &as_json(*players, games, first_mover));
            let ours = simulated_places::rate(*players, games, Model { first_mover });
            for player in 0..*players {
                let theirs = &theirs["ratings"][player];
                let ours = ours.rating(player, Anchor::default());
                agrees(ours, list(theirs), &format!("{name}, player {player}"));
            }
            for other in 1..*players {
                let theirs = &theirs["differences"][other - 1];
                let ours = ours.difference(0, other);
                agrees(ours, list(theirs), &format!("{name}, 0 and {other}"));
            }
            let of_seats = theirs["seats"].as_object().expect("seats");
            assert_eq!(of_seats.is_empty(), !first_mover);
            for (seats, theirs) in of_seats {
                let seats: usize = seats.parse().expect("a number");
                for seat in 0..seats {
                    let ours = ours.seat(seats, seat).expect("fitted");
                    let what = format!("{name}, seat {seat} of {seats}");
                    agrees(ours, list(&theirs[seat]), &what);
                }
            }
            let ties = theirs["ties"].as_object().expect("ties");
            assert_eq!(ties.is_empty(), *name == "decisive");
            for (size, theirs) in ties {
                let [_, delta, _] = ours.tie(size.parse().expect("a size")).expect("fitted");
                let ratio = delta / theirs.as_f64().expect("a number");
                assert!(
                    (ratio - 1.0).abs() < 1e-3,
                    "{name}, ties of {size}: {ratio}"
                );
            }
        }
    }
}

#[test]
#[ignore = "slow"]
fn ratings_of_games_without_ties_agree_with_choix() {
    let python = needed!(python_with("choix"));
    for world in [0, 3, 7, 11] {
        let world = &WORLDS[world];
        let (_, games) = simulated_places::play(world, 3);
        let input = as_json(world.players, &games, false);
        let theirs = fit_in_python(&python, &["choix"], &input);
        let model = Model { first_mover: false };
        let ours = simulated_places::rate(world.players, &games, model);
        for player in 0..world.players {
            let elo = theirs["ratings"][player].as_f64().expect("a number");
            let ours = ours.rating(player, Anchor::default()).elo;
            assert!(
                (ours - elo).abs() < 0.05,
                "{world:?}, {player}: {ours}, not {elo}"
            );
        }
    }
}
