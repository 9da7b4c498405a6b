//! Rosters with flaws: each is one clear line, and the class goes on.

use std::fs;

use jiff::tz::Offset;
use referee::grade::{IntakeIssue, Roster};

pub fn read(bytes: &[u8]) -> Result<(Roster, Vec<IntakeIssue>), String> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("roster.csv");
    fs::write(&path, bytes).expect("written");
    let place = folder.path().display().to_string();
    Roster::read(&path, &Offset::constant(10).to_time_zone(), &[])
        .map_err(|error| error.to_string().replace(&place, "FOLDER"))
}

fn well(text: &str) -> Roster {
    let (roster, problems) = read(text.as_bytes()).expect("a roster");
    assert_eq!(problems, []);
    roster
}

fn keys(ids: &[&str]) -> Vec<String> {
    let text = format!("id\n\"{}\"\n", ids.join("\"\n\""));
    let roster = well(&text);
    roster.students.into_iter().map(|it| it.key).collect()
}

#[test]
fn columns_come_in_any_order_and_as_spreadsheets_write_them() {
    let plain = well(
        "id,team,name,email,submitted,extension_until,remark\n\
         a1,Owls,\"Lee, Ann\",ann@x.edu,2026-05-20 23:50,,x\n\
         b2,,Bo,,2026-05-20T23:50:00+08:00,2026-05-22 12:00:30,\n",
    );
    let spreadsheet = well(
        "\u{feff}Name;EXTENSION_UNTIL; Id ;submitted;Email;Team\r\n\
         Lee, Ann;;a1;2026-05-20 23:50;ann@x.edu;Owls\r\n\
         Bo;2026-05-22 12:00:30;b2;2026-05-20T23:50:00+08:00;;\r\n\
         ;;;;;\r\n",
    );
    assert_eq!(plain, spreadsheet);
    let [ann, bo] = plain.students.as_slice() else {
        panic!("two students");
    };
    assert_eq!(ann.name, "Lee, Ann");
    assert_eq!([&ann.team, &bo.team], [&Some("Owls".to_owned()), &None]);
    let times = [ann.submitted, bo.submitted, bo.extension_until];
    let times = times.map(|time| time.expect("a time").to_string());
    let expected = "2026-05-20T13:50:00Z 2026-05-20T15:50:00Z 2026-05-22T02:00:30Z";
    assert_eq!(times.join(" "), expected);
}

#[test]
fn a_line_with_a_flaw_is_a_problem_and_the_class_goes_on() {
    let long = "x".repeat(300);
    let text = format!(
        "id,team,name,email,submitted,extension_until\n\
         zoe,,Zoe,,,\n\
         ,,Nobody,,,\n\
         zoe,,Zoe again,,,\n\
         open,,\"Ann,,,\n\
         comma,,Lee, Ann,a@x.edu,,\n\
         e\u{1b}[2J,,Ann,,,\n\
         \u{202e}evil,,Ann,,,\n\
         ctl,O\u{7}wls,Ann,,,\n\
         name,,A\u{1b}[31mnn,,,\n\
         {long},,Ann,,,\n\
         bad,,Ann,,yesterday,\n\
         date,,Ann,,,2026-05-20\n\
         zone,,Ann,,2026-05-20T10:00[Australia/Melbourne],\n\
         leap,,Ann,,2026-02-30 10:00,\n\
         excel,,Ann,,20/05/2026 23:59,\n\
         yan,,Yan,,,\n"
    );
    let (roster, problems) = read(text.as_bytes()).expect("a roster");
    let lines: Vec<String> = problems.iter().map(IntakeIssue::to_string).collect();
    assert_screen!(lines.join("\n"));
    let kept: Vec<&str> = roster.students.iter().map(|it| it.id.as_str()).collect();
    let expected = ["zoe", "name", "bad", "date", "zone", "leap", "excel", "yan"];
    assert_eq!(kept, expected);
    assert_eq!(roster.students[1].name, "A\u{fffd}[31mnn");
    assert!(roster.students.iter().all(|it| it.submitted.is_none()));
}

