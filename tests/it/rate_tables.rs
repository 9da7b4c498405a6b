//! `referee rate` on games with more than two seats: tables of other programs, and runs.

use referee::rating::{BlockMean, Ending, Model, PlaceCounts, PlaceRatings, PlacedGame};
use referee::results::{Results, Settings, read_results};
use serde_json::Value;

use crate::rate::rate;
use crate::support::program::screens;

const NAMES: [&str; 4] = ["ann", "bob", "cat", "dan"];

/// How each game of a block ended for the players of its table: points, or `None` after a forfeit.
type Ends = Vec<Vec<(usize, Option<f64>)>>;

/// Sixteen blocks of three seats, with all rotations. A player of a lower index has more points as a rule, the first seat
/// helps, and one game is forfeited.
fn blocks() -> Vec<Ends> {
    let block = |block: usize| {
        let table: Vec<usize> = (0..4).filter(|player| *player != block % 4).collect();
        let game = |first: usize| {
            let seats = (0..3).map(|seat| table[(seat + first) % 3]);
            let end = |(seat, player): (usize, usize)| {
                let luck = (block * 7 + first * 5 + player * 3) % 6;
                let points = 3.0 - player as f64 + 1.5 * luck as f64 + f64::from(seat == 0);
                let forfeits = block == 5 && first == 1 && seat == 2;
                (player, (!forfeits).then_some(points.floor()))
            };
            seats.enumerate().map(end).collect()
        };
        (0..3).map(game).collect()
    };
    (0..16).map(block).collect()
}

/// The games as the model of places sees them.
fn placed(blocks: &[Ends]) -> Vec<PlacedGame> {
    let of_block = |(block, games): (usize, &Ends)| -> Vec<PlacedGame> {
        let game = |ends: &Vec<(usize, Option<f64>)>| {
            let stopped = ends.iter().any(|(_, points)| points.is_none());
            let endings: Vec<(usize, Ending)> = ends
                .iter()
                .map(|(player, points)| {
                    let ending = match points {
                        None => Ending::Forfeit(3),
                        // The others share the place above.
                        Some(_) if stopped => Ending::Points(0.0),
                        Some(points) => Ending::Points(*points),
                    };
                    (*player, ending)
                })
                .collect();
            let mut game = PlacedGame::new(&endings, block as u64);
            game.stopped = stopped;
            if stopped {
                game.seats.iter_mut().for_each(|seat| seat.points = None);
            }
            game
        };
        games.iter().map(game).collect()
    };
    blocks.iter().enumerate().flat_map(of_block).collect()
}

/// The games as a table of another program, with places and points by the rules.
fn with_places(blocks: &[Ends]) -> String {
    let mut table = "pair,first,second,third,first_place,second_place,third_place,\
        first_score,second_score,third_score,forfeited_by\n"
        .to_owned();
    let games = placed(blocks);
    for game in &games {
        let seats = || game.seats.iter();
        let names: Vec<&str> = seats().map(|seat| NAMES[seat.player]).collect();
        let places: Vec<String> = seats().map(|seat| seat.place.to_string()).collect();
        let points = seats().map(|seat| seat.points.map_or(String::new(), |it| it.to_string()));
        let points: Vec<String> = points.collect();
        let forfeited = seats().find(|seat| seat.forfeited);
        let forfeited = forfeited.map_or("", |seat| NAMES[seat.player]);
        let fields = [names.join(","), places.join(","), points.join(",")].join(",");
        table.push_str(&format!("{},{fields},{forfeited}\n", game.block));
    }
    table
}

/// A table as JSON.
fn table(content: &str, name: &str, options: &str) -> Vec<Value> {
    let ran = rate(content, &format!("--table {name} --format json {options}"));
    assert_eq!(ran.exit, 0, "{ran:?}");
    let json: Value = serde_json::from_str(&ran.stdout).expect("JSON");
    json["tables"][name].as_array().expect("rows").clone()
}

#[track_caller]
fn near(found: &Value, expected: f64, within: f64) {
    let found = found.as_f64().expect("a number");
    assert!(
        (found - expected).abs() <= within,
        "{found}, not {expected}"
    );
}

fn player(row: &Value) -> usize {
    let name = row["player"].as_str().expect("a name");
    NAMES
        .iter()
        .position(|known| *known == name)
        .expect("known")
}

