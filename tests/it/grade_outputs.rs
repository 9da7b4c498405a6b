//! What comes of a grading: sheets, appeals, and marks that fell.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};

use crate::support::python::python;
use crate::support::{REFEREE, TestRun, columns, command, files_below};

const ROSTER: &str = "id,name,email\ns10001,Ada Lovelace,ada@school.example\ns10002,Bob Ross,bob@school.example\n\
                      s10003,Cleo Pine,cleo@school.example\ns10004,Dan Drew,dan@school.example\n";

/// Plays by the seed that it is given.
const RANDOM: &str = "exec \"$REFEREE\" bot random\n";
const GREEDY: &str = "exec \"$REFEREE\" bot greedy --nodes 20\n";

const FAILS_AT_FIRST: &str =
    "[ -e seen ] || { touch seen; exit 1; }\nexec \"$REFEREE\" bot greedy --nodes 20\n";

const BY_CHANCE: &str = "sed -u \"s/seed=[0-9]*/seed=$$/\" | \"$REFEREE\" bot random\n";

/// A class in a folder of its own, with these bots by id, that play so many games against the house bot `random`.
fn class_of(bots: &[(&str, &str)], games: u32, more: &str) -> TestRun {
    let config = format!(
        "name = \"class\"\nseed = 11\n[class]\nroster = \"roster.csv\"\nsubmissions = \"in\"\n\
         [submission]\ncommand = [\"sh\", \"bot.sh\"]\nenv = {{ REFEREE = {REFEREE:?} }}\n\
         [game]\nname = \"cachex\"\nsize = 4\n[limits]\nisolation = \"containment\"\n\
         [[test]]\nagainst = [\"random\"]\nmarks = 8\ngames = {games}\n{more}"
    );
    let class = TestRun::new("");
    class.write("class.toml", &config);
    class.write("roster.csv", ROSTER);
    for (id, bot) in bots {
        submit(&class, id, bot);
    }
    class
}

fn submit(class: &TestRun, id: &str, bot: &str) {
    class.write(&format!("in/{id}/bot.sh"), bot);
}

fn column(class: &TestRun, column: &str) -> Vec<(String, String)> {
    let rows = class.table("marks.csv").into_iter();
    let cells = rows.map(|row| (row["id"].clone(), row[column].clone()));
    cells.collect()
}

#[test]
fn games_that_are_played_again_agree_unless_the_bot_has_a_chance_of_its_own() {
    let more = "[reliability]\nmarks = 2\n[late]\nmarks-per-day = 1\n";
    let class = class_of(&[("s10001", GREEDY), ("s10002", BY_CHANCE)], 12, more);
    let zone = "[class]\ndeadline = 2026-05-11T23:59:00\nzone = \"Australia/Melbourne\"\n";
    let config = class.read("class.toml").replace("[class]\n", zone);
    class.write("class.toml", &config);
    let roster = ROSTER.replace("email\n", "email,submitted\n");
    let roster = roster.replace("ada@school.example", "ada@school.example,2026-05-12 09:00");
    class.write("roster.csv", &roster);
    class.grade("");
    let submitted = column(&class, "submitted");
    assert_eq!(submitted[0].1, "2026-05-12T09:00:00+10:00");
    let marks = fs::read(class.path("out/marks.csv")).expect("marks");
    let again = class.grade("--only s10001 --again").stdout;
    assert!(again.contains("0 of 12 games differ"), "{again}");
    let words = " of 8 in 12 games; reliability 2.00 of 2; late -1.00)\n";
    assert_has!(again, words);
    let again = class.grade("--only s10002 --again").stdout;
    let differing = again.matches("first at ply").count();
    assert!(differing > 0, "{again}");
    assert_has!(again, &format!("{differing} of 12 games differ"));
    assert_lacks!(again, "first at ply 1,");
    assert_eq!(fs::read(class.path("out/marks.csv")).expect("marks"), marks);
    let unknown = "grade class.toml --out out --quiet --only s9 --again";
    class
        .referee(unknown)
        .fails(2, "no student of the roster has this id");
    submit(&class, "s10004", "exit 1\n");
    let broken = "grade class.toml --out out --quiet --only s10004 --again";
    class.referee(broken).fails(2, "it cannot be loaded: ");
    let nothing = "grade class.toml --out out --quiet --only s10003 --again";
    class.referee(nothing).fails(2, "nothing was handed in");
}

