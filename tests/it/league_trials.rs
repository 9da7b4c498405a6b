//! `referee league try`: candidates, and what becomes of them.

use std::fs;

use crate::league::{THREE, add, games, hand, league, play, table};
use crate::support::program::Ran;
use crate::support::run::TestRun;
use crate::support::tables::rows;

const STAGES: &str = "\n[[try.stage]]\ngames = 8\n\n[[try.stage]]\ngames = 8\nfresh = true\n";

fn with_stages(stages: &str) -> TestRun {
    let test = league(&THREE);
    let terms = test.read("spring/league.toml");
    let (terms, _) = terms.split_once("[[try.stage]]").expect("stages");
    test.write("spring/league.toml", &format!("{terms}{stages}"));
    test
}

fn candidate(test: &TestRun, nodes: u32) -> Ran {
    hand(
        test,
        "try",
        "mid",
        &format!("greedy --nodes {nodes}"),
        "--quiet -j 2",
    )
}

/// The seats, starts and seeds of a trial's run.
fn starts(test: &TestRun, run: &str, own: &str) -> Vec<Vec<String>> {
    let mut played = rows(&test.path(&format!("spring/trials/{run}/games.csv")));
    played.sort_by_key(|row| row["id"].parse::<u64>().expect("a number"));
    let columns = ["first", "second", "opening", "first_seed"];
    let cells = played
        .iter()
        .map(|row| columns.map(|it| row[it].replace(own, "own")));
    cells.map(Vec::from).collect()
}

#[test]
#[ignore = "slow"]
fn candidates_share_starts_and_count_when_they_are_promoted() {
    let test = with_stages(STAGES);
    play(&test, "--games 8").ok();
    let before = games(&test);
    // As strong as the version that plays: the stages do not decide.
    let said = candidate(&test, 20).ok();
    assert_has!(said, "mid 2 beside mid 1 after 16 games each: ");
    assert!(said.contains("opponent  strong 1"), "{said}");
    let common = starts(&test, "mid.1-1", "mid.1");
    assert_eq!(common.len(), 8);
    assert_eq!(common, starts(&test, "mid.2-1", "mid.2"));
    let found = starts(&test, "mid.1-2", "mid.1");
    assert_eq!(found, starts(&test, "mid.2-2", "mid.2"));
    // Another one shares the first stage, and not the fresh starts of the second one.
    candidate(&test, 19).ok();
    assert_eq!(common, starts(&test, "mid.3-1", "mid.3"));
    assert!(test.path("spring/trials/mid.1-3").exists());
    assert!(!test.path("spring/trials/mid.1-4").exists());
    let found = starts(&test, "mid.3-2", "mid.3");
    assert_ne!(found, starts(&test, "mid.2-2", "mid.2"));
    let of = |bot: &str| {
        let rows = table(&test);
        let row = rows.into_iter().find(|row| row["bot"] == bot);
        let row = row.expect("a bot");
        (
            row["version"].clone(),
            row["games"].parse::<u64>().expect("a number"),
        )
    };
    // Games of the version that plays count, and games of candidates do not yet.
    let own = |player: &str| {
        let meets = |game: &&Vec<String>| game.contains(&player.to_owned());
        before.iter().filter(meets).count() as u64
    };
    assert_eq!(of("mid"), ("1".to_owned(), own("mid.1") + 24));
    assert_eq!(of("strong").1, own("strong.1") + 12);
    test.referee("league reject spring mid").ok();
    test.referee("league promote spring mid --version 2").ok();
    assert_eq!(test.referee("league promote spring mid").exit, 2);
    assert_eq!(of("mid"), ("2".to_owned(), 16));
    assert_eq!(of("strong").1, own("strong.1") + 20);
    play(&test, "--games 8").ok();
    assert!(!games(&test).concat().contains(&"mid.3".to_owned()));
    for run in fs::read_dir(test.path("spring/trials")).expect("a folder") {
        let path = run.expect("an entry").path();
        if path.is_dir() {
            test.referee(&format!("verify {}", path.display())).ok();
        }
    }
    // As after an interrupt: nobody plays the rest of it.
    fs::remove_file(test.path("spring/trials/mid.2-2/run.sha256")).expect("removed");
    test.referee("league pages spring").ok();
    assert_has!(test.read("spring/report/index.html"), ">not ended<");
}

