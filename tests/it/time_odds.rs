//! Players with clocks and limits of their own.

use std::path::Path;

use referee::config::Plan;
use referee::game::BUILT_IN;

use crate::support::content::content;
use crate::support::{TestRun, scripted};

/// Two players in a game with a clock of 60 s. The second has 5 s and 64 MiB of its own.
fn config(weak: &str) -> String {
    format!(
        "seed = 5\n[game]\nname = \"cachex\"\nsize = 3\n\
         [format]\nkind = \"round-robin\"\ngames-per-pairing = 2\n\
         [clock]\nper-game = \"60s\"\nincrement = \"100ms\"\n\
         [limits]\nopen-files = 99\n\
         [[player]]\nname = \"strong\"\nhouse = \"greedy\"\n\
         {weak}\
         [player.clock]\nper-game = \"5s\"\nincrement = \"0s\"\n\
         [player.limits]\nmemory = \"64MiB\"\n"
    )
}

const WEAK: &str = "[[player]]\nname = \"weak\"\nhouse = \"greedy\"\n";

#[test]
fn each_player_has_its_own_clock_which_both_are_told_and_the_manifest_keeps() {
    let run = TestRun::new(&config(WEAK));
    let checked = run.play(&["--check"]);
    let words = "  weak: clock of its own; limits of its own\n";
    assert!(checked.contains(words), "{checked}");
    run.play(&["-j", "1"]);
    let told = |id: u64, name: &str| {
        run.referee(&format!("replay out {id} --transcript --seat {name}"))
            .ok()
    };
    for (game, seats) in [(0, ["strong", "weak"]), (1, ["weak", "strong"])] {
        let games = run.games();
        assert_eq!(games[game].names().pair().expect("two seats"), seats);
        let strong = told(game as u64, "strong");
        assert_has!(strong, " per-game=60000 increment=100 ");
        let weak = told(game as u64, "weak");
        assert!(weak.contains(" per-game=5000 increment=0 "), "{weak}");
        let first = if game == 0 { &strong } else { &weak };
        let clocks = ["act 60000 5000", "act 5000 60000"][game];
        assert!(first.contains(clocks), "{first}");
    }
    let shown = run.referee("replay out 0 --ply 0").ok();
    assert_has!(shown, "left on the clocks: red 60.000 s, blue 5.000 s");
    run.referee("verify out").ok();
    kept_in_the_manifest(&run);
}

#[test]
fn terms_of_each_player_lie_under_its_own() {
    let of = |each: &str, [base, new, odd, house]: [&str; 4]| {
        let text = format!(
            "[game]\nname = \"chess\"\n[format]\nkind = \"round-robin\"\ngames-per-pairing = 2\n\
             [clock]\nper-game = \"9s\"\nmargin = \"1s\"\n{each}\
             [[player]]\nname = \"base\"\ncommand = [\"sh\"]\n{base}\
             [[player]]\nname = \"new\"\ncommand = [\"sh\"]\n{new}\
             [[player]]\nname = \"odd\"\ncommand = [\"sh\"]\nspeaks = \"referee\"\n{odd}\
             [[player]]\nhouse = \"random\"\n{house}"
        );
        let plan = Plan::parse(&text, Path::new("config.toml"), BUILT_IN);
        format!("{:?}", plan.expect(&text).players)
    };
    let each = "[each]\nspeaks = \"uci\"\noptions = { Hash = 16, Threads = 1 }\ngo.nodes = 20\n\
                env.A = \"1\"\nclock.per-game = \"8s\"\n";
    let other = "env = { A = \"1\" }\nclock.per-game = \"8s\"\n";
    let base = "speaks = \"uci\"\noptions = { Hash = 16, Threads = 1 }\ngo.nodes = 20\n";
    let new = "speaks = \"uci\"\noptions = { Hash = 64, Threads = 1 }\ngo = { nodes = 20, depth = 3 }\n\
               env = { A = \"2\" }\nclock.per-game = \"4s\"\n";
    let own = "options.Hash = 64\ngo.depth = 3\nenv.A = \"2\"\nclock.per-game = \"4s\"\n";
    assert_eq!(
        of(each, ["", own, "", ""]),
        of("", [&format!("{base}{other}"), new, other, other])
    );
}

