//! `referee rate` on games with more than two seats: tables of other programs, and runs.

use referee::game::{ForfeitedBy, GameResult, PerSeat, Places, Seat};
use referee::rating::{Anchor, GameCounter, Model, RatedGame, Ratings, Standings};
use serde_json::Value;

use crate::rate::rate;
use crate::support::{columns, screens};

const NAMES: [&str; 4] = ["ann", "bob", "cat", "dan"];

/// How each game of a block ended for the players of its seating: points, or `None` after a forfeit.
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

/// A game by seat: players, places, and points by the rules unless a forfeit ended it.
struct Game {
    players: Vec<usize>,
    places: Vec<usize>,
    points: Option<Vec<f64>>,
    forfeited: Option<Seat>,
    block: usize,
}

fn games(blocks: &[Ends]) -> Vec<Game> {
    let of_block = |(block, games): (usize, &Ends)| -> Vec<Game> {
        let game = |ends: &Vec<(usize, Option<f64>)>| {
            let points: Option<Vec<f64>> = ends.iter().map(|(_, points)| *points).collect();
            // After a forfeit, the others share the place above.
            let worth = |at: usize| match &points {
                Some(points) => points[at],
                None => f64::from(u8::from(ends[at].1.is_some())),
            };
            let all = 0..ends.len();
            let place = |at: usize| 1 + all.clone().filter(|it| worth(*it) > worth(at)).count();
            let forfeited = ends.iter().position(|(_, points)| points.is_none());
            Game {
                players: ends.iter().map(|(player, _)| *player).collect(),
                places: all.clone().map(place).collect(),
                forfeited: forfeited.and_then(|at| Seat::all(3).nth(at)),
                points,
                block,
            }
        };
        games.iter().map(game).collect()
    };
    blocks.iter().enumerate().flat_map(of_block).collect()
}

/// The same games without a file.
fn standings(blocks: &[Ends]) -> Standings {
    let mut counter = GameCounter::default();
    for game in games(blocks) {
        let names: PerSeat<&str> = game.players.iter().map(|player| NAMES[*player]).collect();
        let better: PerSeat<usize> = game.places.iter().map(|place| 9 - place).collect();
        counter.add(&RatedGame {
            forfeited_by: game.forfeited.map_or(ForfeitedBy::Nobody, ForfeitedBy::Of),
            is_by_rules: game.forfeited.is_none(),
            rules_points: game.points.map(|points| points.into_iter().collect()),
            block: Some(game.block as u64),
            ..RatedGame::new(names, GameResult::placed(Places::by(&better)))
        });
    }
    counter.standings()
}

/// The games as a table of another program, with places and points by the rules.
fn with_places(blocks: &[Ends]) -> String {
    let mut table = "block,first,second,third,first_place,second_place,third_place,\
        first_rules_points,second_rules_points,third_rules_points,forfeited_by\n"
        .to_owned();
    for game in games(blocks) {
        let names: Vec<&str> = game.players.iter().map(|player| NAMES[*player]).collect();
        let places: Vec<String> = game.places.iter().map(usize::to_string).collect();
        let points = game.points.unwrap_or_default();
        let point = |seat| points.get(seat).map_or(String::new(), f64::to_string);
        let points = [0, 1, 2].map(point);
        let forfeited = game.forfeited.map_or("", |seat| names[seat.index()]);
        let fields = [names.join(","), places.join(","), points.join(",")].join(",");
        table.push_str(&format!("{},{fields},{forfeited}\n", game.block));
    }
    table
}

fn table(content: &str, name: &str, options: &str) -> Vec<Value> {
    let json = rate(content, &format!("--table {name} --format json {options}")).json();
    json["tables"][name].as_array().expect("rows").clone()
}

#[track_caller]
fn near(found: &Value, expected: f64, within: f64) {
    let found = found.as_f64().expect("a number");
    let is_near = (found - expected).abs() <= within;
    assert!(is_near, "{found}, not {expected}");
}

fn player(row: &Value) -> usize {
    index(&row["player"])
}

fn index(name: &Value) -> usize {
    let index = NAMES.iter().position(|known| name == known);
    index.expect("known")
}

