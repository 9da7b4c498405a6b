//! Whose submission each entry of a folder is, in the layouts that systems export.

use std::fs::{self, File};
use std::io::Write;
use std::path::Path;
use std::time::{Duration, SystemTime};

use referee::grade::{IntakeIssue, Layout, Matched, submissions};

use super::rosters::read;
use crate::support::columns;

const ROSTER: &str = "\
id,team,name,email
1001,,Ann Lee,ann@x.edu
1002,Owls,Bo Chen,bo@x.edu
1003,Owls,Cy Diaz,cy@x.edu
1004,,Di  Eco,di@x.edu
10,,Ed Fox,ed@x.edu
10-2,,Flo Gil,flo@x.edu
a/b,,Gus Hahn,gus@x.edu
abe,,Abe,abe@x.edu
ABE,,Abe Two,abe2@x.edu
twin-1,,Sam Same,sam1@x.edu
twin-2,,Sam Same,sam2@x.edu
";

/// A submissions folder with these entries: one that ends with `/` is a folder with a file. Each is newer
/// than the one before it.
fn folder<'a>(entries: impl IntoIterator<Item = &'a str>) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (age, name) in (1..).zip(entries) {
        let path = folder.path().join(name);
        let file = match name.ends_with('/') {
            true => {
                fs::create_dir(&path).expect("made");
                path.join("agent.py")
            }
            false => path,
        };
        let mut file = File::create(file).expect("made");
        file.write_all(name.as_bytes()).expect("written");
        let time = SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000 + age * 60);
        file.set_modified(time).expect("set");
    }
    folder
}

fn name_of(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

fn matched(folder: &Path, layout: Layout) -> Result<Matched, String> {
    let (mut roster, problems) = read(ROSTER.as_bytes()).expect("a roster");
    assert_eq!(problems, []);
    let place = folder.display().to_string();
    submissions(folder, layout, &mut roster)
        .map_err(|error| error.to_string().replace(&place, "FOLDER"))
}

/// Each entrant with its submission, and then the problems.
fn screen(folder: &Path, layout: Layout) -> String {
    let matched = matched(folder, layout).expect("a folder");
    let mut lines = Vec::new();
    for (entrant, found) in matched.entrants.iter().zip(matched.found) {
        let what = found.map(|found| {
            let name = found.path.strip_prefix(folder).expect("below").display();
            let time = found.submitted.map(|time| format!(", {time}"));
            let name = format!("{name}{}", time.unwrap_or_default());
            let why = found.undecided.map(|why| format!("held, since {why}"));
            why.unwrap_or(name)
        });
        let what = what.unwrap_or("none".to_owned());
        lines.push(format!("{} <- {what}", entrant.key));
    }
    lines.extend(matched.problems.iter().map(IntakeIssue::to_string));
    lines.join("\n")
}

#[test]
fn folders_and_archives_are_found_by_id_team_and_address() {
    let folder = folder("1001_first.zip, 1001-second.TAR.GZ, 1001/, owls.tgz, 1003.zip, di@x.edu/, 10-2_agent.zip, \
        10-3.zip, abe.zip, ABE.zip, AbE.zip, 10011.zip, nobody/, marks.csv, \u{1b}[2Jevil.zip, .hidden, \
        __MACOSX/".split(", "));
    assert_screen!(screen(folder.path(), Layout::Folders));
}

#[test]
fn the_name_of_an_assignment_may_stand_before_the_ids_of_all() {
    let roster = "id\nann\nbo-b\ncy\nb\nlee\n";
    let of = |entries: &[&str]| found(roster, Layout::Folders, entries);
    // As GitHub Classroom names them; `b` is no owner of `part-b-cy`, and the staff of nothing.
    let entries = "part-b-ann/ part-b-bo-b-main.zip part-b-cy/ part-b-staff/ notes.txt";
    let (names, problems) = of(&entries.split(' ').collect::<Vec<_>>());
    let expected = ["part-b-ann", "part-b-bo-b-main.zip", "part-b-cy", "", ""];
    assert_eq!(names, expected);
    let told = "part-b-: stands before the names of 3 submissions, and is no part of them";
    assert_eq!(problems.len(), 3, "{problems:#?}");
    assert_eq!(problems[0], told);
    for (name, problem) in ["notes.txt", "part-b-staff"].iter().zip(&problems[1..]) {
        let begin = format!("{name}: matches nobody in the roster: ");
        assert_starts!(problem, &begin);
    }
    // Each of these is somebody's own by its name, or a second one, or of two.
    let (names, problems) = of(&["ann.zip", "old-ann.zip", "lee-b.zip", "b_x_cy.zip"]);
    let wanted = ["ann.zip", "", "b_x_cy.zip", "b_x_cy.zip", "lee-b.zip"];
    assert_eq!(names, wanted);
    let several = "could belong to `cy`, `b`: ";
    assert_has!(problems[0], several);
    assert_eq!(problems.len(), 3, "{problems:#?}");
    let (names, _) = of(&["x-ann.zip", "y-lee.zip", "z-staff.zip"]);
    assert_eq!(names, [""; 5], "most have no common beginning");
}

#[test]
fn the_latest_counts_by_the_newest_file_of_it() {
    let folder = folder(["1001-b/", "1001-a.zip", "1001-c.zip"]);
    let path = folder.path();
    let chosen = || {
        let found = matched(path, Layout::Folders).expect("a folder").found;
        let found = found.into_iter().next().flatten().expect("a submission");
        name_of(&found.path)
    };
    assert_eq!(chosen(), "1001-c.zip");
    let later = File::create(path.join("1001-b/later.py")).expect("made");
    later.set_modified(SystemTime::now()).expect("set");
    assert_eq!(chosen(), "1001-b");
}

/// Words about submissions of the team of `a` and `b`, and whether it is held: each with its content, and the time of its
/// file in seconds.
fn told_of(layout: Layout, entries: &[(&str, &str, u64)]) -> (Vec<String>, bool) {
    let folder = folder([]);
    for (name, content, time) in entries {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        fs::write(&path, content).expect("written");
        let time = SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000 + time);
        let file = File::options().write(true).open(&path).expect("a file");
        file.set_modified(time).expect("set");
    }
    let roster = "id,team,name\na,T,Ann A\nb,T,Bo B\n";
    let (mut roster, _) = read(roster.as_bytes()).expect("a roster");
    let matched = submissions(folder.path(), layout, &mut roster).expect("a folder");
    let found = matched.found.into_iter().next().flatten();
    let problems = matched.problems.iter().map(IntakeIssue::to_string);
    let is_held = found.expect("a submission").undecided.is_some();
    (problems.collect(), is_held)
}