#[test]
fn the_order_of_the_roster_changes_no_band_of_the_tournament() {
    let more = "[tournament]\nformat = { kind = \"swiss\", rounds = 2, games-per-pairing = 2 }\n";
    let ids = ["s10001", "s10002", "s10003", "s10004"];
    let bots = [RANDOM, GREEDY, RANDOM, GREEDY];
    let bots: Vec<_> = ids.into_iter().zip(bots).collect();
    let class = class_of(&bots, 2, more);
    class.grade("");
    let bands = || {
        let of = |id: &str| {
            let text = class.read(&format!("out/feedback/{id}/feedback.md"));
            let mut lines = text.lines().map(str::to_owned);
            lines.find(|line| line.starts_with("In the tournament of the class"))
        };
        ids.map(of)
    };
    let runs = || {
        let runs = fs::read_dir(class.path("out").join("work").join("tournament")).expect("runs");
        runs.map(|run| run.expect("a run").file_name())
            .collect::<Vec<_>>()
    };
    let (first, played) = (bands(), runs());
    assert!(first.iter().all(Option::is_some), "{first:?}");
    let (header, rows) = ROSTER.split_once('\n').expect("a header");
    let rows: Vec<&str> = rows.lines().rev().collect();
    class.write("roster.csv", &format!("{header}\n{}\n", rows.join("\n")));
    class.grade("");
    assert_eq!((bands(), runs()), (first, played));
}

#[test]
fn a_reference_that_does_not_play_holds_the_marks() {
    let reference = "[[reference]]\nname = \"dead\"\ncommand = [\"sh\", \"-c\", \"exit 1\"]\n\
                     [[test]]\nagainst = [\"dead\"]\nmarks = 4\ngames = 4\n";
    let class = class_of(&[("s10001", RANDOM)], 12, reference);
    class.grade("");
    let status = column(&class, "status");
    assert_eq!(status[0].1, "held");
    let note = column(&class, "note");
    let wanted = "a reference forfeited 4 of 16 games";
    assert!(note[0].1.contains(wanted), "{note:?}");
}

/// Says what it is told at the start of a game, and ends before its first action.
const CRASHING: &str =
    "read l; echo bot 1 gone; read l; echo \"$l\" >&2; echo ready; read l; exit 4\n";

fn only_folder(folder: &Path) -> PathBuf {
    let folders = fs::read_dir(folder).expect("a folder").flatten();
    let mut folders = folders.map(|entry| entry.path());
    let only = folders.next().expect("a folder in it");
    assert_eq!(folders.next(), None);
    only
}

#[test]
fn a_test_ends_after_ten_forfeits_in_a_row_by_one_cause() {
    let bots = [("s10001", RANDOM), ("s10002", CRASHING)];
    let [class, other] = [1, 2].map(|jobs| {
        let class = class_of(&bots, 12, "");
        let line = format!("grade class.toml --out out -j {jobs} --quiet");
        assert_eq!(class.referee(&line).exit, 0);
        class
    });
    let read = |name: &str| class.read(name);
    let marks = read("out/marks.csv");
    assert_eq!(marks, other.read("out/marks.csv"));
    let forfeits = column(&class, "forfeits_crash");
    assert_eq!((&forfeits[0].1[..], &forfeits[1].1[..]), ("0", "12"));
    let games = column(&class, "random_games");
    assert_eq!((&games[0].1[..], &games[1].1[..]), ("12", "12"));
    let change = column(&class, "change");
    assert_eq!((change[0].1.is_empty(), &*change[1].1), (false, ""));
    let columns = ["low", "high"].map(|it| column(&class, it));
    for at in [1, 2] {
        assert!(columns.iter().all(|it| it[at].1.is_empty()), "{columns:?}");
    }
    let text = read("out/feedback/s10002/feedback.md");
    assert_lacks!(text, "The chance that it would not be");
    let run = only_folder(&class.path("out/work/runs/s10002/random"));
    let played = || fs::read_to_string(run.join("games.csv")).expect("a journal");
    assert_eq!(played().lines().count(), 1 + 10);
    let said = "the test ended after 10 forfeits in a row by crash, and its 2 other games count as forfeited, too";
    for page in ["out/feedback/s10002/feedback.md", "out/class.html"] {
        let page = read(page);
        assert!(page.contains(said), "{page}");
    }

    // A run that was killed within its first games goes on with these alone.
    let rows = played();
    let some: Vec<&str> = rows.lines().take(1 + 6).collect();
    fs::write(run.join("games.csv"), some.join("\n") + "\n").expect("written");
    fs::remove_file(run.join("run.sha256")).expect("removed");
    class.grade("");
    assert_eq!(played().lines().count(), 1 + 10);
    assert_eq!(read("out/marks.csv"), marks);
}

