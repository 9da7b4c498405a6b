//! Runs that were interrupted go on where they were.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use crate::support::content::content;
use crate::support::tables::rows;

/// Five house bots whose play the clock does not reach.
fn config(format: &str) -> String {
    let mut text = format!(
        "seed = 4\n[[game]]\nname = \"cachex\"\nsize = 4\n\
         [[game]]\nname = \"dark-chess\"\nmax-plies = 40\n\
         [format]\n{format}\nopening-plies = 1\n"
    );
    for (name, nodes) in [("a", 1), ("b", 5), ("c", 20), ("d", 40), ("e", 80)] {
        text.push_str(&format!(
            "[[player]]\nname = \"{name}\"\nhouse = \"greedy\"\nargs = [\"--nodes\", \"{nodes}\"]\n"
        ));
    }
    text
}

const SWISS: &str = "kind = \"swiss\"\nrounds = 4\ngames-per-pairing = 4";

const FORMATS: [&str; 7] = [
    "kind = \"round-robin\"\ngames-per-pairing = 3",
    "kind = \"gauntlet\"\nchallengers = [\"b\", \"d\"]\ngames-per-pairing = 5",
    SWISS,
    "kind = \"knockout\"\ngames-per-pairing = 6",
    "kind = \"ladder\"\nrounds = 4\ngames-per-pairing = 4",
    "kind = \"sprt\"\nchallengers = [\"e\"]\nelo0 = 0\nelo1 = 60\nmax-games = 60",
    "kind = \"adaptive\"\nconfidence = 0.8\nmax-games = 60",
];

/// Openings from a file, and a grid in the place of the last three players.
fn openings_and_grid(openings: &Path) -> String {
    let text = config("kind = \"swiss\"\nrounds = 3\ngames-per-pairing = 4");
    let last = text.find("[[player]]\nname = \"c\"").expect("a player");
    let players = &text[..last];
    let size = format!("size = 4\nopenings = \"{}\"", openings.display());
    let players = players.replacen("size = 4", &size, 1);
    format!(
        "{players}[[player]]\nname = \"g{{nodes}}\"\nhouse = \"greedy\"\nargs = [\"--nodes\", \"{{nodes}}\"]\n\
         [player.grid]\nnodes = [20, 40, 80]\n"
    )
}

const OPENINGS: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/tests/it/support/openings-4.txt"
);

/// One tournament of each format, and one with all that an entry and a game can have.
fn configs() -> Vec<String> {
    let all = FORMATS.iter().map(|format| config(format));
    all.chain([openings_and_grid(Path::new(OPENINGS))])
        .collect()
}

fn command(folder: &Path, jobs: &str, more: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_referee"));
    command
        .env(MARK, folder)
        .arg("run")
        .arg(folder.join("config.toml"))
        .args(["-j", jobs, "--out"])
        .arg(folder.join("out"))
        .args(more);
    command
}

