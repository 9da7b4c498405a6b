//! `referee rate --plan --assume`, and a small edition of `examples/plan.rs`.

use referee::rating::Assumed;

use crate::support::planned::found;
use crate::support::program::referee;
use crate::support::simulated::World;

/// The standard error of the share is 2.5 points.
#[test]
fn a_difference_is_found_in_eighty_of_a_hundred_tournaments_of_the_planned_length() {
    let world = World {
        name: "planned",
        spread: 0.0,
        advantage: 0.3,
        draw_rate: 0.3,
        pairs: false,
        correlation: 0.0,
    };
    for players in [2, 4] {
        let assumed = Assumed {
            players,
            draws: world.draw_rate,
            advantage: 0.3 * 0.7 * 400.0 / 10_f64.ln(),
            ..Assumed::default()
        };
        let found = found(&world, &assumed, 60.0, 250);
        assert!((found.percent() - 80.0).abs() < 7.0, "{players}: {found:?}");
    }
}

#[test]
fn a_plan_needs_no_files() {
    let plan = |assumed: &str| referee(&format!("rate --plan=20 --assume {assumed}"));
    assert_eq!(
        plan("draws=0.3").ok(),
        "To find a true difference of 20 Elo between two players with 95 % confidence in 80 of 100 matches, they \
         need 1666 games against each other.\n"
    );
    let eight = plan("players=8,draws=0.3,advantage=30,error=0.01,power=0.9").ok();
    assert!(
        eight.contains("with 99 % confidence in 90 of 100 tournaments, 8 players"),
        "{eight}"
    );
    assert!(
        eight.contains("games per pairing of a round robin"),
        "{eight}"
    );
}

#[test]
fn what_cannot_be_planned_is_a_usage_error() {
    for (options, said) in [
        ("", "<FILE>"),
        ("--plan=20", "<FILE>"),
        ("--assume draws=0.3", "--plan"),
        (
            "--plan=20 --assume draws=0.3 games.csv",
            "cannot be used with",
        ),
        (
            "--plan=20 --assume draws=0.3 --sort elo",
            "cannot be used with",
        ),
        ("--plan=20,ann,bob --assume draws=0.3", "without names"),
        (
            "--plan=20 --assume draws=1",
            "draws: expected a number from 0 to 0.99",
        ),
        (
            "--plan=20 --assume draws=nan",
            "draws: expected a number from 0 to 0.99",
        ),
        (
            "--plan=20 --assume players=2.5",
            "players: expected a whole number from 2 to 10000",
        ),
        (
            "--plan=20 --assume games=7",
            "`games=7`: expected players, draws",
        ),
        (
            "--plan=20 --assume draws",
            "`draws`: expected players, draws",
        ),
    ] {
        referee(&format!("rate {options}")).fails(2, said);
    }
}
