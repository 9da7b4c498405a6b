//! What is written is read back the same, for any content.

use std::num::NonZeroU32;

use std::path::Path;
use std::time::Duration;

use crate::support::{host, read_games};
use proptest::prelude::*;
use referee::bot::LateCause;
use referee::clock::Spent;
use referee::config::Plan;
use referee::game::{BUILT_IN, ForfeitedBy, GameResult, RulesPoints, Seat, cachex};
use referee::protocol::{Hello, Millis, Start, TimeTerms, ToBot};
use referee::referee::{FaultKind, GameEnd, PlayerFault, Termination};
use referee::runs::{Changes, FileDigests, GameRow, GameStart, Run, RunFolder};
use referee::text::visible;

const TOKEN: &str = "[!-~à-ž]{1,12}";

fn millis() -> impl Strategy<Value = Millis> {
    any::<Option<u64>>().prop_map(Millis)
}

/// A text that a screen shows as it is.
fn shown() -> impl Strategy<Value = String> {
    "[^\\pC\\p{Zl}\\p{Zp}]{0,80}".prop_map(|text| visible(&text))
}

fn survives(message: &ToBot<'_>) {
    let line = message.to_string();
    assert!(!line.contains(['\n', '\r']), "{line:?}");
    assert_eq!(ToBot::parse(&line).as_ref(), Ok(message), "{line:?}");
}

proptest! {
    #![proptest_config(crate::support::properties::cases(256))]

    #[test]
    fn a_start(
        game in TOKEN, seat in TOKEN, seed: u64, measure in TOKEN,
        per_game in millis(), increment in millis(), per_move in millis(), seats in 2..9_usize,
        period: Option<NonZeroU32>,
        options in prop::collection::vec(("[a-z-]{1,8}-option", "[!-~]{0,8}"), 0..4),
    ) {
        survives(&ToBot::Start(Start {
            game: &game,
            seat: &seat,
            seed,
            seats,
            time: TimeTerms { measure: &measure, per_game, increment, per_move, period },
            options: options.iter().map(|(key, value)| (key.as_str(), value.as_str())).collect(),
        }));
    }

    #[test]
    fn news(seat in TOKEN, action in TOKEN, public in "([!-~]{1,4}( [!-~]{1,4}){0,3})?") {
        survives(&ToBot::Did { seat: &seat, action: &action, public: &public });
        survives(&ToBot::See { words: &public });
    }

    #[test]
    fn a_request(mine in millis(), others in prop::collection::vec(millis(), 1..8)) {
        survives(&ToBot::Act { mine, others: others.into() });
    }

    #[test]
    fn an_end(winner in TOKEN, termination in TOKEN, detail in shown()) {
        survives(&ToBot::End { winner: &winner, termination: &termination, detail: &detail });
    }

    #[test]
    fn a_detail_never_leaves_its_line(detail in "(?s).{0,80}") {
        let line = ToBot::End { winner: "red", termination: "crash", detail: &detail }.to_string();
        prop_assert!(!line.contains(char::is_control), "{line:?}");
    }

    #[test]
    fn a_hello(name in "[!-~à-ž]{1,64}", eager: bool, tunes: bool) {
        let hello = Hello { name, eager, tunes };
        prop_assert_eq!(Hello::parse(&hello.to_string()), Ok(hello));
    }
}

/// A plan of two players that are never started, with `extra` at the end of its configuration.
fn plan(extra: &str) -> Plan {
    let text = format!(
        "[game]\nname = \"cachex\"\n[format]\nkind = \"round-robin\"\ngames-per-pairing = 1\n\
         [[player]]\nname = \"a\"\nshell = \"\"\n[[player]]\nname = \"b\"\nshell = \"\"\n{extra}"
    );
    Plan::parse(&text, Path::new("config.toml"), BUILT_IN).expect("a plan")
}

