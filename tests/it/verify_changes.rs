//! What was changed in a run's folder after its end is noticed: a byte anywhere, and a record that was
//! forged with all digests computed anew, as far as records contradict each other.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use referee::game::BUILT_IN;
use referee::game::Chance as _;
use referee::random::Stream;
use referee::report::write_tables;
use referee::results::{ResultRow, Results, Settings};
use referee::runs::Run;
use referee::verify::verify;
use sha2::{Digest, Sha256};

use crate::support::{OPENINGS, STUBBORN, TestRun, columns, copy_folder, files_below, times};

/// Twelve games with openings, builds and a budget of time. One player exits at once, and one plays the
/// same action again and again, which is illegal the second time.
fn config() -> String {
    format!(
        "seed = 5\n[game]\nname = \"cachex\"\nsize = 4\nopenings = {OPENINGS:?}\n\
         [format]\nkind = \"round-robin\"\ngames-per-pairing = 2\n\
         [report]\npages = false\n[clock]\nper-game = \"60s\"\nincrement = \"100ms\"\nmargin = \"50ms\"\n\
         [[player]]\nhouse = \"random\"\n\
         [[player]]\nhouse = \"greedy\"\nargs = [\"--nodes\", \"20\"]\n\
         [[player]]\nname = \"broken\"\nshell = \"echo broken >&2; exit 1\"\n\
         [[player]]\nname = \"stubborn\"\ndir = \"stubborn\"\ncommand = [\"sh\", \"bot.sh\"]\n\
         build = [\"echo\", \"built\"]\n"
    )
}

fn played_run() -> TestRun {
    let run = TestRun::new(&config());
    run.write("stubborn/bot.sh", STUBBORN);
    run.play(&["-j", "1"]);
    run
}

fn found(out: &Path) -> Result<(), String> {
    let run = Run::open(out, BUILT_IN).map_err(|error| error.to_string())?;
    verify(&run, &mut || {})
        .map(|_| ())
        .map_err(|error| error.to_string())
}

/// There are no changes with an equal meaning: the digests are of bytes, so that another spelling of a
/// number and another description of the machine are noticed as well.
#[test]
#[ignore = "slow"]
fn every_change_of_one_byte_is_noticed() {
    let run = played_run();
    let out = run.out();
    found(&out).expect("as recorded");
    let files = files_below(&out);
    for kind in "manifest.toml run.sha256 build/ games/ stderr/ openings-".split(' ') {
        let is_one = |file: &PathBuf| file.strip_prefix(&out).is_ok_and(|it| it.starts_with(kind));
        let begins = |file: &PathBuf| file.to_string_lossy().contains(kind);
        assert!(
            files.iter().any(|file| is_one(file) || begins(file)),
            "{kind}"
        );
    }
    let mut chance = Stream::new(11, 0);
    let mut unnoticed = Vec::new();
    for change in 0..times("CHANGED_BYTES", 500) {
        // Half of the changes are spread over the bytes, and half over the files.
        let file = match change % 2 {
            0 => &files[chance.below(files.len() as u32) as usize],
            _ => file_of_any_byte(&files, &mut chance),
        };
        let bytes = std::fs::read(file).expect("a file");
        let at = chance.below(bytes.len() as u32) as usize;
        let mut changed = bytes.clone();
        changed[at] = changed[at].wrapping_add(1 + chance.below(255) as u8);
        std::fs::write(file, &changed).expect("written");
        if found(&out).is_ok() {
            unnoticed.push(format!(
                "{}: byte {at} became {}",
                file.display(),
                changed[at]
            ));
        }
        std::fs::write(file, &bytes).expect("written");
    }
    assert_eq!(unnoticed, [""; 0]);
    found(&out).expect("as recorded");
}

/// A file, the more often the longer it is.
fn file_of_any_byte<'a>(files: &'a [PathBuf], chance: &mut Stream) -> &'a PathBuf {
    let length = |file: &PathBuf| std::fs::metadata(file).expect("a file").len() as u32;
    let mut at = chance.below(files.iter().map(length).sum());
    let mut files = files.iter();
    let found = files.find(|file| match at.checked_sub(length(file)) {
        Some(rest) => {
            at = rest;
            false
        }
        None => true,
    });
    found.expect("a byte is in a file")
}

/// The journal, in which fields are changed by name.
struct Journal {
    header: csv::StringRecord,
    rows: Vec<BTreeMap<String, String>>,
}

impl Journal {
    fn read(out: &Path) -> Self {
        let mut reader = csv::Reader::from_path(out.join("games.csv")).expect("a journal");
        let header = reader.headers().expect("a header").clone();
        let rows = reader.deserialize();
        let rows = rows.map(|row| row.expect("a row")).collect();
        Self { header, rows }
    }

    fn write(&self, out: &Path) {
        let mut writer = csv::Writer::from_path(out.join("games.csv")).expect("a journal");
        writer.write_record(&self.header).expect("written");
        for row in &self.rows {
            let fields = self.header.iter().map(|column| &row[column]);
            writer.write_record(fields).expect("written");
        }
    }

