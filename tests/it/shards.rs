//! `referee plan`, `work`, `merge` and `status`: a tournament in shards ends like one on a single machine.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use referee::game::Chance as _;
use referee::random::Stream;
use rustix::process::{Pid, Signal, kill_process};

use crate::support::config::{OPENINGS, greedy};
use crate::support::content::content;
use crate::support::executable::write_executable;
use crate::support::kills::kills;
use crate::support::program::REFEREE;
use crate::support::run::{TestRun, wait_for_the_end_of_all_with, wait_until};

/// Two games between five house bots whose play does not depend on the clock.
fn tournament(games_per_pairing: u32) -> String {
    format!(
        "seed = 4\n[[game]]\nname = \"cachex\"\nsize = 4\nopenings = \"{OPENINGS}\"\n\
         [[game]]\nname = \"dark-chess\"\nmax-plies = 40\n\
         [format]\nkind = \"round-robin\"\ngames-per-pairing = {games_per_pairing}\n{}",
        greedy(&[("a", 1), ("b", 5), ("c", 20), ("d", 40), ("e", 80)])
    )
}

/// Cuts the tournament into shards; the plan is in `plan`.
fn planned(config: &str, shards: u32, more: &str) -> TestRun {
    let run = TestRun::new(config);
    plan(&run, shards, more);
    run
}

fn plan(run: &TestRun, shards: u32, more: &str) {
    let line = format!("plan config.toml --out plan --shards {shards} --sample 0 {more}");
    run.referee(&line).ok();
}

fn merged(run: &TestRun) -> BTreeMap<String, String> {
    content(&run.path("plan/run"))
}

/// The bytes of all files of the merged run but the digests of tables, which have no date in them.
fn bytes_below(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let files = crate::support::files::files_below(folder).into_iter();
    let read = |path: std::path::PathBuf| {
        let bytes = std::fs::read(&path).expect("read");
        (path.display().to_string(), bytes)
    };
    files.map(read).collect()
}

fn work(run: &TestRun, args: &[&str]) -> Command {
    let mut command = Command::new(REFEREE);
    command
        .args(["work", "plan", "--quiet"])
        .args(args)
        .current_dir(run.folder())
        .stdout(Stdio::null())
        .stderr(Stdio::piped());
    command
}

#[test]
#[ignore = "slow"]
fn any_number_of_shards_ends_like_one_machine() {
    let config = tournament(3);
    let whole = TestRun::played_in_order(&config);
    for shards in [1, 3, 17] {
        let run = planned(&config, shards, "");
        run.referee("work plan --any -j 2 --quiet").ok();
        let said = run.referee("merge plan").ok();
        assert!(said.starts_with("60 games merged into "), "{said}");
        assert_eq!(merged(&run), content(&whole.out()), "{shards} shards");
        // Also in the order of their numbers.
        let ids = |folder: &Path| {
            let rows = crate::support::tables::rows(&folder.join("games.csv"));
            rows.into_iter()
                .map(|row| row["id"].clone())
                .collect::<Vec<_>>()
        };
        assert_eq!(ids(&run.path("plan/run")), ids(&whole.out()));
        let said = run.referee("verify plan/run").ok();
        assert!(said.contains("60 games"), "{said}");
        let said = run.referee("status plan").ok();
        assert!(
            said.contains(&format!("done: {shards}\n60 of 60 games")),
            "{said}"
        );
    }
}

#[test]
#[ignore = "slow"]
fn missing_shards_are_named_and_what_is_there_is_merged() {
    let run = planned(&tournament(2), 5, "--slurm");
    for shard in [0, 3] {
        run.referee(&format!("work plan --shard {shard}/5 --quiet"))
            .ok();
    }
    let ran = run.referee("merge plan");
    assert_eq!(ran.exit, 9, "{ran:?}");
    let said = ran.stderr;
    assert!(said.contains("3 shards are missing (1-2,4)"), "{said}");
    assert!(said.contains("sbatch --array=1-2,4 "), "{said}");
    let rated = run.referee("rate plan/run").ok();
    assert!(rated.contains("cachex"), "{rated}");
    let said = run.referee("status plan").ok();
    assert!(said.contains("done: 2\n  not begun: 3\n"), "{said}");
    run.referee("work plan --any --quiet").ok();
    run.referee("merge plan").ok();
    assert_eq!(
        merged(&run),
        content(&TestRun::played(&tournament(2)).out())
    );
}

