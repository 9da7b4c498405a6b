//! `referee league`: bots come and go, and the games go on.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::process::Command;
use std::time::{Duration, SystemTime};

use referee::random::Stream;

use crate::support::python::python;
use crate::support::{Killer, REFEREE, Ran, TestRun, root, rows};

/// A league of house bots whose play does not depend on the clock.
pub fn league(bots: &[(&str, &str)]) -> TestRun {
    let test = TestRun::new("");
    test.referee("new league spring --game cachex").ok();
    let terms = test.read("spring/league.toml");
    let seed = terms.lines().find(|line| line.starts_with("seed = "));
    let terms = terms.replace(seed.expect("a seed"), "seed = 5");
    let terms = terms.replace("name = \"cachex\"", "name = \"cachex\"\nsize = 4");
    let terms = terms.replace("blocks = 16", "blocks = 4");
    test.write("spring/league.toml", &terms);
    for (name, command) in bots {
        add(&test, name, command, "").ok();
    }
    test
}

pub const THREE: [(&str, &str); 3] = [
    ("weak", "greedy --nodes 1"),
    ("mid", "greedy --nodes 20"),
    ("strong", "greedy --nodes 80"),
];

pub fn add(test: &TestRun, name: &str, command: &str, more: &str) -> Ran {
    hand(test, "add", name, command, more)
}

/// Hands in a bot by `league add` or `league try`.
pub fn hand(test: &TestRun, verb: &str, name: &str, command: &str, more: &str) -> Ran {
    let mut words = vec!["league", verb, "spring", name];
    if !command.is_empty() {
        words.extend(["--command", command]);
    }
    words.extend(more.split_whitespace());
    let mut program = Command::new(REFEREE);
    program.args(words).current_dir(test.folder());
    program.output().expect("it runs").into()
}

pub fn play(test: &TestRun, more: &str) -> Ran {
    test.referee(&format!("league play spring --quiet {more}"))
}

/// The games of all runs: what does not depend on the machine.
pub fn games(test: &TestRun) -> Vec<Vec<String>> {
    let mut all = Vec::new();
    for number in 1.. {
        let journal = test.path(&format!("spring/runs/{number:04}/games.csv"));
        if !journal.exists() {
            break;
        }
        let mut played: Vec<BTreeMap<String, String>> = rows(&journal);
        played.sort_by_key(|row| row["id"].parse::<u64>().expect("a number"));
        let columns = ["id", "block", "first", "second", "winner", "actions_digest"];
        let cells = |row: &BTreeMap<String, String>| columns.map(|it| row[it].clone()).to_vec();
        all.extend(played.iter().map(cells));
    }
    all
}

pub fn table(test: &TestRun) -> Vec<BTreeMap<String, String>> {
    let csv = test.referee("league table spring --csv").ok();
    test.write("table.csv", &csv);
    rows(&test.path("table.csv"))
}

#[test]
#[ignore = "slow"]
fn the_same_games_are_played_at_any_number_of_jobs_and_by_any_number_of_commands() {
    let [one, two] = [["-j 1"; 2], ["-j 2"; 2]].map(|jobs| {
        let test = league(&THREE);
        if jobs[0] == "-j 2" {
            // As after a kill before the run had a journal.
            test.referee("league plan spring").ok();
            fs::create_dir(test.path("spring/runs/0001")).expect("made");
            test.referee("league table spring").ok();
        }
        for more in jobs {
            play(&test, &format!("{more} --games 8")).ok();
        }
        test
    });
    play(&one, "-j 1 --games 1").ok();
    play(&two, "-j 2 --games 1").ok();
    assert_eq!(games(&one).len(), 24);
    assert_eq!(games(&one), games(&two));
    for run in ["0001", "0003"] {
        let said = one.referee(&format!("verify spring/runs/{run}")).ok();
        assert!(said.contains("8 games are as recorded"), "{said}");
    }
    // One fit over all games.
    let table = table(&one);
    let rated = one
        .referee("rate spring/runs/0001 spring/runs/0002 spring/runs/0003 --format csv")
        .ok();
    one.write("rated.csv", &rated);
    for row in rows(&one.path("rated.csv")) {
        let is_own = |it: &&BTreeMap<_, _>| format!("{}.1", it["bot"]) == row["player"];
        let own = table.iter().find(is_own).expect("a bot");
        assert_eq!([&own["elo"], &own["games"]], [&row["elo"], &row["games"]]);
    }
    assert_eq!(table[0]["bot"], "strong");
    let page = one.read("spring/report/index.html").replace("&#x2f;", "/");
    for link in ["../runs/0003/report/index.html", "bot-strong.html"] {
        assert!(page.contains(&format!("href=\"{link}\"")), "{link}");
    }
    // A folder is replaced whole, but never one of somebody else.
    one.referee("league pages spring --publish www").ok();
    one.write("www/old.html", "");
    one.referee("league pages spring --publish www").ok();
    assert!(!one.path("www/old.html").exists());
    assert!(one.path("www/runs/0002/report/index.html").exists());
    one.write("mine/text", "");
    one.write("site.old/text", "");
    for folder in ["mine", "site"] {
        let ran = one.referee(&format!("league pages spring --publish {folder}"));
        assert_eq!(ran.exit, 2, "{ran:?}");
    }
    assert!(one.path("mine/text").exists() && one.path("site.old/text").exists());
    // A link stays one.
    symlink(one.path("www"), one.path("link")).expect("linked");
    one.write("www/old.html", "");
    one.referee("league pages spring --publish link").ok();
    assert!(one.path("link").is_symlink());
    assert!(!one.path("www/old.html").exists() && one.path("www/league.csv").exists());
}

