//! Both seats act at once: each is on its own clock, neither hears of the other before both have answered, and all that
//! fail forfeit together.

use referee::bot::Double;
use referee::clock::{Measure, TimeControl};
use referee::game::{Blame, GameResult, PerSeat, Seat, Setup};
use referee::referee::{GameEnd, Participant};

use super::duel::duel;
use crate::support::conduct::{CONDUCTS, Conduct, LIMIT, Words, due};
use crate::support::doubles::{MS, Planned, line, no_limits, plays, told, watched_game};

fn game(time: &TimeControl, [left, right]: [&mut Planned; 2]) -> GameEnd {
    let players = [left as _, right as _];
    let end = watched_game(&Setup::new(duel()), time, 0, players, |_, _| {});
    end.expect("a game that counts")
}

#[test]
fn both_hear_of_both_actions_in_the_order_of_the_seats() {
    let mut left = plays(&["rock", "paper", "rock"], &[20, 1, 1]);
    let mut right = plays(&["paper", "paper", "rock"], &[30, 1, 1]);
    let time = TimeControl {
        per_game: Some(1000 * MS),
        ..no_limits()
    };
    let end = game(&time, [&mut left, &mut right]);
    assert_eq!(end.result, GameResult::Won(Seat::SECOND));
    assert_eq!(end.plies, 3);
    let heard = [
        "did left rock",
        "did right paper wins",
        "did left paper",
        "did right paper",
        "did left rock",
        "did right rock",
    ];
    for player in [&left, &right] {
        assert_eq!(told(player.player.received(), "did"), heard);
    }
    let asked = |player: &Planned| told(player.player.received(), "act").join("; ");
    // Each clock has its own time, and the other's as it was before both were asked.
    assert_eq!(asked(&left), "act 1000 1000; act 980 970; act 979 969");
    assert_eq!(asked(&right), "act 1000 1000; act 970 980; act 969 979");
    assert_eq!(end.spent.map(|spent| spent.wall), [22 * MS, 32 * MS].into());
}

#[test]
fn a_seat_acts_alone_after_a_tie() {
    let mut left = plays(&["rock", "rock", "rock", "resign"], &[]);
    let mut right = plays(&["rock", "rock", "rock"], &[]);
    let mut plies = Vec::new();
    let players = [&mut left as _, &mut right as _];
    let setup = Setup::new(duel());
    let end = watched_game(&setup, &no_limits(), 0, players, |ply, _| {
        plies.push((ply.number, ply.word()));
    });
    assert_eq!(end.expect("a game").result, GameResult::Won(Seat::SECOND));
    let words = ["rock+rock", "rock+rock", "rock+rock", "resign"];
    let words = words.map(str::to_owned);
    assert_eq!(plies, std::iter::zip(1.., words).collect::<Vec<_>>());
}

#[test]
fn nobody_hears_of_the_other_before_both_have_answered() {
    let mut setup = Setup::new(duel());
    for sealed in ["no", "yes"] {
        setup.set("sealed", sealed).expect("an option");
        // It has heard of the other no more often than there were rounds before.
        let listener = || {
            let mut asked = 0;
            Participant::new(Double::new(move |heard: &[String]| {
                let word = heard.last().and_then(|last| last.split(' ').next());
                match word {
                    Some("referee") => line("bot 1 listener eager"),
                    Some("start") => line("ready"),
                    _ => {
                        let others = heard.iter().filter(|line| line.starts_with("did right"));
                        assert!(others.count() <= asked, "{heard:?}");
                        asked += 1;
                        line("paper")
                    }
                }
            }))
        };
        let (mut left, mut right) = (listener(), listener());
        let players = [&mut left as _, &mut right as _];
        let time = no_limits();
        let end = watched_game(&setup, &time, 0, players, |_, _| {});
        // They tie, and then the first answers what is no action for one seat.
        assert_eq!(end.expect("a game").blame(), Blame::Of(Seat::FIRST));
        let heard = if sealed == "yes" { 0 } else { 6 };
        for player in [left, right] {
            assert_eq!(told(player.player.received(), "did").len(), heard);
            let seen = told(player.player.received(), "see").len();
            assert_eq!(seen, 3 - heard / 2);
        }
    }
}

const WORDS: Words = Words {
    honest: "rock",
    illegal: "well",
    nonsense: "spock",
};

#[test]
fn all_that_fail_forfeit_together_and_only_then_are_actions_judged() {
    let setup = {
        let mut setup = Setup::new(duel());
        setup.set("rounds", "1").expect("an option");
        setup
    };
    for measure in [Measure::Wall, Measure::Cpu] {
        let time = TimeControl {
            measure,
            per_move: Some(LIMIT),
            ..no_limits()
        };
        for (one, other) in CONDUCTS
            .into_iter()
            .flat_map(|one| CONDUCTS.map(|it| (one, it)))
        {
            let conducts = PerSeat::from([one, other]);
            let [mut left, mut right] = conducts
                .clone()
                .map(|conduct| conduct.player(WORDS))
                .pair()
                .expect("two seats");
            // Two honest players tie, and the game is left unfinished.
            if conducts == [Conduct::Honest, Conduct::Honest].into() {
                continue;
            }
            let players = [&mut left as _, &mut right as _];
            let end = watched_game(&setup, &time, 0, players, |_, _| {});
            let end = end.expect("a game that counts");
            let due = due(&conducts, measure);
            let kinds = end
                .faults
                .each_ref()
                .map(|fault| fault.as_ref().map(|it| it.kind));
            assert_eq!(
                kinds,
                due.clone().map(|it| it.map(|(kind, _)| kind)),
                "{conducts:?}"
            );
            let first = due.pair().expect("two seats").into_iter().flatten().next();
            let (_, termination) = first.expect("somebody forfeits");
            assert_eq!(end.termination, termination, "{conducts:?}");
            let result = match end.blame() {
                Blame::Of(seat) => GameResult::Won(seat.other()),
                Blame::Several(_) | Blame::Nobody => GameResult::Nobody,
            };
            assert_eq!(end.result, result, "{conducts:?}");
            assert_eq!(end.plies, 0, "{conducts:?}");
            let spent = end.spent.map(|spent| spent.wall);
            assert_eq!(spent, conducts.clone().map(Conduct::spent), "{conducts:?}");
            for player in [&left, &right] {
                let lines = player.player.received();
                assert_eq!(told(lines, "did"), [""; 0], "{conducts:?}");
                assert_eq!(told(lines, "end").len(), 1, "{conducts:?}");
            }
        }
    }
}
