//! Parts of any page: charts, tables, and the templates that make HTML of them.

pub mod columns;
pub mod forfeits;
pub mod page;
pub mod rows;
pub mod svg;
pub mod table;
