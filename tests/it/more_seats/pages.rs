//! Pages and terminal of games of three to eight seats.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::tournament;
use crate::support::{Browser, TestRun, randoms};

/// The words of the seats in names of columns.
const SEATS: [&str; 8] = [
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth",
];

const WIDE: [u32; 2] = [1280, 900];
const PHONE: [u32; 2] = [360, 740];

/// A bot of Chexers that forfeits with its first action, and reports values before.
const FAULT: &str = "[[player]]\nname = \"fault\"\ndisplay-name = \"<b>fault\"\nshell = '''read -r l; echo bot 1 f; while read -r l; do \
    case $l in start*) echo ready;; act*) echo '# value depth 3'; echo exit:9,9;; esac; done'''\n";

/// A tournament with pages; `None` where there is no Python.
fn run(rules: &str, game: &str, players: usize, [format, more]: [&str; 2]) -> Option<TestRun> {
    let names: Vec<String> = (0..players).map(|at| format!("bot-{at}")).collect();
    let rest = format!(
        "[format]\nkind = \"round-robin\"\ngames-per-pairing = {}\n{format}[clock]\nper-game = \"60s\"\n{}{more}",
        3 * players,
        randoms(&names)
    );
    let run = tournament(rules, game, &rest)?;
    run.play(&["-j", "2"]);
    run.referee("report out").ok();
    Some(run)
}

fn chexers() -> Option<TestRun> {
    run("chexers", "turns = 12", 3, ["opening-plies = 1\n", FAULT])
}

/// A game in which each seat sees its own numbers alone.
fn secrets(seats: usize) -> Option<TestRun> {
    run("secrets", &format!("seats = {seats}"), seats, ["", ""])
}

/// The place of each seat of each game, as the journal has it.
fn places(run: &TestRun, seats: usize) -> Vec<Vec<(String, usize)>> {
    let rows = run.rows().into_iter().map(|row| {
        let seats = SEATS[..seats].iter().map(|word| {
            let place = &row[&format!("{word}_place")];
            (row[*word].clone(), place.parse().expect("a number"))
        });
        seats.collect()
    });
    rows.collect()
}

#[test]
#[ignore = "slow"]
fn the_page_of_a_game_has_a_row_a_clock_a_colour_and_a_view_for_each_seat() {
    let mut browser = needed!(Browser::start());
    for seats in [3, 8] {
        let run = needed!(secrets(seats));
        let mut page = browser.open(&run.path("out/report/game.html"), "#g1p2", WIDE);
        page.wait_until("document.getElementById('heading').textContent.startsWith('game 1:')");
        let texts = |what: &str| {
            format!("[...document.querySelectorAll('{what}')].map(it => it.textContent)")
        };
        let names: Vec<String> = (1..=seats).map(|at| format!("p{at}")).collect();
        assert_eq!(page.evaluate(&texts("#seats th")), json!(names));
        let mut views = names.clone();
        views.push("everything".to_owned());
        assert_eq!(page.evaluate(&texts("#view option")), json!(views));
        let game = places(&run, seats).swap_remove(1);
        let players: Vec<&str> = game.iter().map(|(player, _)| player.as_str()).collect();
        assert_eq!(page.evaluate(&texts("#seats a")), json!(players));
        let clocks = page.evaluate(&texts("[id^=clock]"));
        assert_eq!(clocks.as_array().expect("clocks").len(), seats);
        assert!(!clocks.to_string().contains("\"\""), "{clocks}");
        let found = page.evaluate("document.querySelectorAll('.to-act').length");
        assert_eq!(found, 1);
        let own = "document.querySelectorAll('.cell.concealed').length";
        for hidden in [0, 2] {
            // The first seat's own number, then all that another seat does not see.
            assert_eq!(page.evaluate(own), hidden);
            (0..seats).for_each(|_| page.press("v"));
        }
        page.press("End");
        let shown = page.evaluate(&texts("[id^=place-]"));
        let due = game.iter().map(|(_, place)| match place {
            1 => "1st".to_owned(),
            2 => "2nd".to_owned(),
            3 => "3rd".to_owned(),
            place => format!("{place}th"),
        });
        assert_eq!(shown, json!(due.collect::<Vec<_>>()));
        let colours = "new Set([...document.querySelectorAll('.legend .swatch')].map(it => getComputedStyle(it).backgroundColor)).size";
        assert_eq!(page.evaluate(colours), seats);
        assert_eq!(page.barriers(), [""; 0]);
        page.resize(PHONE);
        page.assert_fits("the page");
    }
}

