//! Who has no mark from games, and why: students with one cause together.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::view::{ClassView, text};
use crate::grade::bots::{Cause, SEVERAL};
use crate::grade::marks::{Hold, Mark, Status};
use crate::pages::{Block, Words};
use crate::text::excerpt;

/// Maximum number of students named with a cause.
const NAMED: usize = 60;

/// Maximum characters shown of a student's own reason.
const REASON: usize = 300;

/// Reason why a mark needs a look, possibly shared with others.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Reason<'a> {
    Cause(&'a Cause),
    Hold(Hold),
    /// Days late.
    Late(u32),
    Nothing,
    /// There is no further reason.
    Other,
}

impl Reason<'_> {
    fn words(&self) -> String {
        match self {
            Self::Cause(cause) => cause.to_string(),
            Self::Hold(hold) => match hold {
                Hold::SetAside => "some games could not be played on this machine: grade again",
                Hold::Reference => {
                    "a reference forfeited half of the games of a test, or more: look at its logs"
                }
                Hold::Changed => "not all games could be played, as something has changed",
                Hold::Unplayed => "no game of a test was played: grade again",
                Hold::UnequalByHand => "the members of the team have different marks by hand",
            }
            .to_owned(),
            Self::Late(1) => "1 day late".to_owned(),
            Self::Late(days) => format!("{days} days late"),
            Self::Nothing => "nothing was handed in".to_owned(),
            Self::Other => "it was not played: grade again".to_owned(),
        }
    }

    /// Advice to the lecturer, if several students share it.
    fn advice(&self) -> Option<&'static str> {
        match self {
            Self::Cause(cause) => {
                Some(cause.advice().unwrap_or(
                    "most likely the machine lacks something, or the handout is unclear",
                ))
            }
            Self::Hold(_) | Self::Late(_) | Self::Nothing | Self::Other => None,
        }
    }
}

/// Students with one status and reason.
type Groups<'a> = BTreeMap<(u8, Reason<'a>), Vec<&'a Mark>>;

/// Order of statuses: a person has to look at the first.
fn rank(status: Status) -> u8 {
    match status {
        Status::Held => 0,
        Status::Broken => 1,
        Status::Graded => 2,
        Status::Late => 3,
        Status::None => 4,
    }
}

fn groups<'a>(class: &ClassView<'a>) -> Groups<'a> {
    let causes = class.graded.causes.iter();
    let causes: BTreeMap<&str, &Cause> = causes.map(|(key, cause)| (key.as_str(), cause)).collect();
    let mut groups = Groups::new();
    for mark in &class.graded.marks {
        let key = mark.key.as_str();
        let holds = class.graded.holds.get(key).into_iter().flatten();
        let mut reasons: Vec<Reason<'_>> = holds.map(|hold| Reason::Hold(*hold)).collect();
        reasons.extend(causes.get(key).map(|cause| Reason::Cause(cause)));
        if reasons.is_empty() {
            reasons.extend(match mark.status {
                Status::Graded => None,
                Status::Late => Some(Reason::Late(mark.days_late)),
                Status::None => Some(Reason::Nothing),
                Status::Broken | Status::Held => Some(Reason::Other),
            });
        }
        for reason in reasons {
            let group = groups.entry((rank(mark.status), reason)).or_default();
            group.push(mark);
        }
    }
    // A program of one student that plays is no news: the forfeits tell of it.
    groups.retain(|(_, _), marks| marks[0].status != Status::Graded || marks.len() >= SEVERAL);
    groups
}

/// Number of causes that several students share.
pub(super) fn shared_causes(class: &ClassView<'_>) -> usize {
    let groups = groups(class);
    let shared = groups
        .iter()
        .filter(|((_, reason), marks)| is_shared(reason, marks));
    shared.count()
}

fn is_shared(reason: &Reason<'_>, marks: &[&Mark]) -> bool {
    matches!(reason, Reason::Cause(_)) && marks.len() >= SEVERAL
}

/// Students without a mark from games, by cause; shared causes first.
pub(super) fn blocks(class: &ClassView<'_>) -> Vec<Block> {
    let mut groups: Vec<_> = groups(class).into_iter().collect();
    groups.sort_by_key(|((rank, reason), marks)| {
        (!is_shared(reason, marks), *rank, Reverse(marks.len()))
    });
    if groups.is_empty() {
        return vec![text("Everybody has a mark from games.")];
    }
    let items = groups.iter().map(|((_, reason), marks)| {
        let status = marks[0].status;
        let mut words = vec![
            Words::Strong(format!("{}, {}", class.counted(marks.len()), status.name())),
            Words::plain(": "),
        ];
        let own = match (&marks[..], reason) {
            // A student's own reason says more than the cause.
            ([alone], Reason::Cause(_) | Reason::Hold(_) | Reason::Other) => {
                Some(excerpt(&alone.notes.join("; "), REASON)).filter(|own| !own.is_empty())
            }
            _ => None,
        };
        words.push(Words::Plain(own.unwrap_or_else(|| reason.words())));
        if is_shared(reason, marks) {
            let advice = reason.advice().into_iter();
            words.extend(advice.map(|advice| Words::Plain(format!("; {advice}"))));
        }
        words.push(Words::plain(". "));
        words.extend(class.listed(marks.iter().map(|mark| mark.key.as_str()), NAMED));
        words
    });
    vec![Block::List(items.collect())]
}
