//! `class.html`: the page of a class, for its lecturer.

use std::collections::BTreeSet;
use std::fs;

use crate::support::{Browser, REFEREE, Table, TestRun, files_below};

const RANDOM: &str = "exec \"$REFEREE\" bot random\n";
const GREEDY: &str = "exec \"$REFEREE\" bot greedy --nodes 20\n";
const NO_PACKAGE: &str = "echo \"ModuleNotFoundError: No module named 'numpy'\" >&2; exit 1\n";
/// Ends in every game, after the handshake.
const MUTE: &str = "read l; echo bot 1 mute; read l; echo ready; read l; exit 4\n";

/// A name that would do something if it were not shown as text.
const HOSTILE: &str = "<script>document.title=1</script>";

/// A class of these bots, by id, that are tested `games` times by each of two opponents. A student without a bot
/// hands in nothing.
fn class_of(bots: &[(String, &str)], games: u32, more: &str) -> TestRun {
    let class = TestRun::new("");
    let config = format!(
        "name = \"class\"\nseed = 11\n[class]\nroster = \"roster.csv\"\nsubmissions = \"in\"\n\
         deadline = 2026-05-10T17:00:00Z\n[late]\nmarks-per-day = 1.0\ndays = \"calendar\"\nmost-days = 5\n\
         [submission]\ncommand = [\"sh\", \"bot.sh\"]\nenv = {{ REFEREE = {REFEREE:?} }}\n\
         [game]\nname = \"cachex\"\nsize = 3\n[limits]\nisolation = \"containment\"\n\
         [reliability]\nmarks = 2\n[[test]]\nagainst = [\"random\"]\nmarks = 8\ngames = {games}\n\
         [[test]]\nagainst = [\"greedy\"]\nmarks = 4\ngames = 2\n{more}"
    );
    class.write("class.toml", &config);
    let mut roster = "id,name,submitted\n".to_owned();
    for (id, bot) in bots {
        let name = match id.as_str() {
            "s00" => HOSTILE.to_owned(),
            id => format!("Ann {id}"),
        };
        let time = match *bot {
            "late" => "2026-06-10T16:00:00Z",
            _ => "2026-05-10T16:00:00Z",
        };
        roster += &format!("{id},{name},{time}\n");
        match *bot {
            "nothing" => {}
            "two" => {
                for folder in ["one", "two"] {
                    class.write(&format!("in/{id}/{folder}/bot.sh"), RANDOM);
                }
            }
            "late" => class.write(&format!("in/{id}/bot.sh"), RANDOM),
            bot => class.write(&format!("in/{id}/bot.sh"), bot),
        }
    }
    class.write("roster.csv", &roster);
    fs::create_dir_all(class.path("in")).expect("made");
    class
}

fn page_of(class: &TestRun) -> String {
    class.read("out/class.html").replace("&#x2f;", "/")
}

/// The text of the page between a heading and the next one, with its links.
fn part<'a>(page: &'a str, heading: &str) -> &'a str {
    let begin = format!("<h2>{heading}</h2>");
    assert!(page.contains(&begin), "no part {heading}: {page}");
    let (_, rest) = page.split_once(&begin).unwrap_or_default();
    rest.split("<h2").next().unwrap_or_default()
}

/// Forty students: most play, and the others fail in every way.
pub fn forty() -> TestRun {
    let bot = |at: usize| match at {
        0..4 => NO_PACKAGE,
        4..6 => "two",
        6 => "nothing",
        7 => "late",
        8..11 => MUTE,
        11..13 => GREEDY,
        _ => RANDOM,
    };
    let bots = (0..40).map(|at| (format!("s{at:02}"), bot(at)));
    class_of(&bots.collect::<Vec<_>>(), 10, "")
}