#[test]
#[ignore = "slow"]
fn workers_that_are_killed_lose_no_game_and_play_none_twice() {
    const MARK: &str = "REFEREE_TEST_SHARDS";
    let mut chance = Stream::new(11, 0);
    let config = tournament(4);
    let whole = content(&TestRun::played(&config).out());
    let mut killed = 0;
    while killed < kills(12) {
        let run = planned(&config, 2, "");
        let mut attempts = [0, 0];
        let mut workers: Vec<(usize, Child)> = Vec::new();
        for shard in [0, 1] {
            workers.push((shard, spawn(&run, shard, 0, MARK)));
        }
        while let Some((shard, mut worker)) = workers.pop() {
            std::thread::sleep(Duration::from_millis(5 + u64::from(chance.below(150))));
            if killed < kills(12) && worker.try_wait().expect("a child").is_none() {
                worker.kill().expect("killed");
                worker.wait().expect("it is gone");
                killed += 1;
                attempts[shard] += 1;
                workers.insert(0, (shard, spawn(&run, shard, attempts[shard], MARK)));
                continue;
            }
            let output = worker.wait_with_output().expect("it ends");
            assert!(output.status.success(), "{output:?}");
        }
        wait_for_the_end_of_all_with(&format!("{MARK}={}", run.folder().display()));
        run.referee("merge plan").ok();
        assert_eq!(merged(&run), whole);
        run.referee("verify plan/run").ok();
    }
}

fn spawn(run: &TestRun, shard: usize, attempt: usize, mark: &str) -> Child {
    let (shard, attempt) = (format!("{shard}/2"), attempt.to_string());
    work(run, &["--shard", &shard, "--attempt", &attempt])
        .env(mark, run.folder())
        .spawn()
        .expect("it runs")
}

#[test]
#[ignore = "slow"]
fn a_shard_whose_worker_died_is_played_by_whoever_looks_for_one() {
    let run = planned(&tournament(8), 1, "");
    let mut worker = work(&run, &["--any"]).spawn().expect("it runs");
    let shard = run.path("plan/shards/0000");
    let sign = || {
        let entries = std::fs::read_dir(&shard).into_iter().flatten().flatten();
        let mut paths = entries.map(|entry| entry.path());
        paths.find(|path| path.is_file())
    };
    wait_until(|| sign().is_some());
    worker.kill().expect("killed");
    worker.wait().expect("it is gone");
    let status = |words: &str| {
        let said = run.referee("status plan").ok();
        assert!(said.contains(words), "{said}");
    };
    // Nobody can know yet that it is dead.
    status("playing: 1 (0)");
    run.referee("work plan --any --quiet").ok();
    status("playing: 1 (0)");
    let sign = std::fs::File::options()
        .append(true)
        .open(sign().expect("a sign"))
        .expect("opened");
    // The clock of its machine may be ahead.
    let now = std::time::SystemTime::now();
    let day = Duration::from_secs(24 * 3600);
    sign.set_modified(now + Duration::from_secs(60))
        .expect("set");
    status("playing: 1 (0)");
    sign.set_modified(now + day).expect("set");
    status("silent: 1 (0)");
    sign.set_modified(now - day).expect("set");
    status("silent: 1 (0)");
    run.referee("work plan --any --quiet").ok();
    status("done: 1");
    run.referee("merge plan").ok();
    assert_eq!(
        merged(&run),
        content(&TestRun::played(&tournament(8)).out())
    );
}

