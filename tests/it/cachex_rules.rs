//! The rules of Cachex: perft, properties over seeded random games, and cases made by hand.

use referee::game::cachex::{Action, Cell, Options, PartsError, Public, Rule, State};
use referee::game::{
    Chance, Game, OptionError, Outcome, ParseError, Position, Reason, Refusal, Seat, Setup, View,
};
use referee::random::Stream;

fn start(size: u8) -> State {
    State::new(Options::with_size(size).expect("a size"))
}

fn after(size: u8, actions: &str) -> State {
    let mut state = start(size);
    for token in actions.split_whitespace() {
        state
            .apply(token.parse().expect("an action"))
            .expect("legal");
    }
    state
}

fn legal(state: &State) -> Vec<Action> {
    let mut actions = Vec::new();
    state.legal(&mut actions);
    actions
}

/// Plays a token as the referee does; what became public.
fn act(state: &mut State, token: &str) -> Result<String, Refusal> {
    let mut public = String::new();
    referee::game::AnyPosition::act(state, token, &mut public).map(|()| public)
}

/// Every action that can be written.
fn action_space() -> Vec<Action> {
    let cells = (0..26).flat_map(|r| (0..26).filter_map(move |q| Cell::new(r, q)));
    cells.map(Action::Place).chain([Action::Steal]).collect()
}

fn perft(state: &State, depth: u32) -> u64 {
    let actions = legal(state);
    if depth == 1 {
        return actions.len() as u64;
    }
    let count = |&action| {
        let mut next = state.clone();
        next.apply(action).expect("legal");
        perft(&next, depth - 1)
    };
    actions.iter().map(count).sum()
}

#[test]
fn perft_counts() {
    let table = include_str!("../perft/cachex.perft");
    let mut counts = 0;
    for line in table.lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<_> = line.split(';').map(str::trim).collect();
        let state = after(fields[0].parse().expect("a size"), fields[1]);
        for field in &fields[2..] {
            let (depth, count) = field.split_once(' ').expect("depth and count");
            let depth = depth.parse().expect("a depth");
            let count: u64 = count.parse().expect("a count");
            assert_eq!(perft(&state, depth), count, "depth {depth}: {line}");
            counts += 1;
        }
    }
    assert_eq!(counts, 76);
}

/// The same rules once more, written to be read rather than to be fast: cells in a plain list, and
/// every position since the start kept whole.
struct Plain {
    size: i32,
    cells: Vec<Option<Seat>>,
    past: Vec<Vec<Option<Seat>>>,
}

impl Plain {
    fn new(size: u8) -> Self {
        let cells = vec![None; usize::from(size) * usize::from(size)];
        Self {
            size: size.into(),
            past: vec![cells.clone()],
            cells,
        }
    }

    fn index(&self, (r, q): (i32, i32)) -> Option<usize> {
        let on = |x| (0..self.size).contains(&x);
        (on(r) && on(q)).then_some((r * self.size + q) as usize)
    }

    fn is(&self, cell: (i32, i32), seat: Seat) -> bool {
        self.index(cell)
            .is_some_and(|i| self.cells[i] == Some(seat))
    }