    /// The first row that ended so, not between `stubborn` and `broken`.
    fn row(&mut self, termination: &str) -> &mut BTreeMap<String, String> {
        let fits = |row: &&mut BTreeMap<String, String>| row["termination"] == termination;
        self.rows.iter_mut().find(fits).expect("such a row")
    }
}

/// Computes all digests and tables of a changed run anew.
fn compute_anew(out: &Path) {
    let mut journal = Journal::read(out);
    for row in &mut journal.rows {
        let id: u64 = row["id"].parse().expect("a number");
        let log = std::fs::read(out.join(format!("games/0000/{id:06}.csv"))).expect("a log");
        let digest = Sha256::digest(&log);
        let digest = digest[..16].iter().map(|byte| format!("{byte:02x}"));
        let digest: String = digest.collect();
        row.insert("log_digest".to_owned(), digest);
    }
    journal.write(out);
    let Ok(run) = Run::open(out, BUILT_IN) else {
        return;
    };
    let mut results = Results::default();
    // A row that cannot be read has no result.
    for row in run.rows().expect("a journal").flatten() {
        results.add(&ResultRow::from(&row));
    }
    // Tables cannot be made of rows that cannot be read.
    let _ = write_tables(&run, &results.rate(&Settings::default()), &[]);
    run.write_digests().expect("digests");
}

/// A way to forge a run, and what it is called.
type Forgery<'a> = (&'a str, &'a dyn Fn(&Path));

fn row<'a>(
    termination: &'a str,
    change: impl Fn(&mut BTreeMap<String, String>) + 'a,
) -> impl Fn(&Path) + 'a {
    move |out| {
        let mut journal = Journal::read(out);
        change(journal.row(termination));
        journal.write(out);
    }
}

fn set<'a>(termination: &'a str, column: &'a str, value: &'a str) -> impl Fn(&Path) + 'a {
    row(termination, move |row| {
        row.insert(column.to_owned(), value.to_owned());
    })
}

/// Changes a field of the third ply of a game that ended by the rules.
fn ply<'a>(column: usize, value: &'a str) -> impl Fn(&Path) + 'a {
    move |out| {
        let id: u64 = Journal::read(out).row("rules")["id"]
            .parse()
            .expect("a number");
        let log = out.join(format!("games/0000/{id:06}.csv"));
        let text = std::fs::read_to_string(&log).expect("a log");
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let mut fields: Vec<&str> = lines[3].split(',').collect();
        fields[column] = value;
        lines[3] = fields.join(",");
        std::fs::write(log, lines.join("\n") + "\n").expect("written");
    }
}

fn manifest<'a>(from: &'a str, to: &'a str) -> impl Fn(&Path) + 'a {
    move |out| {
        let path = out.join("manifest.toml");
        let text = std::fs::read_to_string(&path).expect("a manifest");
        assert!(text.contains(from), "{from}");
        std::fs::write(path, text.replace(from, to)).expect("written");
    }
}

/// A text with `#` in the place of each number, since most are measured.
fn without_numbers(text: &str) -> String {
    let mut plain = String::new();
    for c in text.chars() {
        match c.is_ascii_digit() {
            false => plain.push(c),
            true if plain.ends_with('#') => {}
            true => plain.push('#'),
        }
    }
    plain
}

#[test]
fn forged_records_contradict_each_other_even_with_new_digests() {
    let run = played_run();
    what_nothing_contradicts_is_noticed_by_digests(&run);
    files_that_are_added_or_removed_are_noticed(&run);
    everything_among_the_records_is_of_a_game_of_the_run_and_no_link(&run);
    // A player and its opponent exchange the fault for an illegal action.
    let exchange_fault = row("illegal_action", |row| {
        let [first, second] = ["first", "second"].map(|seat| row[seat].clone());
        let (loser, winner) = match row["forfeited_by"] == first {
            true => (second, "red"),
            false => (first, "blue"),
        };
        row.insert("forfeited_by".to_owned(), loser);
        row.insert("winner".to_owned(), winner.to_owned());
        let [one, other] = ["first_points", "second_points"].map(|column| row[column].clone());
        row.insert("first_points".to_owned(), other);
        row.insert("second_points".to_owned(), one);
        for column in ["fault", "detail"] {
            let [first, second] = ["first", "second"].map(|seat| format!("{seat}_{column}"));
            let [one, other] = [&first, &second].map(|column| row[column].clone());
            row.insert(first, other);
            row.insert(second, one);
        }
    });
    let forfeit = |column, value| set("illegal_action", column, value);
    let ended = |termination| forfeit("termination", termination);
    let no_digest = set("rules", "actions_digest", "");
    let forgeries: [Forgery<'_>; 8] = [
        ("a time that is not a number", &ply(4, "1e3")),
        ("a negative time", &ply(5, "-5")),
        ("no digest of the actions", &no_digest),
        ("no words about a forfeit", &forfeit("second_detail", "")),
        ("another fault", &forfeit("second_fault", "hung_up")),
        ("another termination", &ended("protocol_error")),
        ("a handshake in mid-game", &ended("handshake")),
        ("the fault exchanged", &exchange_fault),
    ];
    let mut said = String::new();
    for (what, forge) in forgeries {
        let folder = tempfile::tempdir().expect("a folder");
        copy_folder(&run.out(), folder.path());
        forge(folder.path());
        compute_anew(folder.path());
        let words = found(folder.path()).expect_err(what);
        let words = words.replace(&folder.path().display().to_string(), "out");
        said.push_str(&format!("{what}: {words}\n"));
    }
    assert_screen!(without_numbers(&said));
}