#[test]
fn copies_are_one_submission_and_which_was_last_is_told_as_it_is_known() {
    let [ann, bo] = ["Ann A_1", "Bo B_2"].map(|it| format!("{it}_assignsubmission_file_"));
    let both = |[ann_has, bo_has]: [&str; 2], time| {
        let [ann, bo] = [format!("{ann}/bot.py"), format!("{bo}/bot.py")];
        told_of(Layout::Moodle, &[(&ann, ann_has, 0), (&bo, bo_has, time)])
    };
    let none: Vec<String> = Vec::new();
    assert_eq!(both(["x", "x"], 0), (none.clone(), false));
    let flat = [format!("{ann}bot.zip"), format!("{bo}bot.zip")];
    let flat = told_of(Layout::Moodle, &[(&flat[0], "x", 0), (&flat[1], "x", 999)]);
    assert_eq!(flat, (none, false));
    let by_files = format!(
        "T: handed in 2 times, or in 2 parts: `{bo}` is the latest by the times of the files and counts: see that it is the \
         right one, since a copy changes these times; not graded: `{ann}`"
    );
    assert_eq!(both(["x", "y"], 60), (vec![by_files], false));
    let unknown = format!(
        "T: handed in 2 times, or in 2 parts, and neither names nor times of files tell: `{bo}`, `{ann}`; leave only the \
         one that counts, or put the parts into one archive"
    );
    assert_eq!(both(["x", "y"], 0), (vec![unknown.clone()], true));
    // A copy or a download takes its time.
    assert_eq!(both(["x", "y"], 59), (vec![unknown], true));
    let numbered = [("a (1).zip", "x", 0), ("a.zip", "y", 0), ("b.zip", "y", 9)];
    let told = "T: handed in 2 times: `a (1).zip` is the latest and counts; not graded: `b.zip`";
    let told = (vec![told.to_owned()], false);
    assert_eq!(told_of(Layout::Folders, &numbered), told);
}

