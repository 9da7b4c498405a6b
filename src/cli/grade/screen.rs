//! Screen output of `referee grade`.

use std::path::Path;

use crate::grade::{
    Appeal, CommonCause, Graded, Grading, Layout, PartKind, ReturnedFeedback, Status, mark_text,
};
use crate::text::{counted, excerpt, visible};

const SHOWN: usize = 40;

/// Maximum number of students without a mark from games who are named at the end.
const NAMED: usize = 10;

pub(super) fn appeal_text(grading: &Grading, appeal: &Appeal) -> String {
    let mut text = String::new();
    for (words, mark) in ["first", "again"].iter().zip(&appeal.marks) {
        let parts = grading.parts().into_iter().map(|part| {
            let marks = mark.part(part.kind).unwrap_or(0.0);
            let games = match part.kind {
                PartKind::Test(at) => mark.tests.get(at).map(|own| own.games),
                PartKind::Reliability => None,
            };
            let games = games.map_or_else(String::new, |games| format!(" in {games} games"));
            format!("{} {marks:.2} of {}{games}", part.name, part.of)
        });
        let late = (mark.penalty > 0.0).then(|| format!("late -{:.2}", mark.penalty));
        let parts: Vec<String> = parts.chain(late).collect();
        text.push_str(&format!(
            "{words}: {} marks ({})\n",
            mark_text(mark.total),
            parts.join("; ")
        ));
    }
    text.push_str(&format!(
        "{} of {} differ\n",
        appeal.different.len(),
        counted(appeal.compared, "game", "games")
    ));
    for game in appeal.different.iter().take(SHOWN) {
        let [was, is] = &game.ends;
        let place = match &game.first_ply {
            Some((ply, player)) => format!("first at ply {ply}, of {}", visible(player)),
            None => "all actions are the same".to_owned(),
        };
        text.push_str(&format!(
            "  {} game {}: {}; again: {}; {place}\n",
            grading.tests[game.test].name,
            game.id,
            excerpt(&visible(was), 120),
            excerpt(&visible(is), 120)
        ));
    }
    text.push_str(&format!("the games are in {}\n", appeal.folder.display()));
    text
}

/// Final text of a grading: students without a mark from games and the reasons, then marks and the path of all
/// notes.
pub(super) fn ending(graded: &Graded, marks: &Path, is_verbose: bool) -> String {
    if is_verbose {
        return table(graded, usize::MAX, true) + &summary(graded);
    }
    let without = graded
        .marks()
        .filter(|mark| matches!(mark.status, Status::Late | Status::Broken | Status::Held));
    let lines = without.clone().take(NAMED).map(|mark| {
        let (key, status, notes) = (&mark.key, mark.status.name(), mark.notes.join("; "));
        format!("! {}, {status}: {}\n", visible(key), visible(&notes))
    });
    let mut text: String = lines.collect();
    if let more @ 1.. = without.count().saturating_sub(NAMED) {
        text.push_str(&format!("! and {more} more\n"));
    }
    if let Some(words) = graded.busy_machine() {
        text.push_str(&format!("! {words}\n"));
    }
    if !text.is_empty() {
        text.push('\n');
    }
    text.push_str(&table(graded, SHOWN, false));
    text.push_str(&summary(graded));
    let noted = graded
        .marks()
        .filter(|mark| !mark.notes.is_empty() || !mark.of_files.is_empty())
        .count() as u64;
    if noted > 0 {
        text.push_str(&format!(
            "{} a note: column `note` of {}\n",
            counted(noted, "student or team has", "students or teams have"),
            marks.display()
        ));
    }
    text
}

pub(super) fn table(graded: &Graded, most: usize, with_notes: bool) -> String {
    let mut text = String::new();
    let width = graded.marks().map(|mark| mark.key.chars().count()).max();
    let width = width.unwrap_or(0).clamp(7, 24);
    text.push_str(&format!(
        "{:<width$}  status   marks     low    high  change{}\n",
        "student",
        if with_notes { "  note" } else { "" }
    ));
    for mark in graded.marks().take(most) {
        let (low, high, change) = match &mark.change {
            Some(change) => (
                mark_text(change.low),
                mark_text(change.high),
                format!("{:.0} %", 100.0 * change.probability),
            ),
            None => (String::new(), String::new(), String::new()),
        };
        let row = format!(
            "{:<width$}  {:<6} {:>7} {low:>7} {high:>7} {change:>7}",
            excerpt(&visible(&mark.key), width),
            mark.status.name(),
            mark.known_total().map_or_else(String::new, mark_text),
        );
        let notes = if with_notes {
            visible(&mark.all_notes())
        } else {
            String::new()
        };
        text.push_str(format!("{row}  {notes}").trim_end());
        text.push('\n');
    }
    if let more @ 1.. = graded.students.len().saturating_sub(most) {
        text.push_str(&format!("and {more} more\n"));
    }
    text
}

pub(super) fn returned_text(returned: &ReturnedFeedback, layout: Layout) -> String {
    let place = match layout {
        Layout::Canvas => "upload it with \"Upload Submissions\" of the assignment in Canvas",
        Layout::Moodle => {
            "upload it with \"Upload multiple feedback files in a zip\" of the assignment in Moodle"
        }
        Layout::Folders | Layout::Gradescope => "",
    };
    let mut text = format!(
        "feedback about {} in {}: {place}\n",
        counted(returned.count, "submission", "submissions"),
        returned.path.display()
    );
    if !returned.without.is_empty() {
        text.push_str(&format!(
            "not in it, as the name of the submission is not as it was downloaded: {}\n",
            visible(&returned.without.join(", "))
        ));
    }
    text
}

fn summary(graded: &Graded) -> String {
    let statuses = [
        Status::Graded,
        Status::None,
        Status::Late,
        Status::Broken,
        Status::Held,
    ];
    let counts = statuses.map(|status| {
        let count = graded.marks().filter(|it| it.status == status).count();
        format!("{count} {}", status.name())
    });
    let common = graded.common_causes();
    format!("{}{}\n", commons(&common), counts.join(", "))
}

pub(super) fn commons(common: &[CommonCause]) -> String {
    common.iter().map(|it| format!("{it}\n")).collect()
}