#[test]
fn a_forfeit_names_the_limit_of_the_player() {
    let config = config(&scripted("weak", "sleep 9")).replace("\"5s\"", "\"300ms\"");
    let run = TestRun::played(&config);
    for game in run.games() {
        assert_eq!(game.forfeited_by(), "weak");
        let detail = game.detail();
        assert_has!(detail, "that was left of its 0.300 s for the game");
    }
    run.referee("verify out").ok();
}

#[test]
fn a_period_gives_time_again_in_games_and_in_their_records() {
    let periods = config(WEAK).replace("\"60s\"", "\"60s\"\nperiod = 2");
    let run = TestRun::new(&periods.replace("size = 3", "size = 5"));
    run.play(&["-j", "1"]);
    let told = run.referee("replay out 0 --transcript --seat weak").ok();
    assert!(told.contains(" per-move=none period=2 "), "{told}");
    let left = |ply: &std::collections::BTreeMap<String, String>| {
        ply["left_us"].parse::<u64>().expect("a time")
    };
    let strong: Vec<u64> = run.plies(0).iter().step_by(2).map(left).collect();
    assert!(
        strong[0] < 61_000_000 && strong[1] > 100_000_000,
        "{strong:?}"
    );
    let manifest: toml::Table = run.read("out/manifest.toml").parse().expect("TOML");
    assert_eq!(manifest["clock"]["period"].as_integer(), Some(2));
    run.referee("verify out").ok();
    run.play(&["--resume"]);
}

/// The manifest keeps its terms, is a configuration of the run, and a change is noticed.
fn kept_in_the_manifest(run: &TestRun) {
    let manifest: toml::Table = run.read("out/manifest.toml").parse().expect("TOML");
    let player = &manifest["player"][1];
    assert_eq!(player["clock"]["per-game"].as_str(), Some("5s"));
    assert_eq!(player["clock"]["wall-cap"].as_str(), Some("10m"));
    assert_eq!(player["limits"]["memory"].as_str(), Some("64 MiB"));
    assert_eq!(player["limits"]["open-files"].as_integer(), Some(99));
    assert!(manifest["player"][0].get("clock").is_none());
    run.referee("run out/manifest.toml --out again -j 1").done();
    assert_eq!(content(&run.out()), content(&run.path("again")));
    let lasting = |file: &str| {
        let mut manifest: toml::Table = run.read(file).parse().expect("TOML");
        manifest.remove("created").expect("it has one");
        manifest
    };
    assert_eq!(lasting("out/manifest.toml"), lasting("again/manifest.toml"));
    run.configure(&config(WEAK).replace("\"5s\"", "\"6s\""));
    run.run(&["--resume"]).fails(
        2,
        "since this run was begun, player weak.clock.per-game was \"5s\" and is \"6s\"; --accept-changes",
    );
    // Its games are played again, so that the records fit the manifest.
    run.play(&["--resume", "--accept-changes"]);
    run.referee("verify out").ok();
}

#[test]
fn a_grid_makes_odds_of_several_sizes() {
    let grid = "[[player]]\nname = \"weak-{s}\"\nhouse = \"greedy\"\ngrid = { s = [1, 2] }\n";
    let run = TestRun::new(&config(grid).replace("\"5s\"", "\"{s}s\""));
    let checked = run.play(&["--check"]);
    assert_has!(checked, "  weak-1: s = 1; clock of its own; ");
    assert_has!(checked, "  weak-2: s = 2; clock of its own; ");
}

#[test]
fn one_player_may_have_no_limit_per_game() {
    let config = config(WEAK).replace("per-game = \"5s\"", "per-game = \"none\"");
    let run = TestRun::new(&config);
    run.play(&["-j", "1"]);
    let told = run.referee("replay out 0 --transcript --seat strong").ok();
    assert!(told.contains("act 60000 none"), "{told}");
    let shown = run.referee("replay out 0 --ply 0").ok();
    assert!(
        shown.ends_with("left on the clocks: red 60.000 s\n"),
        "{shown}"
    );
    let json = run.referee("replay out 0 --ply 0 --json").ok();
    assert!(json.contains("\"left_us\":[60000000,null]"), "{json}");
    run.referee("verify out").ok();
}