#[test]
#[ignore = "slow"]
fn a_clear_difference_ends_a_trial_and_archived_bots_are_met_no_more() {
    let test = with_stages(STAGES);
    play(&test, "--games 8").ok();
    test.referee("league archive spring weak").ok();
    let ran = hand(&test, "try", "nobody", "random", "--quiet");
    assert!(
        ran.exit == 2
            && ran
                .stderr
                .contains("`referee league add` makes the first one"),
        "{ran:?}"
    );
    assert!(!test.read("spring/roster.toml").contains("nobody"));
    let ran = hand(&test, "try", "mid", "random", "--quiet --json");
    let said: serde_json::Value = serde_json::from_str(&ran.stdout).expect("JSON");
    assert_eq!(said["candidate"], "mid.2");
    let rows = said["tables"]["trial"].as_array().expect("rows");
    let opponents = rows.iter().filter(|row| row["by"] == "opponent");
    let names: Vec<&str> = opponents.filter_map(|row| row["name"].as_str()).collect();
    assert_eq!(names, ["strong 1"]);
    assert_eq!(rows[0]["score"], 0.0, "{said}");
    play(&test, "--games 8").ok();
    let later = &games(&test)[8..];
    assert!(!later.concat().contains(&"weak.1".to_owned()));
    let table = table(&test);
    let weak = table.iter().find(|row| row["bot"] == "weak");
    let weak = weak.expect("a bot");
    assert_eq!(weak["state"], "archived");
    assert_ne!(weak["elo"], "");
    let ran = add(&test, "new", "", "");
    assert!(ran.exit == 2 && ran.stderr.contains("--command"), "{ran:?}");
}

#[test]
fn a_new_season_begins_without_games_and_the_old_one_stays() {
    let test = league(&THREE[..2]);
    play(&test, "--games 8").ok();
    let first = test.read("spring/report/league.csv");
    let terms = test.read("spring/league.toml");
    // Games of another size belong into no table with these; another clock is only told.
    test.write("spring/league.toml", &terms.replace("size = 4", "size = 5"));
    play(&test, "--games 8").fails(
        2,
        "game cachex.size was \"4\" and is \"5\": one table would mix both; put that back, or begin a season",
    );
    let slower = terms.replace("per-game = \"30s\"", "per-game = \"31s\"");
    test.write("spring/league.toml", &slower);
    let said = test.referee("league plan spring").stderr;
    let words = "warning: spring/league.toml: since spring/runs/0001, clock.per-game was ";
    assert_has!(said, words);
    fs::remove_file(test.path("spring/runs/0002.toml")).expect("removed");
    let config = format!("season = \"autumn\"\n{terms}");
    test.write("spring/league.toml", &config);
    assert!(table(&test).iter().all(|row| row["games"] == "0"));
    play(&test, "--games 8").ok();
    assert!(test.path("spring/runs-autumn/0001/games.csv").exists());
    let old = test.referee("league table spring --csv --season=").ok();
    assert_eq!(old, first);
    let page = test.read("spring/report-autumn/index.html");
    assert!(
        page.replace("&#x2f;", "/")
            .contains("href=\"../report/index.html\"")
    );
    assert_eq!(test.referee("league table spring --season winter").exit, 2);
    test.write("spring/league.toml", &format!("season = \"../x\"\n{terms}"));
    let ran = test.referee("league table spring");
    assert!(
        ran.exit == 2 && ran.stderr.contains("league.toml:1"),
        "{ran:?}"
    );
}
