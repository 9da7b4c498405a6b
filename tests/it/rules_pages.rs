//! Pages of games whose rules are a program: each drawn board is the answer of `show` at its ply.

use std::path::PathBuf;
use std::time::Duration;

use referee::rules::{Deadlines, Program};
use serde::Deserialize;

use crate::support::browser::{Browser, Page};
use crate::support::python::python;
use crate::support::{REFEREE, TestRun, begin, examples, play, randoms, root, start};

/// A game that draws nothing from its seed, and the kind of its board.
struct Case {
    command: Vec<String>,
    dir: PathBuf,
    options: &'static [(&'static str, &'static str)],
    kind: &'static str,
}

impl Case {
    fn new(
        command: &[&str],
        dir: PathBuf,
        options: &'static [(&'static str, &'static str)],
        kind: &'static str,
    ) -> Self {
        Self {
            command: command.iter().map(|word| (*word).to_owned()).collect(),
            dir,
            options,
            kind,
        }
    }

    fn start(&self) -> Program {
        let args: Vec<&str> = self.command[1..].iter().map(String::as_str).collect();
        start(&self.command[0], &args, &self.dir, Deadlines::default()).expect("rules")
    }

    fn played(&self) -> TestRun {
        let options = self.options.iter();
        let options = options.map(|(key, value)| format!("{key} = \"{value}\"\n"));
        TestRun::played(&format!(
            "seed = 3\n[game]\nrules = {:?}\ndir = {:?}\n{}[format]\nkind = \"round-robin\"\n\
             games-per-pairing = 2\n[limits]\nplies = 40\n{}",
            self.command,
            self.dir,
            options.collect::<String>(),
            randoms(&["a", "b"])
        ))
    }
}

fn cases() -> Vec<Case> {
    let python =
        |file: &str, options, kind| Case::new(&["python3", file], examples(), options, kind);
    let falling = &[("cards", "5"), ("prizes", "falling")];
    let heap = Case::new(
        &["python3", "zoo.py", "heap"],
        root().join("tests/wrong_rules"),
        &[],
        "text",
    );
    let cachex = [REFEREE, "rules", "cachex"];
    vec![
        python(
            "connect_four.py",
            &[("width", "5"), ("height", "5")],
            "grid",
        ),
        python("go.py", &[("width", "3"), ("height", "3")], "points"),
        Case::new(&cachex, examples(), &[("size", "4")], "hex"),
        python("goofspiel.py", falling, "grid"),
        heap,
        python("phantom_tic_tac_toe.py", &[], "grid"),
    ]
}

#[derive(Debug, Default, PartialEq, Deserialize)]
struct Shown {
    kind: String,
    letters: String,
    marks: usize,
    text: String,
    /// The labels of the columns, where the rules name them.
    columns: Vec<String>,
}

impl Shown {
    fn by_rules(program: &mut Program, of: &str) -> Self {
        program.queue_request(format!("show {of}\n").as_bytes());
        let mut shown = Self {
            kind: "text".to_owned(),
            ..Self::default()
        };
        let mut text = Vec::new();
        let read = program.read_answer(Duration::from_secs(60), |line| {
            let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
            match word {
                "grid" | "points" | "hex" => {
                    shown.kind = word.to_owned();
                    let rows = rest.split(' ').nth(2).unwrap_or_default();
                    shown.letters = rows.replace('/', "");
                }
                "mark" => shown.marks += rest.split(' ').count(),
                "text" => text.push(rest.to_owned()),
                "columns" => shown.columns = rest.split(' ').map(str::to_owned).collect(),
                _ => {}
            }
            Ok(word == "ok")
        });
        assert_eq!(read, Ok(()));
        shown.text = text.join("\n");
        shown
    }

    /// What the page has drawn. Labels count as far as the rules name some.
    fn by_page(page: &mut Page<'_>, columns: usize) -> Self {
        let drawn = page.evaluate(&format!(
            "(() => {{
                const board = document.getElementById('board');
                const all = (what) => board.hasAttribute('hidden') ? [] : [...board.querySelectorAll(what)];
                const kind = () => all('polygon.ground').length ? 'hex' : all('.lines').length ? 'points' : 'grid';
                const labels = all('.label').map((label) => label.textContent);
                return {{
                    kind: all('.ground').length ? kind() : 'text',
                    letters: all('.cell').map((cell) => cell.dataset.letter).join(''),
                    marks: all('.cell.marked').length,
                    text: document.getElementById('text').textContent,
                    columns: labels.slice(labels.length - {columns}),
                }};
            }})()"
        ));
        serde_json::from_value(drawn).expect("a drawing")
    }
}

/// Walks through a game on its page, in each view, and compares each position. Returns their number.
fn compare(case: &Case, run: &TestRun, id: usize, browser: &mut Browser) -> usize {
    run.referee(&format!("replay out {id} --html {id}.html"))
        .ok();
    let file = run.path(&format!("{id}.html"));
    let mut page = browser.open(&file, &format!("#g{id}p0"), [1280, 900]);
    let views =
        page.evaluate("[...document.querySelectorAll('#view option')].map((it) => it.text)");
    let views: Vec<String> = serde_json::from_value(views).expect("names");
    let mut program = case.start();
    let seats = program.hello().seats.of(2).expect("two seats");
    let rows = run.plies(id);
    let mut count = 0;
    for view in &views {
        let seat = seats.iter().position(|name| name == view);
        let of = seat.map_or("all".to_owned(), |seat| seat.to_string());
        assert!(seat.is_some() || ["everything", "both seats"].contains(&view.as_str()));
        begin(&mut program, 1, case.options);
        page.press("Home");
        let mut next = 0;
        loop {
            let ply = page.evaluate("document.getElementById('slider').valueAsNumber");
            let shown = Shown::by_rules(&mut program, &of);
            let drawn = Shown::by_page(&mut page, shown.columns.len());
            assert_eq!(drawn, shown, "{:?}, {view}, ply {ply}", case.command);
            count += 1;
            let Some(row) = rows.get(next) else { break };
            let acted = rows[next..].iter().take_while(|it| it["ply"] == row["ply"]);
            let actions = acted.map(|row| {
                let seat = seats.iter().position(|name| *name == row["seat"]);
                (seat.expect("a seat") as u8, row["action"].clone())
            });
            let actions: Vec<(u8, String)> = actions.collect();
            next += actions.len();
            play(&mut program, &actions);
            page.press("ArrowRight");
        }
        page.press("v");
    }
    let has_kind = |of: &Shown| of.kind == case.kind;
    assert!(
        has_kind(&Shown::by_page(&mut page, 0)),
        "{:?}",
        case.command
    );
    program.close();
    count
}

#[test]
#[ignore = "slow"]
fn every_position_in_a_browser_is_the_answer_of_show() {
    let mut browser = needed!(Browser::start());
    needed!(python());
    let mut count = 0;
    for case in cases() {
        let run = case.played();
        count += compare(&case, &run, 0, &mut browser);
    }
    println!("{count} positions in a browser are the answers of `show`");
}