    fn turn(&mut self, action: Action) -> Option<Outcome> {
        const AROUND: [(i32, i32); 6] = [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)];
        let mover = Seat::BOTH[(self.past.len() - 1) % 2];
        let mut lost = Vec::new();
        match action {
            Action::Steal => {
                let from = self
                    .cells
                    .iter()
                    .position(Option::is_some)
                    .expect("a stone");
                let size = self.size as usize;
                self.cells[from] = None;
                self.cells[from % size * size + from / size] = Some(mover);
            }
            Action::Place(cell) => {
                let new = (i32::from(cell.r()), i32::from(cell.q()));
                let at = self.index(new).expect("on the board");
                self.cells[at] = Some(mover);
                // Each diamond: a cell, two neighbours that touch, and the cell beyond them.
                for r in new.0 - 2..=new.0 + 2 {
                    for q in new.1 - 2..=new.1 + 2 {
                        for i in 0..6 {
                            let (a, b) = (AROUND[i], AROUND[(i + 1) % 6]);
                            let sharp = [(r, q), (r + a.0 + b.0, q + a.1 + b.1)];
                            let blunt = [(r + a.0, q + a.1), (r + b.0, q + b.1)];
                            for (ours, theirs) in [(sharp, blunt), (blunt, sharp)] {
                                if ours.contains(&new)
                                    && ours.iter().all(|&cell| self.is(cell, mover))
                                    && theirs.iter().all(|&cell| self.is(cell, mover.other()))
                                {
                                    lost.extend(theirs);
                                }
                            }
                        }
                    }
                }
            }
        }
        for cell in lost {
            let at = self.index(cell).expect("on the board");
            self.cells[at] = None;
        }
        self.past.push(self.cells.clone());
        let side = |cell: (i32, i32)| if mover == Seat::First { cell.0 } else { cell.1 };
        let all = (0..self.size).flat_map(|r| (0..self.size).map(move |q| (r, q)));
        let mut chain: Vec<_> = all
            .filter(|&cell| side(cell) == 0 && self.is(cell, mover))
            .collect();
        let mut next = 0;
        while let Some(&(r, q)) = chain.get(next) {
            next += 1;
            for (down, right) in AROUND {
                let cell = (r + down, q + right);
                if self.is(cell, mover) && !chain.contains(&cell) {
                    chain.push(cell);
                }
            }
        }
        let draw = |reason| {
            Some(Outcome {
                winner: None,
                reason,
            })
        };
        if chain.iter().any(|&cell| side(cell) == self.size - 1) {
            Some(Outcome {
                winner: Some(mover),
                reason: Reason::Connection,
            })
        } else if self.past.iter().filter(|&past| *past == self.cells).count() == 7 {
            draw(Reason::Repetition)
        } else if self.past.len() == 344 {
            draw(Reason::MaxTurns)
        } else {
            None
        }
    }

    fn board(&self) -> String {
        let letter = |cell: &Option<Seat>| match cell {
            None => '.',
            Some(Seat::First) => 'r',
            Some(Seat::Second) => 'b',
        };
        self.cells.iter().map(letter).collect()
    }
}

/// Games that capture whenever they can and connect only when they must, so that all ends occur.
#[test]
fn fast_rules_equal_plain_rules() {
    let mut ends = [0; 3];
    for game in 0..150 {
        let mut chance = Stream::new(11, game);
        let size = 3 + (game % 8) as u8;
        let (mut state, mut plain) = (start(size), Plain::new(size));
        while state.to_act().is_some() {
            let (mut captures, mut quiet) = (Vec::new(), Vec::new());
            for action in legal(&state) {
                let mut next = state.clone();
                let public = next.apply(action).expect("legal");
                if next
                    .outcome()
                    .is_none_or(|outcome| outcome.winner.is_none())
                {
                    match public.is_empty() {
                        true => quiet.push(action),
                        false => captures.push(action),
                    }
                }
            }
            let liked = if captures.is_empty() { quiet } else { captures };
            let random = chance.below(liked.len().max(1) as u32) as usize;
            // A player of habit repeats itself, so positions come back.
            let habit = game % 2 == 0 && state.ply() > 12;
            let action = match liked.get(if habit { 0 } else { random }) {
                Some(&action) => action,
                None => state.random_action(&mut chance).expect("not over"),
            };
            state.apply(action).expect("legal");
            assert_eq!(plain.turn(action), state.outcome());
            assert_eq!(plain.board(), state.board());
            let times = plain.past.iter().filter(|&past| *past == plain.cells);
            assert_eq!(times.count() as u32, state.occurrences());
        }
        match state.outcome().expect("over").reason {
            Reason::Connection => ends[0] += 1,
            Reason::Repetition => ends[1] += 1,
            _ => ends[2] += 1,
        }
    }
    assert!(ends.iter().all(|&games| games >= 20), "{ends:?}");
}

#[test]
fn legal_actions_and_no_others_are_accepted() {
    let space = action_space();
    for game in 0..12 {
        let mut chance = Stream::new(5, game);
        let mut state = start([3, 4, 5, 8, 9, 26][game as usize % 6]);
        loop {
            if state.ply() < 3 || chance.below(25) == 0 || state.to_act().is_none() {
                let listed = legal(&state);
                for &action in &space {
                    let mut next = state.clone();
                    let applied = next.apply(action);
                    assert_eq!(applied.is_ok(), listed.contains(&action), "{action}");
                    assert_eq!(applied.map(drop), state.check(action));
                    assert_eq!(applied.is_err(), next == state, "{action}");
                    let mut observer = state.clone();
                    let seen = observer.observe(action, applied.unwrap_or_default());
                    assert_eq!((seen, observer), (applied.map(drop), next));
                }
            }
            let Some(action) = state.random_action(&mut chance) else {
                break;
            };
            state.apply(action).expect("legal");
        }
    }
}

