//! Values that bots reported, over the games.

use super::Titled;
use crate::pages::context::RunContext;
use crate::pages::game::{MOST_REPORTING, Reported, SPEED};
use crate::pages::parts::lines::{Line, Point, Setting, lines_chart};
use crate::pages::parts::svg::Chart;
use crate::pages::parts::table::{CellView, ColumnView, TableView};
use crate::report::shortened;

const CHARTS: usize = 4;

/// The value that has the first chart.
const DEPTH: &str = "depth";

/// Maximum display width of a name in the legend.
const NAME: usize = 28;

/// A chart for each value that was reported in games of one kind, with its heading and its numbers.
pub fn charts(pages: &RunContext<'_>, game: &str, reported: &Reported) -> Vec<Titled> {
    let mut names: Vec<&String> = reported.values.keys().collect();
    // Sorted by name before.
    names.sort_by_key(|name| (*name != DEPTH, *name != SPEED));
    let charts = names.into_iter().take(CHARTS).filter_map(|name| {
        let (chart, numbers) = chart(pages, game, reported, name)?;
        Some((format!("Reported: {name}"), chart, numbers))
    });
    charts.collect()
}

fn chart(
    pages: &RunContext<'_>,
    game: &str,
    reported: &Reported,
    name: &str,
) -> Option<(Chart, TableView)> {
    let by_player = &reported.values[name];
    let width = by_player.values().map(|it| it.width()).max()?;
    let (mut lines, mut rows) = (Vec::new(), Vec::new());
    let players = pages.run.player_names();
    for player in players {
        let Some(stretches) = by_player.get(player) else {
            continue;
        };
        let shown = pages.names.shown(player);
        let end = |end: u64| end.min(reported.games());
        lines.push(Line {
            name: shortened(&shown, NAME),
            points: stretches
                .means()
                .map(|(last, mean)| Point::new(end(last), mean))
                .collect(),
            is_limit: false,
        });
        for (last, mean) in stretches.means() {
            rows.push(vec![
                CellView::text(&shown).heading(),
                CellView::count(end(last)),
                CellView::text(&brief(mean)),
            ]);
        }
    }
    if lines.iter().all(|line| line.points.len() < 3) {
        return None;
    }
    let setting = Setting {
        games: reported.games(),
        included: &[0.0],
        words: &brief,
        unit: "games",
        title: name,
    };
    let left_out = match reported.too_many {
        true => format!(
            " More than {MOST_REPORTING} players report it, or too many values: the first are here."
        ),
        false => String::new(),
    };
    let each = match width {
        1 => "each game".to_owned(),
        games => format!("each {games} consecutive games"),
    };
    let chart = Chart {
        name: format!("{game} {name} over games"),
        title: format!("{game}: {name} over the games"),
        description: format!(
            "Mean of `{name}`, as the bots reported it with their answers, in {each}.{left_out}"
        ),
        ..lines_chart(&lines, &setting)
    };
    let mut columns = vec![ColumnView::name("player")];
    columns.extend(["up to game", name].map(ColumnView::number));
    let numbers = TableView::new(format!("{game}: {name} over the games"), columns, rows);
    Some((chart, numbers))
}

/// A number with at most four digits and a unit, such as `1.23M`.
fn brief(number: f64) -> String {
    let (value, unit) = match number.abs() {
        0.0..1e4 => (number, ""),
        1e4..1e6 => (number / 1e3, "k"),
        1e6..1e9 => (number / 1e6, "M"),
        1e9..1e12 => (number / 1e9, "G"),
        _ => (number / 1e12, "T"),
    };
    let decimals = match value.abs() {
        0.0..10.0 => 2,
        10.0..100.0 => 1,
        _ => 0,
    };
    let text = format!("{value:.decimals$}");
    let text = match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.'),
        false => &text,
    };
    // Zero has no sign.
    format!("{}{unit}", if text == "-0" { "0" } else { text })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        for (number, shown) in [
            (0.0, "0"),
            (-0.001, "0"),
            (7.0, "7"),
            (3.456, "3.46"),
            (12.34, "12.3"),
            (-200.0, "-200"),
            (9999.4, "9999"),
            (12_345.0, "12.3k"),
            (1_234_567.0, "1.23M"),
            (4e12, "4T"),
        ] {
            assert_eq!(brief(number), shown);
        }
    }
}
