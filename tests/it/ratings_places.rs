//! Ratings of games with places: against the model for two seats, and by simulation.

use referee::game::{Blame, GameResult};
use referee::rating::{
    Anchor, Ending, Estimate, Model, PlaceRatings, PlacedGame, RatedGame, Ratings, Score, Standings,
};
use serde_json::Value;

use crate::support::coverage::WORLDS as WORLDS_OF_TWO;
use crate::support::program::{referee_in, root};
use crate::support::simulated::{self, Chance};
use crate::support::simulated_tables::{self, WORLDS};

/// Two fits agree to this many Elo.
const NEAR: f64 = 0.05;

fn near(one: f64, other: f64, what: &str) {
    assert!((one - other).abs() < NEAR, "{what}: {one}, not {other}");
}

/// The games of standings with places, each in a block of its own.
fn placed(standings: &Standings) -> Vec<PlacedGame> {
    let mut games = Vec::new();
    let mut add = |players: [usize; 2], points: [f64; 2], count: u64| {
        for _ in 0..count {
            let seats = [0, 1].map(|seat| (players[seat], Ending::Points(points[seat])));
            games.push(PlacedGame::new(&seats, games.len() as u64));
        }
    };
    for meeting in standings.meetings() {
        for (seat, tally) in meeting.by_seat.into_iter().enumerate() {
            for (points, count) in [(1.0, tally.wins), (0.5, tally.draws), (0.0, tally.losses)] {
                let [a, b] = meeting.players;
                match seat {
                    0 => add([a, b], [points, 1.0 - points], count),
                    _ => add([b, a], [1.0 - points, points], count),
                }
            }
        }
    }
    games
}

/// Both models rate these games alike. Intervals of games in pairs differ, since the model for two has one correlation
/// for all pairs.
fn agrees(standings: &Standings, model: Model, what: &str) {
    let two = Ratings::new(standings, model);
    let players = standings.players().len();
    let places = PlaceRatings::new(players, &placed(standings), model).expect("games");
    let single = two.pairs() == 0;
    let both = |ours: Estimate, theirs: Estimate, what: &str| {
        near(ours.elo, theirs.elo, what);
        if single {
            near(ours.margin(), theirs.margin(), what);
        }
    };
    for a in 0..players {
        let theirs = two.rating(a, Anchor::default());
        both(places.rating(a), theirs, &format!("{what}, player {a}"));
        for b in 0..a {
            let theirs = two.difference(a, b);
            both(
                places.difference(a, b),
                theirs,
                &format!("{what}, {a} and {b}"),
            );
        }
    }
    assert_eq!(places.order(), two.order(), "{what}");
    match (places.seats_apart(2, [0, 1]), two.advantage()) {
        (Some(ours), Some(theirs)) => both(ours, theirs, &format!("{what}, advantage")),
        (None, None) => {}
        (ours, theirs) => assert!(standings.games() == 0, "{what}: {ours:?}, {theirs:?}"),
    }
    assert!(
        (places.draw_rate() - two.draw_rate()).abs() < 1e-4,
        "{what}"
    );
}

fn rated<'a>(names: [&'a str; 2], score: Option<Score>) -> RatedGame<'a> {
    RatedGame {
        names,
        result: score.map_or(GameResult::Nobody, Score::as_result),
        blame: score.map_or(Blame::BOTH, |_| Blame::Nobody),
        pair: None,
        digest: None,
    }
}

#[test]
fn games_of_two_are_rated_as_by_the_model_for_two() {
    let sets: Value =
        serde_json::from_str(include_str!("../reference/ratings.json")).expect("JSON");
    let sets = sets.as_array().expect("a list");
    assert!(sets.len() >= 10);
    let index = |value: &Value| value.as_u64().expect("a number") as usize;
    for set in sets {
        let mut standings = Standings::default();
        for game in set["games"].as_array().expect("games") {
            let names = [0, 1].map(|seat| game[seat].to_string());
            for (at, score) in [(2, Score::Win), (3, Score::Draw), (4, Score::Loss)] {
                for _ in 0..index(&game[at]) {
                    standings.add(&rated([&names[0], &names[1]], Some(score)));
                }
            }
        }
        let first_mover = set["seats"].as_bool().expect("a choice");
        agrees(&standings, Model { first_mover }, &set["name"].to_string());
    }
}

