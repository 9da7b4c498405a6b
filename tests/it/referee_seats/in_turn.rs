//! Three and four seats in turn: whose clock runs, and what each is told.

use referee::clock::TimeControl;
use referee::game::{ForfeitedBy, PerSeat, Reason, Seat};
use referee::referee::Termination;

use super::{forfeited_by, game, placed, seated, seats, setup};
use crate::support::{MS, Planned, acts, line, no_limits, plays, replies, told, watched_seats};

fn heard<'a>(player: &'a Planned, word: &str) -> Vec<&'a str> {
    told(&player.player.received, word)
}

#[test]
fn a_game_of_three_as_each_hears_it() {
    let mut players = [
        plays(&["5", "1"], &[]),
        plays(&["7", "stop"], &[]),
        plays(&["5", "2"], &[]),
    ];
    let end = game(&setup(3, &[]), &no_limits(), &mut players);
    assert_eq!(end.result, placed([3, 1, 1]));
    let wanted = (Termination::Rules, ForfeitedBy::Nobody);
    assert_eq!((end.termination, end.forfeited_by()), wanted);
    let start = |seat: &str, seed: u32| {
        format!(
            "start tally {seat} seed={seed} seats=3 measure=wall per-game=none increment=0 \
             per-move=none rounds=2 order=in-turn sealed=no"
        )
    };
    let [north, east, south] = ["north", "east", "south"];
    let own = |action: &'static str| ["act none none none", action];
    let all: Vec<&str> = [
        own("did north 5 sum 5"),
        own("did east 7 sum 7"),
        own("did south 5 sum 5"),
        own("did north 1 sum 6"),
        own("did east stop sum 7"),
        own("did south 2 sum 7"),
        ["points 6 7 7", "end east+south rules rounds"],
    ]
    .concat();
    for (index, seat) in [north, east, south].into_iter().enumerate() {
        let mut expected = vec!["referee 1".to_owned(), start(seat, 41 + index as u32)];
        for (number, line) in all.iter().enumerate() {
            // A request goes to the seat whose turn it is alone.
            let is_request = line.starts_with("act");
            if !is_request || number / 2 % 3 == index {
                expected.push((*line).to_owned());
            }
        }
        assert_eq!(players[index].player.received, expected);
    }
}

#[test]
fn only_the_clock_of_the_seat_that_acts_runs() {
    // Each player has its own terms.
    let ms = [1000, 2000, 3000, 4000];
    let times: PerSeat<TimeControl> = ms
        .into_iter()
        .map(|ms| TimeControl {
            per_game: Some(ms * MS),
            increment: MS * if ms == 2000 { 100 } else { 0 },
            ..no_limits()
        })
        .collect();
    let mut players = [
        plays(&["1", "1"], &[10, 1]),
        plays(&["1", "1"], &[20, 2]),
        plays(&["1", "1"], &[30, 3]),
        plays(&["1", "1"], &[40, 4]),
    ];
    let mut left = Vec::new();
    let setup = setup(4, &[]);
    let players_of_it = seated(&mut players);
    let end = watched_seats(&setup, &times, 100 * MS, 0, players_of_it, |ply, _| {
        let played = ply.played();
        left.extend(played.map(|(seat, played)| (seat.index(), played.left)));
    });
    let end = end.expect("a game that counts");
    assert_eq!(end.result, placed([1, 1, 1, 1]));
    let asked = players.each_ref().map(|player| heard(player, "act"));
    // The others' clocks come in the order of the seats.
    let expected = [
        ["act 1000 2000 3000 4000", "act 990 2080 2970 3960"],
        ["act 2000 990 3000 4000", "act 2080 989 2970 3960"],
        ["act 3000 990 2080 4000", "act 2970 989 2178 3960"],
        ["act 4000 990 2080 2970", "act 3960 989 2178 2967"],
    ];
    assert_eq!(asked, expected);
    let times = [990, 2080, 2970, 3960, 989, 2178, 2967, 3956].into_iter();
    let times = times.map(|ms| Some(ms * MS)).zip((0..4).cycle());
    assert!(
        left.iter().copied().eq(times.map(|(ms, seat)| (seat, ms))),
        "{left:?}"
    );
    let spent: PerSeat<_> = [11, 22, 33, 44].into_iter().map(|ms| ms * MS).collect();
    assert_eq!(end.spent.map(|spent| spent.wall), spent);
    for (player, ms) in players.iter().zip(ms) {
        let start = heard(player, "start")[0];
        assert!(start.contains(&format!(" per-game={ms} ")), "{start}");
    }
}

#[test]
fn secrets_go_to_one_and_news_to_all() {
    let mut players = ["1", "2", "3"].map(|number| plays(&[number, number], &[]));
    let end = game(&setup(3, &[("sealed", "yes")]), &no_limits(), &mut players);
    assert_eq!(end.result, placed([3, 2, 1]));
    for (index, player) in players.iter().enumerate() {
        let [card, first, second] = [11, 1, 2].map(|times| times * (index + 1));
        let mut expected = vec![format!("see card {card}")];
        for ply in 1..=6 {
            if (ply - 1) % 3 == index {
                let sum = [first, second][usize::from(ply > 3)];
                expected.push(format!("see sum {sum}"));
            }
            expected.push(format!("see ply {ply}"));
        }
        assert_eq!(heard(player, "see"), expected);
        assert_eq!(heard(player, "did"), [""; 0]);
        assert_eq!(heard(player, "points"), ["points 2 4 6"]);
        assert_eq!(heard(player, "end"), ["end south rules rounds"]);
    }
}

