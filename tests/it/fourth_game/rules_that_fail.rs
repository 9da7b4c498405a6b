//! Rules that fail make a game void. It is played again once, then set aside, and no player loses.

use std::num::NonZeroUsize;
use std::path::Path;
use std::time::Duration;

use referee::bot::{Double, Fault, Patience, Reply};
use referee::config::{Plan, PlannedGame, PlannedOpening};
use referee::game::{RulesFault, Setup};
use referee::referee::{Participant, Void};
use referee::runner::{Bot, Event, Host, Interrupt, run_with};
use referee::runs::RunFolder;

use super::count_up;
use crate::support::doubles::{no_limits, plays, watched_game};
use crate::support::quick;
use crate::support::run::read_games;

/// The game whose rules fail at a ply; 0 is never.
fn failing_at(ply: u32) -> Setup {
    let mut setup = Setup::new(count_up::GAME);
    setup.set("fails-at", &ply.to_string()).expect("an option");
    setup
}

#[test]
fn the_game_is_void_and_both_are_told() {
    let (mut odd, mut even) = (plays(&["1", "3"], &[]), plays(&["2"], &[]));
    let players = [&mut odd as _, &mut even as _];
    let end = watched_game(&failing_at(3), &no_limits(), 0, players, |_, _| {});
    let fault = RulesFault::Ended("exit code 1".to_owned());
    assert!(
        matches!(&end, Err(Void::Rules(found)) if *found == fault),
        "{end:?}"
    );
    for player in [&odd, &even] {
        let last = player.player.told().last();
        assert_eq!(last.map(String::as_str), Some("end none void"));
    }
}

#[test]
fn rules_that_fail_in_the_opening_make_it_void_too() {
    let (mut odd, mut even) = (plays(&[], &[]), plays(&[], &[]));
    let players = [&mut odd as _, &mut even as _];
    let end = watched_game(&failing_at(2), &no_limits(), 2, players, |_, _| {});
    assert!(matches!(end, Err(Void::Rules(_))), "{end:?}");
}

/// A bot that counts.
fn counts(_player: usize, _worker: usize, _patience: Patience) -> Result<Bot, Fault> {
    let brain = |told: &[String]| {
        let answer = match told.last().and_then(|line| line.split(' ').next()) {
            Some("referee") => "bot 1 counts".to_owned(),
            Some("start") => "ready".to_owned(),
            _ => {
                let start = told.iter().rposition(|line| line.starts_with("start"));
                let since = &told[start.expect("it has begun")..];
                let said = since.iter().filter(|line| line.starts_with("did "));
                (said.count() + 1).to_string()
            }
        };
        Reply::Line(answer, Duration::ZERO)
    };
    Ok(Box::new(Participant::new(Double::new(brain))))
}

/// Plays a tournament between two bots that count. Gives the games that were void, then the games that were set
/// aside.
fn tournament(setup: Setup, out: &Path) -> (Vec<u64>, Vec<u64>) {
    let plan = Plan {
        games: vec![PlannedGame::new(setup, PlannedOpening::Random(0))],
        ..quick::plan(2, 2, "all")
    };
    let host = Host::unsupervised(&plan, NonZeroUsize::MIN);
    let mut folder = RunFolder::create(out, &plan, host.stamp()).expect("a folder");
    let interrupt = Interrupt::new().expect("a pipe");
    let (mut void, mut set_aside) = (Vec::new(), Vec::new());
    let ended = run_with(
        &counts,
        &plan,
        &host,
        &mut folder,
        &interrupt,
        &mut |event| match event {
            Event::Void { id, .. } => void.push(*id),
            Event::SetAside { id, cause } => {
                assert!(
                    cause.to_string().contains("the rules program ended"),
                    "{cause}"
                );
                set_aside.push(*id);
            }
            _ => {}
        },
    );
    assert_eq!(ended.expect("played").set_aside, set_aside.len());
    (void, set_aside)
}

#[test]
fn a_game_is_played_again_once_and_then_set_aside() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("out");
    let (void, set_aside) = tournament(failing_at(3), &out);
    assert_eq!(void, [0, 1]);
    assert_eq!(set_aside, [0, 1]);
    assert_eq!(
        read_games(&out.join("games.csv")).expect("a journal"),
        [],
        "no player loses"
    );
    let text = std::fs::read_to_string(out.join("set-aside.csv")).expect("a table");
    assert_eq!(text.matches("the rules program ended").count(), 2, "{text}");
}