#[test]
fn what_is_taken_over_again_and_again_does_not_grow() {
    let run = planned(&tournament(2), 1, "");
    let shard = run.path("plan/shards/0000");
    let sizes = [0, 1, 2].map(|attempt| {
        let said = run
            .referee(&format!("work plan --shard 0/1 --attempt {attempt}"))
            .stdout;
        let adopted = if attempt == 0 { 0 } else { 40 };
        let words = format!("40 games, {adopted} of them from earlier attempts");
        assert!(said.contains(&words), "{said}");
        let attempts = std::fs::read_dir(&shard).expect("attempts").flatten();
        let begins = format!("{attempt}-");
        let mut paths = attempts.map(|attempt| attempt.path());
        let is_it = |path: &std::path::PathBuf| {
            let name = path.file_name().unwrap_or_default();
            name.to_string_lossy().starts_with(&begins)
        };
        let path = paths.find(is_it).expect("the attempt");
        // As if it had been killed before its end.
        std::fs::remove_file(path.join("done.toml")).expect("removed");
        std::fs::metadata(path.join("logs.tar"))
            .expect("logs")
            .len()
    });
    assert_eq!(sizes, [sizes[0]; 3]);
}

#[test]
#[ignore = "slow"]
fn an_attempt_that_ends_after_the_merge_changes_nothing() {
    let run = planned(&tournament(12), 2, "");
    let zombie = spawn(&run, 0, 0, "REFEREE_TEST_ZOMBIE");
    let pid = Pid::from_child(&zombie);
    let shard = run.path("plan/shards/0000");
    wait_until(|| {
        std::fs::read_dir(&shard).is_ok_and(|attempts| {
            attempts.flatten().any(|attempt| {
                let journal = std::fs::read_to_string(attempt.path().join("games.csv"));
                journal.is_ok_and(|text| text.lines().count() > 3)
            })
        })
    });
    kill_process(pid, Signal::STOP).expect("stopped");
    run.referee("work plan --shard 0/2 --attempt 1 --quiet")
        .ok();
    run.referee("work plan --shard 1/2 --quiet").ok();
    run.referee("merge plan").ok();
    let before = bytes_below(&run.path("plan/run"));
    kill_process(pid, Signal::CONT).expect("continued");
    let output = zombie.wait_with_output().expect("it ends");
    assert!(output.status.success(), "{output:?}");
    let said = run.referee("merge plan").ok();
    // Both attempts played most games of the shard, and house bots do the same again.
    assert!(
        said.contains("games were played twice; 0 have other actions"),
        "{said}"
    );
    assert!(before == bytes_below(&run.path("plan/run")), "other bytes");
}

/// As on a file system of many machines, where what one wrote is not seen by the others for a while.
#[test]
fn an_attempt_that_is_not_seen_for_a_while_is_played_again_and_counts_nothing_twice() {
    let run = planned(&tournament(2), 2, "");
    let shard = run.path("plan/shards/0000");
    run.referee("work plan --shard 0/2 --quiet").ok();
    let unseen = run.path("unseen");
    std::fs::rename(&shard, &unseen).expect("hidden");
    // Nobody sees that the shard is done, and no games of it are there to be taken over.
    run.referee("work plan --any --quiet").ok();
    for attempt in std::fs::read_dir(&unseen).expect("attempts").flatten() {
        std::fs::rename(attempt.path(), shard.join(attempt.file_name())).expect("seen again");
    }
    let said = run.referee("merge plan").ok();
    assert!(
        said.contains("20 games were played twice; 0 have other actions"),
        "{said}"
    );
    let whole = TestRun::played(&tournament(2));
    assert_eq!(merged(&run), content(&whole.out()));
    // Whichever of both counts, it stays so.
    let before = bytes_below(&run.path("plan/run"));
    run.referee("merge plan").ok();
    assert!(before == bytes_below(&run.path("plan/run")), "other bytes");
}

