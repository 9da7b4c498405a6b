//! Two and three seats at once: each on its own clock, and all that fail forfeit together.

use referee::bot::Double;
use referee::clock::{Measure, TimeControl};
use referee::game::{GameResult, PerSeat, Seat, Seats};
use referee::referee::{Participant, Termination};

use super::{each_combination, forfeited_by, game, placed, seated, seats, setup};
use crate::support::{
    Conduct, LIMIT, MS, Planned, Watched, Words, due, line, news, no_limits, plays, replies,
    request, told, watched_seats,
};

const AT_ONCE: (&str, &str) = ("order", "at-once");

#[test]
fn some_act_at_once_and_then_one_alone() {
    let mut players = [
        plays(&["5", "stop"], &[10, 1]),
        plays(&["stop"], &[20]),
        plays(&["5", "1", "9"], &[30, 3, 4]),
    ];
    let time = TimeControl {
        per_game: Some(1000 * MS),
        ..no_limits()
    };
    let setup = setup(3, &[AT_ONCE, ("rounds", "3")]);
    let times = setup.game().per_seat(|_| time.clone());
    let mut words = Vec::new();
    let players_of_it = seated(&mut players);
    let end = watched_seats(&setup, &times, 100 * MS, 0, players_of_it, |ply, _| {
        let actors: Vec<usize> = ply.actors.seats().map(Seat::index).collect();
        words.push((ply.number, ply.word(), actors));
    });
    let end = end.expect("a game that counts");
    assert_eq!(end.result, placed([2, 3, 1]));
    let plies = [
        (1, "5+stop+5", vec![0, 1, 2]),
        (2, "stop+1", vec![0, 2]),
        (3, "9", vec![2]),
    ];
    let plies = plies.map(|(number, word, actors)| (number, word.to_owned(), actors));
    assert_eq!(words, plies);
    let asked = |player: &Planned| told(&player.player.received, "act").join("; ");
    let [north, east, south] = players.each_ref().map(asked);
    // Each clock is told as it was before all were asked.
    assert_eq!(north, "act 1000 1000 1000; act 990 980 970");
    assert_eq!(east, "act 1000 1000 1000");
    let expected = "act 1000 1000 1000; act 970 990 980; act 967 989 980";
    assert_eq!(south, expected);
    let heard = [
        "did north 5 sum 5",
        "did east stop sum 0",
        "did south 5 sum 5",
        "did north stop sum 5",
        "did south 1 sum 6",
        "did south 9 sum 15",
    ];
    for player in &players {
        assert_eq!(told(&player.player.received, "did"), heard);
        assert_eq!(told(&player.player.received, "points"), ["points 5 0 15"]);
    }
}

#[test]
fn an_eager_player_hears_of_the_others_at_once() {
    let hello = ["bot 1 a", "bot 1 b eager", "bot 1 c"];
    let answers = |hello| replies(vec![line(hello), line("ready"), line("2"), line("stop")]);
    let mut players = hello.map(|hello| Participant::new(Watched::new(answers(hello).player)));
    let end = game(&setup(3, &[]), &no_limits(), &mut players);
    assert_eq!(end.result, GameResult::Drawn);
    let [north, east, south] = players.map(|mut player| player.player.writes.split_off(2));
    let act = "act none none none";
    let end = ["points 2 2 2", "end draw rules rounds"];
    let did = |seat: &str, action: &str| format!("did {seat} {action} sum 2");
    let [n, e, s] = ["north", "east", "south"].map(|seat| did(seat, "2"));
    let [last_n, last_e, last_s] = ["north", "east", "south"].map(|seat| did(seat, "stop"));
    let expected = [
        request(&[act]),
        request(&[&n, &e, &s, act]),
        news(&[&last_n, &last_e, &last_s, end[0], end[1]]),
    ];
    assert_eq!(north, expected);
    assert_eq!(
        east,
        [
            news(&[&n]),
            request(&[act]),
            // News of its own action alone wait for more.
            news(&[&e, &s]),
            news(&[&last_n]),
            request(&[act]),
            news(&[&last_e, &last_s]),
            news(&end),
        ]
    );
    let expected = [
        request(&[&n, &e, act]),
        request(&[&s, &last_n, &last_e, act]),
        news(&[&last_s, end[0], end[1]]),
    ];
    assert_eq!(south, expected);
}

