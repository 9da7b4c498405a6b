//! A recorded game as a page: `referee replay --html`, in a real browser and in its parts.

use referee::game::BUILT_IN;
use referee::pages::{DrawnGames, GAMES, game_pages};
use referee::runs::Run;
use serde_json::Value;

use crate::support::{Browser, TestRun, command, root, write_executable};

const WIDE: [u32; 2] = [1280, 900];
const PHONE: [u32; 2] = [360, 740];

/// A run with two games of each kind, of bots that play at once.
fn run() -> TestRun {
    let config = "seed = 3\n[[game]]\nname = \"watch-your-back\"\n[[game]]\nname = \"cachex\"\nsize = 5\n\
                  [[game]]\nname = \"dark-chess\"\n[format]\nkind = \"round-robin\"\ngames-per-pairing = 2\n\
                  [clock]\nper-game = \"60s\"\n[[player]]\nhouse = \"greedy\"\n[[player]]\nhouse = \"random\"\n";
    TestRun::played(config)
}

/// The boards of a game, as `replay --json` has them.
fn boards(run: &TestRun, id: u64) -> Vec<String> {
    let json = run.referee(&format!("replay out {id} --json")).ok();
    let objects = json.lines().map(serde_json::from_str);
    let objects = objects.map(|object| object.expect("JSON"));
    let boards = objects.filter_map(|object: Value| object["board"].as_str().map(str::to_owned));
    boards.map(|board| board.replace('/', "")).collect()
}

/// The letters on the cells of the board that is shown, in their order.
const SHOWN: &str =
    "[...document.querySelectorAll('#board .cell')].map(cell => cell.dataset.letter).join('')";

#[test]
#[ignore = "slow"]
fn the_browser_shows_every_position_of_every_game() {
    let mut browser = needed!(Browser::start());
    let run = run();
    let mut count = 0;
    for id in 0..6 {
        let page = run.folder().join(format!("{id}.html"));
        run.referee(&format!("replay out {id} --html {id}.html"))
            .ok();
        let boards = boards(&run, id);
        let mut page = browser.open(&page, &format!("#g{id}p0"), WIDE);
        for (ply, board) in boards.iter().enumerate() {
            assert_eq!(page.evaluate(SHOWN), board.as_str(), "game {id}, ply {ply}");
            assert_eq!(page.evaluate("location.hash"), format!("#g{id}p{ply}"));
            page.press("ArrowRight");
        }
        for (ply, board) in boards.iter().enumerate().rev() {
            let back = format!("game {id}, back at ply {ply}");
            assert_eq!(page.evaluate(SHOWN), board.as_str(), "{back}");
            page.press("ArrowLeft");
        }
        count += boards.len();
    }
    println!("{count} positions in a browser are those of `replay --json`, forwards and back");
}

#[test]
#[ignore = "slow"]
fn one_page_shows_all_games_and_loads_them_when_they_are_wanted() {
    let mut browser = needed!(Browser::start());
    let run = run();
    let folder = run.path("report");
    let opened = Run::open(&run.out(), BUILT_IN).expect("a run");
    std::fs::create_dir_all(folder.join(GAMES)).expect("made");
    let write = |drawn| {
        let read = game_pages(&opened, &drawn, None, &mut |name, text| {
            std::fs::write(folder.join(name), text).expect("written");
            Ok(())
        });
        let read = read.expect("pages");
        assert!(read.damaged.is_empty(), "{read:?}");
        read.drawn
    };
    assert_eq!(write(DrawnGames::All), 6);
    let mut page = browser.open(&folder.join("game.html"), "#g2p1", WIDE);
    for (id, ply) in [(2, 1), (5, 0), (0, 3), (4, 2)] {
        page.evaluate(&format!("location.hash = '#g{id}p{ply}'"));
        let heading =
            format!("document.getElementById('heading').textContent.startsWith('game {id}:')");
        page.wait_until(&heading);
        page.wait_until(&format!("location.hash === '#g{id}p{ply}'"));
        let found = page.evaluate(SHOWN);
        assert_eq!(found, boards(&run, id)[ply].as_str(), "game {id}");
    }
    // Without reloading, and with a word where there is no such game.
    page.evaluate("location.hash = '#g6'");
    page.wait_until("!document.getElementById('missing').hidden");
    page.evaluate("location.hash = '#g1'");
    page.wait_until("document.getElementById('missing').hidden");
    page.evaluate("location.hash = '#g5000'");
    page.wait_until("document.getElementById('missing').textContent.includes('5000')");
    // There is no such file.
    page.forgive();

    drop(page);
    assert_eq!(write(DrawnGames::Some([3].into())), 1);
    a_page_of_a_game_fits_a_phone_and_hides_what_was_hidden(&mut browser, &run);
}

fn a_page_of_a_game_fits_a_phone_and_hides_what_was_hidden(browser: &mut Browser, run: &TestRun) {
    let path = run.folder().join("4.html");
    run.referee("replay out 4 --html 4.html").ok();
    let mut page = browser.open(&path, "#g4p0", PHONE);
    page.assert_fits("the page");
    let glyphs =
        "[...document.querySelectorAll('.glyph')].map(glyph => glyph.textContent).join('')";
    assert_eq!(page.evaluate(glyphs), "", "all pieces lie face-down");
    let names = "[...document.querySelectorAll('#view option')].map(option => option.textContent)";
    let expected = serde_json::json!(["both seats", "everything"]);
    assert_eq!(page.evaluate(names), expected);
    page.press("v");
    let seen = page.evaluate(glyphs);
    assert_eq!(seen.as_str().map(|text| text.chars().count()), Some(32));
    assert_eq!(page.barriers(), [""; 0]);
    page.evaluate("document.getElementById('slider').closest('label').replaceWith(document.getElementById('slider'))");
    let has_axe = std::env::var_os("AXE").is_some();
    assert_eq!(page.barriers().len(), usize::from(has_axe));
}

