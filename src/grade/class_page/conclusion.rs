//! The first words of the page: how the class did, and what needs a person.

use super::causes::shared_causes;
use super::others::groups_alike;
use super::view::{CHANGES, COPIES, ClassView, FORFEITS, NOT_GRADED, PROBLEMS, STUDENTS, listed};
use crate::grade::feedback::number;
use crate::grade::marks::{Mark, Status};
use crate::grade::results::Alike;
use crate::pages::{Block, Words, heading_id};
use crate::text::counted;

/// How the class did, and what needs a person.
pub(super) fn blocks(class: &ClassView<'_>, alike: &[Alike]) -> Vec<Block> {
    let all = class.graded.marks.len();
    let graded = class.with(Status::Graded).count();
    let mut words = vec![Words::Strong(format!(
        "{graded} of {} graded{}.",
        class.counted(all),
        spread(class)
    ))];
    let others = [
        (Status::Held, "held until a person has looked"),
        (Status::Broken, "broken"),
        (Status::Late, "too late to be marked"),
        (Status::None, "handed in nothing"),
    ];
    let others = others.map(|(status, words)| (class.with(status).count(), words));
    let others: Vec<String> = others
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, words)| format!("{count} {words}"))
        .collect();
    if !others.is_empty() {
        words.push(Words::Plain(format!(" The others: {}.", others.join(", "))));
    }
    vec![Block::Conclusion(words), Block::Text(to_do(class, alike))]
}

/// Least, middle and greatest mark, in words.
fn spread(class: &ClassView<'_>) -> String {
    let mut totals: Vec<f64> = class.with(Status::Graded).map(|mark| mark.total).collect();
    totals.sort_by(f64::total_cmp);
    let (Some(least), Some(most)) = (totals.first(), totals.last()) else {
        return String::new();
    };
    let at = |part: f64| number(quantile(&totals, part));
    let half = match [at(0.25), at(0.75)] {
        [low, high] if low == high => format!("half of them or more have {low}"),
        [low, high] => format!("half of them have {low} to {high}"),
    };
    format!(
        ": {} to {} of {} marks, the median is {}, and {half}",
        number(*least),
        number(*most),
        number(class.grading.most_marks()),
        at(0.5),
    )
}

/// Quantile of sorted numbers, between the two nearest ones. There is at least one number.
fn quantile(sorted: &[f64], part: f64) -> f64 {
    let place = part * (sorted.len().saturating_sub(1)) as f64;
    let (low, high) = (place.floor(), place.ceil());
    // Both lie within the numbers, so the casts are exact.
    let [low_at, high_at] = [low as usize, high as usize];
    sorted[low_at] + (place - low) * (sorted[high_at] - sorted[low_at])
}

/// Everything that needs a person, with links to the parts of the page.
fn to_do(class: &ClassView<'_>, alike: &[Alike]) -> Vec<Words> {
    let held = class.with(Status::Held).count() as u64;
    let causes = shared_causes(class) as u64;
    let graded = class.with(Status::Graded);
    let unmarked = graded.filter(|mark| mark.by_hand.contains(&None)).count();
    let problems = class.graded.problems.iter().filter(|it| !it.is_note);
    let problems = problems.count() as u64;
    let groups = groups_alike(alike).len() as u64;
    let forfeiting = class
        .with(Status::Graded)
        .filter(|mark| forfeits_most(mark))
        .count();
    let needs = [
        (held, counted(held, "held mark", "held marks"), NOT_GRADED),
        (
            causes,
            counted(causes, "cause", "causes") + " that three or more share",
            NOT_GRADED,
        ),
        (
            forfeiting as u64,
            class.counted(forfeiting) + " with half of the games forfeited, or more",
            FORFEITS,
        ),
        (
            unmarked as u64,
            class.counted(unmarked) + " without a mark by hand",
            STUDENTS,
        ),
        (
            groups,
            counted(groups, "group", "groups") + " of programs that play alike",
            COPIES,
        ),
        (
            problems,
            counted(problems, "problem", "problems") + " with the roster or the submissions",
            PROBLEMS,
        ),
    ];
    let needs: Vec<_> = needs.into_iter().filter(|(count, ..)| *count > 0).collect();
    let mut words = match needs.is_empty() {
        true => vec![Words::plain("Nothing needs a person.")],
        false => vec![Words::plain("A person has to look at ")],
    };
    for (at, (_, text, heading)) in needs.iter().enumerate() {
        if at > 0 {
            let is_last = at + 1 == needs.len();
            words.push(Words::plain(if is_last { " and " } else { ", " }));
        }
        words.push(Words::Link(
            text.clone(),
            format!("#{}", heading_id(heading)),
        ));
    }
    if !needs.is_empty() {
        words.push(Words::plain("."));
    }
    words.push(Words::plain(" Tables for other programs: "));
    let tables = ["marks.csv", "integrity.csv", "problems.txt"].map(str::to_owned);
    let links = tables.map(|name| vec![Words::Link(name.clone(), name)]);
    words.extend(listed(links.into_iter(), usize::MAX));
    words.push(Words::plain("; before you give out marks, see also "));
    words.push(Words::Link(
        "the changes".to_owned(),
        format!("#{}", heading_id(CHANGES)),
    ));
    words.push(Words::plain("."));
    words
}

/// Whether at least half of the games of a student were forfeited.
fn forfeits_most(mark: &Mark) -> bool {
    let games: u64 = mark.tests.iter().map(|test| test.games).sum();
    let forfeits: u64 = mark.forfeits.values().sum();
    forfeits > 0 && 2 * forfeits >= games
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_lie_between_their_neighbours() {
        assert_eq!(quantile(&[3.0], 0.5), 3.0);
        assert_eq!(quantile(&[1.0, 2.0], 0.5), 1.5);
        assert_eq!(quantile(&[0.0, 1.0, 2.0, 10.0, 20.0], 0.25), 1.0);
        assert_eq!(quantile(&[0.0, 1.0, 2.0, 10.0, 20.0], 1.0), 20.0);
    }
}
