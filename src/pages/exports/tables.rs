//! Tables as CSV and as Markdown.

use crate::pages::article::{Table, Words};
use crate::pages::parts::table::{CellView, TableView};
use crate::report::{Cell, Column, ReportTable, sheet_text};

/// A table as CSV. Text that a spreadsheet would compute has an apostrophe before it; numbers stay as they are.
pub fn csv(table: &TableView) -> String {
    let table = without_charts(table);
    let columns = table.columns.iter();
    let columns = columns.map(|column| Column::text(&sheet_text(&column.title), &column.title));
    let cell = |cell: &CellView| Cell::Text(safe(&cell.text));
    let table = ReportTable {
        name: "figures",
        columns: columns.collect(),
        rows: table
            .rows
            .iter()
            .map(|row| row.iter().map(cell).collect())
            .collect(),
    };
    // Cells are text, so the bytes are too.
    String::from_utf8_lossy(&table.csv()).into_owned()
}

fn safe(text: &str) -> String {
    match text.parse::<f64>() {
        Ok(number) if number.is_finite() => text.to_owned(),
        _ => sheet_text(text),
    }
}

/// The table without its columns of charts.
fn without_charts(table: &TableView) -> TableView {
    let is_kept: Vec<bool> = table.columns.iter().map(|it| !it.is_charts()).collect();
    fn kept<T: Clone>(row: &[T], is_kept: &[bool]) -> Vec<T> {
        let some = row.iter().zip(is_kept).filter(|(_, is_kept)| **is_kept);
        some.map(|(one, _)| one.clone()).collect()
    }
    let rows = table.rows.iter().map(|row| kept(row, &is_kept));
    TableView::new(
        table.caption.clone(),
        kept(&table.columns, &is_kept),
        rows.collect(),
    )
}

/// A table as Markdown.
pub fn markdown(table: &TableView) -> String {
    let table = without_charts(table);
    let cell = |cell: &CellView| match cell.code && !cell.text.is_empty() {
        true => Words::Code(cell.text.clone()),
        false => Words::Plain(cell.text.clone()),
    };
    let table = Table {
        caption: table.caption.clone(),
        columns: table
            .columns
            .iter()
            .map(|column| column.title.clone())
            .collect(),
        rows: table
            .rows
            .iter()
            .map(|row| row.iter().map(cell).collect())
            .collect(),
    };
    table.markdown()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pages::parts::table::ColumnView;

    #[test]
    fn names_from_others_are_text_in_every_form() {
        let table = TableView::new(
            "t".to_owned(),
            vec![ColumnView::name("player"), ColumnView::number("Elo")],
            vec![
                vec![CellView::text("=1+1|<b>"), CellView::text("-12.5")],
                vec![CellView::text("a,b\"c"), CellView::text("+3 ± 4")],
                vec![CellView::text("-inf"), CellView::command("x | y")],
            ],
        );
        assert_eq!(
            csv(&table),
            "player,Elo\n'=1+1|<b>,-12.5\n\"a,b\"\"c\",'+3 ± 4\n'-inf,x | y\n"
        );
        let expected = "| player | Elo |\n| --- | --: |\n| =1+1\\|\\<b\\> | -12.5 |\n| a,b\"c | +3 ± 4 |\n| -inf | `x ¦ y` |\n";
        assert_eq!(markdown(&table), expected);
    }
}
