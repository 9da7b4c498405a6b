//! The tables of a run as CSV. `docs/formats.md` explains the columns.

use super::{Results, ranking, rounded};

/// `ratings.csv`: a row per game and player, best first.
pub fn ratings_csv(results: &Results) -> Vec<u8> {
    let mut rows = vec![
        [
            "game", "rank", "player", "elo", "elo_low", "elo_high", "games", "points", "wins",
            "draws", "losses", "forfeits",
        ]
        .map(str::to_owned)
        .to_vec(),
    ];
    for (game, standings) in results.games() {
        for (rank, (player, estimate)) in ranking(standings).into_iter().enumerate() {
            let line = &standings.lines()[player];
            rows.push(vec![
                game.to_owned(),
                (rank + 1).to_string(),
                line.name.clone(),
                format!("{:.1}", rounded(estimate.elo, 1)),
                format!("{:.1}", rounded(estimate.low(), 1)),
                format!("{:.1}", rounded(estimate.high(), 1)),
                line.tally.games().to_string(),
                line.tally.points().to_string(),
                line.tally.wins.to_string(),
                line.tally.draws.to_string(),
                line.tally.losses.to_string(),
                line.forfeits.to_string(),
            ]);
        }
    }
    csv(&rows)
}

/// `standings.csv`: a row per game and player, by share of the points.
pub fn standings_csv(results: &Results) -> Vec<u8> {
    let mut rows = vec![
        [
            "game", "rank", "player", "points", "games", "wins", "draws", "losses", "forfeits",
        ]
        .map(str::to_owned)
        .to_vec(),
    ];
    for (game, standings) in results.games() {
        for (rank, player) in standings.order().into_iter().enumerate() {
            let line = &standings.lines()[player];
            rows.push(vec![
                game.to_owned(),
                (rank + 1).to_string(),
                line.name.clone(),
                line.tally.points().to_string(),
                line.tally.games().to_string(),
                line.tally.wins.to_string(),
                line.tally.draws.to_string(),
                line.tally.losses.to_string(),
                line.forfeits.to_string(),
            ]);
        }
    }
    csv(&rows)
}

/// `crosstable.csv`: a row per game and player, a column per opponent, in the order of the
/// ratings. A cell is `wins-draws-losses` of the row's player, empty where the two have not met.
pub fn crosstable_csv(results: &Results) -> Vec<u8> {
    let mut names: Vec<&str> = Vec::new();
    for (_, standings) in results.games() {
        for (player, _) in ranking(standings) {
            let name = standings.lines()[player].name.as_str();
            if !names.contains(&name) {
                names.push(name);
            }
        }
    }
    let mut header = vec!["game".to_owned(), "player".to_owned()];
    header.extend(names.iter().map(|name| (*name).to_owned()));
    let mut rows = vec![header];
    for (game, standings) in results.games() {
        let find = |name: &str| standings.lines().iter().position(|line| line.name == name);
        for (player, _) in ranking(standings) {
            let mut row = vec![game.to_owned(), standings.lines()[player].name.clone()];
            row.extend(names.iter().map(|name| {
                let tally = find(name)
                    .map(|other| standings.against(player, other))
                    .unwrap_or_default();
                match tally.games() {
                    0 => String::new(),
                    _ => format!("{}-{}-{}", tally.wins, tally.draws, tally.losses),
                }
            }));
            rows.push(row);
        }
    }
    csv(&rows)
}

fn csv(rows: &[Vec<String>]) -> Vec<u8> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for row in rows {
        // Memory takes every row, and all rows are as long as the header.
        let _ = writer.write_record(row);
    }
    writer.into_inner().unwrap_or_default()
}