#[test]
fn random_actions_are_the_legal_ones_each_as_likely() {
    for (size, actions) in [
        (3, ""),
        (4, ""),
        (3, "a1"),
        (4, "b2 a1 c3 d4"),
        (3, "a1 b1 c1 a2 c2"),
    ] {
        let state = after(size, actions);
        let listed = legal(&state);
        let mut chance = Stream::new(3, 0);
        let mut times = vec![0_u32; listed.len()];
        const EACH: u32 = 2000;
        for _ in 0..EACH * listed.len() as u32 {
            let action = state.random_action(&mut chance).expect("not over");
            times[listed
                .iter()
                .position(|&legal| legal == action)
                .expect("legal")] += 1;
        }
        // Six standard deviations of a binomial count are under 6 * sqrt(2000).
        assert!(times.iter().all(|&n| n.abs_diff(EACH) < 268), "{times:?}");
    }
}

#[test]
fn every_action_reads_back() {
    for action in action_space() {
        assert_eq!(action.to_string().parse(), Ok(action));
    }
    let malformed = [
        "", "d", "2", "2d", "D2", "d+2", "d02", "d 2", " d2", "d2 ", "dd2", "d2x", "d-", "d-0",
        "d-02", "d--2", "d2.0", "Steal", "steal ", "STEAL", "pass", "é2", "d２", "3,1", "a0b",
    ];
    for token in malformed {
        assert_eq!(
            token.parse::<Action>(),
            Err(ParseError::Malformed),
            "{token:?}"
        );
    }
    for token in [
        "a0",
        "a27",
        "z99",
        "d100",
        "d18446744073709551617",
        "d-1",
        "z-26",
        "b260",
    ] {
        assert_eq!(
            token.parse::<Action>(),
            Err(ParseError::OffBoard),
            "{token:?}"
        );
    }
}

#[test]
fn captures_read_back_and_have_one_spelling() {
    for text in ["", "d2 d3", "a1 z26", "b1 c1 d1 a2 e2 a26"] {
        assert_eq!(text.parse::<Public>().expect("cells").to_string(), text);
    }
    for text in [
        " ",
        "d2 ",
        " d2",
        "d2  d3",
        "d3 d2",
        "d2 d2",
        "b1 a1",
        "a1 b1 c1 d1 e1 f1 g1",
        "steal",
    ] {
        assert_eq!(
            text.parse::<Public>(),
            Err(ParseError::Malformed),
            "{text:?}"
        );
    }
    assert_eq!("a1 a27".parse::<Public>(), Err(ParseError::OffBoard));
    let public: Public = "d2 d3".parse().expect("cells");
    assert!(!public.is_empty() && Public::default().is_empty());
    assert_eq!(
        public
            .iter()
            .map(|cell| (cell.r(), cell.q()))
            .collect::<Vec<_>>(),
        [(1, 3), (2, 3)]
    );
}

#[test]
fn options_read_back_and_refuse_the_rest() {
    let mut options = Options::default();
    assert_eq!(options.get("size").as_deref(), Some("9"));
    for size in 3..=26 {
        let text = size.to_string();
        options.set("size", &text).expect("a size");
        assert_eq!(options.get("size"), Some(text));
        assert_eq!(Options::with_size(size), Some(options));
    }
    for bad in [
        "", "2", "27", "0", "-9", "+9", "09", "9.0", " 9", "nine", "265", "none",
    ] {
        assert_eq!(
            options.set("size", bad),
            Err(OptionError::Value {
                expected: "a number from 3 to 26".to_owned()
            })
        );
    }
    assert_eq!(options.get("size").as_deref(), Some("26"));
    assert_eq!(options.get("colour"), None);
    assert_eq!(
        options.set("colour", "9"),
        Err(OptionError::Unknown {
            known: vec!["size"]
        })
    );
    assert_eq!(
        Setup::new(Game::Cachex).public_options(),
        [("size", "9".to_owned())]
    );
}