#[test]
#[ignore = "slow"]
fn machines_that_disagree_are_named_with_the_games() {
    let run = TestRun::new(&format!(
        "{}[[player]]\nname = \"whim\"\ncommand = [\"./whim\"]\ndir = \".\"\n",
        tournament(2)
    ));
    // A house bot with another seed each time.
    let whim = format!(
        "#!/bin/sh\nseed=$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')\n\
         sed -u \"s/seed=[0-9]*/seed=$seed/\" | exec {REFEREE} bot random\n"
    );
    write_executable(&run.path("whim"), &whim);
    plan(&run, 3, "--twice 100");
    run.referee("work plan --any --quiet").ok();
    let said = run.referee("merge plan").ok();
    assert!(said.contains("60 games were played twice; "), "{said}");
    let disagreements: Vec<&str> = said
        .lines()
        .filter(|line| line.starts_with("  game "))
        .collect();
    assert!(!disagreements.is_empty(), "{said}");
    assert!(
        disagreements
            .iter()
            .all(|line| line.contains(": first at ply ") && line.ends_with(", of whim")),
        "{said}"
    );
}

#[test]
fn what_changed_since_the_plan_is_refused() {
    let bot = format!("#!/bin/sh\nexec {REFEREE} bot random\n");
    let run = TestRun::new(&format!(
        "{}[[player]]\nname = \"own\"\ncommand = [\"./own\"]\ndir = \"bot\"\n",
        tournament(1)
    ));
    std::fs::create_dir(run.path("bot")).expect("made");
    write_executable(&run.path("bot/own"), &bot);
    plan(&run, 2, "");
    // The original may change: the plan has a copy.
    write_executable(&run.path("bot/own"), "#!/bin/sh\nexit 1\n");
    run.referee("work plan --shard 0/2 --quiet").ok();
    run.referee("work plan --shard 0/3")
        .fails(2, "this plan has 2 shards, and not 3");
    run.referee("work plan --shard 2/2")
        .fails(2, "there is no shard 2: expected one of 0 to 1");
    run.referee("work plan --shard 1/2 --require-speed 50..90")
        .fails(
            9,
            "times the speed of the one that planned, which is not within 50 to 90",
        );
    let copy = run.path("plan/bots/001-bot/own");
    write_executable(&copy, "#!/bin/sh\nexit 2\n");
    run.referee("work plan --shard 1/2")
        .fails(2, "own is not as it was when the shards were planned");
    write_executable(&copy, &bot);
    run.referee("work plan --shard 1/2 --quiet --scratch .")
        .ok();
    run.referee("merge plan").ok();
    run.referee("verify plan/run").ok();
    run.referee("work .").fails(2, "--shard");
    run.referee("status .").fails(5, "has no plan.toml");
    run.referee("plan config.toml --out plan --shards 2")
        .fails(5, "is not empty");
}

#[test]
fn a_merge_holds_on_to_the_attempt_that_counts() {
    let run = planned(&tournament(1), 1, "");
    run.referee("work plan --shard 0/1 --quiet").ok();
    run.referee("merge plan").ok();
    let attempt = std::fs::read_dir(run.path("plan/shards/0000"))
        .expect("attempts")
        .next();
    let journal = attempt
        .expect("one")
        .expect("read")
        .path()
        .join("games.csv");
    let text = std::fs::read_to_string(&journal).expect("read");
    std::fs::write(&journal, text.replacen(",a,", ",b,", 1)).expect("written");
    run.referee("merge plan")
        .fails(5, "its files are gone or not as they were");
}

/// Formats in which the next pairings depend on results.
const LED: [&str; 3] = [
    "kind = \"swiss\"\nrounds = 4\ngames-per-pairing = 4",
    "kind = \"sprt\"\nchallengers = [\"e\"]\nelo0 = 0\nelo1 = 60\nmax-games = 400",
    "kind = \"adaptive\"\nconfidence = 0.8\nmax-games = 60",
];

#[test]
#[ignore = "slow"]
fn a_tournament_that_is_led_over_three_workers_ends_like_one_machine() {
    for format in LED {
        let config = format!(
            "seed = 4\n[game]\nname = \"cachex\"\nsize = 4\n[format]\n{format}\nopening-plies = 1\n{}",
            greedy(&[("a", 1), ("b", 5), ("c", 20), ("d", 40), ("e", 80)])
        );
        let whole = TestRun::played(&config);
        let run = planned(&config, 3, "--slurm");
        run.referee("work plan --shard 0/3")
            .fails(9, "there is no wave yet");
        let mut workers: Vec<Child> = (0..3)
            .map(|shard| {
                let shard = format!("{shard}/3");
                let args = ["--shard", shard.as_str(), "--follow"];
                work(&run, &args).spawn().expect("it runs")
            })
            .collect();
        let said = run.referee("lead plan").ok();
        assert!(said.contains("over after "), "{said}");
        for worker in &mut workers {
            assert!(worker.wait().expect("it ends").success());
        }
        let said = run.referee("merge plan").ok();
        assert!(said.contains(" merged into "), "{said}");
        assert_eq!(merged(&run), content(&whole.out()), "{format}");
        run.referee("verify plan/run").ok();
        assert!(run.referee("lead plan").ok().starts_with("over after "));
    }
}

