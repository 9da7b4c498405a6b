//! Games that end by a lead, because the score stands still, or by a tablebase.

use referee::game::{BUILT_IN, GameResult, Reason, Seat};
use referee::referee::Termination;
use referee::runs::GameRow;

use crate::support::{GREEDY, RANDOM, TestRun, columns, root};

/// A game, with these keys of adjudication, between random and greedy.
fn config(game: &str, keys: &str) -> String {
    format!(
        "seed = 3\n[game]\nname = \"{game}\"\n{keys}\n\
         [format]\nkind = \"round-robin\"\ngames-per-pairing = 6\nopening-plies = 4\n{RANDOM}{GREEDY}"
    )
}

/// The score of both seats after each ply of a game, from the start on.
fn scores(run: &TestRun, game: &GameRow) -> Vec<[i64; 2]> {
    let folder = referee::runs::Run::open(&run.out(), BUILT_IN).expect("a run");
    let recording = folder.recording(game.id).expect("readable").expect("there");
    let mut scores = Vec::new();
    let played = recording.play_again(&[], &mut |position| {
        let score = position.rules_points();
        scores.extend(score.map(|score| {
            let whole = score.map(|points| points.whole().expect("whole"));
            whole.pair().expect("two seats")
        }));
        Ok(())
    });
    assert_eq!(played, Ok(()));
    scores
}

#[test]
fn a_tablebase_ends_a_game_with_few_pieces() {
    // Each position has one move. After a capture a win is certain under the fifty-move rule.
    const WINS_LATER: &str = "8/8/8/2K5/k7/8/1Q6/8 b - - 0 1";
    let [white, black] = Seat::BOTH.map(GameResult::Won);
    let played = |start: &str, rule: bool| {
        let run = TestRun::new(&format!(
            "seed = 3\n[game]\nname = \"chess\"\nstart = \"{start}\"\nsyzygy = \"tables\"\nsyzygy-fifty-moves = {rule}\n\
             [format]\nkind = \"round-robin\"\ngames-per-pairing = 2\n[report]\npages = false\n{RANDOM}{GREEDY}"
        ));
        for name in ["KQvK", "KRvK", "KBvK", "KNvK", "KPvK"] {
            let file = format!("{name}.rtbw");
            let from = root().join("tests/syzygy").join(&file);
            run.copy(&from, &format!("tables/{file}"));
        }
        run.play(&["-j", "1"]);
        run
    };
    for (start, rule, result) in [
        ("7K/6Pq/8/2k5/8/8/8/8 w - - 0 1", true, white),
        ("6Qk/8/8/8/8/4K3/1r6/8 b - - 0 1", true, black),
        ("k1K5/8/8/P7/8/8/8/8 b - - 0 1", true, GameResult::Drawn),
        (WINS_LATER, false, white),
    ] {
        let run = played(start, rule);
        for row in run.games() {
            let end = &row.end;
            assert_eq!(end.termination, Termination::Adjudication, "{start}");
            assert_eq!(end.reason, Some(Reason::TABLEBASE), "{start}");
            assert_eq!((end.result, end.plies), (result, 1), "{start}");
        }
        assert!(run.read("out/manifest.toml").contains("syzygy-pieces = 3"));
        let verified = run.referee("verify out").ok();
        assert!(!verified.contains("tablebases"), "{verified}");
        if start == WINS_LATER {
            run.referee("plan config.toml --out plan --shards 1").done();
            run.referee("work plan --shard 0/1").done();
            run.referee("merge plan").done();
            assert!(run.read("plan/run/games.csv").contains(",tablebase,"));
        }
        // Who has no tablebases takes the result as it is recorded.
        std::fs::rename(run.path("tables"), run.path("gone")).expect("renamed");
        let verified = run.referee("verify out").ok();
        let words = "2 of the games were ended by tablebases that are not here";
        assert_has!(verified, words);
    }
    let run = played(WINS_LATER, true);
    assert!(run.games().iter().all(|row| row.end.plies > 1));
    for row in [
        "tables | KQvK.rtbw | has a damaged file KQvK.rtbw: fetch it again",
        "none | x | /none has no tablebase: expected files such as KQvK.rtbw",
    ] {
        let [folder, file, problem] = columns(row);
        run.write(&format!("{folder}/{file}"), "cut off");
        let line = format!("run --game chess a=random b=random --syzygy {folder} --check");
        run.referee(&line).fails(2, problem);
    }
    run.referee("run --game cachex a=random b=random --syzygy tables --check")
        .fails(2, "`--syzygy` is for chess");
}

