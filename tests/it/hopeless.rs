//! Players that never play: after so many equal failures in a row the rest of their games are forfeited unplayed.

use std::collections::BTreeMap;

use crate::support::config::{greedy, shell, small_cachex};
use crate::support::content::content;
use crate::support::run::TestRun;
use crate::support::tables::rows;

/// Answers until it is asked for an action.
const MUTE: &str = "read l; echo bot 1 mute; read l; echo ready; read l; exit 4";

/// Two players that play, one that cannot be greeted and one that gives no action.
fn config(limits: &str) -> String {
    let players = [
        greedy(&[("a", 1), ("b", 5)]),
        shell("gone", "exit 3"),
        shell("mute", MUTE),
    ];
    small_cachex(6, &[limits, &players.concat()])
}

/// How each game of a player ended, in the order of the games' numbers.
fn ends(run: &TestRun, player: &str) -> Vec<String> {
    let rows = run.rows().into_iter();
    let own = rows.filter(|row| row["forfeited_by"] == player);
    own.map(|row| row["termination"].clone()).collect()
}

fn row(
    run: &TestRun,
    test: impl Fn(&BTreeMap<String, String>) -> bool,
) -> BTreeMap<String, String> {
    run.rows().into_iter().find(test).expect("a row")
}

#[test]
fn the_rest_of_the_games_of_a_player_that_never_plays_is_forfeited_unplayed() {
    let run = TestRun::new(&config(""));
    let screen = run.play(&["-j", "1"]);
    for (player, failure) in [("gone", "handshake"), ("mute", "crash")] {
        let ends = ends(&run, player);
        let failures = ends.iter().take_while(|end| *end == failure).count();
        assert!((2..=3).contains(&failures) && ends.len() > 9, "{ends:?}");
        assert!(
            ends[failures..].iter().all(|end| end == "unplayed"),
            "{ends:?}"
        );
    }
    assert!(screen.contains("unplayed"), "{screen}");
    // Both: nobody has the point, and each is told its own reason.
    let both = row(&run, |row| {
        row["termination"] == "unplayed" && row["forfeited_by"] == "both"
    });
    assert_eq!((&both["winner"][..], &both["plies"][..]), ("none", "0"));
    let detail = [&both["first_detail"], &both["second_detail"]];
    for termination in ["handshake", "crash"] {
        let said =
            format!("failed 3 games in a row before its first action, all by `{termination}`");
        assert!(
            detail.iter().any(|words| words.contains(&said)),
            "{detail:?}"
        );
    }
    let verified = run.referee("verify out").ok();
    assert!(verified.contains("forfeited unplayed"), "{verified}");
    let unplayed = row(&run, |row| {
        row["termination"] == "unplayed" && row["forfeited_by"] == "gone"
    });
    let id = &unplayed["id"];
    run.referee(&format!("replay out {id}")).ok();
    run.referee(&format!("replay out {id} --seat gone --into"))
        .fails(2, "the game was not played");
    // Any number of games at a time decides alike, and so does a run that goes on.
    let whole = content(&run.out());
    for jobs in ["2", "8"] {
        let other = TestRun::new(&config(""));
        other.play(&["-j", jobs]);
        assert_eq!(content(&other.out()), whole, "-j {jobs}");
        other.referee("verify out").ok();
    }
    let log = |id: &str| run.path(&format!("out/games/0000/{:0>6}.csv", id));
    let first = row(&run, |row| row["forfeited_by"] == "gone");
    let played = row(&run, |row| {
        row["first"] == "a" && row["forfeited_by"].is_empty()
    });
    for lost in [&first["id"], &played["id"], id] {
        std::fs::remove_file(log(lost)).expect("removed");
        run.play(&["-j", "2", "--resume"]);
        assert_eq!(content(&run.out()), whole, "without the log of game {lost}");
    }
}

