//! Jobs, shards and resume; records that are changed; configurations that are refused.

use std::collections::BTreeMap;

use referee::random::Stream;

use super::{CHEXERS, SEATS, TRON, bot, honest, mute, tournament};
use crate::more_seats::shards_play_the_games_of;
use crate::support::content::content;
use crate::support::{Killer, TestRun};

fn mixed() -> Option<TestRun> {
    let players = [
        honest("a"),
        honest("b"),
        bot("crash", 2, "exit 3"),
        bot("cheat", 2, "echo up"),
        mute("mute"),
    ];
    tournament(TRON, &players)
}

#[test]
#[ignore = "slow"]
fn any_number_of_jobs_and_shards_and_a_resumed_run_have_the_same_games() {
    let one = needed!(mixed());
    let other = needed!(mixed());
    one.play(&["-j", "1"]);
    other.play(&["-j", "3", "--spread"]);
    assert_eq!(content(&one.out()), content(&other.out()));
    // Games that are taken out of the journal are played as they were.
    std::fs::remove_file(other.path("out/run.sha256")).expect("removed");
    other.keep_games(2);
    other.play(&["-j", "1", "--resume"]);
    assert_eq!(content(&one.out()), content(&other.out()));
    shards_play_the_games_of(&one);
}

#[test]
#[ignore = "slow"]
fn a_killed_run_goes_on_to_the_games_of_one_that_was_not() {
    let in_turn = || {
        let players = [
            honest("a"),
            bot("crash", 2, "exit 3"),
            honest("b"),
            mute("mute"),
        ];
        tournament(CHEXERS, &players)
    };
    for games in [mixed, in_turn] {
        let whole = needed!(games());
        let run = needed!(games());
        whole.play(&["-j", "2"]);
        let mut killer = Killer::new(Stream::new(4, 7), "DROPPED_KILLS", 6);
        killer.resume_until_done(20..700, &run, &whole);
    }
}

/// Changes a game in the journal; `verify` says what is wrong.
#[track_caller]
fn changed(run: &TestRun, change: &dyn Fn(&mut BTreeMap<String, String>), said: &str) {
    let path = run.out().join("games.csv");
    let before = std::fs::read_to_string(&path).expect("a journal");
    let mut reader = csv::Reader::from_reader(before.as_bytes());
    let header = reader.headers().expect("a header").clone();
    let rows = reader.deserialize();
    let mut rows: Vec<BTreeMap<String, String>> = rows.map(|row| row.expect("a row")).collect();
    change(&mut rows[0]);
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(&header).expect("memory");
    for row in &rows {
        writer
            .write_record(header.iter().map(|name| &row[name]))
            .expect("memory");
    }
    std::fs::write(&path, writer.into_inner().expect("memory")).expect("written");
    run.referee("verify out").fails(1, said);
    std::fs::write(&path, before).expect("written");
}

#[test]
fn a_row_whose_faults_are_not_those_of_its_log_is_found() {
    let players = [
        honest("a"),
        honest("b"),
        honest("c"),
        bot("bad", 2, "exit 3"),
    ];
    let run = needed!(tournament(TRON, &players));
    run.play(&["-j", "1"]);
    let seat_of = |row: &BTreeMap<String, String>, wanted: &dyn Fn(&str) -> bool| {
        let seat = SEATS.into_iter().find(|seat| wanted(seat));
        (seat.expect("it plays"), row.clone())
    };
    let set = |row: &mut BTreeMap<String, String>, seat: &str, values: [&str; 3]| {
        for (column, value) in ["fault", "detail", "termination"].into_iter().zip(values) {
            row.insert(format!("{seat}_{column}"), value.to_owned());
        }
    };
    let without = |row: &mut BTreeMap<String, String>| {
        let (seat, _) = seat_of(row, &|seat| row[seat] == "bad");
        set(row, seat, ["", "", ""]);
        row.insert("forfeited_by".to_owned(), String::new());
    };
    let words = "left the game, and its row has no fault of its player";
    changed(&run, &without, words);
    let with = |row: &mut BTreeMap<String, String>| {
        let (seat, old) = seat_of(row, &|seat| {
            row[seat] != "bad" && row[&format!("{seat}_place")] != "1"
        });
        let fault = ["exited", "the bot's process exited with code 3", "crash"];
        set(row, seat, fault);
        let names = SEATS.iter().filter(|it| **it == seat || old[**it] == "bad");
        let names: Vec<&str> = names.map(|it| old[*it].as_str()).collect();
        row.insert("forfeited_by".to_owned(), names.join("+"));
    };
    changed(&run, &with, "by the log that seat did not leave");
    let other_way = |row: &mut BTreeMap<String, String>| {
        let (seat, _) = seat_of(row, &|seat| row[seat] == "bad");
        row.insert(format!("{seat}_termination"), "handshake".to_owned());
    };
    let words = "left the game, and its player was not asked";
    changed(&run, &other_way, words);
    run.referee("verify out").ok();
}

#[test]
fn a_game_that_cannot_go_on_without_a_seat_is_refused_in_words() {
    let run = needed!(tournament(TRON, &["a", "b", "c", "d"].map(honest)));
    let config = run.read("config.toml");
    let check = |from: &str, to: &str, said: &str| {
        assert!(config.contains(from), "{config}");
        run.configure(&config.replace(from, to));
        run.run(&["--check"]).fails(2, said);
    };
    let two = "tron has 2 seats, so a forfeit ends the game";
    check("seats = 4", "seats = 2", two);
    let stop = "`forfeit` cannot be \"stop\": expected \"end\" or \"drop\"";
    check("\"drop\"", "\"stop\"", stop);
    let duet = include_str!("../duet.py")
        .replace("offers drop", "offers")
        .replace("except Dropped as dropped", "except ValueError as dropped");
    run.write("rules/tron.py", &duet);
    let own = config.replace(TRON[1], "");
    run.configure(&own);
    run.run(&["--check"]).fails(
        2,
        "the rules of duet cannot go on without a seat: they do not say `has drop`",
    );
    let rules = "rules = [\"python3\", \"tron.py\"]\ndir = \"rules\"";
    let built_in = own.replace(rules, "name = \"cachex\"");
    run.configure(&built_in);
    run.run(&["--check"])
        .fails(2, "`forfeit` cannot be \"drop\": cachex has 2 seats");
}
