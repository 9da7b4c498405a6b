//! How often the stronger of two players is named, and how often rank intervals hold the true rank, over
//! simulated tournaments.

use referee::rating::{Model, Ratings};

use super::simulated::{Chance, Held, World, play};

/// A world, and how the strengths lie in it.
#[derive(Debug, Clone, Copy)]
pub struct Field {
    pub world: World,
    /// Whether half of the players are this far above the mean and half below it, with a tenth of that as the
    /// deviation in each group; else it is the deviation of a normal distribution.
    pub groups: bool,
}

const fn field(name: &'static str, spread: f64, draw_rate: f64, groups: bool) -> Field {
    let world = World {
        name,
        spread,
        advantage: 0.0,
        draw_rate,
        pairs: false,
        correlation: 0.0,
    };
    Field { world, groups }
}

pub const FIELDS: [Field; 4] = [
    field("wide, decisive", 0.8, 0.0, false),
    field("tight, 70 % drawn", 0.3, 0.7, false),
    field("very tight, 70 % drawn", 0.15, 0.7, false),
    field("two groups, 30 % drawn", 0.3, 0.3, true),
];

/// Of the pairs of players of whom a figure says 95 % or more, how many it names the stronger one of.
#[derive(Debug, Clone, Copy, Default)]
pub struct Named {
    pub superiority: Held,
    pub pairs: u64,
}

/// Plays and rates a tournament: the strengths and the ratings.
fn tournament(field: &Field, names: &[String], games: usize, number: u64) -> (Vec<f64>, Ratings) {
    let mut chance = Chance::new(2027, number);
    let spread = field.world.spread;
    let strength = |player: usize, luck: f64| match (field.groups, player % 2) {
        (false, _) => spread * luck,
        (true, 0) => spread * (1.0 + 0.1 * luck),
        (true, _) => spread * (0.1 * luck - 1.0),
    };
    let strengths: Vec<f64> = (0..names.len())
        .map(|player| strength(player, chance.normal()))
        .collect();
    let odds = |a: usize, b: usize| strengths[a] - strengths[b];
    let standings = play(&field.world, names, &odds, games, &mut chance).standings();
    (strengths, Ratings::new(&standings, Model::default()))
}

fn names(players: usize) -> Vec<String> {
    (0..players).map(|player| format!("p{player:02}")).collect()
}

/// Plays and rates so many tournaments.
pub fn named(field: &Field, players: usize, games: usize, tournaments: u64) -> Named {
    let mut named = Named::default();
    let names = names(players);
    for number in 0..tournaments {
        let (strengths, ratings) = tournament(field, &names, games, number);
        for a in 0..players {
            for b in 0..a {
                named.pairs += 1;
                let [a, b] = match ratings.superiority(a, b) >= 0.5 {
                    true => [a, b],
                    false => [b, a],
                };
                let is_right = f64::from(strengths[a] > strengths[b]);
                if ratings.superiority(a, b) >= 0.95 {
                    named.superiority.count(0.5, is_right, 1.5);
                }
            }
        }
    }
    named
}

#[cfg(test)]
mod tests {
    use super::{FIELDS, named};

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
}
