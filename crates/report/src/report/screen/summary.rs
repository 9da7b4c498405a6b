//! Tables for a person, with explanations of their columns and notes.

use std::fmt::Write;

use super::Screen;
use super::layout::Style;
use crate::report::notes::{self, NotesOn};
use crate::report::table::ReportTable;
use crate::report::tables;
use crate::report::text::shortened;
use crate::results::{Rated, Results};
use crate::text::{counted, visible};

/// Upper bounds on the endings named, and on the width of each. Runs have fewer, but PGN allows any text.
const MOST_ENDS: usize = 10;
const END_COLUMNS: usize = 40;

/// Tables and notes of each game, endings of the games, and explanations of the columns.
pub fn summary(results: &Results, rated: &[Rated<'_>], style: Style) -> String {
    if rated.is_empty() {
        return "no games\n".to_owned();
    }
    let mut screen = Screen::new(style);
    for one in rated {
        screen.heading(one);
        screen.line("");
        screen.named(&ratings_table(one), &shown_columns(one));
        if one.order.len() > 1 {
            screen.line("");
            screen.crosstable(one);
        }
        match_table(&mut screen, one);
        screen.notes(&notes::facts(one), &notes::warnings(one, NotesOn::Screen));
    }
    if let Some(endings) = endings(results) {
        screen.paragraph("", &format!("ended by: {endings}"));
        screen.line("");
    }
    screen.legend();
    screen.text
}

/// Number of games by their ending, for the most frequent endings; `None` if no ending is known.
pub fn endings(results: &Results) -> Option<String> {
    let mut ways: Vec<(&String, &u64)> = results.terminations().iter().collect();
    ways.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
    let others = ways.split_off(ways.len().min(MOST_ENDS));
    ways.sort();
    let named = ways.iter().map(|(name, count)| {
        let name = shortened(&visible(name), END_COLUMNS);
        format!("{count} {name}")
    });
    let mut named = named.collect::<Vec<_>>().join(", ");
    if !others.is_empty() {
        let games: u64 = others.iter().map(|(_, count)| **count).sum();
        let ways = counted(others.len() as u64, "other way", "other ways");
        let _ = write!(named, " and {games} in {ways}");
    }
    (!named.is_empty()).then_some(named)
}

pub fn ratings_table(one: &Rated<'_>) -> ReportTable {
    let ratings = tables::ratings(std::slice::from_ref(one));
    ratings.with_display_names(&one.settings.display_names)
}

/// Columns of the ratings on a screen, in their order. The game is in the title.
///
/// Places tell more than wins and losses where a game has more than two seats, and blocks are what such games are counted
/// by.
pub fn shown_columns(one: &Rated<'_>) -> Vec<&'static str> {
    let is_of_two = one.most_seats() == 2;
    let has_rules_points = one
        .order
        .iter()
        .any(|player| one.standings.rules_points(*player).is_some());
    let mut columns = vec![
        "rank", "player", "elo", "margin", "games", "points", "score",
    ];
    if !is_of_two {
        columns.push("score_margin");
    }
    if has_rules_points {
        columns.extend(["rules_points", "rules_points_margin"]);
    }
    columns.extend(match is_of_two {
        true => &["wins", "draws", "losses", "forfeits", "forfeit_points"][..],
        false => &["places", "forfeits", "blocks"],
    });
    columns
}

/// The table of a match of two, if it is one. Its first column, the game, is left out.
fn match_table(screen: &mut Screen, one: &Rated<'_>) {
    let games = tables::matches(std::slice::from_ref(one));
    let games = games.with_display_names(&one.settings.display_names);
    if !games.rows.is_empty() {
        screen.line("");
        let title = "game pairs by the player's points, and the difference in Elo from them alone";
        screen.paragraph("  ", title);
        let is_shown = |at: &usize| match games.columns[*at].name.as_str() {
            "llr" => one.llr().is_some(),
            name if name.starts_with("corrected_elo") => one.settings.run_test.is_some(),
            _ => true,
        };
        let columns: Vec<usize> = (1..games.columns.len()).filter(is_shown).collect();
        screen.table(&games, &columns);
    }
}

pub fn plain(table: &ReportTable, style: Style) -> String {
    let mut screen = Screen::new(style);
    let columns: Vec<usize> = (0..table.columns.len()).collect();
    screen.table(table, &columns);
    screen.legend();
    screen.text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{ForfeitedBy, GameResult, Seat};
    use crate::report::text::width;
    use crate::results::{ResultRow, Settings};

    fn row<'a>(names: [&'a str; 2], pair: Option<u64>) -> ResultRow<'a> {
        ResultRow {
            source: 0,
            game: "cachex",
            seats: &[],
            answers: "",
            options: "",
            block: pair,
            alike: None,
            opening: "",
            names: names.into(),
            rules_points: None,
            result: GameResult::Won(Seat::FIRST),
            forfeited_by: ForfeitedBy::Nobody,
            termination: "rules",
            digest: "",
        }
    }

    #[test]
    fn a_crosstable_that_is_too_wide_says_where_it_is() {
        let mut results = Results::default();
        let names: Vec<String> = (0..30).map(|player| format!("player-{player}")).collect();
        for (player, name) in names.iter().enumerate() {
            let names = [name.as_str(), &names[(player + 1) % names.len()]];
            results.add(&row(names, None));
        }
        let settings = Settings::default();
        let rated = results.rate(&settings);
        for width in [None, Some(80), Some(160)] {
            let text = summary(
                &results,
                &rated,
                Style {
                    width,
                    ..Style::default()
                },
            );
            assert!(
                text.contains("The crosstable of 30 players is too wide for"),
                "{text}"
            );
        }
    }

    #[test]
    fn only_the_columns_that_are_shown_are_explained() {
        let mut results = Results::default();
        for pair in 0..20 {
            results.add(&row(["小明", "José"], Some(pair)));
            results.add(&row(["José", "小明"], Some(pair)));
        }
        let settings = Settings::default();
        let rated = results.rate(&settings);
        let style = Style {
            width: Some(60),
            ..Style::default()
        };
        let narrow = summary(&results, &rated, style);
        assert!(narrow.lines().all(|line| width(line) <= 60), "{narrow}");
        assert!(!narrow.contains("exactly these points") && !narrow.contains("games won because"));
        assert!(narrow.contains("  ±  "), "{narrow}");
        let left_out =
            "(no room at this width for: normalized_elo_low, normalized_elo_high, single_games,";
        assert!(narrow.replace("\n  ", " ").contains(left_out), "{narrow}");
    }
}
