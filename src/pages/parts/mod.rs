//! Parts of any page: charts, tables, and the templates that make HTML of them.

pub mod cell_chart;
pub mod columns;
pub mod lines;
pub mod navigation;
pub mod page;
pub mod panels;
pub mod svg;
pub mod table;
pub mod test_history;
pub mod thinned;
