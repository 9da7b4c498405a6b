//! The page of a class, `class.html`, for teaching staff alone: how the class did, who needs a person, the marks, and
//! why games were forfeited.
//!
//! It is handed a class whose marks and feedback are written, and writes one file.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::bots::CommonCause;
use super::class::UnknownTime;
use super::config::{Grading, Part, PartKind};
use super::error::GradeError;
use super::feedback::{all_games, dash, number, percent, text};
use super::folder::{GradeFolder, PAGE};
use super::games::TournamentRank;
use super::marks::{Mark, Status};
use super::{Graded, GradedStudent};
use crate::pages::{Article, CellView, ColumnView, Passage, TableView, Words};
use crate::report::shortened;
use crate::runs::write_bytes;
use crate::text::{counted, excerpt};

/// Maximum characters shown of a student's notes; marks.csv has all.
const NOTE: usize = 300;

const NAMES: usize = 40;

pub fn write_class_page(
    grading: &Grading,
    folder: &GradeFolder,
    graded: &Graded,
) -> Result<(), GradeError> {
    let class = ClassView {
        grading,
        folder,
        graded,
    };
    let page = class.article().page()?;
    Ok(write_bytes(&folder.class_page(), page)?)
}

struct ClassView<'a> {
    grading: &'a Grading,
    folder: &'a GradeFolder,
    graded: &'a Graded,
}

