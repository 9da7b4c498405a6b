//! How sure the marks of a class are.

use super::view::{ClassView, text};
use crate::grade::feedback::{number, percent};
use crate::grade::marks::Status;
use crate::pages::Block;

/// How sure the marks are.
pub(super) fn blocks(class: &ClassView<'_>) -> Vec<Block> {
    let graded = class.with(Status::Graded);
    let changes = graded.filter_map(|mark| mark.change.as_ref());
    let changes: Vec<f64> = changes.map(|change| change.probability).collect();
    if changes.is_empty() {
        return vec![text("Nobody is graded yet.")];
    }
    let count = changes.len();
    let mean = changes.iter().sum::<f64>() / count as f64;
    let often = changes.iter().filter(|change| **change > 0.5).count();
    let never = changes.iter().filter(|change| **change < 0.05).count();
    let step = class.grading.round_to;
    let steps = match step {
        step if step > 0.0 => format!("marks have steps of {}", number(step)),
        _ => "marks are not rounded, so nearly every repetition gives another one".to_owned(),
    };
    let how_sure = format!(
        "With other games of the same kind, {} of the marks would be other ones ({steps}). For {often} of {} a change is \
         likelier than not, and for {never} it is below 5 %.",
        percent(mean),
        class.counted(count)
    );
    let more = "To have more games played, raise `games` of each test, or set `change` of [marks] to the probability that \
        you accept; `most-games` bounds them. Then give the same command again.";
    vec![text(how_sure), text(more)]
}