#[test]
#[ignore = "slow"]
fn a_league_that_is_killed_at_any_moment_goes_on_and_loses_nothing() {
    let whole = league(&THREE);
    play(&whole, "-j 2 --games 24").ok();
    let killed = league(&THREE);
    let mut killer = Killer::new(Stream::new(7, 0), "LEAGUE_KILLS", 3);
    while games(&killed).len() < 24 {
        killer.run_to_the_end(1..400, &mut |_| {
            let mut command = Command::new(REFEREE);
            command
                .args("league play spring --quiet -j 2 --games 1".split(' '))
                .current_dir(killed.folder());
            command
        });
    }
    // A command that was killed while it wrote pages is given again, and plays one more batch.
    assert_eq!(games(&whole), games(&killed)[..24]);
    for number in 1..=3 {
        killed
            .referee(&format!("verify spring/runs/{number:04}"))
            .ok();
    }
}

#[test]
#[ignore = "slow"]
fn versions_follow_each_other_and_bots_come_and_go() {
    let test = league(&THREE);
    play(&test, "--games 8").ok();
    let before = table(&test);
    add(&test, "new", "random", "").ok();
    // Nobody's rating is another one by who came and has not played.
    assert_eq!(table(&test)[..3], before);
    test.referee("league remove spring new").ok();
    add(&test, "weak", "greedy --nodes 40", "").ok();
    test.referee("league rename spring strong Größe").ok();
    test.referee("league retire spring mid").ok();
    play(&test, "--games 16").ok();
    let rows = table(&test);
    let of = |bot: &str| rows.iter().find(|row| row["bot"] == bot).expect("a bot");
    assert_eq!(of("weak")["version"], "2");
    assert_ne!(of("weak")["change"], "");
    assert_eq!(of("mid")["state"], "retired");
    assert!(of("Größe")["games"].parse::<u64>().expect("a number") > 8);
    // Retired versions are anchors, and meet no other.
    let is_retired = |name: &str| ["weak.1", "mid.1"].contains(&name);
    for game in &games(&test)[8..] {
        assert!(!(is_retired(&game[2]) && is_retired(&game[3])), "{game:?}");
    }
    test.referee("league remove spring mid").ok();
    assert_eq!(table(&test).len(), 2);
    // Nobody holds a name that was removed.
    add(&test, "MID", "random", "").ok();
    test.referee("league remove spring MID").ok();
    for line in [
        "league retire spring nobody",
        "league table nowhere",
        "league rename spring weak Größe",
        "league rename spring weak größe",
        "league rename spring weak \"\"",
    ] {
        assert_eq!(test.referee(line).exit, 2, "{line}");
    }
    // They would be taken for another bot, for an option, or for a player of another name.
    for name in "WEAK,we\u{430}k,größe,-rf,+1,../x,.,,\u{212b}".split(',') {
        let ran = add(&test, name, "random", "");
        assert_eq!((ran.exit, ran.stdout.as_str()), (2, ""), "{name}: {ran:?}");
    }
    let said = test.referee("league retire spring Grösse").stderr;
    assert!(said.contains("expected one of"), "{said}");
}

