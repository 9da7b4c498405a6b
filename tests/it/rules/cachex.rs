//! Cachex: what is its own.

use std::collections::BTreeMap;

use referee::game::cachex::{Action, Cell, Options, Public, Rule, State};
use referee::game::{Chance, Game, Outcome, ParseError, Position, Reason, Seat, Setup, View};
use referee::random::Stream;
use serde_json::Value;

use super::recorded::{
    Compared, Ply, attempt, course_end, course_ply, list, plain, played, replay, rows, text,
};
use super::{Rules, legal, setup};

impl Rules for State {
    const GAME: Game = Game::Cachex;
    const SETTINGS: &'static [&'static [(&'static str, &'static str)]] = &[
        &[("size", "3")],
        &[("size", "4")],
        &[("size", "5")],
        &[("size", "8")],
        &[("size", "9")],
        &[("size", "26")],
    ];
    const GAMES: u64 = 4;
    const ONE_IN: u32 = 25;
    const POSITIONS: usize = 100;
    const NEARLY: &'static str = "[a-e]?[-0-9a-f+ ]{0,6}|ste?al ?|.{0,8}";
    const REASONS: &'static [Reason] = &[Reason::Connection, Reason::Repetition, Reason::MaxTurns];
    const PAGE: &'static str = include_str!("../../../docs/rules/cachex.md");
    const CASES: &'static str = include_str!("../../rules/cachex.cases");
    const PERFT: (&'static str, usize) = (include_str!("../../perft/cachex.perft"), 76);

    fn start(setup: &Setup, _chance: &mut dyn Chance) -> Self {
        State::new(options(setup))
    }

    fn set_up(setup: &Setup, board: &str, more: &BTreeMap<&str, &str>) -> Result<Self, String> {
        let turns = more
            .get("turns")
            .map_or(2, |turns| turns.parse().expect("a number"));
        State::from_parts(options(setup), turns, &board.replace('/', ""))
            .map_err(|error| error.to_string())
    }

    fn every_action() -> Vec<Action> {
        let cells = (0..26).flat_map(|r| (0..26).filter_map(move |q| Cell::new(r, q)));
        cells.map(Action::Place).chain([Action::Steal]).collect()
    }

    fn random_action(&self, chance: &mut dyn Chance) -> Option<Action> {
        self.random_action(chance)
    }

    fn fact(&self, name: &str) -> String {
        match name {
            "stones" => self.stones().count().to_string(),
            "occurrences" => self.occurrences().to_string(),
            _ => unreachable!("an unknown fact {name}"),
        }
    }

    fn inspect(&self, _start: &Self, played: &[Action]) {
        let board = self.board();
        let stones = board.chars().filter(|letter| *letter != '.').count();
        assert_eq!(usize::from(self.stones().count()), stones);
        assert_eq!(usize::from(self.stones().turns()), played.len());
    }
}

fn options(setup: &Setup) -> Options {
    match setup {
        Setup::Cachex(options) => *options,
        _ => unreachable!("another game"),
    }
}