#[test]
fn a_mark_that_fell_with_the_same_submission_is_told() {
    let reliability = "[reliability]\nmarks = 2\ncurve = [[0, 1], [1, 0]]\n";
    let bots = [("s10001", RANDOM), ("s10002", FAILS_AT_FIRST)];
    let class = class_of(&bots, 4, reliability);
    let config = class.read("class.toml");
    let change = |from: &str, to: &str| {
        class.write("class.toml", &config.replace(from, to));
        let line = "grade class.toml --out out -j 2";
        let ran = class.referee(line).done();
        ran.stderr
    };
    let grade = |marks: &str| change("marks = 8", marks);
    let said = grade("marks = 8");
    assert!(!said.contains("the total fell"), "{said}");
    submit(&class, "s10001", "exit 1\n");
    let said = grade("marks = 4");
    let told: Vec<&str> = said.lines().filter(|it| it.contains("fell")).collect();
    assert_eq!(told.len(), 2, "{said}");
    assert_has!(told[0], "; the submission is another one");
    assert_starts!(told[1], "s10002: the total fell from ");
    let words = " (graded): the submission is the same; random_marks ";
    assert_has!(told[1], words);
    assert_has!(told[1], " (by the scheme, for the same games)");
    assert_lacks!(told[1], "--again");
    for file in ["out/problems.txt", "out/class.html"] {
        let text = class.read(file);
        assert!(text.contains("the total fell from "), "{text}");
    }
    // Nothing has changed, so what was told holds.
    let problems = class.read("out/problems.txt");
    assert_eq!(grade("marks = 4").matches("the total fell").count(), 2);
    assert_eq!(class.read("out/problems.txt"), problems);
    let kept = fs::read_dir(class.path("out/history")).expect("a folder");
    assert_eq!(kept.count(), 3);
    let rounded = "[points]\nwin = 0.85\n[marks]\nround-to = 0.125\n[[test]]";
    let by_scheme = "random_marks 6.000 to 5.100 (by the scheme, for the same games)";
    let by_fewer = "reliability_marks 1.500 to 1.000 (random_games 4 to 2)";
    for (from, to, total, why) in [
        ("[[test]]", rounded, "6.625", by_scheme),
        ("games = 4", "games = 2", "5", by_fewer),
    ] {
        grade("marks = 8");
        let said = change(from, to);
        assert_has!(said, why);
        assert_lacks!(said, "--again");
        let text = class.read("out/feedback/s10002/feedback.md");
        assert_has!(text, &format!("**{total} of 10 marks.**"));
    }
}

#[test]
fn each_total_that_fell_is_told_with_both_statuses_and_the_cause() {
    let ids = ["s10001", "s10002", "s10003", "s10004", "s10005"];
    let late = "[late]\nmarks-per-day = 1\ndays = \"calendar\"\nmost-days = 5\n";
    let class = class_of(&ids.map(|id| (id, GREEDY)), 4, late);
    let config = class.read("class.toml");
    let deadline = "[class]\ndeadline = 2026-05-10T17:00:00Z\n";
    class.write("class.toml", &config.replace("[class]\n", deadline));
    let roster = |times: &[(&str, &str)]| {
        let rows = times.iter().map(|(id, time)| format!("{id},{time}\n"));
        let rows: String = rows.collect();
        class.write("roster.csv", &format!("id,submitted\n{rows}"));
    };
    let [in_time, late, too_late] = ["10T12:00Z", "12T12:00Z", "25T12:00Z"];
    let time = |day: &str| format!("2026-05-{day}");
    let [in_time, late, too_late] = [in_time, late, too_late].map(time);
    roster(&ids.map(|id| (id, &*in_time)));
    class.grade("");
    assert_eq!(class.read("out/problems.txt").matches("fell").count(), 0);

    fs::remove_dir_all(class.path("in/s10001")).expect("removed");
    submit(&class, "s10004", "exit 1\n");
    let mut times = ids.map(|id| (id, &*in_time));
    (times[1].1, times[2].1) = (&late, &too_late);
    roster(&times[..4]);
    fs::remove_dir_all(class.path("in/s10005")).expect("removed");
    class.grade("");
    let problems = class.read("out/problems.txt");
    for row in [
        "s10001 | (graded) to 0.000 (none): nothing was handed in; the submission that was there is gone",
        "s10002 | (graded): the submission is the same; penalty 0.000 to 2.000 (days_late 0 to 2)",
        "s10003 | (graded) to 0.000 (late): handed in 15 days late, which is not marked; penalty 0.000 to 15.000 \
         (days_late 0 to 15)",
    ] {
        let [id, end] = columns(row);
        let begin = format!("{id}: the total fell from ");
        let line = problems.lines().find(|line| line.starts_with(&begin));
        let is_told = line.is_some_and(|line| line.ends_with(&format!(" {end}")));
        assert!(is_told, "{row}: {problems}");
    }
    let words = " (graded) to 0.000 (broken): it cannot be loaded: ";
    assert_has!(problems, words);
    let words = "s10005: is not in the roster any more; the grading before gave ";
    assert_has!(problems, words);
    class.write("sheet.csv", "id,M\ns10002,\n");
    class.grade("--fill sheet.csv --key id --column M");
    assert_eq!(class.read("out/problems.txt"), problems);
}

