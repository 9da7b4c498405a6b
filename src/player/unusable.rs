//! Output that is no answer at all. The journal stores only the message of a fault, so its words identify the kind.

/// Kind of unusable output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnusableOutput {
    /// Output before the bot was asked.
    OutOfTurn,
    /// A line over the limit, answer or debug line.
    LongLine,
    /// Too much output before an answer.
    Flood,
    /// A line that is not UTF-8 text.
    NotText,
}

impl UnusableOutput {
    /// Recognises the kind by the message of a [`Fault`](super::Fault); `None` for other faults.
    pub fn of(detail: &str) -> Option<Self> {
        let what = detail.strip_prefix("the bot wrote ")?;
        match what {
            // Checked first: the quoted line may contain another fault's words.
            _ if what.starts_with('`') => Some(Self::OutOfTurn),
            _ if what.starts_with("a line of more than ") => Some(Self::LongLine),
            _ if what.starts_with("more than ") => Some(Self::Flood),
            "a line that is not UTF-8 text" => Some(Self::NotText),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::player::Fault;

    #[test]
    fn what_is_wrong_is_known_by_the_words_of_the_fault() {
        let line = "more than 1 bytes without an answer among them".to_owned();
        for (fault, expected) in [
            (Fault::OutOfTurn { line }, Some(UnusableOutput::OutOfTurn)),
            (
                Fault::LineTooLong { limit: 1 },
                Some(UnusableOutput::LongLine),
            ),
            (Fault::Flood { limit: 1 }, Some(UnusableOutput::Flood)),
            (Fault::NotText, Some(UnusableOutput::NotText)),
            (Fault::HungUp, None),
        ] {
            let detail = fault.to_string();
            assert_eq!(UnusableOutput::of(&detail), expected, "{detail}");
        }
        let answer = "answered `the bot wrote more than` at ply 3: expected a cell";
        assert_eq!(UnusableOutput::of(answer), None);
    }
}
