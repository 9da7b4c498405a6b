//! `referee run --resume` continues runs that were interrupted.

use std::collections::BTreeMap;
use std::path::Path;

use referee::game::Chance as _;
use referee::random::Stream;

use crate::support::content::content;
use crate::support::{
    Killer, OPENINGS, REFEREE, TestRun, greedy, shell, wait_for_the_end_of_all_with,
};

/// Two games among house bots whose play does not depend on the clock.
fn tournament(format: &str, players: &[(&str, u32)]) -> String {
    format!(
        "seed = 4\n[[game]]\nname = \"cachex\"\nsize = 4\n\
         [[game]]\nname = \"dark-chess\"\nmax-plies = 40\n\
         [format]\n{format}\nopening-plies = 1\n{}",
        greedy(players)
    )
}

const PLAYERS: [(&str, u32); 5] = [("a", 1), ("b", 5), ("c", 20), ("d", 40), ("e", 80)];

fn config(format: &str) -> String {
    tournament(format, &PLAYERS)
}

const FEW: &str = "kind = \"round-robin\"\ngames-per-pairing = 1";
const SWISS: &str = "kind = \"swiss\"\nrounds = 4\ngames-per-pairing = 4";

const FORMATS: [&str; 6] = [
    "kind = \"round-robin\"\ngames-per-pairing = 3",
    "kind = \"gauntlet\"\nchallengers = [\"b\", \"d\"]\ngames-per-pairing = 5",
    SWISS,
    "kind = \"knockout\"\ngames-per-pairing = 6",
    "kind = \"sprt\"\nchallengers = [\"e\"]\nelo0 = 0\nelo1 = 60\nmax-games = 60",
    "kind = \"adaptive\"\nconfidence = 0.8\nmax-games = 60",
];

/// Openings from a file, and a grid in the place of the last three players.
fn openings_and_grid(openings: &Path) -> String {
    let format = "kind = \"swiss\"\nrounds = 3\ngames-per-pairing = 4";
    let size = format!("size = 4\nopenings = \"{}\"", openings.display());
    let text = tournament(format, &PLAYERS[..2]).replacen("size = 4", &size, 1);
    format!(
        "{text}[[player]]\nname = \"g{{nodes}}\"\nhouse = \"greedy\"\nargs = [\"--nodes\", \"{{nodes}}\"]\n\
         [player.grid]\nnodes = [20, 40, 80]\n"
    )
}

fn tuning() -> String {
    "seed = 4\n[game]\nname = \"cachex\"\nsize = 4\n\
     [format]\nkind = \"tune\"\ngames = 24\ngames-per-iteration = 4\nlag = 2\nconfirm = 12\nopening-plies = 2\n\
     [[player]]\nhouse = \"greedy\"\nargs = [\"--nodes\", \"{nodes}\"]\n\
     [player.tune]\nnodes = { min = 1, max = 90, start = 3, scale = \"log\" }\n"
        .to_owned()
}

/// One tournament of each format, one with openings and a grid, and two with a player that never plays.
fn configs() -> Vec<String> {
    let all = FORMATS.iter().map(|format| config(format));
    let never_plays = [FORMATS[0], SWISS].map(|format| {
        let players = tournament(format, &PLAYERS[..3]);
        players + &shell("gone", "exit 3")
    });
    all.chain([openings_and_grid(Path::new(OPENINGS)), tuning()])
        .chain(never_plays)
        .collect()
}

const RESUME: &[&str] = &["-j", "2", "--resume"];
const ACCEPT_CHANGES: &[&str] = &["-j", "2", "--resume", "--accept-changes"];

fn contents(run: &TestRun) -> BTreeMap<String, String> {
    content(&run.out())
}

/// The length and date of each game, and whether a player was in it.
type Times = BTreeMap<String, (String, bool)>;

fn times(run: &TestRun, player: &str) -> Times {
    let time = |row: BTreeMap<String, String>| {
        let takes_part = row["first"] == player || row["second"] == player;
        let time = format!("{} {}", row["game_us"], row["date"]);
        (row["id"].clone(), (time, takes_part))
    };
    run.table("games.csv").into_iter().map(time).collect()
}

fn only_games_of_the_player_differ(before: &Times, after: &Times) {
    assert_eq!(after.len(), before.len());
    for (id, (time, takes_part)) in before {
        assert!(*takes_part || after[id].0 == *time, "game {id} stayed");
    }
    assert!(before.iter().any(|(id, one)| one.1 && after[id] != *one));
}

#[test]
#[ignore = "slow"]
fn a_run_that_is_killed_again_and_again_ends_like_an_undisturbed_one() {
    const MARK: &str = "REFEREE_TEST_FOLDER";
    let mut killer = Killer::new(Stream::new(7, 0), "RUN_KILLS", 20);
    let configs = configs();
    let wholes = configs.iter().map(|config| TestRun::played(config));
    let wholes: Vec<_> = wholes.collect();
    for round in 0.. {
        if killer.is_done() {
            break;
        }
        let which = round % configs.len();
        let (config, whole) = (&configs[which], &wholes[which]);
        let run = TestRun::new(config);
        killer.run_to_the_end(10..130, &mut |chance| {
            let jobs = ["1", "2", "3"][chance.below(3) as usize];
            let mut command = run.command(&["-j", jobs, "--resume"]);
            command.env(MARK, run.folder());
            command
        });
        // The bots of a killed harness must end too.
        wait_for_the_end_of_all_with(&format!("{MARK}={}", run.folder().display()));
        assert_eq!(contents(&run), contents(whole), "{config}");
    }
}