#[test]
fn a_roster_that_is_of_no_use_is_an_error() {
    let large = vec![b'x'; (16 << 20) + 1];
    let utf_16 = "id,name\n".encode_utf16();
    let utf_16: Vec<u8> = utf_16.flat_map(u16::to_le_bytes).collect();
    let errors: Vec<String> = [
        &b""[..],
        b"name,email\nAnn,a@x.edu\n",
        b"id,name,ID\na1,Ann,a2\n",
        b"\x1b[2J\n",
        b"id,name\na1,Ann\nb2,Jos\xe9\n",
        &[&b"\xff\xfe"[..], &utf_16].concat(),
        &large,
    ]
    .into_iter()
    .map(|bytes| read(bytes).expect_err("no roster"))
    .collect();
    assert_screen!(errors.join("\n"));
}

/// Folders and players can be called by keys, and no two keys are one name on any file system.
#[test]
fn keys_are_names_of_folders_and_differ() {
    let same = ["1234567", "ann.lee-2+x_y", "josé"];
    assert_eq!(keys(&same), same);
    let long = "x".repeat(80);
    let ids = [
        "both", "BOTH.", ".hidden", "..", "a/b", "a-b", "a b", "Ann", "ann", "ANN", &long,
    ];
    let made = keys(&ids);
    let mut folded: Vec<String> = made.iter().map(|key| key.to_lowercase()).collect();
    folded.sort();
    folded.dedup();
    assert_eq!(folded.len(), ids.len(), "{made:?}");
    for key in &made {
        let good = |c: char| c.is_alphanumeric() || "-_.+".contains(c);
        assert!(key.chars().all(good) && key.len() <= 60, "{key}");
        assert!(!key.starts_with('.') && key != "both", "{key}");
    }
    assert_screen!(made.join("\n"));
    let mut reversed = ids;
    reversed.reverse();
    let mut again = keys(&reversed);
    again.reverse();
    assert_eq!(again, made, "the order changes nothing");
}

#[test]
fn a_team_is_one_entrant_with_the_latest_times_of_its_members() {
    let roster = well(
        "id,team,submitted,extension_until\n\
         a,Night Owls,2026-05-20 10:00,\n\
         b,,,\n\
         c,Night Owls,2026-05-20 11:00,2026-05-22 11:00\n\
         d,b,,\n",
    );
    let entrants = roster.entrants();
    let members: Vec<&[usize]> = entrants.iter().map(|it| it.members.as_slice()).collect();
    assert_eq!(members, [&[0, 2][..], &[1], &[3]]);
    let owls = &entrants[0];
    assert!(owls.key.starts_with("Night-Owls-"), "{}", owls.key);
    assert_eq!(owls.submitted, roster.students[2].submitted);
    assert_eq!(owls.extension_until, roster.students[2].extension_until);
    assert_eq!(entrants[1].key, "b");
    assert!(entrants[2].key.starts_with("b-"), "{}", entrants[2].key);
}

/// Who is in a roster: id, name, address, and the number of the system.
fn people(text: &str) -> Vec<[String; 4]> {
    let roster = well(text);
    let person =
        |it: referee::grade::Student| [it.id, it.name, it.email, it.lms_id.unwrap_or_default()];
    roster.students.into_iter().map(person).collect()
}

#[test]
fn exports_of_systems_are_known_by_their_headers() {
    let canvas = "Student,ID,SIS User ID,SIS Login ID,Section,Bot (48151)\n\
                  ,,,,,Manual Posting\n\
                  \x20   Points Possible,,,,,11\n\
                  \"Adams, Ann\",101,s1,ann1,Tue,\n\
                  \"Student, Test\",102,,abcdef,Tue,\n";
    assert_eq!(people(canvas), [["s1", "Adams, Ann", "", "101"]]);
    let moodle =
        "First name,Last name,ID number,Institution,Email address\nAnn,Adams,s1,X,ann@x.edu\n";
    assert_eq!(people(moodle), [["s1", "Ann Adams", "ann@x.edu", ""]]);
    let worksheet = "Identifier,Full name,ID number,Email address,Status,Grade\n\
                     Participant 4711,Ann Adams,s1,ann@x.edu,Submitted,\n";
    let expected = [["s1", "Ann Adams", "ann@x.edu", "4711"]];
    assert_eq!(people(worksheet), expected);
    let groups = "name,canvas_user_id,user_id,login_id,sections,group_name,canvas_group_id,group_id\n\
                  Ann Adams,101,s1,ann1,Tue,Owls,9,\n";
    assert_eq!(people(groups), [["s1", "Ann Adams", "", "101"]]);
    let team = well(groups).students.remove(0).team;
    assert_eq!(team.as_deref(), Some("Owls"));
    let gradescope = "First Name,Last Name,SID,Email,Role\nAnn,Adams,s1,ann@x.edu,Student\n";
    assert_eq!(people(gradescope), [["s1", "Ann Adams", "ann@x.edu", ""]]);
}

