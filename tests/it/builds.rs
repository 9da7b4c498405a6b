//! Players whose programs are built: once, before the first game, and within limits.

use std::fs;
use std::process::{Child, Stdio};

use referee::runs::GameRow;
use rustix::process::{Pid, Signal, kill_process};

use crate::support::config::{RANDOM, small_cachex};
use crate::support::{
    Ran, TestRun, landlock_holds, wait_for_the_end_of_all_with, wait_until, write_executable,
};

/// The folder of a test, with folders of players below it.
struct Builds(TestRun);

/// A house bot behind a program that the build makes, where the build is a line for the shell.
const MAKES_A_BOT: &str = "cp bot.txt bot && chmod +x bot";

/// The source of that program.
const GREEDY: &str = concat!(
    "#!/bin/sh\nexec ",
    env!("CARGO_BIN_EXE_referee"),
    " bot greedy\n"
);

impl Builds {
    fn new() -> Self {
        Self(TestRun::new(""))
    }

    fn of_alice(build: &str) -> Self {
        let builds = Self::new();
        builds.configure("", &[builds.player("alice", "alice", build)]);
        builds
    }

    /// A player in a folder of that name, with the source of its bot in a file, from which the build makes the program.
    fn player(&self, name: &str, folder: &str, build: &str) -> String {
        let dir = self.0.path(folder);
        self.0.write(&format!("{folder}/bot.txt"), GREEDY);
        format!(
            "[[player]]\nname = {name:?}\ncommand = [\"./bot\"]\ndir = {dir:?}\n\
             build = [\"sh\", \"-c\", {build:?}]\n"
        )
    }

    /// Writes the configuration: small games of Cachex among the house bot and these players.
    fn configure(&self, limits: &str, players: &[String]) {
        let limits = format!("[limits]\n{limits}\n");
        let more = [&limits, RANDOM, &players.concat()];
        self.0.configure(&small_cachex(2, &more));
    }

    fn referee(&self, args: &[&str]) -> Ran {
        self.0.run(&[&["-j", "2"], args].concat())
    }

    /// Runs a tournament that must succeed, and gives its journal.
    fn run(&self, args: &[&str]) -> Vec<GameRow> {
        self.0.play(&[&["-j", "2"], args].concat());
        self.0.games()
    }

    /// Runs a tournament whose games must end by the rules.
    fn plays(&self) {
        for game in self.run(&[]) {
            assert_eq!(game.end.termination.name(), "rules", "{game:?}");
        }
    }

    /// A run during the build of alice, which has made the file `begun`.
    fn building(&self) -> Child {
        let run = self
            .0
            .command(&[])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("it starts");
        wait_until(|| self.0.path("alice/begun").exists());
        run
    }

    /// Runs one player with this failing build against the house bot, and gives the detail of its games.
    fn fails(&self, limits: &str, build: &str) -> String {
        self.fail_of(limits, self.player("alice", "alice", build))
    }

    fn fail_of(&self, limits: &str, alice: String) -> String {
        self.configure(limits, &[alice]);
        let games = self.run(&[]);
        assert_eq!(games.len(), 2);
        for game in &games {
            assert_eq!(game.end.termination.name(), "handshake", "{game:?}");
            assert_eq!(game.forfeited_by(), "alice", "{game:?}");
            assert_eq!(game.detail(), games[0].detail());
        }
        games[0].detail()
    }
}

#[test]
fn a_built_program_plays_a_check_builds_nothing_and_nothing_of_a_build_is_left() {
    let builds = Builds::new();
    let leaves = format!("echo hello; (setsid sleep 1000 &); sleep 1000 & {MAKES_A_BOT}");
    let mark = marked(&builds, &leaves);
    builds.referee(&["--check"]).done();
    assert!(!builds.0.path("alice/bot").exists());
    assert!(!builds.0.path("out").exists());
    builds.plays();
    assert_eq!(builds.0.read("out/build/alice.log"), "hello\n");
    wait_for_the_end_of_all_with(&mark);
}

#[test]
fn a_failed_build_is_a_forfeit_with_the_words_of_the_compiler_and_stops_nothing_else() {
    let builds = Builds::new();
    let broken = "echo compiling; echo 'bot.c:3:5: error: no such thing' >&2; exit 2";
    builds.configure(
        "",
        &[
            builds.player("alice", "alice", broken),
            builds.player("bob", "bob", MAKES_A_BOT),
        ],
    );
    let ran = builds.referee(&[]).done();
    let words = "alice could not be built and forfeits: ";
    assert!(ran.stderr.starts_with(words), "{ran:?}");
    let games = builds.0.games();
    assert_eq!(games.len(), 6);
    for game in games {
        let plays = game.names().contains(&"alice");
        assert_eq!(game.forfeited_by(), if plays { "alice" } else { "" });
        if plays {
            assert_eq!(game.end.termination.name(), "handshake");
            let detail = game.detail();
            assert!(detail.starts_with("the build failed: `sh -c "), "{detail}");
            assert!(detail.contains(" exited with code 2: "), "{detail}");
            assert_has!(detail, "bot.c:3:5: error: no such thing");
        }
    }
    let log = builds.0.read("out/build/alice.log");
    assert_eq!(log, "compiling\nbot.c:3:5: error: no such thing\n");
}

