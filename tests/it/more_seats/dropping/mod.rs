//! Tournaments with `forfeit = "drop"`: processes that misbehave leave, and the others play on.

mod bots;
mod places;
mod records;

use std::collections::BTreeMap;

use crate::support::{Table, TestRun};

/// A bot of a shell that takes the first action that it is offered, and does something else when it is asked for the
/// `at`-th time. It writes all that it hears to its standard error.
fn bot(name: &str, at: u32, instead: &str) -> String {
    let act = format!("if [ $n = {at} ]; then {instead}; else echo $first; fi");
    bot_of(name, "echo bot 1 it", &act)
}

fn bot_of(name: &str, hello: &str, act: &str) -> String {
    let script = format!(
        "while read -r line; do echo \"$line\" >&2; word=${{line%% *}}; rest=${{line#* }}; case $word in \
         referee) {hello};; start) n=0; echo ready;; can) first=${{rest%% *}};; \
         act) n=$((n + 1)); {act};; quit) exit;; esac; done"
    );
    format!("[[player]]\nname = \"{name}\"\nfresh-process = true\nshell = '''{script}'''\n")
}

fn honest(name: &str) -> String {
    bot(name, 0, "exit")
}

fn mute(name: &str) -> String {
    bot_of(name, "exit 4", "echo")
}

/// A tournament of these rules, with a block of all players. `None` without Python.
fn tournament([rules, game]: [&str; 2], players: &[String]) -> Option<TestRun> {
    let rest = format!(
        "[format]\nkind = \"round-robin\"\ngames-per-pairing = {}\n\
         [clock]\nmeasure = \"cpu\"\nwall-cap = \"2s\"\n{}",
        players.len(),
        players.concat()
    );
    super::tournament(rules, &format!("forfeit = \"drop\"\n{game}"), &rest)
}

fn played(game: [&str; 2], players: &[String]) -> Option<TestRun> {
    let run = tournament(game, players)?;
    run.play(&["-j", "1"]);
    verified(&run);
    Some(run)
}

const TRON: [&str; 2] = ["tron", "seats = 4\nsize = 7"];
const CHEXERS: [&str; 2] = ["chexers", "turns = 6"];

const SEATS: [&str; 4] = ["first", "second", "third", "fourth"];

/// A column of each player in a row, by its name.
fn by_player(row: &BTreeMap<String, String>, column: &str) -> BTreeMap<String, String> {
    let seats = SEATS.iter().filter(|seat| row.contains_key(**seat));
    seats
        .map(|seat| (row[*seat].clone(), row[&format!("{seat}_{column}")].clone()))
        .collect()
}

fn is(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
    let owned = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
    pairs.iter().map(owned).collect()
}

fn left(run: &TestRun, row: &BTreeMap<String, String>) -> Vec<Vec<String>> {
    let log: Table = run.plies(row["id"].parse().expect("a number"));
    let mut left: Vec<(String, Vec<String>)> = Vec::new();
    for ply in log.iter().filter(|ply| ply["action"].is_empty()) {
        let mut names = ["p1", "p2", "p3", "p4", "red", "green", "blue"].iter();
        let number = names.position(|name| *name == ply["seat"]);
        let name = row[SEATS[number.expect("a seat") % 4]].clone();
        match left.last_mut().filter(|(at, _)| *at == ply["ply"]) {
            Some((_, names)) => names.push(name),
            None => left.push((ply["ply"].clone(), vec![name])),
        }
    }
    let names = left.into_iter().map(|(_, mut names)| {
        names.sort();
        names
    });
    names.collect()
}

/// What each bot heard is what its transcript has. A bot that left may have been ended before it read the last lines.
fn heard_is_in_the_transcript(run: &TestRun, row: &BTreeMap<String, String>) {
    let id: usize = row["id"].parse().expect("a number");
    for (seat, names) in SEATS.iter().filter(|seat| row.contains_key(**seat)).zip([
        ["p1", "red", "a"],
        ["p2", "green", "b"],
        ["p3", "blue", "c"],
        ["p4", "", ""],
    ]) {
        let player = &row[*seat];
        let transcript = run.referee(&format!("replay out {id} --transcript --seat {player}"));
        let transcript = transcript.ok();
        let stderr = names.map(|name| run.path(&format!("out/stderr/0000/{id:06}-{name}.log")));
        let stderr = stderr.into_iter().find(|path| path.exists());
        let heard = stderr.map(|path| std::fs::read_to_string(path).expect("text"));
        let heard = heard.unwrap_or_default();
        match row[&format!("{seat}_fault")].as_str() {
            "" if row[&format!("{seat}_place")] == "1" => {
                assert_eq!(heard, transcript, "{row:?}");
            }
            // A line that the bot was reading when it was ended has no end.
            _ => assert_starts!(transcript, heard.trim_end()),
        }
    }
}

fn verified(run: &TestRun) {
    run.referee("verify out").ok();
    for row in &run.rows() {
        let id = &row["id"];
        run.referee(&format!("replay out {id}")).ok();
        let page = format!("replay out {id} --html game.html");
        run.referee(&page).ok();
        heard_is_in_the_transcript(run, row);
    }
}
