//! Text of a student's feedback: the mark and its confidence, failures, and the way to see them again.

use super::causes::{self, text};
use super::facts::Cause;
use super::games::{AT_HOME, all_games};
use super::tables::{marks, number, percent, used};
use super::{FeedbackInput, Links};
use crate::grade::class::UnknownTime;
use crate::grade::config::Program;
use crate::grade::marks::{Mark, Status};
use crate::pages::{Article, Passage, Words};
use crate::text::{counted, visible};

pub(super) fn article(input: &FeedbackInput<'_>, links: Links) -> Article {
    let mut blocks = vec![total(input)];
    blocks.extend(status(input));
    blocks.extend(notes(input));
    if input.mark.known_total().is_some() {
        blocks.push(Passage::Heading("Marks".to_owned()));
        blocks.push(Passage::Table(marks(input)));
    }
    blocks.extend(about_tests(input));
    blocks.extend(rank(input));
    blocks.extend(forfeits(input, links));
    blocks.extend(games(input, links));
    let is_played = !input.facts.tests.is_empty();
    if is_played {
        blocks.push(Passage::Heading("Time and memory".to_owned()));
        blocks.push(Passage::Table(used(input)));
        let tests = input.facts.tests.iter();
        blocks.extend(tests.filter_map(|test| {
            let words = test.cpu_share.words()?;
            Some(text(format!(
                "{}: the machine was busy. Your program {words}.",
                test.name
            )))
        }));
    }
    blocks.extend(findings(input));
    let has_command = |cause: &Cause| {
        let links = input.links_of(&cause.example.test, links);
        links == Links::Games && causes::command(cause).is_some()
    };
    if input.facts.causes.iter().any(has_command) {
        blocks.extend(see_again(input));
    }
    let article = Article {
        title: format!("Feedback for {}", input.mark.key),
        blocks,
    };
    match links {
        Links::Games => article,
        Links::None => article.without_links(),
    }
}

fn notes(input: &FeedbackInput<'_>) -> Option<Passage> {
    let notes = input.notes.iter().chain(&input.mark.of_files);
    let notes: Vec<Vec<Words>> = notes.map(|note| vec![Words::Plain(note.clone())]).collect();
    (!notes.is_empty()).then_some(Passage::List(notes))
}

fn forfeits(input: &FeedbackInput<'_>, links: Links) -> Vec<Passage> {
    let facts = input.facts;
    if facts.causes.is_empty() {
        return Vec::new();
    }
    let mut blocks = vec![
        Passage::Heading("Games that your program forfeited".to_owned()),
        text(
            "A game that your program forfeits is lost, whatever is on the board. Each cause is here once.",
        ),
    ];
    for cause in &facts.causes {
        let links = input.links_of(&cause.example.test, links);
        blocks.extend(causes::blocks(cause, links));
    }
    if facts.further > 0 {
        blocks.push(text(format!(
            "{} forfeited by further causes.",
            counted(facts.further, "more game was", "more games were")
        )));
    }
    blocks
}

fn see_again(input: &FeedbackInput<'_>) -> Vec<Passage> {
    let mut blocks = vec![Passage::Heading("See a game again".to_owned())];
    if let Program::Package { adapter, .. } = &input.grading.submission.program {
        let name = adapter.file_name().unwrap_or_default().to_string_lossy();
        blocks.push(text(format!(
            "The commands also need the course's adapter, {name}, in the folder that has the folder of your package."
        )));
    }
    if input.grading.course_files.is_some() {
        blocks.push(text(
            "In the tests the course's own packages lay beside your program: put the folder that holds them into \
             PYTHONPATH for the commands.",
        ));
    }
    // Values of variables may be secrets of the lecturer, so only names are shown.
    let variables = input.grading.submission.env.iter();
    let variables: Vec<&str> = variables.map(|(name, _)| name.as_str()).collect();
    if !variables.is_empty() {
        blocks.push(text(format!(
            "In the tests your program's environment also had {}, which the commands do not set.",
            variables.join(", ")
        )));
    }
    blocks.push(Passage::Text(vec![
        Words::plain("Put this folder into the folder of your program, under the name "),
        Words::Code(AT_HOME.to_owned()),
        Words::plain(
            ", and run the commands there, without a network. With ",
        ),
        Words::Code("<".to_owned()),
        Words::plain(
            " your program reads the lines that it was sent in that game. They stay the same, whatever it answers now.",
        ),
    ]));
    blocks
}

fn total(input: &FeedbackInput<'_>) -> Passage {
    let Mark { total, change, .. } = input.mark;
    if input.mark.known_total().is_none() {
        return Passage::Text(vec![Words::Strong("There is no mark yet.".to_owned())]);
    }
    let mut words = vec![Words::Strong(format!(
        "{} of {} marks.",
        number(*total),
        number(input.grading.most_marks())
    ))];
    let is_played = input.mark.tests.iter().all(|test| test.games > 0);
    words.extend(change.as_ref().filter(|_| is_played).map(|change| {
        let (low, high) = (number(change.low), number(change.high));
        let range = if low == high {
            format!("would be {low} again")
        } else {
            format!("would lie between {low} and {high} in 95 of 100 cases")
        };
        Words::Plain(format!(
            " A mark from games depends on chance. If the same program was graded again with other games of the \
             same kind, the total {range}. The chance that it would not be {} is {}.",
            number(*total),
            percent(change.probability)
        ))
    }));
    Passage::Text(words)
}

