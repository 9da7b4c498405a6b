//! Players whose programs are built: before the first game, once, and in bounds.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use crate::support::journal::read_games;
use referee::record::GameRow;
use rustix::process::{Pid, Signal, kill_process};

use crate::support::executable::write_executable;

/// The folder of a test: a configuration, folders of players below it, and later `out`.
struct Yard(tempfile::TempDir);

/// A house bot behind a program that the build makes, where the build is a shell's line.
const MAKES_A_BOT: &str = "cp bot.txt bot && chmod +x bot";

impl Yard {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder"))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// A player in a folder of that name, with the text of its bot in a file, which is not its program yet.
    fn player(&self, name: &str, folder: &str, build: &str) -> String {
        let dir = self.path(folder);
        fs::create_dir_all(&dir).expect("made");
        let bot = format!(
            "#!/bin/sh\nexec {} bot greedy\n",
            env!("CARGO_BIN_EXE_referee")
        );
        fs::write(dir.join("bot.txt"), bot).expect("written");
        format!(
            "[[player]]\nname = {name:?}\ncommand = [\"./bot\"]\ndir = {dir:?}\n\
             build = [\"sh\", \"-c\", {build:?}]\n"
        )
    }

    /// Writes the configuration: small games of Cachex among the house bot and these players.
    fn configure(&self, limits: &str, players: &[String]) {
        let text = format!(
            "seed = 1\n[game]\nname = \"cachex\"\nsize = 3\n\
             [format]\nkind = \"round-robin\"\ngames-per-pairing = 2\n\
             [limits]\n{limits}\n[[player]]\nhouse = \"random\"\n{}",
            players.concat()
        );
        fs::write(self.path("config.toml"), text).expect("written");
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_referee"));
        command
            .arg("run")
            .arg(self.path("config.toml"))
            .args(["-j", "2", "--out"])
            .arg(self.path("out"))
            .args(args)
            .stdout(Stdio::piped());
        command
    }

    fn referee(&self, args: &[&str]) -> Output {
        self.command(args).output().expect("it runs")
    }

    fn games(&self) -> Vec<GameRow> {
        read_games(&self.path("out/games.csv")).expect("a journal")
    }

    /// Runs a tournament that goes well, and gives its journal.
    fn run(&self, args: &[&str]) -> Vec<GameRow> {
        let output = self.referee(args);
        assert!(output.status.success(), "{output:?}");
        self.games()
    }

    /// Runs one player with this build against the house bot: what is said of it in its games.
    fn fails(&self, limits: &str, build: &str) -> String {
        self.configure(limits, &[self.player("alice", "alice", build)]);
        let games = self.run(&[]);
        assert_eq!(games.len(), 2);
        for game in &games {
            assert_eq!(game.end.termination.name(), "handshake", "{game:?}");
            assert_eq!(game.forfeited_by(), "alice", "{game:?}");
            assert_eq!(game.detail(), games[0].detail());
        }
        games[0].detail().clone()
    }
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).expect("text")
}

#[test]
fn a_built_program_plays() {
    let yard = Yard::new();
    let build = format!("echo hello; {MAKES_A_BOT}");
    yard.configure("", &[yard.player("alice", "alice", &build)]);
    assert!(!yard.path("alice/bot").exists());
    for game in yard.run(&[]) {
        assert_eq!(game.end.termination.name(), "rules", "{game:?}");
    }
    assert_eq!(read(&yard.path("out/build/alice.log")), "hello\n");
}

#[test]
fn a_check_builds_nothing() {
    let yard = Yard::new();
    yard.configure("", &[yard.player("alice", "alice", MAKES_A_BOT)]);
    let checked = yard.referee(&["--check"]);
    assert!(checked.status.success(), "{checked:?}");
    assert!(!yard.path("alice/bot").exists());
    assert!(!yard.path("out").exists());
}

#[test]
fn a_failed_build_is_a_forfeit_with_the_words_of_the_compiler_and_stops_nothing_else() {
    let yard = Yard::new();
    let broken = "echo compiling; echo 'bot.c:3:5: error: no such thing' >&2; exit 2";
    yard.configure(
        "",
        &[
            yard.player("alice", "alice", broken),
            yard.player("bob", "bob", MAKES_A_BOT),
        ],
    );
    let output = yard.referee(&[]);
    assert!(output.status.success(), "{output:?}");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        said.starts_with("alice could not be built and forfeits: "),
        "{said}"
    );
    let games = yard.games();
    assert_eq!(games.len(), 6);
    for game in games {
        let plays = game.names().contains(&"alice");
        assert_eq!(game.forfeited_by(), if plays { "alice" } else { "" });
        if plays {
            assert_eq!(game.end.termination.name(), "handshake");
            let detail = &game.detail();
            assert!(detail.starts_with("the build failed: `sh -c "), "{detail}");
            assert!(detail.contains(" exited with code 2: "), "{detail}");
            assert!(
                detail.contains("bot.c:3:5: error: no such thing"),
                "{detail}"
            );
        }
    }
    let log = read(&yard.path("out/build/alice.log"));
    assert_eq!(log, "compiling\nbot.c:3:5: error: no such thing\n");
}

