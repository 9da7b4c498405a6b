//! Feedback on games that hide something, while others may still play them.

use std::fs;

use crate::support::files::files_below;
use crate::support::program::REFEREE;
use crate::support::run::TestRun;

const CONFIG: &str = "name = \"class\"\nseed = 8153024\n[class]\nroster = \"roster.csv\"\nsubmissions = \"in\"\n\
                      [submission]\ncommand = [\"sh\", \"bot.sh\"]\n[game]\nname = \"dark-chess\"\n\
                      [limits]\nisolation = \"containment\"\n\
                      [[test]]\nname = \"dark\"\nagainst = [\"random\"]\ngames = 2\nmarks = 4\n\
                      [[test]]\nname = \"open\"\nagainst = [\"random\"]\ngames = 2\nmarks = 4\nopening-plies = 2\n\
                      game = { name = \"cachex\", size = 4 }\n";

/// The seed of the games of a test, which all students play.
fn seed_of(run: &TestRun, test: &str) -> String {
    let tests = files_below(&run.path("out/work/runs/ada").join(test));
    let manifest = tests.iter().find(|path| path.ends_with("manifest.toml"));
    let manifest = fs::read_to_string(manifest.expect("a run")).expect("text");
    let seed = manifest
        .lines()
        .find_map(|line| line.strip_prefix("seed = "));
    seed.expect("a seed").to_owned()
}

/// Whether a file of the feedback has these words.
fn is_told(run: &TestRun, words: &str) -> bool {
    let files = files_below(&run.path("out/feedback/ada")).into_iter();
    let mut texts = files.map(|file| fs::read(file).expect("a file"));
    texts.any(|text| String::from_utf8_lossy(&text).contains(words))
}

#[test]
fn records_of_hidden_games_are_withheld_until_the_lecturer_shows_them() {
    let run = TestRun::new("");
    fs::create_dir_all(run.path("in/ada")).expect("made");
    run.write("roster.csv", "id\nada\n");
    run.write("in/ada/bot.sh", &format!("exec {REFEREE:?} bot random\n"));
    run.write("class.toml", CONFIG);
    run.referee("grade class.toml --out out -q").ok();
    let (dark, open) = (seed_of(&run, "dark"), seed_of(&run, "open"));
    let read = |file: &str| run.read(&format!("out/feedback/ada/{file}"));
    assert!(!run.path("out/feedback/ada/dark").exists());
    assert!(!is_told(&run, &dark));
    assert!(is_told(&run, &open));
    let text = read("feedback.md");
    assert!(text.contains("The records of dark are not here"), "{text}");
    assert!(text.contains("open: all your games") && !text.contains("dark: all your games"));
    assert!(!text.contains("dark/report"), "{text}");
    let marks = run.read("out/marks.csv");

    run.write(
        "class.toml",
        &format!("{CONFIG}[feedback]\nhidden-games = true\n"),
    );
    run.referee("grade class.toml --out out -q").ok();
    assert_eq!(run.read("out/marks.csv"), marks);
    assert!(is_told(&run, &dark));
    assert!(!read("feedback.md").contains("are not here"));
    run.referee("verify out/feedback/ada/dark").ok();
}
