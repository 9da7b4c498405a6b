//! Real bots that are asked at once: an honest, a slow, a hanging and a crashing one, each beside each, on the wall and on
//! a processor clock.

use std::time::Duration;

use referee::bot::{Launch, OutputLimits, Patience, Player, Process};
use referee::clock::{Measure, TimeControl};
use referee::game::{Blame, GameResult, PerSeat, Seat, Setup};
use referee::random::Stream;
use referee::referee::{
    Adjudication, FaultKind, GameEnd, GameSpec, Participant, SeatTerms, Termination, Void, play,
};

use super::duel::duel;
use crate::support::doubles::{MS, Unwatched};

/// The limit of an action on the wall.
const LIMIT: Duration = Duration::from_secs(2);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Conduct {
    Honest,
    Slow,
    Hanging,
    Crashing,
}

use Conduct::{Crashing, Hanging, Honest, Slow};

const CONDUCTS: [Conduct; 4] = [Honest, Slow, Hanging, Crashing];

impl Conduct {
    /// What the bot does when it is asked to act, in the language of a shell.
    fn command(self, measure: Measure, hand: &str) -> String {
        match (self, measure) {
            (Honest, _) => format!("echo {hand}"),
            (Slow, Measure::Wall) => format!("sleep 4; echo {hand}"),
            (Slow, Measure::Cpu) => "while :; do :; done".to_owned(),
            (Hanging, _) => "sleep 60".to_owned(),
            (Crashing, _) => "exit 3".to_owned(),
        }
    }

    /// A bot that writes all that it hears to its standard error.
    fn start(self, measure: Measure, hand: &str) -> Process {
        let script = format!(
            "while read -r line; do echo \"$line\" >&2; case $line in referee*) echo bot 1 shell;; \
             start*) echo ready;; act*) {};; quit) exit;; esac; done",
            self.command(measure, hand)
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

    fn fits(self, kind: Option<FaultKind>, measure: Measure) -> bool {
        match (self, measure) {
            (Honest, _) => kind.is_none(),
            (Hanging, _) | (Slow, Measure::Wall) => kind == Some(FaultKind::Late),
            (Slow, Measure::Cpu) => {
                matches!(kind, Some(FaultKind::CpuSpent | FaultKind::Late))
            }
            (Crashing, _) => kind == Some(FaultKind::Exited),
        }
    }
}

fn time_control(measure: Measure) -> TimeControl {
    TimeControl {
        measure,
        per_game: None,
        increment: Duration::ZERO,
        per_move: Some(match measure {
            Measure::Wall => LIMIT,
            Measure::Cpu => 300 * MS,
        }),
        margin: Duration::ZERO,
        wall_cap: 2 * LIMIT,
    }
}

/// One round, and what each bot heard.
fn game(measure: Measure, conducts: PerSeat<Conduct>) -> (Result<GameEnd, Void>, [String; 2]) {
    let mut setup = Setup::new(duel());
    setup.set("rounds", "1").expect("an option");
    let mut chance = Stream::new(1, 0);
    let mut position = setup.start(&mut chance).expect("it has rules");
    let hands = PerSeat::from(["rock", "paper"]);
    let bots = PerSeat::of(2, |seat| conducts[seat].start(measure, hands[seat]));
    let [mut left, mut right] = bots.map(Participant::new).pair().expect("two seats");
    let terms = SeatTerms {
        time: &time_control(measure),
        handshake: Duration::from_secs(60),
        start: Duration::from_secs(60),
    };
    let spec = GameSpec {
        game: setup.game(),
        options: setup.public_options().into(),
        bot_seeds: [1, 2].into(),
        opening_plies: 0,
        adjudication: Adjudication::default(),
        drops: false,
        terms: [terms; 2].into(),
    };
    let players = [&mut left as _, &mut right as _].into();
    let end = play(
        &spec,
        position.as_mut(),
        players,
        &mut chance,
        &mut Unwatched,
    );
    let heard = [left, right].map(|mut bot| {
        bot.player.dismiss();
        bot.player.close(100 * MS);
        String::from_utf8_lossy(&bot.player.take_log().text()).into_owned()
    });
    (end, heard)
}

fn ends_as_due(measure: Measure, conducts: PerSeat<Conduct>) {
    // A game that the machine disturbs is void, whoever plays it.
    let played = (0..5).map(|_| game(measure, conducts.clone()));
    let (end, heard) = played
        .filter_map(|(end, heard)| Some((end.ok()?, heard)))
        .next()
        .expect("a game that counts");
    let failed = conducts
        .clone()
        .map(|conduct| conduct != Honest)
        .pair()
        .expect("two seats");
    let (blame, result) = match failed {
        [false, false] => (Blame::Nobody, GameResult::Won(Seat::SECOND)),
        [true, false] => (Blame::Of(Seat::FIRST), GameResult::Won(Seat::SECOND)),
        [false, true] => (Blame::Of(Seat::SECOND), GameResult::Won(Seat::FIRST)),
        [true, true] => (Blame::BOTH, GameResult::Nobody),
    };
    assert_eq!((end.blame(), end.result), (blame, result), "{end:?}");
    for (seat, conduct) in conducts.iter() {
        let kind = end.fault(seat).map(|fault| fault.kind);
        assert!(conduct.fits(kind, measure), "{conducts:?}: {end:?}");
        let spent = end.spent[seat];
        match (conduct, measure) {
            (Slow | Hanging, Measure::Wall) => assert!(spent.wall >= LIMIT, "{end:?}"),
            // It answered, or ended, within its own time, however long the other took.
            (Honest | Crashing, Measure::Wall) => assert!(spent.wall < LIMIT, "{end:?}"),
            (Slow, Measure::Cpu) => {
                let is_used_up = spent.cpu >= 300 * MS || spent.wall >= 2 * LIMIT;
                assert!(is_used_up, "{end:?}");
            }
            (Hanging, Measure::Cpu) => assert!(spent.wall >= 2 * LIMIT, "{end:?}"),
            (Honest | Crashing, Measure::Cpu) => {
                assert!(spent.cpu < 300 * MS && spent.wall < 2 * LIMIT, "{end:?}");
            }
        }
    }
    if blame == Blame::Nobody {
        assert_eq!(end.termination, Termination::Rules);
        return;
    }
    for heard in heard {
        assert!(!heard.contains("did "), "{conducts:?}: {heard}");
        assert!(
            !heard.contains("rock") && !heard.contains("paper"),
            "{heard}"
        );
    }
}

fn all_combinations(measure: Measure) {
    let combinations = CONDUCTS.map(|one| CONDUCTS.map(|other| PerSeat::from([one, other])));
    for some in combinations {
        std::thread::scope(|scope| {
            for conducts in some {
                scope.spawn(move || ends_as_due(measure, conducts));
            }
        });
    }
}

#[test]
#[ignore = "slow"]
fn each_is_charged_its_own_time_on_the_wall() {
    all_combinations(Measure::Wall);
}

#[test]
#[ignore = "slow"]
fn each_is_charged_its_own_time_on_a_processor() {
    all_combinations(Measure::Cpu);
}