#[test]
fn a_build_that_makes_no_program_is_a_forfeit() {
    let detail = Yard::new().fails("", "true");
    assert!(
        detail.contains("it ended well, but there is no program `"),
        "{detail}"
    );
}

#[test]
fn a_build_in_a_program_that_cannot_be_run_is_a_forfeit() {
    let yard = Yard::new();
    let entry = yard.player("alice", "alice", "");
    let build = yard.path("alice/configure");
    write_executable(&build, "#!/no/such/interpreter\n");
    let entry = entry.replace("[\"sh\", \"-c\", \"\"]", "[\"./configure\"]");
    yard.configure("", &[entry]);
    for game in yard.run(&[]) {
        let detail = &game.detail();
        assert!(
            detail.contains("`./configure` could not be started: the bot's program cannot be run"),
            "{detail}"
        );
    }
}

#[test]
fn a_build_that_hangs_is_ended() {
    // It shuts its output too, so that nothing but the deadline can end it.
    let detail = Yard::new().fails(
        "build-time = \"300ms\"",
        "echo begun; exec >&- 2>&-; sleep 1000",
    );
    assert!(
        detail.ends_with("did not end within 0.300 s: begun"),
        "{detail}"
    );
}

#[test]
fn a_build_that_floods_is_cut_short() {
    let yard = Yard::new();
    let flood = "i=0; while [ $i -lt 20000 ]; do echo 0123456789; i=$((i+1)); done; exit 1";
    let detail = yard.fails("build-log = \"1KiB\"", flood);
    assert!(detail.len() < 1000, "{detail}");
    let log = read(&yard.path("out/build/alice.log"));
    // The beginning is kept as far as the limit says, and some of the end besides.
    let kept = log.lines().filter(|line| !line.starts_with('['));
    let kept: usize = kept.map(|line| line.len() + 1).sum();
    let (_, missing) = log.split_once('[').expect("a gap");
    let (missing, _) = missing
        .split_once(" bytes were not kept here]")
        .expect("a gap");
    let missing: usize = missing.parse().expect("a number");
    assert!((1024..16 << 10).contains(&kept), "{kept}");
    // A line that the gap cuts in two ends twice.
    assert!(
        (20000 * 11..20000 * 11 + 2).contains(&(kept + missing)),
        "{kept} {missing}"
    );
}

#[test]
fn a_build_that_takes_too_much_memory_is_ended() {
    // A shell that doubles a text: 64 MiB are soon there.
    let detail = Yard::new().fails(
        "build-memory = \"32MiB\"",
        "x=0123456789abcdef; while true; do x=$x$x; sleep 0.02; done",
    );
    assert!(
        detail.contains(" held ") && detail.contains("it may 33554432"),
        "{detail}"
    );
}