fn start(size: u8) -> State {
    State::new(Options::with_size(size).expect("a size"))
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

    const AROUND: [(i32, i32); 6] = [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)];

    fn turn(&mut self, action: Action) -> Option<Outcome> {
        let mover = Seat::BOTH[(self.past.len() - 1) % 2];
        match action {
            Action::Steal => {
                let stone = self.cells.iter().position(Option::is_some);
                let (from, size) = (stone.expect("a stone"), self.size as usize);
                self.cells[from] = None;
                self.cells[from % size * size + from / size] = Some(mover);
            }
            Action::Place(cell) => {
                let new = (i32::from(cell.r()), i32::from(cell.q()));
                let at = self.index(new).expect("on the board");
                self.cells[at] = Some(mover);
                for cell in self.lost(new, mover) {
                    let at = self.index(cell).expect("on the board");
                    self.cells[at] = None;
                }
            }
        }
        self.past.push(self.cells.clone());
        let end = |winner, reason| Some(Outcome { winner, reason });
        if self.connects(mover) {
            end(Some(mover), Reason::Connection)
        } else if self.occurrences() == 7 {
            end(None, Reason::Repetition)
        } else if self.past.len() == 344 {
            end(None, Reason::MaxTurns)
        } else {
            None
        }
    }

    /// Each diamond: a cell, two neighbours that touch, and the cell beyond them.
    fn lost(&self, new: (i32, i32), mover: Seat) -> Vec<(i32, i32)> {
        let mut lost = Vec::new();
        for r in new.0 - 2..=new.0 + 2 {
            for q in new.1 - 2..=new.1 + 2 {
                for i in 0..6 {
                    let (a, b) = (Self::AROUND[i], Self::AROUND[(i + 1) % 6]);
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
        lost
    }

    fn connects(&self, mover: Seat) -> bool {
        let side = |cell: (i32, i32)| if mover == Seat::First { cell.0 } else { cell.1 };
        let all = (0..self.size).flat_map(|r| (0..self.size).map(move |q| (r, q)));
        let starts = all.filter(|&cell| side(cell) == 0 && self.is(cell, mover));
        let mut chain: Vec<_> = starts.collect();
        let mut next = 0;
        while let Some(&(r, q)) = chain.get(next) {
            next += 1;
            for (down, right) in Self::AROUND {
                let cell = (r + down, q + right);
                if self.is(cell, mover) && !chain.contains(&cell) {
                    chain.push(cell);
                }
            }
        }
        chain.iter().any(|&cell| side(cell) == self.size - 1)
    }

    fn occurrences(&self) -> usize {
        let same = self.past.iter().filter(|&past| *past == self.cells);
        same.count()
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
    let mut ends = BTreeMap::new();
    for game in 0..150 {
        let mut chance = Stream::new(11, game);
        let size = 3 + (game % 8) as u8;
        let (mut state, mut plain) = (start(size), Plain::new(size));
        while state.to_act().is_some() {
            let (mut captures, mut quiet) = (Vec::new(), Vec::new());
            for action in legal(&state) {
                let mut next = state.clone();
                let public = next.apply(action).expect("legal");
                let won = next.outcome().is_some_and(|end| end.winner.is_some());
                match (won, public.is_empty()) {
                    (true, _) => {}
                    (false, true) => quiet.push(action),
                    (false, false) => captures.push(action),
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
            assert_eq!(plain.occurrences() as u32, state.occurrences());
        }
        let reason = state.outcome().expect("over").reason.name();
        *ends.entry(reason).or_insert(0) += 1;
    }
    assert_eq!(ends.len(), 3, "{ends:?}");
    assert!(ends.values().all(|&games| games >= 20), "{ends:?}");
}

#[test]
fn captured_cells_are_listed() {
    let public: Public = "d2 d3".parse().expect("cells");
    assert!(!public.is_empty() && Public::default().is_empty());
    let cells: Vec<_> = public.iter().map(|cell| (cell.r(), cell.q())).collect();
    assert_eq!(cells, [(1, 3), (2, 3)]);
}

#[test]
fn a_size_is_an_option() {
    for size in 3..=26 {
        let setup = setup::<State>(&[("size", &size.to_string())]);
        assert_eq!(Options::with_size(size), Some(options(&setup)));
    }
}

#[test]
fn the_largest_picture_is_straight() {
    let large = start(26).picture();
    assert!(large.starts_with(&format!("{}26 {}", " ".repeat(25), " .".repeat(26))));
}

/// The recorder's `r,q` or `STEAL` in our notation; `None` where no column letter exists for it.
fn token(recorded: &str) -> Option<String> {
    if recorded == "STEAL" {
        return Some("steal".to_owned());
    }
    let (r, q) = recorded.split_once(',').expect("r,q");
    let (r, q): (i128, i128) = (r.parse().expect("r"), q.parse().expect("q"));
    let column = u8::try_from(q).ok().filter(|&q| q < 26)?;
    Some(format!("{}{}", char::from(b'a' + column), r + 1))
}

fn known_token(recorded: &Value) -> String {
    token(text(recorded)).expect("a column letter")
}

fn cells(recorded: &Value) -> String {
    let cells: Vec<_> = list(recorded).iter().map(known_token).collect();
    cells.join(" ")
}

fn recorded_setup(row: &Value) -> Setup {
    setup::<State>(&[("size", &row["n"].to_string())])
}

fn recorded_ply(row: &Value, index: usize) -> Ply {
    let (before, mut after) = course_ply(row, index, ["red", "blue"]);
    if let Some(times) = row.get("occurrences") {
        let time = list(times).iter().position(|turn| *turn == index + 1);
        after.extend(time.map(|time| ("occurrences", (time + 1).to_string())));
    }
    let captures = row.get("captures");
    Ply {
        token: known_token(&row["actions"][index]),
        before,
        public: captures.map(|captures| cells(&captures[index])),
        after,
    }
}

/// Plays a file of games; how many [boards, captures, legal counts] were compared besides the hash
/// that each ply has.
fn games(file: &str, expected: usize) -> [usize; 3] {
    let mut compared = Compared::new();
    for row in rows(file, expected) {
        let plies = list(&row["actions"]).len();
        let state = State::new(options(&recorded_setup(&row)));
        let ply = |_: &State, index| recorded_ply(&row, index);
        replay(state, plies, ply, &course_end(&row), &mut compared);
    }
    ["board", "public", "legal-count"].map(|name| compared.get(name).copied().unwrap_or(0))
}

#[test]
fn recorded_games() {
    assert_eq!(games("cachex_random", 260), [3091, 28980, 0]);
    assert_eq!(games("cachex_policy", 80), [909, 6120, 0]);
    assert_eq!(games("cachex_legal", 39), [4433, 4433, 4433]);
    assert_eq!(games("cachex_draw", 20), [764, 2907, 0]);
    assert_eq!(games("cachex_repetition", 30), [3750, 3750, 0]);
    assert_eq!(games("cachex_repetition_mixed", 6), [406, 0, 0]);
}

#[test]
fn recorded_turns() {
    for row in rows("cachex_micro", 1200) {
        let turns = plain(&row["turns"]);
        let more = BTreeMap::from([("turns", turns.as_str())]);
        let state = State::set_up(&recorded_setup(&row), text(&row["board"]), &more);
        let ply = |_: &State, _| Ply {
            token: known_token(&row["action"]),
            before: vec![
                ("board", plain(&row["board"])),
                ("to-act", plain(&row["to_move"])),
            ],
            public: Some(cells(&row["captures"])),
            after: vec![
                ("board", plain(&row["after"])),
                ("winner", plain(&row["winner"])),
            ],
        };
        replay(
            state.expect("a position"),
            1,
            ply,
            &vec![],
            &mut Compared::new(),
        );
    }
}

/// What the recorder says of an action that breaks a rule of ours.
fn recorded_words(rule: Option<&Rule>) -> &'static str {
    match rule {
        Some(Rule::Over) => unreachable!("no prefix ends a game"),
        Some(Rule::OffBoard { .. }) | None => "outside the bounds",
        Some(Rule::Taken { .. }) => "already occupied",
        Some(Rule::Centre { .. }) => "center cell",
        Some(Rule::Steal { .. }) => "STEAL action is not currently permitted",
    }
}

#[test]
fn recorded_verdicts() {
    let mut verdicts = Compared::new();
    for row in rows("cachex_illegal", 1500) {
        let wanted = text(&row["attempt"]);
        let is_legal = row["verdict"] == "legal";
        let token = match row["typed"] == true {
            // The bare string was accepted for the steal; all other objects break a rule about
            // Python types that no token of ours can break.
            true if wanted == "'STEAL'" => Ok("steal".to_owned()),
            true => {
                assert_eq!(wanted.parse::<Action>(), Err(ParseError::Malformed));
                Err("not a token")
            }
            false => token(wanted).ok_or("no letter"),
        };
        let verdict = match token {
            Ok(token) => {
                let prefix = list(&row["prefix"]).iter().map(known_token);
                let state = played(State::new(options(&recorded_setup(&row))), prefix);
                let last_board = is_legal.then(|| text(&row["final"]));
                let words =
                    |rule: Option<&Rule>| text(&row["message"]).contains(recorded_words(rule));
                attempt(&state, &token, last_board, words)
            }
            Err(verdict) => {
                assert!(!is_legal, "{row}");
                verdict
            }
        };
        *verdicts.entry(verdict).or_default() += 1;
    }
    let expected = [
        ("illegal", 512),
        ("legal", 235),
        ("no letter", 218),
        ("not a token", 309),
        ("off board", 226),
    ];
    assert_eq!(verdicts, expected.into());
}
