//! `referee games`: the games of a run, filtered; and the forfeits at the end of `referee run`.

use crate::support::TestRun;
use crate::support::config::{GREEDY, RANDOM, shell, small_cachex};
use referee::game::{GameResult, Seat};

/// A bot that always answers `a1`, which is soon taken.
const STUBBORN: &str = "while read -r word rest; do case $word in referee) echo 'bot 1 stubborn';; \
    start) echo ready;; act) echo a1;; quit) exit;; esac; done";

fn listed(run: &TestRun, options: &str) -> Vec<u64> {
    let text = run.referee(&format!("games out {options} --json")).ok();
    let id = |line: &str| {
        let game: serde_json::Value = serde_json::from_str(line).expect("JSON");
        game["id"].as_u64().expect("a number")
    };
    text.lines().map(id).collect()
}

#[test]
fn games_are_listed_as_the_filters_say() {
    let players = [&shell("ada", STUBBORN), RANDOM, GREEDY];
    let run = TestRun::played(&small_cachex(4, &players));
    let mut games = run.games();
    games.sort_by_key(|game| game.id);
    let ids = |keep: &dyn Fn(&referee::runs::GameRow) -> bool| -> Vec<u64> {
        games
            .iter()
            .filter(|game| keep(game))
            .map(|game| game.id)
            .collect()
    };
    let won_by = |game: &referee::runs::GameRow, name: &str| {
        game.players
            .iter()
            .any(|(seat, player)| game.end.result == GameResult::Won(seat) && player == name)
    };
    let plays = |game: &referee::runs::GameRow, name: &str| game.names().contains(&name);

    assert_eq!(listed(&run, ""), ids(&|_| true));
    assert_eq!(
        listed(&run, "--player ada"),
        ids(&|game| plays(game, "ada"))
    );
    assert_eq!(
        listed(&run, "--player greedy --won"),
        ids(&|game| won_by(game, "greedy"))
    );
    let lost = ids(&|game| plays(game, "greedy") && !won_by(game, "greedy"));
    assert_eq!(listed(&run, "--player greedy --lost"), lost);
    let forfeited = ids(&|game| game.is_forfeited());
    assert!(forfeited.len() > 2, "{forfeited:?}");
    assert_eq!(listed(&run, "--forfeited"), forfeited);
    assert_eq!(listed(&run, "--player ada --forfeited"), forfeited);
    assert_eq!(listed(&run, "--player random --forfeited"), [0; 0]);
    assert_eq!(
        listed(&run, "--player ada --termination illegal_action"),
        forfeited
    );

    for (seat, names) in [
        (Seat::FIRST, ["red", "first"]),
        (Seat::SECOND, ["blue", "second"]),
    ] {
        for name in names {
            assert_eq!(
                listed(&run, &format!("--player ada --seat {name}")),
                ids(&|game| game.players[seat] == "ada"),
                "{name}"
            );
        }
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
        run.referee(&format!("games out --player ada --seat {name}"))
            .fails(
                2,
                &format!("--seat {name}: no game has it; there is blue, red\n"),
            );
    }
    run.referee("games out --lost").fails(2, "--player <NAME>");
    run.referee("games nowhere")
        .fails(5, "referee: nowhere: is not the folder of a run");
}

#[test]
fn the_plies_of_games_are_one_table() {
    let config = small_cachex(4, &[&shell("ada", STUBBORN), RANDOM]);
    let run = TestRun::played(&config);
    let text = run.referee("games out --plies").ok();
    let (header, body) = text.split_once('\n').expect("a header");
    assert_eq!(
        header,
        "id,ply,seat,action,public,wall_us,cpu_us,idle_cpu_us,left_us,answers,rules_us,values,output_bytes"
    );
    let mut expected = String::new();
    for id in 0..4 {
        let log = run.read(&format!("out/games/0000/{id:06}.csv"));
        let lines = log.lines().skip(1);
        expected.extend(lines.map(|line| format!("{id},{line}\n")));
    }
    assert_eq!(body, expected);
    let lost = listed(&run, "--player ada --lost");
    let text = run.referee("games out --plies --player ada --lost").ok();
    let ids = text
        .lines()
        .skip(1)
        .filter_map(|line| line.split(',').next()?.parse().ok());
    assert!(
        ids.clone().count() > 0 && ids.clone().all(|id| lost.contains(&id)),
        "{text}"
    );

    // Games whose logs are not kept are counted.
    let run = TestRun::played(&format!("{config}[record]\nlogs = \"forfeits\"\n"));
    let kept = listed(&run, "--forfeited").len();
    let ran = run.referee("games out --plies");
    match 4 - kept {
        0 => assert_eq!(ran.stderr, ""),
        left_out => assert!(
            ran.stderr.starts_with(&format!("note: {left_out} game")),
            "{ran:?}"
        ),
    }
    std::fs::remove_dir_all(run.path("out/games")).expect("removed");
    assert_eq!(run.referee("games out --plies").exit, 5);
}

#[test]
fn the_end_of_a_run_says_who_forfeited_why_and_how_to_see_it() {
    let run = TestRun::new(&small_cachex(4, &[&shell("ada", STUBBORN), RANDOM]));
    let text = run.play(&["-j", "2"]);
    let games = run.games();
    let forfeited = games.iter().filter(|game| game.is_forfeited());
    let first = forfeited
        .clone()
        .map(|game| game.id)
        .min()
        .expect("a forfeit");
    let said = format!(
        "! ada forfeited {} games by illegal_action, first game {first}: played `a1` at ply",
        forfeited.count()
    );
    assert!(text.contains(&said), "{text}");
    assert_has!(text, &format!("\n  see: referee replay out {first}\n"));
    let shown = run.referee(&format!("replay out {first}")).ok();
    assert!(shown.contains("(illegal_action: played `a1`"), "{shown}");

    // What was played before counts too.
    let again = run.play(&["--resume"]);
    assert!(again.contains(&said), "{again}");
}

#[test]
fn colours_are_printed_when_they_are_asked_for() {
    let run = TestRun::played(&small_cachex(2, &[RANDOM, GREEDY]));
    for (options, is_coloured) in [
        ("", false),
        ("--color auto", false),
        ("--color never", false),
        ("--color always", true),
    ] {
        let text = run.referee(&format!("rate out {options}")).ok();
        assert_eq!(text.contains("\u{1b}[1m"), is_coloured, "{options}: {text}");
    }
    run.referee("rate out --color red")
        .fails(2, "[possible values: auto, always, never]");
}
