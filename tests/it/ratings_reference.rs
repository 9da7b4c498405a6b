//! Ratings and intervals against independent optimisers. `tests/reference/ratings.py` made the numbers.

use referee::game::Blame;
use referee::rating::{Anchor, Estimate, Model, RatedGame, Ratings, Score, Standings};
use serde_json::Value;

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
        let mut standings = Standings::default();
        for game in list(&set["games"]) {
            let names = [0, 1].map(|seat| players[index(&game[seat])].as_str());
            for (at, score) in [(2, Score::Win), (3, Score::Draw), (4, Score::Loss)] {
                for _ in 0..index(&game[at]) {
                    standings.add(&RatedGame {
                        names,
                        result: score.as_result(),
                        blame: Blame::Nobody,
                        pair: None,
                        digest: None,
                    });
                }
            }
        }
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