#[test]
fn games_of_a_run_are_rated_as_by_the_model_for_two() {
    let mut standings = Standings::default();
    let mut file = csv::Reader::from_path(root().join("results/sample/games.csv")).expect("a file");
    let header = file.headers().expect("a header").clone();
    let column = |name: &str| header.iter().position(|it| it == name).expect("a column");
    let (first, second) = (column("first"), column("second"));
    let (points, pair) = (column("first_points"), column("pair"));
    for row in file.records() {
        let row = row.expect("a row");
        let score = Score::ALL
            .into_iter()
            .find(|it| row[points].parse() == Ok(it.points()));
        standings.add(&RatedGame {
            pair: row[pair].parse().ok(),
            ..rated([&row[first], &row[second]], score)
        });
    }
    assert!(standings.games() > 40);
    agrees(&standings, Model::default(), "sample");
}

#[test]
fn simulated_games_of_two_are_rated_as_by_the_model_for_two() {
    for (players, games) in [(2, 6), (4, 4), (8, 10)] {
        let names: Vec<String> = (0..players).map(|player| format!("p{player}")).collect();
        for (at, world) in WORLDS_OF_TWO.iter().enumerate() {
            let mut chance = Chance::new(39, at as u64);
            let strengths: Vec<f64> = names
                .iter()
                .map(|_| world.spread * chance.normal())
                .collect();
            let odds = |a: usize, b: usize| strengths[a] - strengths[b];
            let standings = simulated::play(world, &names, &odds, games, &mut chance);
            for first_mover in [true, false] {
                agrees(&standings, Model { first_mover }, world.name);
            }
        }
    }
}

#[test]
fn games_that_all_forfeited_together_change_nothing() {
    let game = |a: Ending, b: Ending, c: Ending, block: u64| {
        PlacedGame::new(&[(0, a), (1, b), (2, c)], block)
    };
    let points = |points: [f64; 3], block| {
        let [a, b, c] = points.map(Ending::Points);
        game(a, b, c, block)
    };
    let mut games = vec![
        points([1.0, 2.0, 3.0], 1),
        points([3.0, 2.0, 1.0], 1),
        points([3.0, 1.0, 1.0], 2),
        points([2.0, 3.0, 1.0], 2),
    ];
    let fit = |games: &[PlacedGame]| PlaceRatings::new(3, games, Model::default()).expect("games");
    let before = [0, 1, 2].map(|player| fit(&games).rating(player).elo);
    let all = [Ending::Forfeit(7); 3];
    games.push(game(all[0], all[1], all[2], 3));
    let after = [0, 1, 2].map(|player| fit(&games).rating(player).elo);
    for (before, after) in before.into_iter().zip(after) {
        assert!((before - after).abs() < 1e-9);
    }
    // A forfeit of one costs it its place.
    games.push(game(
        Ending::Forfeit(7),
        Ending::Points(1.0),
        Ending::Points(1.0),
        4,
    ));
    assert!(fit(&games).rating(0).elo < after[0] - 10.0);
}

#[test]
fn the_order_of_the_games_changes_no_bit() {
    let (_, mut games) = simulated_tables::play(&WORLDS[5], 1);
    let players = WORLDS[5].players;
    let fit = |games: &[PlacedGame]| {
        let ratings = PlaceRatings::new(players, games, Model::default()).expect("games");
        (0..players)
            .map(|it| ratings.rating(it))
            .collect::<Vec<Estimate>>()
    };
    let before = fit(&games);
    games.reverse();
    assert_eq!(before, fit(&games));
}

#[test]
fn intervals_hold_about_as_often_as_they_say() {
    for world in [&WORLDS[4], &WORLDS[8]] {
        let coverage = simulated_tables::study(world, 0..300);
        let luck = world.luck.name();
        println!("{} blocks, luck {luck}:", world.all_blocks());
        for held in [coverage.ratings, coverage.differences, coverage.seats] {
            let percent = held.percent();
            println!("{percent:.1} % of {} intervals hold", held.of);
            assert!((92.0..98.0).contains(&percent), "{percent}");
        }
    }
}

/// More players than a matrix of their covariance is for: ratings with estimated margins.
#[test]
#[ignore = "slow"]
fn thousands_of_players_at_tables_have_ratings() {
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
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("0.csv"), file).expect("written");
    // A long computation says how far it is, on stderr.
    let ran = referee_in(folder.path(), "rate 0.csv --format json --table ratings");
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
    let margins = rows.iter().map(|row| row["margin"].as_f64());
    let mut margins: Vec<f64> = margins.map(|margin| margin.expect("a number")).collect();
    margins.sort_by(f64::total_cmp);
    assert!(margins[0] > 50.0 && margins[1050] < 500.0, "{margins:?}");
    let notes = json["games"]["thirds"]["notes"].to_string();
    assert!(
        notes.contains("margins are estimated: a single one is within"),
        "{notes}"
    );
}
