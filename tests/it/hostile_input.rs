//! No input makes the program panic, and input that is accepted is written back the same. The fuzz
//! targets in `fuzz/` look at the same for longer.

use std::fmt::Display;
use std::path::Path;
use std::str::FromStr;

use crate::rate::rate;
use crate::support::{columns, legal, read_games};
use referee::config::Plan;
use referee::game::{
    BUILT_IN, Chance, News, Seat, Setup, View, cachex, dark_chess, watch_your_back,
};
use referee::protocol::ToBot;
use referee::random::Stream;
use referee::results::{BadRows, ResultRow, ResultsError, read_results};

/// Pieces of text that mean something to some reader.
const PIECES: [&str; 19] = [
    " ", "\n", "\r\n", "\0", "=", ",", "-", "\"", "#", "none", "steal", "a", "9", "b3-b4", "-1",
    "é", "\u{202e}", "[[", "]]\n",
];

const TOO_LARGE: &str = "18446744073709551616";

fn spoil(bytes: &mut Vec<u8>, chance: &mut Stream) {
    for _ in 0..=chance.below(4) {
        let at = chance.below(bytes.len() as u32 + 1) as usize;
        let end = (at + chance.below(6) as usize).min(bytes.len());
        match chance.below(5) {
            0 => drop(bytes.drain(at..end)),
            1 => bytes.truncate(at),
            2 => bytes.insert(at, chance.below(256) as u8),
            3 => {
                let again = bytes[at..end].to_vec();
                bytes.splice(at..at, again);
            }
            _ => {
                let piece = PIECES.get(chance.below(PIECES.len() as u32 + 1) as usize);
                let piece = piece.unwrap_or(&TOO_LARGE);
                bytes.splice(at..at, piece.bytes());
            }
        }
    }
}

fn feed(samples: &[&str], rounds: u32, mut reader: impl FnMut(&[u8])) {
    let mut chance = Stream::new(2026, samples.len() as u64);
    for round in 0..rounds {
        let mut bytes = if round % 4 == 0 {
            let length = chance.below(60);
            (0..length).map(|_| chance.below(256) as u8).collect()
        } else {
            let sample = samples[chance.below(samples.len() as u32) as usize];
            sample.as_bytes().to_vec()
        };
        spoil(&mut bytes, &mut chance);
        reader(&bytes);
    }
}

fn feed_text(samples: &[&str], rounds: u32, mut reader: impl FnMut(&str)) {
    feed(samples, rounds, |bytes| {
        reader(&String::from_utf8_lossy(bytes))
    });
}

#[test]
fn messages_to_a_bot() {
    let samples = [
        "referee 1",
        "start cachex red seed=7 measure=cpu per-game=81000 increment=0 per-move=none size=9",
        "did first b3-b4 N",
        "act 81000 none",
        "end red rules connection",
        "quit",
    ];
    let mut accepted = 0;
    feed_text(&samples, 20_000, |text| {
        if let Ok(message) = ToBot::parse(text) {
            accepted += 1;
            let line = message.to_string();
            let again = ToBot::parse(&line).map(|message| message.to_string());
            assert_eq!(again, Ok(line), "{text:?}");
        }
    });
    assert!(
        accepted > 100,
        "the samples still mean something: {accepted}"
    );
}

#[test]
fn configurations() {
    let samples = [
        include_str!("../../configs/demo.toml"),
        "name='a'\nseed=1\n[game]\nname='dark-chess'\nmax-plies='none'\n[format]\nkind='round-robin'\ngames-per-pairing=3\nopening-plies=2\n[clock]\nmeasure='cpu'\nper-game='81s'\nwall-cap='2m'\n[limits]\nline='4KiB'\n[[player]]\nhouse='random'\n[[player]]\nname='b'\nshell='exit'\nenv={A='b'}",
    ];
    let mut accepted = 0;
    feed_text(&samples, 4_000, |text| {
        match Plan::parse(text, Path::new("config.toml"), BUILT_IN) {
            Ok(plan) => {
                accepted += 1;
                assert!(plan.players.len() >= 2 && !plan.games.is_empty());
            }
            Err(error) => {
                let errors = error.to_string();
                for line in errors.split('\n') {
                    assert!(line.starts_with("config.toml:"), "{errors:?}");
                }
            }
        }
    });
    assert!(accepted > 10, "{accepted}");
}

#[test]
fn journals() {
    let journal = "id,game,options,block,first,second,winner,first_points,second_points,first_rules_points,second_rules_points,termination,forfeited_by,reason,first_fault,second_fault,first_detail,second_detail,first_late,second_late,plies,actions_digest,answers,date,game_us,first_wall_us,first_cpu_us,first_waited_us,second_wall_us,second_cpu_us,second_waited_us,first_peak_kib,second_peak_kib,log_digest,first_stderr_digest,second_stderr_digest,round,opening,first_seed,second_seed\n\
        0,cachex,size=9,0,ann,bob,red,1.0,0.0,,,rules,,connection,,,,,,,9,00ff,,2026-01-01T00:00:00Z,1,1,1,1,1,1,1,,,,,,1,,1,2\n\
        1,cachex,size=9,0,bob,ann,none,0.0,0.0,,,handshake,both,,late,exited,\"a \"\"b\"\"\",c,slow,,0,,,2026-01-01T00:00:00Z,1,1,1,1,1,1,1,,,,,,1,,1,2\n";
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.csv");
    let mut accepted = 0;
    feed(&[journal], 1_000, |bytes| {
        std::fs::write(&path, bytes).expect("written");
        match read_games(&path) {
            Ok(_) => accepted += 1,
            Err(error) => {
                let line = error.to_string();
                assert!(!line.contains('\n'), "{line:?}");
            }
        }
    });
    assert!(accepted > 10, "{accepted}");
}