#[test]
fn verify_names_a_game_that_is_against_the_rule() {
    let run = TestRun::played(&config(""));
    let journal = run.read("out/games.csv");
    let unplayed = |line: &&str| line.contains(",unplayed,gone,");
    let line = journal.lines().find(unplayed).expect("an unplayed game");
    let id = line.split(',').next().expect("a number");
    let begin = line.find("not played:").expect("why");
    let detail = line[begin..].split('"').next().unwrap_or_default();
    let played = line
        .replace(",unplayed,gone,", ",handshake,gone,")
        .replace(",unplayed,", ",exited,")
        .replace(detail, "the bot's process exited with code 3");
    run.write("out/games.csv", &journal.replace(line, &played));
    let said = format!("game {id} was played, and by `hopeless-after`");
    run.referee("verify out").fails(1, &said);
    run.write("out/games.csv", &journal);
    let manifest = run.read("out/manifest.toml");
    let other = manifest.replace("hopeless-after = \"3\"", "hopeless-after = \"4\"");
    assert_ne!(other, manifest);
    run.write("out/manifest.toml", &other);
    run.referee("verify out")
        .fails(1, "was forfeited unplayed, and by `hopeless-after`");
}

#[test]
fn a_number_that_is_none_plays_all_games_and_so_do_shards_that_are_not_asked() {
    let limits = "[limits]\nhopeless-after = \"none\"\n";
    let run = TestRun::played(&config(limits));
    assert!(
        run.rows()
            .iter()
            .all(|row| row["termination"] != "unplayed")
    );
    for wrong in ["1", "\"never\""] {
        run.configure(&config(&format!("[limits]\nhopeless-after = {wrong}\n")));
        let said = "expected a number of games from 2 to 1000000, or \"none\"";
        run.referee("run config.toml --check").fails(2, said);
    }
    run.configure(&config(""));
    let planned = run.referee("plan config.toml --out plan --shards 2 --sample 0");
    assert_eq!(planned.exit, 0, "{planned:?}");
    let manifest = run.read("plan/run/manifest.toml");
    assert!(
        manifest.contains("hopeless-after = \"none\"") && !manifest.contains("deciding-shards"),
        "{manifest}"
    );
}

#[test]
fn shards_that_are_asked_decide_each_by_its_own_games() {
    let run = TestRun::new(&config("[limits]\nhopeless-after = 2\n"));
    let planned = run.referee("plan config.toml --out plan --shards 3 --sample 0");
    let said = "each shard decides `hopeless-after` by its own games alone";
    assert!(planned.stderr.contains(said), "{planned:?}");
    for shard in [2, 0, 1] {
        run.referee(&format!("work plan --shard {shard}/3")).ok();
    }
    run.referee("merge plan").ok();
    let verified = run.referee("verify plan/run").ok();
    assert!(verified.contains("forfeited unplayed"), "{verified}");
    let ends = |player: &str| {
        let rows = rows(&run.path("plan/run/games.csv")).into_iter();
        let own = rows.filter(|row| row["forfeited_by"] == player);
        own.map(|row| row["termination"].clone())
            .collect::<Vec<_>>()
    };
    // Each of the three shards sees two failures itself, but for games that both forfeit.
    let failures = ends("gone")
        .iter()
        .filter(|end| *end == "handshake")
        .count();
    assert!((4..=6).contains(&failures), "{:?}", ends("gone"));
    // One piece would have decided otherwise.
    let manifest = run.read("plan/run/manifest.toml");
    let other = manifest.replace("deciding-shards = 3", "deciding-shards = 1");
    assert_ne!(other, manifest);
    run.write("plan/run/manifest.toml", &other);
    run.referee("verify plan/run")
        .fails(1, "by `hopeless-after` and the games before it");

    run.referee("plan config.toml --out twice --shards 3 --sample 0 --twice 10")
        .fails(2, "`hopeless-after` does not go with --twice");
    let swiss = config("[limits]\nhopeless-after = 2\n").replace(
        "\"round-robin\"\ngames-per-pairing = 6",
        "\"swiss\"\nrounds = 2\ngames-per-pairing = 2",
    );
    run.configure(&swiss);
    run.referee("plan config.toml --out waves --shards 3 --sample 0")
        .fails(2, "`hopeless-after` does not go with shards where pairings");
}