#[test]
fn nobody_hears_of_the_others_before_all_have_answered() {
    for (sealed, heard, seen) in [("no", 9, 0), ("yes", 0, 7)] {
        // It has heard of the last seat no more often than there were rounds before.
        let listener = || {
            let mut asked = 0;
            Participant::new(Double::new(move |heard: &[String]| {
                let word = heard.last().and_then(|last| last.split(' ').next());
                match word {
                    Some("referee") => line("bot 1 listener eager"),
                    Some("start") => line("ready"),
                    _ => {
                        let others = heard.iter().filter(|line| line.starts_with("did south"));
                        assert!(others.count() <= asked, "{heard:?}");
                        asked += 1;
                        line("5")
                    }
                }
            }))
        };
        let mut players = [listener(), listener(), listener()];
        let setup = setup(3, &[AT_ONCE, ("rounds", "3"), ("sealed", sealed)]);
        let end = game(&setup, &no_limits(), &mut players);
        assert_eq!(end.termination, Termination::Rules);
        for player in players {
            assert_eq!(told(&player.player.received, "did").len(), heard);
            assert_eq!(told(&player.player.received, "see").len(), seen);
        }
    }
}

const WORDS: Words = Words {
    honest: "stop",
    illegal: "10",
    // Who acts beside others cannot resign.
    nonsense: "resign",
};

fn ends_as_due(conducts: &PerSeat<Conduct>, measure: Measure) {
    let time = TimeControl {
        measure,
        per_move: Some(LIMIT),
        ..no_limits()
    };
    let players = conducts.values().map(|conduct| conduct.player(WORDS));
    let mut players: Vec<Planned> = players.collect();
    let end = game(&setup(conducts.count(), &[AT_ONCE]), &time, &mut players);
    let due = due(conducts, measure);
    let kinds = end.faults.each_ref();
    let kinds = kinds.map(|fault| fault.as_ref().map(|it| it.kind));
    let expected = due.each_ref().map(|it| it.map(|(kind, _)| kind));
    assert_eq!(kinds, expected, "{conducts:?}");
    let spent = end.spent.each_ref().map(|spent| spent.wall);
    let expected = conducts.each_ref().map(|conduct| conduct.spent());
    assert_eq!(spent, expected, "{conducts:?}");
    let first = due.values().flatten().next();
    let Some((_, termination)) = first else {
        assert_eq!(end.termination, Termination::Rules, "{conducts:?}");
        assert_eq!(end.result, GameResult::Drawn, "{conducts:?}");
        return;
    };
    assert_eq!(end.termination, *termination, "{conducts:?}");
    let losers = due.iter().filter(|(_, due)| due.is_some());
    let losers: Seats = losers.map(|(seat, _)| seat).collect();
    forfeited_by(&end, losers);
    assert_eq!(end.plies, 0, "{conducts:?}");
    for (player, (seat, due)) in players.iter().zip(due.iter()) {
        let lines = &player.player.received;
        for word in ["did", "points"] {
            assert_eq!(told(lines, word), [""; 0], "{conducts:?}");
        }
        let said = told(lines, "end");
        assert_eq!(said.len(), 1, "{conducts:?}");
        // Each is told its own fault alone.
        let words: Vec<&str> = said[0].splitn(4, ' ').collect();
        assert_eq!(words[2], termination.name(), "{conducts:?}");
        let detail = end.fault(seat).map(|fault| fault.detail.as_str());
        assert_eq!(words.get(3).copied(), detail, "{conducts:?}");
        assert_eq!(detail.is_some(), due.is_some(), "{conducts:?}");
    }
}

#[test]
fn all_that_fail_forfeit_together_and_only_then_are_actions_judged() {
    for seats in [2, 3] {
        each_combination(seats, ends_as_due);
    }
}

#[test]
fn seats_that_stopped_are_not_to_blame() {
    let mut players = [
        plays(&["1", "0"], &[]),
        plays(&["stop"], &[]),
        plays(&["1", "11"], &[]),
    ];
    let end = game(&setup(3, &[AT_ONCE]), &no_limits(), &mut players);
    forfeited_by(&end, seats([0, 2]));
    assert_eq!(end.termination, Termination::IllegalAction);
    let end = told(&players[1].player.received, "end");
    assert_eq!(end, ["end east illegal_action"]);
}
