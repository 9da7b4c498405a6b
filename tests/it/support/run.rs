//! A tournament run by the program, and the files that it writes.

use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use referee::game::BUILT_IN;
use referee::runs::{GameRow, Rows, RunFileError};
use tempfile::TempDir;

use super::files::files_below;
use super::program::{REFEREE, Ran, referee_in};
use super::tables::{Table, rows};

/// A folder with `config.toml`, and with the results in `out`. It is removed with this value.
pub struct TestRun(TempDir);

impl TestRun {
    pub fn new(config: &str) -> Self {
        let run = Self(tempfile::tempdir().expect("a folder"));
        run.configure(config);
        run
    }

    /// Plays a configuration to its end, two games at a time.
    pub fn played(config: &str) -> Self {
        let run = Self::new(config);
        run.play(&["-j", "2"]);
        run
    }

    /// Plays a configuration one game at a time, which keeps the journal in order.
    pub fn played_in_order(config: &str) -> Self {
        let run = Self::new(config);
        run.play(&["-j", "1"]);
        run
    }

    pub fn configure(&self, config: &str) {
        self.write("config.toml", config);
    }

    /// A file or folder in the folder of the test.
    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn folder(&self) -> &Path {
        self.0.path()
    }

    /// Lets other users read the folder: in `strict`, root's bots run as nobody.
    pub fn open_to_others(&self) {
        let open = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(self.folder(), open).expect("changed");
    }

    pub fn out(&self) -> PathBuf {
        self.path("out")
    }

    /// Writes a file, and makes the folders that it is in.
    pub fn write(&self, name: &str, text: &str) {
        std::fs::write(self.place(name), text).expect("written");
    }

    /// Copies a file, and makes the folders that the copy is in.
    pub fn copy(&self, file: &Path, name: &str) {
        std::fs::copy(file, self.place(name)).expect("copied");
    }

    fn place(&self, name: &str) -> PathBuf {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        path
    }

    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).expect(name)
    }

    /// The files of the pages in a folder, with what they say.
    pub fn pages(&self, folder: &str) -> BTreeMap<String, String> {
        let folder = self.path(folder);
        let files = files_below(&folder).into_iter();
        files
            .map(|file| {
                let text = std::fs::read_to_string(&file).expect("text");
                let name = file.strip_prefix(&folder).expect("inside");
                (name.display().to_string(), text)
            })
            .collect()
    }

    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(REFEREE);
        command
            .args(["run", "config.toml", "--out", "out"])
            .args(args)
            .env_remove("PYTHONUNBUFFERED")
            .current_dir(self.folder());
        command
    }

    pub fn run(&self, args: &[&str]) -> Ran {
        self.command(args).output().expect("it runs").into()
    }

    /// Runs the tournament, which must succeed, and gives what it prints at the end.
    #[track_caller]
    pub fn play(&self, args: &[&str]) -> String {
        let ran = self.run(args).done();
        ran.stdout
    }

    /// Any command in this folder, as a line.
    pub fn referee(&self, line: &str) -> Ran {
        referee_in(self.folder(), line)
    }

    /// Grades the class of `class.toml` into `out`, which must succeed.
    #[track_caller]
    pub fn grade(&self, options: &str) -> Ran {
        let ran = self.referee(&format!(
            "grade class.toml --out out -j 2 --quiet {options}"
        ));
        assert_eq!(ran.exit, 0, "{ran:?}");
        ran
    }

    /// Plays these many shards of the plan in `plan`, one after another.
    #[track_caller]
    pub fn work(&self, shards: u32) {
        for shard in 0..shards {
            let line = format!("work plan --shard {shard}/{shards} --quiet");
            self.referee(&line).ok();
        }
    }

    /// The journal, in the order in which games ended.
    pub fn games(&self) -> Vec<GameRow> {
        read_games(&self.path("out/games.csv")).expect("a journal")
    }

    pub fn table(&self, file: &str) -> Table {
        rows(&self.out().join(file))
    }

    /// The journal as it is written, by the number of the game.
    pub fn rows(&self) -> Table {
        let mut rows = self.table("games.csv");
        rows.sort_by_key(|row| row["id"].parse::<u64>().expect("a number"));
        rows
    }

    /// Cuts the journal off after its first games, as a kill does.
    pub fn keep_games(&self, games: usize) {
        let journal = self.read("out/games.csv");
        let kept: String = journal.split_inclusive('\n').take(1 + games).collect();
        self.write("out/games.csv", &kept);
    }

    pub fn plies(&self, id: usize) -> Table {
        self.table(&format!("games/0000/{id:06}.csv"))
    }

    pub fn wait_for_games(&self, games: usize) {
        let journal = self.path("out/games.csv");
        wait_until(|| {
            let text = std::fs::read_to_string(&journal).unwrap_or_default();
            text.lines().count() > games
        });
    }
}

pub fn read_games(path: &Path) -> Result<Vec<GameRow>, RunFileError> {
    let rows = Rows::open(path, BUILT_IN)?;
    rows.collect::<Result<_, _>>()
}

/// Waits, for a minute at most.
#[track_caller]
pub fn wait_until(mut happened: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !happened() {
        let waited = begun.elapsed();
        assert!(waited < Duration::from_secs(60), "nothing happened");
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Waits until no process has this variable in its environment, which bots and builds inherit.
#[track_caller]
pub fn wait_for_the_end_of_all_with(variable: &str) {
    let is_marked = |process: std::fs::DirEntry| {
        let environment = std::fs::read(process.path().join("environ")).unwrap_or_default();
        let mut variables = environment.split(|byte| *byte == 0);
        variables.any(|one| one == variable.as_bytes())
    };
    wait_until(|| {
        let processes = std::fs::read_dir("/proc").expect("processes");
        !processes.flatten().any(is_marked)
    });
}
