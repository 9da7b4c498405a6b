//! Lines of CSV as bytes, and problems with them in words.

use serde::Serialize;

/// The header line of a table.
pub(in crate::runs) fn csv_header(row: &impl Serialize) -> Vec<u8> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    // Neither error can happen: memory takes the bytes, and the row is a flat record.
    let _ = writer.serialize(row);
    let mut bytes = writer.into_inner().unwrap_or_default();
    let end = bytes.iter().position(|byte| *byte == b'\n');
    bytes.truncate(end.map_or(0, |end| end + 1));
    bytes
}

/// A line of these fields.
pub(in crate::runs) fn csv_line<T: AsRef<[u8]>>(fields: impl IntoIterator<Item = T>) -> Vec<u8> {
    let mut writer = csv::Writer::from_writer(Vec::with_capacity(256));
    // Neither error can happen: memory takes the bytes.
    let _ = writer.write_record(fields);
    writer.into_inner().unwrap_or_default()
}

/// An error in a record of a CSV file, without its place: the message names that already.
pub(crate) fn csv_words(error: csv::Error) -> String {
    match error.into_kind() {
        csv::ErrorKind::Deserialize { err, .. } => err.to_string(),
        csv::ErrorKind::Utf8 { err, .. } => err.to_string(),
        csv::ErrorKind::UnequalLengths {
            expected_len, len, ..
        } => format!("it has {len} fields, expected {expected_len}"),
        other => format!("{other:?}"),
    }
}