#[test]
fn times_are_read_as_systems_write_them() {
    let worksheet = well(
        "Identifier,Full name,Last modified (submission)\n\
         Participant 1,Ann,\"Tuesday, 13 May 2025, 12:30 AM\"\n\
         Participant 2,Bo,-\n\
         Participant 3,Cy,\"Monday, May 5, 2025, 1:05\u{202f}PM\"\n\
         Participant 4,Di,\n",
    );
    let times = |roster: Roster| -> Vec<String> {
        let times = roster.students.into_iter().map(|it| it.submitted);
        let times = times.map(|it| it.map_or_else(String::new, |it| it.to_string()));
        times.collect()
    };
    let expected = ["2025-05-12T14:30:00Z", "", "2025-05-05T03:05:00Z", ""];
    assert_eq!(times(worksheet), expected);
    let named =
        well("id,submitted\na,2025-05-12 23:58:59 +0900\nb,\"Tuesday, 13 May 2025, 12:30 AM\"\n");
    assert_eq!(times(named), ["2025-05-12T14:58:59Z", expected[0]]);
    // 13 May 2025 was a Tuesday.
    let (_, problems) =
        read(b"id,submitted\na,\"Monday, 13 May 2025, 12:30 AM\"\n").expect("a roster");
    assert_eq!(problems.len(), 1, "{problems:?}");
}

#[test]
fn any_end_of_a_line_ends_a_line_and_quotes_enclose_any() {
    let of = |end: &str| {
        let lines = "id,name|s1,\"Ann\nAdams\"|s2,\"Bo \"\"B\"\" Chen\"||s3,Cy|";
        well(&lines.replace('|', end)).students
    };
    let [unix, mac, windows] = ["\n", "\r", "\r\n"].map(of);
    let names: Vec<&str> = mac.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(names, ["Ann Adams", "Bo \"B\" Chen", "Cy"]);
    assert!(mac == unix && mac == windows);
}

#[test]
fn a_quote_that_is_not_closed_takes_no_other_student_with_it() {
    let (roster, problems) =
        read(b"id,name\ns1,\"Ann\ns2,\"Bo\" x\ns3,\"Cy\"\ns4,\"Di").expect("a roster");
    let ids: Vec<&str> = roster.students.iter().map(|it| it.id.as_str()).collect();
    assert_eq!(ids, ["s3"]);
    let of: Vec<&str> = problems.iter().map(|it| it.of.as_str()).collect();
    assert_eq!(of, ["roster line 2", "roster line 3", "roster line 5"]);
}

#[test]
fn the_configuration_says_which_column_is_which() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("roster.csv");
    fs::write(
        &path,
        "Student,ID,SIS User ID,SIS Login ID,Section\nAnn,101,s1,ann1,Tue\n",
    )
    .expect("written");
    let read = |column: &str| {
        let named = [("id", column.to_owned()), ("team", "section".to_owned())];
        Roster::read(&path, &jiff::tz::TimeZone::UTC, &named)
    };
    let (roster, _) = read("SIS Login ID").expect("a roster");
    let ann = &roster.students[0];
    let expected = ["ann1", "Tue"].map(Some);
    assert_eq!([Some(&*ann.id), ann.team.as_deref()], expected);
    let error = read("Login").expect_err("no such column").to_string();
    let words = "`Login` is not there in the first line, which is `Student,ID,";
    assert_has!(error, words);
}