#[test]
#[ignore = "slow"]
fn the_words_of_a_bot_stand_beside_its_plies() {
    let mut browser = needed!(Browser::start());
    let bot = "n=0; while read -r word rest; do case $word in referee) echo bot 1 talks ;; start) echo ready ;; \
               act) n=$((n + 1)); echo \"# <b>action $n\"; echo \"# value n $n\"; [ $n = 3 ] && { echo gone >&2; exit 1; }; \
               [ $n = 1 ] && echo a1 || echo a2 ;; esac; done";
    let other = "n=0; while read -r word rest; do case $word in referee) echo bot 1 other ;; start) echo ready ;; \
                 act) n=$((n + 1)); echo c$n ;; esac; done";
    let run = TestRun::played(&format!(
        "seed = 1\n[game]\nname = \"cachex\"\nsize = 5\n[format]\nkind = \"round-robin\"\n\
         games-per-pairing = 4\nopening-plies = 0\n[clock]\nper-move = \"9s\"\n[[player]]\nname = \"talks\"\n\
         shell = '''{bot}'''\n[[player]]\nname = \"other\"\nshell = '''{other}'''\n"
    ));
    let mut page = browser.open(&run.path("out/report/game.html"), "#g0p1", WIDE);
    page.wait_until("document.getElementById('heading').textContent.startsWith('game 0:')");
    let words = "[...document.querySelectorAll('#wrote *')].map(element => element.textContent)";
    let before = "red wrote before this action:";
    let expected = serde_json::json!([before, "# <b>action 1"]);
    assert_eq!(page.evaluate(words), expected);
    page.press("ArrowRight");
    assert_eq!(page.evaluate(words), serde_json::json!([]));
    page.press("End");
    let last = page.evaluate("document.querySelector('#wrote pre:last-child').textContent");
    let last = last.as_str().expect("text");
    assert_has!(last, "# <b>action 3");
    assert_has!(last, "gone");
    let end = page.evaluate("document.getElementById('end').textContent");
    assert_has!(end.to_string(), "; red's failed action took ");
    let failed = "[...document.querySelectorAll('.failed.bar')].map(bar => bar.classList[2])";
    assert_eq!(page.evaluate(failed), serde_json::json!(["seat-0"]));
    let words = page.evaluate("document.querySelector('[data-kind=time] figcaption').textContent");
    assert_has!(words.to_string(), "; dashed: red's failed action, ");
    let player = page.evaluate("document.querySelector('#player-0 a').getAttribute('href')");
    assert_eq!(player, "player-0.html");
    let commands = page.evaluate("document.getElementById('commands').textContent");
    assert_has!(commands.to_string(), "stderr/0000/000000-red.log");
    let disabled = "['game-before', 'game-after'].map(id => document.getElementById(id).disabled)";
    assert_eq!(page.evaluate(disabled), serde_json::json!([true, false]));
    let is_game =
        |game| format!("document.getElementById('heading').textContent.startsWith('game {game}:')");
    for game in 1..4 {
        page.press("n");
        page.wait_until(&is_game(game));
    }
    assert_eq!(page.evaluate(disabled), serde_json::json!([false, true]));
    page.evaluate("document.getElementById('game-before').click()");
    page.wait_until(&is_game(2));
    assert_eq!(page.barriers(), [""; 0]);
}

/// A bot that puts code for a browser and for a terminal into every word.
const HOSTILE: &str = "#!/bin/sh
read -r hello; echo 'bot 1 <script>evil()</script>'
read -r start; echo '# <img src=x onerror=evil()>' >&2; echo ready
read -r act; printf '</script><script>evil=1</script>\"&amp;javascript:\\033[31m\\342\\200\\250\\n'
";

#[test]
fn what_a_hostile_bot_writes_is_text_in_a_browser() {
    let mut browser = needed!(Browser::start());
    let folder = tempfile::tempdir().expect("a folder");
    write_executable(&folder.path().join("bot"), HOSTILE);
    let run = TestRun::played(&format!(
        "seed = 1\n[game]\nname = \"cachex\"\nsize = 4\n[format]\nkind = \"round-robin\"\ngames-per-pairing = 1\n\
         [[player]]\nname = \"evil\"\ndisplay-name = \"<b>e</b>&\"\ncommand = [\"./bot\"]\ndir = {:?}\n\
         [[player]]\nhouse = \"random\"\n",
        folder.path()
    ));
    run.referee("replay out 0 --html 0.html").ok();
    let mut page = browser.open(&run.path("0.html"), "", WIDE);
    let text = |id: &str| format!("document.getElementById('{id}').textContent");
    let end = page.evaluate(&text("end"));
    let end = end.as_str().expect("text");
    let words = "</script><script>evil=1</script>\"&amp;javascript:\u{fffd}[31m\u{fffd}";
    assert!(end.contains(words), "{end}");
    let found = page.evaluate(&format!("{} + {}", text("player-0"), text("player-1")));
    assert_eq!(found, "<b>e</b>&random");
    let found = page.evaluate("globalThis.evil === undefined && document.scripts.length");
    assert_eq!(found, 2);
}

#[test]
fn the_script_of_the_pages_does_what_it_says() {
    let tests = ["viewer", "charts"].map(|name| root().join(format!("tests/pages/{name}_test.js")));
    let mut node = needed!(command("node"));
    let output = node.arg("--test").args(&tests).output().expect("it ran");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}");
}
