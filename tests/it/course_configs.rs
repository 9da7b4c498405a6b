//! The configurations of each course, of its tournament and of its marks: one value for each thing.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::Duration;

use referee::config::{Plan, PlannedGame, PlannedOpening};
use referee::game::BUILT_IN;
use referee::grade::{Grading, Program};

use crate::support::{command, root};

fn both(year: &str) -> (Plan, Grading) {
    let text = |path: &Path| {
        let text = fs::read_to_string(path).expect("a configuration");
        // Whatever folder the test runs in.
        let here = root().display();
        text.replace("\"bots/", &format!("\"{here}/bots/"))
    };
    let paths =
        ["", "grade-"].map(|kind| root().join(format!("configs/{kind}comp30024-{year}.toml")));
    let [run, grade] = paths.each_ref().map(|path| text(path));
    let plan = Plan::parse(&run, &paths[0], BUILT_IN).expect("a tournament");
    let grading = Grading::parse(&grade, &paths[1], BUILT_IN).expect("a grading");
    (plan, grading)
}

#[test]
fn the_two_configurations_of_a_course_have_the_same_limits_and_start() {
    needed!(command("python3"));
    for year in ["2018", "2022"] {
        let (plan, grading) = both(year);
        let (run, graded) = (&plan.limits, &grading.limits);
        assert_eq!(run.memory, graded.memory, "{year}");
        assert_eq!(run.off_turn, graded.off_turn, "{year}");
        let expected = [graded.start, graded.handshake];
        assert_eq!([run.start, run.handshake], expected, "{year}");
        assert_eq!(plan.time.measure, grading.time.measure, "{year}");
        assert_eq!(plan.time.wall_cap, grading.time.wall_cap, "{year}");
        let found = per_game(&plan.games[0], plan.time.per_game);
        assert_eq!(found, per_game(&grading.game, grading.time.per_game));
        // Agents start from the empty board, as in the course.
        let tests = grading.tests.iter().map(|test| &test.game);
        for game in plan.games.iter().chain([&grading.game]).chain(tests) {
            assert_eq!(game.game(), plan.games[0].game(), "{year}");
            assert!(
                matches!(game.opening, PlannedOpening::Random(0)),
                "{year}: {game:?}"
            );
        }
        let agent = plan.players.iter().find(|player| player.house.is_none());
        let launch = &agent.expect("an agent").launch;
        let found = variables(&launch.env);
        assert_eq!(found, variables(&grading.submission.env), "{year}");
        let Program::Package { course, .. } = &grading.submission.program else {
            panic!("{year}: no package");
        };
        assert!(launch.args.contains(course), "{year}: {course}");
    }
}

/// The time for a game; in Cachex by the number of its cells, as the course had it.
fn per_game(game: &PlannedGame, time: Option<Duration>) -> Option<Duration> {
    let size = game
        .setup
        .get("size")
        .map(|size| size.parse::<u32>().expect("a number"));
    time.map(|time| time / size.map_or(1, |size| size * size))
}

fn variables(env: &[(String, String)]) -> BTreeMap<&str, &str> {
    env.iter()
        .map(|(name, value)| (name.as_str(), value.as_str()))
        .collect()
}
