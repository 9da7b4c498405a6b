//! `referee new bot`, `new tournament` and `new class`: what they make runs where it was made, outside the repository.
//! `tests/starter_kits.rs` has the kits in all languages, and `game_new.rs` has `new game`.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use crate::support::python::python;
use crate::support::{REFEREE, Ran, files_below, referee_in, root, rows};

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder")
}

/// Makes something new, and returns the line that comes next.
#[track_caller]
fn new(folder: &Path, line: &str) -> String {
    let said = referee_in(folder, &format!("new {line}")).ok();
    let mut next = said.lines().filter_map(|line| line.strip_prefix("    "));
    next.next().expect("a line to type").to_owned()
}

/// Runs a line of a shell, which must succeed, in a folder.
#[track_caller]
fn typed(folder: &Path, line: &str) -> String {
    let output = shell(folder, line);
    assert!(output.status.success(), "{line}: {output:?}");
    Ran::from(output).stdout
}

fn shell(folder: &Path, line: &str) -> Output {
    Command::new("sh")
        .args(["-c", line])
        .current_dir(folder)
        .output()
        .expect("a shell")
}

#[test]
#[ignore = "slow"]
fn a_new_bot_loses_its_first_game_and_plays_the_game_that_was_asked_for() {
    needed!(python());
    let folder = folder();
    for game in ["watch-your-back", "cachex", "dark-chess"] {
        let next = new(folder.path(), &format!("bot {game}-bot --game {game}"));
        let line = format!("play --game {game} \"python3 {game}-bot/bot.py\" greedy");
        assert!(next.ends_with(&line) && next.starts_with(REFEREE), "{next}");
        let shown = typed(folder.path(), &next);
        assert!(shown.lines().count() > 20, "{shown}");
        let kit = fs::read_to_string(folder.path().join(format!("{game}-bot/kit.toml")));
        let kit = kit.expect("a configuration");
        assert_eq!(kit.matches("[[game]]").count(), 1, "{kit}");
        referee_in(
            folder.path(),
            &format!("run {game}-bot/kit.toml --quiet --check"),
        )
        .ok();
    }
}

/// A game of three seats.
const THREE: &str = r#"
from game import act, end, rules, serve

@rules("three", seats="a b c", reasons={"over": "each has acted"}, has="legal offers")
def three(game):
    for seat in range(3):
        yield act(seat, can=["x"])
    return end([2, 1, 0], "over")

serve(three)
"#;

#[test]
fn a_new_bot_for_rules_plays_them_wherever_they_lie() {
    needed!(python());
    let folder = folder();
    fs::create_dir(folder.path().join("my rules")).expect("made");
    for file in ["phantom_tic_tac_toe.py", "game.py"] {
        let rules = root().join("examples/rules").join(file);
        fs::copy(rules, folder.path().join("my rules").join(file)).expect("copied");
    }
    let rules = "python3 'my rules/phantom_tic_tac_toe.py'";
    let next = new(folder.path(), &format!("bot ada --rules \"{rules}\""));
    typed(folder.path(), &next);
    referee_in(folder.path(), "run ada/kit.toml --quiet").done();
    let games = rows(&folder.path().join("results/ada/games.csv"));
    assert_eq!(games.len(), 20);
    assert!(games.iter().all(|game| game["termination"] == "rules"));
    // With three seats, each line has as many players and games as the game needs.
    fs::write(folder.path().join("my rules/three.py"), THREE).expect("written");
    let rules_of_three = "\"python3 'my rules/three.py'\"";
    let next = new(folder.path(), &format!("bot eve --rules {rules_of_three}"));
    assert!(next.ends_with(" random random"), "{next}");
    typed(folder.path(), &next);
    let fay = format!("new bot fay --lang rust --rules {rules_of_three}");
    let words = "fay/bot random random\n";
    assert_has!(referee_in(folder.path(), &fay).done().stdout, words);
    let said = referee_in(folder.path(), "run eve/kit.toml --check").ok();
    assert_has!(said, "21 games");
    let next = new(
        folder.path(),
        &format!("class three --rules {rules_of_three}"),
    );
    let checked = shell(folder.path(), &format!("{next} --check"));
    let said = String::from_utf8_lossy(&checked.stdout);
    assert_has!(said, ": valid; 2 students or teams, 2 handed in");
    let java = referee_in(
        folder.path(),
        &format!("new bot ben --lang java --rules \"{rules}\""),
    );
    java.fails(
        2,
        "there is no kit `skeleton-java`: --lang can be python or rust",
    );
}

#[test]
fn a_new_tournament_runs_and_takes_a_new_bot() {
    needed!(python());
    let folder = folder();
    let next = new(
        folder.path(),
        "tournament spring --game cachex --game chess",
    );
    assert!(
        next.ends_with("run tournament.toml") && next.starts_with("cd spring && "),
        "{next}"
    );
    let spring = folder.path().join("spring");
    let config = spring.join("tournament.toml");
    let text = fs::read_to_string(&config).expect("a configuration");
    assert_eq!(text.matches("[[game]]").count(), 2, "{text}");
    assert_has!(text, "name = \"chess\"");
    assert_lacks!(text, "dark-chess");
    // Short games for a test: one game, one pair each, little thinking.
    let few = text
        .replace("games-per-pairing = 10", "games-per-pairing = 2")
        .replace("[[game]]\nname = \"chess\"\n\n", "")
        .replace(
            "house = \"search\"",
            "house = \"search\"\nargs = [\"--nodes\", \"50\"]",
        );
    fs::write(&config, &few).expect("written");
    typed(folder.path(), &next);
    assert!(spring.join("results/spring/report/index.html").exists());
    new(&spring, "bot alice");
    let (rest, own) = few.split_once("# [[player]]\n").expect("lines of a bot");
    let own = own.replace("# ", "");
    fs::write(&config, format!("{rest}[[player]]\n{own}")).expect("written");
    referee_in(&spring, "run tournament.toml --quiet").done();
    let games = rows(&spring.join("results/spring-2/games.csv"));
    assert_eq!(games.len(), 12);
    assert!(games.iter().all(|game| game["termination"] == "rules"));
}

