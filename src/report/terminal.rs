//! What a person sees: tables, and beside them what they mean.

use std::fmt::Write;

use serde_json::{Value, json};

use super::notes;
use super::results::{Rated, Results};
use super::sheet::{Sheet, visible};
use super::sheets;
use super::table::{Style, render};
use super::text::wrap;

/// The greatest number of players whose crosstable is shown; a larger one fits no terminal.
const WIDEST_CROSSTABLE: usize = 10;

/// What an interval means.
pub const INTERVALS: &str = "\
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
            counted(one.standings.games())
        );
        let alone = std::slice::from_ref(one);
        let mut ratings = sheets::ratings(alone);
        if let Some(sort) = sort {
            ratings.sort(sort);
        }
        text.push_str(&render(&ratings, &columns(&ratings, &SHOWN), style));
        if (2..=WIDEST_CROSSTABLE).contains(&one.order.len()) {
            text.push('\n');
            let crosstable = sheets::crosstable(alone).sheet();
            let all: Vec<usize> = (1..crosstable.columns.len()).collect();
            text.push_str(&render(&crosstable, &all, style));
        }
        let games = sheets::matches(alone);
        if !games.rows.is_empty() {
            text.push_str("\n  game pairs by points, with normalized Elo\n");
            let all: Vec<usize> = (1..games.columns.len()).collect();
            text.push_str(&render(&games, &all, style));
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
pub fn plain(sheet: &Sheet, style: Style) -> String {
    let all: Vec<usize> = (0..sheet.columns.len()).collect();
    render(sheet, &all, style)
}

/// The same as one document, for Markdown and JSON: these sheets, and the notes of each game.
pub fn documents(rated: &[Rated<'_>], sheets: &[Sheet]) -> (String, Value) {
    let mut text = String::new();
    let mut tables = serde_json::Map::new();
    for sheet in sheets {
        let _ = writeln!(text, "## {}\n\n{}", sheet.name, sheet.markdown());
        tables.insert(sheet.name.to_owned(), sheet.json());
    }
    text.push_str("## Notes\n\n");
    let mut games = serde_json::Map::new();
    for one in rated {
        let (facts, warnings) = (notes::facts(one), notes::warnings(one));
        for note in facts.iter().chain(&warnings) {
            let _ = writeln!(text, "- {}: {note}", visible(one.game));
        }
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
                "notes": facts,
                "warnings": warnings,
            }),
        );
    }
    let _ = writeln!(text, "\n{INTERVALS}");
    (
        text,
        json!({"tables": tables, "games": games, "intervals": INTERVALS}),
    )
}

fn rounded(value: f64) -> f64 {
    (10.0 * value).round() / 10.0
}

fn columns(sheet: &Sheet, names: &[&str]) -> Vec<usize> {
    names
        .iter()
        .filter_map(|name| sheet.columns.iter().position(|column| column.name == *name))
        .collect()
}

/// `1 game`, `2 games`.
fn counted(count: u64) -> String {
    match count {
        1 => "1 game".to_owned(),
        _ => format!("{count} games"),
    }
}
