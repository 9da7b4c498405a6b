//! Plays tournaments through the course adapters. The agents have the quirks of real ones, and each states
//! how its games must end.
//!
//! An agent lies in `tests/agents/COURSE/NAME/`. Comments in its files begin with
//! `expect:` (`plays`, or a termination, a colon and words of its detail; one of several must hold), `log:` (words in
//! one of its logs) and `package:` (what the adapter is given, and options; else the folder).

use std::path::Path;
use std::process::Command;

use referee::runs::{GameRow, Run as Opened};

use crate::support::python::python;
use crate::support::rules_program::all_games;
use crate::support::{TestRun, copy_folder, files_below, has_extension, landlock_holds, root};

#[derive(Debug)]
struct Agent {
    name: String,
    package: String,
    expected: Vec<String>,
    logged: Vec<String>,
}

impl Agent {
    fn read(folder: &Path) -> Self {
        let files = files_below(folder).into_iter();
        let files = files.filter(|file| has_extension(file, "py"));
        let text: String = files
            .map(|file| std::fs::read_to_string(file).expect("text"))
            .collect();
        let said = |word: &str| -> Vec<String> {
            text.lines()
                .filter_map(|line| line.strip_prefix("# ")?.strip_prefix(word))
                .map(str::to_owned)
                .collect()
        };
        let name = folder.file_name().expect("a name").to_string_lossy();
        let agent = Self {
            name: name.into_owned(),
            package: said("package: ").pop().unwrap_or(".".to_owned()),
            expected: said("expect: "),
            logged: said("log: "),
        };
        assert!(!agent.expected.is_empty(), "{} expects nothing", agent.name);
        agent
    }

    fn is_as_expected(&self, game: &GameRow) -> bool {
        let forfeits = game.forfeited_by() == self.name;
        self.expected.iter().any(|expected| {
            let (termination, words) = expected.split_once(": ").unwrap_or((expected, ""));
            match termination {
                "plays" => game.forfeited_by().is_empty(),
                _ => {
                    forfeits
                        && game.end.termination.name() == termination
                        && game.detail().contains(words)
                }
            }
        })
    }
}

fn agents(course: &str) -> Vec<Agent> {
    let folder = root().join("tests/agents").join(course);
    let mut agents: Vec<Agent> = std::fs::read_dir(folder)
        .expect("the agents")
        .map(|entry| Agent::read(&entry.expect("an entry").path()))
        .collect();
    agents.sort_by(|a, b| a.name.cmp(&b.name));
    agents
}

#[derive(Debug, Clone, Copy)]
struct Plan<'a> {
    settings: &'a str,
    /// How many games an agent plays, and against whom.
    games: &'a str,
    opponents: &'a str,
    opening_plies: u32,
    fresh_process: bool,
}

impl<'a> Plan<'a> {
    fn new(settings: &'a str) -> Self {
        Self {
            settings,
            games: "games-per-pairing = 2",
            opponents: "[[player]]\nhouse = \"greedy\"\n",
            opening_plies: 0,
            fresh_process: true,
        }
    }
}

struct Run {
    run: TestRun,
    games: Vec<GameRow>,
}

impl Run {
    /// Each of the agents against the opponents, once in each seat.
    fn new(course: &str, agents: &[Agent], plan: Plan<'_>) -> Option<Self> {
        let python = python()?;
        let run = TestRun::new("");
        // A copy, since some agents write to their own folder.
        let home = run.path("agents");
        copy_folder(&root().join("tests/agents").join(course), &home);
        let names: Vec<&str> = agents.iter().map(|agent| agent.name.as_str()).collect();
        let mut config = format!(
            "seed = 1\n{}{PATIENT}[format]\nkind = \"gauntlet\"\nchallengers = {names:?}\n\
             {}\nopening-plies = {}\n{}",
            plan.settings, plan.games, plan.opening_plies, plan.opponents
        );
        let adapter = root().join("bots/course-adapters/adapter.py");
        let adapter = adapter.display().to_string();
        let examples = root().join("bots/course-adapters/examples");
        for Agent { name, package, .. } in agents {
            let mut command = vec![python.program.as_str(), adapter.as_str(), course];
            command.extend(package.split(' '));
            config.push_str(&format!(
                "[[player]]\nname = {name:?}\ndir = {:?}\n\
                 command = {command:?}\n\
                 env = {{ PYTHONPATH = {examples:?}, CONDA_PREFIX = {examples:?}, VIRTUAL_ENV = {:?} }}\n\
                 fresh-process = {}\n",
                home.join(name),
                python.prefix,
                plan.fresh_process,
            ));
        }
        // With two workers there would be two processes.
        let jobs = if plan.fresh_process { "2" } else { "1" };
        run.configure(&config);
        run.play(&["-j", jobs]);
        let opened = Opened::open(&run.out(), all_games()).expect("a run");
        let rows = opened.rows().expect("a journal");
        let games = rows.map(|row| row.expect("a row")).collect();
        Some(Self { run, games })
    }