#[test]
#[ignore = "slow"]
fn the_pages_of_a_run_count_places_by_player_by_seat_and_by_who_was_ahead() {
    let mut browser = needed!(Browser::start());
    let run = needed!(chexers());
    let games = places(&run, 3);
    assert!(games.len() > 8);
    let mut page = browser.open(&run.path("out/report/index.html"), "", WIDE);
    let count = |keep: &dyn Fn(&str, usize) -> bool, place: usize| {
        let seats = games.iter().flat_map(|game| game.iter().enumerate());
        let found = seats.filter(|(seat, (name, its))| *its == place && keep(name, *seat));
        found.count().to_string()
    };
    let by_player = page.records("chexers: standings, by rating");
    assert_eq!(by_player.len(), 4);
    for row in &by_player {
        let name = row["player"].replace("<b>", "");
        let places = [1, 2, 3].map(|place| count(&|it, _| it == name, place));
        assert_eq!(row["places"], places.join("-"), "{row:?}");
        let bar = ["1st", "2nd", "3rd"].into_iter().zip(&places);
        let bar = bar.filter(|(_, games)| *games != "0");
        let bar: Vec<String> = bar
            .map(|(place, games)| format!("{place}: {games}"))
            .collect();
        assert_eq!(row["results"], bar.join(", "), "{row:?}");
    }
    assert_eq!(by_player[3]["player"], "<b>fault");
    let forfeited = run
        .rows()
        .iter()
        .filter(|row| row["forfeited_by"] == "fault")
        .count();
    assert_eq!(
        (&*by_player[3]["score"], &*by_player[3]["forfeits"]),
        ("0.0 %", &*forfeited.to_string())
    );
    let by_seat = page.records("chexers: results by seat");
    assert_eq!(by_seat.len(), 3);
    for (seat, row) in by_seat.iter().enumerate() {
        for (place, title) in ["1st", "2nd", "3rd"].into_iter().enumerate() {
            assert_eq!(row[title], count(&|_, it| it == seat, place + 1), "{row:?}");
        }
        assert!(row["worth"].parse::<i64>().is_ok(), "{row:?}");
    }
    let ahead = page.records("chexers: ahead-tied-behind against each other, best first");
    let fault = &ahead[3];
    let mut met: BTreeMap<&str, [usize; 3]> = BTreeMap::new();
    for game in &games {
        let Some((_, own)) = game.iter().find(|(name, _)| name == "fault") else {
            continue;
        };
        for (name, place) in game.iter().filter(|(name, _)| name != "fault") {
            let at = usize::from(own >= place) + usize::from(own > place);
            met.entry(name).or_default()[at] += 1;
        }
    }
    assert_eq!(met.len(), 3);
    for (name, [ahead, tied, behind]) in met {
        assert_eq!(fault[name], format!("{ahead}-{tied}-{behind}"));
    }
    let rated = run.table("ratings.csv");
    let curve = page.records("chexers: Elo after these games");
    let stronger = "chexers: probability in percent that the player of the row is the stronger one, best first";
    let stronger = page.records(stronger);
    assert_eq!(stronger.len(), 4);
    for own in &rated {
        let is_own = |row: &&BTreeMap<String, String>| row["player"].ends_with(&own["player"]);
        let points = curve.iter().filter(is_own);
        let last = points.clone().next_back().expect("a point");
        assert!(points.count() > 2);
        assert_eq!(last["games"], games.len().to_string());
        let [point, rating] = [&last["Elo"], &own["elo"]].map(|it| it.parse::<f64>());
        assert_eq!(point, rating, "{last:?}");
        let shown = by_player.iter().find(is_own).expect("a row");
        assert!(!shown["band"].is_empty() || own["player"] == "fault");
    }
    assert_eq!(page.barriers(), [""; 0]);
    drop(page);
    for (file, name) in [
        ("out/report/player-0.html", "player"),
        ("out/report/player-3.html", "fault"),
        ("out/report/players.html", "players"),
        ("out/report/games.html", "list"),
    ] {
        let mut page = browser.open(&run.path(file), "", PHONE);
        page.assert_fits(name);
        assert_eq!(page.barriers(), [""; 0], "{name}");
    }
    let mut page = browser.open(&run.path("out/report/player-0.html"), "", WIDE);
    let seats = page.records("chexers: results by seat");
    let own = |seat: usize| count(&|name, it| name == "bot-0" && it == seat, 1);
    let expected = [0, 1, 2].map(own);
    assert_eq!([0, 1, 2].map(|seat| seats[seat]["1st"].clone()), expected);
    let text = page.evaluate("document.body.textContent");
    assert!(text.to_string().contains("1st of 3"), "{text}");
}

#[test]
fn a_terminal_shows_what_each_seat_sees() {
    let run = needed!(secrets(3));
    let text = run.referee("replay out 0 --ply 2").ok();
    for seat in ["p1", "p2", "p3"] {
        assert_has!(text, &format!("\n{seat} sees:\n"));
    }
    assert_eq!(text.matches('?').count(), 4, "{text}");
    let whole = run.referee("replay out 0").ok();
    let game = places(&run, 3).swap_remove(0);
    let mut seats: Vec<(usize, String)> = game
        .iter()
        .zip(1..)
        .map(|((_, place), at)| (*place, format!("{place} p{at}")))
        .collect();
    seats.sort_by_key(|(place, _)| *place);
    let due: Vec<String> = seats.into_iter().map(|(_, words)| words).collect();
    assert_has!(whole, &format!("\nplaces: {}\n", due.join(", ")));
    let json = run.referee("replay out 0 --json").ok();
    let end: Value = serde_json::from_str(json.lines().last().expect("an end")).expect("JSON");
    let places: Vec<usize> = game.iter().map(|(_, place)| *place).collect();
    assert_eq!(end["places"], json!(places));
    let listed = run.referee("games out --json").ok();
    let first: Value = serde_json::from_str(listed.lines().next().expect("a game")).expect("JSON");
    assert_eq!(first["places"], json!(places));
    let transcripts = run.referee("replay out 0 --transcript").ok();
    for ((player, _), at) in game.iter().zip(1..) {
        let name = format!("p{at}");
        assert_has!(transcripts, &format!("{name} ({player}):\n"));
        let one = run
            .referee(&format!("replay out 0 --transcript --seat {name}"))
            .ok();
        assert!(transcripts.contains(&one), "{one}");
    }
}