#[test]
fn builds_that_fail_in_other_ways_are_forfeits_with_the_reason() {
    let memory = "x=$(head -c 48000000 /dev/zero | tr '\\0' x); sleep 1000; :";
    let hangs = "echo begun; exec >&- 2>&-; sleep 1000";
    for (limits, build, words) in [
        ("", "true", "it ended well, but there is no program `"),
        (
            "build-time = \"300ms\"",
            hangs,
            "did not end within 0.300 s: begun",
        ),
        ("build-memory = \"32MiB\"", memory, "it may 33554432"),
    ] {
        let detail = Builds::new().fails(limits, build);
        assert!(detail.contains(words), "{detail}");
    }
    let builds = Builds::new();
    let entry = builds.player("alice", "alice", "");
    let build = builds.0.path("alice/configure");
    write_executable(&build, "#!/no/such/interpreter\n");
    let detail = builds.fail_of(
        "",
        entry.replace("[\"sh\", \"-c\", \"\"]", "[\"./configure\"]"),
    );
    let words = "`./configure` could not be started: the bot's program cannot be run";
    assert_has!(detail, words);
}

#[test]
fn a_build_that_floods_is_cut_short() {
    let builds = Builds::new();
    let flood = "i=0; while [ $i -lt 20000 ]; do echo 0123456789; i=$((i+1)); done; exit 1";
    let detail = builds.fails("build-log = \"1KiB\"", flood);
    assert!(detail.len() < 1000, "{detail}");
    let log = builds.0.read("out/build/alice.log");
    // The beginning is kept up to the limit, and also some of the end.
    let kept = log.lines().filter(|line| !line.starts_with('['));
    let kept: usize = kept.map(|line| line.len() + 1).sum();
    let (_, missing) = log.split_once('[').expect("a gap");
    let (missing, _) = missing
        .split_once(" bytes were not kept here]")
        .expect("a gap");
    let missing: usize = missing.parse().expect("a number");
    assert!((1024..16 << 10).contains(&kept), "{kept}");
    // If the gap cuts a line in two, both halves get a line end.
    assert!(
        (20000 * 11..20000 * 11 + 2).contains(&(kept + missing)),
        "{kept} {missing}"
    );
}

/// Configures alice with this build and a variable that her build and her bot inherit. Gives the
/// variable.
fn marked(builds: &Builds, build: &str) -> String {
    let (key, value) = ("REFEREE_TEST_BUILD", builds.0.folder());
    let entry = builds.player("alice", "alice", build);
    builds.configure("", &[format!("{entry}env = {{ {key} = {value:?} }}\n")]);
    format!("{key}={}", value.display())
}

#[test]
fn players_who_share_a_folder_and_a_command_share_a_build() {
    let builds = Builds::new();
    let build = format!("echo built >> builds; {MAKES_A_BOT}");
    let same = [
        builds.player("alice", "both-here", &build),
        builds.player("bob", "both-here", &build),
    ];
    let other = builds.player(
        "carol",
        "both-here",
        &format!("echo other >> builds; {MAKES_A_BOT}"),
    );
    builds.configure("", &[same.concat(), other]);
    builds.plays();
    assert_eq!(builds.0.read("both-here/builds"), "built\nother\n");
}

#[test]
fn what_a_build_makes_or_changes_is_no_change_of_the_bot_and_another_source_is() {
    // The second file differs after every build, as with a compiler that writes the time.
    let build = format!("echo built >> builds; date +%N >> product; {MAKES_A_BOT}");
    let builds = Builds::of_alice(&build);
    // Left by an earlier build of other sources.
    builds.0.write("alice/bot", "old");
    builds.0.write("alice/product", "old");
    assert_eq!(builds.run(&[]).len(), 2);
    let manifest = builds.0.read("out/manifest.toml");
    assert!(manifest.contains("files = [\"bot.txt\"]"), "{manifest}");
    builds.0.keep_games(1);
    assert_eq!(builds.run(&["--resume"]).len(), 2);
    assert_eq!(builds.0.read("alice/builds"), "built\nbuilt\n");
    // When all games are played, nothing is built.
    assert_eq!(builds.run(&["--resume"]).len(), 2);
    assert_eq!(builds.0.read("alice/builds"), "built\nbuilt\n");

    // A source that changed is.
    builds.0.keep_games(1);
    let source = builds.0.read("alice/bot.txt");
    builds.0.write("alice/bot.txt", &format!("{source}\n"));
    let words = "the files of player alice changed";
    builds.referee(&["--resume"]).fails(2, words);
    assert_eq!(builds.run(&["--resume", "--accept-changes"]).len(), 2);
    // From now on the new source counts.
    builds.0.keep_games(1);
    assert_eq!(builds.run(&["--resume"]).len(), 2);
}