#[test]
#[ignore = "slow"]
fn the_page_tells_how_a_class_did_and_who_needs_a_person() {
    let class = forty();
    let said = class.grade("").stdout;
    assert_has!(said, "for teaching staff alone: out/class.html\n");
    let (page, marks) = (page_of(&class), class.table("marks.csv"));
    let with = |status: &str| marks.iter().filter(|row| row["status"] == status).count();
    let found = ["graded", "broken", "held", "late", "none"].map(with);
    assert_eq!(found, [32, 4, 2, 1, 1]);
    let graded = marks.iter().filter(|row| row["status"] == "graded");
    let totals = graded.map(|row| row["total"].parse::<f64>().expect("a number"));
    let mut totals: Vec<f64> = totals.collect();
    totals.sort_by(f64::total_cmp);
    let first = format!(
        "32 of 40 students and teams graded: {} to {} of 14 marks, the median is ",
        totals[0], totals[31]
    );
    assert!(page.contains(&first), "no `{first}`: {page}");
    let others =
        "2 held until a person has looked, 4 broken, 1 too late to be marked, 1 handed in nothing.";
    assert!(page.contains(others), "{page}");

    // The cause that four share comes first, with all four and with what helps.
    let why = part(&page, "Who needs a person");
    let items: Vec<&str> = why.split("<li>").skip(1).collect();
    assert_has!(items[0], "No module named &#x27;numpy&#x27;");
    assert!(items[0].contains("install the package"), "{why}");
    for id in ["s00", "s01", "s02", "s03"] {
        assert_has!(items[0], &format!("feedback/{id}/index.html"));
    }
    let others = items.iter().skip(1);
    let held = others.filter(|item| ["s04", "s05"].iter().any(|id| item.contains(id)));
    let found = held.filter(|item| item.contains(", held: ")).count();
    assert_eq!(found, 2, "{why}");

    let forfeits = part(&page, "Forfeited games");
    let counts = marks.iter().map(|row| row["forfeits_crash"].parse::<u64>());
    let sum: u64 = counts.map(|count| count.expect("a number")).sum();
    let words = format!("crash, {sum} games</strong>:");
    assert!(forfeits.contains(&words), "no `{words}`: {forfeits}");
    assert_eq!(page.matches("<script").count(), 1, "it sorts the table");
    assert!(!page.contains("style=\""));
    assert_has!(page, "&lt;script&gt;document.title=1&lt;/script&gt;");

    let mut links = BTreeSet::new();
    for link in page.split("href=\"").skip(1) {
        links.insert(link.split('"').next().unwrap_or_default());
    }
    // The feedback of all forty, the games of 32 in two tests, and two tables.
    assert_eq!(links.len(), 40 + 2 * 32 + 2, "{links:?}");
    for link in links {
        assert!(class.path("out").join(link).is_file(), "{link}");
    }
    looks_well(&class, &marks);
}

/// The page in a browser: it fits every screen, says nothing to the console, and its table is that of `marks.csv`.
fn looks_well(class: &TestRun, marks: &Table) {
    let mut browser = needed!(Browser::start());
    let mut page = browser.open(&class.path("out/class.html"), "", [1280, 900]);
    for width in [360, 1280, 1920] {
        page.resize([width, 800]);
        page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true; })");
        page.assert_fits(&format!("{width}"));
        assert_eq!(page.overlaps(), [""; 0], "{width}");
        assert_eq!(page.empty_figures(), [""; 0], "{width}");
    }
    let shown = page.rows("a student leads to the feedback");
    assert_eq!(shown.len(), marks.len());
    for (row, mark) in shown.iter().zip(marks) {
        let known = ["id", "name", "status"].map(|column| mark[column].clone());
        assert_eq!(row[..3], known);
        let total = match &*mark["total"] {
            "" => "–".to_owned(),
            total => total.parse::<f64>().expect("a number").to_string(),
        };
        assert_eq!(row[3], total, "{mark:?}");
    }
    let part = |label: &str| format!("document.querySelector('table[class~=sortable]') && {label}");
    assert_eq!(page.evaluate(&part("true")), true);
    let repeated = "(ids => ids.length - new Set(ids).size)([...document.querySelectorAll('[id]')].map(e => e.id))";
    assert_eq!(page.evaluate(repeated), 0);
    assert_eq!(page.barriers(), [""; 0]);
}

