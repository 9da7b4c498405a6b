//! The page of the plan.

use serde_json::Value;

use crate::pages::context::RunContext;
use crate::pages::error::PageError;
use crate::pages::parts::navigation::RunPart;
use crate::pages::parts::table::{CellView, ColumnView, TableView};

/// The page: the plan and the machine, from the manifest.
pub fn plan_page(pages: &RunContext<'_>) -> Result<String, PageError> {
    let manifest = pages.run.manifest();
    let mut rows = Vec::new();
    let mut add = |what: &str, value: Value| {
        rows.push(vec![
            CellView::text(what).heading(),
            CellView::text(&value_text(&value)),
        ]);
    };
    add("seed", manifest.seed.into());
    add("format", serde_json::to_value(&manifest.format)?);
    for game in &manifest.games {
        add("game", serde_json::to_value(game)?);
    }
    add("clock", serde_json::to_value(&manifest.clock)?);
    add("limits", serde_json::to_value(&manifest.limits)?);
    add("record", serde_json::to_value(manifest.record)?);
    add("games at a time", manifest.jobs.into());
    add("machine", serde_json::to_value(&manifest.machine)?);
    let table = TableView {
        caption: "from manifest.toml".to_owned(),
        columns: vec![ColumnView::text("what"), ColumnView::sentence("value")],
        rows,
        ..TableView::default()
    };
    let folder = pages.visible_folder();
    let verify = format!("referee verify {folder}");
    Ok(pages.table_page(
        RunPart::Plan,
        ["plan", ""],
        &pages.named_table("plan", &table)?,
        &[["Are these records true?".to_owned(), verify]],
    )?)
}

/// A value of the manifest as text: the keys of a table with their values.
fn value_text(value: &Value) -> String {
    match value {
        Value::Object(table) => {
            let given = table.iter().filter(|(_, value)| !value.is_null());
            let parts = given.map(|(key, value)| format!("{key} {}", value_text(value)));
            parts.collect::<Vec<_>>().join(", ")
        }
        Value::Array(values) => values.iter().map(value_text).collect::<Vec<_>>().join(" "),
        Value::String(text) => text.clone(),
        Value::Number(number) => match number.as_f64() {
            // Without the `.0` of a whole number that need not be one.
            Some(real) if number.is_f64() => real.to_string(),
            _ => number.to_string(),
        },
        other => other.to_string(),
    }
}
