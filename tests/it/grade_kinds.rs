//! A class of 25 in which each handed in something that once cost a mark, a place in the class, or everybody's marks.
//! All are graded as declared in `grade_kinds/class.csv`, and `--check` says before the night what will not play.

use std::fmt::Write as _;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::Command;

use rustix::process::geteuid;
use serde::Deserialize;

use crate::grade_submissions::archives::{FILE, LINK, Zipped, member, tar, zip};
use crate::support::python::python;
use crate::support::{REFEREE, Ran, root, rows};

/// The roster's `submitted` of those in time, and of one who is late by a weekend in which clocks change.
const IN_TIME: &str = "2026-10-30T12:00:00";
const MONDAY: &str = "2026-11-02T23:30:00";

const CONFIG: &str = include_str!("grade_kinds/class.toml");

/// What is declared of a student: the kind, the status, and how the note begins and ends.
#[derive(Deserialize)]
struct Kind {
    id: String,
    kind: String,
    name: String,
    status: String,
    begin: String,
    end: String,
}

fn kinds(table: &str) -> Vec<Kind> {
    let mut reader = csv::Reader::from_reader(table.as_bytes());
    let rows = reader.deserialize().collect::<Result<_, _>>();
    rows.expect("kinds")
}

impl Kind {
    /// Whether this is the note, which is empty where nothing is declared.
    fn is_note(&self, note: &str) -> bool {
        let (begin, end) = (&self.begin, &self.end);
        note.starts_with(begin) && note.ends_with(end) && begin.is_empty() == note.is_empty()
    }

    fn will_not_play(&self) -> bool {
        matches!(self.status.as_str(), "broken" | "held")
    }
}

fn zipped(entries: &[(&[u8], &[u8])]) -> Vec<u8> {
    let entries: Vec<Zipped> = entries
        .iter()
        .map(|(name, content)| Zipped::file(name, content))
        .collect();
    zip(&entries)
}

fn write(path: &Path, content: &[u8]) {
    fs::create_dir_all(path.parent().expect("a folder")).expect("made");
    fs::write(path, content).expect("written");
}

fn hand_in(folder: &Path) {
    let bot = fs::read(root().join("bots/twenty-lines/bot.py")).expect("a bot");
    let with_line = |line: &str| [line.as_bytes(), b"\n", &bot].concat();
    let file = |name: &str, content: &[u8]| write(&folder.join(name), content);
    let archive = |name: &str, more: &[u8], content: &[u8]| {
        file(name, &zipped(&[(b"bot.py", &bot), (more, content)]));
    };
    file("s01/bot.py", &bot);
    file("s02/bot.py", &bot);
    archive("s03.zip", b"B\x81cher.txt", b"x");
    archive("s04.zip", b"\xce\xd2\xb5\xc4.txt", b"x");
    let members = [
        member("bot.py", b'0', 0o644, "", &bot),
        member_of_bytes(b"caf\xe9.txt"),
    ];
    file("s05.tar", &tar(&members));
    archive("s06.zip", "notes\u{200e}.txt".as_bytes(), b"x");
    let of_systems: [(&[u8], &[u8]); 3] = [
        (b"bot.py", &bot),
        (b"Icon\r", b""),
        (b"__MACOSX/._bot.py", b"x"),
    ];
    file("s07.zip", &zipped(&of_systems));
    let venv = Zipped::file(b"venv/lib64", b"lib").mode(LINK);
    file("s08.zip", &zip(&[Zipped::file(b"bot.py", &bot), venv]));
    file("s09/agent/bot.py", &bot);
    file("s09/report.pdf", b"%PDF");
    file("s10/my-project/src/bot.py", &bot);
    file("s11/one/bot.py", &bot);
    file("s11/two/bot.py", &bot);
    file("s12/Bot.py", &bot);
    file("s13/bot.py", &with_line("def choose(:"));
    for id in ["s14", "s15", "s16"] {
        let lines = format!("# {id}\nimport package_of_the_course");
        file(&format!("{id}/bot.py"), &with_line(&lines));
    }
    file("s17/bot.py", &bot);
    file("s18 (1).zip", &zipped(&[(b"bot.py", &bot)]));
    file("s19/bot.py", &bot);
    file("s20/bot.py", &bot);
    fs::create_dir_all(folder.join("s20").join("d/".repeat(900))).expect("made");
    file("s22/bot.py", &bot);
    file("s22/notes.txt", b"x");
    let nobody = fs::Permissions::from_mode(0o000);
    fs::set_permissions(folder.join("s22/notes.txt"), nobody).expect("set");
    file("s23/bot.py", &bot);
    file("s23/node_modules/x/index.js", b"x");
    file("s23/.git/HEAD", b"x");
    file("s24/bot.py", &bot);
    symlink("/etc/passwd", folder.join("s24/notes.txt")).expect("made");
    let whole = zipped(&[(b"bot.py", &bot)]);
    file("s25.zip", &whole[..whole.len() / 2]);
}

