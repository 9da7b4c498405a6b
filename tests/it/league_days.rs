//! A league over many days, with all that happens there, and a bot that looks at its neighbours.

use std::fs;
use std::process::Command;

use referee::game::Chance as _;
use referee::random::Stream;

use crate::league::{add, games, league, play, table};
use crate::support::python::python;
use crate::support::{Killer, REFEREE, TestRun, landlock_holds, root, rows, times};

/// The starter bot with lines of its own before its first answer.
fn starter(test: &TestRun, folder: &str, lines: &str) {
    let bot = fs::read_to_string(root().join("bots/starter-python/bot.py")).expect("text");
    let head = "import random\nimport sys\n";
    assert!(bot.contains(head));
    let text = bot.replace(head, &format!("{head}{lines}\n"));
    test.write(&format!("{folder}/bot.py"), &text);
}

/// For the numbers of the issue: `LEAGUE_DAYS=30 LEAGUE_OWNERS=40`.
#[test]
#[ignore = "slow"]
fn no_game_of_many_days_is_lost_or_counted_twice() {
    needed!(python());
    let days = times("LEAGUE_DAYS", 3) as u32;
    let owners = times("LEAGUE_OWNERS", 6) as u32;
    let test = league(&[]);
    let mut chance = Stream::new(57, 0);
    // It crashes in about every tenth game.
    let crash = "import os\nif os.getpid() % 10 == 3 and os.path.exists('later'): sys.exit(1)";
    starter(&test, "crash", crash);
    test.write("crash/later", "");
    test.write("uploads/broken/kit.toml", "command = [\"./nothing\"]");
    for day in 0..days {
        for owner in 0..owners {
            // Five versions of each bot in thirty days.
            if day == 0 || chance.below(7) == 0 {
                let nodes = 1 + 4 * owner + chance.below(8);
                let name = format!("owner{owner}");
                add(&test, &name, &format!("greedy --nodes {nodes}"), "").ok();
            }
        }
        match day {
            // Its check may meet the crash.
            0 => (0..5).any(|_| add(&test, "crash", "python3 bot.py", "--dir crash").exit == 0),
            1 => test.referee("league inbox spring uploads").exit == 1,
            _ => {
                test.referee(&format!(
                    "league retire spring owner{}",
                    chance.below(owners)
                ))
                .exit
                    == 0
            }
        };
        let mut killer = Killer::new(Stream::new(57, day.into()), "LEAGUE_KILLS", 1);
        killer.run_to_the_end(1..4000, &mut |_| {
            let mut command = Command::new(REFEREE);
            let line = "league play spring --quiet -j 2 --games 40";
            command.args(line.split(' ')).current_dir(test.folder());
            command
        });
    }
    let mut journals = Vec::new();
    let mut planned = 0;
    for number in 1.. {
        let run = format!("spring/runs/{number:04}");
        if !test.path(&run).exists() {
            break;
        }
        test.referee(&format!("verify {run}")).ok();
        let played = rows(&test.path(&format!("{run}/games.csv")));
        let config: toml::Table = toml::from_str(&test.read(&format!("{run}.toml"))).expect("TOML");
        let pairings = config["format"]["pairings"].as_array().expect("a list");
        assert_eq!(played.len(), 2 * pairings.len(), "{run}");
        planned += played.len();
        journals.push(run);
    }
    assert_eq!(games(&test).len(), planned);
    assert!(planned >= 40 * days as usize);
    // One fit over all games.
    let rated = test
        .referee(&format!("rate {} --format csv", journals.join(" ")))
        .ok();
    test.write("rated.csv", &rated);
    let rated = rows(&test.path("rated.csv"));
    for own in table(&test) {
        let player = format!("{}.{}", own["bot"], own["version"]);
        let Some(fit) = rated.iter().find(|row| row["player"] == player) else {
            assert_eq!(own["games"], "0", "{player}");
            continue;
        };
        let expected = [&fit["games"], &fit["elo"]];
        assert_eq!([&own["games"], &own["elo"]], expected, "{player}");
    }
    let history = rows(&test.path("spring/report/history.csv"));
    assert_eq!(history.last().expect("a day")["games"], planned.to_string());
    let broken = test.read("uploads/broken.answer.txt");
    assert!(broken.starts_with("broken is refused"), "{broken}");
}

/// Forfeits if it reads or changes anything of the league but its own folder.
const SPY: &str = "import os
def reaches(path):
    for mode in ('rb', 'ab'):
        try:
            with open(path, mode) as file: file.read(1) if mode == 'rb' else None
            return True
        except OSError: pass
    return False
league = os.environ['LEAGUE']
others = ['league.toml', 'roster.toml', 'bots/ann/1/bot/bot.py', 'bots/ann/1/built/bot.py', 'bots/spy/1/built/bot.py',
    'runs/0001.toml', 'runs/0001/manifest.toml', 'runs/0001/games.csv']
if any(reaches(os.path.join(league, path)) for path in others): sys.exit(1)";

#[test]
fn a_bot_reaches_nobody_elses_files() {
    needed!(python().filter(|_| landlock_holds()));
    for (tier, forfeits) in [("landlock", false), ("containment", true)] {
        let test = league(&[]);
        let terms = test.read("spring/league.toml");
        let landlock = "isolation = \"landlock\"";
        assert!(terms.contains(landlock));
        let terms = terms.replace(landlock, &format!("isolation = \"{tier}\""));
        test.write("spring/league.toml", &terms);
        starter(&test, "ann", "");
        let spring = test.path("spring").display().to_string();
        starter(
            &test,
            "spy",
            &SPY.replace("os.environ['LEAGUE']", &format!("{spring:?}")),
        );
        add(&test, "ann", "python3 bot.py", "--dir ann").ok();
        // Where nothing keeps it away, its check shows that it can look.
        let found = add(&test, "spy", "python3 bot.py", "--dir spy").exit == 1;
        assert_eq!(found, forfeits);
        if !forfeits {
            play(&test, "--games 8").ok();
            let rows = table(&test);
            assert!(
                rows.iter()
                    .all(|row| row["forfeits"] == "0" && row["games"] == "8"),
                "{rows:?}"
            );
        }
    }
}
