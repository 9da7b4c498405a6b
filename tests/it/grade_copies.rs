//! Copies of runs for their players: runs of their own, in which nothing tells of the machine or of others.

use referee::game::Seat;
use std::path::{Path, PathBuf};

use referee::game::BUILT_IN;
use referee::grade::copies::{Scrub, copy_ended_run};
use referee::runs::{Run, RunFileProblem};

use crate::support::config::{RANDOM, small_cachex};
use crate::support::files::files_below;
use crate::support::landlock::landlock_holds;
use crate::support::program::referee_in;
use crate::support::python::python;
use crate::support::run::TestRun;

/// A bot that says much of the machine and crashes, with a traceback as those of Python.
const CRASHING: &str = "#!/bin/sh\n\
    echo \"HOME is $HOME, and I run as $USER in $PWD/ on $(uname -n)\" >&2\n\
    read line; echo 'bot 1 ada'; read line; echo ready\n\
    while read word line; do [ \"$word\" = act ] && break; done\n\
    echo 'Traceback (most recent call last):' >&2\n\
    echo \"  File \\\"$PWD/ada/search.py\\\", line 12, in act\" >&2\n\
    echo \"  File \\\"$(dirname \"$PWD\")/Bob Smith/x.py\\\", line 3\" >&2\n\
    exit 3\n";

/// A reference that tells its secrets and crashes.
const TALKING: &str = "#!/bin/sh\n\
    read line; echo 'bot 1 talks'; read line; echo ready\n\
    while read word line; do [ \"$word\" = act ] && break; done\n\
    echo 'the reference says where it lies' >&2\n\
    exit 4\n";

/// A class's working folder with a run of `ada` against three references, of which one talks.
struct Played {
    run: TestRun,
    names: [&'static str; 4],
}

impl Played {
    fn new() -> Self {
        let config = small_cachex(
            2,
            &[
                "[[player]]\nname = \"ada\"\ncommand = [\"./ada.sh\"]\ndir = \".\"\nenv = { SECRET = \"token-4711\" }\n",
                "[[player]]\nname = \"talks\"\ncommand = [\"./talks.sh\"]\ndir = \".\"\nenv = { A = \"token-4712\" }\n",
                RANDOM,
                "[[player]]\nname = \"greedy\"\nhouse = \"greedy\"\nargs = [\"--nodes\", \"10\"]\n",
            ],
        );
        let run = TestRun::new(&config);
        for (name, text) in [("ada.sh", CRASHING), ("talks.sh", TALKING)] {
            crate::support::executable::write_executable(&run.path(name), text);
        }
        run.play(&["-j", "2"]);
        let names = ["ada", "talks", "random", "greedy"];
        Self { run, names }
    }

    /// The copy for a player, in `copy-NAME`.
    fn copy(&self, player: &str) -> PathBuf {
        let mut scrub = Scrub::of_this_machine();
        scrub.replace(&self.run.path(""), ".");
        scrub.hide(self.run.folder().parent().expect("a folder"));
        let to = self.run.path(&format!("copy-{player}"));
        let run = Run::open(&self.run.out(), BUILT_IN).expect("a run");
        copy_ended_run(&run, player, &to, &scrub).expect("copied");
        to
    }
}

/// The files of a folder that have one of these texts in them or in their names.
fn files_with(folder: &Path, texts: &[&str]) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    for file in files_below(folder) {
        let bytes = std::fs::read(&file).expect("a file");
        let name = file.strip_prefix(folder).expect("inside").to_owned();
        for text in texts {
            let has = |bytes: &[u8]| {
                bytes
                    .windows(text.len())
                    .any(|part| part == text.as_bytes())
            };
            if has(&bytes) || has(name.as_os_str().as_encoded_bytes()) {
                found.push((name.clone(), (*text).to_owned()));
            }
        }
    }
    found
}