fn status(input: &FeedbackInput<'_>) -> Vec<Passage> {
    let mark = input.mark;
    let mut blocks = Vec::new();
    match mark.status {
        Status::Graded => {}
        Status::None => blocks.push(text(
            "Nothing was handed in, or it was not found under your id. If you did hand in, tell the staff.",
        )),
        Status::Late => blocks.push(text(format!(
            "It was handed in {} late, and is not marked.",
            input.grading.days_late(mark.days_late)
        ))),
        Status::Held => {
            let words = "the staff have to look at something before it counts";
            let own = input.cause.filter(|it| it.is_undecided());
            let why = own.map_or_else(|| words.to_owned(), |cause| format!("{words}: {cause}"));
            blocks.push(text(format!("This mark is not final: {why}.")));
        }
        Status::Broken => {
            let why = input.broken.as_deref().unwrap_or("it is no program that can play");
            blocks.push(Passage::Text(vec![
                Words::Strong("No game could be played:".to_owned()),
                Words::Plain(format!(" {}.", visible(why).trim_end_matches('.'))),
            ]));
            if let Some(log) = &input.build_log {
                blocks.push(text("What the build said:"));
                blocks.push(Passage::Lines(log.clone()));
                blocks.push(text(
                    "The first message is usually the cause. Build it in a new folder, with only the files that \
                     you hand in, to see the same.",
                ));
            } else {
                blocks.push(text(
                    "Unpack what you handed in into a new folder and start it there, as the course's page says.",
                ));
            }
        }
    }
    if mark.days_late > 0 && matches!(mark.status, Status::Graded | Status::Held) {
        blocks.push(text(format!(
            "It was handed in {} late. Marks taken off for that: {}.",
            input.grading.days_late(mark.days_late),
            number(mark.penalty)
        )));
    }
    if let Some(unknown @ UnknownTime::Late) = mark.unknown_time {
        blocks.push(text(format!("Your submission {}.", unknown.words())));
    }
    blocks
}

fn about_tests(input: &FeedbackInput<'_>) -> Option<Passage> {
    let tests = input.grading.tests.iter().zip(&input.mark.tests);
    let items = tests.filter_map(|(test, own)| {
        let early = own.early_end.as_ref()?;
        Some(vec![Words::Plain(format!("{}: {early}.", test.name))])
    });
    let items: Vec<_> = items.collect();
    (!items.is_empty()).then_some(Passage::List(items))
}

/// Place of the student in the class tournament, without data about others.
fn rank(input: &FeedbackInput<'_>) -> Option<Passage> {
    let rank = input.mark.rank.as_ref()?;
    let [first, last] = rank.band;
    Some(text(if first == last {
        format!(
            "In the tournament of the class your program is number {first} of {}.",
            rank.of
        )
    } else {
        format!(
            "In the tournament of the class your program is one of those from {first} to {last} of {}, who cannot be told \
             apart.",
            rank.of
        )
    }))
}

fn games(input: &FeedbackInput<'_>, links: Links) -> Vec<Passage> {
    let facts = input.facts;
    let mut items: Vec<Vec<Words>> = facts
        .losses
        .iter()
        .map(|game| {
            let name = format!("{}, game {}", game.test, game.id);
            let name = match input.link(&game.test, game.id, game.plies) {
                Some(link) => Words::Link(name, link),
                None => Words::Plain(name),
            };
            vec![
                name,
                Words::Plain(format!(
                    ": lost against {} after {}: {}",
                    game.opponents,
                    counted(game.plies.into(), "ply", "plies"),
                    game.why
                )),
            ]
        })
        .collect();
    let tests = facts.tests.iter();
    let linked = tests.filter(|test| input.links_of(&test.name, links) == Links::Games);
    let linked: Vec<_> = linked.collect();
    items.extend(linked.iter().map(|test| {
        vec![
            Words::Link(
                format!("{}: all your games", test.name),
                all_games(&test.name),
            ),
            Words::Plain(format!(", {}", counted(test.games, "game", "games"))),
        ]
    }));
    let mut blocks = Vec::new();
    if !items.is_empty() {
        blocks.push(Passage::Heading("Games to look at".to_owned()));
        blocks.push(Passage::List(items));
    }
    if !linked.is_empty() {
        blocks.push(text(
            "Beside this page each test has a folder: games has a log of each game, and stderr what your program \
             wrote to standard error in games that it did not win.",
        ));
    }
    if !input.withheld.is_empty() {
        let names: Vec<&str> = input.withheld.iter().copied().collect();
        blocks.push(text(format!(
            "The records of {} are not here: they show what was hidden, and others may still play these games.",
            names.join(", ")
        )));
    }
    blocks
}

fn findings(input: &FeedbackInput<'_>) -> Vec<Passage> {
    let found = input
        .fitness
        .as_ref()
        .filter(|found| !found.findings.is_empty());
    let Some(found) = found else {
        return Vec::new();
    };
    let mut blocks = vec![
        Passage::Heading("What the check found".to_owned()),
        text(
            "Before the tests, a few short games were played to see whether your program is fit to play.",
        ),
    ];
    for fault in &found.findings {
        let mut words = vec![
            Words::Strong(format!("{}:", fault.check)),
            Words::Plain(format!(" {}", fault.seen)),
        ];
        if !fault.hint.is_empty() {
            words.push(Words::Plain(format!(". What helps: {}.", fault.hint)));
        }
        blocks.push(Passage::List(vec![words]));
        if !fault.wrote.is_empty() {
            blocks.push(Passage::Lines(fault.wrote.join("\n")));
        }
    }
    blocks
}
