//! Whatever is wrong with one submission is told with its mark, and the class goes on: also for an ordinary user, who
//! cannot read what is closed to everybody.

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::Command;

use rustix::process::geteuid;

use crate::support::{REFEREE, Ran, Table, TestRun, columns, needs};

/// The user and the group of nobody on this machine.
const USER: u32 = 4711;

/// Students, how their bots are built, and what these do first.
const STUDENTS: [&str; 10] = [
    "good | exit 0 | ",
    "closed | mkdir -p out/in && echo x >out/in/file && chmod 000 out/in/file out/in out | ",
    "closed-and-fails | mkdir out && chmod 000 out && exit 1 | ",
    "deep | i=0; while [ $i -lt 900 ]; do mkdir d && cd d && i=$((i+1)); done | ",
    "closes | exit 0 | { mkdir mine; echo x >mine/file; chmod 000 mine/file mine; chmod 555 .; } 2>err.log; ",
    "unreadable-file | exit 0 | ",
    "unreadable-folder | exit 0 | ",
    "below | exit 0 | ",
    "two-folders | exit 0 | ",
    "long | d=$(printf %0200d 0); d=$d/$d/$d/$d/$d/$d; d=$d/$d; mkdir -p a/$d b/$d && mv b a/$d/ | ",
];

fn close(path: &Path) {
    fs::set_permissions(path, Permissions::from_mode(0o000)).expect("set");
}

fn move_into(folder: &Path, below: &[&str]) {
    for name in ["bot.sh", "build.sh"] {
        let text = fs::read(folder.join(name)).expect("read");
        fs::remove_file(folder.join(name)).expect("removed");
        for place in below.iter().map(|it| folder.join(it)) {
            fs::create_dir_all(&place).expect("made");
            fs::write(place.join(name), &text).expect("written");
        }
    }
}

fn class() -> TestRun {
    let test = |name| {
        format!("[[test]]\nname = \"{name}\"\nagainst = [\"random\"]\nmarks = 4\ngames = 2\n")
    };
    let run = TestRun::new("");
    let ids = STUDENTS.map(|row| columns::<3>(row)[0]);
    run.write("roster.csv", &format!("id\n{}\n", ids.join("\n")));
    let config = format!(
        "seed = 11\n[class]\nroster = \"roster.csv\"\nsubmissions = \"in\"\n\
             [submission]\ncommand = [\"sh\", \"bot.sh\"]\nbuild = [\"sh\", \"build.sh\"]\n\
             [game]\nname = \"cachex\"\nsize = 4\n[limits]\nisolation = \"containment\"\n{}{}",
        test("one"),
        test("two")
    );
    run.write("class.toml", &config);
    for [id, build, play] in STUDENTS.map(columns) {
        let bot = format!("# {id}\n{play}exec {REFEREE:?} bot random\n");
        run.write(&format!("in/{id}/build.sh"), build);
        run.write(&format!("in/{id}/bot.sh"), &bot);
    }
    run.write("in/unreadable-file/notes.txt", "text");
    move_into(&run.path("in/below"), &["project/src"]);
    fs::create_dir(run.path("in/below/venv")).expect("made");
    symlink("/usr/lib", run.path("in/below/venv/lib64")).expect("made");
    run.write("in/below/report.pdf", "text");
    move_into(&run.path("in/two-folders"), &["a", "b"]);
    close(&run.path("in/unreadable-file/notes.txt"));
    close(&run.path("in/unreadable-folder"));
    run
}

/// A command of an ordinary user in the folder of a class, which is theirs; `None`, after a line that says so, where
/// there can be none.
fn as_ordinary_user(run: &TestRun) -> Option<Command> {
    let mut command = Command::new("env");
    if geteuid().is_root() {
        command = needs::command("setpriv")?;
        command.args(["--reuid=4711", "--regid=4711", "--clear-groups"]);
        let owner = format!("{USER}:{USER}");
        let mut chown = Command::new("chown");
        let given = chown.args(["-R", &owner]).arg(run.folder()).status();
        assert!(given.expect("started").success());
    }
    let mut probe = Command::new(command.get_program());
    let reached = probe
        .args(command.get_args())
        .args(["test", "-x", REFEREE])
        .status();
    if !reached.is_ok_and(|it| it.success()) {
        needs::skip("a clone that every user can read");
        return None;
    }
    command.arg(REFEREE).env("TMPDIR", run.folder());
    command.current_dir(run.folder());
    Some(command)
}

fn told(marks: &Table) -> Vec<[&str; 3]> {
    let row = marks
        .iter()
        .map(|row| [&*row["id"], &*row["status"], &*row["note"]]);
    row.collect()
}

#[test]
#[ignore = "slow"]
fn what_one_student_hands_in_or_leaves_behind_ends_nobodys_grading() {
    for is_ordinary in [false, true] {
        let run = class();
        let user = match is_ordinary {
            true => as_ordinary_user(&run),
            false => geteuid().is_root().then(|| {
                let mut command = Command::new(REFEREE);
                command.current_dir(run.folder());
                command
            }),
        };
        let Some(mut command) = user else {
            continue;
        };
        command.args(["grade", "class.toml", "--out", "out", "-q", "-j", "2"]);
        let grade = &mut || Ran::from(command.output().expect("it runs"));
        grade().done();
        let marks = run.table("marks.csv");
        // Root reads what is closed.
        let unread = if is_ordinary { "held" } else { "graded" };
        let statuses = [
            "graded", "graded", "broken", "broken", "graded", unread, unread, "graded", "held",
            "broken",
        ];
        for ([id, status, note], expected) in told(&marks).into_iter().zip(statuses) {
            assert_eq!(status, expected, "{id}: {note}");
            let words = match (id, status) {
                ("closed-and-fails", _) => "it cannot be built: ",
                ("deep", _) => "after its build, folders lie more than 100 deep in it",
                ("long", _) => "after its build, a path in it has more than 2000 bytes",
                ("below", _) => {
                    "left out of what was handed in: `venv`; the folder `project/src` was taken for what was handed in"
                }
                ("two-folders", _) => {
                    "it is not decided which of its folders plays: no `bot.sh` at the top; found `a/bot.sh`, `b/bot.sh`; \
                     leave one of them, or name it in the column `module` of the roster"
                }
                (_, "held") => "what was handed in cannot be read here: ",
                _ => "",
            };
            assert!(note.starts_with(words), "{id}: {note}");
            assert!(
                status != "held" || id == "two-folders" || note.contains("Permission denied"),
                "{id}: {note}"
            );
        }
        assert_eq!(&*marks[4]["forfeits_crash"], "0");
        grade().done();
        assert_eq!(run.table("marks.csv"), marks, "graded again");

        // A run that cannot be read any longer holds one mark, and withholds one student's feedback.
        let runs = run.path("out/work/runs/good/one");
        let damaged = fs::read_dir(runs).expect("runs");
        let damaged = damaged.flatten().next().expect("a run");
        fs::write(damaged.path().join("manifest.toml"), "?").expect("written");
        fs::remove_dir_all(run.path("out/feedback")).expect("removed");
        let ran = grade();
        assert_has!(ran.stderr, "all is written but the feedback of good: ");
        let now = run.table("marks.csv");
        assert_eq!(&*now[0]["status"], "held", "{:?}", now[0]);
        assert_eq!(now[1..], marks[1..], "the others");
        for [id, _, _] in STUDENTS.map(columns).into_iter().skip(1) {
            let path = format!("out/feedback/{id}/feedback.md");
            assert!(run.path(&path).exists(), "{id}");
        }
    }
}