#[test]
fn each_broken_rule_in_words() {
    let refusal = |size, actions, token: &str| {
        let mut state = after(size, actions);
        match act(&mut state, token) {
            Err(Refusal::Illegal { rule }) => rule,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(
        refusal(9, "d2", "d2"),
        "d2 is taken by a red stone: a stone goes on an empty cell"
    );
    assert_eq!(
        refusal(9, "d2 steal", "b4"),
        "b4 is taken by a blue stone: a stone goes on an empty cell"
    );
    assert_eq!(
        refusal(5, "", "f2"),
        "f2 is off the board: at size 5 columns are a to e and rows 1 to 5"
    );
    assert_eq!(
        refusal(26, "", "f27"),
        "it names a square that is not on the board"
    );
    assert_eq!(
        refusal(9, "", "e5"),
        "e5 is the centre of the board: the first stone of a game may not go there"
    );
    assert_eq!(
        refusal(9, "", "steal"),
        "steal is for blue's first action only, on turn 2: this is turn 1"
    );
    assert_eq!(
        refusal(9, "a1 a2 a3", "steal"),
        "steal is for blue's first action only, on turn 2: this is turn 4"
    );
    assert_eq!(
        refusal(3, "a1 b1 a2 b2 a3", "c3"),
        "the game is over: no action follows"
    );
    let mut state = start(9);
    assert_eq!(
        act(&mut state, "e"),
        Err(Refusal::Unparsable {
            expected: "a cell as column letter and row number, like d2, or steal"
        })
    );
}

#[test]
fn the_centre_is_forbidden_to_the_first_stone_of_odd_boards_alone() {
    assert_eq!(legal(&start(9)).len(), 80);
    assert_eq!(legal(&start(8)).len(), 64);
    let mut state = after(9, "a1");
    assert_eq!(legal(&state).len(), 81);
    state
        .apply("e5".parse().expect("a cell"))
        .expect("free from the second turn on");
}

#[test]
fn a_stolen_stone_is_mirrored_and_changes_colour() {
    let state = after(5, "d2 steal");
    assert_eq!(
        state.stones().stone(Cell::new(3, 1).expect("b4")),
        Some(Seat::Second)
    );
    assert_eq!((state.stones().count(), state.ply()), (1, 2));
    assert_eq!(after(5, "b2 steal").board(), "......b..................");
}

#[test]
fn captures_become_public_in_order() {
    let mut state = after(5, "b3 c3 a1 b4 e1 a2");
    // b3's neighbours c3 and b4 touch; the cell beyond both is c4.
    assert_eq!(act(&mut state, "c4"), Ok("c3 b4".to_owned()));
    assert_eq!(
        state.board(),
        ["r...r", "b....", ".r...", "..r..", "....."].concat()
    );
}

#[test]
fn the_picture_has_row_one_at_the_bottom() {
    assert_eq!(
        after(5, "d2 steal c3").picture(),
        "     5  . . . . .\n    4  . b . . .\n   3  . . r . .\n  2  . . . . .\n 1  . . . . .\n   a b c d e"
    );
    let large = start(26).picture();
    assert!(large.starts_with(&format!("{}26 {}", " ".repeat(25), " .".repeat(26))));
}

#[test]
fn positions_that_cannot_be_set_up_are_refused() {
    let options = Options::with_size(3).expect("a size");
    let refused = |turns, board| State::from_parts(options, turns, board).expect_err("refused");
    assert_eq!(refused(2, "........"), PartsError::Length { cells: 9 });
    assert_eq!(refused(2, "r.......x"), PartsError::Letter('x'));
    assert_eq!(refused(343, "rb......."), PartsError::Turns);
    for (turns, board) in [
        (0, "r........"),
        (1, "........."),
        (1, "b........"),
        (1, "rr......."),
        (1, "....r...."),
    ] {
        assert_eq!(refused(turns, board), PartsError::Opening);
    }
    let last = State::from_parts(options, 342, "rb.......").expect("a position");
    let mut state = last.clone();
    state
        .apply(Action::Place(Cell::new(1, 1).expect("b2")))
        .expect("legal");
    assert_eq!(
        state.outcome(),
        Some(Outcome {
            winner: None,
            reason: Reason::MaxTurns
        })
    );
    assert_eq!(state.check(Action::Steal), Err(Rule::Over));
    let full = State::from_parts(options, 9, "rrrrrrrrr").expect("a position");
    assert_eq!(full.random_action(&mut Stream::new(1, 1)), None);
    assert_eq!(legal(&full), []);
}