impl ClassView<'_> {
    fn article(&self) -> Article {
        let tables = ["marks.csv", "problems.txt"].map(str::to_owned);
        let [marks, problems] = tables.map(|name| Words::Link(name.clone(), name));
        let mut blocks = vec![
            Passage::Text(vec![Words::Strong(
                "For teaching staff alone: this page names students and their marks.".to_owned(),
            )]),
            text(self.conclusion()),
            Passage::Text(vec![
                Words::plain("Tables for other programs: "),
                marks,
                Words::plain(", "),
                problems,
                Words::plain("."),
            ]),
        ];
        let list = |items: Vec<Vec<Words>>, nothing: &str| match items.is_empty() {
            true => text(nothing),
            false => Passage::List(items),
        };
        let problems = self.graded.problems.iter();
        let problems = problems.map(|problem| vec![Words::Plain(problem.to_string())]);
        for (heading, block) in [
            (
                "Who needs a person",
                list(self.needs_a_person(), "Nobody does."),
            ),
            ("All students", Passage::Table(self.students_table())),
            (
                "Forfeited games",
                list(self.forfeits(), "Nobody forfeited a game."),
            ),
            (
                "Problems with the roster and the submissions",
                list(problems.collect(), "There are none."),
            ),
        ] {
            blocks.extend([Passage::Heading(heading.to_owned()), block]);
        }
        Article {
            title: format!("{}: the class", self.grading.name),
            blocks,
        }
    }

    fn conclusion(&self) -> String {
        let with = |status: Status| self.graded.marks().filter(move |it| it.status == status);
        let mut totals: Vec<f64> = with(Status::Graded).map(|mark| mark.total).collect();
        totals.sort_by(f64::total_cmp);
        let mut words = format!(
            "{} of {} graded",
            totals.len(),
            counted(
                self.graded.students.len() as u64,
                "student or team",
                "students and teams"
            )
        );
        if let (Some(least), Some(most)) = (totals.first(), totals.last()) {
            words.push_str(&format!(
                ": {} to {} of {} marks, the median is {}",
                number(*least),
                number(*most),
                number(self.grading.most_marks()),
                number(median(&totals))
            ));
        }
        let others = [
            (Status::Held, "held until a person has looked"),
            (Status::Broken, "broken"),
            (Status::Late, "too late to be marked"),
            (Status::None, "handed in nothing"),
        ];
        let others = others.map(|(status, words)| (with(status).count(), words));
        let others = others.iter().filter(|(count, _)| *count > 0);
        let others: Vec<String> = others.map(|(n, words)| format!("{n} {words}")).collect();
        if !others.is_empty() {
            words.push_str(&format!(". The others: {}", others.join(", ")));
        }
        words + "."
    }

    /// Causes that several share, each other student whose mark is held or whose program is broken, equal programs, and who
    /// may be late.
    fn needs_a_person(&self) -> Vec<Vec<Words>> {
        let common = self.graded.common_causes();
        let is_told = |key: &String| common.iter().any(|it| it.students.contains(key));
        let mut items: Vec<Vec<Words>> = common.iter().map(|it| self.common_cause(it)).collect();
        items.extend(
            self.graded
                .busy_machine()
                .map(|words| vec![Words::Plain(words)]),
        );
        for student in &self.graded.students {
            let mark = &student.mark;
            if matches!(mark.status, Status::Held | Status::Broken) && !is_told(&mark.key) {
                let notes = excerpt(&mark.notes.join("; "), NOTE);
                let words = Words::Plain(format!(", {}: {notes}", mark.status.name()));
                items.push(vec![self.words(student), words]);
            }
        }
        for student in &self.graded.students {
            let (own, others) = (&student.mark.key, &student.equal);
            // The first of them tells of all.
            if !others.is_empty() && others.iter().all(|other| own < other) {
                let all = self.graded.students.iter();
                let equal = all.filter(|it| it.mark.key == *own || others.contains(&it.mark.key));
                items.extend(self.students("the same program, byte for byte", equal));
            }
        }
        for unknown in [UnknownTime::Late, UnknownTime::MayBeLate] {
            let students = self.graded.students.iter();
            let students = students.filter(|it| it.mark.unknown_time == Some(unknown));
            items.extend(self.students(&format!("the submission {}", unknown.words()), students));
        }
        items
    }

    fn common_cause(&self, common: &CommonCause) -> Vec<Words> {
        let students = self.graded.students.iter();
        let students = students.filter(|it| common.students.contains(&it.mark.key));
        self.students(&common.words(), students).unwrap_or_default()
    }

    fn students<'s>(
        &self,
        what: &str,
        students: impl Iterator<Item = &'s GradedStudent>,
    ) -> Option<Vec<Words>> {
        let mut words = vec![Words::Plain(format!("{what}: "))];
        for student in students {
            if words.len() > 1 {
                words.push(Words::plain(", "));
            }
            words.push(self.words(student));
        }
        (words.len() > 1).then_some(words)
    }

    fn students_table(&self) -> TableView {
        let parts = self.grading.parts();
        let mut columns = vec![
            ColumnView::text("student"),
            ColumnView::name("name"),
            ColumnView::text("status"),
        ];
        columns.extend(["total", "low", "high", "would change"].map(ColumnView::number));
        columns.extend(parts.iter().map(|part| ColumnView::number(part.name)));
        columns.extend(["days late", "forfeits"].map(ColumnView::number));
        let tournament = self.grading.tournament.iter();
        columns.extend(tournament.map(|_| ColumnView::number("tournament")));
        columns.push(ColumnView::sentence("note"));
        let rows = self.graded.students.iter();
        let rows = rows.map(|student| self.row(&student.mark, &parts));
        let table = TableView::new(
            "a student leads to the feedback, marks of a test to its games; low to high: 95 % of repetitions",
            columns,
            rows,
        );
        table.sortable()
    }

    fn row(&self, mark: &Mark, parts: &[Part<'_>]) -> Vec<CellView> {
        let shown = |value: Option<f64>| CellView::text(&value.map_or_else(dash, number));
        let (total, change) = (mark.known_total(), mark.change.as_ref());
        let names: Vec<&str> = mark.members.iter().map(|it| it.name.as_str()).collect();
        let mut cells = vec![
            CellView::text(&mark.key)
                .link(self.link(&mark.key, PAGE))
                .heading(),
            CellView::text(&shortened(&names.join(", "), NAMES)),
            CellView::text(mark.status.name()),
            shown(total),
            shown(change.map(|change| change.low)),
            shown(change.map(|change| change.high)),
            CellView::text(&change.map_or_else(dash, |change| percent(change.probability))),
        ];
        for part in parts {
            let is_test = matches!(part.kind, PartKind::Test(_));
            let games = is_test.then(|| self.link(&mark.key, &all_games(part.name)));
            cells.push(shown(mark.part(part.kind)).link(games.flatten()));
        }
        cells.extend([
            CellView::count(mark.days_late.into()),
            CellView::count(mark.forfeits.values().sum()),
        ]);
        let band = || {
            mark.rank
                .as_ref()
                .map_or_else(dash, TournamentRank::band_text)
        };
        let tournament = self.grading.tournament.iter();
        cells.extend(tournament.map(|_| CellView::text(&band())));
        cells.push(CellView::text(&excerpt(&mark.all_notes(), NOTE)));
        cells
    }

    fn forfeits(&self) -> Vec<Vec<Words>> {
        let mut causes: BTreeMap<&str, Vec<(&GradedStudent, u64)>> = BTreeMap::new();
        for student in &self.graded.students {
            for (cause, count) in &student.mark.forfeits {
                causes.entry(cause).or_default().push((student, *count));
            }
        }
        let mut causes: Vec<_> = causes.into_iter().collect();
        causes.sort_by_key(|(_, students)| Reverse(students.len()));
        let mut items = Vec::new();
        for (cause, students) in causes {
            let games: u64 = students.iter().map(|(_, count)| count).sum();
            let games = counted(games, "game", "games");
            let mut words = vec![
                Words::Strong(format!("{cause}, {games}")),
                Words::plain(":"),
            ];
            for (student, count) in students {
                words.extend([
                    Words::plain(" "),
                    self.words(student),
                    Words::Plain(format!(" {count}")),
                ]);
            }
            items.push(words);
        }
        for student in &self.graded.students {
            for (test, own) in self.grading.tests.iter().zip(&student.mark.tests) {
                let early = own.early_end.iter();
                items.extend(early.map(|early| {
                    let said = format!(", {}: {early}", test.name);
                    vec![self.words(student), Words::Plain(said)]
                }));
            }
        }
        items
    }

    fn link(&self, key: &str, file: &str) -> Option<String> {
        let is_there = self.folder.feedback(key).join(file).is_file();
        is_there.then(|| format!("feedback/{key}/{file}"))
    }

    /// The student's key, after the name of one who is alone, with a link to the feedback.
    fn words(&self, student: &GradedStudent) -> Words {
        let Mark { key, members, .. } = &student.mark;
        let shown = match &members[..] {
            [alone] if !alone.name.is_empty() && alone.name != *key => {
                format!("{} ({key})", alone.name)
            }
            _ => key.clone(),
        };
        match self.link(key, PAGE) {
            Some(link) => Words::Link(shown, link),
            None => Words::Plain(shown),
        }
    }
}

fn median(sorted: &[f64]) -> f64 {
    let count = sorted.len();
    (sorted[(count - 1) / 2] + sorted[count / 2]) / 2.0
}
