//! Hand-made positions as text. A blank line ends a case; a line that begins with spaces goes on with
//! the one before.
//!
//! ```text
//! set KEY VALUE             an option of the game
//! position BOARD KEY=VALUE  a position set up by hand; `=> WORDS`: it is refused with these words
//! play TOKEN TOKEN          legal actions; `=> PUBLIC`: what becomes public by the only one
//! repeat PLIES TOKEN TOKEN  so many plies of these in turn, in a game that goes on before each
//! refuse TOKEN => WORDS     the token is not played
//! observe TOKEN PUBLIC      a view is told so, or with `=> WORDS` says why that cannot be
//! legal TOKEN TOKEN         all legal actions in order, or how many there are
//! board ROWS                the board as both seats see it, the upper row first
//! picture                   the board drawn for people: the following lines after `|`
//! is NAME VALUE             a fact: see `fact`
//! perft COUNT COUNT         the sequences of one action, of two …; COUNT:PUBLIC:OVER also counts the
//!                           tokens made public by the last action, and the games that are over
//! deep COUNT                the counts after these, where there is time for them
//!
//! options KEY=VALUE         all options with their values; `-` is none, KEY:VALUE is never told to a bot
//! accepts KEY VALUES        these values, and the next, are JSON
//! rejects KEY VALUES => WORDS
//! malformed-actions, off-board-actions, results, malformed-results, off-board-results TEXTS
//! ```

use std::collections::BTreeMap;

use referee::game::{AnyPosition, News, ParseError, Seat, Setup, View};
use referee::random::Stream;

use super::{Action, Public, Rules, exhaust, legal, setup, view};

/// Runs every case; how many counts of sequences were compared.
pub fn run<P: Rules>(table: &str) -> usize {
    run_to::<P>(table, false)
}

/// Runs every case, and compares the counts that take long.
pub fn run_deep<P: Rules>(table: &str) -> usize {
    run_to::<P>(table, true)
}

fn run_to<P: Rules>(table: &str, is_deep: bool) -> usize {
    let space = P::every_action();
    let (mut cases, mut counts) = (0, 0);
    for text in table.split("\n\n") {
        let mut case = Case::<P> {
            setup: setup::<P>(&[]),
            state: None,
            told: None,
            depth: 0,
            is_deep,
            counts: 0,
        };
        for line in lines(text) {
            let _shown = Shown(&line);
            let (verb, rest) = line.split_once([' ', '\n']).unwrap_or((&line, ""));
            case.step(verb, rest);
        }
        let _shown = Shown(text);
        if let Some(state) = case.state {
            exhaust(&state, &space);
            cases += 1;
        }
        counts += case.counts;
    }
    assert!(cases > 10, "{cases}");
    counts
}

/// The lines without comments, each joined with those that go on with it.
fn lines(text: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        match (line.get(..1), lines.last_mut()) {
            (Some(" "), Some(last)) => *last = format!("{last} {}", line.trim()),
            (Some("|"), Some(last)) => *last = format!("{last}\n{}", &line[1..]),
            (Some(_), _) => lines.push(line.to_owned()),
            (None, _) => {}
        }
    }
    lines
}

/// Says where a test failed.
struct Shown<'a>(&'a str);

impl Drop for Shown<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("in the case:\n{}", self.0);
        }
    }
}

struct Case<P: Rules> {
    setup: Setup,
    state: Option<P>,
    told: Option<P::View>,
    depth: u32,
    is_deep: bool,
    counts: usize,
}

fn texts(json: &str) -> Vec<String> {
    serde_json::from_str(json).expect("a list of strings")
}

fn parse<T: std::str::FromStr<Err: std::fmt::Debug>>(text: &str) -> T {
    text.parse().expect(text)
}

impl<P: Rules> Case<P> {
    fn state(&mut self) -> &mut P {
        let start = || P::start(&self.setup, &mut Stream::new(0, 0));
        self.state.get_or_insert_with(start)
    }

