//! Real bots in games of two and three seats: each conduct beside each, in turn and at once. Each is charged to the seat that it is
//! due, and an honest seat never.

use std::time::Duration;

use referee::bot::{Launch, OutputLimits, Patience, Player, Process};
use referee::clock::{Measure, TimeControl};
use referee::game::{Blame, GameResult, PerSeat, Seat, Seats};
use referee::referee::{FaultKind, GameEnd, Participant, Termination, Void};

use super::{forfeited_by, seated, setup};
use crate::support::doubles::{MS, watched_seats};

/// The limit of an action on the wall.
const LIMIT: Duration = Duration::from_secs(2);

/// The limit of an action on a processor.
const CPU_LIMIT: Duration = Duration::from_millis(300);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Conduct {
    Honest,
    Slow,
    Hanging,
    Crashing,
    Illegal,
}

use Conduct::{Crashing, Hanging, Honest, Illegal, Slow};

#[derive(Debug, Clone, Copy)]
struct Terms {
    seats: usize,
    order: &'static str,
    measure: Measure,
}

impl Conduct {
    /// What the bot does when it is asked to act, in the language of a shell.
    fn command(self, measure: Measure) -> &'static str {
        match (self, measure) {
            (Honest, _) => "echo 5",
            (Slow, Measure::Wall) => "sleep 4; echo 5",
            (Slow, Measure::Cpu) => "while :; do :; done",
            (Hanging, _) => "sleep 60",
            (Crashing, _) => "exit 3",
            (Illegal, _) => "echo 10",
        }
    }

    /// A bot that writes all that it hears to its standard error.
    fn start(self, measure: Measure) -> Process {
        let script = format!(
            "while read -r line; do echo \"$line\" >&2; case $line in referee*) echo bot 1 shell;; \
             start*) echo ready;; act*) {};; quit) exit;; esac; done",
            self.command(measure)
        );
        let launch = Launch {
            program: "sh".into(),
            args: vec!["-c".to_owned(), script],
            dir: None,
            env: Vec::new(),
            course_files: None,
        };
        let process = Process::spawn(&launch, OutputLimits::default()).expect("started");
        // However busy the machine is, a game counts.
        process.with_patience(Patience::Long)
    }

    fn is_no_answer(self) -> bool {
        matches!(self, Slow | Hanging | Crashing)
    }

    fn fits(self, kind: Option<FaultKind>, measure: Measure) -> bool {
        match (self, measure) {
            (Honest, _) => kind.is_none(),
            (Hanging, _) | (Slow, Measure::Wall) => kind == Some(FaultKind::Late),
            (Slow, Measure::Cpu) => {
                matches!(kind, Some(FaultKind::CpuSpent | FaultKind::Late))
            }
            (Crashing, _) => kind == Some(FaultKind::Exited),
            (Illegal, _) => kind == Some(FaultKind::Illegal),
        }
    }
}

/// One round, and what each bot heard.
fn game(terms: Terms, conducts: &PerSeat<Conduct>) -> (Result<GameEnd, Void>, Vec<String>) {
    let time = TimeControl {
        measure: terms.measure,
        per_game: None,
        increment: Duration::ZERO,
        per_move: Some(match terms.measure {
            Measure::Wall => LIMIT,
            Measure::Cpu => CPU_LIMIT,
        }),
        margin: Duration::ZERO,
        wall_cap: 2 * LIMIT,
    };
    let setup = setup(terms.seats, &[("order", terms.order), ("rounds", "1")]);
    let times = setup.game().per_seat(|_| time.clone());
    let bots = conducts.values().map(|it| it.start(terms.measure));
    let mut bots: Vec<Participant<Process>> = bots.map(Participant::new).collect();
    let end = watched_seats(&setup, &times, 60_000 * MS, 0, seated(&mut bots), |_, _| {});
    let heard = bots.into_iter().map(|mut bot| {
        bot.player.dismiss();
        bot.player.close(100 * MS);
        String::from_utf8_lossy(&bot.player.take_log().text()).into_owned()
    });
    let heard = heard.collect();
    (end, heard)
}

/// The seats that forfeit: in turn, the first that is not honest. At once, all that give no answer, or else all whose
/// action is refused.
fn due(terms: Terms, conducts: &PerSeat<Conduct>) -> Seats {
    let at_fault = conducts.iter().filter(|(_, conduct)| **conduct != Honest);
    if terms.order == "in-turn" {
        return at_fault.map(|(seat, _)| seat).take(1).collect();
    }
    let somebody_failed = conducts.values().any(|conduct| conduct.is_no_answer());
    let judged = at_fault.filter(|(_, conduct)| conduct.is_no_answer() || !somebody_failed);
    judged.map(|(seat, _)| seat).collect()
}

