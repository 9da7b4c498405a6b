//! Values that bots report with their moves: on the page of a game, in `replay`, and in `games --values`.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::support::browser::{Browser, Page};
use crate::support::python::python;
use crate::support::{TestRun, columns};

/// Moves two knights out and back, which ends after eight plies. With each move it reports the next of its arguments, a
/// list of names and numbers.
const REPORTER: &str = include_str!("files/reporter.py");

const ENGINES: [[&str; 4]; 2] = [
    [LONG[0], "score 250,depth 2", "", "mate 3,depth 9"],
    [LONG[1], "score 2000,king-safety -0.5", "mate -2", "score 0"],
];
const LONG: [&str; 2] = [
    "score 31,depth 14,nodes 1000,time 10",
    "score -100,depth 3,nodes 50000,time 5",
];

/// A game of two bots that report; `None` without Python.
fn played(reports: &[[&str; 4]; 2]) -> Option<TestRun> {
    let python = python()?.program;
    let players = ["ada", "bob"].into_iter().zip(reports);
    let players = players.map(|(name, reports)| {
        let mut command = vec![python.as_str(), "-c", REPORTER];
        command.extend(reports);
        format!("[[player]]\nname = {name:?}\ncommand = {command:?}\n")
    });
    let run = TestRun::played_in_order(&format!(
        "[game]\nname = \"chess\"\n[format]\nkind = \"round-robin\"\ngames-per-pairing = 1\n{}",
        players.collect::<String>()
    ));
    assert_eq!(run.games()[0].end.plies, 8);
    Some(run)
}

fn open<'a>(browser: &'a mut Browser, run: &TestRun, size: [u32; 2]) -> Page<'a> {
    run.referee("replay out 0 --html 0.html").ok();
    browser.open(&run.path("0.html"), "", size)
}

/// The number of plies, the heights from 0 to 1 of the points of each seat's lines in a graph, by ply.
fn lines(page: &mut Page<'_>, kind: &str) -> [BTreeMap<u32, f64>; 2] {
    [0, 1].map(|seat| {
        let paths = page.evaluate(&format!(
            "[...document.querySelectorAll('[data-kind={kind}] .line.seat-{seat}')].map(it => it.getAttribute('d'))"
        ));
        let paths: Vec<String> = serde_json::from_value(paths).expect("paths");
        let size = page.evaluate(&format!(
            "Number(document.querySelector('[data-kind={kind}] .graph').getAttribute('height'))"
        ));
        let size = size.as_f64().expect("a number");
        let points = paths.iter().flat_map(|path| {
            let path = path.trim_end_matches("h0");
            path.split(['M', 'L']).filter(|point| !point.is_empty())
        });
        let points = points.map(|point| {
            let (x, y) = point.split_once(' ').expect("a point");
            let [x, y]: [f64; 2] = [x, y].map(|it| it.parse().expect("a number"));
            ((x + 0.5) as u32, (size - 2.0 - y) / (size - 10.0))
        });
        points.collect()
    })
}

fn logged(run: &TestRun) -> Vec<(u32, usize, String, f64)> {
    let rows = run.plies(0);
    let values = rows.iter().flat_map(|row| {
        let seat = usize::from(row["seat"] == "black");
        let ply = row["ply"].parse().expect("a number");
        let words = row["values"].split(' ').filter(|word| !word.is_empty());
        words.map(move |word| {
            let (name, number) = word.split_once('=').expect("a value");
            let number = number.parse().expect("a number");
            (ply, seat, name.to_owned(), number)
        })
    });
    values.collect()
}