    fn step(&mut self, verb: &str, rest: &str) {
        let (left, right) = match rest.split_once("=>") {
            Some((left, right)) => (left.trim(), Some(right.trim())),
            None => (rest, None),
        };
        let (key, value) = left.split_once(' ').unwrap_or((left, ""));
        let words = left.split_whitespace();
        match verb {
            "set" => assert_eq!(self.setup.set(key, value), Ok(())),
            "position" => self.set_up(key, value, right),
            "play" => words.for_each(|token| self.play(token, right)),
            "repeat" => {
                let tokens = value.split(' ').cycle();
                for token in tokens.take(parse(key)) {
                    assert_eq!(view(self.state()).outcome(), None);
                    self.play(token, None);
                }
            }
            "refuse" => self.refuse(left, right.expect("words")),
            "observe" => self.observe(key, value, right),
            "legal" => match left.parse::<usize>() {
                Ok(count) => assert_eq!(legal(self.state()).len(), count),
                Err(_) => {
                    let actions: Vec<Action<P>> = words.map(parse).collect();
                    assert_eq!(legal(self.state()), actions);
                }
            },
            "board" => {
                for seat in Seat::BOTH {
                    let drawing = self.state().drawing(Some(seat)).expect("built in");
                    assert_eq!(
                        drawing.board.map(|board| board.rows()).as_deref(),
                        Some(left)
                    );
                }
            }
            "picture" => assert_eq!(
                format!("\n{}", view(self.state()).drawing()),
                format!("\n{rest}\n")
            ),
            "is" => assert_eq!(fact(self.state(), key), value, "{key}"),
            "deep" if !self.is_deep => {}
            "perft" | "deep" => {
                for expected in words {
                    self.depth += 1;
                    let (depth, all) = (self.depth, expected.contains(':'));
                    assert_eq!(sequences(self.state(), depth, all), expected, "{depth}");
                    self.counts += 1;
                }
            }
            _ => self.about_text(verb, key, value, left, right),
        }
    }

    /// What concerns options and notation alone.
    fn about_text(&mut self, verb: &str, key: &str, value: &str, left: &str, right: Option<&str>) {
        let malformed = ParseError::Malformed;
        match verb {
            "options" => self.options(left),
            "accepts" => {
                for value in texts(value) {
                    assert_eq!(self.setup.set(key, &value), Ok(()));
                    assert_eq!(self.setup.get(key), Some(value));
                    // Every option can be set to what it is.
                    let mut again = self.setup.clone();
                    for doc in P::GAME.options() {
                        let known = self.setup.get(doc.key);
                        let set = known.as_ref().map(|value| again.set(doc.key, value));
                        assert!(set.is_none_or(|set| set.is_ok()));
                        assert_eq!(again.get(doc.key), known);
                    }
                }
            }
            "rejects" => {
                for value in texts(value) {
                    let before = self.setup.clone();
                    let error = self.setup.set(key, &value).expect_err(&value);
                    assert_eq!(Some(error.to_string().as_str()), right);
                    assert_eq!(self.setup, before);
                }
            }
            "malformed-actions" => unread::<Action<P>>(left, malformed),
            "off-board-actions" => unread::<Action<P>>(left, ParseError::OffBoard),
            "malformed-results" => unread::<Public<P>>(left, malformed),
            "off-board-results" => unread::<Public<P>>(left, ParseError::OffBoard),
            "results" => {
                for text in texts(left) {
                    assert_eq!(parse::<Public<P>>(&text).to_string(), text);
                }
            }
            _ => unreachable!("an unknown step `{verb}`"),
        }
    }

    fn options(&self, list: &str) {
        let mut public = Vec::new();
        let docs = P::GAME.options();
        let words: Vec<&str> = list.split_whitespace().collect();
        assert_eq!(words.len(), docs.len());
        for (word, doc) in words.into_iter().zip(docs) {
            let (key, value) = word.split_once(['=', ':']).expect("a key and a value");
            let value = Some(value.to_owned()).filter(|value| value != "-");
            assert_eq!((doc.key, self.setup.get(key)), (key, value.clone()));
            let known = value.filter(|_| word.contains('='));
            public.extend(known.map(|value| (doc.key, value)));
        }
        assert_eq!(self.setup.public_options(), public);
        assert_eq!(self.setup.get("nonsense"), None);
    }

