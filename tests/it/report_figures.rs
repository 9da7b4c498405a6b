//! `referee report --figures`: charts as files for papers.

use std::path::PathBuf;
use std::process::Command;

use crate::support::{Browser, TestRun, root};

/// Names that would be elements, columns or formulas if they were not text.
fn reported() -> TestRun {
    let run = TestRun::played(
        "seed = 3\n[game]\nname = \"cachex\"\nsize = 4\n[format]\nkind = \"round-robin\"\ngames-per-pairing = 4\n\
         opening-plies = 2\n[[player]]\nhouse = \"greedy\"\ndisplay-name = \"=1+1|<img src=x> 王\"\n\
         [[player]]\nhouse = \"random\"\n\
         [[player]]\nname = \"evil\"\ndisplay-name = \"]]> `&amp;`\"\nshell = \"echo '</svg>'; cat >&2\"\n",
    );
    run.referee("report out --figures figures").ok();
    run
}

fn files(run: &TestRun, ending: &str) -> Vec<PathBuf> {
    let files = std::fs::read_dir(run.path("figures")).expect("a folder");
    let files = files.map(|file| file.expect("a file").path());
    let mut files: Vec<PathBuf> = files
        .filter(|it| it.extension().is_some_and(|it| it == ending))
        .collect();
    files.sort();
    assert!(!files.is_empty(), "{ending}");
    files
}

#[test]
fn the_command_names_both_folders_and_the_figures_have_stable_names_and_are_not_blank() {
    let run = reported();
    let said = run.referee("report out --figures figures");
    assert_eq!(said.stdout, "out/report/index.html\nfigures\n");
    for name in "cachex-ratings.svg cachex-elo-over-games.svg cachex-ratings.csv".split(' ') {
        assert!(run.path("figures").join(name).exists(), "no {name}");
    }
    // Nothing but figures; the pages have none.
    let all = std::fs::read_dir(run.path("figures"))
        .expect("a folder")
        .count();
    let of_endings = ["svg", "csv"].map(|ending| files(&run, ending).len());
    assert_eq!(all, of_endings.iter().sum::<usize>());
    assert!(!run.path("out/report/cachex-elo-over-games.svg").exists());
    assert_drawn(&run);
}

/// No picture is blank in a browser, and all of it is on the picture.
fn assert_drawn(run: &TestRun) {
    let mut browser = needed!(Browser::start());
    let size = [900, 600];
    run.write(
        "blank.svg",
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"900\" height=\"600\"><rect width=\"900\" height=\"600\" fill=\"#fff\"/></svg>",
    );
    let mut page = browser.open(&run.path("blank.svg"), "", size);
    let blank = page.picture(false).len();
    drop(page);
    for picture in files(run, "svg") {
        let mut page = browser.open(&picture, "", size);
        let (name, size) = (picture.display(), page.picture(false).len());
        assert!(size > 2 * blank, "{name}: {size} {blank}");
        let outside = "[...document.querySelectorAll('text, rect, line, circle, polyline, polygon')].filter(shape => { \
             const own = shape.getBBox(); const all = document.documentElement.viewBox.baseVal; \
             return own.x < -0.5 || own.y < -0.5 || own.x + own.width > all.width + 0.5 || own.y + own.height > all.height + 0.5; \
             }).map(shape => shape.outerHTML)";
        assert_eq!(page.evaluate(outside), serde_json::json!([]), "{name}");
    }
}

fn code_of_the_notebook() -> String {
    let path = root().join("examples/run.ipynb");
    let text = std::fs::read_to_string(path).expect("the notebook");
    let notebook: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(notebook["nbformat"], 4);
    let cells = notebook["cells"].as_array().expect("cells").iter();
    let code = cells
        .filter(|cell| cell["cell_type"] == "code")
        .map(|cell| {
            assert_eq!(cell["outputs"], serde_json::json!([]));
            let lines = cell["source"].as_array().expect("lines").iter();
            lines
                .map(|line| line.as_str().expect("text"))
                .collect::<String>()
        });
    code.collect::<Vec<_>>().join("\n")
}

#[test]
#[ignore = "slow"]
fn the_notebook_reads_the_sample() {
    let code = code_of_the_notebook();
    let lines = code.lines().filter(|line| !line.trim().is_empty()).count();
    assert!(lines <= 22, "{code}");
    let python = needed!(crate::support::python::python_with("pandas, matplotlib"));
    let ran = Command::new(python)
        .args(["-c", &code])
        .current_dir(root().join("examples"))
        .env("MPLBACKEND", "Agg")
        .output()
        .expect("it runs");
    assert!(ran.status.success(), "{ran:?}");
}