#[test]
#[ignore = "slow"]
fn a_bot_is_copied_and_checked_and_refused_with_reasons() {
    needed!(python());
    let test = league(&THREE[..1]);
    let eight = root().join("bots/starter-python");
    for folder in ["alice", "uploads/bob"] {
        for file in ["bot.py", "kit.toml"] {
            test.copy(&eight.join(file), &format!("{folder}/{file}"));
        }
    }
    // Its name in there is no other program.
    let kit = test.read("uploads/bob/kit.toml");
    let of_bob = kit.replace("starter-python\"", "bob\"");
    test.write("uploads/bob/kit.toml", &of_bob);
    add(&test, "alice", "python3 bot.py", "--dir alice").ok();
    // It is the version that plays.
    let ran = add(&test, "alice", "python3 bot.py", "--dir alice");
    assert_eq!(ran.exit, 1, "{ran:?}");
    assert_has!(ran.stdout, "alice 1 has these files");
    assert!(!test.path("spring/bots/alice/2").exists());
    // The original may change later.
    test.write("alice/bot.py", "print('hello')");
    let ran = add(&test, "alice", "python3 bot.py", "--dir alice");
    assert_eq!(ran.exit, 1, "{ran:?}");
    assert_has!(ran.stdout, "alice is refused:\nfailed   handshake");
    let ran = add(&test, "carol", "python3 alice/bot.py", "");
    assert!(ran.exit == 2 && ran.stderr.contains("--dir"), "{ran:?}");
    test.write("uploads/dave.zip", "no archive");
    let ran = test.referee("league inbox spring uploads");
    assert_eq!(ran.exit, 1, "{ran:?}");
    let [bob, dave] = ["bob", "dave.zip"].map(|it| test.read(&format!("uploads/{it}.answer.txt")));
    assert_starts!(bob, "bob: version 1 plays");
    // Whose program it has concerns the organiser alone, and where it lies nobody.
    let words = "note: it has the files and the command of alice 1";
    assert_has!(ran.stdout, words);
    assert_lacks!(bob, "alice");
    assert_has!(dave, "cannot be unpacked");
    test.write("uploads/eve/bot.py", "import nothing_there\n");
    test.write("uploads/eve/kit.toml", &kit);
    test.referee("league inbox spring uploads");
    let eve = test.read("uploads/eve.answer.txt");
    assert_has!(eve, "/bot.py\", line 1");
    assert_lacks!(eve, &test.folder().display().to_string());
    // Nothing is new.
    let ran = test.referee("league inbox spring uploads");
    assert_eq!((ran.exit, ran.stdout.as_str()), (0, ""));
    play(&test, "--games 8").ok();
    assert_eq!(table(&test).len(), 3);
}

#[test]
fn a_submission_stops_nobody_elses_and_writes_nowhere() {
    let test = league(&[]);
    test.write("key", "secret");
    let long = "a".repeat(250);
    let odd = "_x -rf ... new rand\u{43e}m \u{1b}[2Jx nul\u{0301}".split(' ');
    for name in odd.chain([&*long]) {
        test.write(&format!("uploads/{name}.zip"), "no archive");
    }
    symlink(test.path("key"), test.path("uploads/linked.zip")).expect("linked");
    let temporary = test.path("uploads/new.zip.answer.tmp");
    symlink(test.path("key"), temporary).expect("linked");
    // The answer has no place.
    test.write("uploads/blocked.zip", "no archive");
    test.write("uploads/blocked.zip.answer.txt/text", "");
    let config = "[[player]]\ncommand = [\"./nothing\"]";
    test.write("uploads/zoe/kit.toml", config);
    let ran = test.referee("league inbox spring uploads");
    assert_eq!(ran.exit, 1, "{ran:?}");
    assert!(!ran.stdout.contains('\u{1b}'), "{ran:?}");
    for name in ["zoe", "new.zip", "-rf.zip", "_x.zip"] {
        let answer = test.read(&format!("uploads/{name}.answer.txt"));
        assert_has!(answer, " is refused:\n");
    }
    assert_has!(ran.stdout, "blocked is refused");
    assert_has!(ran.stdout, "a house bot is called so");
    assert_has!(ran.stdout, "linked.zip is not read: links are not followed");
    assert_eq!(test.read("key"), "secret");
    assert!(!test.path("spring/roster.toml").exists());
    // A name that cannot be is told once, unless it is too long for an answer.
    let again = test.referee("league inbox spring uploads").stdout;
    assert_has!(again, &format!("{long} is refused"));
    assert!(!again.contains("_x is refused"), "{again}");
    // Another file that is refused likewise has an answer too.
    test.write("uploads/new_2.zip", "no archive");
    let new = fs::File::open(test.path("uploads/new_2.zip")).expect("there");
    let later = SystemTime::now() + Duration::from_secs(60);
    new.set_modified(later).expect("set");
    test.referee("league inbox spring uploads");
    assert_has!(test.read("uploads/new_2.zip.answer.txt"), "new is refused");
}

