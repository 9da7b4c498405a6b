//! Words and files of a grading after the course, the roster or the configuration changed.

use std::fs;

use crate::support::{REFEREE, Ran, TestRun};

const RANDOM: &str = "exec \"$REFEREE\" bot random\n";

fn class_of(ids: &[&str], more: &str) -> TestRun {
    let class = TestRun::new("");
    let config = format!(
        "name = \"class\"\nseed = 11\ncourse-files = \"course\"\n\
         [class]\nroster = \"roster.csv\"\nsubmissions = \"in\"\n\
         [submission]\ncommand = [\"sh\", \"bot.sh\"]\nenv = {{ REFEREE = {REFEREE:?} }}\n\
         [game]\nname = \"cachex\"\nsize = 3\n[limits]\nisolation = \"containment\"\n\
         [[test]]\nagainst = [\"random\"]\nmarks = 8\ngames = 4\n{more}"
    );
    class.write("class.toml", &config);
    class.write("course/notes.txt", "the first\n");
    let rows: String = ids.iter().map(|id| format!("{id},\n")).collect();
    class.write("roster.csv", &format!("id,team\n{rows}"));
    for id in ids {
        class.write(&format!("in/{id}/bot.sh"), &format!("# {id}\n{RANDOM}"));
    }
    class
}

fn grade(class: &TestRun) -> Ran {
    class.referee("grade class.toml --out out -j 2").done()
}

/// The line that says which known games are not used, and whether games were played after it.
fn unused(ran: &Ran) -> (Option<&str>, bool) {
    let lines: Vec<&str> = ran.stderr.lines().collect();
    let told = lines.iter().position(|line| line.starts_with("games: "));
    let played = lines.iter().position(|line| line.starts_with("round 1: "));
    (told.map(|at| lines[at]), told.is_some() && told < played)
}

#[test]
#[ignore = "slow"]
fn known_games_that_are_not_used_any_more_are_counted_before_others_are_played() {
    let class = class_of(&["s1", "s2"], "");
    assert_eq!(unused(&grade(&class)), (None, false));
    class.write("course/notes.txt", "a comment\n");
    let told = "games: 8 known games of 2 students and teams will not be used any more, and such games are played \
                again: since they were played, the files in `course-files` changed (";
    let ran = grade(&class);
    let (line, is_before) = unused(&ran);
    let line = line.unwrap_or_default();
    assert!(
        line.starts_with(told) && line.ends_with("course)"),
        "{ran:?}"
    );
    assert!(is_before, "{ran:?}");
    assert_has!(class.read("out/problems.txt"), told);
    assert_eq!(unused(&grade(&class)), (None, false));
    class.write("course/notes.txt", "another\n");
    let again = class
        .referee("grade class.toml --out out --only s2 --again")
        .done();
    let one = "games: 4 known games of 1 student or team will not be used any more, ";
    assert_has!(again.stderr, one);
    let ran = grade(&class);
    assert!(
        unused(&ran).0.is_some_and(|line| line.starts_with(one)),
        "{ran:?}"
    );

    // Another submission has games of its own.
    class.write("in/s1/bot.sh", &format!("# better\n{RANDOM}"));
    assert_eq!(unused(&grade(&class)), (None, false));
    let config = class.read("class.toml");
    class.write("class.toml", &config.replace("seed = 11", "seed = 12"));
    let ran = grade(&class);
    let (line, _) = unused(&ran);
    assert!(
        line.is_some_and(|it| it.contains("since they were played, seed was ")),
        "{ran:?}"
    );
}

