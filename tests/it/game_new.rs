//! `referee new game`, and what its kits do out of the box.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use referee::rules::Deadlines;

use crate::support::python::python;
use crate::support::{
    REFEREE, begin, command, play, play_at_random, referee_in, root, rows, start,
};

/// A folder with a kit in `three-heaps`, made by this command.
fn kit(command: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let said = referee_in(folder.path(), command).ok();
    assert!(said.contains("\n    cd three-heaps && "), "{said}");
    folder
}

/// Runs a command line in a folder, which must succeed.
#[track_caller]
fn shell(folder: &Path, line: &str) {
    let ran = Command::new("sh")
        .args(["-c", line])
        .current_dir(folder)
        .output()
        .expect("a shell");
    assert!(ran.status.success(), "{line}: {ran:?}");
}

/// Plays games by the rules of a kit, and again in a second process.
fn rules_play(folder: &Path, program: &str, args: &[&str]) {
    let started = || start(program, args, folder, Deadlines::default()).expect("a hello");
    let (mut one, mut other) = (started(), started());
    assert_eq!(one.hello().name, "three-heaps");
    let mut winners = [0, 0];
    for seed in 0..20 {
        let played = play_at_random(&mut one, seed, &[]);
        let (points, reason) = played.end();
        assert_eq!(reason, "last_stone");
        winners[usize::from(points[1] == "1")] += 1;
        begin(&mut other, seed, &[]);
        for ply in &played.plies {
            play(&mut other, ply);
        }
        assert_eq!(Some(&other.answers()), played.digests.last());
    }
    assert!(winners.iter().all(|won| *won > 0), "{winners:?}");
}

#[test]
fn the_kit_in_python_has_rules_that_pass_their_test_and_play() {
    needed!(python());
    let folder = kit("new game three-heaps");
    let kit = folder.path().join("three-heaps");
    shell(&kit, "python3 -m unittest discover rules");
    rules_play(&kit, "python3", &["rules/rules.py"]);
    bot_plays(&kit, "python3", &["bot/bot.py"]);
}

#[test]
#[ignore = "slow"]
fn the_kit_in_rust_has_rules_that_pass_their_test_and_play() {
    needed!(command("cargo"));
    let folder = kit("new game three-heaps --lang rust");
    let kit = folder.path().join("three-heaps");
    // The build of this test must not decide where the kit's goes.
    let line = "unset CARGO_TARGET_DIR; cargo test --offline && cargo build --release --offline";
    shell(&kit, line);
    rules_play(&kit, "target/release/rules", &[]);
    bot_plays(&kit, "target/release/bot", &[]);
    assert_tournament(&kit);
}

/// The commands of the page, one after another in one shell; a person at the keyboard takes one stone each time.
#[test]
#[ignore = "slow"]
fn the_commands_of_the_page_lead_to_a_tournament_with_pages() {
    needed!(python());
    let page = std::fs::read_to_string(root().join("docs/your-own-game.md")).expect("the page");
    let section = page.split("\n## ").nth(1).expect("a section");
    let commands = section.lines().filter_map(|line| line.strip_prefix("    "));
    let commands: Vec<&str> = commands.collect();
    assert_eq!(commands.len(), 10, "{commands:?}");
    let script = commands.join("\n");
    let folder = tempfile::tempdir().expect("a folder");
    let programs = Path::new(REFEREE).parent().expect("a folder").display();
    std::fs::write(folder.path().join("keys"), "1\n".repeat(30)).expect("written");
    let command = format!("PATH={programs}:$PATH; exec <keys; set -e\n{script}");
    shell(folder.path(), &command);
    assert_tournament(&folder.path().join("take"));
}

/// The tournament of a kit was played, or is now, and no player forfeited.
#[track_caller]
fn assert_tournament(kit: &Path) {
    let name = kit.file_name().and_then(|name| name.to_str());
    let name = name.expect("text");
    let run = kit.join("results").join(name);
    if !run.exists() {
        referee_in(kit, "run tournament.toml").done();
    }
    let games = rows(&run.join("games.csv"));
    assert_eq!(games.len(), 20);
    assert!(
        games.iter().all(|game| game["reason"] == "last_stone"),
        "{games:?}"
    );
    assert!(run.join("report/index.html").exists());
}

#[test]
fn skeletons_play_any_game_that_offers_actions() {
    needed!(python());
    for bot in ["eight-lines", "skeleton-python"] {
        bot_plays(&root().join("bots").join(bot), "python3", &["bot.py"]);
    }
    let eight = root().join("bots/eight-lines/bot.py");
    let text = std::fs::read_to_string(eight).expect("a bot");
    assert_eq!(text.lines().count(), 8);
}

/// Two games of a bot: it answers with actions on offer, and the seed decides which.
#[track_caller]
fn bot_plays(folder: &Path, program: &str, args: &[&str]) {
    let game = |seed: u64| {
        let mut lines = format!("start mine first seed={seed} measure=wall per-game=none\n");
        for _ in 0..12 {
            lines += "see card 7\ncan a b c d e f\nact none none\ndid first a\n";
        }
        lines + "end first rules won\n"
    };
    let input = format!("referee 1\n{}{}{}quit\n", game(5), game(6), game(5));
    let mut child = Command::new(if program.contains('/') {
        folder.join(program)
    } else {
        program.into()
    })
    .args(args)
    .current_dir(folder)
    .stdin(Stdio::piped())
    .stdout(Stdio::piped())
    .spawn()
    .expect("it starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    stdin.write_all(input.as_bytes()).expect("written");
    drop(stdin);
    let output = child.wait_with_output().expect("it ends").stdout;
    let output = String::from_utf8(output).expect("text");
    let mut lines = output.lines();
    assert!(lines.next().expect("a hello").starts_with("bot 1 "));
    let mut games: Vec<Vec<&str>> = Vec::new();
    for _ in 0..3 {
        assert_eq!(lines.next(), Some("ready"), "{output}");
        games.push(lines.by_ref().take(12).collect());
    }
    assert_eq!(lines.next(), None, "{output}");
    assert!(
        games
            .concat()
            .iter()
            .all(|action| "abcdef".contains(action))
    );
    assert_eq!(games[0], games[2]);
    assert_ne!(games[0], games[1]);
}

#[test]
fn the_rules_on_the_page_are_the_ones_of_the_kit_and_play() {
    let page = std::fs::read_to_string(root().join("docs/your-own-game.md")).expect("the page");
    let blocks = page.split("```python\n").skip(1);
    let blocks: Vec<&str> = blocks.filter_map(|rest| rest.split("```").next()).collect();
    let [generator, class] = blocks[..] else {
        panic!("{blocks:?}");
    };
    let kit_rules = root().join("examples/kits/python/rules.py");
    let text = std::fs::read_to_string(kit_rules).expect("rules");
    assert!(text.contains(generator), "{generator}");
    needed!(python());
    let folder = kit("new game three-heaps");
    let kit = folder.path().join("three-heaps/rules");
    std::fs::write(kit.join("nim.py"), class).expect("written");
    let started = start("python3", &["nim.py"], &kit, Deadlines::default());
    let mut program = started.expect("a hello");
    for seed in 0..10 {
        let expected = "last_stone";
        assert_eq!(play_at_random(&mut program, seed, &[]).end().1, expected);
    }
}
