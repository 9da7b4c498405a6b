//! What a player is called: a display name on screens, its name in files, options and JSON.

use crate::support::TestRun;
use referee::game::Seat;

const CONFIG: &str = "name = \"t\"\nseed = 5\n[game]\nname = \"cachex\"\nsize = 3\n\
    [format]\nkind = \"round-robin\"\ngames-per-pairing = 2\n\
    [[player]]\nname = \"jose\"\nhouse = \"greedy\"\ndisplay-name = \"José Ñ 王\"\n\
    [[player]]\nname = \"s{n}\"\nhouse = \"search\"\nargs = [\"--nodes\", \"{n}\"]\n\
    display-name = \"Search {n}\"\ngrid = { n = [1] }\n\
    [[player]]\nname = \"gone\"\nshell = \"exit 3\"\ndisplay-name = \"Nobody\"\n";

#[test]
fn screens_have_the_display_name_and_files_the_name_and_another_one_changes_nothing_else() {
    let run = TestRun::new(CONFIG);
    let checked = run.play(&["--check"]);
    assert_has!(checked, "  jose: shown as \"José Ñ 王\"\n");
    assert_has!(checked, "  s1: n = 1; shown as \"Search 1\"\n");
    let played = run.play(&[]);
    assert_has!(played, "José Ñ 王");
    assert_lacks!(played, "jose");
    assert_has!(played, "! Nobody forfeited 4 games by handshake");
    for file in "games.csv ratings.csv standings.csv crosstable.csv".split(' ') {
        let text = run.read(&format!("out/{file}"));
        assert_has!(text, "jose");
        assert_lacks!(text, "José");
    }
    let screens = [
        "rate out",
        "rate out/games.csv --table crosstable",
        "games out --player jose",
    ];
    for line in screens {
        let text = run.referee(line).ok();
        assert!(text.contains("José Ñ 王"), "{line}: {text}");
        assert!(!text.contains("jose"), "{line}: {text}");
    }
    for line in ["rate out --format csv", "games out --player jose --json"] {
        let text = run.referee(line).ok();
        assert_has!(text, "jose");
        assert_lacks!(text, "José");
    }
    let mut games = run.games().into_iter();
    let game = games.find(|game| game.players[Seat::FIRST] == "jose");
    let id = game.expect("a game").id;
    let heading = run.referee(&format!("replay out {id} --ply 0")).ok();
    assert!(heading.contains("José Ñ 王 (jose)"), "{heading}");
    run.referee("verify out").ok();

    run.configure(&CONFIG.replace("José Ñ 王", "José II"));
    let before = run.read("out/games.csv");
    let resumed = run.play(&["--resume"]);
    assert!(resumed.contains("José II"), "{resumed}");
    assert_eq!(run.read("out/games.csv"), before);
    assert!(run.referee("rate out").ok().contains("José II"));
    run.referee("verify out").ok();
    // Nor do more games, where they come behind the others.
    run.configure(&CONFIG.replace("pairing = 2", "pairing = 4"));
    run.play(&["--resume"]);
    assert_starts!(run.read("out/games.csv"), &before);
    assert_eq!(run.rows().len(), 12);
}