#[test]
fn a_copy_has_the_players_own_games_and_nothing_of_the_machine() {
    let played = Played::new();
    let copy = played.copy("ada");
    let home = std::env::home_dir().expect("a home");
    let host = std::fs::read_to_string("/proc/sys/kernel/hostname").expect("a name");
    let kernel = std::fs::read_to_string("/proc/sys/kernel/osrelease").expect("a version");
    let folder = played.run.folder().to_str().expect("text");
    let temporary = played.run.folder().file_name().expect("a name");
    // A short name is a part of many words.
    let host = Some(host.trim()).filter(|name| name.len() > 3);
    let mut secrets = vec![
        folder,
        temporary.to_str().expect("text"),
        home.to_str().expect("text"),
        kernel.trim(),
        "token-471",
        "the reference says",
        "Bob Smith",
        "talks.sh",
        "--nodes",
    ];
    secrets.extend(host);
    for secret in &secrets {
        let found = files_with(&played.run.out(), &[secret]);
        assert!(!found.is_empty(), "the run has {secret}");
    }
    referee_in(&copy, "report . --out pages").ok();
    assert!(copy.join("pages/index.html").exists());
    assert_eq!(files_with(&copy, &secrets), []);
    let other = files_with(&played.copy("talks"), &["Traceback", "search.py", "ada.sh"]);
    assert_eq!(other, []);
    // What its own bot wrote is there, by the names of its own files.
    let logs: Vec<PathBuf> = files_below(&copy.join("stderr"));
    assert_eq!(logs.len(), 6, "one a game");
    let own = std::fs::read_to_string(&logs[0]).expect("text");
    assert!(
        own.contains("  File \"./ada/search.py\", line 12, in act\n"),
        "{own}"
    );
    assert!(own.contains("  File \"…\", line 3\n"), "{own}");
    let manifest = std::fs::read_to_string(copy.join("manifest.toml")).expect("text");
    assert!(manifest.contains("command = [\"./ada.sh\"]"), "{manifest}");
    assert_eq!(manifest.matches("digest = ").count(), 1, "{manifest}");
}

/// The lines of a replay that are of the board.
fn boards(replay: &str) -> Vec<&str> {
    let boards = replay.split_once("\n\n").expect("a title").1;
    let of_a_board = |line: &&str| {
        !["game ", "what ", "again, "]
            .iter()
            .any(|it| line.starts_with(it))
    };
    let lines = boards.lines().filter(of_a_board);
    lines
        .filter(|line| !line.contains(" wins after "))
        .collect()
}

#[test]
fn all_that_is_done_with_a_run_can_be_done_with_a_copy() {
    let played = Played::new();
    for name in played.names {
        let copy = played.copy(name);
        let said = referee_in(played.run.folder(), &format!("verify {}", copy.display())).ok();
        let games = "6 games and 7 tables are as recorded; the tournament has more games, which were not played";
        assert!(said.contains(games), "{name}: {said}");
        let rows = referee_in(&copy, "games . --json").ok();
        assert_eq!(rows.lines().count(), 6, "{name}");
        let original = played
            .run
            .referee(&format!("games out --player {name} --json"))
            .ok();
        let numbers = |text: &str| -> Vec<String> {
            let fields = text
                .lines()
                .map(|line| line.split(',').take(6).collect::<Vec<_>>().join(","));
            fields.collect()
        };
        assert_eq!(
            numbers(&rows),
            numbers(&original),
            "the games keep their numbers"
        );
        let first = Run::open(&copy, BUILT_IN)
            .expect("a run")
            .rows()
            .expect("rows")
            .next();
        let id = first.expect("a game").expect("a row").id;
        let replayed = referee_in(&copy, &format!("replay . {id}")).ok();
        let original = played.run.referee(&format!("replay out {id}")).ok();
        assert_eq!(boards(&replayed), boards(&original), "{name}");
        let rated = referee_in(&copy, "rate .").ok();
        assert!(rated.contains(name), "{rated}");
    }
    let copy = played.copy_of_game();
    let into = referee_in(&played.run.path(""), &copy);
    assert_eq!(into.exit, 0, "{into:?}");
}