#[test]
fn figures_are_the_ones_of_the_model_of_places() {
    let blocks = blocks();
    let games = placed(&blocks);
    let ratings = PlaceRatings::new(4, &games, Model::default()).expect("games");
    let counts = PlaceCounts::new(&games);
    let beaten = BlockMean::of_beaten(4, &games);
    let points = BlockMean::of_points(4, &games);
    let content = with_places(&blocks);
    let rows = table(&content, "ratings", "");
    let order: Vec<usize> = rows.iter().map(player).collect();
    assert_eq!(order, ratings.order());
    for row in &rows {
        let player = player(row);
        let rating = ratings.rating(player);
        near(&row["elo"], rating.elo, 0.051);
        near(&row["margin"], rating.margin(), 0.051);
        near(&row["elo_low"], rating.low(), 0.051);
        let share = beaten[player].expect("games");
        near(&row["score"], share.mean, 1e-4);
        near(&row["score_margin"], share.interval()[2] - share.mean, 1e-4);
        near(&row["points"], share.mean * share.games as f64, 1e-3);
        assert_eq!(row["games"], 36, "{row}");
        assert_eq!(row["blocks"], 12, "{row}");
        let by_rules = points[player].expect("games");
        near(&row["rules_points"], by_rules.mean, 1e-3);
        let places = counts.of_player(player);
        for (place, count) in places.iter().take(3).enumerate() {
            assert_eq!(row[format!("place_{}", place + 1)], *count, "{row}");
        }
        assert_eq!(row["forfeits"], counts.forfeits(player), "{row}");
    }
    assert_eq!(rows.iter().filter(|row| row["forfeits"] == 1).count(), 1);
    for row in table(&content, "superiority", "") {
        let opponent = row["opponent"].as_str().expect("a name");
        let other = NAMES
            .iter()
            .position(|name| *name == opponent)
            .expect("known");
        let (player, met) = (player(&row), counts.met(player(&row), other));
        near(
            &row["difference"],
            ratings.difference(player, other).elo,
            0.051,
        );
        near(
            &row["superiority"],
            ratings.superiority(player, other),
            1e-4,
        );
        assert_eq!(row["games"], met.games(), "{row}");
    }
    for row in table(&content, "crosstable", "") {
        for (other, name) in NAMES.iter().enumerate() {
            let met = counts.met(player(&row), other);
            let expected = match met.games() {
                0 => Value::Null,
                _ => format!("{}-{}-{}", met.ahead, met.tied, met.behind).into(),
            };
            assert_eq!(row[name], expected, "{row}");
        }
    }
    let anchored = table(&content, "ratings", "--anchor bob=100");
    let best = player(&anchored[0]);
    near(
        &anchored[0]["elo"],
        100.0 + ratings.difference(best, 1).elo,
        0.051,
    );
}

#[test]
fn the_worth_of_each_seat_is_told_with_its_interval() {
    let blocks = blocks();
    let content = with_places(&blocks);
    let ran = rate(&content, "--format json");
    let json: Value = serde_json::from_str(&ran.stdout).expect("JSON");
    let facts = &json["games"]["games"];
    let games = placed(&blocks);
    let ratings = PlaceRatings::new(4, &games, Model::default()).expect("games");
    for seat in 0..3 {
        let worth = ratings.seat(3, seat).expect("seats");
        let found = &facts["seats"]["3"][seat];
        near(&found["elo"], worth.elo, 0.051);
        near(&found["margin"], worth.margin(), 0.051);
    }
    assert_eq!(facts["blocks"], 16);
    let equal = rate(&content, "--equal-seats");
    assert!(
        equal.stdout.contains("All seats are rated as equal."),
        "{equal:?}"
    );
}

#[test]
fn all_of_it_on_the_terminal() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("tables.csv"), with_places(&blocks())).expect("written");
    insta::assert_snapshot!(screens(
        folder.path(),
        &[
            "rate tables.csv --plan=20",
            "rate tables.csv --table standings --table pairings"
        ]
    ));
}

#[test]
fn points_alone_make_the_places_and_tables_can_be_of_unequal_size() {
    let content = "first,second,third,fourth,first_points,second_points,third_points,fourth_points\n\
        ann,bob,cat,dan,10.5,-2,3,3\nbob,cat,ann,,4,5,6,\n\"dan\",bob,,,1,2,,\n";
    let rows = table(content, "standings", "");
    let of = |name: &str, two: bool| {
        let mut rows = rows.iter();
        let is_one = |row: &&Value| row["player"] == name && row["wins"].is_null() != two;
        rows.find(is_one).expect("a row").clone()
    };
    let ann = of("ann", false);
    assert_eq!(
        [&ann["place_1"], &ann["points"]],
        [&Value::from(2), &Value::from(2.0)]
    );
    let dan = of("dan", false);
    assert_eq!(dan["place_2"], 1);
    near(&dan["points"], 0.5, 1e-9);
    // Games of two in the file are rated as such.
    assert_eq!(of("bob", true)["wins"], 1);
    assert_eq!(rows.len(), 6);
}