fn what_nothing_contradicts_is_noticed_by_digests(run: &TestRun) {
    let budget = manifest("per-game = \"1m\"", "per-game = \"30s\"");
    let changes: [Forgery<'_>; 7] = [
        ("a time of a ply", &ply(4, "123456")),
        ("a sum of times", &set("rules", "second_cpu_us", "7")),
        ("a budget", &budget),
        ("the machine", &manifest("cores = ", "cores = 1")),
        ("a limit", &manifest("line = \"4 KiB\"", "line = \"8 KiB\"")),
        ("a date", &set("rules", "date", "2020-01-01T00:00:00Z")),
        ("a peak", &set("rules", "first_peak_kib", "1")),
    ];
    for (what, change) in changes {
        let folder = tempfile::tempdir().expect("a folder");
        let out = folder.path();
        copy_folder(&run.out(), out);
        change(out);
        let words = found(out).expect_err(what);
        assert!(
            words.contains("run.sha256") || words.contains("`log_digest` does not fit"),
            "{what}: {words}"
        );
        compute_anew(out);
        found(out).expect("nothing contradicts it");
    }
}

fn files_that_are_added_or_removed_are_noticed(run: &TestRun) {
    let journal = Journal::read(&run.out());
    let handshake = journal.rows.iter().find(|row| row["second"] == "broken");
    let id: u64 = handshake.expect("such a game")["id"]
        .parse()
        .expect("a number");
    for row in [
        "rm out/run.sha256 | has no run.sha256, which is written when a run ends",
        "rm out/build/stubborn.log | build/stubborn.log: it was removed after the run",
        "cp out/games.csv out/set-aside.csv | set-aside.csv: ",
        "cp out/games.csv out/build/x.log | x.log: it was added after the run",
        "rm out/stderr/0000/ID-blue.log | `second_stderr_digest` does not fit the file",
        "echo more >> out/stderr/0000/ID-blue.log | `second_stderr_digest` does not fit",
        "echo new > out/stderr/0000/ID-red.log | `first_stderr_digest` does not fit",
    ] {
        let [what, words] = columns(row);
        let what = &what.replace("ID", &format!("{id:06}"));
        let copied = tempfile::tempdir().expect("a folder");
        copy_folder(&run.out(), &copied.path().join("out"));
        let mut shell = std::process::Command::new("sh");
        let ran = shell.args(["-c", what]).current_dir(copied.path()).status();
        assert!(ran.expect("it runs").success());
        let said = found(&copied.path().join("out")).expect_err(what);
        assert!(said.contains(words), "{what}: {said}");
    }
}

fn everything_among_the_records_is_of_a_game_of_the_run_and_no_link(run: &TestRun) {
    let out = run.out();
    let line = |words: &str| {
        let ran = run.referee("verify out");
        assert_eq!(ran.exit, 1, "{ran:?}");
        assert_has!(ran.stderr, words);
    };
    let log = |id: u64| {
        let files = files_below(&out.join("games")).into_iter();
        let mut files = files.filter(|file| file.ends_with(format!("{id:06}.csv")));
        files.next().expect("a log")
    };
    // A log without a row, files of nobody, and a folder.
    let known = log(3);
    for name in "000077.csv 000003.txt notes 3.csv 000003-nobody.log".split(' ') {
        let path = known.with_file_name(name);
        std::fs::copy(&known, &path).expect("copied");
        line(&format!("{name}: no game in games.csv left it"));
        std::fs::remove_file(&path).expect("removed");
    }
    let elsewhere = out.join("games/readme");
    std::fs::write(&elsewhere, "").expect("written");
    line("games/readme: no game in games.csv left it");
    std::fs::remove_file(&elsewhere).expect("removed");
    // Links to what was there.
    let [journal, manifest, games] = ["games.csv", "manifest.toml", "games"].map(|it| out.join(it));
    for path in [journal, manifest, known, games] {
        let moved = run.path("moved");
        std::fs::rename(&path, &moved).expect("moved");
        std::os::unix::fs::symlink(&moved, &path).expect("a link");
        line(": it is a link, and a run has its own files");
        std::fs::remove_file(&path).expect("removed");
        std::fs::rename(&moved, &path).expect("moved back");
    }
    // What is beside the records is named.
    std::fs::write(out.join("notes.txt"), "mine").expect("written");
    std::fs::write(out.join("mine.csv"), "a,b\n").expect("written");
    let said = run.referee("verify out").ok();
    let why = "not of the run, and not looked at: mine.csv, notes.txt\n";
    assert_has!(said, why);
    for name in ["notes.txt", "mine.csv"] {
        std::fs::remove_file(out.join(name)).expect("removed");
    }
}
