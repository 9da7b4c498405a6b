//! Feedback on games that hide something, while others may still play them.

use std::fs;

use crate::support::{REFEREE, TestRun};

const CONFIG: &str = "name = \"class\"\nseed = 8153024\n[class]\nroster = \"roster.csv\"\nsubmissions = \"in\"\n\
                      [submission]\ncommand = [\"sh\", \"bot.sh\"]\n[game]\nname = \"dark-chess\"\n\
                      [limits]\nisolation = \"containment\"\n\
                      [[test]]\nname = \"dark\"\nagainst = [\"random\"]\ngames = 2\nmarks = 4\n\
                      [[test]]\nname = \"open\"\nagainst = [\"random\"]\ngames = 2\nmarks = 4\nopening-plies = 2\n\
                      game = { name = \"cachex\", size = 4 }\n";

#[test]
fn records_of_hidden_games_are_withheld_until_the_lecturer_shows_them() {
    let run = TestRun::new("");
    fs::create_dir_all(run.path("in/ada")).expect("made");
    run.write("roster.csv", "id\nada\n");
    run.write("in/ada/bot.sh", &format!("exec {REFEREE:?} bot random\n"));
    run.write("class.toml", CONFIG);
    run.referee("grade class.toml --out out -q").ok();
    let read = |file: &str| run.read(&format!("out/feedback/ada/{file}"));
    let has_games = |test: &str| {
        let log = format!("out/feedback/ada/{test}/games/0000/000000.csv");
        run.path(&log).exists()
    };
    assert!(!run.path("out/feedback/ada/dark").exists() && has_games("open"));
    let text = read("feedback.md");
    assert!(text.contains("The records of dark are not here"), "{text}");
    assert!(text.contains("open: all your games") && !text.contains("dark: all your games"));
    assert!(!text.contains("dark/report"), "{text}");
    let marks = run.read("out/marks.csv");

    let config = format!("{CONFIG}[feedback]\nhidden-games = true\n");
    run.write("class.toml", &config);
    run.referee("grade class.toml --out out -q").ok();
    assert_eq!(run.read("out/marks.csv"), marks);
    assert!(has_games("dark"));
    assert!(!read("feedback.md").contains("are not here"));
}
