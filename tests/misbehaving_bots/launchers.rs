//! Bots behind a launcher: a script that computes in short processes, and then starts the bot.

use referee::game::Seat;
use std::path::Path;
use std::time::Duration;

use nix::time::{ClockId, clock_gettime};
use referee::clock::Spent;
use referee::game::BUILT_IN;
use referee::runs::{Run, bot_log_path};

use crate::honest::{self, Moment, say};
use crate::tournament::tournament;

/// What a launcher does before it starts the bot. It waits for some processes, and not for the last one, which
/// the system gives to the supervisor.
const WORK: &str = "work() { i=0; while [ $i -lt 20000 ]; do i=$((i + 1)); done; }
for helper in 1 2 3; do ( work ); done
: $( ( work & ) )
";

/// The launchers, and how each starts the bot in the end.
const LAUNCHERS: [(&str, &str); 2] = [
    ("becomes-the-bot", "exec \"$@\""),
    ("has-the-bot-as-its-child", "\"$@\"; exit $?"),
];

/// What the bot computes before its first answer, so that the supervisor has seen its processes by then, and
/// before each other answer.
const FIRST: Duration = Duration::from_millis(300);
const EACH: Duration = Duration::from_millis(5);

/// How much more all actions together may be charged: what the kernel's counter knew better before the
/// first of them, and a tick of what a hypervisor takes.
const SLACK: Duration = Duration::from_millis(15);

/// What this process has used of a processor.
fn own_time() -> Duration {
    let now = clock_gettime(ClockId::CLOCK_PROCESS_CPUTIME_ID);
    now.expect("every system has this clock").into()
}

/// Runs a bot that says what its clock of processor time showed before and after each action.
pub fn say_times() {
    honest::serve(|at, answer| {
        if let Moment::Act(number) = at {
            let begin = own_time();
            let work = if number == 1 { FIRST } else { EACH };
            while own_time() < begin + work {}
            say(&format!(
                "# clock {} {}",
                begin.as_micros(),
                own_time().as_micros()
            ));
        }
        honest::honestly(answer);
    });
}

/// What a bot said of its clock before and after each action.
fn said_times(log: &Path) -> Vec<[Duration; 2]> {
    let log = std::fs::read_to_string(log).expect("a log");
    let lines = log.lines().filter_map(|line| line.strip_prefix("# clock "));
    let time = |word: &str| Duration::from_micros(word.parse().expect("a number"));
    let lines = lines.map(|line| line.split_once(' ').expect("two numbers"));
    lines.map(|(begin, end)| [time(begin), time(end)]).collect()
}

/// Each action is charged what the bot used for it, whatever its launcher used before. Where the bot was
/// about to wait for the next request, its last moments may be charged as time off turn.
pub fn each_action_of_a_bot_behind_a_launcher_is_charged() {
    for (name, start) in LAUNCHERS {
        let program = std::env::current_exe().expect("a path");
        let script = format!("{WORK}{start}");
        let config = format!(
            "[clock]\nmeasure = \"cpu\"\nper-game = \"60s\"\n[[player]]\nname = {name:?}\n\
             command = [\"/bin/sh\", \"-c\", {script:?}, {name:?}, {program:?}, \"bot\", \"says_its_times\"]"
        );
        let folder = tempfile::tempdir().expect("a folder");
        let out = folder.path().join("out");
        let rows = tournament(&["honest"], &config, &out);
        let seat = if rows[0].players[Seat::FIRST] == name {
            "red"
        } else {
            "blue"
        };

        let run = Run::open(&out, BUILT_IN).expect("a run");
        let game = run.recording(0).expect("whole").expect("a log");
        let spent: Vec<Spent> = game
            .plies
            .iter()
            .flat_map(|ply| ply.actions())
            .filter(|(actor, _)| game.game().seat_name(*actor) == seat)
            .map(|(_, action)| action.spent.expect("a time"))
            .collect();
        let said = said_times(&bot_log_path(&out, 0, seat));
        assert_eq!(spent.len(), said.len());
        assert!(spent.len() > 4, "a game that is too short");

        let actions = std::iter::zip(&spent, spent.iter().skip(1)).skip(1);
        let charged: Vec<Duration> = actions.map(|(now, next)| now.cpu + next.idle_cpu).collect();
        let used: Vec<Duration> = said[1..].iter().map(|[begin, end]| *end - *begin).collect();
        // The log rounds down.
        let rounding = Duration::from_micros(2);
        let is_charged =
            std::iter::zip(&charged, &used).all(|(charged, used)| *charged + rounding >= *used);
        assert!(is_charged, "{name}: {charged:?} for {used:?}");
        let most = said[said.len() - 1][0] - said[1][0] + SLACK;
        let all: Duration = charged.iter().sum();
        assert!(all <= most, "{name}: {charged:?} for {used:?}");
    }
}