proptest! {
    #![proptest_config(crate::support::properties::cases(256))]

    #[test]
    fn a_time_is_what_its_unit_says(
        number in 1_u64..1000,
        (unit, ms) in prop::sample::select(&[("ms", 1), ("s", 1000), ("m", 60_000), (" min", 60_000)][..]),
    ) {
        let plan = plan(&format!("[clock]\nper-move = \"{number}{unit}\""));
        prop_assert_eq!(plan.time.per_move, Some(Duration::from_millis(number * ms)));
    }

    #[test]
    fn a_time_as_the_manifest_writes_it_is_read_back(ms in 1_u64..(30 * 24 * 3600 * 1000)) {
        let time = Duration::from_millis(ms);
        let written = humantime::format_duration(time);
        let plan = plan(&format!("[clock]\nper-game = \"{written}\""));
        prop_assert_eq!(plan.time.per_game, Some(time));
    }

    #[test]
    fn a_size_is_what_its_unit_says(
        number in 1_usize..1000,
        (unit, bytes) in prop::sample::select(&[("B", 1), ("KiB", 1 << 10), (" MiB", 1 << 20)][..]),
    ) {
        let plan = plan(&format!("[limits]\nline = \"{number}{unit}\""));
        prop_assert_eq!(plan.limits.line, number * bytes);
    }
}

/// Text with everything that could break a table.
fn hostile() -> impl Strategy<Value = String> {
    prop_oneof![
        "(?s).{0,40}",
        "[\",\n\r;=@+' \t#]{0,12}",
        Just("=HYPERLINK(\"x\")\r\n\"\"".to_owned()),
    ]
}

prop_compose! {
    fn row()(
        id: u64,
        texts in prop::array::uniform4(hostile()),
        (result, forfeited_by) in prop::sample::select(&ENDS[..]),
        termination in prop::sample::select(&Termination::ALL[..]),
        kind in prop::sample::select(&FaultKind::ALL[..]),
        reason in prop::option::of(prop::sample::select(cachex::GAME.reasons().collect::<Vec<_>>())),
        plies: u32,
        times: [u64; 5],
    ) -> GameRow {
        let [options, first, second, detail] = texts;
        let is_named = |first: bool| first || !forfeited_by.includes(Seat::FIRST);
        let fault = |is_at_fault: bool, first, late| is_at_fault.then(|| PlayerFault {
            kind,
            termination: match is_named(first) || termination.is_before_play() {
                true => termination,
                false => kind.termination(),
            },
            detail: detail.clone(),
            late,
        });
        let faults = [
            fault(forfeited_by.includes(Seat::FIRST), true, Some(LateCause::Unended)),
            fault(forfeited_by.includes(Seat::SECOND), false, None),
        ];
        let micros = Duration::from_micros;
        let spent = |wall, cpu| Spent {
            wall: micros(wall),
            cpu: micros(cpu),
            ..Spent::default()
        };
        GameRow {
            id,
            game: cachex::GAME,
            options,
            block: id / 2,
            players: [first + "1", second + "2"].into(),
            end: GameEnd {
                result,
                termination,
                reason,
                rules_points: plies.is_multiple_of(3).then(|| [RulesPoints::ONE, RulesPoints::HALF].into()),
                faults: faults.into(),
                plies,
                spent: [spent(times[1], times[2]), spent(times[3], times[4])].into(),
                left: [None, None].into(),
            },
            actions_digest: "0123456789abcdef".to_owned(),
            answers: "fedcba9876543210".to_owned(),
            date: "2026-01-01T00:00:00Z".to_owned(),
            took: micros(times[0]),
            peak_kib: [Some(times[4]), None].into(),
            files: FileDigests {
                log: "0a".to_owned(),
                stderr: [String::new(), "0b".to_owned()].into(),
            },
            start: GameStart {
                round: (id % 3 > 0).then_some(id),
                opening: "b2 c3".to_owned(),
                seeds: [times[0], times[1]].into(),
            },
            values: None,
        }
    }
}

/// How a game can end, and through whose fault.
const ENDS: [(GameResult, ForfeitedBy); 6] = [
    (GameResult::Won(Seat::FIRST), ForfeitedBy::Nobody),
    (GameResult::Won(Seat::SECOND), ForfeitedBy::Nobody),
    (GameResult::Drawn, ForfeitedBy::Nobody),
    (GameResult::Won(Seat::SECOND), ForfeitedBy::Of(Seat::FIRST)),
    (GameResult::Won(Seat::FIRST), ForfeitedBy::Of(Seat::SECOND)),
    (GameResult::Nobody, ForfeitedBy::BOTH),
];