impl Played {
    /// The command that puts a house bot into a position of a copied game.
    fn copy_of_game(&self) -> String {
        let row = self
            .run
            .games()
            .into_iter()
            .find(|row| row.end.plies > 2 && row.players.contains(&"greedy".to_owned()));
        let row = row.expect("a game");
        let seat = row.game.seat_names()[0];
        format!("replay copy-greedy {} --into greedy --seat {seat}", row.id)
    }
}

#[test]
fn others_whom_the_player_never_met_have_no_name_there() {
    let challengers =
        "[format]\nkind = \"gauntlet\"\ngames-per-pairing = 2\nchallengers = [\"ada\", \"bob\"]\n";
    let config = small_cachex(
        2,
        &[
            "[[player]]\nname = \"ada\"\nhouse = \"random\"\n",
            "[[player]]\nname = \"bob\"\nhouse = \"random\"\ndisplay-name = \"Bob Smith\"\n",
            "[[player]]\nname = \"other-1\"\nhouse = \"random\"\n",
        ],
    )
    .replace(
        "[format]\nkind = \"round-robin\"\ngames-per-pairing = 2\n",
        challengers,
    );
    let run = TestRun::played(&config);
    let original = Run::open(&run.out(), BUILT_IN).expect("a run");
    let copy = copy_ended_run(&original, "ada", &run.path("copy"), &Scrub::new()).expect("copied");
    assert_eq!(copy.player_names(), ["ada", "other-2", "other-1"]);
    assert_eq!(files_with(copy.path(), &["bob", "Bob"]), []);
    let said = run.referee("verify copy").ok();
    assert!(said.starts_with("copy: 2 games and "), "{said}");
}

#[test]
fn a_file_that_was_changed_is_not_copied_and_neither_is_a_run_over_another() {
    let played = Played::new();
    let run = Run::open(&played.run.out(), BUILT_IN).expect("a run");
    let copy = |player: &str, to: &str| {
        let to = played.run.path(to);
        copy_ended_run(&run, player, &to, &Scrub::new()).map_err(|error| error.problem)
    };
    assert!(matches!(
        copy("nobody", "a"),
        Err(RunFileProblem::NoPlayer(_))
    ));
    assert!(!played.run.path("a").exists());
    assert!(matches!(copy("ada", "out"), Err(RunFileProblem::NotNew)));
    // A bot that may write there puts a link to somebody's file in the place of its own.
    let own = files_below(&played.run.out().join("stderr")).into_iter();
    let row = run.rows().expect("rows").map(|row| row.expect("a row"));
    let row = row
        .into_iter()
        .find(|row| row.players[Seat::FIRST] == "ada")
        .expect("a game");
    let log = own.into_iter().find(|path| {
        let name = path
            .file_name()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        name == format!("{:06}-red.log", row.id)
    });
    let log = log.expect("a log");
    std::fs::remove_file(&log).expect("removed");
    std::os::unix::fs::symlink(played.run.path("config.toml"), &log).expect("linked");
    let error = copy("ada", "b").expect_err("changed").to_string();
    assert!(error.contains("it was changed after its game"), "{error}");
    assert!(!played.run.path("b").exists(), "half a copy is of no use");
}

#[test]
fn verify_names_the_first_game_of_a_copy_whose_pairings_depend_on_results() {
    let players = ["a", "b", "c", "d"]
        .map(|name| format!("[[player]]\nname = \"{name}\"\nhouse = \"random\"\n"));
    let swiss = "[format]\nkind = \"swiss\"\nrounds = 3\ngames-per-pairing = 2\n";
    let config = small_cachex(2, &[&players.concat()]).replace(
        "[format]\nkind = \"round-robin\"\ngames-per-pairing = 2\n",
        swiss,
    );
    let run = TestRun::played(&config);
    let original = Run::open(&run.out(), BUILT_IN).expect("a run");
    let copy = copy_ended_run(&original, "a", &run.path("copy"), &Scrub::new()).expect("copied");
    assert_eq!(copy.rows().expect("rows").count(), 6);
    run.referee("verify out").ok();
    run.referee("verify copy").fails(
        1,
        "and the plan and the results before it have no such game",
    );
    assert!(
        run.referee("games copy")
            .ok()
            .contains("referee replay copy ")
    );
}