/// A member of a tar whose name is no text.
fn member_of_bytes(name: &[u8]) -> Vec<u8> {
    let mut header = ::tar::Header::new_gnu();
    header.as_old_mut().name[..name.len()].copy_from_slice(name);
    header.set_mode(FILE);
    header.set_size(0);
    header.set_cksum();
    header.as_bytes().to_vec()
}

fn hand_in_kits(folder: &Path) {
    let bot = fs::read(root().join("bots/twenty-lines/bot.py")).expect("a bot");
    let command = "command = [\"python3\", \"bot.py\"]";
    let build = "build = [\"sh\", \"-c\", \"mkdir out && chmod 000 out\"]";
    let reader = "import sys\nif len(sys.argv) > 1:\n  try: sys.exit(open(sys.argv[1]).read())\n  \
                  except OSError: pass\n";
    let bot = [reader.as_bytes(), &bot].concat();
    let out = "command = [\"python3\", \"bot.py\", \"../bot/a b/../../../../../../../roster.csv\"]";
    let with = |key: &str| format!("{command}\n{key}");
    let in_src =
        with("dir = \"./src\"\nclock = { per-game = \"1h\" }\nlimits = { memory = \"8GiB\" }");
    for (id, kit) in [
        ("k1", command.to_owned()),
        ("k2", format!("{command}\nenv = {{ JAVA_HOME = \"/\" }}")),
        ("k3", "command = [\"python3\", \"../k1/bot.py\"]".to_owned()),
        ("k4", format!("{command}\n{build}")),
        ("k5", format!("{out}\nbuild = [\"mkdir\", \"a b\"]")),
        ("k6", in_src),
        ("k7", with("dir = \"src\"")),
        ("k8", with("dir = \"../k1\"")),
        ("k9", with("dir = \"/\"")),
        ("k10", with("args = [\"x\"]")),
        ("k11", with("speaks = \"uci\"")),
        ("k12", with("options = { a = 1 }")),
        ("k13", "command = [\"./run.sh\"]".to_owned()),
        ("k14", command.replace("bot.py", "player/bot.py")),
    ] {
        write(&folder.join(id).join("bot.py"), &bot);
        if id == "k6" {
            write(&folder.join(id).join("src/bot.py"), &bot);
            write(&folder.join(id).join("bot.py"), b"exit(1)");
        }
        let kit = format!("[[player]]\nname = \"mine\"\n{kit}\n");
        write(&folder.join(id).join("kit.toml"), kit.as_bytes());
    }
    write(&folder.join("k7/src/notes.txt"), b"");
    write(&folder.join("k13/run.sh"), b"exec python3 bot.py\n");
    fs::create_dir(folder.join("k14/player")).expect("made");
    write(
        &folder.join("k14/.gitmodules"),
        b"[submodule \"p\"]\n\tpath = player\n\turl = x\n",
    );
}

fn roster(kinds: &[Kind]) -> String {
    let mut roster = "id,name,submitted\n".to_owned();
    for kind in kinds {
        let submitted = if kind.id == "s02" || kind.id == "e2" {
            MONDAY
        } else {
            IN_TIME
        };
        writeln!(roster, "{},\"{}\",{submitted}", kind.id, kind.name).expect("a string");
    }
    roster
}

fn grade(folder: &Path, args: &[&str]) -> Ran {
    let mut command = Command::new(REFEREE);
    command.args(["grade", "class.toml", "--out", "out", "-j", "2"]);
    let output = command.args(args).current_dir(folder).output();
    Ran::from(output.expect("it runs"))
}