proptest! {
    #![proptest_config(crate::support::properties::cases(64))]

    #[test]
    fn a_journal(rows in prop::collection::vec(row(), 0..6)) {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("run");
        let plan = plan("");
        let host = host(&plan, 1);
        let mut run = RunFolder::create(&path, &plan, host.stamp()).expect("made");
        for row in &rows {
            run.append(row).expect("written");
        }
        prop_assert_eq!(read_games(&path.join("games.csv")).expect("read"), rows);
    }
}

/// Lines of a configuration, of which some are at the edge of what is accepted, or beyond it.
fn section(
    lines: &'static [(&'static str, &'static [&'static str])],
) -> impl Strategy<Value = String> {
    let line = |(key, values): (&'static str, &'static [&'static str])| {
        prop::option::of(prop::sample::select(values)).prop_map(move |value| {
            value.map_or(String::new(), |value| format!("{key} = {value}\n"))
        })
    };
    lines
        .iter()
        .map(|it| line(*it))
        .collect::<Vec<_>>()
        .prop_map(|lines| lines.concat())
}

const COUNTS: &[&str] = &[
    "1",
    "16",
    "4294967295",
    "9223372036854775807",
    "9223372036854775808",
];
const TIMES: &[&str] = &[
    "\"none\"",
    "\"1ns\"",
    "\"0.25s\"",
    "\"30days\"",
    "\"584542046090years\"",
];
const SIZES: &[&str] = &[
    "\"none\"",
    "\"1B\"",
    "\"3MiB\"",
    "\"1GiB\"",
    "\"1024GiB\"",
    "\"17179869184GiB\"",
];

proptest! {
    #![proptest_config(crate::support::properties::cases(256))]

    /// A manifest that could not be read, or said something else, would end a run for ever.
    #[test]
    fn a_plan_that_is_accepted_is_in_its_manifest_and_goes_on(
        seed in prop::sample::select(&["0", "9223372036854775807", "9223372036854775808", "18446744073709551615"][..]),
        format in prop::sample::select(&[
            "kind = \"round-robin\"\ngames-per-pairing = 4294967294",
            "kind = \"sprt\"\nelo0 = -0.5\nelo1 = 1e-3\nmax-games = 9223372036854775806",
            "kind = \"sprt\"\nelo0 = 0\nelo1 = 5\nmax-games = 18446744073709551614",
            "kind = \"adaptive\"\nmax-games = 9223372036854775806",
        ][..]),
        clock in section(&[("per-move", TIMES), ("per-game", TIMES), ("increment", TIMES), ("margin", TIMES), ("wall-cap", TIMES)]),
        limits in section(&[
            ("memory", SIZES), ("file-size", SIZES), ("scratch", SIZES), ("line", SIZES), ("log", SIZES),
            ("processes", COUNTS), ("open-files", COUNTS), ("cpu", TIMES), ("quit", TIMES), ("build-time", TIMES),
        ]),
        name in "[a-zé한]{1,3}",
        text in "[^\\pC\\p{Z}'\\\\]{1,12}",
    ) {
        let config = format!(
            "name = \"{name}\"\nseed = {seed}\n[game]\nname = \"cachex\"\n[format]\n{format}\n\
             [clock]\n{clock}[limits]\n{limits}\
             [[player]]\nname = \"{name}\"\nshell = '{text}'\nenv = {{ A = '{text}' }}\n\
             [[player]]\nname = \"other\"\ndisplay-name = 'x{text}'\nshell = ''\n"
        );
        let Ok(plan) = Plan::parse(&config, Path::new("config.toml"), BUILT_IN) else {
            return Ok(());
        };
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("run");
        let host = host(&plan, 1);
        drop(RunFolder::create(&path, &plan, host.stamp()).expect("made"));
        let changes = Changes::since(&path, &plan, host.stamp()).expect("read");
        prop_assert_eq!(changes, Changes::default(), "{}", config);
        let run = Run::open(&path, BUILT_IN).expect("a run");
        prop_assert_eq!(&run.manifest().clock, &plan.time);
        prop_assert_eq!(run.format(), &plan.format);
    }
}