#[test]
fn a_game_has_a_graph_of_its_scores_and_each_ply_its_values_beside_it() {
    let mut browser = needed!(Browser::start());
    let run = needed!(played(&ENGINES));
    let mut expected = [BTreeMap::new(), BTreeMap::new()];
    for (ply, seat, name, number) in logged(&run) {
        let height = match name.as_str() {
            "mate" if number > 0.0 => 1.0,
            "mate" => -1.0,
            "score" => 0.9 * (2.0 / (1.0 + (-0.00368208 * number).exp()) - 1.0),
            _ => continue,
        };
        let side = [1.0, -1.0][seat];
        expected[seat].insert(ply, (1.0 + side * height) / 2.0);
    }
    assert_eq!(expected.each_ref().map(BTreeMap::len), [3, 4]);
    let mut page = open(&mut browser, &run, [1280, 900]);
    let drawn = lines(&mut page, "score");
    for (drawn, expected) in drawn.iter().zip(&expected) {
        assert!(drawn.keys().eq(expected.keys()), "{drawn:?}");
        for (ply, height) in expected {
            assert!((drawn[ply] - height).abs() < 0.001, "ply {ply}: {drawn:?}");
        }
    }
    for row in [
        "[data-kind=score] .tick | +M,+3,+1,−1,−3,,−M",
        ".legend li | white,black",
        "[data-kind=depth] .tick | 14",
        "[data-kind=speed] .tick | 10M/s",
    ] {
        let [selector, expected] = columns(row);
        let texts = format!(
            "[...document.querySelectorAll('{selector}')].map(it => it.textContent).join()"
        );
        assert_eq!(page.evaluate(&texts), expected, "{selector}");
    }
    let kinds = "score,time,depth,speed,other";
    assert_eq!(page.evaluate(KINDS), kinds);
    let bars = "[...document.querySelectorAll('[data-kind=depth] .bar')].map(it => it.getAttribute('class') + it.getAttribute('x'))";
    let expected = "bar seat-00.1,bar seat-11.1,bar seat-02.1,bar seat-06.1".split(',');
    assert_eq!(page.evaluate(bars), json!(expected.collect::<Vec<_>>()));
    assert_beside_plies(&mut page);
}

/// The kinds of the graphs over plies.
const KINDS: &str = "[...document.querySelectorAll('.by-ply')].map(it => it.dataset.kind).join()";

/// Each ply has its values beside it and an address of its own.
fn assert_beside_plies(page: &mut Page<'_>) {
    let ends = page.evaluate(
        "[...document.querySelectorAll('#plies button')].map(it => it.textContent.split(/ ms(?:, |$)/)[1])",
    );
    let expected = "+0.31/14,-1.00/3,+2.50/2,+20.00,,-M2,+M3/9,+0.00".split(',');
    assert_eq!(ends, json!(expected.collect::<Vec<_>>()));
    page.press("Home");
    page.press("ArrowRight");
    let shown = |page: &mut Page<'_>| {
        page.evaluate(
            "[document.getElementById('reports').textContent, document.getElementById('here').href.split('#')[1]]",
        )
    };
    let first = "white reported score 31, depth 14, nodes 1000, time 10";
    assert_eq!(shown(page), json!([first, "g0p1"]));
    let places = "[...document.querySelectorAll('.cursor')].map(it => it.getAttribute('x'))";
    assert_eq!(page.evaluate(places), json!(["0", "0", "0", "0", "0"]));
    page.evaluate(
        "{ const box = document.querySelector('[data-kind=depth] .graph').getBoundingClientRect(); \
           document.querySelector('[data-kind=depth] .graph').dispatchEvent(new MouseEvent('click', \
           { bubbles: true, clientX: box.left + box.width * 0.5, clientY: box.top + 5 })) }",
    );
    let clicked = "black reported score 2000, king-safety -0.5";
    assert_eq!(shown(page), json!([clicked, "g0p4"]));
}

#[test]
fn a_game_without_values_has_no_graphs_of_them() {
    let none = [["", "", "", ""]; 2];
    let mut browser = needed!(Browser::start());
    let run = needed!(played(&none));
    let mut page = open(&mut browser, &run, [1280, 900]);
    assert_eq!(page.evaluate(KINDS), "time");
    let is_hidden = page.evaluate("document.getElementById('reports').hidden");
    assert_eq!(is_hidden, true);
    assert!(!run.referee("replay out 0").ok().contains("reported"));
    let expected = "id,ply,seat,player,name,number\n";
    assert_eq!(run.referee("games out --values").ok(), expected);
}

