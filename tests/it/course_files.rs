//! What a course puts beside its agents: packages that they import, in every tier, in runs and gradings.

use std::fs;
use std::path::Path;

use referee::bot::Tier;

use crate::support::python::python;
use crate::support::{TestRun, root, tier_holds};

/// An agent that imports its course's package, reads a file of it, and tries to write beside it.
const AGENT: &str = include_str!("files/course_agent.py");

/// A stand-in for the package of the course, in the folder `skeleton`.
fn write_course_files(run: &TestRun) {
    run.write("skeleton/referee/__init__.py", "");
    run.write("skeleton/referee/rules.txt", "of the course\n");
    let game = "import os\nPLACE = 'PLACE'\nFOLDER = os.path.dirname(os.path.abspath(__file__))\n";
    run.write("skeleton/referee/game.py", game);
}

#[test]
fn agents_import_what_their_course_puts_beside_them_in_every_tier() {
    let Some(python) = python() else { return };
    let run = TestRun::new("");
    run.open_to_others();
    write_course_files(&run);
    run.write("agents/team/player.py", AGENT);
    run.copy(
        &root().join("bots/course-adapters/adapter.py"),
        "agents/adapter.py",
    );
    let agents = run.path("agents");
    // The system's, where there is one: in `strict`, root's bots cannot read what lies in root's home.
    let system = "/usr/bin/python3";
    let mut programs = [system, &python.program].into_iter();
    let program = programs.find(|it| Path::new(it).is_file());
    let program = program.expect("a program");
    let interpreter = Path::new(program);
    for tier in Tier::ALL {
        if !tier_holds(tier, &[&agents, interpreter]) {
            continue;
        }
        run.configure(&format!(
            "seed = 1\ncourse-files = \"skeleton\"\n\
             [game]\nname = \"cachex\"\nsize = 5\n\
             [format]\nkind = \"round-robin\"\ngames-per-pairing = 2\n\
             [limits]\nisolation = \"{tier}\"\nhandshake = \"3m\"\nstart = \"3m\"\n\
             [[player]]\nname = \"team\"\ndir = \"agents\"\n\
             command = [{:?}, \"adapter.py\", \"comp30024-2022\", \"team\"]\n\
             env = {{ TIER = \"{tier}\", VIRTUAL_ENV = {:?} }}\n\
             [[player]]\nhouse = \"random\"\n",
            program,
            python.prefix,
            tier = tier.name(),
        ));
        let said = run.play(&["-j", "2"]);
        assert!(said.contains("ended by: 2 rules"), "{tier:?}: {said}");
        // Another package is another bot, and the run does not go on with it unasked.
        let file = "skeleton/referee/rules.txt";
        run.write(file, "of another year\n");
        let ran = run.run(&["--resume"]);
        assert_ne!(ran.exit, 0, "{ran:?}");
        assert_has!(ran.stderr, "the files of player team changed");
        run.write(file, "of the course\n");
        run.play(&["--resume"]);
        fs::remove_dir_all(run.out()).expect("removed");
    }
}

/// The copy that all machines play with has them, too.
#[test]
fn a_plan_in_shards_has_what_the_course_puts_beside_its_agents() {
    let run = TestRun::new("");
    write_course_files(&run);
    run.write("bot.sh", "");
    run.configure(
        "seed = 1\ncourse-files = \"skeleton\"\n[game]\nname = \"cachex\"\nsize = 5\n\
         [format]\nkind = \"round-robin\"\ngames-per-pairing = 2\n\
         [[player]]\nname = \"a\"\ncommand = [\"sh\", \"bot.sh\"]\n[[player]]\nhouse = \"random\"\n",
    );
    run.referee("plan config.toml --out plan --shards 2").done();
    let config = run.read("plan/config.toml");
    let line = config.lines().find(|line| line.starts_with("course-files"));
    let copy = line.and_then(|line| line.split('"').nth(1)).expect(&config);
    let rules = run.read(&format!("plan/{copy}/referee/rules.txt"));
    assert_eq!(rules, "of the course\n");
    let digests = run.read("plan/frozen.sha256");
    assert_has!(digests, &format!("{copy}/referee/game.py"));
}
