//! The variants of a grid with their ratings, from the manifest.

use std::collections::BTreeMap;

use super::{Titled, ValuePoint, scale_words, value_plot, values_of};
use crate::pages::context::RunContext;
use crate::pages::parts::svg::{Chart, range};
use crate::pages::parts::table::{CellView, ColumnView, TableView};
use crate::rating::Interval;
use crate::report::Cell;
use crate::results::Rated;
use crate::text::visible;

/// From this ratio of the largest to the smallest value the scale is logarithmic.
const LOGARITHMIC: f64 = 16.0;

pub struct Variant<'a> {
    pub name: &'a str,
    pub values: &'a BTreeMap<String, String>,
    pub rating: Interval,
}

#[derive(Default)]
pub struct Grid<'a> {
    pub variants: Vec<Variant<'a>>,
}

/// Values of a parameter in order: numbers by size, texts as in the plan.
pub struct Values<'a> {
    pub parameter: &'a str,
    pub texts: Vec<&'a str>,
    pub numbers: Option<Vec<f64>>,
}

/// The grids of a run's manifest, with the ratings of a game. Consecutive players with the same parameters and the same house
/// bot, if no parameter is the house bot, are of one entry until a combination of values comes again.
pub fn grids<'a>(pages: &RunContext<'a>, one: &Rated<'_>) -> Vec<Grid<'a>> {
    let mut grids: Vec<Grid<'a>> = Vec::new();
    let mut last = None;
    for table in &pages.run.manifest().players {
        let house = table.house.as_ref();
        let house = house.filter(|house| table.grid.values().all(|value| value != *house));
        let parameters: Vec<&String> = table.grid.keys().collect();
        let kind = (!parameters.is_empty()).then_some((house, parameters));
        let Some(rating) = one.find(&table.name).map(|player| one.interval(player)) else {
            continue;
        };
        let variant = Variant {
            name: &table.name,
            values: &table.grid,
            rating,
        };
        match grids.last_mut() {
            _ if kind.is_none() => {}
            Some(grid) if kind == last && grid.lacks(&table.grid) => grid.variants.push(variant),
            _ => grids.push(Grid {
                variants: vec![variant],
            }),
        }
        last = kind;
    }
    grids
}

impl<'a> Grid<'a> {
    fn lacks(&self, values: &BTreeMap<String, String>) -> bool {
        self.variants.iter().all(|known| known.values != values)
    }

    pub fn varied(&self) -> Vec<Values<'a>> {
        let first = self.variants.first().map(|variant| variant.values);
        let parameters = first.into_iter().flat_map(BTreeMap::keys);
        let values = parameters.map(|parameter| self.values_of(parameter));
        values.filter(|values| values.texts.len() > 1).collect()
    }

    fn values_of(&self, parameter: &'a str) -> Values<'a> {
        let mut texts: Vec<&str> = Vec::new();
        for variant in &self.variants {
            let value = variant.values.get(parameter).map(String::as_str);
            texts.extend(value.filter(|value| !texts.contains(value)));
        }
        let number = |text: &&str| text.parse::<f64>().ok().filter(|number| number.is_finite());
        let numbers: Option<Vec<(f64, &str)>> = texts
            .iter()
            .map(|text| Some((number(text)?, *text)))
            .collect();
        let numbers = numbers.map(|mut numbers| {
            numbers.sort_by(|a, b| a.0.total_cmp(&b.0));
            texts = numbers.iter().map(|(_, text)| *text).collect();
            numbers.iter().map(|(number, _)| *number).collect()
        });
        Values {
            parameter,
            texts,
            numbers,
        }
    }
}

impl Variant<'_> {
    pub fn place(&self, values: &Values<'_>) -> Option<usize> {
        let own = self.values.get(values.parameter)?;
        values.texts.iter().position(|text| text == own)
    }
}

impl Values<'_> {
    pub fn shown(&self, place: usize) -> String {
        visible(self.texts[place])
    }

    pub fn is_logarithmic(&self) -> bool {
        self.numbers
            .as_deref()
            .is_some_and(|numbers| match numbers {
                [first, .., last] => *first > 0.0 && last / first >= LOGARITHMIC,
                _ => false,
            })
    }

    /// The place of each value along an axis, from 0 to 1: numbers by a scale, texts at equal distances.
    pub fn parts(&self) -> Vec<f64> {
        let is_logarithmic = self.is_logarithmic();
        let scaled = |number: &f64| match is_logarithmic {
            true => number.ln(),
            false => *number,
        };
        let even = || (0..self.texts.len()).map(|at| at as f64).collect();
        let numbers = self
            .numbers
            .as_ref()
            .map(|numbers| numbers.iter().map(scaled).collect());
        let numbers: Vec<f64> = numbers.unwrap_or_else(even);
        let (Some(first), Some(last)) = (numbers.first(), numbers.last()) else {
            return Vec::new();
        };
        // The ends are within the plot, so that their intervals are too.
        let part =
            |number: &f64| 0.04 + 0.92 * (number - first) / (last - first).max(f64::MIN_POSITIVE);
        numbers.iter().map(part).collect()
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_in_their_order_and_texts_in_that_of_the_plan() {
        let logarithmic = 0.04 + 0.92 * (10_f64 / 9.0).ln() / (200_f64 / 9.0).ln();
        for (given, texts, parts) in [
            (
                ["10", "9", "200"],
                ["9", "10", "200"],
                [0.04, logarithmic, 0.96],
            ),
            (["10", "9", "13"], ["9", "10", "13"], [0.04, 0.27, 0.96]),
            (
                ["fast", "7", "slow"],
                ["fast", "7", "slow"],
                [0.04, 0.5, 0.96],
            ),
        ] {
            let values = given.map(|value| {
                let values = [("value", value), ("kind", "a")];
                BTreeMap::from(values.map(|(name, value)| (name.to_owned(), value.to_owned())))
            });
            let variant = |values| Variant {
                name: "a",
                values,
                rating: [-1.0, 0.0, 1.0],
            };
            let grid = Grid {
                variants: values.iter().map(variant).collect(),
            };
            let [varied] = &grid.varied()[..] else {
                panic!("one parameter has several values");
            };
            assert_eq!(varied.texts, texts);
            let found = varied.parts();
            let near = |(found, part): (&f64, f64)| (found - part).abs() < 1e-9;
            assert!(found.iter().zip(parts).all(near), "{found:?}");
        }
    }
}