#[test]
#[ignore = "slow"]
fn hostile_values_are_bounded_on_a_page_that_fits_a_phone() {
    let names = |numbers: std::ops::Range<u32>| -> String {
        numbers.map(|at| format!("name-{at} {at},")).collect()
    };
    let many = names(0..1000);
    let others = names(500..1000);
    let longest = "x".repeat(20);
    let odd = format!(
        "__proto__ 1,constructor -1e15,{longest} 1e15,{} 5,nan nan,inf inf,score 1e15,depth -1e15,nodes 1e15,time 0.000001",
        "y".repeat(64)
    );
    let reports = [
        [many.as_str(), &odd, &odd, "score -1e15,mate 1e15"],
        [&odd, "<b> 1,a=b 2,score nan", &others, "mate -1e15"],
    ];
    let mut browser = needed!(Browser::start());
    let run = needed!(played(&reports));
    let mut page = open(&mut browser, &run, [360, 740]);
    let graphs =
        "[...document.querySelectorAll('[data-kind=other] figcaption')].map(it => it.textContent)";
    let names = [
        "__proto__",
        "constructor",
        &longest,
        "name-0",
        "name-1",
        "name-2",
    ];
    assert_eq!(page.evaluate(graphs), json!(names));
    let rest = page.evaluate("document.querySelector('#more-charts p').textContent");
    let rest = rest.as_str().expect("text");
    assert_starts!(rest, "reported and not drawn: name-3, ");
    assert!(rest.ends_with(" and 19 more"), "{rest}");
    let numbers = "[...document.querySelectorAll('.line, .bar')].flatMap(it => [it.getAttribute('d'), it.getAttribute('height')])\
                   .every(it => it === null || !/NaN|Infinity|undefined/.test(it))";
    assert_eq!(page.evaluate(numbers), true);
    for width in [360, 1280] {
        page.resize([width, 740]);
        for ply in 0..=8 {
            page.evaluate(&format!("location.hash = '#g0p{ply}'"));
            page.assert_fits(&format!("{width} px, ply {ply}"));
        }
        for dark in [false, true] {
            page.show_as(false, dark);
            assert_eq!(page.barriers(), [""; 0]);
        }
    }
    run.referee("verify out").ok();
}

#[test]
fn replay_shows_the_values_of_a_ply() {
    let run = needed!(played(&ENGINES));
    let shown = |ply: u32| {
        let text = run.referee(&format!("replay out 0 --ply {ply}")).ok();
        let lines = text.lines().filter(|line| line.contains(" reported "));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(shown(0), [""; 0]);
    let expected = ["white reported +0.31/14: score=31 depth=14 nodes=1000 time=10"];
    assert_eq!(shown(1), expected);
    let expected = ["black reported +20.00: score=2000 king-safety=-0.5"];
    assert_eq!(shown(4), expected);
    assert_eq!(shown(5), [""; 0]);
    let text = run.referee("replay out 0 --json").ok();
    let values = |line| serde_json::from_str::<Value>(line).expect("JSON")["values"].clone();
    let values: Vec<Value> = text.lines().map(values).collect();
    assert_eq!(values[4], json!({ "score": 2000.0, "king-safety": -0.5 }));
    assert_eq!([&values[0], &values[5]], [&Value::Null, &Value::Null]);
}

#[test]
fn the_values_of_a_run_are_one_table() {
    let run = needed!(played(&ENGINES));
    let text = run.referee("games out --values").ok();
    let games = run.games();
    let players = games[0].names().pair().expect("two seats");
    let rows = logged(&run).into_iter().map(|(ply, seat, name, number)| {
        let player = &players[seat];
        let seat = ["white", "black"][seat];
        format!("0,{ply},{seat},{player},{name},{number}\n")
    });
    let expected: String = rows.collect();
    assert_eq!(text, format!("id,ply,seat,player,name,number\n{expected}"));
    assert_eq!(expected.lines().count(), 16, "{expected}");
    assert_eq!(run.referee("games out --values --drawn").ok(), text);
    let wanted = "id,ply,seat,player,name,number\n";
    assert_eq!(run.referee("games out --values --forfeited").ok(), wanted);
    run.referee("games out --values --plies")
        .fails(2, "cannot be used with");
    // The end of a match has their means.
    let end = run.referee("run config.toml --out again -j 1").stdout;
    let end: Vec<&str> = end.split_whitespace().collect();
    let end = end.join(" ");
    for row in [
        "all ada 4 8.3 1000 100000 0.",
        "all bob 4 3.0 50000 10000000 0.",
        "1-20 ada 4 8.3 1000 100000 0.",
    ] {
        assert!(end.contains(row), "{end}");
    }
    assert_has!(run.read("again/report/index.html"), "means of searches");
}
