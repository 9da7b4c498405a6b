//! The starter kits in `bots/`, with their languages' real compilers and interpreters.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use libtest_mimic::{Arguments, Trial};
use referee::game::BUILT_IN;
use referee::runs::{GameRow, Rows};

#[path = "it/support/needs.rs"]
mod needs;

/// A kit's folder, and the programs that it needs.
const KITS: [(&str, &[&str]); 6] = [
    ("starter-python", &["python3"]),
    ("starter-javascript", &["node"]),
    ("starter-java", &["javac", "java"]),
    ("starter-cpp", &["g++"]),
    ("starter-rust", &["rustc"]),
    ("starter-go", &["go"]),
];

/// A trial that prints what it skips, which the usual tests would keep to themselves.
fn trial(name: String, test: impl Fn() + Send + 'static) -> Trial {
    Trial::test(name, move || {
        test();
        Ok(())
    })
}

fn main() {
    let trials = KITS.iter().flat_map(|kit| {
        let name = kit.0.replace('-', "_");
        [
            trial(format!("{name}_begins_as_its_page_says"), || {
                begins_as_its_page_says(*kit);
            }),
            trial(format!("{name}_is_short"), || is_short(kit.0)),
        ]
    });
    let ended = libtest_mimic::run(&Arguments::from_args(), trials.collect());
    // By its name, this is the last test program.
    needs::tell_totals();
    ended.exit();
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn is_possible(programs: &[&str]) -> bool {
    let mut programs = programs.iter();
    programs.all(|name| needs::command(name).is_some())
}

/// A folder outside the repository with the bot `mine`, which `referee new` made of the kit, and the first line that
/// it says to type.
fn new_bot(kit: &str) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let language = kit.strip_prefix("starter-").expect("a starter kit");
    let ran = shell(
        folder.path(),
        &format!("referee new bot mine --lang {language}"),
    );
    assert!(ran.status.success(), "{ran:?}");
    let said = String::from_utf8(ran.stdout).expect("text");
    let mut next = said.lines().filter_map(|line| line.strip_prefix("    "));
    let next = next.next().expect("a line to type").to_owned();
    (folder, next)
}

/// Runs a line of a shell in a folder, with this build of `referee` in `PATH`.
fn shell(folder: &Path, line: &str) -> Output {
    let program = Path::new(env!("CARGO_BIN_EXE_referee"));
    let programs = program.parent().expect("a folder").display();
    Command::new("sh")
        .args(["-c", &format!("PATH={programs}:$PATH; {line}")])
        .current_dir(folder)
        .output()
        .expect("a shell")
}

/// That all games were played to an end which is nobody's fault.
fn assert_clean(journal: &Path, each: usize) {
    let rows: Vec<GameRow> = Rows::open(journal, BUILT_IN)
        .and_then(Iterator::collect::<Result<Vec<_>, _>>)
        .expect("a journal");
    for game in ["watch-your-back", "cachex", "dark-chess"] {
        let played = rows.iter().filter(|row| row.game.name() == game).count();
        assert_eq!(played, each, "{game}");
    }
    for row in rows {
        assert_eq!(row.forfeited_by(), "", "{row:?}");
    }
}

/// Does all that the kit's page says, as it says it.
fn begins_as_its_page_says((kit, programs): (&str, &[&str])) {
    if !is_possible(programs) {
        return;
    }
    let (folder, next) = new_bot(kit);
    let page = fs::read_to_string(folder.path().join("mine/README.md")).expect("a page");
    let lines = page.lines().filter_map(|line| line.strip_prefix("    "));
    let lines: Vec<&str> = lines.collect();
    assert!(lines.len() >= 3, "{lines:?}");
    assert_eq!(lines[0], next);
    for line in lines {
        let ran = shell(folder.path(), line);
        assert!(ran.status.success(), "{line}: {ran:?}");
        let said = String::from_utf8_lossy(&ran.stderr);
        // A busy machine is warned of, and a run that takes longer says how far it is.
        let is_usual = |said: &str| said.starts_with("warning: ") || said.contains(" games  ");
        assert!(said.lines().all(is_usual), "{line}: {said}");
    }
    assert_clean(&folder.path().join("results/mine/games.csv"), 20);
}

/// That the kit is short, and its page fits a screen.
fn is_short(kit: &str) {
    let mut programs = 0;
    for entry in fs::read_dir(root().join("bots").join(kit)).expect(kit) {
        let path = entry.expect("an entry").path();
        let most = match path.extension().and_then(|ending| ending.to_str()) {
            Some("md" | "toml") => 40,
            Some("py" | "js" | "java" | "cpp" | "rs") => 124,
            // Its formatter puts each statement on a line of its own.
            Some("go") => 184,
            _ => continue,
        };
        programs += usize::from(most >= 124);
        let lines = fs::read_to_string(&path).expect("text").lines().count();
        assert!(lines <= most, "{}: {lines} lines", path.display());
    }
    assert_eq!(programs, 1, "{kit}");
}
