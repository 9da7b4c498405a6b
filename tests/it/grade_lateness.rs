//! Days late in a class whose clocks are changed between the deadline and its submissions.

use std::fs;

use referee::game::BUILT_IN;
use referee::grade::{Class, Grading};

/// The days late of students who handed in at these times, and what is said of the deadline. Times without an offset
/// are those of the class.
fn days_late(class: &str, days: &str, submitted: &[&str]) -> (Vec<u32>, Option<String>) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).display().to_string();
    let mut roster = "id,submitted\n".to_owned();
    for (student, time) in submitted.iter().enumerate() {
        roster += &format!("s{student},{time}\n");
        let own = folder.path().join(format!("in/s{student}"));
        fs::create_dir_all(&own).expect("made");
        fs::write(own.join("bot.py"), "pass").expect("written");
    }
    fs::write(path("roster.csv"), roster).expect("written");
    let config = format!(
        "[class]\nroster = \"{}\"\nsubmissions = \"{}\"\n{class}\n[late]\nmarks-per-day = 1\ndays = \"{days}\"\n\
         [game]\nname = \"cachex\"\n[submission]\ncommand = [\"python3\", \"bot.py\"]\n\
         [[test]]\nagainst = [\"random\"]\nmarks = 4\n",
        path("roster.csv"),
        path("in"),
    );
    fs::write(path("grading.toml"), config).expect("written");
    let grading = Grading::load(path("grading.toml").as_ref(), BUILT_IN).expect("a grading");
    let class = Class::read(&grading).expect("a class");
    let said = class.problems.iter().map(ToString::to_string);
    let late = class.candidates.iter().map(|it| it.days_late);
    (late.collect(), said.clone().next())
}

const NEW_YORK: &str = "deadline = 2026-10-30T23:59:00-04:00\nzone = \"America/New_York\"";
const MELBOURNE: &str = "deadline = 2027-04-03T17:00:00\nzone = \"Australia/Melbourne\"";

#[test]
fn a_change_of_clocks_makes_nobody_a_day_later() {
    let monday = [
        "2026-11-02 23:30",
        "2026-11-02T23:59:00-05:00",
        "2026-11-03 00:00",
    ];
    assert_eq!(
        days_late(NEW_YORK, "working", &monday),
        (vec![1, 1, 2], None)
    );
    let sunday = [
        "2027-04-03 17:00",
        "2027-04-04 16:59",
        "2027-04-05 16:59",
        "2027-04-05 17:01",
    ];
    assert_eq!(
        days_late(MELBOURNE, "calendar", &sunday),
        (vec![0, 1, 2, 3], None)
    );
}

#[test]
fn a_deadline_with_an_offset_alone_says_that_it_cannot_know_of_changes() {
    let deadline = NEW_YORK.lines().next().expect("a deadline");
    let (late, said) = days_late(deadline, "working", &["2026-11-02T23:30:00-05:00"]);
    assert_eq!(late, [2]);
    let said = said.expect("a note");
    assert!(
        said.starts_with("deadline: it has an offset and no `zone`, so days late are counted as if clocks were never changed"),
        "{said}"
    );
    let (late, said) = days_late(deadline, "working", &["2026-10-30T23:30:00-04:00"]);
    assert_eq!((late, said), (vec![0], None), "nobody is late");
}
