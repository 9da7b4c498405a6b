//! `referee report`: the pages of a run, in a real browser and in their parts.

use std::fs::File;

use serde_json::Value;

use crate::support::{Browser, TestRun, without_programs};

const WIDE: [u32; 2] = [1280, 900];

/// A word that would do something if it were not shown as text.
const HOSTILE: &str = "<script>document.title=1</script>";

/// Two games, house bots, and a bot that forfeits at once with a hostile word and has a hostile name.
fn config(games: u32) -> String {
    let long = "long-".repeat(12);
    format!(
        "name = \"t\"\nseed = 3\n[[game]]\nname = \"cachex\"\nsize = 4\n[[game]]\nname = \"dark-chess\"\n\
         [format]\nkind = \"round-robin\"\ngames-per-pairing = {games}\n[clock]\nper-game = \"60s\"\n\
         [[player]]\nhouse = \"greedy\"\ndisplay-name = \"王小明 & <i>friends</i>\"\n\
         [[player]]\nhouse = \"random\"\n\
         [[player]]\nname = \"{long}\"\nhouse = \"random\"\n\
         [[player]]\nname = \"evil\"\ndisplay-name = \"<img src=x>\"\nshell = \"echo '{HOSTILE}'; cat >&2\"\n"
    )
}

fn reported(games: u32) -> TestRun {
    let run = TestRun::played(&config(games));
    run.referee("report out").ok();
    run
}

fn shown(player: &str) -> String {
    match player {
        "greedy" => "王小明 & <i>friends</i>".to_owned(),
        "evil" => "<img src=x>".to_owned(),
        other => other.to_owned(),
    }
}

#[test]
#[ignore = "slow"]
fn the_tables_have_the_numbers_of_the_files() {
    let mut browser = needed!(Browser::start());
    let run = reported(4);
    let mut page = browser.open(&run.path("out/report/index.html"), "", WIDE);
    let ratings = run.table("ratings.csv");
    let found = page.records("standings, by rating");
    assert_eq!(found.len(), ratings.len());
    for (found, row) in found.iter().zip(&ratings) {
        assert_eq!(found["player"], shown(&row["player"]));
        for (title, column) in [
            ("#", "rank"),
            ("games", "games"),
            ("won", "wins"),
            ("drawn", "draws"),
            ("lost", "losses"),
            ("points", "points"),
            ("forfeits", "forfeits"),
        ] {
            assert_eq!(found[title], row[column], "{title}");
        }
        let real = |text: &str| text.parse::<f64>().expect(text);
        for (title, column) in [("Elo", "elo"), ("±", "margin")] {
            // An interval with one end has no margin.
            if row[column].is_empty() {
                assert_eq!(found[title], "-", "{title}");
                continue;
            }
            let apart = (real(&found[title]) - real(&row[column])).abs();
            assert!(apart < 0.56, "{title}: {} {}", found[title], row[column]);
        }
        // Each bar has all games of its player.
        let results = found["results"].split(|c: char| !c.is_ascii_digit());
        let results = results.filter(|count| !count.is_empty()).map(number);
        assert_eq!(results.sum::<usize>(), number(&row["games"]));
    }
    let crosstable = "won-drawn-lost against each other, best first";
    let crosstable = page.rows(crosstable);
    let games = run.table("crosstable.csv");
    assert_eq!(crosstable.len(), games.len());
    for (row, table) in crosstable.iter().zip(games) {
        let mut found: Vec<&str> = row[1..].iter().map(String::as_str).collect();
        let cells = table
            .iter()
            .filter(|(column, _)| !["game", "player"].contains(&column.as_str()));
        let mut cells: Vec<&str> = cells.map(|(_, cell)| cell.as_str()).collect();
        found.sort_unstable();
        cells.sort_unstable();
        assert_eq!(found, cells);
    }
}

/// Pages are labelled for those who do not see them.
fn assert_labelled(browser: &mut Browser, run: &TestRun) {
    for file in "index.html players.html games.html plan.html player-0.html".split(' ') {
        let mut page = browser.open(&run.path("out/report").join(file), "", WIDE);
        for unlabelled in [
            "svg:not(svg svg, [role=img][aria-label])",
            "svg:not(svg svg, :has(> title))",
            "th:not([scope])",
            ".scroll:not([tabindex='0'][role=region][aria-label])",
            "nav:not([aria-label])",
        ] {
            let count = format!("document.querySelectorAll(\"{unlabelled}\").length");
            assert_eq!(page.evaluate(&count), 0, "{file}: {unlabelled}");
        }
        let levels =
            page.evaluate("[...document.querySelectorAll('h1,h2,h3,h4')].map(h => +h.tagName[1])");
        let levels: Vec<u32> = serde_json::from_value(levels).expect("levels");
        assert_eq!(levels[0], 1);
        assert!(
            levels.windows(2).all(|pair| pair[1] <= pair[0] + 1),
            "{levels:?}"
        );
        let repeated = "(ids => ids.length - new Set(ids).size)([...document.querySelectorAll('[id]')].map(e => e.id))";
        assert_eq!(page.evaluate(repeated), 0, "{file}");
        assert_eq!(page.barriers(), [""; 0], "{file}");
    }
}