/// The waits are written into the journal of a student, so that no real load is needed.
#[test]
fn a_busy_machine_is_told_and_its_games_can_be_played_again() {
    let on_the_wall = "[clock]\nmeasure = \"wall\"\nper-game = \"60s\"\n";
    let class = class_of(&[("s10001", RANDOM), ("s10002", RANDOM)], 12, on_the_wall);
    class.grade("");
    let told = |class: &TestRun| {
        let pages = ["out/class.html", "out/feedback/s10001/index.html"];
        let pages = pages.map(|page| class.read(page).contains("the machine was busy"));
        (pages, column(class, "note"), column(class, "total"))
    };
    let quiet = told(&class);
    let others = fs::read(journal(&class, "s10002")).expect("a journal");
    starve(&class, "s10001");
    let said = class.grade("").stdout;
    let words = "! the machine was busy: the programs of 1 student or team had";
    assert!(said.contains(words), "{said}");
    let (pages, notes, totals) = told(&class);
    assert_eq!((pages, &totals), ([true; 2], &quiet.2));
    let words = "random: the program had 0 % of the processor time that it wanted, in 12 of 12 games less than half (";
    assert!(notes[0].1.contains(words), "{notes:?}");
    assert_eq!(notes[1], quiet.1[1]);
    class.grade("--again-below 50%");
    assert_eq!(told(&class), quiet);
    let text = fs::read_to_string(journal(&class, "s10001")).expect("a journal");
    assert_lacks!(text, "90000000");
    assert_eq!(text.lines().count(), 13, "{text}");
    let of_others = fs::read(journal(&class, "s10002")).expect("a journal");
    assert_eq!(of_others, others);
}

/// The default clock is of processor time.
#[test]
#[ignore = "slow"]
fn a_wait_for_the_processor_is_told_where_it_can_decide_a_game() {
    let bots = [("s10001", RANDOM), ("s10002", "exec sleep 100\n")];
    let class = class_of(&bots[..1], 12, "");
    class.write("in/s10002/bot.sh", &format!("{STALLS}{}", bots[1].1));
    let config = class.read("class.toml");
    let short = "wall-cap = \"300ms\"\nmeasure = \"cpu\"\nper-game = \"60s\"\n";
    class.write("class.toml", &format!("{config}[clock]\n{short}"));
    class.grade("");
    let text = class.read("out/feedback/s10001/feedback.md");
    let mut lines = text.lines();
    let used = lines.find(|line| line.starts_with("| random | processor | "));
    assert_has!(used.expect("a row"), " | 60.00 s | ");
    assert_eq!(column(&class, "forfeits_stall")[1].1, "12");
    starve(&class, "s10001");
    starve(&class, "s10002");
    let said = class.grade("").stdout;
    let words = "! the machine was busy: the programs of 1 student or team had";
    assert_has!(said, words);
    let notes = column(&class, "note");
    assert_eq!(notes[0].1, "");
    let words = " of the processor time that it wanted, in 10 of 10 games ";
    assert_has!(notes[1].1, words);
    for (id, is_told) in [("s10001", false), ("s10002", true)] {
        let text = class.read(&format!("out/feedback/{id}/feedback.md"));
        assert_eq!(text.contains("the machine was busy"), is_told, "{text}");
    }
}

/// Gets ready, and never answers.
const STALLS: &str = "read l; echo bot 1 slow; read l; echo ready; read l; ";