#[test]
fn a_reference_that_all_bots_can_read_is_told() {
    let reference = format!(
        "[[reference]]\nname = \"staff\"\ndir = \"course/staff\"\ncommand = [\"sh\", \"bot.sh\"]\n\
                     env = {{ REFEREE = {REFEREE:?} }}\n[[test]]\nagainst = [\"staff\"]\nmarks = 2\ngames = 2\n"
    );
    let class = class_of(&["s1"], &reference);
    class.write("course/staff/bot.sh", RANDOM);
    let told = "reference staff: its `dir` lies in `course-files`, so the bots of all students can read its program";
    let check = class.referee("grade class.toml --out out --check");
    assert!(check.stdout.starts_with(told), "{check:?}");
    assert_eq!(check.exit, 1);
    let ran = grade(&class);
    assert_has!(ran.stderr, told);
    fs::create_dir(class.path("staff")).expect("made");
    class.write("staff/bot.sh", RANDOM);
    let config = class.read("class.toml");
    class.write("class.toml", &config.replace("course/staff", "staff"));
    let check = class.referee("grade class.toml --out out --check").done();
    assert_lacks!(check.stdout, "reference staff");
    let change = "reference staff: its folder or `build` has changed since the first grading, which kept a copy";
    assert_lacks!(ran.stderr, change);
    class.write("staff/bot.sh", &format!("# mended\n{RANDOM}"));
    assert_has!(grade(&class).stderr, change);
    assert_has!(class.read("out/problems.txt"), change);
    fs::remove_dir_all(class.path("out/work/references/staff")).expect("removed");
    assert_lacks!(grade(&class).stderr, change);
}

#[test]
fn feedback_goes_with_those_who_are_not_in_the_class_any_more() {
    let class = class_of(&["s1", "s2", "s3"], "");
    class.grade("");
    class.write("out/feedback/s1/mine.txt", "a note of the lecturer\n");
    class.write("roster.csv", "id,team\ns1,owls\ns3,owls\n");
    class.grade("--only s3");
    assert!(class.path("out/feedback/s2/index.html").exists());
    class.grade("");
    let there = |of: &str| {
        let entries = fs::read_dir(class.path(of)).expect("a folder").flatten();
        let names = entries.map(|entry| entry.file_name().into_string().expect("text"));
        let mut names: Vec<String> = names.collect();
        names.sort();
        names
    };
    assert_eq!(there("out/feedback"), ["owls", "s1"]);
    assert_eq!(there("out/feedback/s1"), ["mine.txt"]);
    assert_eq!(there("out/work/feedback"), ["owls"]);
}

#[test]
fn all_who_hand_in_one_program_are_named() {
    let ids = ["s1", "s2", "s3", "s4", "s5", "s6", "s7", "s8"];
    let class = class_of(&ids, "");
    for id in ids {
        class.write(&format!("in/{id}/bot.sh"), "exit 1\n");
    }
    class.grade("");
    let others = ids[1..].iter().map(|id| format!("`{id}`"));
    let others = others.collect::<Vec<_>>().join(", ");
    let line = format!("s1: hands in the same program as {others}, byte for byte\n");
    assert_has!(class.read("out/problems.txt"), &line);
    assert_has!(
        class.read("out/marks.csv"),
        line.trim_end().trim_start_matches("s1: ")
    );
    let page = class.read("out/class.html");
    let [_, needed] = page.split("Who needs a person").collect::<Vec<_>>()[..] else {
        panic!("{page}");
    };
    let words = "the same program, byte for byte: ";
    assert_has!(needed.split("All students").next().expect("a part"), words);
    for id in ids {
        let from = class.path(&format!("in/{id}/bot.sh"));
        fs::rename(from, class.path(&format!("in/{id}/x"))).expect("moved");
    }
    class.grade("");
    assert_lacks!(class.read("out/problems.txt"), "hands in the same program");
}

#[test]
fn a_student_is_told_which_of_two_submissions_counts() {
    let class = class_of(&["s1"], "");
    class.write("in/s1 (1)/bot.sh", "exit 1\n");
    let said = class.grade("--verbose").stdout;
    let [marks, feedback] =
        ["out/marks.csv", "out/feedback/s1/feedback.md"].map(|it| class.read(it));
    for text in [said, marks, feedback] {
        assert_has!(text, "handed in 2 times: `s1 (1)` is the latest and counts");
    }
}

#[test]
fn marks_are_filled_by_each_id_of_the_gradebook_that_is_the_roster() {
    let class = class_of(&["s1", "s2"], "");
    let gradebook = "Student,ID,SIS User ID,SIS Login ID,Section,M\n\"Li, Ann\",701,s1,ann7,A,\n\"Ma, Bo\",702,s2,bo8,A,\n";
    class.write("roster.csv", gradebook);
    for key in ["ID", "SIS User ID", "SIS Login ID"] {
        class.write("sheet.csv", gradebook);
        let said = class.grade(&format!("--fill sheet.csv --key \"{key}\" --column M"));
        assert_has!(said.stdout, "2 marks filled into sheet.csv\n");
        assert_lacks!(class.read("sheet.csv"), ",A,\n");
    }
}
