//! What a person sees: tables, and beside them what they mean.

use std::fmt::Write;

use serde_json::{Map, Value, json};

use super::notes;
use super::rating_tables;
use super::render::{Layout, Style};
use super::results::{Rated, Results};
use super::table::ReportTable;
use super::text::{counted, visible, wrap};

/// The greatest number of players whose crosstable is shown; a larger one fits no terminal.
const WIDEST_CROSSTABLE: usize = 10;

/// What an interval means.
const INTERVALS: &str = "\
    ± is half of a 95 % interval: were all games played again many times, such intervals would hold \
    the true value about 95 times in 100. It is the rating's own, relative to what Elo is relative \
    to; two ratings can differ for certain though their intervals overlap: see the table \
    `superiority`.";

/// The columns of the ratings that a person sees, in their order; the game stands in the title.
const SHOWN: [&str; 14] = [
    "rank",
    "player",
    "elo",
    "margin",
    "games",
    "points",
    "score",
    "wins",
    "draws",
    "losses",
    "forfeits",
    "field_score",
    "performance",
    "forfeit_points",
];

/// Ratings and crosstable of each game, how the games ended, and what to know beside.
pub fn summary(results: &Results, rated: &[Rated<'_>], sort: Option<&str>, style: Style) -> String {
    if rated.is_empty() {
        return "no games\n".to_owned();
    }
    let mut text = String::new();
    for one in rated {
        // Writing to a `String` cannot fail.
        let _ = writeln!(
            text,
            "{}: {}\n",
            style.strong(&visible(one.game)),
            counted(one.standings.games(), "game", "games")
        );
        let alone = std::slice::from_ref(one);
        let mut ratings = rating_tables::ratings(alone);
        if let Some(sort) = sort {
            ratings.sort(sort);
        }
        text.push_str(&Layout::new(&ratings, &columns(&ratings, &SHOWN), style).text(style));
        if (2..=WIDEST_CROSSTABLE).contains(&one.order.len()) {
            text.push('\n');
            let crosstable = rating_tables::crosstable(alone).collect();
            let all: Vec<usize> = (1..crosstable.columns.len()).collect();
            text.push_str(&Layout::new(&crosstable, &all, style).text(style));
        }
        let games = rating_tables::matches(alone);
        if !games.rows.is_empty() {
            text.push_str("\n  game pairs by points, with normalized Elo\n");
            let all: Vec<usize> = (1..games.columns.len()).collect();
            text.push_str(&Layout::new(&games, &all, style).text(style));
        }
        text.push('\n');
        for fact in notes::facts(one) {
            wrap(&mut text, "  ", &fact, style.paragraph_width());
        }
        for warning in notes::warnings(one) {
            let mut lines = String::new();
            wrap(&mut lines, "! ", &warning, style.paragraph_width());
            text.push_str(&style.warning(&lines));
        }
        text.push('\n');
    }
    let ends: Vec<String> = results
        .terminations()
        .iter()
        .map(|(name, count)| format!("{count} {}", visible(name)))
        .collect();
    if !ends.is_empty() {
        let _ = writeln!(text, "ended by: {}", ends.join(", "));
    }
    wrap(&mut text, "", INTERVALS, style.paragraph_width());
    text
}

/// One table alone.
pub fn plain(table: &ReportTable, style: Style) -> String {
    let all: Vec<usize> = (0..table.columns.len()).collect();
    Layout::new(table, &all, style).text(style)
}

/// These tables and the notes of each game as one document in Markdown.
pub fn markdown(rated: &[Rated<'_>], tables: &[ReportTable]) -> String {
    let mut text = String::new();
    for table in tables {
        // Writing to a `String` cannot fail.
        let _ = writeln!(text, "## {}\n\n{}", table.name, table.markdown());
    }
    text.push_str("## Notes\n\n");
    for one in rated {
        for note in notes::facts(one).iter().chain(&notes::warnings(one)) {
            let _ = writeln!(text, "- {}: {note}", visible(one.game));
        }
    }
    let _ = writeln!(text, "\n{INTERVALS}");
    text
}

/// These tables and the notes of each game as one document in JSON.
pub fn json(rated: &[Rated<'_>], tables: &[ReportTable]) -> Value {
    let mut by_name = Map::new();
    for table in tables {
        by_name.insert(table.name.to_owned(), table.json());
    }
    let mut games = Map::new();
    for one in rated {
        let advantage = one.ratings.advantage();
        games.insert(
            one.game.to_owned(),
            json!({
                "games": one.standings.games(),
                "players": one.order.len(),
                "first_seat_advantage": advantage.map(|value| rounded(value.elo)),
                "first_seat_advantage_margin": advantage.map(|value| rounded(value.margin())),
                "draw_rate_between_equals": one.ratings.draw_rate(),
                "whole_pairs": one.ratings.pairs(),
                "pair_correlation": one.ratings.pair_correlation(),
                "notes": notes::facts(one),
                "warnings": notes::warnings(one),
            }),
        );
    }
    json!({"tables": by_name, "games": games, "intervals": INTERVALS})
}

fn rounded(value: f64) -> f64 {
    (10.0 * value).round() / 10.0
}

fn columns(table: &ReportTable, names: &[&str]) -> Vec<usize> {
    names
        .iter()
        .filter_map(|name| table.columns.iter().position(|column| column.name == *name))
        .collect()
}