#[test]
fn a_run_that_was_killed_before_its_first_row_can_be_read() {
    let run = TestRun::played(&config(FEW));
    std::fs::remove_file(run.path("out/run.sha256")).expect("digests");
    std::fs::write(run.path("out/games.csv"), "").expect("written");
    let no_digests = "has no run.sha256, which is written when a run ends";
    for (line, exit, says) in [
        ("rate out", 5, "out/games.csv: is empty"),
        ("games out", 0, ""),
        ("verify out", 5, no_digests),
    ] {
        let ran = run.referee(line);
        assert_eq!(ran.exit, exit, "{line}: {ran:?}");
        assert!(ran.stderr.contains(says), "{line}: {ran:?}");
    }
}

#[test]
#[ignore = "slow"]
fn a_row_that_is_not_of_this_plan_is_refused() {
    let run = TestRun::played_in_order(&config(FORMATS[0]));
    let text = run.read("out/games.csv");
    let first = text.lines().nth(1).expect("a row").to_owned();
    let id = first.split(',').next().expect("an id");
    let id: u64 = id.parse().expect("a number");
    // A log of a game that the plan does not have.
    let added: u64 = format!("1000{id}").parse().expect("a number");
    let shard = run.path(&format!("out/games/{:04}", added / 1000));
    std::fs::create_dir_all(&shard).expect("a folder");
    let log = run.path(&format!("out/games/0000/{id:06}.csv"));
    std::fs::copy(log, shard.join(format!("{added:06}.csv"))).expect("copied");
    let mut said = String::new();
    let others = first.replacen(",a,", ",z,", 1).replacen(",e,", ",z2,", 1);
    for (what, row) in [
        ("the first row again", first.clone()),
        ("other players", others),
        ("another game", format!("1000{first}")),
        ("too few fields", "1,2,3".to_owned()),
    ] {
        run.write("out/games.csv", &format!("{text}{row}\n"));
        let ran = run.run(RESUME);
        assert_eq!(ran.exit, 5, "{what}: {ran:?}");
        said.push_str(&format!("{what}: {}\n", ran.stderr));
    }
    assert_screen!(said);
}

#[test]
#[ignore = "slow"]
fn another_plan_is_refused_and_says_what_changed() {
    let text = config(FORMATS[0]);
    let run = TestRun::played(&text);
    let mut said = String::new();
    for (from, to) in [
        ("seed = 4", "seed = 5"),
        ("size = 4", "size = 5"),
        ("name = \"e\"", "name = \"f\""),
        ("games-per-pairing = 3", "games-per-pairing = 4"),
    ] {
        run.configure(&text.replace(from, to));
        let ran = run.run(ACCEPT_CHANGES);
        ran.fails(2, "begun as another tournament");
        said.push_str(&format!("{from} became {to}: {}\n", ran.screen()));
    }
    assert_screen!(said);
}

/// The files that a configuration names count, not only its text.
#[test]
#[ignore = "slow"]
fn a_bot_whose_file_changed_is_named_and_its_games_alone_are_played_again() {
    let run = TestRun::new("");
    let script = "exec \"$1\" bot random\n";
    run.write("bot.sh", script);
    let text = format!(
        "{}[[player]]\nname = \"f\"\ncommand = [\"sh\", {:?}, {REFEREE:?}]\n",
        config(FEW),
        run.path("bot.sh"),
    );
    run.configure(&text);
    run.play(&["-j", "2"]);
    let before = times(&run, "f");

    run.write("bot.sh", &format!("# another version\n{script}"));
    run.run(RESUME)
        .fails(2, "since this run was begun, the files of player f changed");
    assert_eq!(times(&run, "f"), before, "nothing was touched");
    run.play(ACCEPT_CHANGES);
    let after = times(&run, "f");
    only_games_of_the_player_differ(&before, &after);

    // A changed clock leaves the games that were played with the old one.
    run.configure(&format!("{text}[clock]\nmargin = \"1s\"\n"));
    run.run(RESUME).fails(2, "clock.margin was");
    run.play(ACCEPT_CHANGES);
    assert_eq!(times(&run, "f"), after);
}

#[test]
fn a_seed_that_was_drawn_is_kept() {
    let run = TestRun::played(&config(FEW).replace("seed = 4\n", ""));
    let before = contents(&run);
    run.write("out/games.csv", "");
    run.play(RESUME);
    assert_eq!(contents(&run), before);
}

#[test]
#[ignore = "slow"]
fn other_openings_are_another_tournament_and_other_comments_are_not() {
    let run = TestRun::new("");
    let text = std::fs::read_to_string(OPENINGS).expect("text");
    run.write("openings.txt", &text);
    run.configure(&openings_and_grid(&run.path("openings.txt")));
    run.play(&["-j", "2"]);
    let before = contents(&run);
    run.write("openings.txt", &format!("# the same\n{text}"));
    run.play(RESUME);
    assert_eq!(contents(&run), before);
    run.write("openings.txt", &text.replace("a1", "a3"));
    let words = "game cachex.openings was \"sha256:";
    run.run(ACCEPT_CHANGES).fails(2, words);
}