#[test]
fn only_a_grading_of_the_class_writes_the_page_and_nobody_else_gets_it() {
    let bots = [("s10", RANDOM), ("s11", GREEDY), ("s12", MUTE)];
    let bots = bots.map(|(id, bot)| (id.to_owned(), bot));
    let class = class_of(&bots, 2, "");
    class.write("in/zz/bot.sh", RANDOM);
    class.grade("--shard 0/2");
    assert!(!class.path("out/class.html").exists());
    class.grade("");
    let first = page_of(&class);
    let problem = "zz: matches nobody in the roster";
    assert!(first.contains(problem), "{first}");
    class.write("in/s12/bot.sh", &format!("{RANDOM}# s12\n"));
    fs::remove_dir_all(class.path("in/zz")).expect("removed");
    class.grade("--only s12");
    assert_eq!(page_of(&class), first);
    class.grade("");
    let second = page_of(&class);
    assert!(second.contains("Nobody does."), "{second}");
    assert!(!second.contains(problem), "{second}");
    let others = files_below(&class.path("out")).into_iter();
    let others = others.filter(|file| !file.ends_with("class.html"));
    let mut read = 0;
    for file in others {
        let bytes = fs::read(&file).expect("a file");
        let text = String::from_utf8_lossy(&bytes);
        assert!(
            !text.contains("For teaching staff alone"),
            "{}",
            file.display()
        );
        read += usize::from(file.ends_with("index.html"));
    }
    // The search read the feedback of all.
    assert_eq!(read, 3);
}

#[test]
fn who_may_be_late_is_named_on_the_page_and_with_the_filled_marks() {
    let class = class_of(&[], 2, "");
    let config = class.read("class.toml").replace(
        "[late]\nmarks-per-day = 1.0\ndays = \"calendar\"\nmost-days = 5\n",
        "",
    );
    let canvas = "[class]\nlayout = \"canvas\"\n";
    class.write("class.toml", &config.replace("[class]\n", canvas));
    let roster = "id,lms_id,submitted\ns10,101,\ns11,102,\ns12,103,2026-05-10T16:00:00Z\n";
    class.write("roster.csv", roster);
    for name in [
        "ann_LATE_101_91_bot.sh",
        "ben_102_92_bot.sh",
        "cid_LATE_103_93_bot.sh",
    ] {
        class.write(&format!("in/{name}"), &format!("{RANDOM}# {name}\n"));
    }
    class.write("sheet.csv", "ID,M\n101,\n102,\n103,\n");
    let said = class.grade("--fill sheet.csv --key ID --column M").stdout;
    assert_has!(said, "3 marks filled into sheet.csv\n");
    let end = "\n1 mark is given without a decision about lateness: s10\n";
    assert!(said.ends_with(end), "{said}");
    let page = page_of(&class);
    let why = part(&page, "Who needs a person");
    let late = "is late, nobody knows by how much: nothing is taken off yet";
    let item = format!("the submission {late}: <a href=\"feedback/s10/index.html\">s10</a></");
    assert!(why.contains(&item), "{why}");
    let note = format!("`ann_LATE_101_91_bot.sh` {late}");
    assert_eq!(class.table("marks.csv")[0]["note"], note);
    let feedback = class.read("out/feedback/s10/feedback.md");
    assert_has!(feedback, &format!("Your submission {late}."));
    class.write("sheet.csv", "ID,M\n101,EX\n102,\n103,\n");
    let said = class.grade("--fill sheet.csv --key ID --column M").stdout;
    assert!(
        !said.contains("without a decision about lateness"),
        "{said}"
    );
}
