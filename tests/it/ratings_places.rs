//! Ratings of games with places, by simulation.

use referee::rating::{Anchor, Estimate, Model, Ratings};
use serde_json::Value;

use crate::rate::rate;
use crate::support::{Chance, Game, WORLDS, simulated_places};

fn fit(players: usize, games: &[Game]) -> Ratings {
    simulated_places::rate(players, games, Model::default())
}

fn ratings(players: usize, games: &[Game]) -> Vec<Estimate> {
    let ratings = fit(players, games);
    (0..players)
        .map(|player| ratings.rating(player, Anchor::default()))
        .collect()
}

#[test]
fn games_that_all_forfeited_together_change_nothing() {
    let game = |places: [u8; 3], forfeited: [bool; 3], block: u64| Game {
        players: vec![0, 1, 2],
        places: places.to_vec(),
        forfeited: forfeited.to_vec(),
        block,
    };
    let played = |places: [u8; 3], block: u64| game(places, [false; 3], block);
    let mut games = vec![
        played([3, 2, 1], 1),
        played([1, 2, 3], 1),
        played([1, 2, 2], 2),
        played([2, 1, 3], 2),
    ];
    let before = ratings(3, &games);
    games.push(game([3, 3, 3], [true; 3], 3));
    let after = ratings(3, &games);
    for (before, after) in before.iter().zip(&after) {
        assert!((before.elo - after.elo).abs() < 1e-9);
    }
    // A forfeit of one costs it its place.
    games.push(game([3, 1, 1], [true, false, false], 4));
    assert!(ratings(3, &games)[0].elo < after[0].elo - 10.0);
}

#[test]
fn the_order_of_the_games_changes_no_bit() {
    let (_, mut games) = simulated_places::play(&WORLDS[5], 1);
    let before = ratings(WORLDS[5].players, &games);
    games.reverse();
    assert_eq!(before, ratings(WORLDS[5].players, &games));
}

/// A block whose games are equal to the ones of another block is counted, and not kept.
#[test]
fn equal_blocks_are_rated_as_the_blocks_that_they_are() {
    let (_, games) = simulated_places::play(&WORLDS[2], 1);
    let again = |times: u64| -> Vec<Game> {
        let copies = (0..times).flat_map(|copy| {
            games.iter().map(move |game| Game {
                block: game.block + 1000 * copy,
                ..game.clone()
            })
        });
        copies.collect()
    };
    let [few, many] = [1, 16].map(|times| ratings(WORLDS[2].players, &again(times)));
    for (few, many) in few.iter().zip(&many) {
        assert!(many.margin() < 0.3 * few.margin(), "{few:?} {many:?}");
        assert!(
            (many.elo - few.elo).abs() < few.margin(),
            "{few:?} {many:?}"
        );
    }
}

/// More players than a matrix of their covariance is for: ratings with estimated margins.
#[test]
#[ignore = "slow"]
fn thousands_of_players_of_more_seats_have_ratings() {
    let mut file = String::from("first,second,third,first_place,second_place,third_place,game\n");
    let mut chance = Chance::new(3, 0);
    for game in 0..6300_u32 {
        // Neighbours meet, and so do players of all strengths.
        let mut table = [0, 1, 2].map(|seat| match game % 3 {
            0 => (game / 3 + seat) % 2100,
            _ => (chance.uniform() * 700.0) as u32 * 3 + seat,
        });
        table.rotate_left(game as usize % 3);
        let mut strength = |player: u32| f64::from(player) / 700.0 + 3.0 * chance.uniform();
        let strengths = table.map(&mut strength);
        let place = |own: &f64| 1 + strengths.iter().filter(|it| *it > own).count();
        let [a, b, c] = table;
        let [x, y, z] = strengths.each_ref().map(place);
        file.push_str(&format!("p{a},p{b},p{c},{x},{y},{z},thirds\n"));
    }
    // A long computation says how far it is, on stderr.
    let ran = rate(&file, "--format json --table ratings");
    assert_eq!(ran.exit, 0, "{}", ran.stderr);
    let json: Value = serde_json::from_str(&ran.stdout).expect("JSON");
    let rows = json["tables"]["ratings"].as_array().expect("rows");
    assert_eq!(rows.len(), 2100);
    // The order of the true strengths is nearly the one of the ratings.
    let truth = |row: &Value| -> f64 {
        let name = row["player"].as_str().expect("a name");
        name[1..].parse().expect("a number")
    };
    let mean = |rows: &[Value]| rows.iter().map(truth).sum::<f64>() / rows.len() as f64;
    assert!(mean(&rows[..700]) > 1300.0 && mean(&rows[1400..]) < 800.0);
    // A player who won or lost all its games has an interval with one end, and no margin.
    let margins = rows.iter().filter_map(|row| row["margin"].as_f64());
    let mut margins: Vec<f64> = margins.collect();
    margins.sort_by(f64::total_cmp);
    assert!(margins.len() > 1900, "{}", margins.len());
    assert!(margins[0] > 50.0 && margins[1000] < 500.0, "{margins:?}");
    let notes = json["games"]["thirds"]["notes"].to_string();
    assert_has!(notes, "margins are estimated: a single one is within");
}
