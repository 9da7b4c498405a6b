//! `referee run --live`: the page that follows a run.

use std::process::{Child, Stdio};

use crate::support::config::{GREEDY, RANDOM, small_cachex};
use crate::support::{Browser, TestRun, files_below, wait_until};

const PAGE: &str = "out/report/index.html";

/// What reloads the page in a browser without scripts.
const REFRESH: &str = "<noscript><meta http-equiv=\"refresh\"";

const EVIL: &str = "<img src=x>";

/// A bot that plays one game at random. It begins another once there is a file `go.tmp`, which is no file of the
/// bot.
fn waiting(games: usize) -> TestRun {
    let line = format!(
        "if [ -e once.tmp ]; then until [ -e go.tmp ] || [ ! -e once.tmp ]; do sleep 0.02; done; fi; touch once.tmp; exec {} bot random",
        crate::support::program::REFEREE
    );
    let waiting = format!(
        "[limits]\nhandshake = \"10m\"\n[[player]]\nname = \"waiting\"\ndir = \".\"\nfresh-process = true\n\
         display-name = \"{EVIL} 王\"\nshell = {line:?}\n"
    );
    TestRun::new(&small_cachex(games, &[&waiting, RANDOM]))
}

fn start(run: &TestRun, args: &[&str]) -> Child {
    let mut command = run.command(args);
    command
        .arg("--live")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command.spawn().expect("it runs")
}

fn read(run: &TestRun) -> Option<String> {
    let page = std::fs::read_to_string(run.path(PAGE)).ok()?;
    assert!(page.starts_with("<!doctype html>"), "{page}");
    assert!(page.ends_with("</html>"), "{page}");
    // As the reader sees it.
    Some(page.replace("&#x2f;", "/"))
}

fn wait_for(run: &TestRun, words: &str) {
    wait_until(|| read(run).is_some_and(|page| page.contains(words)));
}

#[test]
fn the_page_follows_a_run_to_its_end() {
    let run = waiting(2);
    let child = start(&run, &["-j1"]);
    wait_for(&run, "The run is going on: 1 of 2 games");
    let page = read(&run).expect("a page");
    for words in [
        REFRESH,
        "&lt;img src=x&gt; 王",
        "1 game</h2>",
        "id=\"pause\"",
    ] {
        assert!(page.contains(words), "no {words}: {page}");
    }
    assert_lacks!(page, EVIL);
    assert_lacks!(page, "href=\"player");
    assert!(!page.contains("games.html"), "{page}");
    // All pages can be made meanwhile.
    run.referee("report out --out meanwhile").ok();
    let index = run.read("meanwhile/index.html");
    let going_on = "The run is going on: 1 of 2 games when this page was made.";
    assert!(index.contains(going_on), "{index}");
    run.write("go.tmp", "");
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success(), "{output:?}");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("live page: out/report/index.html"), "{said}");
    let page = read(&run).expect("a page");
    for words in
        "2 of 2 games played.,href=\"players.html\",href=\"player-0.html\",2 games</h2>".split(',')
    {
        assert!(page.contains(words), "no {words}: {page}");
    }
    assert_lacks!(page, REFRESH);
    assert_lacks!(page, "id=\"pause\"");
    run.referee("verify out").ok();
}

#[test]
fn the_page_of_a_run_that_goes_on_has_all_its_games() {
    let run = waiting(4);
    let mut child = start(&run, &["-j1", "--quiet"]);
    wait_for(&run, "1 of 4 games");
    child.kill().expect("killed");
    child.wait().expect("it ends");
    let child = start(&run, &["-j1", "--resume"]);
    run.write("go.tmp", "");
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success(), "{output:?}");
    let page = read(&run).expect("a page");
    assert!(page.contains("4 games</h2>"), "{page}");
    assert!(page.contains("4 of 4 games played."), "{page}");
}

#[test]
fn the_page_is_whole_at_every_moment_and_stays_alone_without_others() {
    let broken = |name: &str| format!("[[player]]\nname = \"{name}\"\nshell = \"exit 1\"\n");
    let challenge = "[report]\npages = false\n[record]\nlogs = \"none\"\n";
    let run = TestRun::new(&small_cachex(100, &[challenge, &broken("a"), &broken("b")]));
    let mut child = start(&run, &["-j2"]);
    let mut read_so_far = 0;
    while child.try_wait().expect("a child").is_none() {
        read_so_far += u32::from(read(&run).is_some());
    }
    assert!(read_so_far > 0);
    let page = read(&run).expect("a page");
    assert_has!(page, "100 of 100 games played.");
    assert_lacks!(page, REFRESH);
    // There are no pages to lead to.
    assert!(!page.contains(".html"), "{page}");
    assert_eq!(files_below(&run.path("out/report")).len(), 1);
}

#[test]
fn a_page_that_cannot_be_written_is_a_warning() {
    let run = TestRun::new(&small_cachex(
        2,
        &[RANDOM, GREEDY, "[report]\npages = false\n"],
    ));
    run.play(&[]);
    run.write("out/report", "in the way");
    let ran = run.run(&["--resume", "--live", "--quiet"]);
    assert_eq!((ran.exit, ran.stdout.as_str()), (0, ""), "{ran:?}");
    let warning = "warning: the live page could not be written: out/report: cannot be made: ";
    assert!(ran.stderr.starts_with(warning), "{ran:?}");
}

#[test]
#[ignore = "slow"]
fn a_reload_keeps_what_its_reader_opened() {
    let mut browser = needed!(Browser::start());
    let run = waiting(2);
    let child = start(&run, &["-j1"]);
    wait_for(&run, "1 of 2 games");
    let mut page = browser.open(&run.path(PAGE), "", [360, 300]);
    // On a busy machine it would load itself again meanwhile.
    let toggle = "document.getElementById('pause').click()";
    page.evaluate(toggle);
    assert_eq!(page.barriers(), [""; 0]);
    page.evaluate(toggle);
    page.wait_for_reload();
    page.assert_fits("the page");
    let is_open = "document.querySelector('details').open";
    assert_eq!(page.evaluate(is_open), false);
    page.evaluate("document.querySelector('details').open = true");
    for _ in 0..2 {
        page.wait_for_reload();
        assert_eq!(page.evaluate(is_open), true);
    }
    // It can be stopped, and goes on.
    let pause = "document.getElementById('pause')";
    page.evaluate(&format!("{pause}.click()"));
    assert_eq!(page.evaluate("history.state.paused"), true);
    let expected = "go on refreshing";
    assert_eq!(page.evaluate(&format!("{pause}.textContent")), expected);
    page.evaluate(&format!("{pause}.click()"));
    page.wait_for_reload();
    let expected = "stop refreshing";
    assert_eq!(page.evaluate(&format!("{pause}.textContent")), expected);
    // The last reload finds the end, where nothing is loaded any more.
    run.write("go.tmp", "");
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success(), "{output:?}");
    page.wait_for_reload();
    assert_eq!(page.evaluate(&format!("{pause} === null")), true);
    let found = page.evaluate("document.links[0].getAttribute('href')");
    assert_eq!(found, "index.html");
    assert_eq!(page.barriers(), [""; 0]);
}
