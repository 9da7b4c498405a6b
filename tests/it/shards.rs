//! `referee plan`, `work`, `merge` and `status`: a tournament in shards ends like one on a single machine.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::support::content::content;
use crate::support::{OPENINGS, REFEREE, TestRun, column, greedy, rows, write_executable};

const FIVE: [(&str, u32); 5] = [("a", 1), ("b", 5), ("c", 20), ("d", 40), ("e", 80)];

/// Two games between five house bots whose play does not depend on the clock.
fn tournament(games_per_pairing: u32) -> String {
    format!(
        "seed = 4\n[[game]]\nname = \"cachex\"\nsize = 4\nopenings = \"{OPENINGS}\"\n\
         [[game]]\nname = \"dark-chess\"\nmax-plies = 40\n\
         [format]\nkind = \"round-robin\"\ngames-per-pairing = {games_per_pairing}\n{}",
        greedy(&FIVE)
    )
}

/// Cuts the tournament into shards; the plan is in `plan`.
fn planned(config: &str, shards: u32, more: &str) -> TestRun {
    let run = TestRun::new(config);
    plan(&run, shards, more);
    run
}

fn plan(run: &TestRun, shards: u32, more: &str) {
    let line = format!("plan config.toml --out plan --shards {shards} {more}");
    run.referee(&line).ok();
}

fn merged(run: &TestRun) -> BTreeMap<String, String> {
    content(&run.path("plan/run"))
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
        for shard in 0..shards {
            let line = format!("work plan --shard {shard}/{shards} -j 2 --quiet");
            run.referee(&line).ok();
        }
        let said = run.referee("merge plan").ok();
        assert!(said.starts_with("60 games merged into "), "{said}");
        assert_eq!(merged(&run), content(&whole.out()), "{shards} shards");
        // Also in the order of their numbers.
        let ids = |folder: &Path| column(&rows(&folder.join("games.csv")), "id");
        assert_eq!(ids(&run.path("plan/run")), ids(&whole.out()));
        let said = run.referee("verify plan/run").ok();
        assert!(said.contains("60 games"), "{said}");
        let said = run.referee("status plan").ok();
        let words = format!(": {shards} done, 0 begun, 0 not begun\n60 of 60 games");
        assert_has!(said, &words);
    }
}

#[test]
#[ignore = "slow"]
fn missing_shards_are_named_and_what_is_there_is_merged() {
    let run = planned(&tournament(2), 5, "");
    for shard in [0, 3] {
        run.referee(&format!("work plan --shard {shard}/5 --quiet"))
            .ok();
    }
    let ran = run.referee("merge plan");
    assert_eq!(ran.exit, 9, "{ran:?}");
    let said = ran.stderr;
    assert!(said.contains("3 shards are missing (1-2,4)"), "{said}");
    assert!(said.contains("plan --shard 1/5`, and so on,"), "{said}");
    let rated = run.referee("rate plan/run").ok();
    assert!(rated.contains("cachex"), "{rated}");
    let said = run.referee("status plan").ok();
    let words = "5 shards: 2 done, 0 begun, 3 not begun\n16 of 40 games";
    assert_starts!(said, words);
    run.work(5);
    run.referee("merge plan").ok();
    let found = merged(&run);
    assert_eq!(found, content(&TestRun::played(&tournament(2)).out()));
}