#[test]
fn who_resigns_is_last_and_the_others_share_the_first_place() {
    for resigning in 0..3 {
        let mut players = [0, 1, 2].map(|seat| match seat == resigning {
            true => plays(&["1", "resign"], &[]),
            false => plays(&["1", "1"], &[]),
        });
        let end = game(&setup(3, &[]), &no_limits(), &mut players);
        assert_eq!(end.termination, Termination::Rules);
        assert_eq!(end.reason, Some(Reason::RESIGNED));
        let expected = (ForfeitedBy::Nobody, None);
        assert_eq!((end.forfeited_by(), end.rules_points), expected);
        assert_eq!(end.plies, 3 + resigning as u32);
        let places = [0, 1, 2].map(|seat| if seat == resigning { 3 } else { 1 });
        assert_eq!(end.result, placed(places));
        let winners = ["east+south", "north+south", "north+east"][resigning];
        for player in &players {
            // The rules gave no points.
            assert_eq!(heard(player, "points"), [""; 0]);
            let expected = [format!("end {winners} rules resigned")];
            assert_eq!(heard(player, "end"), expected);
        }
    }
}

#[test]
fn a_forfeit_ends_the_game_and_is_explained_to_the_one_at_fault() {
    let slow = TimeControl {
        per_move: Some(50 * MS),
        ..no_limits()
    };
    let cases = [
        (
            "0",
            0,
            Termination::IllegalAction,
            "played `0` at ply 2: a number is from 1 to 9; legal, the closest first: 1 2 3 4 5 and 5 \
             more; board: 100",
        ),
        (
            "one",
            0,
            Termination::ProtocolError,
            "answered `one` at ply 2: expected a number or stop",
        ),
        (
            "1",
            51,
            Termination::Time,
            "took 0.051 s on the wall for one action; the limit is 0.050 s",
        ),
    ];
    for (action, ms, termination, words) in cases {
        let mut players = [plays(&["1"], &[]), plays(&[action], &[ms]), plays(&[], &[])];
        let end = game(&setup(3, &[]), &slow, &mut players);
        assert_eq!(end.termination, termination);
        forfeited_by(&end, seats([1]));
        assert_eq!(end.plies, 1);
        let told = players.each_ref().map(|player| heard(player, "end"));
        let name = termination.name();
        let others = format!("end north+south {name}");
        let wanted = [
            vec![others.clone()],
            vec![format!("{others} {words}")],
            vec![others],
        ];
        assert_eq!(told, wanted);
    }
}

#[test]
fn the_opening_is_played_for_all_and_charged_to_nobody() {
    let setup = setup(3, &[]);
    let time = TimeControl {
        per_game: Some(100 * MS),
        ..no_limits()
    };
    let times = setup.game().per_seat(|_| time.clone());
    // South acts first, after two plies of the opening. Nobody plays more than two numbers.
    let mut players = [
        plays(&["stop"], &[]),
        plays(&["stop"], &[]),
        acts(vec![line("1"), line("1")]),
    ];
    let mut first = Vec::new();
    let end = watched_seats(
        &setup,
        &times,
        100 * MS,
        2,
        seated(&mut players),
        |ply, _| {
            let timed = ply.played().all(|(_, played)| played.spent.is_some());
            first.push((ply.word(), timed));
        },
    );
    end.expect("a game that counts");
    for player in &players {
        let dids = heard(player, "did");
        let opening = [("north", 0), ("east", 1)];
        for (seat, ply) in opening {
            let (word, timed) = &first[ply];
            assert!(dids[ply].starts_with(&format!("did {seat} {word} sum")));
            assert!(!timed);
        }
    }
    let last = Seat::numbered(2).index();
    let lines = &players[last].player.received;
    assert!(lines[2].starts_with("did north"), "{lines:?}");
    assert!(lines[3].starts_with("did east"), "{lines:?}");
    assert_eq!(lines[4], "act 100 100 100");
    assert!(first[2..].iter().all(|(_, timed)| *timed));
}

#[test]
fn a_player_is_greeted_once_in_any_seat() {
    let twice = || {
        replies(vec![
            line("bot 1 it"),
            line("ready"),
            line("stop"),
            line("ready"),
            line("stop"),
        ])
    };
    let mut players = [twice(), twice(), twice()];
    for _ in 0..2 {
        game(&setup(3, &[]), &no_limits(), &mut players);
        players.rotate_left(1);
    }
    for player in &players {
        assert_eq!(heard(player, "referee").len(), 1);
        assert_eq!(heard(player, "end").len(), 2);
        let starts = heard(player, "start");
        assert_ne!(starts[0].split(' ').nth(2), starts[1].split(' ').nth(2));
    }
}
