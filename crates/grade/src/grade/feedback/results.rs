//! `results.json` for the autograders of learning platforms.

use serde_json::{Value, json};

use super::FeedbackInput;
use super::tables::number;
use crate::grade::config::PartKind;
use crate::grade::marks::Status;
use crate::text::{counted, escaped_json, visible_lines};

/// Maximum bytes of feedback in a file: PrairieLearn accepts 1 MB, and escaping may turn a byte into six.
const MOST_TEXT: usize = 100 << 10;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Platform {
    Gradescope,
    PrairieLearn,
}

struct MarkPart {
    name: String,
    marks: Option<f64>,
    of: f64,
    says: String,
    /// Whether games for it should have been played, but were not.
    is_missing: bool,
}

impl Platform {
    pub(super) fn results(
        self,
        input: &FeedbackInput<'_>,
        feedback: &str,
        seconds: Option<u64>,
    ) -> String {
        let mark = input.mark;
        // A score of 0 would be a mark, so omit it.
        let is_unknown = mark.known_total().is_none();
        let most = input.grading.most_marks();
        let output = bounded(feedback);
        let parts = parts(input);
        match self {
            Self::Gradescope => {
                let tests = parts.into_iter().enumerate().map(|(at, part)| {
                    let score = part.marks.map(rounded);
                    let status = part.is_missing.then_some("failed");
                    let mut test = json!({
                        "max_score": rounded(part.of),
                        "name": part.name,
                        "number": (at + 1).to_string(),
                        "output": part.says,
                        "visibility": "visible",
                    });
                    set(&mut test, "score", score);
                    set(&mut test, "status", status);
                    test
                });
                let mut results = gradescope(&output, "md", tests.collect());
                set(
                    &mut results,
                    "score",
                    (!is_unknown).then(|| rounded(mark.total)),
                );
                set(&mut results, "execution_time", seconds);
                shown(&results)
            }
            Self::PrairieLearn => {
                let tests = parts.into_iter().map(|part| {
                    json!({
                        "name": part.name,
                        "description": "",
                        "points": rounded(part.marks.unwrap_or(0.0)),
                        "max_points": rounded(part.of),
                        "message": part.says,
                    })
                });
                shown(&json!({
                    "gradable": mark.status != Status::Held,
                    "score": rounded((mark.total / most.max(f64::MIN_POSITIVE)).clamp(0.0, 1.0)),
                    "message": format!("{} of {} marks", number(mark.total), number(most)),
                    "output": output,
                    "tests": tests.collect::<Vec<_>>(),
                }))
            }
        }
    }

    /// Results without a mark, through no fault of the student: `words` are for the student, `staff` for the
    /// staff if the platform can hide them.
    pub fn without_mark(self, words: &str, staff: Option<&str>) -> String {
        let output = bounded(words);
        match self {
            Self::Gradescope => {
                let test = staff.map(|words| {
                    json!({
                        "status": "failed",
                        "name": "for the staff: why there is no mark",
                        "number": "1",
                        "output": bounded(words),
                        "visibility": "hidden",
                    })
                });
                shown(&gradescope(&output, "text", test.into_iter().collect()))
            }
            Self::PrairieLearn => shown(&json!({
                "gradable": false,
                "score": 0.0,
                "message": "there is no mark",
                "output": output,
                "tests": [],
            })),
        }
    }
}

/// Gradescope's format. Without any score it reports a failed autograder and gives no mark.
fn gradescope(output: &str, format: &str, tests: Vec<Value>) -> Value {
    json!({
        "output": output,
        "output_format": format,
        "test_output_format": "text",
        "test_name_format": "text",
        "visibility": "visible",
        // Output of the machinery may reveal details of the machine.
        "stdout_visibility": "hidden",
        "tests": tests,
    })
}

fn set(object: &mut Value, key: &str, value: Option<impl Into<Value>>) {
    if let Some(value) = value {
        object[key] = value.into();
    }
}

fn parts(input: &FeedbackInput<'_>) -> Vec<MarkPart> {
    let (grading, mark) = (input.grading, input.mark);
    let parts = grading.parts().into_iter().map(|part| {
        let marks = mark.part(part.kind);
        let says = match part.kind {
            PartKind::Test(at) => {
                let played = mark.tests.get(at).filter(|played| played.games > 0);
                played.map(|played| {
                    format!(
                        "{:.1} % of the points in {}; these games fit a true strength that is worth {} to {} marks \
                         (95 % interval)",
                        100.0 * played.share,
                        counted(played.games, "game", "games"),
                        number(played.low),
                        number(played.high)
                    )
                })
            }
            PartKind::Reliability => marks.map(|_| {
                let forfeits: u64 = mark.forfeits.values().sum();
                format!("{} forfeited", counted(forfeits, "game", "games"))
            }),
        };
        let is_missing = says.is_none();
        MarkPart {
            name: part.name.to_owned(),
            // There are no games of a submission that is held.
            marks: mark.known_total().map(|_| marks.unwrap_or(0.0)),
            of: part.of,
            says: says.unwrap_or_else(|| "no game was played".to_owned()),
            is_missing,
        }
    });
    let late = (mark.penalty > 0.0).then(|| MarkPart {
        name: "late".to_owned(),
        marks: Some(-mark.penalty),
        of: 0.0,
        says: format!("handed in {} late", grading.days_late(mark.days_late)),
        is_missing: false,
    });
    parts.chain(late).collect()
}

fn bounded(text: &str) -> String {
    let end = text.floor_char_boundary(MOST_TEXT);
    let mut begin = visible_lines(&text[..end]);
    if end < text.len() {
        begin.push_str("\n\n…\n");
    }
    begin
}

/// Rounds to three decimals; no mark has more.
fn rounded(value: f64) -> f64 {
    let value = (value * 1000.0).round() / 1000.0;
    // Turn -0 into 0.
    value + 0.0
}

fn shown(value: &Value) -> String {
    format!("{}\n", escaped_json(&format!("{value:#}")))
}
