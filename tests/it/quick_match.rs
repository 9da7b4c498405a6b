//! `referee run --game`: a match between bots of the command line.

use referee::config::{LINE_OPTIONS, Manager, Plan};
use referee::game::BUILT_IN;

use crate::support::pages::Page;
use crate::support::{TestRun, columns, read_games, screens};

#[test]
fn a_match_is_a_run_like_any_other() {
    let run = TestRun::new("");
    let line = "run --game cachex --set size=3 greedy 'weak=greedy --nodes 5' greedy --games 4 --seed 7 \
                --gauntlet greedy --per-move 5s --memory 200MiB";
    // Stderr may say that the machine is busy.
    let ran = run.referee(&format!("{line} --every 3"));
    assert_eq!(ran.exit, 0, "{ran:?}");
    // Of four pairs: after three, and at the end.
    let state = "Results of greedy vs 2 others:\nElo: ";
    assert_eq!(ran.stderr.matches(state).count(), 2, "{ran:?}");
    let text = ran.stdout;
    let end = "results in results/cachex-match\npages in results/cachex-match/report/index.html\n";
    assert!(text.ends_with(end), "{text}");
    let games = read_games(&run.path("results/cachex-match/games.csv")).expect("a journal");
    assert_eq!(games.len(), 8);
    let manifest = run.read("results/cachex-match/manifest.toml");
    let keys = r#"seed = 7, size = "3", name = "weak", name = "greedy-2", per-move = "5s""#;
    for expected in keys.split(", ") {
        assert!(manifest.contains(expected), "no {expected}: {manifest}");
    }
    let verified = run.referee("verify results/cachex-match").ok();
    assert_has!(verified, ": 8 games are as recorded");
    // It can be resumed as any other. A gauntlet ends with its state in any case.
    let again = run.referee(&format!("{line} --resume"));
    assert_eq!(again.exit, 0, "{again:?}");
    assert!(again.stderr.contains(state), "{again:?}");
}

