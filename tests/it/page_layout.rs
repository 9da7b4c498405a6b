//! Nothing on the pages of a run overlaps, and nothing is empty, on screens of every width.

use crate::support::config::{greedy, randoms, shell, small_cachex};
use crate::support::python::python;
use crate::support::{Browser, TestRun, examples};

const WIDTHS: [u32; 3] = [360, 1280, 1920];

/// Looks at the pages of a run, with all numbers opened.
#[track_caller]
fn look_at(run: &TestRun) {
    let mut browser = needed!(Browser::start());
    for (file, fragment) in [
        ("index.html", ""),
        ("players.html", ""),
        ("games.html", ""),
        ("plan.html", ""),
        ("player-0.html", ""),
        ("game.html", "#g0p1"),
    ] {
        let path = run.path("out/report").join(file);
        let mut page = browser.open(&path, fragment, [WIDTHS[0], 800]);
        if !fragment.is_empty() {
            page.wait_until("document.getElementById('player-0').textContent !== ''");
        }
        page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true; })");
        for width in WIDTHS {
            page.resize([width, 800]);
            assert_eq!(page.overlaps(), [""; 0], "{file} at {width}");
            assert_eq!(page.empty_figures(), [""; 0], "{file} at {width}");
            page.assert_fits(&format!("{file} at {width}"));
        }
        let links = page.evaluate("[...document.links].map(link => link.getAttribute('href'))");
        let links: Vec<String> = serde_json::from_value(links).expect("links");
        for link in links {
            let (target, part) = link.split_once('#').unwrap_or((&link, ""));
            let leads = match target {
                // Its program shows the ply.
                "" if file == "game.html" => part.starts_with('g'),
                "" => page.evaluate(&format!("!!document.getElementById('{part}')")) == true,
                target => run.path("out/report").join(target).is_file(),
            };
            assert!(leads, "{file}: {link}");
        }
    }
}

#[test]
fn texts_that_cross_and_figures_without_content_are_found() {
    let mut browser = needed!(Browser::start());
    let folder = TestRun::new("");
    let content = "<!doctype html><body><svg width=300 height=60 aria-label=good>\
         <text x=0 y=20>first</text>\
         <text x=100 y=20>second</text><text x=0 y=50>third</text></svg>\
         <div style=\"width:40px;overflow:auto;white-space:nowrap\">much longer than its box</div>\
         <h2>full</h2><p>words</p></body>";
    folder.write("page.html", content);
    let path = folder.path("page.html");
    let mut page = browser.open(&path, "", [800, 600]);
    assert_eq!(page.overlaps(), [""; 0]);
    assert_eq!(page.empty_figures(), [""; 0]);
    page.evaluate("document.querySelectorAll('text')[1].setAttribute('x', 20)");
    let found = page.overlaps();
    assert_eq!(found.len(), 1, "{found:?}");
    assert_starts!(found[0], "`first` crosses `second`");
    page.evaluate("document.querySelectorAll('text, p').forEach(one => one.remove())");
    let expected = ["nothing is drawn: good", "nothing below the heading full"];
    assert_eq!(page.empty_figures(), expected);
}

#[test]
#[ignore = "slow"]
fn a_test_two_grids_and_a_swiss_tournament_of_sixty() {
    let sprt = "kind = \"sprt\"\nchallengers = [\"new\"]\nelo0 = 0\nelo1 = 100\nmax-games = 40\n\
                opening-plies = 1";
    let swiss = "kind = \"swiss\"\nrounds = 3\ngames-per-pairing = 2";
    let robin = "kind = \"round-robin\"\ngames-per-pairing = 2\nopening-plies = 1";
    let twelve = "[[player]]\nname = \"s{n}\"\ndisplay-name = \"search with {n} nodes\"\nhouse = \"search\"\n\
                  args = [\"--nodes\", \"{n}\"]\ngrid = { n = [1, 2, 3, 4, 5, 6, 8, 10, 12, 14, 16, 20] }\n";
    let three = "[[player]]\nname = \"{nodes}-{kind}-{copy}\"\nhouse = \"{kind}\"\nargs = [\"--nodes\", \"{nodes}\"]\n\
                 env = { COPY = \"{copy}\" }\ngrid = { nodes = [1, 4, 16], kind = [\"search\", \"greedy\"], copy = [\"a\", \"b\"] }\n";
    let sixty: Vec<String> = (0..60).map(|player| format!("p{player}")).collect();
    for (format, players) in [
        (sprt, greedy(&[("new", 50), ("old", 1)]).as_str()),
        (robin, twelve),
        (robin, three),
        (swiss, &randoms(&sixty)),
    ] {
        let config = small_cachex(2, &[players]);
        let usual = "kind = \"round-robin\"\ngames-per-pairing = 2";
        look_at(&TestRun::played(&config.replace(usual, format)));
    }
}

#[test]
#[ignore = "slow"]
fn a_game_whose_rules_are_a_program() {
    needed!(python());
    let game = format!(
        "rules = [\"python3\", \"connect_four.py\"]\ndir = {:?}",
        examples()
    );
    let players = randoms(&["random", "other"]);
    let config = small_cachex(2, &[&players]).replace("name = \"cachex\"\nsize = 3", &game);
    look_at(&TestRun::played(&config));
}

#[test]
#[ignore = "slow"]
fn a_run_where_everybody_forfeits() {
    let players = [
        shell("crash", "exit 1"),
        shell("silent", "echo hello; cat >&2"),
        shell("gone", "exit 3"),
    ];
    let run = TestRun::played(&small_cachex(4, &[&players.concat()]));
    let index = run.read("out/report/index.html");
    let words =
        "Nothing is known about strength: 12 games ended by forfeit, and no other was played.";
    assert!(index.contains(words), "{index}");
    look_at(&run);
}