#[test]
#[ignore = "slow"]
fn a_new_class_is_graded_and_shows_a_failure() {
    needed!(python());
    let folder = folder();
    let next = new(folder.path(), "class spring --game dark-chess");
    let config = fs::read_to_string(folder.path().join("spring/class.toml")).expect("text");
    assert!(config.contains("name = \"dark-chess\""), "{config}");
    let seed = config.lines().find(|line| line.starts_with("seed = "));
    let fixed = config.replace(seed.expect("a seed"), "seed = 2026");
    fs::write(folder.path().join("spring/class.toml"), fixed).expect("written");
    let graded = shell(folder.path(), &next);
    assert_eq!(graded.status.code(), Some(0), "{graded:?}");
    let results = folder.path().join("spring/results/spring");
    let marks = rows(&results.join("marks.csv"));
    let of = |id: &str| {
        marks
            .iter()
            .find(|row| row["id"] == id)
            .unwrap_or_else(|| panic!("no {id}: {marks:?}"))
    };
    assert_eq!(of("s1001")["forfeits_crash"], "0");
    assert_ne!(of("s1001")["total"], "0.000");
    assert_ne!(of("s1002")["forfeits_crash"], "0");
    assert_eq!(of("s1002")["total"], "0.000");
    assert!(results.join("class.html").exists());
    assert!(results.join("feedback/s1001").exists());
    let rules = root().join("examples/rules/phantom_tic_tac_toe.py");
    let rules = format!("class rules --rules \"python3 {}\"", rules.display());
    for (line, why) in [
        (rules.as_str(), "s1002: it cannot be loaded: "),
        (
            "class course --course comp30024-2026",
            "s1002: it has no module that plays: ",
        ),
    ] {
        let next = new(folder.path(), line);
        let checked = shell(folder.path(), &format!("{next} --check"));
        let said = String::from_utf8_lossy(&checked.stdout);
        assert_has!(said, ": valid; 2 students or teams, 2 handed in, 1 of them");
        assert!(said.starts_with(why), "{said}");
    }
}

#[test]
fn nothing_is_overwritten_and_names_are_checked() {
    needed!(python());
    let folder = folder();
    fs::create_dir(folder.path().join("empty")).expect("made");
    new(folder.path(), "bot empty");
    let before = files_below(folder.path());
    for kind in ["bot", "tournament", "class", "game"] {
        let again = referee_in(folder.path(), &format!("new {kind} empty"));
        again.fails(2, "empty: it is already there, and nothing is overwritten");
        for name in ["Alice", "", "3d", "a/b", "..", "a b"] {
            let ran = referee_in(folder.path(), &format!("new {kind} '{name}'"));
            ran.fails(2, "expected 1 to 64 characters of a-z, 0-9 and -");
        }
    }
    assert_eq!(files_below(folder.path()), before);
    referee_in(folder.path(), "new bot random").fails(2, "a house bot has this name");
    referee_in(folder.path(), "new bot ada --game chess").fails(
        2,
        "there is no kit for it: expected watch-your-back, cachex, dark-chess",
    );
}

/// Who knows the seed of a grading plays its games at home.
#[test]
fn each_new_configuration_has_a_seed_of_its_own() {
    for line in [
        "tournament NAME",
        "class NAME",
        "class NAME --course comp30024-2025",
        "league NAME",
    ] {
        let folder = folder();
        let kind = line.split(' ').next().expect("a word");
        let [one, other] = ["one", "other"].map(|name| {
            // A machine without Python is warned that the course's agents need it.
            let line = line.replace("NAME", name);
            referee_in(folder.path(), &format!("new {line}")).done();
            let path = folder.path().join(name).join(format!("{kind}.toml"));
            let text = fs::read_to_string(path).expect("a configuration");
            let seed = text.lines().find(|line| line.starts_with("seed = "));
            seed.expect("a seed").to_owned()
        });
        assert_ne!(one, other, "{line}");
    }
}

#[test]
fn a_language_that_is_not_installed_is_told() {
    let folder = folder();
    let made = format!("PATH=/nowhere exec {REFEREE} new bot ada --lang java");
    let ran = Ran::from(shell(folder.path(), &made)).done();
    let expected = "warning: there is no `javac` in PATH, and this bot needs it\n";
    assert_eq!(ran.stderr, expected);
    assert!(folder.path().join("ada/Bot.java").exists());
}

/// The commands of the front page, one after another, in a folder where nothing is.
#[test]
#[ignore = "slow"]
fn the_front_page_leads_to_a_lost_game_and_its_reason() {
    needed!(python());
    let page = fs::read_to_string(root().join("README.md")).expect("the page");
    let (_, section) = page.split_once("\n## Your own bot\n").expect("a section");
    let lines = section.lines().filter_map(|line| line.strip_prefix("    "));
    let commands: Vec<&str> = lines.take(4).collect();
    let folder = folder();
    let programs = Path::new(REFEREE).parent().expect("a folder").display();
    let script = commands.join("\n");
    let said = typed(
        folder.path(),
        &format!("PATH={programs}:$PATH; set -e\n{script}"),
    );
    assert!(said.contains("(rules: connection)"), "{said}");
    assert_has!(said, "\nsee one of them: referee replay results/alice ");
}
