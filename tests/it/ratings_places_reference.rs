//! Ratings of games with places against an own fit by brute force and against `choix`.
//!
//! `WRAPPED_PYTHON` names the Python that has numpy and `choix`.

use std::io::Write as _;
use std::process::{Command, Stdio};

use referee::game::Chance as _;
use referee::random::Stream;
use referee::rating::{Ending, Estimate, Model, PlaceRatings, PlacedGame};
use serde_json::{Value, json};

use crate::support::program::root;
use crate::support::python::python_with;
use crate::support::simulated_tables::{self, WORLDS};

/// Two fits agree to this many Elo.
const NEAR: f64 = 0.05;

fn near(one: f64, other: f64, what: &str) {
    assert!((one - other).abs() < NEAR, "{what}: {one}, not {other}");
}

/// Games in the form of `tests/reference/places.py`.
fn as_json(players: usize, games: &[PlacedGame], seats: bool) -> Value {
    let of = |game: &PlacedGame| {
        let players: Vec<usize> = game.seats.iter().map(|it| it.player).collect();
        let places: Vec<u8> = game.seats.iter().map(|it| it.place).collect();
        let forfeited: Vec<bool> = game.seats.iter().map(|it| it.forfeited).collect();
        json!({"players": players, "places": places, "forfeited": forfeited, "block": game.block})
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

/// An estimate is near, and its margin within 1 %.
fn is_estimate(ours: Estimate, theirs: &Value, what: &str) {
    let [elo, margin] = [0, 1].map(|at| theirs[at].as_f64().expect("a number"));
    near(ours.elo, elo, what);
    assert!(
        (ours.margin() / margin - 1.0).abs() < 0.01,
        "{what}: ± {}, not {margin}",
        ours.margin()
    );
}

/// Games of three, four and five players with forfeits and ties, in blocks of one, two and three games.
fn mixed_games() -> Vec<PlacedGame> {
    let mut chance = Stream::new(11, 0);
    let mut games = Vec::new();
    for block in 0..14 {
        let seats = 3 + chance.below(3) as usize;
        let first = chance.below(6) as usize;
        for rotation in 0..1 + block as usize % 3 {
            let endings = (0..seats).map(|seat| {
                let player = (first + (seat + rotation) % seats) % 6;
                let ending = match chance.below(12) {
                    0 => Ending::Forfeit(chance.below(2)),
                    _ => Ending::Points(f64::from(chance.below(6) + player as u32)),
                };
                (player, ending)
            });
            games.push(PlacedGame::new(&endings.collect::<Vec<_>>(), block));
        }
    }
    // Two who forfeited together, ahead of one who forfeited before.
    let endings = [1, 3, 3].map(Ending::Forfeit);
    let endings = endings.into_iter().chain([Ending::Points(1.0)]);
    games.push(PlacedGame::new(
        &endings.enumerate().collect::<Vec<_>>(),
        14,
    ));
    games
}

#[test]
fn ratings_and_intervals_agree_with_a_fit_by_brute_force() {
    let Some(python) = python_with("numpy") else {
        return;
    };
    let mut sets = vec![("mixed", 6, mixed_games())];
    for (name, world) in [("three", 2), ("four", 9), ("decisive", 11)] {
        let (_, games) = simulated_tables::play(&WORLDS[world], 5);
        sets.push((name, WORLDS[world].players, games));
    }
    for (name, players, games) in &sets {
        for first_mover in [true, false] {
            let theirs = fit_in_python(&python, &[], &as_json(*players, games, first_mover));
            let ours = PlaceRatings::new(*players, games, Model { first_mover }).expect("games");
            for player in 0..*players {
                let theirs = &theirs["ratings"][player];
                is_estimate(
                    ours.rating(player),
                    theirs,
                    &format!("{name}, player {player}"),
                );
            }
            for other in 1..*players {
                let theirs = &theirs["differences"][other - 1];
                is_estimate(
                    ours.difference(0, other),
                    theirs,
                    &format!("{name}, 0 and {other}"),
                );
            }
            let tables = theirs["seats"].as_object().expect("tables");
            assert_eq!(tables.is_empty(), !first_mover);
            for (seats, theirs) in tables {
                let seats: usize = seats.parse().expect("a number");
                for seat in 0..seats {
                    let ours = ours.seat(seats, seat).expect("fitted");
                    is_estimate(
                        ours,
                        &theirs[seat],
                        &format!("{name}, seat {seat} of {seats}"),
                    );
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
fn ratings_of_games_without_ties_agree_with_choix() {
    let Some(python) = python_with("choix") else {
        return;
    };
    for world in [0, 3, 7, 11] {
        let world = &WORLDS[world];
        let (_, games) = simulated_tables::play(world, 3);
        let input = as_json(world.players, &games, false);
        let theirs = fit_in_python(&python, &["choix"], &input);
        let model = Model { first_mover: false };
        let ours = PlaceRatings::new(world.players, &games, model).expect("games");
        for player in 0..world.players {
            let elo = theirs["ratings"][player].as_f64().expect("a number");
            near(
                ours.rating(player).elo,
                elo,
                &format!("{world:?}, player {player}"),
            );
        }
    }
}
