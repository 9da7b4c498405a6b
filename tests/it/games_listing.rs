//! `referee games`: the games of a run, filtered; and the forfeits at the end of `referee run`.

use crate::support::config::{GREEDY, RANDOM, shell, small_cachex};
use crate::support::{STUBBORN, TestRun};
use referee::game::{GameResult, Seat};
use referee::runs::GameRow;

pub fn listed(run: &TestRun, options: &str) -> Vec<u64> {
    let text = run.referee(&format!("games out {options} --json")).ok();
    let id = |line: &str| {
        let game: serde_json::Value = serde_json::from_str(line).expect("JSON");
        game["id"].as_u64().expect("a number")
    };
    text.lines().map(id).collect()
}

#[test]
fn games_are_listed_as_the_filters_say_and_coloured_when_that_is_asked_for() {
    let players = [&shell("ada", STUBBORN), RANDOM, GREEDY];
    let run = TestRun::played(&small_cachex(4, &players));
    let mut games = run.games();
    games.sort_by_key(|game| game.id);
    let ids = |keep: &dyn Fn(&GameRow) -> bool| -> Vec<u64> {
        let kept = games.iter().filter(|game| keep(game));
        kept.map(|game| game.id).collect()
    };
    let won_by = |game: &GameRow, name: &str| {
        let mut seats = game.players.iter();
        seats.any(|(seat, player)| game.end.result == GameResult::Won(seat) && player == name)
    };
    let plays = |game: &GameRow, name: &str| game.names().contains(&name);

    let forfeited = ids(&|game| game.is_forfeited());
    assert!(forfeited.len() > 2, "{forfeited:?}");
    let [first, second] =
        [Seat::FIRST, Seat::SECOND].map(|seat| ids(&|game| game.players[seat] == "ada"));
    let won = ids(&|game| won_by(game, "greedy"));
    let lost = ids(&|game| plays(game, "greedy") && !won_by(game, "greedy"));
    for (options, expected) in [
        ("", &ids(&|_| true)),
        ("--player ada", &ids(&|game| plays(game, "ada"))),
        ("--player greedy --won", &won),
        ("--player greedy --lost", &lost),
        ("--forfeited", &forfeited),
        ("--player ada --forfeited", &forfeited),
        ("--player random --forfeited", &Vec::new()),
        ("--player ada --termination illegal_action", &forfeited),
        ("--player ada --seat red", &first),
        ("--player ada --seat first", &first),
        ("--player ada --seat blue", &second),
        ("--player ada --seat second", &second),
    ] {
        assert_eq!(listed(&run, options), *expected, "{options}");
    }

    let text = run.referee("games out --player ada --forfeited").ok();
    assert_eq!(text.lines().count(), forfeited.len() + 2, "{text}");
    assert_starts!(text, "  id  game    first seat  second seat  winner");
    assert_has!(text, "illegal_action  played `a1` at ply ");
    let command = format!("see one of them: referee replay out {}\n", forfeited[0]);
    assert!(text.ends_with(&command), "{text}");
    assert_eq!(run.referee("games out --drawn").ok(), "no games\n");

    run.referee("games out --player eve").fails(
        2,
        "--player eve: nobody of that name plays in this run: expected one of ada, random, greedy",
    );
    for name in ["third", "white"] {
        let ran = run.referee(&format!("games out --player ada --seat {name}"));
        let words = format!("--seat {name}: no game has it; there is blue, red\n");
        ran.fails(2, &words);
    }
    run.referee("games out --lost").fails(2, "--player <NAME>");
    run.referee("games nowhere")
        .fails(5, "referee: nowhere: is not the folder of a run");
    colours(&run);
}

#[test]
fn the_plies_of_games_are_one_table_and_the_end_of_a_run_says_who_forfeited_why() {
    let config = small_cachex(4, &[&shell("ada", STUBBORN), RANDOM]);
    let run = TestRun::new(&config);
    tells_forfeits(&run);
    let text = run.referee("games out --plies").ok();
    let (header, body) = text.split_once('\n').expect("a header");
    let wanted = "id,ply,seat,action,public,wall_us,cpu_us,idle_cpu_us,left_us,answers,rules_us,\
                  values,output_bytes";
    assert_eq!(header, wanted);
    let mut expected = String::new();
    for id in 0..4 {
        let log = run.read(&format!("out/games/0000/{id:06}.csv"));
        let lines = log.lines().skip(1);
        expected.extend(lines.map(|line| format!("{id},{line}\n")));
    }
    assert_eq!(body, expected);
    let lost = listed(&run, "--player ada --lost");
    let text = run.referee("games out --plies --player ada --lost").ok();
    let ids = text.lines().skip(1);
    let mut ids = ids.filter_map(|line| line.split(',').next()?.parse().ok());
    assert!(ids.clone().count() > 0, "{text}");
    assert!(ids.all(|id| lost.contains(&id)), "{text}");

    // Games whose logs are not kept are counted.
    let run = TestRun::played(&format!("{config}[record]\nlogs = \"forfeits\"\n"));
    let kept = listed(&run, "--forfeited").len();
    let ran = run.referee("games out --plies");
    match 4 - kept {
        0 => assert_eq!(ran.stderr, ""),
        left_out => assert_starts!(ran.stderr, &format!("note: {left_out} game")),
    }
    std::fs::remove_dir_all(run.path("out/games")).expect("removed");
    assert_eq!(run.referee("games out --plies").exit, 5);
}

#[test]
fn a_game_that_did_not_begin_is_shown_by_what_was_told() {
    let run = TestRun::new(&small_cachex(2, &[&shell("ada", "exit 3"), RANDOM]));
    let text = run.play(&["-j", "1"]);
    let command = "referee replay out 0 --seat ada --transcript";
    assert_has!(text, &format!("\n  see: {command}\n"));
    assert_has!(run.read("out/report/index.html"), command);
    let told = run.referee(&command["referee ".len()..]).done();
    assert_has!(told.stdout, "referee 1");
}

/// The end of this run says who forfeited, why and how to see it.
fn tells_forfeits(run: &TestRun) {
    let text = run.play(&["-j", "2"]);
    let games = run.games();
    let forfeited = games.iter().filter(|game| game.is_forfeited());
    let count = forfeited.clone().count();
    let first = forfeited.map(|game| game.id).min().expect("a forfeit");
    let said = format!(
        "! ada forfeited {count} games by illegal_action, first game {first}: played `a1` at ply"
    );
    assert!(text.contains(&said), "{text}");
    assert_has!(text, &format!("\n  see: referee replay out {first}\n"));
    let shown = run.referee(&format!("replay out {first}")).ok();
    assert!(shown.contains("(illegal_action: played `a1`"), "{shown}");

    // What was played before counts too.
    let again = run.play(&["--resume"]);
    assert!(again.contains(&said), "{again}");
}

/// Colours are printed when they are asked for.
fn colours(run: &TestRun) {
    for options in ["", "--color auto", "--color never", "--color always"] {
        let text = run.referee(&format!("rate out {options}")).ok();
        let is_coloured = options == "--color always";
        assert_eq!(text.contains("\u{1b}[1m"), is_coloured, "{options}: {text}");
    }
    run.referee("rate out --color red")
        .fails(2, "[possible values: auto, always, never]");
}