fn journal(class: &TestRun, id: &str) -> PathBuf {
    let runs = only_folder(&class.path(&format!("out/work/runs/{id}")));
    only_folder(&runs).join("games.csv")
}

/// Writes long waits for the processor into the journal of a student.
fn starve(class: &TestRun, id: &str) {
    let mut rows = csv::Reader::from_path(journal(class, id)).expect("a journal");
    let header = rows.headers().expect("a header").clone();
    let waited = |at: usize| header[at].ends_with("_waited_us") && at > 0;
    let mut edited = csv::Writer::from_path(class.path("edited.csv")).expect("a file");
    edited.write_record(&header).expect("written");
    for row in rows.records() {
        let row = row.expect("a row");
        let cells = row.iter().enumerate();
        let cells = cells.map(|(at, cell)| if waited(at) { "90000000" } else { cell });
        edited.write_record(cells).expect("written");
    }
    edited.flush().expect("written");
    fs::rename(class.path("edited.csv"), journal(class, id)).expect("moved");
}

#[test]
fn marks_go_into_the_sheet_and_nothing_else_changes() {
    let class = class_of(&[("s10001", RANDOM), ("s10002", GREEDY)], 2, "");
    let sheet = "Student,ID,\"Part B (712)\",Note\r\n    Points Possible,,8,\r\n\"Lovelace, Ada\",s10001,,\"a \"\"b\"\"\"\r\n\
                 Ross,bob@school.example,1,\r\nZed,s9,,z";
    class.write("sheet.csv", sheet);
    let filled = class
        .grade("--fill sheet.csv --key ID --column \"Part B\"")
        .stdout;
    assert!(filled.contains("2 marks filled into sheet.csv"), "{filled}");
    assert!(filled.contains("without a mark: s9"), "{filled}");
    assert_lacks!(filled, "the most marks are");
    let marks = column(&class, "total");
    let mark = |id: &str| {
        let (_, mark) = marks.iter().find(|(own, _)| own == id).expect("a row");
        format!("{:.2}", mark.parse::<f64>().expect("a number"))
    };
    let wanted = format!(
        "Student,ID,\"Part B (712)\",Note\r\n    Points Possible,,8,\r\n\"Lovelace, Ada\",s10001,{},\"a \"\"b\"\"\"\r\n\
         Ross,bob@school.example,{},\r\nZed,s9,,z",
        mark("s10001"),
        mark("s10002")
    );
    assert_eq!(class.read("sheet.csv"), wanted);
}

fn zipfile(option: &str, paths: &[&Path]) {
    let mut python = command("python3").expect("asked before");
    let ran = python.args(["-m", "zipfile", option]).args(paths).status();
    assert!(ran.expect("it runs").success(), "{paths:?}");
}

fn unzipped(archive: &Path, to: &Path) -> Vec<String> {
    zipfile("-e", &[archive, to]);
    let files = files_below(to).into_iter();
    let files = files.map(|file| shown(file.strip_prefix(to).expect("inside")));
    files.collect()
}

