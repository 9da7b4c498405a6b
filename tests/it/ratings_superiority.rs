//! A small edition of `examples/research/src/bin/superiority.rs`: is the player the stronger one whom `superiority` names?

use crate::support::superior::{FIELDS, named};

/// Pairs of a tournament are not independent, so the tolerance is that of one pair per three tournaments.
#[test]
fn of_those_whom_superiority_names_with_95_percent_at_least_as_many_are_stronger() {
    for field in FIELDS
        .iter()
        .filter(|it| it.world.name != "very tight, 70 % drawn")
    {
        let named = named(field, 16, 10, 60);
        let superiority = named.superiority;
        assert!(
            superiority.of > 100,
            "{}: {superiority:?}",
            field.world.name
        );
        assert!(
            superiority.percent() > 93.5,
            "{}: {superiority:?}",
            field.world.name
        );
    }
}