#[test]
fn a_run_that_is_killed_while_it_builds_can_go_on() {
    let builds = Builds::new();
    let build = format!("if [ ! -e begun ]; then touch begun; sleep 1000; fi; {MAKES_A_BOT}");
    let mark = marked(&builds, &build);
    let mut run = builds.building();
    run.kill().expect("it runs");
    run.wait().expect("it ends");
    wait_for_the_end_of_all_with(&mark);
    assert_eq!(builds.run(&["--resume"]).len(), 2);
    assert!(builds.0.read("out/manifest.toml").contains("files = ["));
}

/// How often the thread that takes signals has waited for one: once more after each.
fn waits_for_signals(run: &Child) -> u64 {
    let tasks = std::fs::read_dir(format!("/proc/{}/task", run.id())).expect("it runs");
    let mut statuses = tasks.map(|task| {
        std::fs::read_to_string(task.expect("a thread").path().join("status")).unwrap_or_default()
    });
    let status = statuses.find(|status| status.starts_with("Name:\tsignals\n"));
    let status = status.expect("it takes signals");
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("voluntary_ctxt_switches:"));
    line.expect("a count").trim().parse().expect("a number")
}

#[test]
fn a_run_that_is_stopped_while_it_builds_lets_the_build_end_and_plays_nothing() {
    let build = format!("touch begun; until [ -e go ]; do sleep 0.01; done; {MAKES_A_BOT}");
    let builds = Builds::of_alice(&build);
    let mut run = builds.building();
    let before = waits_for_signals(&run);
    kill_process(Pid::from_child(&run), Signal::INT).expect("it runs");
    wait_until(|| waits_for_signals(&run) > before);
    builds.0.write("alice/go", "");
    assert_eq!(run.wait().expect("it ends").code(), Some(7));
    assert!(builds.0.path("alice/bot").exists());
    assert_eq!(builds.0.games().len(), 0);
    assert_eq!(builds.run(&["--resume"]).len(), 2);
}

#[test]
fn a_bot_is_built_for_replay_and_check() {
    let builds = Builds::of_alice(MAKES_A_BOT);
    builds.run(&[]);
    for line in [
        "replay out 0 --seat alice --into",
        "check --config config.toml --player alice --games 1",
    ] {
        let ran = builds.0.referee(line);
        assert_eq!(ran.exit, 0, "{line}: {ran:?}");
        let told = "referee: building alice: sh -c ";
        assert!(ran.stderr.starts_with(told), "{line}: {ran:?}");
        // The program of the last build is still there, and is not what would be built now.
        fs::remove_file(builds.0.path("alice/bot.txt")).expect("it was there");
        let ran = builds.0.referee(line);
        ran.fails(1, "player `alice`: the build failed: `sh -c ");
        builds.0.write("alice/bot.txt", GREEDY);
        assert_eq!(builds.0.referee(line).exit, 0, "{line}");
    }
}

/// Somebody else wrote bot and build, and whoever looks at a game again sees more than they may.
#[test]
fn a_bot_is_built_and_fed_again_in_the_tier_of_its_run() {
    needed!(landlock_holds().then_some(()));
    let builds = Builds::new();
    builds.0.write("secret", "xyzzy\n");
    let look = format!("cat {} || echo nothing", builds.0.path("secret").display());
    let build = format!("{MAKES_A_BOT} && ({look}) >seen");
    let alice = builds.player("alice", "alice", &build);
    let bot = format!(
        "#!/bin/sh\nwhile read line; do case $line in referee*) echo bot 1 alice;; start*) echo ready;; \
         act*) {look};; esac; done\n"
    );
    builds.0.write("alice/bot.txt", &bot);
    for tier in ["landlock", "strict"] {
        builds.configure(
            &format!("isolation = {tier:?}\nisolation-fallback = \"landlock\""),
            std::slice::from_ref(&alice),
        );
        let _ = fs::remove_dir_all(builds.0.out());
        builds.run(&[]);
        let config = "check --config config.toml --player alice --games 2";
        for line in ["replay out 0 --into", config] {
            fs::remove_file(builds.0.path("alice/bot")).expect("built");
            fs::remove_file(builds.0.path("alice/seen")).expect("built");
            let ran = builds.0.referee(line);
            assert!(
                ran.stdout.contains("`nothing`") || ran.stdout.contains("< nothing"),
                "{tier}: {ran:?}"
            );
            assert_eq!(builds.0.read("alice/seen"), "nothing\n", "{tier}: {line}");
        }
    }
}