/// A package of Python that fails in a module of its own. Under `landlock` it writes to a folder whose name tells of
/// the process.
#[test]
fn a_traceback_of_python_names_the_students_own_files_only() {
    let (Some(python), true) = (python(), landlock_holds()) else {
        return;
    };
    let player = format!(
        "[[player]]\nname = \"ada\"\ncommand = [{:?}, \"-u\", \"-m\", \"agent\"]\ndir = \"ada\"\n",
        python.program
    );
    let config = small_cachex(
        2,
        &["[limits]\nisolation = \"landlock\"\n", &player, RANDOM],
    );
    let run = TestRun::new(&config);
    std::fs::create_dir_all(run.path("ada/agent")).expect("made");
    run.write("ada/agent/__init__.py", "");
    run.write(
        "ada/agent/search.py",
        "def act(line):\n    raise ValueError(line)\n",
    );
    let main = "import os, sys\nfrom agent.search import act\n\
                print('in', os.environ['TMPDIR'], os.environ['HOME'], os.getcwd(), file=sys.stderr)\n\
                for line in sys.stdin:\n    word = line.split()[0]\n    \
                if word == 'referee':\n        print('bot 1 ada')\n    \
                elif word == 'start':\n        print('ready')\n    elif word == 'act':\n        act(line)\n";
    run.write("ada/agent/__main__.py", main);
    run.play(&["-j", "1"]);
    let mut scrub = Scrub::of_this_machine();
    scrub.replace(&run.path("ada"), ".");
    scrub.hide(run.folder());
    let original = Run::open(&run.out(), BUILT_IN).expect("a run");
    let copy = copy_ended_run(&original, "ada", &run.path("copy"), &scrub).expect("copied");
    let log = run.read("copy/stderr/0000/000000-red.log");
    assert!(log.starts_with("in … … .\n"), "{log}");
    assert!(
        log.contains("  File \"./agent/search.py\", line 2, in act\n"),
        "{log}"
    );
    assert!(log.contains("ValueError: act "), "{log}");
    let folder = run.folder().to_str().expect("text");
    assert_eq!(files_with(copy.path(), &[folder, "referee-bot-"]), []);
    let manifest = run.read("copy/manifest.toml");
    let program = Path::new(&python.program)
        .file_name()
        .expect("a name")
        .to_string_lossy();
    assert!(
        manifest.contains(&format!(
            "command = [\"{program}\", \"-u\", \"-m\", \"agent\"]"
        )),
        "{manifest}"
    );
}

#[test]
fn values_that_the_opponent_reported_are_not_in_a_copy() {
    let Some(python) = python() else {
        return;
    };
    let bot = "import sys\n\
               for line in sys.stdin:\n  word = line.split()[0]\n  \
               if word == 'referee': print('bot 1 b')\n  \
               if word == 'start': print('ready')\n  \
               if word == 'act': print('# value score 7'); print('a1')\n  \
               sys.stdout.flush()";
    let command = [python.program.as_str(), "-c", bot];
    let players =
        ["ada", "bob"].map(|name| format!("[[player]]\nname = {name:?}\ncommand = {command:?}\n"));
    let run = TestRun::played(&small_cachex(2, &players.each_ref().map(String::as_str)));
    let to = run.path("copy");
    let opened = Run::open(&run.path("out"), BUILT_IN).expect("a run");
    copy_ended_run(&opened, "ada", &to, &Scrub::new()).expect("copied");
    for row in run.games() {
        let name = format!("games/0000/{:06}.csv", row.id);
        let has_score = |log: String| log.contains("score=7");
        assert!(has_score(run.read(&format!("out/{name}"))));
        let is_own = row.names()[Seat::FIRST] == "ada";
        assert_eq!(has_score(run.read(&format!("copy/{name}"))), is_own);
    }
    run.referee("verify copy").ok();
}
