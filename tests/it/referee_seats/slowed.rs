//! Real bots in a game of three seats, one of which computes in the turns of others. The readings of the machine are injected.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use referee::bot::probe::Reading;
use referee::bot::{Launch, OutputLimits, Player, Probe, Process};
use referee::clock::TimeControl;
use referee::referee::{FaultKind, GameEnd, Participant, Void};
use rustix::process::Pid;

use super::{forfeited_by, seated, seats, setup};
use crate::support::doubles::{MS, no_limits, watched_seats};
use crate::support::python::python;

/// A machine with one processor, on which every bot waits for it all the time.
#[derive(Debug)]
struct Crowd(Instant);

impl Probe for Crowd {
    fn read(&self, _tree: &[Pid]) -> Reading {
        let passed = self.0.elapsed();
        Reading {
            waits: BTreeMap::from([(1, passed)]),
            referee_wait: Duration::ZERO,
            busy: passed * 9,
            stolen: Duration::ZERO,
            cores: 1,
        }
    }
}

/// A bot that computes for 1.5 s when it hears a line that begins so, and runs a statement when it is asked to act.
const BOT: &str = "import sys, time
def compute():
    end = time.process_time() + 1.5
    while time.process_time() < end: pass
heard, first = sys.argv[1:]
for line in sys.stdin:
    if line.startswith('referee'): print('bot 1 it eager', flush=True)
    if line.startswith('start'): print('ready', flush=True)
    if line.startswith('act'):
        exec(first)
        print('5', flush=True)
    if line.startswith(heard): compute()
    if line.startswith('quit'): break
";

/// A game of one round in which the bot in the last seat computes while the second one is late.
fn game(python: &str) -> Result<GameEnd, Void> {
    let crowd = Arc::new(Crowd(Instant::now()));
    let start = |heard: &str, first: &str| {
        let launch = Launch {
            program: python.into(),
            args: ["-c", BOT, heard, first].map(str::to_owned).to_vec(),
            ..Launch::default()
        };
        let process = Process::spawn(&launch, OutputLimits::default()).expect("started");
        Participant::new(process.on_machine(Arc::clone(&crowd) as Arc<dyn Probe>))
    };
    let mut players = [
        start("never", ""),
        start("never", "time.sleep(2.2)"),
        start("did north", ""),
    ];
    let ample = TimeControl {
        wall_cap: 60_000 * MS,
        ..no_limits()
    };
    let limited = TimeControl {
        per_move: Some(2000 * MS),
        ..ample.clone()
    };
    let setup = setup(3, &[("rounds", "1")]);
    let times = [ample.clone(), limited, ample].into_iter().collect();
    let end = watched_seats(
        &setup,
        &times,
        60_000 * MS,
        0,
        seated(&mut players),
        |_, _| {},
    );
    for mut player in players {
        player.player.dismiss();
        player.player.close(100 * MS);
    }
    end
}

#[test]
fn a_bot_that_computes_in_the_turn_of_a_late_one_forfeits() {
    let Some(python) = python() else {
        return;
    };
    // On a machine that is really busy it may not have used enough, and the game is void.
    let ended = (0..5).find_map(|_| game(&python.program).ok());
    let end = ended.expect("a game that counts");
    forfeited_by(&end, seats([2]));
    let fault = end.faults.into_values().flatten().next().expect("a fault");
    assert_eq!(fault.kind, FaultKind::DelayedOpponent);
}