#[test]
fn files_with_an_id_before_their_names_are_one_submission() {
    let folder = folder(
        "1001_bot.py, 1001-util.py, 1001_report.pdf, 1003.zip, 1003_old.py, 1004 bot.zip"
            .split(", "),
    );
    let matched = matched(folder.path(), Layout::Folders);
    let found = matched.expect("a folder").found;
    let found = found.into_iter().flatten();
    let loose: Vec<Vec<String>> = found.map(|it| it.loose.into_keys().collect()).collect();
    assert_eq!(loose, [vec!["bot.py", "util.py"], vec![], vec![]]);
}

#[test]
fn of_a_team_the_submission_counts_whose_member_was_the_latest_by_the_roster() {
    // The files of `c` are older, as those of a copy may be.
    let folder = folder(["c_1/", "b.zip", "c_2/", "a/"]);
    let chosen = |[a, b, c]: [&str; 3]| {
        let text = format!("id,team,submitted\na,T,{a}\nb,T,{b}\nc,T,{c}\n");
        let (mut roster, problems) = read(text.as_bytes()).expect("a roster");
        assert_eq!(problems, []);
        let found = submissions(folder.path(), Layout::Folders, &mut roster);
        let found = found.expect("a folder").found.remove(0);
        let found = found.expect("a submission");
        let time = found.by_roster.map(|time| time.to_string());
        (name_of(&found.path), time)
    };
    let [early, late] = ["2026-05-10T00:00:00Z", "2026-05-13T00:00:00Z"];
    let of = |name: &str, time: Option<&str>| (name.to_owned(), time.map(str::to_owned));
    assert_eq!(chosen([early, early, late]), of("c_2", Some(late)));
    assert_eq!(chosen([early, late, early]), of("b.zip", Some(late)));
    assert_eq!(chosen(["", early, ""]), of("b.zip", Some(early)));
    assert_eq!(chosen(["", "", ""]), of("a", None));
}

#[test]
fn a_file_that_is_no_archive_counts_only_where_there_is_nothing_else() {
    let folder = folder(
        "1001-a.zip, 1001/, 1001_report.pdf, 1001_notes.txt, 1004.py, 1004_new.py, 10.rar, 10.txt"
            .split(", "),
    );
    let screen = screen(folder.path(), Layout::Folders);
    for line in [
        "1001 <- 1001",
        "1001: handed in 2 times, or in 2 parts: `1001` is the latest by the times of the files and counts: see that it is the \
         right one, since a copy changes these times; not graded: `1001-a.zip`",
        "1001: `1001` counts; neither a folder nor an archive, and passed over: `1001_report.pdf`, `1001_notes.txt`",
        "1004 <- 1004.py",
        "10 <- 10.rar",
        "10: `10.rar` counts; neither a folder nor an archive, and passed over: `10.txt`",
    ] {
        assert!(screen.lines().any(|it| it == line), "{line}\n{screen}");
    }
}

#[test]
fn moodle_has_the_name_and_a_number() {
    let folder = folder(
        "Ann Lee_1001_assignsubmission_file_/, Ann Lee_1001_assignsubmission_onlinetext_/, \
        Cy Diaz_1003_assignsubmission_file_agent.zip, di eco_777_assignsubmission_file_/, \
        Bo Chen_1001_assignsubmission_file_/, Sam Same_888_assignsubmission_file_/, \
        Sam Same_twin-2_assignsubmission_file_/, No Body_999_assignsubmission_file_/, feedback.txt"
            .split(", "),
    );
    assert_screen!(screen(folder.path(), Layout::Moodle));
}

const METADATA: &str = include_str!("../files/gradescope.yml");

#[test]
fn gradescope_has_who_and_when_in_its_metadata() {
    let numbers: Vec<String> = (1..=7).map(|i| format!("submission_{i}/")).collect();
    let numbers: Vec<&str> = numbers.iter().map(String::as_str).collect();
    let folder = folder(numbers);
    fs::write(folder.path().join("submission_metadata.yml"), METADATA).expect("written");
    assert_screen!(screen(folder.path(), Layout::Gradescope));
}

