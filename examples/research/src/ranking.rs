//! Simulated tournaments that go on until the ranking is clear.

use referee::random::Stream;
use referee::rating::{
    GameCounter, Interval, Model, OrderVerdict, RankingTest, RatedGame, Ratings, WinDrawLoss,
};
use referee::schedule::{Format, GamesPerPairing, NextGame, Schedule};

/// The share of games between equals that are drawn.
const DRAWS: f64 = 0.2;

/// The true strengths of a field, in Elo.
#[derive(Debug, Clone, Copy)]
pub struct Field {
    pub name: &'static str,
    pub players: usize,
    strength: fn(usize) -> f64,
}

/// Clusters of four: 30 Elo from one player to the next, and 200 Elo between clusters.
fn clustered(player: usize) -> f64 {
    290.0 * (player / 4) as f64 + 30.0 * (player % 4) as f64
}

const fn field(name: &'static str, players: usize, strength: fn(usize) -> f64) -> Field {
    Field {
        name,
        players,
        strength,
    }
}

pub const FIELDS: [Field; 9] = [
    field("50 apart", 8, |player| 50.0 * player as f64),
    field("50 apart", 20, |player| 50.0 * player as f64),
    field("clustered", 8, clustered),
    field("clustered", 20, clustered),
    field("10 apart", 8, |player| 10.0 * player as f64),
    field("10 apart", 20, |player| 10.0 * player as f64),
    field("5 apart", 8, |player| 5.0 * player as f64),
    field("5 apart", 2, |player| 5.0 * player as f64),
    field("equal", 8, |_| 0.0),
];

#[derive(Debug, Clone, Default)]
pub struct Went {
    /// How many games it took until all neighbours were told apart.
    pub games: u64,
    /// How many pairs of neighbours at the end are in the wrong order by more than the indifference.
    pub wrong: u64,
    /// How many are in the wrong order at all.
    pub turned: u64,
    /// How many are tied though they are apart by the indifference or more.
    pub wrongly_tied: u64,
    pub tied: u64,
    /// How many pairs of neighbours at the end have a corrected interval that holds the true difference.
    pub held: u64,
    /// Of the players that are neighbours by their true strength: the true difference, and the estimates,
    /// corrected for when the tournament ended and not.
    pub differences: Vec<(f64, [Interval; 2])>,
}

/// An adaptive tournament until it ends by itself.
pub fn adaptive(field: &Field, test: RankingTest, seed: u64) -> Went {
    let format = Format::Adaptive {
        test,
        most_games: u64::MAX,
    };
    play(
        field,
        format.schedule(field.players, 2),
        test,
        seed,
        |_, _| false,
    )
}

/// A round robin until its ranking is as clear, checked after every round.
pub fn round_robin(field: &Field, test: RankingTest, seed: u64) -> Went {
    let schedule = Format::RoundRobin(GamesPerPairing::MAX).schedule(field.players, 2);
    let round = field.players as u64 / 2 * 2;
    play(field, schedule, test, seed, |count, games| {
        count.is_multiple_of(round) && {
            let ratings = rate(games);
            let order = ratings.order();
            let apart = |two: &[usize]| ratings.order_verdict([two[0], two[1]], &test);
            order
                .windows(2)
                .all(|two| apart(two) != OrderVerdict::Unclear)
        }
    })
}

fn rate(games: &GameCounter) -> Ratings {
    Ratings::new(&games.clone().standings(), Model::default())
}