#[test]
fn a_lead_that_is_held_wins() {
    for (game, points) in [("dark-chess", 8), ("watch-your-back", 3)] {
        let keys = format!("adjudicate-lead = {points}\nadjudicate-lead-plies = 3");
        let run = TestRun::played(&config(game, &keys));
        let games = run.games();
        let is_held = |game: &&GameRow| game.end.reason == Some(Reason::SCORE_LEAD);
        assert!(games.iter().filter(is_held).count() > 2, "{games:?}");
        for row in games.iter().filter(is_held) {
            assert_eq!(row.end.termination, Termination::Adjudication);
            let GameResult::Won(winner) = row.end.result else {
                panic!("{row:?}");
            };
            let scores = scores(&run, row);
            let ahead =
                |score: &[i64; 2]| score[winner.index()] >= score[winner.other().index()] + points;
            let [earlier @ .., _, _, _] = &scores[..] else {
                panic!("{scores:?}");
            };
            assert!(scores[scores.len() - 3..].iter().all(ahead), "{scores:?}");
            assert!(
                earlier.last().is_some_and(|score| !ahead(score)),
                "{scores:?}"
            );
            let shown = run.referee(&format!("replay out {}", row.id)).ok();
            assert!(shown.contains("(adjudication: score_lead)"), "{shown}");
            let told = format!("replay out {} --transcript", row.id);
            let told = run.referee(&told).ok();
            let ends = told.matches(" adjudication score_lead\n");
            assert_eq!(ends.count(), 2, "{told}");
        }
        run.referee("verify out").ok();
        let rated = run.referee("rate out").ok();
        assert!(rated.contains(" adjudication"), "{rated}");
    }
}

/// The number of plies after which the score has not changed for `plies` plies beyond the opening.
fn end_by_stillness(scores: &[[i64; 2]], opening: usize, plies: usize) -> Option<usize> {
    (opening + plies..scores.len()).find(|end| {
        let last = &scores[end - plies..=*end];
        last.iter().all(|score| *score == scores[*end])
    })
}

#[test]
fn a_score_that_stands_still_is_a_draw() {
    for (game, opening) in [("dark-chess", 4), ("watch-your-back", 54)] {
        // After 54 plies all pieces of Watch Your Back! are placed, and the score is not 0 to 0.
        let config = config(game, "adjudicate-draw-plies = 6");
        let run = TestRun::played(
            &config.replace("opening-plies = 4", &format!("opening-plies = {opening}")),
        );
        every_still_game_ends_as_soon_as_it_may(&run, opening);
        run.referee("verify out").ok();
    }
}

fn every_still_game_ends_as_soon_as_it_may(run: &TestRun, opening: usize) {
    let games = run.games();
    let is_still = |game: &&GameRow| game.end.reason == Some(Reason::SCORE_UNCHANGED);
    let drawn: Vec<&GameRow> = games.iter().filter(is_still).collect();
    assert!(!drawn.is_empty(), "{games:?}");
    for game in drawn {
        assert_eq!(game.end.result, GameResult::Drawn);
        assert_eq!(game.end.termination, Termination::Adjudication);
        let scores = scores(run, game);
        let found = Some(scores.len() - 1);
        assert_eq!(found, end_by_stillness(&scores, opening, 6));
    }
}

#[test]
fn verify_decides_again_and_resume_notices_a_change() {
    let run = TestRun::played(&config("dark-chess", "adjudicate-lead = 8"));
    let manifest = run.read("out/manifest.toml");
    for (lead, said) in [
        ("9", "after the last ply the game goes on"),
        ("7", "the game was over already"),
    ] {
        let led = format!("adjudicate-lead = \"{lead}\"");
        let changed = manifest.replace("adjudicate-lead = \"8\"", &led);
        run.write("out/manifest.toml", &changed);
        run.referee("verify out").fails(1, said);
    }
    run.write("out/manifest.toml", &manifest);
    run.configure(&config("dark-chess", "adjudicate-lead = 9"));
    run.run(&["--resume"]).fails(
        2,
        "begun as another tournament: game dark-chess.adjudicate-lead was \"8\" and is \"9\"",
    );
}