#[test]
fn the_state_and_the_games_of_a_match_are_lines_in_a_file() {
    let run = TestRun::new("");
    let line = "run --game cachex --set size=3 greedy weak=random --games 4 --seed 7 --sprt 0,50 -j 1 --every 1 -v";
    let ran = run.referee(line).done();
    let lines = ran.stderr.lines();
    let lines = lines.filter(|line| !line.starts_with("warning: "));
    let end = run.referee(&line.replace("-v", "--resume")).stdout;
    let elo = "\ngreedy vs weak, uncorrected: Elo: inf (-42.95 to inf), LOS: 95.84 %\n";
    assert!(end.contains(elo), "{end}");
    // How long it takes differs.
    let lines = lines.map(|line| match line.split_once(", ") {
        Some((late, _)) if late.starts_with("Time losses") => late,
        _ => line,
    });
    let lines: Vec<&str> = lines.collect();
    insta::assert_snapshot!(lines.join("\n"), @"
    Finished game 0 (greedy vs weak): 1-0 {connection}, 5 plies, opening a2 a1
    Finished game 1 (weak vs greedy): 0-1 {connection}, 6 plies, opening a2 a1
    Results of greedy vs weak:
    Elo: inf (-152.15 to inf), nElo: -
    LOS: 89.70 %, DrawRatio: 0.00 %, PairsRatio: inf
    Games: 2, Wins: 2, Losses: 0, Draws: 0, Points: 2.0 (100.00 %)
    Ptnml(0-2): [0, 0, 0, 0, 1]
    LLR: 0.00 (0.0 %) (-2.78, 2.78) [0.00, 50.00]
    Time losses: 0
    Finished game 2 (greedy vs weak): 1-0 {connection}, 5 plies, opening b3 b1
    Finished game 3 (weak vs greedy): 0-1 {connection}, 6 plies, opening b3 b1
    Results of greedy vs weak:
    Elo: inf (-42.95 to inf), nElo: -
    LOS: 95.84 %, DrawRatio: 0.00 %, PairsRatio: inf
    Games: 4, Wins: 4, Losses: 0, Draws: 0, Points: 4.0 (100.00 %)
    Ptnml(0-2): [0, 0, 0, 0, 2]
    LLR: 0.00 (0.0 %) (-2.74, 2.74) [0.00, 50.00]
    Time losses: 0
    ");
}

#[test]
fn the_saved_file_is_the_match() {
    let run = TestRun::new("");
    run.write("book.txt", "e2e4 e7e5\nd2d4 d7d5\n");
    let line = "run --game chess a=random b=random --tc 40/1:00+0.5 --tc b:30 --margin 1s --book book.txt --book-order \
                sequential --book-first 2 --draw 10x8@34 --gauntlet b --games 2 --seed 7 --name duel --pgn all.pgn \
                --speaks referee -j 1";
    // Stderr may say that the machine is busy.
    let ran = run.referee(&format!("{line} --save match.toml"));
    assert_eq!(ran.exit, 0, "{ran:?}");
    for args in ["--out again -j 1", "--check"] {
        run.referee(&format!("run match.toml {args}"))
            .fails(5, "all.pgn: exists already");
    }
    let games = run.read("all.pgn");
    assert_eq!(games, run.read("results/duel/games.pgn"));
    assert_has!(games, "[BlackTimeControl \"40/60+0.5\"]");
    assert!(games.contains("1. d4 {book} d5 {book}"), "{games}");
    std::fs::remove_file(run.path("all.pgn")).expect("removed");
    assert_eq!(run.referee("run match.toml --out again -j 1").exit, 0);
    let plan = |folder: &str| -> toml::Table {
        let manifest = run.read(&format!("{folder}/manifest.toml"));
        let mut manifest: toml::Table = manifest.parse().expect("TOML");
        manifest.remove("created");
        manifest
    };
    assert_eq!(plan("again"), plan("results/duel"));
    run.referee(&format!("{line} --save match.toml"))
        .fails(5, "--save match.toml: File exists");
}

#[test]
fn command_lines_of_other_managers_are_configurations() {
    let lines = [
        "convert fastchess -engine cmd=sh name=A -engine cmd=sh 'name=B 2' -each tc=60+0.6 option.Hash=64 -rounds 200 \
         -openings file=book.epd format=epd order=random -repeat -concurrency 4",
        "convert fastchess -engine cmd=sh name=A 'option.Skill Level=1' nodes=2000000 -engine cmd=sh name=B nodes=1000000 \
         -openings file=book.epd format=epd order=random -each tc=300+5 -resign movecount=3 score=600 \
         -draw movenumber=34 movecount=8 score=20 -sprt elo0=-2 elo1=2 alpha=0.05 beta=0.1 -rounds 100000 \
         -pgnout notation=san nodes=true file=sprt.pgn -maxmoves 200 -noswap",
        "convert cutechess -engine cmd=sh arg=-c 'arg=exec x' -engine cmd=sh name=B st=0.5 plies=9 dir=. -each tc=40/1:30 \
         proto=xboard timemargin=50 restart=on -rounds 5 -games 2 -tournament gauntlet -event duel -pgnout out.pgn min \
         -openings file=book.epd plies=16 start=2 policy=round -srand 4 -resign movecount=3 score=400 twosided=true \
         -variant fischerandom",
        "convert fastchess -engine cmd=sh -engine cmd=sh -engine cmd=sh name=sh-4 -tournament gauntlet -seeds 2",
        "convert cutechess -engine cmd=sh -engine name=x",
        "convert fastchess -engine cmd=sh -rounds 5",
        "convert fastchess -engine cmd=sh -engine cmd=./sh -tournament swiss",
    ];
    let run = TestRun::new("");
    let book = "4k3/8/8/8/8/8/4P3/4K3 w - -\n4k3/8/8/8/8/8/3P4/4K3 w - -\n";
    run.write("book.epd", book);
    assert_screen!(screens(run.folder(), &lines));
    for line in &lines[..3] {
        let text = run.referee(line).stdout;
        Plan::parse(&text, &run.path("match.toml"), BUILT_IN).expect(&text);
    }
}

/// The options of `fastchess --help`, of July 2026.
const FASTCHESS: &str = "-version -help -quick -concurrency -force-concurrency -rounds -games -repeat -sprt -tournament -seeds \
    -variant -noswap -reverse -wait -each -engine -draw -resign -maxmoves -tb -tbpieces -tbignore50 -tbadjudicate -openings \
    -srand -output -pgnout -epdout -event -site -ratinginterval -scoreinterval -report -config -recover -autosaveinterval \
    --compliance -crc32 -check-mate-pvs -show-latency -testEnv -strict -log -use-affinity -startup-ms -ucinewgame-ms -ping-ms";

#[test]
fn options_of_other_managers_stand_beside_their_counterparts() {
    let rows = Page::read("from-fastchess.md").table("Options");
    let with_peers = LINE_OPTIONS.iter().filter(|it| !it.peer.0.is_empty());
    for option in with_peers {
        let (name, keys) = option.peer;
        let ours = format!("--{}", option.name);
        let row = rows.iter().find(|row| row[1].contains(&ours)).expect(&ours);
        for key in keys {
            let key = key.split('=').next().filter(|key| !key.is_empty());
            let word = key.map_or(name.to_owned(), |key| format!("{key}="));
            assert!(row[0].contains(&word), "{word}: {row:?}");
        }
    }
    let engines = "-engine cmd=a -engine cmd=b".split(' ');
    for option in FASTCHESS.split_whitespace() {
        let is_named = |row: &&Vec<String>| {
            let mut words = row[0].split(['`', ' ']);
            words.any(|word| word == option)
        };
        let row = rows.iter().find(is_named).expect(option);
        let words: Vec<String> = engines.clone().chain([option]).map(str::to_owned).collect();
        if row[1] == "-" && option != "-recover" {
            let converted = Manager::Fastchess.convert(&words);
            let (_, notes) = converted.expect(option);
            assert_eq!(notes, [format!("no counterpart: {option}")], "{row:?}");
        }
    }
}

#[test]
fn a_match_that_cannot_be_is_a_usage_error() {
    let run = TestRun::new("");
    for row in [
        "run --game cachex random | referee: --game: expected two or more bots",
        "run config.toml other.toml | \
         referee: `other.toml` is one configuration too many; for a match between bots add --game",
        "run --game cachex 'Big 16=random' greedy | player `Big 16=random`: a name has no blanks: write `Big-16=random`",
        "run --game cachex random greedy --games -2 | expected a whole number from 0",
        "run --game cachex random 'no-such-program x' | \
         player `no-such-program` cannot be started: there is no program",
        "run --game cachex random '' | player ``: expected a command",
        "run --game cachex random 'greedy --nodez 4' | `args` of a house bot cannot have `--nodez`",
        "run --game cachex random a=random a=greedy | a second player is called `a`",
        "run --game cachex random greedy --set size | --set size: expected KEY=VALUE",
        "run --game cachex random greedy --set sice=5 | unknown key `sice`",
        "run --game cachex random greedy --per-move 0s | `--per-move` is zero",
        "run --game shogi random greedy | invalid value 'shogi' for '--game",
        "run --game cachex a=random b=random --st a:8x | \
         referee: --st a:8x: `--per-move` cannot be `8x`: expected a time",
        "run --game chess random random --sprt 5,0 | referee: --sprt 5,0: expected `elo1` to be more than `elo0`",
        "run --game chess random random --sprt 5 | --sprt 5: expected ELO0,ELO1, such as 0,5",
        "run --game chess random random --errors 0.1,0.1 | \
         referee: --errors 0.1,0.1: `--errors` goes with `--sprt` alone",
        "run --game chess random random --draw 10x8@34#5 | \
         referee: --draw 10x8@34#5: `adjudicate-draw-number` takes the place of `adjudicate-draw-after`",
        "run --game cachex random random --draw 10x8#5 | \
         referee: --draw 10x8#5: `adjudicate-draw-number` is for chess",
        "run --game chess random random --resign high | referee: --resign high: `adjudicate-resign-score` cannot be",
        "run --game chess a=sh b=sh --go nodes=100 --go b:ndes=5 | \
         referee: --go b:ndes=5: `--go` has no `ndes` (did you mean `nodes`?)",
        "run --game chess random random --book no.epd | referee: --book no.epd: `--book`: ",
        "run --game chess random random --book-first 3 | \
         referee: --book-first 3: `--book-first` goes with `--book` only",
        "run --game chess random random --gauntlet bas | referee: --gauntlet bas: no player is called `bas`",
        "run --game chess random random --save results/x.toml | \
         --save results/x.toml: expected a file in the current folder",
        "run config.toml --set size=5 | `--set` is for a match without a configuration: set `game` in the file",
        "run config.toml --st 1 | `--st` is for a match without a configuration: set `clock.per-move` in the file",
        "run config.toml --save x.toml | `--save` is for a match without a configuration",
        "run --game cachex new=random b=random --st nwe:8s | \
         referee: --st nwe:8s: there is no player `nwe` (did you mean `new`?): expected one of new, b",
    ] {
        let [line, problem] = columns(row);
        run.referee(line).fails(2, problem);
    }
    // An engine without a clock is no error of its own then.
    let ran = run.referee("run --game chess a=sh b=sh --tc 0+1");
    assert_eq!(ran.stderr.lines().count(), 1, "{ran:?}");
    assert_has!(ran.stderr, "--tc 0+1: `per-game` is zero");
    assert!(!run.path("results").exists());
}

#[test]
fn numbers_of_games_are_rounded_up_to_whole_blocks() {
    let run = TestRun::new("");
    for (options, games) in [
        ("--games 1", "valid, 2 games"),
        ("--games 3 --draw 0x8@34", "valid, 4 games"),
        ("--games 5 --sprt 0,50", "valid, at most 6 games"),
    ] {
        let line = format!("run --game chess greedy random {options} --st 1 --check");
        assert_has!(run.referee(&line).ok(), games);
    }
}

#[test]
fn games_that_were_forfeited_say_nothing_of_strength() {
    let run = TestRun::new("");
    let fails = "'sh -c \"exit 3\"'";
    for (other, ratings) in [(fails, "0.0,,,4"), ("random", "359.9,-36.1,,4")] {
        let line = format!("run --game cachex --set size=3 a={other} b={fails} --games 4 --seed 7");
        let ran = run.referee(&format!("{line} --every 2 --sprt 0,50"));
        let words = "Nothing is known about strength: 4 games ended by forfeit";
        assert_has!(ran.stderr, words);
        assert_has!(ran.stdout, words);
        assert_lacks!(ran.stderr, "LOS");
        assert_lacks!(ran.stdout, "LOS");
        let ran = run.referee(&format!("{line} -q --out {}", ratings.len()));
        let csv = run.read(&format!("{}/ratings.csv", ratings.len()));
        assert_has!(csv, &format!("\ncachex,1,a,{ratings},"));
        assert_eq!(ran.stdout, "");
        assert_has!(ran.stderr, "! b forfeited 4 games by handshake");
    }
}

#[test]
fn what_a_bot_does_while_its_line_is_written_is_its_time() {
    let run = TestRun::new("");
    let line = "run --game cachex --set size=5 random random --games 20 -j 1 --out out";
    assert_eq!(run.referee(line).exit, 0);
    let plies = (0..20).flat_map(|game| run.plies(game));
    let walls: Vec<u64> = plies
        .filter_map(|ply| ply["wall_us"].parse().ok())
        .collect();
    assert!(walls.len() > 100);
    // Another process cannot answer within a microsecond. Time that the harness itself lost is taken off.
    let at_once = walls.iter().filter(|wall| **wall == 0).count();
    assert!(at_once * 20 < walls.len(), "{at_once} of {}", walls.len());
}