#[test]
fn a_lead_goes_on_wave_by_wave() {
    let config = format!(
        "seed = 4\n[game]\nname = \"cachex\"\nsize = 4\n[format]\n{}\n{}",
        LED[0],
        greedy(&[("a", 1), ("b", 5), ("c", 20), ("d", 40)])
    );
    let run = planned(&config, 2, "");
    let once = |exit: i32, words: &str| {
        let ran = run.referee("lead plan --once");
        assert_eq!(ran.exit, exit, "{ran:?}");
        assert!(ran.stdout.contains(words), "{ran:?}");
    };
    for wave in 1..=4 {
        once(9, &format!("wave {wave}: 8 games"));
        run.referee("work plan --shard 0/2 --quiet").ok();
        once(9, &format!("wave {wave}: shards 1 are missing"));
        if wave == 2 {
            let ran = run.referee("merge plan");
            assert_eq!(ran.exit, 9, "{ran:?}");
            assert!(
                ran.stderr.contains("1 shard is missing (1 of wave 2)"),
                "{ran:?}"
            );
        }
        run.referee("work plan --any --quiet").ok();
    }
    let ran = run.referee("merge plan");
    assert!(
        ran.stderr.contains("there are more waves") || ran.exit == 0,
        "{ran:?}"
    );
    once(0, "over after 4 waves");
    run.referee("merge plan").ok();
    assert_eq!(merged(&run), content(&TestRun::played(&config).out()));
}

#[test]
fn slurm_gets_the_limit_that_was_asked_for_and_arrays_that_it_takes() {
    let run = TestRun::new(&tournament(2));
    let said = run
        .referee("plan config.toml --out 'a plan' --shards 2500 --sample 0 --slurm --limit 4h")
        .ok();
    let plan = run.path("a plan").canonicalize().expect("a folder");
    let submit = format!(
        "play them with: for first in $(seq 0 1000 2499); do sbatch '{}/slurm.sh' $first; done\n",
        plan.display()
    );
    assert!(said.contains(&submit), "{said}");
    assert!(
        said.contains(&format!("then: referee merge '{}'\n", plan.display())),
        "{said}"
    );
    let script = run.read("a plan/slurm.sh");
    for line in [
        "#SBATCH --array=0-999\n",
        "#SBATCH --time=240\n",
        "shard=$((SLURM_ARRAY_TASK_ID + ${1:-0}))\nif [ \"$shard\" -gt 2499 ]; then exit 0; fi\n",
        "--shard \"$shard/2500\"",
    ] {
        assert!(script.contains(line), "{line}: {script}");
    }
    let said = run.referee("merge 'a plan'").stderr;
    for command in [
        "sbatch --array=0-999 '",
        "slurm.sh'; sbatch --array=0-999 '",
        "slurm.sh' 1000; sbatch --array=0-499 '",
        "slurm.sh' 2000`",
    ] {
        assert!(said.contains(command), "{command}: {said}");
    }
    for (name, more, words) in [
        ("{1}", "--parallel", "it has a `{` in it"),
        ("a\nb", "--slurm", "it has a line end"),
    ] {
        let args = [
            "plan",
            "config.toml",
            "--out",
            name,
            "--shards",
            "2",
            "--sample",
            "0",
            more,
        ];
        let ran = crate::support::program::referee_reading(run.folder(), b"", &args);
        assert!(ran.exit == 2 && ran.stderr.contains(words), "{ran:?}");
    }
}
