//! Games of built-in rules, and the same games by the rules that `referee rules` serves.

use std::collections::HashMap;
use std::fmt::{self, Display};
use std::path::Path;

use referee::bot::{Confinement, Launch, Supervisor};
use referee::game::{
    ActError, Actors, AnyPosition, Chance, Game, GameResult, NewsLine, Refusal as Rule,
    RulesPoints, Seat, Setup,
};
use referee::random::Stream;
use referee::rules::{Answer, Deadlines, Next, Program, Refusal, Turn};

type Settings<'a> = [(&'a str, &'a str)];

/// Each game, with the settings that its games have in turn; `-` for none.
const SETTINGS: [&str; 4] = [
    "watch-your-back | - | max-plies=90",
    "cachex | - | size=3 | size=5 | size=12",
    "dark-chess | - | reading=common general-takes-soldier=yes | reading=ntu | \
     reading=ntu repetitions=none max-plies=300 | repetitions=2 quiet-plies=none | \
     layout=KGGMMRRNNCCPPPPPkggmmrrnnccppppp",
    "chess | - | variant=fischer-random | start=4k2r/1P5p/8/8/8/8/1p5P/4K2R_b_Kk_-_0_1",
];

/// Tokens that are no action of any game.
const MALFORMED: [&str; 6] = ["", "+1", "a", "D2", "3,4 3,5", "99,99"];

/// Refused actions that are tried at each ply.
const REFUSED: usize = 2;

#[derive(Debug, Default)]
pub struct Equal {
    pub games: u64,
    pub plies: usize,
    pub refusals: usize,
    /// How often games ended for each reason.
    pub ends: HashMap<String, u64>,
}

impl Display for Equal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut ends: Vec<String> = self
            .ends
            .iter()
            .map(|(name, count)| format!("{name} {count}"))
            .collect();
        ends.sort();
        write!(
            f,
            "{} games equal in {} plies and {} refusals; ends: {}",
            self.games,
            self.plies,
            self.refusals,
            ends.join(", ")
        )
    }
}

struct Ply {
    seat: u8,
    legal: Vec<String>,
    refused: Vec<(String, Refusal)>,
    action: String,
    turn: Turn,
}

/// Plays random games by built-in rules, and each by the program that `referee` serves: in one write, and then ply by
/// ply with legal and refused actions.
///
/// # Panics
/// Something differs.
pub fn compare(referee: &Path, game: Game, games: u64) -> Equal {
    let mut program = served(referee, game);
    let mut rows = SETTINGS.iter();
    let of_game = rows.find_map(|row| row.strip_prefix(game.name())?.strip_prefix(" | "));
    let all = of_game.expect("settings for each game");
    let all: Vec<&str> = all.split(" | ").collect();
    let mut equal = Equal::default();
    for seed in 0..games {
        let settings = all[(seed % all.len() as u64) as usize].split(' ');
        let settings: Vec<_> = settings.filter_map(|it| it.split_once('=')).collect();
        let (start, plies) = built_in(game, &settings, seed);
        let mut options = Vec::new();
        for option in &program.hello().options {
            let set = settings.iter().find(|(key, _)| *key == option.key);
            let value = set.map_or(option.default.as_str(), |(_, value)| value);
            options.push((option.key.clone(), value.to_owned()));
        }
        let context = format!("{} {settings:?} seed {seed}", game.name());
        let whole = whole_game(&mut program, seed, &options, &start, &plies, &context);
        let stepwise = ply_by_ply(&mut program, seed, &options, &plies, &context);
        assert_eq!(whole, stepwise, "{context}: digests of the answers");
        equal.games += 1;
        equal.plies += plies.len();
        equal.refusals += plies.iter().map(|ply| ply.refused.len()).sum::<usize>();
        let end = match plies.last().map(|ply| &ply.turn.next) {
            Some(Next::End { reason, .. }) => Some(reason.clone()),
            _ => None,
        };
        *equal.ends.entry(end.expect("an end")).or_default() += 1;
    }
    program.close();
    equal
}

pub fn served(referee: &Path, game: Game) -> Program {
    let launch = Launch {
        program: referee.to_owned(),
        args: vec!["rules".to_owned(), game.name().to_owned()],
        ..Launch::default()
    };
    let supervisor = Supervisor {
        program: referee.to_owned(),
    };
    let (deadlines, free) = (Deadlines::default(), Confinement::default());
    let program = Program::start(&launch, deadlines, &supervisor, &free, None);
    program.expect("a hello")
}