fn run(folder: &Path, jobs: &str, more: &[&str]) -> Output {
    command(folder, jobs, more).output().expect("it runs")
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Marks all processes of a run, by its folder; bots inherit it.
const MARK: &str = "REFEREE_TEST_FOLDER";

/// Whether in the end no process of a run is left. A bot of a harness that was killed ends by itself.
fn all_processes_end(folder: &Path) -> bool {
    let mark = format!("{MARK}={}", folder.display());
    let marked = |process: std::fs::DirEntry| {
        let variables = std::fs::read(process.path().join("environ")).unwrap_or_default();
        variables
            .split(|byte| *byte == 0)
            .any(|variable| variable == mark.as_bytes())
    };
    for _ in 0..2000 {
        let processes = std::fs::read_dir("/proc").expect("processes");
        if !processes.flatten().any(marked) {
            return true;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    false
}

/// A finished run of `config` in a folder of its own.
fn finished(config: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("config.toml"), config).expect("written");
    let output = run(folder.path(), "2", &[]);
    assert!(output.status.success(), "{output:?}");
    folder
}

/// The next of a row of numbers that look random.
fn next(state: &mut u64) -> u64 {
    *state = state
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(1_442_695_040_888_963_407);
    *state >> 33
}

/// How often runs are killed in all; `KILLS=200 cargo test --test it resume::` for many.
fn kills() -> usize {
    std::env::var("KILLS").map_or(20, |text| text.parse().expect("a number"))
}

#[test]
fn a_run_that_is_killed_again_and_again_ends_as_if_nothing_had_been() {
    let mut state = 7;
    let mut killed = 0;
    let configs = configs();
    let wholes: Vec<_> = configs.iter().map(|config| finished(config)).collect();
    for round in 0.. {
        if killed >= kills() {
            break;
        }
        let which = round % configs.len();
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("config.toml");
        std::fs::write(&file, &configs[which]).expect("written");
        loop {
            let jobs = ["1", "2", "3"][next(&mut state) as usize % 3];
            let mut child = command(folder.path(), jobs, &["--resume"])
                .stdout(Stdio::null())
                .stderr(Stdio::piped())
                .spawn()
                .expect("it runs");
            // Any moment will do: what is asserted holds for all of them.
            std::thread::sleep(Duration::from_millis(10 + next(&mut state) % 120));
            if child.try_wait().expect("a child").is_none() && killed < kills() {
                child.kill().expect("killed");
                child.wait().expect("it is gone");
                killed += 1;
                continue;
            }
            let output = child.wait_with_output().expect("it ends");
            assert!(output.status.success(), "{}", stderr(&output));
            break;
        }
        assert!(all_processes_end(folder.path()), "a process is left");
        assert_eq!(
            content(&folder.path().join("out")),
            content(&wholes[which].path().join("out")),
            "{}",
            configs[which]
        );
    }
}

#[test]
fn a_torn_row_a_lost_log_and_a_half_written_log_are_put_right() {
    let whole = finished(&config(SWISS));
    let before = content(&whole.path().join("out"));
    let journal = whole.path().join("out/games.csv");
    let bytes = std::fs::read(&journal).expect("a journal");
    let log = |id: u32| whole.path().join(format!("out/games/0000/{id:06}.csv"));
    let check = |what: &str| {
        let output = run(whole.path(), "2", &["--resume"]);
        assert!(output.status.success(), "{what}: {}", stderr(&output));
        assert_eq!(content(&whole.path().join("out")), before, "{what}");
    };
    check("nothing is to be done");
    // At every kind of place: in the header, after it, in a row, in a quoted field.
    for length in [0, 5, 210, 400, bytes.len() / 2, bytes.len() - 1] {
        std::fs::write(&journal, &bytes[..length]).expect("written");
        check(&format!("{length} bytes are left"));
    }
    let mut torn = bytes.clone();
    torn.extend_from_slice(b"77,cachex,size=4,38,a,b,red,1,0,rules,,\"a\nb\n");
    std::fs::write(&journal, torn).expect("written");
    check("a row that ends inside quotes");
    std::fs::write(log(9), "ply,seat\n1,r").expect("written");
    check("a log that is cut short");
    std::fs::remove_file(log(3)).expect("removed");
    check("a log that is lost");
    std::fs::write(log(99), "ply,seat\n1,r").expect("written");
    check("a log of a game that never ended");
    std::fs::remove_file(&journal).expect("removed");
    check("no journal");
}

#[test]
fn a_row_that_is_not_of_this_plan_is_refused() {
    let whole = finished(&config(FORMATS[0]));
    let journal = whole.path().join("out/games.csv");
    let text = std::fs::read_to_string(&journal).expect("a journal");
    let first = text.lines().nth(1).expect("a row").to_owned();
    for (added, said) in [
        (first.clone(), "is there twice"),
        (
            first.replacen(",a,", ",z,", 1).replacen(",e,", ",z2,", 1),
            "the plan has not",
        ),
        (format!("1000{first}"), "the plan does not have that game"),
        ("1,2,3".to_owned(), "it has 3 fields, expected 23"),
    ] {
        std::fs::write(&journal, format!("{text}{added}\n")).expect("written");
        if added.starts_with("1000") {
            let id = added.split(',').next().expect("a number");
            let log = whole.path().join("out/games").join(format!(
                "{:04}",
                id.parse::<u64>().expect("a number") / 1000
            ));
            std::fs::create_dir_all(&log).expect("a folder");
            let source = first.split(',').next().expect("a number");
            let source: u64 = source.parse().expect("a number");
            std::fs::copy(
                whole.path().join(format!("out/games/0000/{source:06}.csv")),
                log.join(format!("{id:0>6}.csv")),
            )
            .expect("copied");
        }
        let output = run(whole.path(), "2", &["--resume"]);
        assert_eq!(output.status.code(), Some(5), "{added}");
        assert!(stderr(&output).contains(said), "{}", stderr(&output));
    }
}

#[test]
fn another_plan_is_refused_and_says_what_changed() {
    let text = config(FORMATS[0]);
    let whole = finished(&text);
    let file = whole.path().join("config.toml");
    for (from, to, said) in [
        ("seed = 4", "seed = 5", "seed was 4 and is 5"),
        (
            "size = 4",
            "size = 5",
            "game cachex.size was \"4\" and is \"5\"",
        ),
        (
            "name = \"e\"",
            "name = \"f\"",
            "players was \"a, b, c, d, e\"",
        ),
        (
            "games-per-pairing = 3",
            "games-per-pairing = 4",
            "format.games-per-pairing was 3 and is 4",
        ),
    ] {
        std::fs::write(&file, text.replace(from, to)).expect("written");
        let output = run(whole.path(), "2", &["--resume", "--accept-changes"]);
        assert_eq!(output.status.code(), Some(2), "{to}");
        let words = stderr(&output).replace("was a, b", "was \"a, b");
        assert!(words.contains("begun as another tournament"), "{words}");
        assert!(words.contains(said.trim_end_matches('"')), "{words}");
    }
}

#[test]
fn games_of_changed_players_are_played_again_and_no_others() {
    let text = config(FORMATS[0]);
    let whole = finished(&text);
    let changed = text.replace("\"--nodes\", \"80\"", "\"--nodes\", \"2\"");
    let dates = |folder: &Path| -> BTreeMap<String, (String, bool)> {
        let table = rows(&folder.join("out/games.csv"));
        table
            .into_iter()
            .map(|row| {
                let of_e = row["first"] == "e" || row["second"] == "e";
                (row["id"].clone(), (row["game_us"].clone(), of_e))
            })
            .collect()
    };
    let before = dates(whole.path());
    std::fs::write(whole.path().join("config.toml"), &changed).expect("written");
    let output = run(whole.path(), "2", &["--resume"]);
    assert_eq!(output.status.code(), Some(2));
    let words = stderr(&output);
    assert!(words.contains("player e.args was"), "{words}");
    assert!(words.contains("--accept-changes"), "{words}");
    assert_eq!(dates(whole.path()), before, "nothing was touched");

    let output = run(whole.path(), "2", &["--resume", "--accept-changes"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let after = dates(whole.path());
    for (id, (time, of_e)) in &before {
        assert!(*of_e || after[id].0 == *time, "game {id} stayed as it was");
    }
    assert_eq!(
        content(&whole.path().join("out")),
        content(&finished(&changed).path().join("out"))
    );
}

/// Not only what the configuration says counts, but what lies in the files that it names.
#[test]
fn a_bot_whose_file_changed_is_named_and_its_games_alone_are_played_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let bot = folder.path().join("bot.sh");
    let script = "exec \"$1\" bot random\n";
    std::fs::write(&bot, script).expect("written");
    let text = format!(
        "{}[[player]]\nname = \"f\"\ncommand = [\"sh\", {bot:?}, {:?}]\n",
        config(FORMATS[0]),
        env!("CARGO_BIN_EXE_referee"),
    );
    let file = folder.path().join("config.toml");
    std::fs::write(&file, &text).expect("written");
    let output = run(folder.path(), "2", &[]);
    assert!(output.status.success(), "{}", stderr(&output));
    let times = || -> BTreeMap<String, (String, bool)> {
        let table = rows(&folder.path().join("out/games.csv"));
        let time = |row: BTreeMap<String, String>| {
            let of_f = row["first"] == "f" || row["second"] == "f";
            (
                row["id"].clone(),
                (format!("{} {}", row["game_us"], row["date"]), of_f),
            )
        };
        table.into_iter().map(time).collect()
    };
    let before = times();

    std::fs::write(&bot, format!("# another version\n{script}")).expect("written");
    let output = run(folder.path(), "2", &["--resume"]);
    assert_eq!(output.status.code(), Some(2));
    let words = stderr(&output);
    assert!(
        words.contains("since this run was begun, the files of player f changed"),
        "{words}"
    );
    assert_eq!(times(), before, "nothing was touched");
    let output = run(folder.path(), "2", &["--resume", "--accept-changes"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let after = times();
    assert_eq!(after.len(), before.len());
    for (id, (time, of_f)) in &before {
        assert!(*of_f || after[id].0 == *time, "game {id} stayed as it was");
    }
    assert!(
        before.iter().any(|(id, one)| one.1 && after[id] != *one),
        "those of f did not"
    );

    // Terms that change leave the games that were played under the old ones.
    std::fs::write(&file, format!("{text}[clock]\nmargin = \"1s\"\n")).expect("written");
    let output = run(folder.path(), "2", &["--resume"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        stderr(&output).contains("clock.margin was"),
        "{}",
        stderr(&output)
    );
    let output = run(folder.path(), "2", &["--resume", "--accept-changes"]);
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(times(), after);
}

#[test]
fn a_seed_that_was_drawn_is_kept() {
    let text = config(FORMATS[0]).replace("seed = 4\n", "");
    let whole = finished(&text);
    let before = content(&whole.path().join("out"));
    std::fs::write(whole.path().join("out/games.csv"), "").expect("written");
    let output = run(whole.path(), "2", &["--resume"]);
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(content(&whole.path().join("out")), before);
}

#[test]
fn two_runs_cannot_write_to_one_folder() {
    let whole = finished(&config(FORMATS[0]));
    let out = std::fs::File::open(whole.path().join("out")).expect("a folder");
    out.lock().expect("locked as by another run");
    let output = run(whole.path(), "2", &["--resume"]);
    assert_eq!(output.status.code(), Some(5));
    assert!(
        stderr(&output).contains("another run writes to it at this moment"),
        "{}",
        stderr(&output)
    );
    out.unlock().expect("unlocked");
    assert!(run(whole.path(), "2", &["--resume"]).status.success());
}

#[test]
fn other_openings_are_another_tournament_and_other_remarks_are_not() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("openings.txt");
    let text = std::fs::read_to_string(OPENINGS).expect("text");
    std::fs::write(&file, &text).expect("written");
    let whole = finished(&openings_and_grid(&file));
    let before = content(whole.path());
    std::fs::write(&file, format!("# the same\n{text}")).expect("written");
    let output = run(whole.path(), "2", &["--resume"]);
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(content(whole.path()), before);
    std::fs::write(&file, text.replace("a1", "a3")).expect("written");
    let output = run(whole.path(), "2", &["--resume", "--accept-changes"]);
    assert_eq!(output.status.code(), Some(2));
    let words = stderr(&output);
    assert!(
        words.contains("game cachex.openings was \"sha256:"),
        "{words}"
    );
}