#[test]
#[ignore = "slow"]
fn a_shard_goes_on_where_it_was_and_plays_again_what_has_lost_its_log() {
    let run = planned(&tournament(2), 1, "");
    run.work(1);
    let journal = run.path("plan/shards/0000/games.csv");
    let text = run.read("plan/shards/0000/games.csv");
    let (whole, _) = text.trim_end().rsplit_once('\n').expect("rows");
    // The last row is torn.
    std::fs::write(&journal, &text[..whole.len() + 20]).expect("written");
    let ran = run.referee("merge plan");
    assert!(ran.stderr.contains("1 shard is missing (0)"), "{ran:?}");
    let said = run.referee("status plan").ok();
    let expected = "1 shard: 0 done, 1 begun, 0 not begun\n39 of 40 games\n";
    assert_eq!(said, expected);
    let again = |before: u32| {
        let said = run.referee("work plan --shard 0/1").stdout;
        let words = format!("shard 0 is done; {before} of its games were played before\n");
        assert_eq!(said, words);
    };
    again(39);
    std::fs::write(run.path("plan/shards/0000/games/0000/000007.csv"), "").expect("written");
    run.referee("merge plan").fails(
        5,
        "000007.csv: is gone or was changed after its game: `referee work` on its shard plays the game again",
    );
    again(39);
    again(40);
    run.referee("merge plan").ok();
    let whole = TestRun::played(&tournament(2));
    assert_eq!(merged(&run), content(&whole.out()));
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
        .fails(2, "expected I/K with I less than K");
    let copy = run.path("plan/bots/001-bot/own");
    write_executable(&copy, "#!/bin/sh\nexit 2\n");
    run.referee("work plan --shard 1/2")
        .fails(2, "own is not as it was when the shards were planned");
    write_executable(&copy, &bot);
    run.work(2);
    run.referee("merge plan").ok();
    run.referee("verify plan/run").ok();
    run.referee("work .").fails(2, "--shard");
    run.referee("status .").fails(5, "has no plan.toml");
    run.referee("plan config.toml --out plan --shards 2")
        .fails(5, "is not empty");
}

#[test]
fn shards_of_another_plan_or_of_another_number_are_refused() {
    let run = planned(&tournament(1), 2, "");
    run.work(2);
    let other = TestRun::new(&tournament(1).replace("\"80\"", "\"81\""));
    plan(&other, 2, "");
    other.work(2);
    let [own, kept] = ["plan/shards/0001", "kept"].map(|path| run.path(path));
    std::fs::rename(&own, &kept).expect("moved");
    std::fs::rename(other.path("plan/shards/0001"), &own).expect("moved");
    for command in ["merge plan", "status plan"] {
        run.referee(command).fails(
            5,
            "shards/0001: is a shard of another plan: from the shard to the plan, player e.args was [\"--nodes\", \
             \"81\"] and is [\"--nodes\", \"80\"];",
        );
    }
    std::fs::remove_dir_all(&own).expect("removed");
    std::fs::rename(run.path("plan/shards/0000"), &own).expect("moved");
    run.referee("merge plan")
        .fails(5, "shards/0001: is shard 1, and has game ");
    std::fs::rename(&own, run.path("plan/shards/0000")).expect("moved");
    std::fs::rename(&kept, &own).expect("moved");
    assert_eq!(run.referee("merge plan -q").ok(), "");
}

/// A tournament of Cachex in which the next pairings depend on results.
fn led(format: &str, players: &[(&str, u32)]) -> String {
    format!(
        "seed = 4\n[game]\nname = \"cachex\"\nsize = 4\n[format]\n{format}\n{}",
        greedy(players)
    )
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
        let config = led(&format!("{format}\nopening-plies = 1"), &FIVE);
        let whole = TestRun::played(&config);
        let run = planned(&config, 3, "--slurm");
        run.referee("work plan --shard 0/3")
            .fails(9, "there is no wave yet");
        let workers = ["0/3", "1/3", "2/3"].map(|shard| {
            let mut worker = work(&run, &["--shard", shard, "--follow"]);
            worker.spawn().expect("it runs")
        });
        let said = run.referee("lead plan").ok();
        assert!(said.contains("over after "), "{said}");
        for mut worker in workers {
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
#[ignore = "slow"]
fn a_lead_goes_on_wave_by_wave() {
    let config = led(LED[0], &FIVE[..4]);
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
            assert!(ran.stderr.contains("1 shard is missing (1)"), "{ran:?}");
        }
        run.work(2);
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
    let run = TestRun::new(&tournament(500));
    let said = run
        .referee("plan config.toml --out 'a plan' --shards 2500 --slurm --limit 4h")
        .ok();
    let plan = run.path("a plan").canonicalize().expect("a folder");
    let submit = format!(
        "play them with: for first in $(seq 0 1000 2499); do sbatch '{}/slurm.sh' $first; done\n",
        plan.display()
    );
    assert!(said.contains(&submit), "{said}");
    assert_has!(said, &format!("then: referee merge '{}'\n", plan.display()));
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
        let args = ["plan", "config.toml", "--out", name, "--shards", "2", more];
        let ran = crate::support::program::referee_reading(run.folder(), b"", &args);
        assert!(ran.exit == 2 && ran.stderr.contains(words), "{ran:?}");
    }
}