fn play(
    field: &Field,
    mut schedule: Box<dyn Schedule>,
    test: RankingTest,
    seed: u64,
    enough: impl Fn(u64, &mut GameCounter) -> bool,
) -> Went {
    let mut chance = Stream::new(seed, 0);
    // The order in the plan must not depend on strength.
    let mut places: Vec<usize> = (0..field.players).collect();
    referee::game::shuffle(&mut places, &mut chance);
    let names: Vec<String> = (0..field.players).map(|n| format!("{n:03}")).collect();
    let mut games = GameCounter::default();
    for name in &names {
        games.add_player(name);
    }
    let mut count = 0;
    while let NextGame::Issue(ticket) = schedule.next() {
        let [a, b] = ticket
            .players
            .clone()
            .map(|player| (field.strength)(places[player]))
            .pair()
            .expect("two seats");
        let score = result(a - b, &mut chance);
        schedule.record(ticket.id, score.as_result());
        let names = ticket.players.map(|player| names[player].as_str());
        games.add(&RatedGame {
            block: Some(ticket.block),
            ..RatedGame::new(names, score.as_result())
        });
        count += 1;
        if enough(count, &mut games) {
            break;
        }
    }
    let ratings = rate(&games);
    let mut went = Went {
        games: count,
        ..Went::default()
    };
    for two in ratings.order().windows(2) {
        let [better, worse] = [two[0], two[1]].map(|player| (field.strength)(places[player]));
        went.turned += u64::from(better < worse);
        let [low, _, high] = ratings.difference_after_test([two[0], two[1]], &test);
        went.held += u64::from(low <= better - worse && better - worse <= high);
        match ratings.order_verdict([two[0], two[1]], &test) {
            OrderVerdict::Tied => {
                went.tied += 1;
                went.wrongly_tied += u64::from((better - worse).abs() >= test.indifference);
            }
            OrderVerdict::Clear | OrderVerdict::Unclear => {
                went.wrong += u64::from(worse - better >= test.indifference);
            }
        }
    }
    for place in 1..field.players {
        let player = |at: usize| places.iter().position(|one| *one == at).unwrap_or(0);
        let [better, worse] = [player(place), player(place - 1)];
        let plain = ratings.difference(better, worse);
        went.differences.push((
            (field.strength)(place) - (field.strength)(place - 1),
            [
                ratings.difference_after_test([better, worse], &test),
                [plain.low(), plain.elo, plain.high()],
            ],
        ));
    }
    went
}

/// By Davidson's model, with the strengths on the scale of the ratings.
fn result(elo: f64, chance: &mut Stream) -> WinDrawLoss {
    let odds = elo / (400.0 / 10_f64.ln() * (1.0 - DRAWS));
    let [win, draw, loss] = [
        (odds / 2.0).exp(),
        2.0 * DRAWS / (1.0 - DRAWS),
        (-odds / 2.0).exp(),
    ];
    let luck = chance.uniform() * (win + draw + loss);
    match luck {
        luck if luck < win => WinDrawLoss::Win,
        luck if luck < win + draw => WinDrawLoss::Draw,
        _ => WinDrawLoss::Loss,
    }
}

#[cfg(test)]
mod tests {
    use super::{FIELDS, adaptive, round_robin};
    use referee::rating::RankingTest;

    /// With so great an indifference that the tournaments are short.
    const TEST: RankingTest = RankingTest {
        confidence: 0.9,
        indifference: 40.0,
    };

    #[test]
    #[ignore = "slow"]
    fn a_ranking_is_clear_after_fewer_games_than_in_a_round_robin_and_as_rarely_wrong_as_asked_for()
    {
        let (mut wrong, mut neighbours) = (0, 0);
        let mut held = 0;
        for field in FIELDS.iter().filter(|field| field.players == 8) {
            let mut games = [0, 0];
            for seed in 0..10 {
                let ours = adaptive(field, TEST, seed);
                if seed < 2 {
                    games[0] += ours.games;
                    games[1] += round_robin(field, TEST, seed).games;
                }
                wrong += ours.wrong + ours.wrongly_tied;
                neighbours += field.players as u64 - 1;
                held += ours.held;
            }
            println!(
                "{}: {} games, and {} in a round robin",
                field.name, games[0], games[1]
            );
            assert!(games[0] < games[1], "{field:?}");
        }
        assert!(wrong * 10 <= neighbours, "{wrong} of {neighbours}");
        assert!(held * 100 >= neighbours * 93, "{held} of {neighbours}");
    }
}