#[test]
#[ignore = "slow"]
fn what_bots_write_is_text_on_pages_that_are_labelled() {
    let run = reported(2);
    for file in
        "index.html players.html games.html plan.html player-0.html player-3.html".split(' ')
    {
        let page = run.read(&format!("out/report/{file}"));
        let said = without_programs(&page);
        for element in [
            "<script", "<img", "<i>", "<b>", "http:", "https:", "src=\"", "style=\"",
        ] {
            assert!(!said.contains(element), "{file}: {element}");
        }
        // The page's own script, which is run by its digest.
        assert_eq!(page.matches("<script").count(), 1, "{file}");
        assert!(page.contains("script-src &#x27;sha256-"), "{file}");
        assert_has!(page, "default-src &#x27;none&#x27;; style-src");
    }
    let mut browser = needed!(Browser::start());
    assert_labelled(&mut browser, &run);
    let mut page = browser.open(&run.path("out/report/player-3.html"), "", WIDE);
    let text = page.evaluate("document.body.textContent");
    let text = text.as_str().expect("text");
    assert_has!(text, HOSTILE);
    assert_has!(text, "<img src=x> (evil)");
    let found = page.evaluate("[document.scripts.length, document.images.length]");
    assert_eq!(found, serde_json::json!([1, 0]));
    assert_eq!(page.evaluate("document.title"), "<img src=x> (evil)");
}

#[test]
fn runs_of_any_size_and_state_have_pages_in_a_folder_of_their_own() {
    let run = TestRun::played(&config(2));
    each_run_has_its_own_folder_of_pages(&run);
    games_with_damaged_logs_are_named_and_all_else_is_shown(&run);
    let index = |words: &str| {
        run.referee("report out").ok();
        let page = run.read("out/report/index.html");
        assert!(page.contains(words), "no `{words}`: {page}");
        page
    };
    index("24 of 24 games played.");
    // The last one to end, which need not have the greatest number.
    let table = run.table("games.csv");
    let last = table.last().expect("a row");
    let last = ["id", "game", "block", "round", "first", "second"].map(|it| last[it].as_str());
    let text = format!(
        "id,game,block,round,first,second,cause\n{},<u>no pipe</u>\n",
        last.join(",")
    );
    run.write("out/set-aside.csv", &text);
    run.keep_games(23);
    let page = index("23 of 24 games played.");
    assert!(page.contains("&lt;u&gt;no pipe") && !page.contains("ended early"));
    for games in [1, 0] {
        run.keep_games(games);
        let page = index(&format!("The run ended early: {games} of 24 games played."));
        assert_eq!(page.contains("No game has ended yet."), games == 0);
    }
    let folder = File::open(run.out()).expect("a folder");
    folder.lock().expect("a lock");
    index("The run is going on: 0 of 24 games when this page was made.");
}

fn each_run_has_its_own_folder_of_pages(run: &TestRun) {
    assert_eq!(run.referee("report out").ok(), "out/report/index.html\n");
    assert_eq!(run.referee("report out --out a/b").ok(), "a/b/index.html\n");
    assert!(run.path("a/b/player-3.html").is_file() && !run.path("a/b/player-4.html").exists());
    run.referee("report nothing").fails(5, "nothing");
    // The pages are no part of the records.
    run.referee("verify out").ok();
}

fn number(text: &str) -> usize {
    text.parse().expect(text)
}

fn games_with_damaged_logs_are_named_and_all_else_is_shown(run: &TestRun) {
    let rows = run.rows();
    let sound = rows
        .iter()
        .filter(|row| row["game"] == "cachex" && row["forfeited_by"].is_empty());
    let damaged: Vec<usize> = sound.map(|row| number(&row["id"])).take(3).collect();
    let [mistaken, cut, lost] = damaged[..] else {
        unreachable!("six games without the bot that forfeits: {damaged:?}");
    };
    let logs = [mistaken, cut, lost].map(|id| format!("out/games/0000/{id:06}.csv"));
    let texts = logs.each_ref().map(|log| run.read(log));
    run.write(&logs[0], &texts[0].replacen("red", "green", 1));
    let (rest, _) = texts[1].trim_end().rsplit_once('\n').expect("lines");
    run.write(&logs[1], &format!("{rest}\n"));
    std::fs::remove_file(run.path(&logs[2])).expect("removed");
    let ran = run.referee("report out");
    let printed = (ran.exit, ran.stdout.as_str());
    assert_eq!(printed, (1, "out/report/index.html\n"));
    let index = run.read("out/report/index.html");
    for text in [&ran.stderr, &index] {
        let named = format!("3 games are not on boards: {mistaken}, {cut}, {lost}.");
        for words in [&named, &format!("{mistaken:06}.csv"), "green"] {
            assert!(text.contains(words), "no `{words}`: {text}");
        }
    }
    let pages = [0, 1, 2, 3].map(|player| run.read(&format!("out/report/player-{player}.html")));
    let is_linked = |id: &usize| {
        let links = ["\"", "p"].map(|end| format!("href=\"game.html#g{id}{end}"));
        let mut links = links.iter();
        links.any(|link| pages.iter().any(|page| page.contains(link)))
    };
    let unlinked: Vec<usize> = (0..24).filter(|id| !is_linked(id)).collect();
    assert_eq!(unlinked, damaged);
    let games = run.read("out/report/games/0.js");
    let games = games.strip_prefix("refereeGames(0,").expect("a call");
    let (games, _tables) = games.split_once("\n],").expect("games and tables");
    let games: Vec<Value> = serde_json::from_str(&format!("{games}]")).expect("JSON");
    assert_eq!(games.len(), 21);
    for (log, text) in logs.iter().zip(&texts) {
        run.write(log, text);
    }
}