#[test]
fn rows_that_are_no_games_of_more_than_two_are_named() {
    let header = "first,second,third,first_place,second_place,third_place,forfeited_by\n";
    for (row, problem) in [
        ("a,b,c,1,1,2,", "1, 1, 2 are not the places of a game"),
        (
            "a,b,c,1,2,x,",
            "column 6 (`third_place`): `x` is not a whole number",
        ),
        ("a,a,a,1,2,3,", "`a` cannot play itself"),
        ("a,,c,1,2,3,", "column 2 (`second` or `black`): no player"),
        ("a,b,c,1,2,3,d", "`d` is no player of the game"),
        (
            "a,b,c,1,2,3,a",
            "`a` forfeited and has not lost by the points",
        ),
        ("a,b,c,1,2,3,b+a", "`b+a` is no player of the game"),
        ("a,b,c,,2,3,", "the game has no result"),
    ] {
        let ran = rate(&format!("{header}{row}\n"), "");
        assert!(
            ran.exit != 0 && ran.stderr.contains(problem),
            "{row}: {ran:?}"
        );
    }
    let ran = rate("first,second,third,second_points\na,b,c,1\n", "");
    assert!(
        ran.stderr
            .contains("the header has no column `first_points`"),
        "{ran:?}"
    );
    let both = rate(
        &format!("{header}a,b,c,1,3,3,b+c\na,a,b,2,1,2,\n*,b,c,*,,,\n"),
        "",
    );
    assert_eq!(both.exit, 0, "{both:?}");
    assert!(both.stderr.contains("1 game is not finished"), "{both:?}");
}

#[test]
fn what_fits_games_of_two_alone_is_refused_in_words() {
    let content = with_places(&blocks());
    let refused = |options: &str, words: &str| {
        let ran = rate(&content, options);
        assert_eq!(ran.exit, 2, "{ran:?}");
        assert!(ran.stderr.contains(words), "{ran:?}");
    };
    refused("--sprt ann,0,20", "the test is for games of two");
    refused("--anchors 0.csv", "its ratings can have one anchor");
    refused("--table match", "games has 4 players, more than 2");
}

#[test]
fn games_that_come_again_count_once_where_it_is_asked() {
    let content = "first,second,third,first_points,second_points,third_points,actions_digest\n\
        a,b,c,1,2,3,aa\na,b,c,1,2,3,aa\nb,c,a,1,2,3,aa\n";
    let games = |options: &str| table(content, "ratings", options)[0]["games"].clone();
    assert_eq!(games(""), 3);
    assert_eq!(games("--once"), 2);
    let ran = rate(content, "");
    assert!(
        ran.stdout
            .contains("1 game repeats action by action an earlier game"),
        "{ran:?}"
    );
}

#[test]
fn results_of_many_players_are_kept_small_and_rated_whole() {
    let mut table =
        "pair,first,second,third,fourth,first_points,second_points,third_points,fourth_points\n"
            .to_owned();
    for game in 0..3000_usize {
        let block = game / 4;
        let player = |seat: usize| (block * 7 + (seat + game) % 4 * (1 + block % 9)) % 60;
        let names = [0, 1, 2, 3].map(|seat| format!("p{}", player(seat)));
        let points = [0, 1, 2, 3].map(|seat| {
            let luck = (block * 31 + game * 17 + seat * 13) % 40;
            (player(seat) + luck).to_string()
        });
        table.push_str(&format!(
            "{block},{},{}\n",
            names.join(","),
            points.join(",")
        ));
    }
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("many.csv");
    std::fs::write(&file, table).expect("written");
    let mut results = Results::default();
    let mut many = results.many();
    read_results(
        &file,
        0,
        referee::results::BadRows::Refuse,
        &mut |row| many.add(row),
        &mut |_| {},
    )
    .expect("a table");
    drop(many);
    assert_eq!(results.count(), 3000);
    let settings = Settings::default();
    let rated = results.rate(&settings);
    assert!(rated.of_two.is_empty());
    let one = &rated.tables[0];
    assert_eq!((one.order.len(), one.blocks), (60, 750));
    // Who has more points as a rule is ahead.
    let name = |at: usize| one.games.players()[one.order[at]].name.clone();
    let number = |at: usize| name(at)[1..].parse::<usize>().expect("a number");
    assert!(
        number(0) > 50 && number(59) < 10,
        "{} {}",
        name(0),
        name(59)
    );
}