fn ends_as_due(terms: Terms, conducts: &PerSeat<Conduct>) {
    // A game that the machine disturbs is void, whoever plays it.
    let played = (0..5).map(|_| game(terms, conducts));
    let (end, heard) = played
        .filter_map(|(end, heard)| Some((end.ok()?, heard)))
        .next()
        .expect("a game that counts");
    let due = due(terms, conducts);
    for (seat, conduct) in conducts.iter() {
        let kind = end.fault(seat).map(|fault| fault.kind);
        let context = || format!("{terms:?} {conducts:?}: {end:?}");
        match due.contains(seat) {
            true => assert!(conduct.fits(kind, terms.measure), "{}", context()),
            false => assert_eq!(kind, None, "{}", context()),
        }
        let was_asked = match terms.order {
            "in-turn" => due.iter().next().is_none_or(|first| seat <= first),
            _ => true,
        };
        let is_charged = is_charged_what_is_due(*conduct, terms.measure, was_asked, &end, seat);
        assert!(is_charged, "{}", context());
    }
    // Two seats hear of no points.
    let last = if terms.seats == 2 {
        "end draw rules rounds"
    } else {
        "points 5 5 5"
    };
    for (heard, seat) in heard.iter().zip(conducts.seats()) {
        assert_eq!(heard.contains(last), due.is_empty(), "{heard}");
        // A bot that hangs or has ended may hear no end.
        if conducts[seat] == Honest {
            assert_eq!(heard.matches("end ").count(), 1, "{conducts:?}: {heard}");
        }
        if terms.order == "at-once" && !due.is_empty() {
            assert!(!heard.contains("did "), "{conducts:?}: {heard}");
        }
    }
    if due.is_empty() {
        assert_eq!(end.termination, Termination::Rules);
        assert_eq!(
            (end.result, end.blame()),
            (GameResult::Drawn, Blame::Nobody)
        );
    } else {
        forfeited_by(&end, due);
    }
}

/// Whether a seat was charged its own time, however long the others took.
fn is_charged_what_is_due(
    conduct: Conduct,
    measure: Measure,
    was_asked: bool,
    end: &GameEnd,
    seat: Seat,
) -> bool {
    let spent = end.spent[seat];
    if !was_asked {
        return spent.wall.is_zero() && spent.cpu.is_zero();
    }
    match (conduct, measure) {
        (Slow | Hanging, Measure::Wall) => spent.wall >= LIMIT,
        (Honest | Crashing | Illegal, Measure::Wall) => spent.wall < LIMIT,
        (Slow, Measure::Cpu) => spent.cpu >= CPU_LIMIT || spent.wall >= 2 * LIMIT,
        (Hanging, Measure::Cpu) => spent.wall >= 2 * LIMIT,
        (Honest | Crashing | Illegal, Measure::Cpu) => {
            spent.cpu < CPU_LIMIT && spent.wall < 2 * LIMIT
        }
    }
}

/// Plays all combinations, those with one conduct in the first seat at a time.
fn all_combinations(terms: Terms, known: &[Conduct]) {
    let others = known.len().pow(terms.seats as u32 - 1);
    for first in known {
        std::thread::scope(|scope| {
            for number in 0..others {
                let conduct = |seat: Seat| match seat.index() {
                    0 => *first,
                    index => known[number / known.len().pow(index as u32 - 1) % known.len()],
                };
                let conducts = PerSeat::of(terms.seats, conduct);
                scope.spawn(move || ends_as_due(terms, &conducts));
            }
        });
    }
}

#[test]
#[ignore = "slow"]
fn each_combination_in_turn_is_charged_to_whom_it_is_due() {
    let terms = Terms {
        seats: 3,
        order: "in-turn",
        measure: Measure::Wall,
    };
    all_combinations(terms, &[Honest, Slow, Hanging, Crashing, Illegal]);
}

#[test]
#[ignore = "slow"]
fn each_combination_at_once_is_charged_to_whom_it_is_due() {
    for seats in [2, 3] {
        let terms = Terms {
            seats,
            order: "at-once",
            measure: Measure::Wall,
        };
        all_combinations(terms, &[Honest, Slow, Hanging, Crashing, Illegal]);
    }
}

#[test]
#[ignore = "slow"]
fn each_combination_is_charged_its_own_time_on_a_processor() {
    for (seats, order, known) in [
        (2, "at-once", &[Honest, Slow, Hanging, Crashing][..]),
        (3, "in-turn", &[Honest, Slow, Crashing]),
        (3, "at-once", &[Honest, Slow, Crashing]),
    ] {
        let measure = Measure::Cpu;
        let terms = Terms {
            seats,
            order,
            measure,
        };
        all_combinations(terms, known);
    }
}
