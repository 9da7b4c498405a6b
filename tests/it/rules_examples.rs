//! The games in `examples/rules`, by known counts, known positions and random games.

use std::collections::{BTreeSet, HashMap};

use referee::game::NewsLine;
use referee::rules::{Answer, Next, Program, Refusal};

use crate::support::{begin, begin_anyhow, columns, example, mistaken, play_at_random, turn};

/// Plays actions of alternating seats from the start.
#[track_caller]
fn after(program: &mut Program, options: &[(&str, &str)], actions: &[&str]) -> Next {
    let mut next = begin(program, 1, options).next;
    for (ply, action) in actions.iter().enumerate() {
        let seat = u8::from(ply % 2 == 1);
        next = turn(program.play(&[(seat, action)])).next;
    }
    next
}

#[track_caller]
fn refused(program: &mut Program, actions: &[(u8, &str)]) -> Refusal {
    let refusal = match program.play(actions) {
        Ok(Answer::Refused(refusal)) => Ok(refusal),
        other => Err(other),
    };
    refusal.expect("a refusal")
}

#[track_caller]
fn rows(program: &mut Program, seat: Option<u8>) -> Vec<String> {
    let shown = program.show(seat).expect("a board");
    let rows = shown.drawing.board.expect("a grid").rows();
    rows.split('/').map(str::to_owned).collect()
}

/// The number of games of so many plies.
fn perft(program: &mut Program, actions: &mut Vec<String>, plies: usize) -> usize {
    let path: Vec<&str> = actions.iter().map(String::as_str).collect();
    let Next::Act(seats) = after(program, &[], &path) else {
        return 0;
    };
    let legal = program.legal(seats[0]).expect("a list");
    if plies == 1 {
        return legal.len();
    }
    let mut sum = 0;
    for action in legal {
        actions.push(action);
        sum += perft(program, actions, plies - 1);
        actions.pop();
    }
    sum
}

#[test]
fn connect_four_has_the_published_counts() {
    let mut program = needed!(example("connect_four.py"));
    for (plies, games) in [(1, 7), (2, 49), (3, 343), (4, 2401)] {
        assert_eq!(perft(&mut program, &mut Vec::new(), plies), games);
    }
    // The sixth disc fills a column.
    after(&mut program, &[], &["1", "1", "1", "1", "1", "1"]);
    assert_eq!(program.legal(0).expect("a list").len(), 6);
    let refusal = refused(&mut program, &[(0, "1")]);
    assert_eq!(refusal.words, "column 1 is full");
}

/// The number of ways to place stones of any colour one after another, with superko. A seat lets the other place two
/// stones in a row by passing.
fn count_placements(
    program: &mut Program,
    size: &[(&str, &str)],
    actions: &mut Vec<String>,
    boards: &mut BTreeSet<Vec<String>>,
) -> usize {
    let mut sum = 1;
    for pass in [None, Some("pass".to_owned())] {
        let before = actions.len();
        actions.extend(pass);
        let path: Vec<&str> = actions.iter().map(String::as_str).collect();
        after(program, size, &path);
        boards.insert(rows(program, None));
        let seat = u8::from(actions.len() % 2 == 1);
        for action in program.legal(seat).expect("a list") {
            if action != "pass" {
                actions.push(action);
                sum += count_placements(program, size, actions, boards);
                actions.pop();
            }
        }
        actions.truncate(before);
    }
    sum
}

/// The counts are in Tromp and Farnebäck, "Combinatorics of Go" (2007), tables of positions and of games.
#[test]
#[ignore = "slow"]
fn go_has_the_published_counts() {
    let mut program = needed!(example("go.py"));
    for (width, games, positions) in [("1", 1, 1), ("2", 9, 5), ("3", 907, 15)] {
        let (size, mut boards) = ([("width", width), ("height", "1")], BTreeSet::new());
        let counted = count_placements(&mut program, &size, &mut Vec::new(), &mut boards);
        assert_eq!((counted, boards.len()), (games, positions), "1x{width}");
    }
}

#[test]
fn go_captures_forbids_suicide_and_repetition_and_counts_areas() {
    let mut program = needed!(example("go.py"));
    let size = [("width", "4"), ("height", "3"), ("komi", "0.5")];
    // A ko: Black takes B2's neighbour, and White may not take back at once.
    let ko = ["B3", "C3", "A2", "D2", "B1", "C1", "C2", "B2"];
    after(&mut program, &size, &ko);
    assert_eq!(rows(&mut program, None), [".bw.", "bw.w", ".bw."]);
    let refusal = refused(&mut program, &[(0, "C2")]);
    assert_eq!(refusal.words, "C2 repeats an earlier position");
    let refusal = refused(&mut program, &[(0, "D3")]);
    assert_eq!(refusal.words, "D3 is suicide");
    let refusal = refused(&mut program, &[(0, "B2")]);
    assert_eq!(refusal.words, "B2 is taken");
    let refusal = refused(&mut program, &[(0, "c2")]);
    assert!(refusal.unparsable, "{refusal:?}");
    // After an exchange elsewhere the board is another one. The capture is told to all.
    turn(program.play(&[(0, "A1")]));
    turn(program.play(&[(1, "D1")]));
    let taken = turn(program.play(&[(0, "C2")]));
    let (_, NewsLine::Did { public, .. }) = &taken.news[0] else {
        panic!("{taken:?}");
    };
    assert_eq!(public, "B2");
    turn(program.play(&[(1, "pass")]));
    let end = turn(program.play(&[(0, "pass")])).next;
    let Next::End { points, reason } = end else {
        panic!("{end:?}");
    };
    // Black: five stones, A3 and B2. White: five stones, D3 and komi.
    let points: Vec<String> = points.iter().map(ToString::to_string).collect();
    assert_eq!(
        (points.as_slice(), reason.as_str()),
        (&["7".to_owned(), "5.5".to_owned()][..], "two_passes")
    );
}

