//! The tables of a run's pages can be sorted and filtered, and each page leads to the others.

use serde_json::json;

use crate::support::TestRun;
use crate::support::browser::{Browser, Page};
use crate::support::config::{greedy, shell, small_cachex};

const WIDE: [u32; 2] = [1280, 900];

/// Numbers that are ordered otherwise as words, and one who loses all games.
fn played() -> TestRun {
    let players = greedy(&[("p1", 1), ("p2", 1), ("p3", 1), ("p10", 1)]);
    TestRun::played(&small_cachex(2, &[&players, &shell("gone", "exit 3")]))
}

/// The cells of a column in rows that are shown.
fn column(page: &mut Page<'_>, title: &str) -> Vec<String> {
    let cells = page.evaluate(&format!(
        "(table => {{ const at = [...table.tHead.rows[0].cells].findIndex(cell => cell.textContent.trim() === '{title}'); \
         return [...table.tBodies[0].rows].filter(row => row.checkVisibility()).map(row => row.cells[at].textContent); }})\
         (document.querySelector('table.sortable'))"
    ));
    serde_json::from_value(cells).expect("texts")
}

fn click(page: &mut Page<'_>, title: &str) {
    page.evaluate(&format!(
        "[...document.querySelectorAll('table.sortable th button')]\
         .find(button => button.textContent.trim() === '{title}').click()"
    ));
}

fn sorted_by(page: &mut Page<'_>) -> serde_json::Value {
    page.evaluate(
        "[...document.querySelectorAll('[aria-sort]')].map(cell => [cell.textContent.trim(), cell.ariaSort])",
    )
}

fn a_heading_sorts_and_a_third_click_ends_it(browser: &mut Browser, run: &TestRun) {
    let mut page = browser.open(&run.path("out/report/index.html"), "", WIDE);
    let before = column(&mut page, "player");
    assert_eq!(before.len(), 5);
    let elo = |page: &mut Page<'_>| -> Vec<f64> {
        let cells = column(page, "Elo").into_iter();
        cells.map(|cell| cell.parse().expect("a number")).collect()
    };
    click(&mut page, "lost");
    assert_eq!(sorted_by(&mut page), json!([["lost", "descending"]]));
    assert_eq!(column(&mut page, "player")[0], "gone");
    click(&mut page, "Elo");
    let falling = elo(&mut page);
    assert!(falling.is_sorted_by(|a, b| a >= b), "{falling:?}");
    click(&mut page, "Elo");
    assert_eq!(sorted_by(&mut page), json!([["Elo", "ascending"]]));
    assert!(elo(&mut page).is_sorted());
    click(&mut page, "Elo");
    assert_eq!(sorted_by(&mut page), json!([]));
    assert_eq!(column(&mut page, "player"), before);
    // Words in the order of people: p2 before p10.
    click(&mut page, "player");
    let expected = ["gone", "p1", "p2", "p3", "p10"];
    assert_eq!(column(&mut page, "player"), expected);
}

#[test]
#[ignore = "slow"]
fn tables_are_sorted_and_filtered_and_each_page_has_links_to_the_others() {
    let mut browser = needed!(Browser::start());
    let run = played();
    a_heading_sorts_and_a_third_click_ends_it(&mut browser, &run);
    words_choose_the_rows_that_are_shown(&mut browser, &run);
    every_page_of_a_run_begins_with_links_to_all_parts(&mut browser, &run);
}

fn words_choose_the_rows_that_are_shown(browser: &mut Browser, run: &TestRun) {
    let mut page = browser.open(&run.path("out/report/games.html"), "", WIDE);
    assert_eq!(column(&mut page, "game").len(), 20);
    let filter = |page: &mut Page<'_>, words: &str| {
        page.evaluate(&format!(
            "(input => {{ input.value = '{words}'; input.dispatchEvent(new Event('input')); }})\
             (document.querySelector('.filter input'))"
        ));
        page.evaluate("document.querySelector('.filter output').textContent")
    };
    assert_eq!(filter(&mut page, "GONE p3"), "2 of 20");
    assert_eq!(column(&mut page, "winner"), ["p3", "p3"]);
    assert_eq!(filter(&mut page, "nobody at all"), "0 of 20");
    assert_eq!(filter(&mut page, " "), "");
    assert_eq!(column(&mut page, "game").len(), 20);
    assert_eq!(page.barriers(), [""; 0]);
    // Without its script a page hides no row and has no box.
    let html = run.read("out/report/games.html");
    assert!(!html.contains("<tr hidden") && !html.contains("<input"));
}

fn every_page_of_a_run_begins_with_links_to_all_parts(browser: &mut Browser, run: &TestRun) {
    for (file, current) in [
        ("index.html", json!([["run", "page"]])),
        ("players.html", json!([["players", "page"]])),
        ("player-3.html", json!([["players", "true"]])),
        ("games.html", json!([["games", "page"]])),
        ("game.html", json!([["games", "true"]])),
        ("plan.html", json!([["plan", "page"]])),
    ] {
        let mut page = browser.open(&run.path("out/report").join(file), "", WIDE);
        let links = "[...document.querySelector('nav').querySelectorAll('a')]";
        assert_eq!(
            page.evaluate(&format!("{links}.map(link => link.getAttribute('href'))")),
            json!(["index.html", "players.html", "games.html", "plan.html"]),
            "{file}"
        );
        let marked = format!(
            "{links}.filter(link => link.ariaCurrent).map(link => [link.textContent, link.ariaCurrent])"
        );
        assert_eq!(page.evaluate(&marked), current, "{file}");
    }
}