/// A random game: the turn at its start, and its plies.
fn built_in(game: Game, settings: &Settings<'_>, seed: u64) -> (Turn, Vec<Ply>) {
    let mut setup = Setup::new(game);
    for (key, value) in settings {
        setup.set(key, value).expect("an option");
    }
    let mut position = setup.start(&mut Stream::new(seed, 0)).expect("built in");
    let mut chance = Stream::new(seed, 1);
    let start = turn(position.as_ref(), Vec::new());
    let mut plies = Vec::new();
    // Most actions of earlier plies are illegal now.
    let mut tokens: Vec<String> = MALFORMED.map(str::to_owned).to_vec();
    while let Actors::One(seat) = position.to_act() {
        let legal = position.legal(seat).expect("built in");
        let refused = (0..REFUSED)
            .map(|_| tokens[chance.below(tokens.len() as u32) as usize].clone())
            .filter(|token| !legal.contains(token))
            .map(|token| (token.clone(), refusal(position.as_mut(), seat, &token)))
            .collect();
        let action = legal[chance.below(legal.len() as u32) as usize].clone();
        let mut news = referee::game::News::default();
        position.act(&action, &mut news).expect("a legal action");
        let did = NewsLine::Did {
            seat,
            action: action.clone(),
            public: news.public(seat).to_owned(),
        };
        tokens.push(action.clone());
        plies.push(Ply {
            seat: seat.number(),
            legal,
            refused,
            action,
            turn: turn(position.as_ref(), vec![(None, did)]),
        });
    }
    (start, plies)
}

fn refusal(position: &mut dyn AnyPosition, seat: Seat, token: &str) -> Refusal {
    let refused = match position.act(token, &mut referee::game::News::default()) {
        Err(ActError::Refused(rule)) => Some(rule),
        _ => None,
    };
    let (unparsable, words) = match refused.expect("an illegal action") {
        Rule::Illegal { rule } => (false, rule),
        Rule::Unparsable { expected } => (true, expected.into_owned()),
    };
    Refusal {
        unparsable,
        seats: vec![seat.number()],
        words,
    }
}

/// The state of a position by the built-in rules, as a turn of the protocol.
fn turn(position: &dyn AnyPosition, news: Vec<(Option<Seat>, NewsLine)>) -> Turn {
    let to_act = position.to_act().seats().map(|seat| seat.number());
    let next = match position.outcome() {
        None => Next::Act(to_act.collect()),
        Some(outcome) => Next::End {
            points: match outcome.result {
                GameResult::Won(Seat::FIRST) => vec![RulesPoints::ONE, RulesPoints::ZERO],
                GameResult::Won(_) => vec![RulesPoints::ZERO, RulesPoints::ONE],
                _ => vec![RulesPoints::HALF; 2],
            },
            reason: outcome.reason.name().to_owned(),
        },
    };
    Turn {
        news,
        offers: Vec::new(),
        score: position
            .rules_points()
            .map(|score| score.pair().expect("two seats").to_vec()),
        next,
    }
}

/// Sends the game in one write, and compares the turns. Returns the digest of the answers.
fn whole_game(
    program: &mut Program,
    seed: u64,
    options: &[(String, String)],
    start: &Turn,
    plies: &[Ply],
    context: &str,
) -> String {
    let answer = program.new_game(seed, 2, options).expect("an answer");
    assert_eq!(answer, Answer::Turn(start.clone()), "{context}: new");
    for ply in plies {
        program.queue_play(&[(ply.seat, &ply.action)]);
    }
    for (number, ply) in (1..).zip(plies) {
        let answer = program.next_answer(&[ply.seat]).expect("an answer");
        let context = format!("{context}, ply {number}: {}", ply.action);
        assert_eq!(answer, Answer::Turn(ply.turn.clone()), "{context}");
    }
    program.answers()
}

/// Plays the game again, with a look at the legal actions of both seats, and with actions that are refused. Returns the
/// digest of the answers.
fn ply_by_ply(
    program: &mut Program,
    seed: u64,
    options: &[(String, String)],
    plies: &[Ply],
    context: &str,
) -> String {
    program.new_game(seed, 2, options).expect("an answer");
    for (number, ply) in (1..).zip(plies) {
        let context = format!("{context}, ply {number}: {}", ply.action);
        let legal = program.legal(ply.seat).expect("an answer");
        assert_eq!(legal, ply.legal, "{context}");
        assert_eq!(program.legal(1 - ply.seat), Ok(Vec::new()), "{context}");
        for (token, refusal) in &ply.refused {
            let answer = program.play(&[(ply.seat, token)]).expect("an answer");
            let refused = Answer::Refused(refusal.clone());
            assert_eq!(answer, refused, "{context} or `{token}`");
        }
        let answer = program.play(&[(ply.seat, &ply.action)]).expect("an answer");
        assert_eq!(answer, Answer::Turn(ply.turn.clone()), "{context}");
    }
    program.answers()
}
