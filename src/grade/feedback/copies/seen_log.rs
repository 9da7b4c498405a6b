//! The log of a game and the output of a bot, as the bot's student may see them.

use super::scrub::Scrub;

/// The log of a game as the player of a seat may see it: without the values that the other bot reported, and the length
/// of its output, which may tell how it thinks. `None` if it is unchanged.
pub fn log_seen_by(
    own: &str,
    log: &[u8],
    keeps_values: bool,
    output: &Output<'_>,
) -> Option<Vec<u8>> {
    let mut reader = csv::Reader::from_reader(log);
    let columns = reader.headers().ok()?.clone();
    let place = |name: &str| columns.iter().position(|column| column == name);
    let (seats, values, lengths) = (place("seat")?, place("values")?, place("output_bytes")?);
    let records: Vec<csv::StringRecord> = reader.records().collect::<Result<_, _>>().ok()?;
    let is_own = |record: &csv::StringRecord| record.get(seats) == Some(own);
    let length = |record: &csv::StringRecord| record.get(lengths)?.parse().ok();
    let own_rows = records.iter().filter(|record| is_own(record));
    let mut shown = output.places(own_rows.map(length)).into_iter();
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(&columns).ok()?;
    for record in &records {
        let length = match is_own(record) {
            true => shown.next()?.map(|place| place.to_string()),
            false => None,
        };
        let fields = record.iter().enumerate();
        let fields = fields.map(|(at, field)| match at {
            at if at == lengths => length.as_deref().unwrap_or_default(),
            at if at == values && !is_own(record) && !keeps_values => "",
            _ => field,
        });
        writer.write_record(fields).ok()?;
    }
    writer.into_inner().ok().filter(|seen| seen != log)
}

/// Output of a bot, and the part of it that its student may see.
#[derive(Default)]
pub struct Output<'a> {
    whole: Vec<u8>,
    pub shown: Vec<u8>,
    scrub: Option<&'a Scrub>,
}

impl<'a> Output<'a> {
    pub fn new(whole: Vec<u8>, scrub: &'a Scrub) -> Self {
        let shown = scrub.bytes(&whole);
        let scrub = (shown != whole).then_some(scrub);
        Self {
            whole,
            shown,
            scrub,
        }
    }

    /// Maps ascending offsets of the whole output to offsets of the shown output. All are `None` if a hidden word spans one
    /// of them.
    fn places(&self, wholes: impl Iterator<Item = Option<u64>>) -> Vec<Option<u64>> {
        let wholes: Vec<Option<u64>> = wholes.collect();
        let Some(scrub) = self.scrub else {
            return wholes;
        };
        let (mut at, mut length) = (0, 0);
        let mut next = |place: u64| {
            let to = usize::try_from(place).unwrap_or(usize::MAX);
            let to = to.clamp(at, self.whole.len());
            length += scrub.bytes(&self.whole[at..to]).len() as u64;
            at = to;
            length
        };
        let places = wholes.iter().map(|place| place.map(&mut next)).collect();
        if next(self.whole.len() as u64) == self.shown.len() as u64 {
            places
        } else {
            vec![None; wholes.len()]
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    const LOG: &str =
        "ply,seat,values,output_bytes\n1,red,depth=3,20\n2,blue,depth=9,7\n3,red,,40\n";

    #[test]
    fn of_the_other_bot_neither_values_nor_output_are_seen() {
        let scrub = Scrub::new();
        let output = Output::new(vec![b'x'; 50], &scrub);
        let seen = |keeps| log_seen_by("red", LOG.as_bytes(), keeps, &output);
        let text = |seen: Option<Vec<u8>>| String::from_utf8(seen.expect("changed")).expect("text");
        assert_eq!(text(seen(false)), LOG.replace("blue,depth=9,7", "blue,,"));
        assert_eq!(
            text(seen(true)),
            LOG.replace("blue,depth=9,7", "blue,depth=9,")
        );
    }

    #[test]
    fn offsets_move_with_the_words_that_are_hidden() {
        let mut scrub = Scrub::new();
        scrub.hide(Path::new("/home/lecturer"));
        let text = b"# /home/lecturer/a\n# one\n# two\n";
        let output = Output::new(text.to_vec(), &scrub);
        let wholes = [Some(19), None, Some(25), Some(31), Some(9000)];
        let expected = [6, 12, 18, 18].map(Some);
        let places = output.places(wholes.into_iter());
        assert_eq!(
            places
                .iter()
                .flatten()
                .copied()
                .map(Some)
                .collect::<Vec<_>>(),
            expected
        );
        assert_eq!(String::from_utf8_lossy(&output.shown[6..12]), "# one\n");
        // A place within the hidden path.
        assert_eq!(output.places([Some(9), Some(25)].into_iter()), [None, None]);
    }
}