/// Whether in the end no process has this variable in its environment.
fn all_end(variable: &str) -> bool {
    let marked = |process: fs::DirEntry| {
        let variables = fs::read(process.path().join("environ")).unwrap_or_default();
        variables
            .split(|byte| *byte == 0)
            .any(|one| one == variable.as_bytes())
    };
    for _ in 0..500 {
        let processes = fs::read_dir("/proc").expect("processes");
        if !processes.flatten().any(marked) {
            return true;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    false
}

#[test]
fn nothing_of_a_build_is_left() {
    let yard = Yard::new();
    let leaves = format!("(setsid sleep 1000 &); sleep 1000 & {MAKES_A_BOT}");
    let mark = format!("REFEREE_TEST_BUILD={}", yard.path("").display());
    let (key, value) = mark.split_once('=').expect("a variable");
    let entry = yard.player("alice", "alice", &leaves);
    yard.configure("", &[format!("{entry}env = {{ {key} = {value:?} }}\n")]);
    for game in yard.run(&[]) {
        assert_eq!(game.end.termination.name(), "rules", "{game:?}");
    }
    assert!(all_end(&mark));
}

#[test]
fn players_who_share_a_folder_and_a_command_share_a_build() {
    let yard = Yard::new();
    let build = format!("echo built >> builds; {MAKES_A_BOT}");
    let same = [
        yard.player("alice", "both-here", &build),
        yard.player("bob", "both-here", &build),
    ];
    let other = yard.player(
        "carol",
        "both-here",
        &format!("echo other >> builds; {MAKES_A_BOT}"),
    );
    yard.configure("", &[same.concat(), other]);
    for game in yard.run(&[]) {
        assert_eq!(game.end.termination.name(), "rules", "{game:?}");
    }
    assert_eq!(read(&yard.path("both-here/builds")), "built\nother\n");
}

/// Cuts the journal off behind its first game.
fn lose_a_game(yard: &Yard) {
    let journal = yard.path("out/games.csv");
    let text = read(&journal);
    let kept: Vec<&str> = text.lines().take(2).collect();
    fs::write(&journal, format!("{}\n", kept.join("\n"))).expect("written");
}

#[test]
fn what_a_build_makes_or_changes_is_no_change_of_the_bot() {
    let yard = Yard::new();
    // The second file is another after every build, as with a compiler that writes the time.
    let build = format!("echo built >> builds; date +%N >> product; {MAKES_A_BOT}");
    yard.configure("", &[yard.player("alice", "alice", &build)]);
    // There from an earlier build, of other sources.
    fs::write(yard.path("alice/bot"), "old").expect("written");
    fs::write(yard.path("alice/product"), "old").expect("written");
    assert_eq!(yard.run(&[]).len(), 2);
    let manifest = read(&yard.path("out/manifest.toml"));
    assert!(manifest.contains("files = [\"bot.txt\"]"), "{manifest}");
    lose_a_game(&yard);
    assert_eq!(yard.run(&["--resume"]).len(), 2);
    assert_eq!(read(&yard.path("alice/builds")), "built\nbuilt\n");
    // With all games played there is nothing to build for.
    assert_eq!(yard.run(&["--resume"]).len(), 2);
    assert_eq!(read(&yard.path("alice/builds")), "built\nbuilt\n");
}

#[test]
fn a_source_that_changed_is_a_change_of_the_bot() {
    let yard = Yard::new();
    yard.configure("", &[yard.player("alice", "alice", MAKES_A_BOT)]);
    yard.run(&[]);
    lose_a_game(&yard);
    let source = yard.path("alice/bot.txt");
    fs::write(&source, format!("{}\n", read(&source))).expect("written");
    let refused = yard.referee(&["--resume"]);
    assert_eq!(refused.status.code(), Some(2));
    let said = String::from_utf8_lossy(&refused.stderr);
    assert!(said.contains("the files of player alice changed"), "{said}");
    assert_eq!(yard.run(&["--resume", "--accept-changes"]).len(), 2);
    // From now on it is the new one that counts.
    lose_a_game(&yard);
    assert_eq!(yard.run(&["--resume"]).len(), 2);
}

#[test]
fn a_build_that_changed_is_a_change_of_the_bot() {
    let yard = Yard::new();
    yard.configure("", &[yard.player("alice", "alice", MAKES_A_BOT)]);
    yard.run(&[]);
    yard.configure(
        "",
        &[yard.player("alice", "alice", &format!("true; {MAKES_A_BOT}"))],
    );
    let refused = yard.referee(&["--resume"]);
    assert_eq!(refused.status.code(), Some(2));
    let said = String::from_utf8_lossy(&refused.stderr);
    assert!(said.contains("player alice.build was "), "{said}");
}

/// Waits until a file is there.
fn wait_for(path: &Path) {
    for _ in 0..2000 {
        if path.exists() {
            break;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    assert!(path.exists(), "{}", path.display());
}

#[test]
fn a_run_that_is_killed_while_it_builds_can_go_on() {
    let yard = Yard::new();
    let build = format!("if [ ! -e begun ]; then touch begun; sleep 1000; fi; {MAKES_A_BOT}");
    let mark = format!("REFEREE_TEST_BUILD={}", yard.path("").display());
    let (key, value) = mark.split_once('=').expect("a variable");
    let entry = yard.player("alice", "alice", &build);
    yard.configure("", &[format!("{entry}env = {{ {key} = {value:?} }}\n")]);
    let mut run = yard.command(&[]).spawn().expect("it starts");
    wait_for(&yard.path("alice/begun"));
    run.kill().expect("it runs");
    run.wait().expect("it ends");
    assert!(all_end(&mark), "the build ends with its run");
    assert_eq!(yard.run(&["--resume"]).len(), 2);
    assert!(read(&yard.path("out/manifest.toml")).contains("files = ["));
}

#[test]
fn a_run_that_is_stopped_while_it_builds_lets_the_build_end_and_plays_nothing() {
    let yard = Yard::new();
    let build = format!("touch begun; until [ -e go ]; do sleep 0.01; done; {MAKES_A_BOT}");
    yard.configure("", &[yard.player("alice", "alice", &build)]);
    let mut run = yard.command(&[]).spawn().expect("it starts");
    wait_for(&yard.path("alice/begun"));
    kill_process(Pid::from_child(&run), Signal::INT).expect("it runs");
    fs::write(yard.path("alice/go"), "").expect("written");
    assert_eq!(run.wait().expect("it ends").code(), Some(7));
    assert!(yard.path("alice/bot").exists());
    assert_eq!(yard.games().len(), 0);
    assert_eq!(yard.run(&["--resume"]).len(), 2);
}
