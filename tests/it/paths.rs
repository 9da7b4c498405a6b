//! Where the paths of a configuration start: at the folder of its file, wherever the program runs.

use std::fs;
use std::path::Path;

use tempfile::TempDir;

use crate::support::{REFEREE, Ran, referee_in};

/// A tournament in `tournaments/spring.toml`, with a bot that is built in `bots/alice`, a program beside the
/// configuration that has no `dir`, and openings.
fn class() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        fs::write(path, text).expect("written");
    };
    let bot = format!("exec {REFEREE} bot random\n");
    write("bots/alice/bot.sh", &bot);
    write("tournaments/plain.sh", &bot);
    write("tournaments/openings/few.txt", "a1 b2\nb1 c2\n");
    let config = "name = \"spring\"\nseed = 3\n[game]\nname = \"cachex\"\nsize = 4\n\
         openings = \"openings/few.txt\"\n\
         [format]\nkind = \"round-robin\"\ngames-per-pairing = 2\n\
         [[player]]\nname = \"alice\"\ndir = \"../bots/alice\"\ncommand = [\"sh\", \"made.sh\"]\n\
         build = [\"cp\", \"bot.sh\", \"made.sh\"]\n\
         [[player]]\nname = \"plain\"\ncommand = [\"sh\", \"plain.sh\"]\n";
    write("tournaments/spring.toml", config);
    folder
}

fn succeeds(folder: &Path, line: &str) -> Ran {
    let ran = referee_in(folder, line);
    assert_eq!(ran.exit, 0, "{line}: {ran:?}");
    ran
}

#[test]
fn a_run_finds_its_bots_and_openings_from_any_folder() {
    let class = class();
    let (here, below) = (class.path(), class.path().join("tournaments"));
    succeeds(here, "run tournaments/spring.toml --out out -q");
    // It is gone on with, and a bot of it is started again, from elsewhere: from the folder of the file, the root.
    let journal = here.join("out/games.csv");
    let whole = fs::read_to_string(&journal).expect("a journal");
    let rows: Vec<&str> = whole.lines().collect();
    assert_eq!(rows.len(), 3, "{whole}");
    assert!(!whole.contains("alice,crash"), "{whole}");
    fs::write(&journal, format!("{}\n{}\n", rows[0], rows[1])).expect("written");
    succeeds(&below, "run spring.toml --out ../out --resume -q");
    let again = fs::read_to_string(&journal).expect("a journal");
    assert_eq!(again.lines().count(), 3, "{again}");
    let out = here.join("out");
    for player in ["alice", "plain"] {
        let line = format!("replay {} 1 --seat {player} --into", out.display());
        succeeds(Path::new("/"), &line);
    }
    // The folder of the whole is moved: a bot with a `dir` is the same, one without is known by its path.
    let moved = tempfile::tempdir().expect("a folder");
    for name in ["bots", "tournaments", "out"] {
        fs::rename(here.join(name), moved.path().join(name)).expect("moved");
    }
    let ran = referee_in(
        moved.path(),
        "run tournaments/spring.toml --out out --resume -q",
    );
    let words = "since this run was begun, player plain.command was";
    assert_eq!(ran.exit, 2, "{ran:?}");
    assert_has!(ran.stderr, words);
    assert_lacks!(ran.stderr, "alice");
    for name in ["bots", "tournaments"] {
        fs::rename(moved.path().join(name), here.join(name)).expect("moved");
    }
    // So do the shards of a plan.
    succeeds(here, "plan tournaments/spring.toml --out plan --shards 1");
    let plan = here.join("plan");
    succeeds(
        Path::new("/"),
        &format!("work {} --shard 0/1", plan.display()),
    );
    succeeds(Path::new("/"), &format!("merge {}", plan.display()));
    let merged = fs::read_to_string(plan.join("run/games.csv")).expect("a journal");
    assert_eq!(merged.lines().count(), 3, "{merged}");
}

#[test]
fn a_path_that_would_be_found_from_the_current_folder_is_told_how_to_be_written() {
    let class = class();
    let config = class.path().join("tournaments/spring.toml");
    let text = fs::read_to_string(&config).expect("text");
    for (right, wrong, write) in [
        ("../bots/alice", "bots/alice", "../bots/alice"),
        (
            "openings/few.txt",
            "tournaments/openings/few.txt",
            "openings/few.txt",
        ),
    ] {
        fs::write(&config, text.replace(right, wrong)).expect("written");
        let ran = referee_in(class.path(), "run tournaments/spring.toml --check");
        let hint = format!(
            "paths start at the folder of the configuration, not at the one in which referee runs: write `{write}`"
        );
        assert_eq!(ran.exit, 2, "{ran:?}");
        assert!(ran.stderr.contains(&hint), "{ran:?}");
    }
}
