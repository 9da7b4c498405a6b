//! Tables for a person, with explanations of their columns and notes.

use std::fmt::Write;

use super::layout::Style;
use super::printer::Screen;
use crate::report::notes::{self, NotesOn};
use crate::report::table::{Cell, ReportTable};
use crate::report::tables;
use crate::report::text::shortened;
use crate::results::{AllRated, Rated, RatedTables, Results};
use crate::text::{counted, visible};

/// Upper bounds on the endings named, and on the width of each. Runs have fewer, but PGN allows any text.
const MOST_ENDS: usize = 10;
const END_COLUMNS: usize = 40;

/// Columns of the ratings on a screen, in their order. The game is in the title.
const SHOWN: [&str; 12] = [
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
    "forfeit_points",
];

/// Tables and notes of each game, endings of the games, and explanations of the columns.
pub fn summary(results: &Results, rated: &AllRated<'_>, style: Style) -> String {
    if rated.is_empty() {
        return "no games\n".to_owned();
    }
    let mut screen = Screen::new(style);
    for one in &rated.of_two {
        screen.heading(one);
        screen.line("");
        game_tables(&mut screen, one);
        screen.notes(&notes::facts(one), &notes::warnings(one, NotesOn::Screen));
    }
    for one in &rated.tables {
        screen.heading(one);
        screen.line("");
        let ratings = table_ratings(one);
        screen.named(&ratings, &columns_of_tables(&ratings));
        if one.order.len() > 1 {
            screen.line("");
            screen.crosstable(one);
        }
        screen.notes(&notes::table_facts(one), &notes::table_warnings(one));
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

/// The ratings of one game, for a screen.
pub fn ratings_table(one: &Rated<'_>) -> ReportTable {
    let ratings = tables::ratings(std::slice::from_ref(one));
    ratings.with_display_names(&one.settings.display_names)
}

/// The ratings of one game with more than two seats, for a screen.
pub fn table_ratings(one: &RatedTables<'_>) -> ReportTable {
    let ratings = tables::table_ratings(std::slice::from_ref(one));
    ratings.with_display_names(&one.settings.display_names)
}

/// Columns of the ratings of tables on a screen, in their order. Columns of points by the rules are left out where the
/// rules have none.
pub fn columns_of_tables(ratings: &ReportTable) -> Vec<&str> {
    let is_empty = |at: usize| ratings.rows.iter().all(|row| row[at] == Cell::Missing);
    let own = ratings.columns.iter().enumerate();
    let names = own.filter(|(at, _)| !is_empty(*at));
    let names = names.map(|(_, column)| column.name.as_str());
    let names: Vec<&str> = names.collect();
    let places = names.iter().filter(|name| name.starts_with("place_"));
    let wanted = [
        "rank",
        "player",
        "elo",
        "margin",
        "games",
        "score",
        "score_margin",
        "rules_points",
    ];
    let wanted = wanted.iter().chain(["rules_points_margin"].iter());
    let all = wanted.chain(places).chain(["forfeits", "blocks"].iter());
    all.copied().filter(|name| names.contains(name)).collect()
}

/// The tables of one game. Their first column, the game, is left out.
fn game_tables(screen: &mut Screen, one: &Rated<'_>) {
    screen.named(&ratings_table(one), &SHOWN);
    if one.order.len() > 1 {
        screen.line("");
        screen.crosstable(one);
    }
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

/// One table alone.
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
    use crate::game::{Blame, GameResult, Seat};
    use crate::report::text::width;
    use crate::results::ResultRow;
    use crate::results::Settings;

    /// Twenty game pairs of two players, with one forfeit.
    fn results() -> Results {
        let mut results = Results::default();
        for pair in 0..20 {
            for names in [["小明", "José"], ["José", "小明"]] {
                let (result, blame) = match (pair, names[0]) {
                    (0, "José") => (GameResult::Won(Seat::SECOND), Blame::Of(Seat::FIRST)),
                    (1..8, _) => (GameResult::Drawn, Blame::Nobody),
                    (_, "小明") => (GameResult::Won(Seat::FIRST), Blame::Nobody),
                    (_, _) => (GameResult::Won(Seat::BOTH[pair % 2]), Blame::Nobody),
                };
                results.add(&row(names, result, blame, Some(pair as u64)));
            }
        }
        results
    }

    fn row<'a>(
        names: [&'a str; 2],
        result: GameResult,
        blame: Blame,
        pair: Option<u64>,
    ) -> ResultRow<'a> {
        ResultRow {
            source: 0,
            id: None,
            game: "cachex",
            seats: &[],
            answers: "",
            options: "",
            pair,
            alike: None,
            opening: "",
            names: names.into(),
            points: None,
            result,
            blame,
            termination: match blame {
                Blame::Nobody => "rules",
                Blame::Of(_) | Blame::Several(_) => "time",
            },
            digest: "",
            date: "",
        }
    }

    fn screen(width: Option<usize>) -> String {
        let (results, settings) = (results(), Settings::default());
        let rated = results.rate(&settings);
        let colour = false;
        summary(
            &results,
            &rated,
            Style {
                width,
                colour,
                ..Style::default()
            },
        )
    }

    #[test]
    fn the_whole_screen() {
        insta::assert_snapshot!(screen(None), @"
        cachex: 40 games

          #  player  Elo   ±  games  points   score  won  drawn  lost  forfeits  forfeit wins
          1  小明    +72  49     40      27  67.5 %   20     14     6         0             1
          2  José    -72  49     40      13  32.5 %    6     14    20         1             0

          won-drawn-lost     小明     José
          小明                  -  20-14-6
          José            6-14-20        -

          game pairs by the player's points, and the difference in Elo from them alone
          player  opponent  0  ½   1  1½  2  single games  low  match Elo  high  low  normalized Elo  high     LOS
          小明    José      0  0  13   0  7             0  +40       +127  +214  +73            +180  +288  99.7 %

          Reference: the mean of all players has 0 Elo.
          The first seat is worth +122 Elo (± 94). Players of equal strength draw 39 % of their games (43 %
          if both seats were worth the same).
          20 complete game pairs; the two results of a pair have a correlation of +0.03, which the intervals
          take into account.
          Two figures of Elo: 小明 is 143 above José by the fit (Elo), which allows for seats and draws, and
          127 above by the score alone (match Elo).
        ! 1 point was won because the opponent forfeited, of 40 points in all.

        ended by: 39 rules, 1 time

          Elo             the ratings of all players, fitted to all games at once, with seats and draws
          ±               half the width of the 95 % interval of Elo, relative to the reference. If all
                          games were repeated many times, 95 of 100 such intervals would contain the true
                          value. One of two players can be clearly stronger although their intervals
                          overlap: see the table `superiority`.
          forfeits        games lost by the player's own fault, such as a crash or an illegal action
          forfeit wins    games won because the opponent forfeited
          single games    games that belong to no complete game pair
          low             low and high are the ends of the 95 % interval
          match Elo       the difference in Elo that the score alone makes, by the Elo curve
          normalized Elo  the difference relative to how much the results vary
          LOS             likelihood of superiority: one minus the p-value of the player being no stronger
        ");
    }

    #[test]
    fn a_crosstable_that_is_too_wide_says_where_it_is_and_is_shown_in_parts() {
        let mut results = Results::default();
        let names: Vec<String> = (0..30).map(|player| format!("player-{player}")).collect();
        for (player, name) in names.iter().enumerate() {
            let names = [name.as_str(), &names[(player + 1) % names.len()]];
            results.add(&row(
                names,
                GameResult::Won(Seat::FIRST),
                Blame::Nobody,
                None,
            ));
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
        let style = Style {
            width: Some(80),
            ..Style::default()
        };
        let crosstable = tables::crosstable(rated.each().collect()).collect();
        let parts = plain(&crosstable, style);
        assert!(parts.lines().all(|line| width(line) <= 80), "{parts}");
        assert_eq!(parts.matches("won-drawn-lost").count(), 6, "{parts}");
        assert!(names.iter().all(|name| parts.contains(name.as_str())));
    }

    #[test]
    fn only_the_columns_that_are_shown_are_explained() {
        let narrow = screen(Some(60));
        assert!(narrow.lines().all(|line| width(line) <= 60), "{narrow}");
        assert!(!narrow.contains("exactly these points") && !narrow.contains("games won because"));
        assert!(narrow.contains("  ±  "), "{narrow}");
        let left_out = "(no room at this width for: low of normalized Elo, high of normalized Elo, single games,";
        assert!(narrow.replace("\n  ", " ").contains(left_out), "{narrow}");
    }
}
