//! A class that hands in as classes do, by Canvas and by Moodle: each student plays, or is told the reason that is true.

use std::fs;

use crate::grade_submissions::archives::{FILE, PROGRAM, Zipped, zip};
use crate::support::python::python;
use crate::support::{REFEREE, TestRun, columns, root};

type Uploads = Vec<(&'static str, Vec<u8>)>;

struct Student {
    name: &'static str,
    module: &'static str,
    uploads: Uploads,
    /// Words of the problem; empty if it plays.
    told: &'static str,
}

/// A class of nobody who plays: in this layout, with this roster and these files below the folder of submissions.
fn unplayed(layout: &str, roster: &str, files: &[(&str, &str)]) -> TestRun {
    let run = TestRun::new("");
    fs::create_dir(run.path("in")).expect("made");
    for (name, text) in files {
        run.write(&format!("in/{name}"), text);
    }
    run.write("roster.csv", roster);
    let config = format!(
        "seed = 1\n[class]\nroster = \"roster.csv\"\nsubmissions = \"in\"\nlayout = {layout:?}\n\
             [submission]\ncommand = [\"sh\", \"bot.sh\"]\n[game]\nname = \"cachex\"\nsize = 3\n\
             [limits]\nisolation = \"containment\"\n[[test]]\nagainst = [\"random\"]\ngames = 2\nmarks = 3\n"
    );
    run.write("class.toml", &config);
    run
}

#[test]
fn who_may_have_handed_in_is_held_and_not_without_marks() {
    let metadata = "submission_1:\n  :submitters:\n  - :sid: a\n  - :sid: b\n";
    let files = [
        ("submission_metadata.yml", metadata),
        ("submission_1/bot.sh", ""),
    ];
    let run = unplayed("gradescope", "id,team\na,T\nb,U\nc,\n", &files);
    let checked = run.referee("grade class.toml --out out --check");
    assert_eq!(checked.exit, 1, "{checked:?}");
    let words = "2 handed in, 2 of them too late or no bot; 0 games";
    assert_has!(checked.stdout, words);
    let graded = run.referee("grade class.toml --out out").done();
    assert_has!(graded.stdout, "0 graded, 1 none, 0 late, 0 broken, 2 held");
    for row in &run.table("marks.csv")[..2] {
        let why = "`submission_1` is of `T`, `U` by its metadata, and ";
        assert!(row["note"].starts_with(why), "{row:?}");
        assert_eq!((&*row["status"], &*row["total"]), ("held", ""), "{row:?}");
    }
}

#[test]
fn the_column_module_names_the_folder_that_plays() {
    let bot = format!("exec {REFEREE:?} bot random\n");
    let bots = [
        "a/one/bot.sh",
        "a/two/bot.sh",
        "b/one/bot.sh",
        "b/two/bot.sh",
    ];
    let files = bots.map(|name| {
        (
            name,
            if name == "a/one/bot.sh" {
                "exit 1\n"
            } else {
                &bot
            },
        )
    });
    let run = unplayed("folders", "id,module\na,two\nb,three\n", &files);
    let checked = run.referee("grade class.toml --out out --check");
    let why = "b: it is not decided which of its folders plays: nothing is called `three`; leave one of them, or name it \
               in the column `module` of the roster";
    let told = checked
        .stdout
        .lines()
        .take_while(|line| !line.starts_with("class.toml: "));
    assert_eq!(told.collect::<Vec<_>>(), [why], "{checked:?}");
    let of_b = "grade class.toml --out out --only b";
    run.referee(of_b).done();
    let feedback = run.read("out/feedback/b/feedback.md");
    let words = "before it counts: it is not decided which of its folders plays.\n";
    assert_has!(feedback, words);
    assert_lacks!(feedback, "## Marks");
}

/// A package with its own board, which it imports in this way.
fn program(import: &str) -> String {
    let example = root().join("bots/course-adapters/examples/wanderer_2025/program.py");
    let text = fs::read_to_string(example).expect("text");
    format!("{import}\n{text}")
}

/// An archive of files, of which `P` has the agent and `E` is an agent that must not play.
fn zipped(entries: &[(&str, &str)], mode: u32) -> Vec<u8> {
    let entries: Vec<Zipped> = entries
        .iter()
        .map(|(name, text)| Zipped::file(name.as_bytes(), content(text).as_bytes()).mode(mode))
        .collect();
    zip(&entries)
}

fn content(text: &str) -> String {
    match text {
        "P" => program(""),
        "E" => "import referee.nothing\nclass Agent:\n    pass\n".to_owned(),
        text if text.contains("import board")
            || text.contains("from .")
            || text.contains("from agent.") =>
        {
            program(text)
        }
        text => text.to_owned(),
    }
}

/// The students, each with the files that they hand in; in an archive, or one by one.
const CLASS: [&str; 20] = [
    "alone | agent/__init__.py=from .program import Agent\n; agent/program.py=P",
    "beside | agent/program.py=P; agent_old/program.py=E",
    "chosen | agent/program.py=E; agent_old/program.py=P",
    "commit | repo/.git/HEAD=x; repo/.history/agent/program.py=E; repo/.ipynb_checkpoints/program.py=E; \
     __MACOSX/repo/agent/program.py=E; repo/node_modules/agent/program.py=E; repo/env/pyvenv.cfg=; \
     repo/env/x/agent/program.py=E; repo/agent/program.py=P",
    "deep | repo-main/COMP/project/part_b/src/agent/program.py=P",
    "flat | program.py=import board; board.py=",
    "flat-by-name | program.py=from agent.board import X; board.py=X = 1\n",
    "flat-relative | program.py=from .board import X; board.py=X = 1\n",
    "hidden | agent/program.py=P; .vscode/settings.json={}; .gitignore=",
    "initial | agent/__init__.py=from .best import Agent\n; agent/best.py=P; agent/worse.py=E",
    "loose | program.py=P",
    "loose-more | board.py=; program.py=import board; report.pdf=x",
    "loose-package | __init__.py=from .program import Agent\n; board.py=X = 1\n; program.py=from agent.board import X",
    "nested | agent/program.py=P",
    "nobody | agent/main.py=class Brain:\n    pass\n",
    "parts | repo/part_a/program.py=E; repo/part_b/agent/program.py=P; repo/README.md=",
    "renamed | repo/thinker/program.py=P; repo/tools/fake.py=E",
    "twice | repo/part_a/agent/program.py=P; repo/part_b/agent/program.py=P",
    "two-names | bots/one.py=P; bots/two.py=P",
    "windows | agent\\program.py=P",
];

fn class() -> [Student; 20] {
    CLASS.map(|row| {
        let [name, files] = columns(row);
        let files = files.split("; ").map(|file| file.split_once('='));
        let files: Vec<(&str, &str)> = files.map(|file| file.expect("a file")).collect();
        let one_by_one = files
            .iter()
            .map(|(name, text)| (*name, content(text).into_bytes()));
        let uploads = match name {
            "nested" => {
                let inner = zipped(&files, PROGRAM);
                let report = Zipped::file(b"report.pdf", b"x");
                let outer = zip(&[Zipped::file(b"project.zip", &inner), report]);
                vec![("project.zip", outer)]
            }
            "windows" => {
                let report = ("report.docx", b"x".to_vec());
                vec![("project.zip", zipped(&files, 0)), report]
            }
            _ if name.starts_with("loose") => one_by_one.collect(),
            _ => vec![("project.zip", zipped(&files, FILE))],
        };
        let told = match name {
            "nobody" => "it has no module that plays: ",
            "twice" | "two-names" => "has to hold one file with a class Agent; found: ",
            _ => "",
        };
        let module = if name == "chosen" { "agent_old" } else { "" };
        Student {
            name,
            module,
            uploads,
            told,
        }
    })
}

fn handed_in(layout: &str, students: &[Student]) -> TestRun {
    let run = TestRun::new("");
    fs::create_dir(run.path("in")).expect("made");
    let mut roster = "id,name,lms_id,module\n".to_owned();
    for (number, student) in (101..).zip(students) {
        let Student { name, module, .. } = student;
        roster.push_str(&format!("{name},\"{name}, Ann\",{number},{module}\n"));
        for (file, (upload, bytes)) in (9001..).zip(&student.uploads) {
            let letters = name.replace('-', "");
            let entry = match layout {
                "canvas" => format!(
                    "{letters}ann_{number}_{file}_{}",
                    upload.replace(".py", "-1.py")
                ),
                _ => format!("Ann {name}_{number}_assignsubmission_file_{upload}"),
            };
            fs::write(run.path("in").join(entry), bytes).expect("written");
        }
    }
    run.write("roster.csv", &roster);
    let bots = root().join("bots/course-adapters");
    let package = bots.join("examples/package");
    // The name that the course has anyway.
    let module = if layout == "moodle" {
        "module = \"agent\"\n"
    } else {
        ""
    };
    let adapter = bots.join("adapter.py");
    let config = format!(
        "seed = 1\nopening-plies = 0\ncourse-files = {package:?}\n\
         [class]\nroster = \"roster.csv\"\nsubmissions = \"in\"\nlayout = {layout:?}\n\
         deadline = 2026-05-20T23:59:00Z\n[late]\nmarks-per-day = 1\n\
         [submission]\ncourse = \"comp30024-2025\"\nadapter = {adapter:?}\n{module}\
         [game]\nrules = [\"python3\", {:?}, {package:?}]\n\
         [limits]\nhandshake = \"3m\"\nstart = \"3m\"\n\
         [[reference]]\nname = \"wanderer\"\ndir = {:?}\n\
         command = [\"python3\", \"../adapter.py\", \"comp30024-2025\", \"wanderer_2025\"]\n\
         [[test]]\nagainst = [\"wanderer\"]\ngames = 2\nmarks = 3\n",
        root().join("examples/rules/comp30024.py"),
        bots.join("examples"),
    );
    run.write("class.toml", &config);
    run
}

#[test]
#[ignore = "slow"]
fn a_class_plays_or_is_told_the_reason_that_is_true() {
    needed!(python());
    let students = class();
    for layout in ["canvas", "moodle"] {
        let run = handed_in(layout, &students);
        let checked = run.referee("grade class.toml --out out --check");
        let problems: Vec<&str> = checked.stdout.lines().collect();
        let equal =
            "hidden: hands in the same program as `loose`, `nested`, `windows`, byte for byte";
        assert!(
            problems.iter().any(|line| line.starts_with(equal)),
            "{checked:?}"
        );
        let problems = problems
            .iter()
            .filter(|line| !line.contains(" the same program as "));
        let problems: Vec<&&str> = problems.collect();
        for Student { name, told, .. } in &students {
            let of_student = format!("{name}: ");
            let problem = problems
                .iter()
                .find_map(|line| line.strip_prefix(&of_student));
            let is_as_told = match problem {
                None => told.is_empty(),
                Some(words) => !told.is_empty() && words.contains(told),
            };
            assert!(is_as_told, "{layout} {name}: {problem:?}\n{checked:?}");
        }
    }
}

#[test]
#[ignore = "slow"]
fn who_is_fit_to_play_plays_without_a_forfeit() {
    needed!(python());
    let students = class();
    let run = handed_in("canvas", &students);
    run.referee("grade class.toml --out out -j 2").done();
    let marks = run.table("marks.csv");
    for (row, Student { name, told, .. }) in marks.iter().zip(&students) {
        let status = match *told {
            "" => "graded",
            words if words.starts_with("it has no module") => "broken",
            _ => "held",
        };
        assert_eq!((&*row["id"], &*row["status"]), (*name, status), "{row:?}");
        let others = "of the files with a class Agent, `agent/program.py` plays, and not agent_old/program.py";
        assert_eq!(row["note"].contains(others), *name == "beside", "{row:?}");
        if status == "graded" {
            // Canvas tells who is late, so a time that nobody knows is in time.
            assert!(!row["note"].contains("nobody knows"), "{row:?}");
            assert_eq!(
                (&*row["forfeits_crash"], &*row["wanderer_games"]),
                ("0", "2"),
                "{row:?}"
            );
        }
    }
}