/// Each entrant of a roster with its submission, of these groups who handed in together.
fn together(roster: &str, groups: &str) -> String {
    let mut metadata = String::new();
    let folder = folder([]);
    for (number, group) in groups.split("; ").enumerate() {
        let name = format!("submission_{number}");
        fs::create_dir(folder.path().join(&name)).expect("made");
        metadata.push_str(&format!("{name}:\n  :submitters:\n"));
        for id in group.split(' ') {
            metadata.push_str(&format!("  - :sid: {id}\n"));
        }
        metadata.push_str(&format!("  :created_at: 2026-05-20 0{number}:00:00 Z\n"));
    }
    fs::write(folder.path().join("submission_metadata.yml"), metadata).expect("written");
    let (mut roster, _) = read(roster.as_bytes()).expect("a roster");
    let matched = submissions(folder.path(), Layout::Gradescope, &mut roster).expect("a folder");
    let entrants = matched.entrants.into_iter().zip(matched.found);
    let told = entrants.map(|(entrant, found)| {
        let what = match found {
            None => "none".to_owned(),
            Some(found) if found.undecided.is_some() => {
                let why = found.undecided.unwrap_or_default();
                assert_starts!(why, "`submission_0` is of `");
                let has_others = why.contains("; of them, too: `submission_1`");
                assert_eq!(has_others, groups.contains("; "), "{why}");
                "held".to_owned()
            }
            Some(found) => name_of(&found.path),
        };
        format!("{} {what}", entrant.key)
    });
    told.collect::<Vec<_>>().join(", ")
}

#[test]
fn who_hands_in_together_is_a_team_where_nothing_contradicts_and_else_held() {
    for row in [
        "alone | a b; c | a+b submission_0, c submission_1, d none",
        // The export has a later one of them too.
        "alone | a b; b a | a+b submission_1, c none, d none",
        "alone | a x | a submission_0, b none, c none, d none",
        "alone | a b c; a b; b | a held, b held, c held, d none",
        "alone | a b; a; d | a held, b held, c none, d submission_2",
        "one | a b; c d | T submission_0, c+d submission_1",
        "one | a; b a | T submission_1, c none, d none",
        "apart | a b | T held, U held, d none",
        "half | a b | T held, b held, c none, d none",
    ] {
        let [teams, groups, expected] = columns(row);
        let roster = match teams {
            "alone" => "id\na\nb\nc\nd\n",
            "one" => "id,team\na,T\nb,T\nc,\nd,\n",
            "apart" => "id,team\na,T\nb,U\nc,T\nd,\n",
            _ => "id,team\na,T\nb,\nc,\nd,\n",
        };
        assert_eq!(together(roster, groups), expected, "{row}");
    }
}

#[test]
fn metadata_that_cannot_be_read_is_an_error() {
    let folder = folder([]);
    let path = folder.path().join("submission_metadata.yml");
    let error = || matched(folder.path(), Layout::Gradescope).expect_err("no metadata");
    let mut errors = vec![error()];
    let deep = "[".repeat(100_000);
    let deep_results = format!("submission_1:\n  :results: {deep}\n");
    for text in ["submission_1: [\n", "a: 'b\n", &deep, &deep_results] {
        fs::write(&path, text).expect("written");
        errors.push(error());
    }
    fs::write(&path, b"submission_1: \xff\n").expect("written");
    errors.push(error());
    assert_screen!(errors.join("\n"));
    // What is not what it should be matches nobody.
    let deep_list = "- ".repeat(100_000);
    let odd = "|just text|- a\n- b\n|? {a: b}\n: {c: d}\n|submission_1: 7\n";
    for text in odd.split('|').chain([deep_list.as_str()]) {
        fs::write(&path, text).expect("written");
        let matched = matched(folder.path(), Layout::Gradescope).expect("metadata");
        assert!(matched.found.iter().all(Option::is_none), "{text}");
    }
}

/// The name of the submission of each student of a roster, and the problems.
fn found(roster: &str, layout: Layout, entries: &[&str]) -> (Vec<String>, Vec<String>) {
    let (mut roster, _) = read(roster.as_bytes()).expect("a roster");
    let folder = folder(entries.iter().copied());
    let matched = submissions(folder.path(), layout, &mut roster).expect("a folder");
    let names = matched.found.into_iter().map(|found| {
        let path = found.map(|it| it.path);
        name_of(&path.unwrap_or_default())
    });
    let problems = matched.problems.iter().map(IntakeIssue::to_string);
    (names.collect(), problems.collect())
}