/// Grades a class, and looks whether `--check` and the marks say what is declared. Gives the marks as they are written.
fn expect_as_declared(place: &Path, config: &str, kinds: &[Kind]) -> String {
    fs::write(place.join("roster.csv"), roster(kinds)).expect("written");
    fs::write(place.join("class.toml"), config).expect("written");

    let check = grade(place, &["--check"]);
    println!("{}{}", check.stdout, check.stderr);
    // Those who play have one program.
    let lines = check.stdout.lines();
    let lines = lines.filter(|line| !line.contains(": hands in the same program as "));
    let lines: Vec<&str> = lines.collect();
    for kind in kinds {
        let mut told = lines
            .iter()
            .filter_map(|line| line.strip_prefix(&kind.id)?.strip_prefix(": "));
        match kind.will_not_play() {
            true => assert!(told.any(|note| kind.is_note(note)), "{}", kind.kind),
            false => assert_eq!(told.next(), None, "{}", kind.kind),
        }
    }

    let ran = grade(place, &[]);
    println!("{}{}", ran.stdout, ran.stderr);
    let path = place.join("out/marks.csv");
    let marks = rows(&path);
    assert_eq!(marks.len(), kinds.len());
    for (row, kind) in marks.iter().zip(kinds) {
        assert_eq!(row["id"], kind.id);
        assert_eq!(row["status"], kind.status, "{}: {}", kind.kind, row["note"]);
        let notes = row["note"].split("; ");
        let own = notes.filter(|note| !note.starts_with("hands in the same program as "));
        let own = own.collect::<Vec<_>>().join("; ");
        assert!(kind.is_note(&own), "{}: {own}", kind.kind);
        let (days, penalty) = match kind.id.as_str() {
            "s02" => ("1", "2.000"),
            "e2" => ("1", "0.000"),
            _ => ("0", "0.000"),
        };
        assert_eq!(
            [&*row["days_late"], &*row["penalty"]],
            [days, penalty],
            "{}",
            kind.kind
        );
        let games = if kind.status == "graded" { "2" } else { "" };
        assert_eq!(row["random_games"], games, "{}", kind.kind);
        let mut forfeits = row.iter().filter(|(name, _)| name.starts_with("forfeits_"));
        assert!(forfeits.all(|(_, count)| count == "0"), "{}", kind.kind);
    }
    fs::read_to_string(&path).expect("marks")
}

#[test]
#[ignore = "slow"]
fn nobody_of_25_loses_a_mark_by_accident_and_each_status_is_as_declared() {
    needed!(python());
    let place = tempfile::tempdir().expect("a folder");
    hand_in(&place.path().join("submissions"));
    let mut kinds = kinds(include_str!("grade_kinds/class.csv"));
    if !geteuid().is_root() {
        // Who reads everything reads this too.
        let closed = kinds.iter_mut().find(|kind| kind.id == "s22");
        let closed = closed.expect("a kind");
        closed.status = "held".to_owned();
        closed.begin = "what was handed in cannot be read here: ".to_owned();
        closed.end = "Permission denied (os error 13)".to_owned();
    }
    let marks = expect_as_declared(place.path(), CONFIG, &kinds);
    assert!(marks.contains(",'=HYPERLINK(0),"), "{marks}");
}

#[test]
fn a_kit_says_how_its_bot_starts_and_not_what_is_opened() {
    needed!(python());
    let place = tempfile::tempdir().expect("a folder");
    hand_in_kits(&place.path().join("submissions"));
    let config = CONFIG.replace("command = [\"python3\", \"bot.py\"]", "kit = true");
    // The program of a kit crashes if it can read the roster.
    let kits = kinds(include_str!("grade_kinds/kits.csv"));
    expect_as_declared(place.path(), &config, &kits);
}

#[test]
fn an_engine_that_is_handed_in_speaks_what_its_kit_says() {
    needed!(python());
    let place = tempfile::tempdir().expect("a folder");
    let engine = fs::read(root().join("tests/engines/uci.py")).expect("an engine");
    let command = "command = [\"python3\", \"uci.py\", \"plays\"]\nspeaks = \"uci\"\n";
    for folder in ["submissions/e1", "submissions/e2", "reference"] {
        write(&place.path().join(folder).join("uci.py"), &engine);
        let more = if folder.ends_with('2') {
            "options.Hash = 7\n"
        } else {
            ""
        };
        let kit = format!("[[player]]\nname = \"mine\"\n{command}{more}");
        write(&place.path().join(folder).join("kit.toml"), kit.as_bytes());
    }
    let config = CONFIG
        .replace("command = [\"python3\", \"bot.py\"]", "kit = true")
        .replace("name = \"cachex\"\nsize = 3", "name = \"chess\"")
        .replace("against = [\"random\"]", "against = [\"knights\"]")
        .replace("[late]\nmarks-per-day = 2\n", "");
    let config = format!(
        "opening-plies = 0\n{config}[[reference]]\nname = \"knights\"\ndir = \"reference\"\n{command}"
    );
    let engines = kinds(
        "id,kind,name,status,begin,end\ne1,an engine,Ann,graded,,\ne2,one with options,Ann,graded,,\n",
    );
    expect_as_declared(place.path(), &config, &engines);
    let path = place.path().join("out/feedback/e2/feedback.md");
    let feedback = fs::read_to_string(path).expect("feedback");
    let late = "It was handed in 1 working day late. Marks taken off for that: 0.\n";
    assert_has!(feedback, late);
}
