//! Elo of a grid by each of its parameters, as a mean over the others.

use super::variants::{Grid, Values};
use super::{Titled, ValuePoint, scale_words, value_plot, values_of};
use crate::pages::parts::svg::{Chart, range};
use crate::pages::parts::table::{CellView, ColumnView, TableView};
use crate::report::Cell;

/// Upper bound on the parameters with a chart.
const PARAMETERS: usize = 6;

/// A chart for each parameter, with its name and the numbers. All have one scale, so that they can be compared.
pub fn mean_charts(grid: &Grid<'_>, game: &str, varied: &[Values<'_>]) -> Vec<Titled> {
    let means = varied
        .iter()
        .take(PARAMETERS)
        .map(|values| means(grid, values));
    let means: Vec<Vec<(usize, ValuePoint)>> = means.collect();
    let all = means.iter().flatten();
    let scale = range(all.flat_map(|(_, point)| values_of(point)));
    let charts = varied.iter().zip(&means).map(|(values, means)| {
        let points: Vec<ValuePoint> = means.iter().map(|(_, point)| *point).collect();
        let parameter = values.parameter;
        let chart = Chart {
            name: format!("{game} elo by {parameter}"),
            title: format!("{game}: mean Elo by {parameter}"),
            description: format!(
                "Mean Elo of the variants with each value of `{parameter}`, over the values of all other parameters. A line goes from the \
                 lowest to the highest of these variants; all parameters have the same scale of Elo.{}",
                scale_words(values)
            ),
            ..value_plot(values, &points, scale)
        };
        (parameter.to_owned(), chart, numbers(game, values, means))
    });
    charts.collect()
}

fn means(grid: &Grid<'_>, values: &Values<'_>) -> Vec<(usize, ValuePoint)> {
    let found = (0..values.texts.len()).filter_map(|place| {
        let own = grid
            .variants
            .iter()
            .filter(|it| it.place(values) == Some(place));
        let elo: Vec<f64> = own.map(|variant| variant.rating[1]).collect();
        let mean = elo.iter().sum::<f64>() / elo.len() as f64;
        let point = ValuePoint {
            place,
            elo: mean,
            ends: range(elo.iter().copied()),
        };
        (!elo.is_empty()).then_some((elo.len(), point))
    });
    found.collect()
}

fn numbers(game: &str, values: &Values<'_>, means: &[(usize, ValuePoint)]) -> TableView {
    let mut columns = vec![ColumnView::number(values.parameter)];
    columns.extend(["variants", "mean Elo", "lowest", "highest"].map(ColumnView::number));
    let rows = means.iter().map(|(variants, point)| {
        let mut row = vec![
            CellView::text(values.texts[point.place]),
            CellView::count(*variants as u64),
        ];
        let elo = [point.elo, point.ends[0], point.ends[1]];
        row.extend(elo.map(|elo| CellView::text(&Cell::Elo(elo).plain())));
        row
    });
    let caption = format!("{game}: mean Elo by {}", values.parameter);
    TableView::new(caption, columns, rows)
}