#[test]
fn canvas_names_submissions_by_its_own_numbers_and_the_last_name_first() {
    let roster = "Student,ID,SIS User ID,SIS Login ID,Section\n\
                  \"Adams, Ann\",101,9001,ann,A\n\"O'Neil-Díaz, Bo\",102,s2,bo,A\n\"Chen, Cy\",103,s3,cy,A\n\
                  \"Chen, Cy\",104,s4,cy2,A\n\"Dun, Di\",106,s6,di,A\n";
    let of_ann = ["LATE_101_9003_bot-2", "101_9002_bot"].map(|it| format!("adamsann_{it}.zip"));
    let of_ann = of_ann.each_ref().map(String::as_str);
    let others = "oneildíazbo_102_9001_agent_v-1.zip chency_103_77_bot.zip chency_104_78_bot.zip dundi_LATE_106_text.html";
    let others: Vec<&str> = others.split(' ').collect();
    let nobodys = ["zedzoe_105_79_bot.zip", "chency_104_text.html"];
    let entries = [&of_ann[..], &others, &nobodys].concat();
    let (names, problems) = found(roster, Layout::Canvas, &entries);
    assert_eq!(names, [&of_ann[..1], &others].concat());
    assert_eq!(problems.len(), 4, "{problems:#?}");
    for (problem, begin) in problems.iter().zip([
        "zedzoe_105_79_bot.zip: matches nobody in the roster: ",
        "adamsann_LATE_101_9003_bot-2.zip: is late by what Canvas says",
        "9001: handed in 2 times: `adamsann_LATE_101_9003_bot-2.zip` is the latest",
        "dundi_LATE_106_text.html: was typed into a form, and no file came with it: ask for the program",
    ]) {
        assert_starts!(problem, begin);
    }
    let (_, problems_by_login) = found("id\nann\n", Layout::Canvas, &of_ann[1..]);
    assert!(problems_by_login[0].contains("`columns = { lms_id = \"canvas_user_id\" }`"));
}

/// Files of one upload of a student, as the program sees them.
#[test]
fn files_that_were_uploaded_one_by_one_are_one_submission() {
    let canvas = "Student,ID,Section\n\"Lee, Ann\",101,A\n";
    let moodle = "Identifier,Full name\nParticipant 101,Ann Lee\n";
    for row in [
        "canvas | bot-2.py | bot.py",
        "canvas | report.pdf bot.py util-1.py | bot.py report.pdf util.py",
        "canvas | bot.py bot-3.py bot-2.py | bot.py",
        "canvas | bot.py data-1.csv data-2.csv | bot.py data-1.csv data-2.csv",
        "canvas | bot.py book-1.zip | book.zip bot.py",
        // As one archive.
        "canvas | report.pdf bot.zip bot-1.zip | ",
        "moodle | report.pdf bot-2.py | bot-2.py report.pdf",
        "moodle | bot.zip | ",
    ] {
        let [system, files, expected] = columns(row);
        let (roster, layout) = match system {
            "canvas" => (canvas, Layout::Canvas),
            _ => (moodle, Layout::Moodle),
        };
        let entries = files.split(' ').zip(9001..);
        let entries = entries.map(|(file, number)| match layout {
            Layout::Canvas => format!("leeann_101_{number}_{file}"),
            _ => format!("Ann Lee_101_assignsubmission_file_{file}"),
        });
        let entries: Vec<String> = entries.collect();
        let (mut roster, _) = read(roster.as_bytes()).expect("a roster");
        let entries: Vec<&str> = entries.iter().map(String::as_str).collect();
        let folder = folder(entries.iter().copied());
        let matched = submissions(folder.path(), layout, &mut roster);
        let mut matched = matched.expect("a folder");
        let found = matched.found.remove(0).expect("a submission");
        let names: Vec<&str> = found.loose.keys().map(String::as_str).collect();
        assert_eq!(names.join(" "), expected, "{entries:?}");
        if expected.is_empty() {
            assert!(found.path.to_string_lossy().ends_with(".zip"), "{found:?}");
        } else {
            assert_eq!(matched.problems, [], "{entries:?}");
        }
    }
}

#[test]
fn a_second_copy_is_of_the_same_student_and_later() {
    let roster = "id,name\ns3,\"Lee, Ann\"\n";
    let entries = ["s3 (2).zip", "s3 (10).zip", "s3.zip"];
    let (names, problems) = found(roster, Layout::Folders, &entries);
    assert_eq!(names, ["s3 (10).zip"]);
    assert_eq!(problems.len(), 1, "{problems:#?}");
    let entries = ["Ann Lee_4711_assignsubmission_file_/"];
    let moodle = found(roster, Layout::Moodle, &entries);
    assert_eq!(moodle.0, ["Ann Lee_4711_assignsubmission_file_"]);
}
