//! `referee verify`: a run is as recorded, or the first record that is wrong is named.

use crate::support::config::{RANDOM, all_games, greedy, shell};
use crate::support::{TestRun, legal, without_clocks};
use referee::game::{BUILT_IN, News};

/// All three games. Two of the players exit at once.
fn config() -> String {
    let [broken, broken_too] = ["broken", "broken-too"].map(|name| shell(name, "exit"));
    let greedy = greedy(&[("greedy", 20)]);
    all_games(3, 40, &[RANDOM, &greedy, &broken, &broken_too])
}

/// The number of the first game with this name and termination.
fn game(run: &TestRun, which: impl Fn(&str, &str) -> bool) -> usize {
    let games = run.rows();
    let mut games = games.iter();
    let row = games.find(|row| which(&row["game"], &row["termination"]));
    row.expect("such a game")["id"].parse().expect("a number")
}

fn log(id: usize) -> String {
    format!("out/games/0000/{id:06}.csv")
}

fn a_run_is_as_recorded() -> TestRun {
    let run = TestRun::new(&config());
    let summary = run.play(&["-j", "1"]);
    assert!(summary.contains("handshake"), "some games are forfeits");
    let records = || (without_clocks(run.rows()), run.plies(0));
    let before = records();
    let said = run.referee("verify out").ok();
    assert_eq!(records(), before, "nothing is touched");
    assert_eq!(said, "out: 36 games are as recorded\n");
    run
}

/// A text with one line changed, from 0.
fn with_line(text: &str, index: usize, change: impl Fn(&str) -> String) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    lines[index] = change(&lines[index]);
    lines.join("\n") + "\n"
}

fn replaced(text: &str, index: usize, from: &str, to: &str) -> String {
    with_line(text, index, |line| line.replacen(from, to, 1))
}

fn with_field(row: &str, index: usize, field: &str) -> String {
    let mut fields: Vec<&str> = row.split(',').collect();
    fields[index] = field;
    fields.join(",")
}

/// A way to change a file of a run, and what it is called.
type Forgery<'a> = (&'a str, &'a str, &'a dyn Fn(&str) -> String);

#[test]
fn the_first_record_that_is_wrong_is_named() {
    let run = a_run_is_as_recorded();
    a_legal_action_that_was_not_played_is_noticed(&run);
    let id = game(&run, |game, end| game == "cachex" && end == "rules");
    let (cachex, pair) = (log(id), run.rows()[id]["block"].clone());
    let dark = log(game(&run, |game, end| {
        game == "dark-chess" && end != "handshake"
    }));
    let exchange_names = |text: &str| {
        let exchange = |line: &str| {
            let mut fields: Vec<&str> = line.split(',').collect();
            if [fields[1], fields[3]] == ["cachex", &pair] {
                fields.swap(4, 5);
            }
            fields.join(",") + "\n"
        };
        text.lines().map(exchange).collect()
    };
    let play_a_cell_again = |text: &str| {
        let second = text.lines().nth(2).expect("a ply");
        let taken = second.split(',').nth(2).expect("an action");
        with_line(text, 3, |line| with_field(line, 2, taken))
    };
    let another_piece = |text: &str| {
        let other = |line: &str| if line.contains(",K,") { "k" } else { "K" };
        with_line(text, 1, |line| with_field(line, 3, other(line)))
    };
    let without_last_line = |text: &str| {
        let (rest, _) = text.trim_end().rsplit_once('\n').expect("lines");
        format!("{rest}\n")
    };
    let [journal, manifest] = ["out/games.csv", "out/manifest.toml"];
    let forgeries: [Forgery<'_>; 11] = [
        ("another opening", &cachex, &|text| {
            replaced(text, 1, "red,", "red,z")
        }),
        ("another seat", &cachex, &|text| {
            replaced(text, 3, "red", "blue")
        }),
        ("an illegal action", &cachex, &play_a_cell_again),
        ("a ply less", &cachex, &without_last_line),
        ("another piece", &dark, &another_piece),
        ("other points", journal, &|text| {
            text.replacen(",1.0,0.0,", ",0.0,1.0,", 1)
        }),
        ("another reason", journal, &|text| {
            text.replacen(",connection,", ",repetition,", 1)
        }),
        (
            "names exchanged in both games of a pair, which no log shows",
            journal,
            &exchange_names,
        ),
        ("fewer games in the plan", manifest, &|text| {
            text.replacen("pairing = 2", "pairing = 1", 1)
        }),
        ("another seed", manifest, &|text| {
            text.replacen("seed = 3", "seed = 4", 1)
        }),
        ("another table", "out/standings.csv", &|text| {
            replaced(text, 1, ",1,", ",2,")
        }),
    ];
    let mut said = String::new();
    for (what, file, forge) in forgeries {
        let text = run.read(file);
        let forged = forge(&text);
        assert_ne!(forged, text, "{what}");
        run.write(file, &forged);
        let ran = run.referee("verify out");
        run.write(file, &text);
        said.push_str(&format!("{what}: {}\n", ran.screen()));
    }
    std::fs::remove_file(run.path(&cachex)).expect("removed");
    said.push_str(&format!(
        "a log less: {}",
        run.referee("verify out").screen()
    ));
    assert_screen!(said);
}

/// Another legal action with the same end and nothing else made public: only the digest tells.
fn a_legal_action_that_was_not_played_is_noticed(run: &TestRun) {
    let id = game(run, |game, end| {
        game == "watch-your-back" && end == "adjudication"
    });
    let recorded = referee::runs::Run::open(&run.path("out"), BUILT_IN).expect("a run");
    let recording = recorded.recording(id as u64).expect("read");
    let recording = recording.expect("there");
    let last = recording.plies.len() - 1;
    let ply = &recording.plies[last];
    let (seat, played) = ply.actions().next().expect("an action");
    let position = || recording.position(last).expect("the log is true");
    let other = legal(position().as_ref()).into_iter().find(|action| {
        let mut news = News::default();
        let mut position = position();
        position.act(action, &mut news).expect("legal");
        *action != played.action && news.public(seat) == played.public
    });
    let other = other.expect("another action");
    let replace = |line: &str| line.replacen(&played.action, &other, 1);
    let text = run.read(&log(id));
    run.write(&log(id), &with_line(&text, last + 1, replace));
    let ran = run.referee("verify out");
    run.write(&log(id), &text);
    assert_eq!(ran.exit, 1, "{ran:?}");
    let said = format!("referee: game {id}: `actions_digest` is `");
    assert!(ran.stderr.starts_with(&said), "{}", ran.stderr);
}