#[test]
fn goofspiel_scores_the_higher_bid_and_names_all_seats_at_fault() {
    let mut program = needed!(example("goofspiel.py"));
    let options = [("cards", "3"), ("prizes", "falling")];
    begin(&mut program, 1, &options);
    for (actions, seats) in [
        ([(0, "4"), (1, "3")], vec![0]),
        ([(0, "1"), (1, "03")], vec![1]),
        ([(0, ""), (1, "x")], vec![0, 1]),
    ] {
        assert_eq!(refused(&mut program, &actions).seats, seats);
    }
    let scores = [("1", "3", ["0", "3"]), ("2", "2", ["0", "3"])];
    for (one, other, expected) in scores {
        let next = turn(program.play(&[(0, one), (1, other)]));
        let score = next.score.expect("a score");
        let score: Vec<String> = score.iter().map(ToString::to_string).collect();
        assert_eq!(score, expected);
    }
    let next = turn(program.play(&[(0, "3"), (1, "1")])).next;
    assert!(matches!(next, Next::End { points, .. } if points[0] < points[1]));
    // The seed decides the order of the prizes, and nothing else does.
    let mut orders = BTreeSet::new();
    for seed in 0..20 {
        let news = begin(&mut program, seed, &[]).news;
        assert_eq!(begin(&mut program, seed, &[]).news, news);
        orders.insert(format!("{news:?}"));
    }
    assert!(orders.len() > 5, "{orders:?}");
}

/// Seats with equal knowledge have equal legal actions, and hear of nothing but their own tries.
#[test]
fn phantom_tic_tac_toe_tells_a_seat_of_its_own_tries_alone() {
    let mut program = needed!(example("phantom_tic_tac_toe.py"));
    let mut known: HashMap<(u8, String), Vec<String>> = HashMap::new();
    for seed in 0..60 {
        let played = play_at_random(&mut program, seed, &[]);
        let mut heard = [String::new(), String::new()];
        for (at, turn) in played.turns.iter().enumerate() {
            for news in &turn.news {
                let (Some(seat), NewsLine::See(words)) = news else {
                    panic!("all hear {news:?}");
                };
                assert_eq!(seat.number(), played.plies[at - 1][0].0, "{words}");
                heard[seat.index()] += words;
            }
            for (seat, actions) in &turn.offers {
                let key = (*seat, heard[usize::from(*seat)].clone());
                let earlier = known.entry(key).or_insert_with(|| actions.clone());
                assert_eq!(earlier, actions);
            }
        }
    }
    assert!(known.len() > 100, "{}", known.len());
    after(&mut program, &[], &["b2", "a1"]);
    assert_eq!(rows(&mut program, None), ["...", ".x.", "o.."]);
    assert_eq!(rows(&mut program, Some(0)), ["...", ".x.", "..."]);
    assert_eq!(rows(&mut program, Some(1)), ["...", "...", "o.."]);
    let Next::Act(again) = turn(program.play(&[(0, "a1")])).next else {
        panic!("the game is over");
    };
    assert_eq!(again, [0]);
    assert_eq!(rows(&mut program, Some(0)), ["...", ".x.", "o.."]);
}

#[test]
#[ignore = "slow"]
fn a_mistake_is_named_with_the_line_of_the_author() {
    let generator = "@rules('mine', has='legal offers')\ndef mine(game):\n    ";
    let class = "class mine(Game):\n    name = 'mine'\n    def turn(self): return act(0)\n    ";
    let of_generators = [
        "yield act(0, can=['a'])\n    yield 1 / 0 | line 6, in mine | ZeroDivisionError",
        "yield act(0) | line 5, in mine | seat 0 acts, and no legal action of it is listed",
        "yield 5 | line 5, in mine | 5: expected act(…), end(…)",
        "yield act(0, can=['a']) | in mine, line 3 and below | the game came to the end of its function without `return end(…)`",
        "yield act(2, can=['a']) | line 5, in mine | expected seats from 0 to 1",
        "yield act(1, 0) | line 5, in mine | in rising order",
        "yield end([1], 'won') | line 5, in mine | a number for each of 2 seats",
        "yield end([1, 'x'], 'won') | line 5, in mine | a number for each of 2 seats",
        "yield end([1, 0], 'I won') | line 5, in mine | the reason 'I won'",
        "game.tell('a\\nb')\n    yield act(0, can=['a']) | line 6, in mine | a line break",
        "return act(0) | in mine, line 3 and below | a game needs `yield act(…)`",
    ];
    let of_classes = [
        "def legal(self, seat): return 1 / 0 | line 6, in legal | ZeroDivisionError",
        "def legal(self, seat): return ['a'] | in turn, line 5 | mine has no `play`",
    ];
    let of_generators = of_generators.map(|row| (generator, row));
    let of_classes = of_classes.map(|row| (class, row));
    for (begin, row) in of_generators.into_iter().chain(of_classes) {
        let [lines, place, words] = columns(row);
        let body = format!("{begin}{lines}");
        let log = needed!(mistaken(&body, |program| {
            begin_anyhow(program, 1, &[])?;
            program.play(&[(0, "a")])
        }));
        assert!(log.contains(place) && log.contains(words), "{body}\n{log}");
        assert!(log.contains("after the request `"), "{log}");
    }
}
