//! `docs/failures.md` against what happens to a bot that fails.

use std::io;
use std::time::Duration;

use referee::bot::{Double, Fault, LateCause, Reply};
use referee::clock::TimeControl;
use referee::game::{ForfeitedBy, GameResult, Seat, Setup, cachex};
use referee::referee::{FaultKind, GameEnd, Participant, Termination, VOID, Void};

use crate::support::pages::Page;
use crate::support::{no_limits, referee, root, watched_game};

/// What a bot replies to a line, given its first word and the number of requests to act so far.
type Conduct<'a> = &'a dyn Fn(&str, usize) -> Reply;

/// Plays a game in which the bots reply like that. An action may take ten seconds.
fn game(setup: &Setup, replies: [Conduct<'_>; 2]) -> Result<GameEnd, Void> {
    timed(Some(Duration::from_secs(10)), setup, replies)
}

fn timed(
    per_move: Option<Duration>,
    setup: &Setup,
    replies: [Conduct<'_>; 2],
) -> Result<GameEnd, Void> {
    let [mut first, mut other] = replies.map(|reply| {
        Participant::new(Double::new(move |told: &[String]| {
            let asked = told.last().expect("a request");
            let acted = told.iter().filter(|line| line.starts_with("act")).count();
            reply(asked.split(' ').next().expect("a word"), acted)
        }))
    });
    let time = TimeControl {
        per_move,
        wall_cap: Duration::from_secs(600),
        ..no_limits()
    };
    watched_game(setup, &time, 0, [&mut first, &mut other], |_, _| ())
}

fn polite(asked: &str) -> Reply {
    let line = match asked {
        "referee" => "bot 1 polite",
        "start" => "ready",
        _ => "d2",
    };
    Reply::Line(line.to_owned(), Duration::ZERO)
}

fn cachex() -> Setup {
    Setup::new(cachex::GAME)
}

/// One of every fault. The match has no default, so a new fault must be added here and to the page.
fn faults() -> Vec<Fault> {
    let seconds = Duration::from_secs;
    let late = |limit| Fault::Late {
        missing: "answer".into(),
        limit,
        waited: limit,
    };
    let all = vec![
        late(seconds(5)),
        late(seconds(600)),
        Fault::Starved {
            limit: seconds(10),
            waited: seconds(50),
            cpu_wait: seconds(42),
        },
        Fault::CpuSpent { used: seconds(5) },
        Fault::Exited {
            how: "exited with code 1".to_owned(),
        },
        Fault::Memory {
            held: 120 << 20,
            limit: 100 << 20,
        },
        Fault::OffTurn {
            used: Duration::from_millis(250),
        },
        Fault::Uncounted,
        Fault::HungUp,
        Fault::Left,
        Fault::OutOfTurn {
            line: "`d2`".to_owned(),
        },
        Fault::MoveUnasked {
            line: "bestmove e2e4".to_owned(),
            rule: "a `go`: one `bestmove` answers one `go`",
        },
        Fault::EngineOption {
            problem: "the engine has no option `Hahs`: did you mean `Hash`?".to_owned(),
        },
        Fault::Refused {
            refused: "`boardsize`: unacceptable size".to_owned(),
        },
        Fault::LineTooLong { limit: 4096 },
        Fault::Flood { limit: 1 << 20 },
        Fault::NotText {
            line: "J\u{fffd}rgen".to_owned(),
            encoding: "Latin-1",
        },
        Fault::NotStarted {
            problem: "Exec format error".to_owned(),
        },
        Fault::NotBuilt {
            problem: "`make` exited with code 2".to_owned(),
        },
        Fault::BrokenOff,
        Fault::Machine(io::Error::other("Too many open files")),
    ];
    let kind = |fault: &Fault| match fault {
        Fault::Late { .. } => 0,
        Fault::CpuSpent { .. } => 1,
        Fault::Exited { .. } => 2,
        Fault::HungUp => 3,
        Fault::OutOfTurn { .. } => 4,
        Fault::LineTooLong { .. } => 5,
        Fault::Flood { .. } => 6,
        Fault::NotText { .. } => 7,
        Fault::NotStarted { .. } => 8,
        Fault::Machine(_) => 9,
        Fault::Left => 10,
        Fault::Memory { .. } => 11,
        Fault::OffTurn { .. } => 12,
        Fault::Starved { .. } => 13,
        Fault::NotBuilt { .. } => 14,
        Fault::BrokenOff => 15,
        Fault::Uncounted => 16,
        Fault::MoveUnasked { .. } => 17,
        Fault::EngineOption { .. } => 18,
        Fault::Refused { .. } => 19,
    };
    for wanted in 0..=19 {
        assert!(all.iter().any(|fault| kind(fault) == wanted), "{wanted}");
    }
    all
}

/// A new fault of this kind, since an error of the machine cannot be cloned.
fn fault(words: &str) -> Fault {
    let mut faults = faults().into_iter();
    faults
        .find(|fault| fault.to_string().starts_with(words))
        .expect(words)
}

#[test]
fn every_termination_is_explained() {
    let documented = Page::read("failures.md").column("Terminations", 0);
    let mut known = Termination::ALL.map(Termination::name).to_vec();
    known.push(VOID);
    assert_eq!(documented, known);
}

#[test]
fn every_fault_ends_a_game_as_documented() {
    let rows = Page::read("failures.md").table("Faults");
    assert_eq!(rows.len(), faults().len());
    for fault in faults() {
        let said = fault.to_string();
        let is_explained = rows.iter().any(|row| said.starts_with(&row[1]));
        assert!(is_explained, "`{said}` is not explained");
    }
    for row in rows {
        let [name, words, during, before] = &row[..] else {
            panic!("{row:?}");
        };
        for (at, wanted) in [("act", during), ("referee", before), ("start", before)] {
            if wanted == "-" {
                continue;
            }
            let failing = |asked: &str, _| match asked == at {
                true => Reply::Fault(fault(words)),
                false => polite(asked),
            };
            // The cap on wall time counts only where nothing else limits an action.
            let per_move = (during != "stall").then_some(Duration::from_secs(10));
            let good = |asked: &str, _| polite(asked);
            let end = match timed(per_move, &cachex(), [&failing, &good]) {
                Ok(end) => end,
                Err(void) => {
                    assert_eq!(wanted, "void", "{words} at {at}");
                    assert!(void.to_string().contains(words.as_str()), "{void}");
                    continue;
                }
            };
            assert_eq!(end.termination.name(), wanted, "{words} at {at}");
            assert_has!(end.detail(cachex::GAME), words.as_str());
            let kind = end.fault(Seat::FIRST).expect("a fault").kind;
            assert_eq!(kind.name(), name, "{words}");
            assert!(kind.fits(end.termination), "{words}");
            assert_eq!(end.forfeited_by(), ForfeitedBy::Of(Seat::FIRST), "{words}");
            assert_eq!(end.result, GameResult::Won(Seat::SECOND), "{words}");
        }
    }
}

#[test]
fn every_bad_answer_ends_a_game_as_documented() {
    // Too much for the page: another version, and a cell off the board.
    let version =
        "answered `bot 2 alice` to the handshake: expected version 1 of the protocol after `bot`";
    let off_board = "played `z9` at ply 1: z9 is off the board: at size 9 columns are a to i and rows 1 to 9; \
                     legal, the closest first: i9 i8 h9 i7 h8 and 75 more; board: ........./........./........./\
                     ........./........./........./........./........./.........";
    let unlisted = [
        format!("referee | bot 2 alice | 0 s | bad_hello | {version} | handshake"),
        format!("act | z9 | 0 s | illegal | {off_board} | illegal_action"),
    ];
    let mut rows = Page::read("failures.md").table("Answers");
    rows.extend(unlisted.map(|row| row.split(" | ").map(str::to_owned).collect()));
    for row in rows {
        let [at, answer, after, fault, words, termination] = &row[..] else {
            panic!("{row:?}");
        };
        let after = humantime::parse_duration(&after.replace(' ', "")).expect("a time");
        let failing = |asked: &str, _| match asked == at {
            true => Reply::Line(answer.clone(), after),
            false => polite(asked),
        };
        let end = game(&cachex(), [&failing, &|asked, _| polite(asked)]);
        let end = end.expect("a game that counts");
        assert_eq!(end.termination.name(), termination, "{answer}");
        assert_eq!(&end.detail(cachex::GAME), words);
        assert_eq!(end.fault(Seat::FIRST).expect("a fault").kind.name(), fault);
    }
}

#[test]
fn every_kind_of_fault_is_explained() {
    let page = Page::read("failures.md");
    let text = ["Faults", "Answers"]
        .map(|heading| page.section(heading))
        .concat();
    for kind in FaultKind::ALL {
        assert!(text.contains(&format!("`{}`", kind.name())), "{kind:?}");
        assert_eq!(FaultKind::from_name(kind.name()), Some(kind));
        assert!(kind.fits(kind.termination()), "{kind:?}");
    }
    for cause in LateCause::ALL {
        assert!(text.contains(&format!("`{}`", cause.name())), "{cause:?}");
    }
}

/// The codes of the program, of its help and of the page are the same.
#[test]
fn every_exit_code_is_explained() {
    let source = root().join("src/cli/exit.rs");
    let source = std::fs::read_to_string(source).expect("the source");
    let codes: Vec<String> = source
        .lines()
        .filter_map(|line| line.trim().strip_suffix(',')?.split_once(" = "))
        .map(|(_, code)| code.to_owned())
        .collect();
    assert!(codes.len() > 2, "{codes:?}");
    assert_eq!(Page::read("failures.md").column("Exit codes", 0), codes);
    let help = referee("--help").ok();
    let (_, list) = help.split_once("Exit codes: ").expect("a list of codes");
    let list = list.split("\n\n").next().expect("a paragraph");
    let listed: Vec<&str> = list
        .split(';')
        .filter_map(|item| item.split_whitespace().next())
        .collect();
    assert_eq!(listed, codes);
}