#[test]
fn rules_are_the_same_while_bots_come_and_go() {
    let test = TestRun::new("");
    test.write("rules.sh", &format!("exec {REFEREE} rules cachex"));
    test.referee("new league spring --rules 'sh rules.sh'").ok();
    let terms = test.read("spring/league.toml");
    let terms = terms.replace("blocks = 16", "blocks = 1");
    let with = |key: &str| terms.replace("[game]", &format!("[game]\n{key}"));
    test.write("spring/league.toml", &with("size = 3"));
    for name in ["one", "two"] {
        add(&test, name, "random", "").ok();
    }
    let digest = |run: &str| {
        play(&test, "--games 2").ok();
        let manifest = test.read(&format!("spring/runs/{run}/manifest.toml"));
        let mut lines = manifest.lines().map(str::to_owned);
        let digest = lines.find(|line| line.starts_with("rules-digest"));
        digest.expect("rules have a digest")
    };
    let first = digest("0001");
    add(&test, "three", "random", "").ok();
    assert_eq!(digest("0002"), first);
    // A folder in which each game changes a file would make other rules of them.
    test.write("spring/league.toml", &with("dir = \".\""));
    play(&test, "").fails(2, "referee: spring/league.toml:");
}

#[test]
fn files_that_do_not_fit_together_are_refused() {
    let test = league(&THREE[..2]);
    play(&test, "--games 8").ok();
    let [roster, terms] = ["roster", "league"].map(|it| test.read(&format!("spring/{it}.toml")));
    let fails = |words: &str| test.referee("league table spring").fails(2, words);
    let line = 1 + terms.lines().count();
    test.write("spring/league.toml", &format!("{terms}[matchmakin]\n"));
    fails(&format!(
        "spring/league.toml:{line}:1: unknown key `matchmakin` (did you mean `matchmaking`?), expected one of `name`, "
    ));
    test.write("spring/league.toml", &terms);
    test.write("spring/roster.toml", &format!("{roster}\n{roster}"));
    let line = 2 + roster.lines().count();
    fails(&format!(
        "spring/roster.toml:{line}:1: version 1 of weak is there twice, first in line 1"
    ));
    let shown = roster.replace("shown = \"mid\"", "shown = \"Weak\"");
    test.write("spring/roster.toml", &shown);
    fails("two bots are called `Weak`, first in line 1");
    // As if a run of another bot was moved there.
    let other = roster.replace("\"20\"", "\"21\"");
    test.write("spring/roster.toml", &other);
    fails(
        "spring/runs/0001: mid.1 played there as `greedy --nodes 20`, and is `greedy --nodes 21` in roster.toml",
    );
    test.write("spring/roster.toml", &roster);
    test.referee("league table spring").ok();
}

#[test]
fn the_table_does_not_depend_on_pages_and_speaks_of_what_a_league_has() {
    let test = league(&THREE);
    for _ in 0..2 {
        play(&test, "--games 8").ok();
    }
    let manifest = "spring/runs/0001/manifest.toml";
    let text = test.read(manifest);
    let (before, after) = text.split_once("created = \"").expect("a date");
    test.write(manifest, &format!("{before}created = \"1{}", &after[1..]));
    assert!(table(&test).iter().all(|row| !row["trend"].is_empty()));
    let json = test.referee("league table spring --json").ok();
    assert_has!(json, "The results decided who met");
    for other in ["superiority", "places.csv", "intervals\":"] {
        assert!(!json.contains(other), "{other}: {json}");
    }
    let markdown = test.referee("league table spring --markdown").ok();
    let rule = markdown.lines().nth(1).expect("a rule");
    assert_starts!(rule, "| --: | --- | --: |");
}

#[test]
fn an_engine_needs_no_folder() {
    let test = league(&[]);
    for name in ["one", "two"] {
        add(&test, name, &format!("{REFEREE} bot random"), "").ok();
    }
    play(&test, "--games 8").ok();
    assert!(table(&test).iter().all(|row| row["forfeits"] == "0"));
}

#[test]
fn a_bot_that_forfeits_again_and_again_is_benched_and_told() {
    needed!(python());
    let test = league(&THREE[..2]);
    let terms = test.read("spring/league.toml");
    let terms = terms.replace("bench-after = 10", "bench-after = 3");
    test.write("spring/league.toml", &terms);
    test.copy(&root().join("bots/starter-python/bot.py"), "crash/bot.py");
    add(&test, "crash", "python3 bot.py", "--dir crash").ok();
    // A check shows what a bot does now, and not what it does later.
    test.write("spring/bots/crash/1/built/bot.py", "raise SystemExit");
    test.write("spring/bots/crash/1/bot/bot.py", "raise SystemExit");
    let ran = play(&test, "--games 8");
    assert_has!(ran.stderr, "crash 1 is benched: it forfeited");
    let before = games(&test).len();
    play(&test, "--games 8").ok();
    for game in &games(&test)[before..] {
        assert!(!game.contains(&"crash.1".to_owned()), "{game:?}");
    }
    let rows = table(&test);
    let crash = rows.iter().find(|row| row["bot"] == "crash");
    let crash = crash.expect("a bot");
    assert_eq!(crash["state"], "benched");
    assert_starts!(crash["why"], "it forfeited");
}
