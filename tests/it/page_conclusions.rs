//! The index of a run begins with a conclusion in words, which is true to the tables of the run.

use crate::support::config::{RANDOM, greedy, small_cachex};
use crate::support::{Table, TestRun, number, randoms};

/// The sentences at the beginning of the index, without elements.
fn sentences(run: &TestRun) -> Vec<String> {
    let index = run.read("out/report/index.html");
    let each = index.split("<p class=\"end conclusion\">").skip(1);
    let each = each.map(|rest| rest.split("</p>").next().expect("an end").to_owned());
    each.collect()
}

/// The lowest probability with which a player is stronger than another one.
fn least(superiority: &Table, player: &str) -> f64 {
    let of_player = superiority.iter().filter_map(|row| {
        let value = number(&row["superiority"]);
        match player {
            _ if row["player"] == player => Some(value),
            _ if row["opponent"] == player => Some(1.0 - value),
            _ => None,
        }
    });
    of_player.fold(1.0, f64::min)
}

fn names(count: usize) -> Vec<String> {
    (0..count).map(|name| format!("p{name}")).collect()
}

#[test]
fn of_two_players_it_says_who_is_stronger_and_by_how_much() {
    for (games, strong, is_clear) in [
        (60, greedy(&[("a", 60)]), true),
        (4, randoms(&names(1)), false),
    ] {
        let run = TestRun::played(&small_cachex(
            games,
            &["opening-plies = 1\n", &strong, RANDOM],
        ));
        let ratings = run.table("ratings.csv");
        let [first, second] = [0, 1].map(|at| ratings[at]["player"].clone());
        let apart = &run.table("superiority.csv")[0];
        let low = number(&apart["difference_low"]);
        assert_eq!(low > 0.0, is_clear, "{apart:?}");
        let said = sentences(&run).concat();
        let expected = match is_clear {
            true => format!("{first} is stronger than {second} (LOS "),
            false => format!("{first} and {second} are not told apart: they differ by 0 Elo "),
        };
        assert!(said.starts_with(&expected), "{said}");
        assert!(said.contains("Elo (95 % interval "), "{said}");
    }
}

/// The score of a match knows nothing of openings, the ratings do.
#[test]
fn of_two_openings_that_come_again_it_says_what_they_show() {
    let config = small_cachex(40, &[&randoms(&names(2))]);
    let run = TestRun::new(&config.replace("size = 3\n", "size = 3\nopenings = \"two.txt\"\n"));
    run.write("two.txt", "a1\nb1\n");
    run.play(&["-j", "2"]);
    let apart = &run.table("superiority.csv")[0];
    let [low, high] =
        ["difference_low", "difference_high"].map(|end| format!("{:+.0}", number(&apart[end])));
    let said = sentences(&run).concat();
    let expected = format!("(95 % interval {low} to {high})");
    assert!(said.contains(&expected), "{said} {expected}");
}

#[test]
#[ignore = "slow"]
fn of_more_players_it_says_who_is_the_strongest_and_who_is_alike() {
    let players = [greedy(&[("best", 60)]), randoms(&names(2))].concat();
    let run = TestRun::played(&small_cachex(40, &["opening-plies = 2\n", &players]));
    let superiority = run.table("superiority.csv");
    let surely = least(&superiority, "best");
    assert!(surely >= 0.95, "{surely}");
    let [said] = &sentences(&run)[..] else {
        unreachable!("one game has one sentence");
    };
    assert!(
        said.starts_with("best is the strongest (at least 9")
            || said.starts_with("best is the strongest (over 99 %"),
        "{said}"
    );
    assert!(
        said.ends_with("p0 and p1 are not told apart.")
            || said.ends_with("p1 and p0 are not told apart."),
        "{said}"
    );
    let all_alike = TestRun::played(&small_cachex(2, &[&randoms(&names(12))]));
    let expected = ["No two of the 12 players are told apart."];
    assert_eq!(sentences(&all_alike), expected);
}

#[test]
fn of_formats_that_decide_it_says_what_they_decided() {
    let decided = |format: &str, players: &str| {
        let config = small_cachex(2, &[players]);
        let run = TestRun::played(
            &config.replace("kind = \"round-robin\"\ngames-per-pairing = 2", format),
        );
        (sentences(&run).concat(), run)
    };
    let sprt = "kind = \"sprt\"\nchallengers = [\"a\"]\nelo0 = 0\nelo1 = 100\nmax-games = 200\nopening-plies = 1";
    let two = [greedy(&[("a", 60)]), RANDOM.to_owned()].concat();
    let (said, run) = decided(sprt, &two);
    let verdict = &run.table("verdict.csv")[0];
    assert_eq!(verdict["verdict"], "elo1");
    let pairs = number(&verdict["games"]) / 2.0;
    let expected = format!(
        "a passes its test after {pairs} game pairs (H1 is accepted: 100 Elo); corrected difference: "
    );
    assert!(said.starts_with(&expected), "{said}");

    let swiss = "kind = \"swiss\"\nrounds = 3\ngames-per-pairing = 2\nopening-plies = 1";
    let (said, run) = decided(swiss, &[two, randoms(&names(4))].concat());
    let places = run.table("places.csv");
    let first = places.iter().filter(|row| row["place"] == "1");
    let first: Vec<&str> = first.map(|row| row["player"].as_str()).collect();
    let expected = match first[..] {
        [only] => format!("{only} is first in the final order. "),
        _ => " share the first place in the final order. ".to_owned(),
    };
    assert!(said.contains(&expected), "{said}");
}
