//! Which module of a submission plays: where it can be told, where the roster says it, and where a person has to.

use std::fs;
use std::path::PathBuf;

use crate::support::python::python;
use crate::support::{TestRun, files_below, root, write_executable};

const EMPTY: &str = "class Player:\n    pass\n";

/// Agents of 2018, of which only the right modules play.
fn write_submissions(run: &TestRun) {
    let example = root().join("bots/course-adapters/examples/wanderer_2018");
    let read = |name: &str| fs::read_to_string(example.join(name)).expect("text");
    let (player, board) = (read("player.py"), read("board.py"));
    // As it was written to be run among its own files.
    let flat = player.replace("from .board", "from board");
    let write = |path: &str, text: &str| run.write(&format!("submissions/{path}"), text);
    for student in ["several", "named", "missing"] {
        write(&format!("{student}/best.py"), &flat);
        write(&format!("{student}/board.py"), &board);
        write(&format!("{student}/old/Player.py"), EMPTY);
    }
    for number in 0..8 {
        write(&format!("long/{}{number}.py", "x".repeat(100)), EMPTY);
    }
    write("none/strategy.py", "class Brain:\n    pass\n");
    write("none/part_b.zip", "packed");
    // Its `__init__.py` makes no package of the folder in which it was run.
    write("flat/__init__.py", "");
    write("flat/player.py", &flat);
    write("flat/board.py", &board);
    // Its author imports within a package, so it is one.
    write("package/__init__.py", "");
    write("package/player.py", &player);
    write("package/board.py", &board);
}

#[test]
#[ignore = "slow"]
fn which_module_plays_is_told_or_named_and_else_the_mark_is_held() {
    needed!(python());
    let run = TestRun::new("");
    let adapter = root().join("bots/course-adapters/adapter.py");
    write_submissions(&run);
    // Each interpreter that the adapter gets is told apart by its word.
    let own = "#!/bin/sh\necho the course\\'s own >&2\nexec python3 \"$@\"\n";
    write_executable(&run.path("own-python"), own);
    let content =
        "id,module\nseveral,\nnamed,best\nmissing,bset.py\nlong,\nnone,\nflat,\npackage,\n";
    run.write("roster.csv", content);
    let terms = format!(
        "seed = 1\nopening-plies = 0\n[class]\nroster = \"roster.csv\"\nsubmissions = \"submissions\"\n\
             [submission]\ncourse = \"comp30024-2018\"\nadapter = {adapter:?}\npython = \"./own-python\"\n\
             [game]\nname = \"watch-your-back\"\nmax-plies = 26\n\
             [limits]\nisolation = \"containment\"\nhandshake = \"3m\"\nstart = \"3m\"\n\
             [reliability]\nmarks = 4\n\
             [[test]]\nagainst = [\"random\"]\ngames = 2\nmarks = 3\n"
    );
    run.write("class.toml", &terms);
    let config = run.read("class.toml");
    run.write("class.toml", &config.replace("./own-python", "./no-python"));
    let missing = run.referee("grade class.toml --out out --check");
    missing.fails(2, "no-python");
    run.write("class.toml", &config);
    let undecided = "it is not decided which module plays: ";
    let two = "has to hold one file with a class Player; found: best.py, old/Player.py; name one of them; name it in \
               the column `module` of the roster";
    let checked = run.referee("grade class.toml --out out --check");
    assert_eq!(checked.exit, 1, "{checked:?}");
    let told: Vec<&str> = checked.stdout.lines().collect();
    let has = |student: &str, words: &str| {
        let mut lines = told.iter().filter(|line| line.starts_with(student));
        lines.any(|line| line.contains(words))
    };
    assert!(
        has("several: ", undecided) && has("several: ", two),
        "{checked:?}"
    );
    assert!(has("missing: ", undecided), "{checked:?}");
    // Names are cut, and what to do is not.
    let cut = format!("{}...{}0.py, ", "x".repeat(40), "x".repeat(33));
    let advice = ", 3 more; name one of them; name it in the column `module` of the roster";
    assert!(has("long: ", &cut) && has("long: ", advice), "{checked:?}");
    assert!(
        has("none: ", "it has no module that plays: ")
            && has("none: ", "stay packed: `agent/part_b.zip`"),
        "{checked:?}"
    );
    for good in ["named: ", "flat: ", "package: "] {
        assert!(!has(good, ""), "{checked:?}");
    }
    run.referee("grade class.toml --out out -j 2").done();
    let marks = run.table("marks.csv");
    let of = |id: &str| marks.iter().find(|row| row["id"] == id).expect(id);
    for student in ["named", "flat", "package"] {
        let row = of(student);
        let expected = ("graded", "4.000", "0");
        let got = (
            &*row["status"],
            &*row["reliability_marks"],
            &*row["forfeits_crash"],
        );
        assert_eq!(got, expected, "{student}: {row:?}");
    }
    let logs = files_below(&run.path("out/work/runs/flat")).into_iter();
    let mut logs = logs.filter(|file| file.to_string_lossy().contains("/stderr/"));
    let is_told =
        |file: PathBuf| fs::read_to_string(file).is_ok_and(|text| text.contains("course's own"));
    assert!(logs.any(is_told), "`python` started the adapter");
    for student in ["several", "missing"] {
        let row = of(student);
        // Neither played nor 0.
        assert_eq!((&*row["status"], &*row["total"]), ("held", ""), "{row:?}");
        assert!(row["note"].starts_with(undecided), "{row:?}");
        assert!(!run.path(&format!("out/work/runs/{student}")).exists());
    }
    let wanted = ("broken", "0.000");
    assert_eq!((&*of("none")["status"], &*of("none")["total"]), wanted);
    // Once it is named, the same command plays it.
    let roster = run
        .read("roster.csv")
        .replace("several,\n", "several,best.py\n");
    run.write("roster.csv", &roster);
    run.referee("grade class.toml --out out -j 2").done();
    let marks = run.table("marks.csv");
    assert_eq!(marks[0]["status"], "graded", "{:?}", marks[0]);
}