    fn set_up(&mut self, board: &str, more: &str, refused: Option<&str>) {
        let more = more.split_whitespace();
        let more: BTreeMap<&str, &str> = more.filter_map(|word| word.split_once('=')).collect();
        match (P::set_up(&self.setup, board, &more), refused) {
            (Ok(state), None) => self.state = Some(state),
            (Ok(_), Some(words)) => unreachable!("not refused: {words}"),
            (Err(error), refused) => assert_eq!(Some(error.as_str()), refused),
        }
    }

    fn play(&mut self, token: &str, public: Option<&str>) {
        let mut news = News::default();
        assert_eq!(self.state().act(token, &mut news), Ok(()), "{token}");
        let text = Seat::BOTH.map(|seat| news.public(seat)).concat();
        assert!(public.is_none_or(|public| public == text), "`{text}`");
    }

    fn refuse(&mut self, token: &str, words: &str) {
        let before = self.state().clone();
        let mut news = News::default();
        let refusal = self.state().act(token, &mut news).expect_err(token);
        assert_eq!(refusal.to_string(), words);
        assert!(news == News::default() && *self.state() == before);
    }

    fn observe(&mut self, token: &str, public: &str, refused: Option<&str>) {
        let now = view(self.state()).clone();
        let told = self.told.get_or_insert(now);
        let before = told.clone();
        let observed = told.observe(parse(token), parse(public));
        let words = observed.as_ref().err().map(ToString::to_string);
        assert_eq!(words.as_deref(), refused);
        assert_eq!(observed.is_err(), *told == before);
    }
}

fn unread<T>(json: &str, expected: ParseError)
where
    T: std::str::FromStr<Err = ParseError> + PartialEq + std::fmt::Debug,
{
    for text in texts(json) {
        assert_eq!(text.parse::<T>(), Err(expected), "{text:?}");
    }
}

/// Something about a position, as text; `-` is none.
pub fn fact<P: Rules>(state: &P, name: &str) -> String {
    let seen = view(state);
    let seat = |seat: Seat| P::GAME.seat_name(seat);
    let or_none = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
    let winner = |winner: Option<Seat>| winner.map_or("draw", seat);
    match name {
        "ply" => seen.ply().to_string(),
        "to-act" => seen
            .to_act()
            .map_or("-", |side| seat(side.into()))
            .to_owned(),
        "over" => or_none(
            seen.outcome()
                .map(|end| format!("{} {}", end.reason, winner(end.winner))),
        ),
        "winner" => seen
            .outcome()
            .map_or("-", |end| winner(end.winner))
            .to_owned(),
        "board" => seen.board(),
        "revealed" => state.revealed().letters().to_owned(),
        "fnv" => fnv(&seen.board()).to_string(),
        "score" => or_none(
            seen.rules_points()
                .map(|[one, other]| format!("{one} {other}")),
        ),
        "legal" => sorted(legal(state).iter().map(ToString::to_string)),
        "legal-count" => legal(state).len().to_string(),
        _ => state.fact(name),
    }
}

pub fn sorted(texts: impl Iterator<Item = String>) -> String {
    let mut texts: Vec<String> = texts.collect();
    texts.sort_unstable();
    texts.join(" ")
}

fn fnv(text: &str) -> u32 {
    text.bytes().fold(0x811c_9dc5, |hash, byte| {
        (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
    })
}

/// How many sequences of legal actions there are, and if `all` of the rest is wanted, what they did.
fn sequences<P: Rules>(state: &P, depth: u32, all: bool) -> String {
    let [count, public, over] = perft(state, depth, all);
    match all {
        true => format!("{count}:{public}:{over}"),
        false => count.to_string(),
    }
}

fn perft<P: Rules>(state: &P, depth: u32, all: bool) -> [usize; 3] {
    let actions = legal(state);
    if depth == 1 && !all {
        return [actions.len(), 0, 0];
    }
    let mut total = [0; 3];
    for action in actions {
        let mut next = state.clone();
        let public = next.apply(action).expect("legal").to_string();
        let counts = match depth {
            1 => [
                1,
                public.split_whitespace().count(),
                usize::from(view(&next).outcome().is_some()),
            ],
            _ => perft(&next, depth - 1, all),
        };
        for (total, count) in total.iter_mut().zip(counts) {
            *total += count;
        }
    }
    total
}