#[test]
fn results_of_others() {
    let plain = "white,black,score,block\nann,bob,1,0\nbob,ann,1/2-1/2,0\n\"a\nb\",ann,0,\n";
    let pgn = "[White \"ann\"]\n[Black \"bob\"]\n[Result \"1-0\"]\n\n1. e4 e5 1-0\n\n[White \"bob\"]\n[Black \"ann\"]\n[Result \"*\"]\n";
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("results");
    let mut games = 0;
    let awkward = [
        include_str!("../pgn/quotes.pgn"),
        include_str!("../pgn/results_after_moves.pgn"),
        include_str!("../pgn/tags_in_comments.pgn"),
        include_str!("../pgn/two_tags_on_a_line.pgn"),
    ];
    feed(&[&[plain, pgn][..], &awkward].concat(), 1_000, |bytes| {
        std::fs::write(&path, bytes).expect("written");
        let mut check = |row: &ResultRow<'_>| {
            games += 1;
            assert!(row.names[Seat::FIRST] != row.names[Seat::SECOND]);
            assert!([0.0, 1.0].contains(&row.result.points_of_two().iter().sum()));
        };
        let mut warn = |warning: &ResultsError| {
            assert!(!warning.to_string().contains('\n'), "{warning:?}");
        };
        if let Err(error) = read_results(&path, 0, BadRows::Skip, &mut check, &mut warn) {
            let line = error.to_string();
            assert!(!line.contains('\n'), "{line:?}");
        }
    });
    assert!(games > 10, "{games}");
}

/// What is read as a `T` is written in a form that is read as the same value.
fn reads<T>(text: &str)
where
    T: FromStr + Display + PartialEq + std::fmt::Debug,
{
    if let Ok(value) = text.parse::<T>() {
        let again = value.to_string().parse::<T>().ok();
        assert_eq!(again.as_ref(), Some(&value), "{text:?}");
    }
}

#[test]
fn actions_and_public_results() {
    let samples = [
        "d2", "z26", "steal", "b3-b4", "N", "3,4-3,6", "pass", "c3 c4",
    ];
    feed_text(&samples, 30_000, |text| {
        reads::<<cachex::State as View>::Action>(text);
        reads::<<cachex::State as View>::Public>(text);
        reads::<<dark_chess::View as View>::Action>(text);
        reads::<<dark_chess::View as View>::Public>(text);
        reads::<<watch_your_back::State as View>::Action>(text);
        reads::<<watch_your_back::State as View>::Public>(text);
    });
}

#[test]
fn a_refused_action_changes_nothing() {
    for game in BUILT_IN {
        let mut position = Setup::new(game)
            .start(&mut Stream::new(1, 0))
            .expect("built in");
        let mut refused = 0;
        let samples = [
            "d2", "steal", "b3-b4", "3,4", "3,4-3,5", "a1", "c5-c6", "e2e4", "g8f6",
        ];
        feed_text(&samples, 3_000, |text| {
            let before = (position.ply(), position.drawing(None));
            let known = legal(position.as_ref()).iter().any(|action| action == text);
            let played = position.act(text, &mut News::default()).is_ok();
            assert_eq!(played, known, "{text:?}");
            if !played {
                refused += 1;
                assert_eq!((position.ply(), position.drawing(None)), before);
            } else {
                assert_eq!(position.ply(), before.0 + 1);
            }
        });
        assert!(refused > 100 && position.ply() > 1, "{}", game.name());
    }
}

#[test]
fn options_of_games() {
    let layout = "KGGMMRRNNCCPPPPPkggmmrrnnccppppp";
    let samples = ["size=9", "max-plies=none", "reading=common", layout];
    feed_text(&samples, 10_000, |text| {
        for game in BUILT_IN {
            for doc in game.options() {
                let mut setup = Setup::new(game);
                let value = text.split_once('=').map_or(text, |(_, value)| value);
                if setup.set(doc.key, value).is_ok() {
                    let got = setup.get(doc.key);
                    // An option that is off need not be named.
                    assert_eq!(got.as_deref().unwrap_or("none"), value);
                }
            }
        }
    });
}

#[test]
fn two_columns_for_one_thing_are_refused() {
    for row in [
        "first,second,score,score\na,b,1,0\n | columns 3 (`score`) and 4 (`score`)",
        "first,second,first_points,score\na,b,1,0\n | columns 3 (`first_points`) and 4 (`score`)",
        "first,second,White,score\na,b,c,1\n | columns 1 (`first`) and 3 (`white`)",
        "block,first,second,score,block\n1,a,b,1,2\n | columns 1 (`block`) and 5 (`block`)",
    ] {
        let [file, said] = columns(row);
        let line =
            format!(": line 1: {said} of the header stand for the same: remove or rename one\n");
        rate(file, "").fails(5, &line);
    }
    // Columns that are not read may have any names.
    rate("first,second,score,note,note\na,b,1,x,y\n", "").ok();
}