    fn logs(&self, agent: &str) -> String {
        let mut logs = String::new();
        for game in &self.games {
            for (player, seat) in game.names().into_values().zip(game.game.seat_names()) {
                let file = format!("out/stderr/0000/{:06}-{seat}.log", game.id);
                if player == agent
                    && let Ok(log) = std::fs::read(self.run.path(&file))
                {
                    logs.push_str(&String::from_utf8_lossy(&log));
                }
            }
        }
        logs
    }

    /// Compares all games and logs with what the agents expect.
    fn hold(&self, agents: &[Agent]) {
        let mut wrong = Vec::new();
        for agent in agents {
            let is_mine = |game: &&GameRow| game.names().contains(&agent.name.as_str());
            let games: Vec<_> = self.games.iter().filter(is_mine).collect();
            let seats = games.first().map(|game| game.game.seat_count());
            assert_eq!(Some(games.len()), seats, "{}", agent.name);
            for game in games {
                if !agent.is_as_expected(game) {
                    wrong.push(format!(
                        "{}: {} {} {:?}",
                        agent.name,
                        game.end.termination.name(),
                        game.forfeited_by(),
                        game.detail()
                    ));
                }
            }
            let logs = self.logs(&agent.name);
            for words in agent.logged.iter().filter(|words| !logs.contains(*words)) {
                wrong.push(format!("{}: no `{words}` in its logs:\n{logs}", agent.name));
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}

/// Enough time that no agent fails, and no last output is lost, because the machine is busy.
const PATIENT: &str = "handshake = \"3m\"\nstart = \"3m\"\nquit = \"20s\"\n";

/// The course's settings with less time, for the placing phase and the start of the moving phase.
const WATCH_YOUR_BACK: &str = "[game]\nname = \"watch-your-back\"\nmax-plies = 40\n\
     [clock]\nmeasure = \"cpu\"\nper-game = \"2s\"\n[limits]\nmemory = \"112MiB\"\n";

const CACHEX: &str = "[game]\nname = \"cachex\"\nsize = 5\n\
     [clock]\nmeasure = \"cpu\"\nper-game = \"25s\"\n[limits]\nmemory = \"112MiB\"\n";

/// Plays a tournament of the agents, unless there is no Python, and compares it with what they expect.
fn end_as_they_expect(course: &str, agents: &[Agent], plan: Plan<'_>) {
    if let Some(run) = Run::new(course, agents, plan) {
        run.hold(agents);
    }
}

fn some(course: &str, names: &[&str]) -> Vec<Agent> {
    let mut agents = agents(course);
    agents.retain(|agent| names.contains(&agent.name.as_str()));
    assert_eq!(agents.len(), names.len());
    agents
}

#[test]
#[ignore = "slow"]
fn agents_of_2018_end_as_they_expect() {
    let course = "comp30024-2018";
    end_as_they_expect(course, &agents(course), Plan::new(WATCH_YOUR_BACK));
}

/// Three in a game: an agent between two others of the course.
#[test]
#[ignore = "slow"]
fn agents_of_2019_end_as_they_expect() {
    let python = needed!(python());
    let course = "comp30024-2019";
    let bots = root().join("bots/course-adapters");
    let [adapter, examples] = ["adapter.py", "examples"].map(|name| bots.join(name));
    let honest = ["one", "another"].map(|name| {
        format!(
            "[[player]]\nname = {name:?}\ndir = {examples:?}\nfresh-process = true\n\
             command = [{:?}, {adapter:?}, {course:?}, \"wanderer_2019\"]\n",
            python.program
        )
    });
    let settings = format!(
        "[game]\nrules = [{:?}, \"chexers.py\"]\ndir = {:?}\nturns = 30\n\
         [clock]\nmeasure = \"cpu\"\nper-game = \"25s\"\n[limits]\nmemory = \"116MiB\"\n",
        python.program,
        root().join("examples/rules")
    );
    let plan = Plan {
        games: "games-per-pairing = 3",
        opponents: &honest.concat(),
        ..Plan::new(&settings)
    };
    end_as_they_expect(course, &agents(course), plan);
}

#[test]
#[ignore = "slow"]
fn agents_of_2022_end_as_they_expect() {
    let course = "comp30024-2022";
    end_as_they_expect(course, &agents(course), Plan::new(CACHEX));
}

/// An agent starts afresh even where one process plays several games.
#[test]
fn a_process_that_is_kept_starts_each_game_afresh() {
    let course = "comp30024-2018";
    let agents = some(
        course,
        &["keeps_things_in_globals", "checks_what_it_is_told"],
    );
    let plan = Plan {
        fresh_process: false,
        ..Plan::new(WATCH_YOUR_BACK)
    };
    end_as_they_expect(course, &agents, plan);
}

/// The adapter is outside the agents' folders, which cannot be written to.
#[test]
fn agents_play_isolated() {
    needed!(landlock_holds().then_some(()));
    let course = "comp30024-2018";
    let names = "absolute_imports_from_above another_class hyphens_and_relative_imports prints raises_in_action \
        reads_and_writes_beside_its_code starts_threads";
    let agents = some(course, &names.split(' ').collect::<Vec<_>>());
    let settings = format!("{WATCH_YOUR_BACK}isolation = \"landlock\"\n");
    end_as_they_expect(course, &agents, Plan::new(&settings));
}

/// The protocol of 2018 cannot announce a random opening, so the adapter refuses it with a message.
#[test]
fn a_random_opening_is_refused_where_it_cannot_be_told() {
    let course = "comp30024-2018";
    let mut agents = some(course, &["checks_what_it_is_told"]);
    agents[0].expected = vec!["crash: set opening-plies = 0`".to_owned()];
    let plan = Plan {
        opening_plies: 2,
        ..Plan::new(WATCH_YOUR_BACK)
    };
    end_as_they_expect(course, &agents, plan);
}

/// Compares the verdicts of the course's own referee on values of all types with those of the adapter.
#[test]
fn types_are_judged_as_the_course_did() {
    let python = needed!(python());
    let judge = root().join("tests/agents/judge.py");
    for (course, file, least) in [
        ("comp30024-2018", "wyb_illegal.jsonl.gz", 28),
        ("comp30024-2019", "chexers_typed.jsonl.gz", 43),
        ("comp30024-2022", "cachex_illegal.jsonl.gz", 300),
    ] {
        let ran = Command::new(&python.program)
            .arg(&judge)
            .arg(root().join("bots/course-adapters/adapter.py"))
            .arg(course)
            .arg(root().join("tests/vectors").join(file))
            .output()
            .expect("it runs");
        assert!(ran.status.success(), "{ran:?}");
        let said = String::from_utf8(ran.stdout).expect("text");
        let (judged, wrong) = said.split_once('\n').expect("a count");
        assert!(judged.parse::<u32>().expect("a count") >= least, "{said}");
        assert_eq!(wrong, "", "{course}");
    }
}

/// The adapter uses only the syntax of the oldest Python that it supports.
#[test]
fn old_pythons_can_read_it() {
    let python = needed!(python());
    let script = "import ast, sys; ast.parse(open(sys.argv[1]).read(), feature_version=(3, 6))";
    for file in ["course-adapters/adapter.py", "mgtp-bridge/bridge.py"] {
        let ran = Command::new(&python.program)
            .args(["-c", script])
            .arg(root().join("bots").join(file))
            .output()
            .expect("it runs");
        assert!(ran.status.success(), "{file}: {ran:?}");
    }
}
