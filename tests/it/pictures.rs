//! Pictures of every kind of page, to be looked at: `PICTURES=DIR cargo test --test it pictures::`.

use std::path::{Path, PathBuf};

use crate::grade_page::forty;
use crate::support::{Browser, REFEREE, TestRun};

const WIDTHS: [u32; 3] = [360, 1280, 1920];
const PAPER: u32 = 794;

/// All games, a forfeit, reported values, a long name, and letters of other scripts.
fn played() -> TestRun {
    let long = "a-name-".repeat(8);
    // A bot that reports values with each action.
    let values = ["score 31", "depth 4", "nodes 900", "time 3", "moves -2.5"];
    let values = values.map(|value| format!("# value {value}\\n")).concat();
    let reporting = format!("'{REFEREE}' bot random | sed -u '/^bot\\|^ready/!s/^/{values}/'");
    let run = TestRun::played(&format!(
        "name = \"pictures\"\nseed = 3\n[[game]]\nname = \"watch-your-back\"\nmax-plies = 60\n[[game]]\n\
         name = \"cachex\"\nsize = 5\n[[game]]\nname = \"dark-chess\"\nmax-plies = 60\n[format]\n\
         kind = \"round-robin\"\ngames-per-pairing = 4\nopening-plies = 2\n[clock]\nper-game = \"60s\"\n\
         [limits]\nmemory = \"512MiB\"\n[[player]]\nhouse = \"greedy\"\ndisplay-name = \"王小明 & friends\"\n\
         args = [\"--nodes\", \"20\"]\n[[player]]\nhouse = \"random\"\n[[player]]\nname = \"{long}\"\n\
         shell = '''{reporting}'''\n[[player]]\nname = \"broken\"\nshell = \"echo c3; cat >&2\"\n"
    ));
    let rows = run.rows();
    let mut games = rows.iter().filter(|row| row["forfeited_by"].is_empty());
    let id = &games
        .find(|row| row["game"] == "dark-chess" && row["second"] == long)
        .expect("a game")["id"];
    run.referee(&format!("replay out {id} --html game.html"))
        .ok();
    run
}

fn size(png: &[u8]) -> [u32; 2] {
    assert!(png.starts_with(b"\x89PNG\r\n\x1a\n"), "a PNG");
    [16, 20].map(|at| u32::from_be_bytes(png[at..at + 4].try_into().expect("four bytes")))
}

#[test]
#[ignore = "slow"]
fn every_kind_of_page_in_every_width_and_light() {
    let mut browser = needed!(Browser::start());
    let run = played();
    let given = std::env::var_os("PICTURES").map(PathBuf::from);
    let usual = || Path::new(env!("CARGO_TARGET_TMPDIR")).join("pictures");
    let folder = given.clone().unwrap_or_else(usual);
    std::fs::create_dir_all(&folder).expect("a folder");
    let class = forty();
    assert_eq!(class.grade("").exit, 0);
    let of_class = [
        ("class", "class.html"),
        ("feedback", "feedback/s20/index.html"),
    ];
    let of_class = of_class.map(|(name, file)| (name, class.path("out").join(file), ""));
    let of_run = [
        ("index", "out/report/index.html", ""),
        ("player", "out/report/player-3.html", ""),
        ("players", "out/report/players.html", ""),
        ("list", "out/report/games.html", ""),
        ("plan", "out/report/plan.html", ""),
        ("games", "out/report/game.html", "#g30p8"),
        ("game", "game.html", ""),
    ];
    let of_run = of_run.map(|(name, file, fragment)| (name, run.path(file), fragment));
    for (name, file, fragment) in of_run.into_iter().chain(of_class) {
        let mut page = browser.open(&file, fragment, [WIDTHS[0], 800]);
        let looks = WIDTHS.into_iter().flat_map(|width| {
            [("light", false), ("dark", true)].map(|(look, dark)| (width, look, false, dark))
        });
        for (width, look, print, dark) in looks.chain([(PAPER, "print", true, false)]) {
            page.resize([width, 800]);
            page.show_as(print, dark);
            // A picture takes longer than all else. Without somebody who looks at them, one of each page will do.
            if given.is_some() || (width, look) == (WIDTHS[0], "light") {
                let png = page.picture(true);
                assert_eq!(size(&png)[0], width, "{name}, {look}");
                let picture = folder.join(format!("{name}-{width}-{look}.png"));
                std::fs::write(picture, png).expect("written");
            }
            page.assert_fits(&format!("{name} at {width}, {look}"));
        }
    }
}