#[test]
fn feedback_comes_back_in_one_archive_in_the_names_of_the_download() {
    needed!(python());
    let download = |layout: &str, names: [&str; 2]| {
        let class = class_of(&[], 2, "");
        let config = class.read("class.toml");
        let config = config.replace("[class]", &format!("[class]\nlayout = \"{layout}\""));
        class.write("class.toml", &config);
        let roster = ROSTER.replace("id,name", "lms_id,id,name");
        let roster = roster.replace("\ns1000", "\n10X,s1000");
        let ids = ["101", "102", "103", "104"].iter();
        let roster = ids.fold(roster, |roster, id| roster.replacen("10X", id, 1));
        class.write("roster.csv", &roster);
        for name in names {
            submit(&class, name, RANDOM);
            if name.ends_with(".zip") {
                let folder = class.path("in").join(name);
                let kept = class.path("kept");
                fs::rename(&folder, &kept).expect("moved");
                zipfile("-c", &[&folder, &kept.join("bot.sh")]);
                fs::remove_dir_all(kept).expect("removed");
            }
        }
        let said = class.grade("").stdout;
        let archive = class.path("out/feedback.zip");
        let bytes = fs::read(&archive).expect("an archive");
        class.grade("");
        assert!(fs::read(&archive).expect("an archive") == bytes);
        let files = unzipped(&archive, &class.path("unpacked"));
        (class, files, said)
    };
    let moodle = ["Ada Lovelace_101_assignsubmission_file_", "s10002"];
    let (class, files, said) = download("moodle", moodle);
    assert_eq!(files, [format!("{}/feedback.html", moodle[0])]);
    assert!(said.contains("feedback about 1 submission in out/feedback.zip: upload it with \"Upload multiple feedback"), "{said}");
    assert_has!(said, "is not as it was downloaded: s10002\n");
    let page = class.path("unpacked").join(&files[0]);
    let page = fs::read_to_string(page).expect("a page");
    assert_has!(page, "Feedback for s10001");
    assert_lacks!(page, "href=");

    // Each member of a team has a folder.
    let bob = "Bob Ross_102_assignsubmission_file_";
    submit(&class, bob, RANDOM);
    let roster = class.read("roster.csv").replace("lms_id,", "team,lms_id,");
    class.write("roster.csv", &roster.replace("\n10", "\nowls,10"));
    class.grade("");
    let files = unzipped(&class.path("out/feedback.zip"), &class.path("team"));
    let of_both = [moodle[0], bob].map(|folder| format!("{folder}/feedback.html"));
    assert_eq!(files, of_both);

    let canvas = [
        "lovelaceada_LATE_101_9001_bot-2.zip",
        "rossbob_102_9002_bot",
    ];
    let (class, files, said) = download("canvas", canvas);
    assert_eq!(files, [canvas[0], "rossbob_102_9002_feedback.md"], "{said}");
    let inner = class.path("unpacked").join(&files[0]);
    assert_eq!(unzipped(&inner, &class.path("inner")), ["feedback.html"]);
}

#[test]
fn who_gets_nothing_is_named_with_the_reason() {
    let class = class_of(&[("s10001", RANDOM), ("s10002", "exit 1\n")], 2, "");
    let sheet = "ID,M,Maximum Grade\ns10001,,\"9,50\"\ns10002,,\ns10003,,9\ns10004,EX,\n";
    class.write("sheet.csv", sheet);
    let line = "--fill sheet.csv --key ID --column M";
    let said = class.grade(line).stdout;
    let expected = "3 marks filled into sheet.csv\n\
                    not filled, as there is something else than a number: s10004 (EX)\n\
                    the most marks are 9.50 in the sheet, and 8.00 in this grading: correct one of them\n\
                    given 0, as nothing was handed in: s10003\ngiven 0: s10002: it cannot be loaded: ";
    assert!(said.contains(expected), "{said}");
    assert_has!(said, "s10001   graded    4.00    0.00    8.00 ");
    let filled = class.read("sheet.csv");
    let lines: Vec<&str> = filled.lines().collect();
    let rest = ["s10002,0.00,", "s10003,0.00,9", "s10004,EX,"];
    assert_eq!(lines[2..], rest);
}

#[test]
fn a_sheet_keeps_its_mode_and_its_link_and_what_it_lacks_is_told() {
    let class = class_of(&[], 2, "");
    fs::create_dir(class.path("in")).expect("made");
    let sheet = class.path("exported.csv");
    class.write("exported.csv", "ID,M\ns10002,\n");
    fs::set_permissions(&sheet, fs::Permissions::from_mode(0o600)).expect("set");
    symlink("exported.csv", class.path("sheet.csv")).expect("linked");
    let said = class.grade("--fill sheet.csv --key ID --column M").stdout;
    let lacking = "not in the sheet: the marks of 3 students: s10001, s10003, s10004\n\
                   given 0, as nothing was handed in: s10002\n";
    assert!(said.ends_with(lacking), "{said}");
    assert_eq!(class.read("exported.csv"), "ID,M\ns10002,0.00\n");
    let mode = sheet.metadata().expect("a file").permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let link = fs::read_link(class.path("sheet.csv")).expect("still a link");
    assert_eq!(link, Path::new("exported.csv"));

    class.write("exported.csv", "ID,M\ns10002,1,2\n");
    let line = "grade class.toml --out out --quiet --fill sheet.csv --key ID --column M";
    let refused = class.referee(line);
    refused.fails(5, "sheet.csv: line 2: this row has 3 fields");
    for (from, to, words) in [
        ("M", "N", "sheet.csv: the sheet has no column `N`"),
        ("ID", "M", "sheet.csv: `M` is the column of the keys"),
    ] {
        let line = line.replace(&format!(" {from}"), &format!(" {to}"));
        class.referee(&line).fails(2, words);
    }
    assert_eq!(class.read("exported.csv"), "ID,M\ns10002,1,2\n");
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}