#[test]
fn figures_are_the_ones_of_the_model_and_of_the_counts() {
    let blocks = blocks();
    let standings = standings(&blocks);
    let ratings = Ratings::new(&standings, Model::default());
    let beaten = standings.blocks().beaten(4);
    let content = with_places(&blocks);
    let rows = table(&content, "ratings", "");
    let order: Vec<usize> = rows.iter().map(player).collect();
    assert_eq!(order, ratings.order());
    for row in &rows {
        let player = player(row);
        let rating = ratings.rating(player, Anchor::default());
        near(&row["elo"], rating.elo, 0.051);
        near(&row["margin"], rating.margin(), 0.051);
        near(&row["elo_low"], rating.low(), 0.051);
        let share = beaten[player].expect("games");
        near(&row["score"], share.mean, 1e-4);
        near(&row["score_margin"], share.interval()[2] - share.mean, 1e-4);
        near(&row["points"], share.mean * share.games as f64, 1e-3);
        assert_eq!(row["games"], 36, "{row}");
        assert_eq!(row["blocks"], 12, "{row}");
        let by_rules = standings.rules_points(player).expect("games");
        near(&row["rules_points"], by_rules.mean, 1e-3);
        let own = &standings.players()[player];
        let [first, second, third, ..] = own.places();
        assert_eq!(row["places"], format!("{first}-{second}-{third}"), "{row}");
        let [wins, draws, losses] = [own.tally.wins, own.tally.draws, own.tally.losses];
        let found = ["wins", "draws", "losses"].map(|column| &row[column]);
        assert_eq!(found, [wins, draws, losses]);
        assert_eq!((wins + draws, second + third), (*first, losses));
        assert_eq!(row["forfeits"], own.forfeits, "{row}");
    }
    assert_eq!(rows.iter().filter(|row| row["forfeits"] == 1).count(), 1);
    for row in table(&content, "superiority", "") {
        let (player, other) = (player(&row), index(&row["opponent"]));
        for (column, expected, within) in [
            ("difference", ratings.difference(player, other).elo, 0.051),
            ("superiority", ratings.superiority(player, other), 1e-4),
            ("expected_score", ratings.expected(player, other), 1e-4),
        ] {
            near(&row[column], expected, within);
        }
        let met = standings.blocks().against(player, other);
        assert_eq!(row["games"], met.games(), "{row}");
    }
    for row in table(&content, "crosstable", "") {
        for (other, name) in NAMES.iter().enumerate() {
            let met = standings.blocks().against(player(&row), other);
            let expected = match met.games() {
                0 => Value::Null,
                _ => format!("{}-{}-{}", met.wins, met.draws, met.losses).into(),
            };
            assert_eq!(row[name], expected, "{row}");
        }
    }
    let anchored = table(&content, "ratings", "--anchor bob=100");
    let best = player(&anchored[0]);
    let above = ratings.difference(best, 1).elo;
    near(&anchored[0]["elo"], 100.0 + above, 0.051);
}

#[test]
fn the_worth_of_each_seat_is_told_with_its_interval() {
    let blocks = blocks();
    let content = with_places(&blocks);
    let json = rate(&content, "--format json").json();
    let facts = &json["games"]["games"];
    let ratings = Ratings::new(&standings(&blocks), Model::default());
    for seat in 0..3 {
        let worth = ratings.seat(3, seat).expect("seats");
        let found = &facts["seats"]["3"][seat];
        near(&found["elo"], worth.elo, 0.051);
        near(&found["margin"], worth.margin(), 0.051);
    }
    assert_eq!(facts["blocks"], 16);
    let equal = rate(&content, "--equal-seats");
    assert_has!(equal.stdout, "All seats are rated as equal.");
    rate(&content, "--sprt ann,0,20").fails(2, "the test is for games of two");
}

#[test]
fn all_of_it_on_the_terminal() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("tables.csv"), with_places(&blocks())).expect("written");
    insta::assert_snapshot!(screens(
        folder.path(),
        &["rate tables.csv", "rate tables.csv --table standings"]
    ));
}

#[test]
fn points_alone_make_the_places_and_tables_can_be_of_unequal_size() {
    let content = "first,second,third,fourth,first_points,second_points,third_points,fourth_points\n\
        ann,bob,cat,dan,10.5,-2,3,3\nbob,cat,ann,,4,5,6,\n\"dan\",bob,,,1,2,,\n";
    let rows = table(content, "standings", "");
    let of = |name: &str| {
        let mut rows = rows.iter();
        rows.find(|row| row["player"] == name).expect("a row")
    };
    let ann = of("ann");
    assert_eq!(ann["places"], "2-0-0-0");
    near(&ann["points"], 2.0, 1e-9);
    let dan = of("dan");
    assert_eq!(dan["places"], "0-2-0-0");
    near(&dan["points"], 0.5, 1e-9);
    // A game of two in the file is one of them.
    assert_eq!(of("bob")["wins"], 1);
    assert_eq!(rows.len(), 4);
}

#[test]
fn rows_that_are_no_games_of_more_than_two_are_named() {
    let header = "first,second,third,first_place,second_place,third_place,forfeited_by\n";
    for row in [
        "a,b,c,1,1,2, | 1, 1, 2 are not the places of a game",
        "a,b,c,1,2,x, | column 6 (`third_place`): `x` is not a whole number",
        "a,a,a,1,2,3, | `a` cannot play itself",
        "a,,c,1,2,3, | column 2 (`second` or `black`): no player",
        "a,b,c,1,2,3,d | `d` is no player of the game",
        "a,b,c,1,2,3,a | `a` forfeited and has not lost by the points",
        "a,b,c,1,2,3,b+a | `b+a` is no player of the game",
        "a,b,c,,2,3, | the game has no result",
    ] {
        let [row, problem] = columns(row);
        let ran = rate(&format!("{header}{row}\n"), "");
        assert_ne!(ran.exit, 0, "{ran:?}");
        assert_has!(ran.stderr, problem);
    }
    let ran = rate("first,second,third,second_points\na,b,c,1\n", "");
    assert_has!(ran.stderr, "the header has no column `first_points`");
    let both = format!("{header}a,b,c,1,3,3,b+c\na,a,b,2,1,2,\n*,b,c,*,,,\n");
    let both = rate(&both, "").done();
    assert!(both.stderr.contains("1 game is not finished"), "{both:?}");
}
