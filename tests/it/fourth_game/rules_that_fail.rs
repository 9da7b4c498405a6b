//! Rules that fail make a game void.

use referee::game::{RulesFault, Setup};
use referee::referee::Void;
use referee::replay::{ReplayError, ReplayedGame};
use referee::runs::Run;
use referee::verify::{VerifyError, verify};

use super::high_card::{failing_at, high_card};
use crate::support::doubles::{no_limits, plays, watched_game};
use crate::support::tournament::{only, tournament};

fn fault() -> RulesFault {
    RulesFault::Ended("exit code 1".to_owned())
}

#[test]
fn the_game_is_void_and_both_are_told() {
    let (mut odd, mut even) = (plays(&["keep", "keep"], &[]), plays(&["keep"], &[]));
    let players = [&mut odd as _, &mut even as _];
    let setup = Setup::new(failing_at(3));
    let end = watched_game(&setup, &no_limits(), 0, players, |_, _| {});
    assert!(
        matches!(&end, Err(Void::RulesAfter { fault: found, actions, .. }) if *found == fault() && actions == "`keep` by odd"),
        "{end:?}"
    );
    for player in [&odd, &even] {
        let last = player.player.received.last();
        assert_eq!(last.map(String::as_str), Some("end none void"));
    }
}

#[test]
fn rules_that_fail_in_the_opening_make_it_void_too() {
    let (mut odd, mut even) = (plays(&[], &[]), plays(&[], &[]));
    let players = [&mut odd as _, &mut even as _];
    let setup = Setup::new(failing_at(2));
    let end = watched_game(&setup, &no_limits(), 2, players, |_, _| {});
    assert!(matches!(end, Err(Void::Rules(_))), "{end:?}");
}

#[test]
fn verify_and_replay_tell_that_the_rules_failed() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("out");
    assert_eq!(tournament(high_card(), &out), (vec![], vec![]));
    let run = Run::open(&out, only(failing_at(3))).expect("a run");
    let verified = verify(&run, &mut || {});
    assert!(
        matches!(
            &verified,
            Err(VerifyError::Rules { id: 0, fault: found }) if *found == fault()
        ),
        "{verified:?}"
    );
    let replayed = ReplayedGame::read(&run, 0);
    assert!(
        matches!(&replayed, Err(ReplayError::Rules { id: 0, fault: found }) if *found == fault()),
        "{replayed:?}"
    );
}
