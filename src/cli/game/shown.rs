//! The report on a rules program, as text and as JSON.

use std::fmt::Write as _;

use serde::Serialize;

use crate::check::CheckVerdict;
use crate::check::rules::{Check, Facts, Finding, Report, RulesFlaw};
use crate::cli::output::json_line;
use crate::report::in_lines;

/// Columns before the words of a check.
const INDENT: usize = 22;

/// Columns before a transcript, as in the pages of docs.
const QUOTED: &str = "    ";

/// The report for people. Transcripts are never broken into lines, so that they can be pasted.
pub(super) fn text(rules: &str, report: &Report, width: Option<usize>) -> String {
    let mut text = String::new();
    for check in Check::ALL {
        of_check(&mut text, report, check, width);
    }
    if !report.facts.perft.is_empty() {
        let counts: Vec<String> = report.facts.perft.iter().map(u64::to_string).collect();
        text.push_str(&in_lines(
            &format!("\nperft: {}\n", counts.join(", ")),
            width,
        ));
    }
    let count = |verdict| {
        let verdicts = Check::ALL.map(|check| report.verdict_of(check));
        verdicts
            .into_iter()
            .filter(|other| *other == verdict)
            .count()
    };
    let summary = format!(
        "\n{rules}: {} ok, {} warn, {} failed, {} skipped\n",
        count(CheckVerdict::Ok),
        count(CheckVerdict::Warn),
        count(CheckVerdict::Failed),
        count(CheckVerdict::Skipped)
    );
    text + &in_lines(&summary, width)
}

fn of_check(text: &mut String, report: &Report, check: Check, width: Option<usize>) {
    let mut is_clean = true;
    for finding in report.of(check) {
        is_clean = false;
        of_finding(text, finding, width);
    }
    if !is_clean {
        return;
    }
    let words = match (report.needs(check), report.facts.text(check)) {
        (_, Some(words)) => words,
        (Some(needs), None) => format!("needs {needs}"),
        (None, None) => "not reached".to_owned(),
    };
    let (verdict, name) = (report.verdict_of(check).name(), check.name());
    let line = format!("{verdict:<8} {name:<12} {words}\n");
    text.push_str(&in_lines(&line, width));
}

fn of_finding(text: &mut String, finding: &Finding, width: Option<usize>) {
    let (verdict, check) = (finding.problem.verdict().name(), finding.check.name());
    let problem = &finding.problem;
    let mut words = format!("{verdict:<8} {check:<12} {problem} [{}]\n", problem.name());
    let indent = " ".repeat(INDENT);
    for line in stderr(problem) {
        // Writing to a `String` cannot fail.
        let _ = writeln!(words, "{indent}| {line}");
    }
    if let Some(hint) = problem.hint() {
        let _ = writeln!(words, "{indent}-> {hint}");
    }
    text.push_str(&in_lines(&words, width));
    if finding.transcript.is_empty() {
        return;
    }
    text.push('\n');
    for line in &finding.transcript {
        let _ = writeln!(text, "{QUOTED}{line}");
    }
    text.push('\n');
}

fn stderr(problem: &RulesFlaw) -> &[String] {
    match problem {
        RulesFlaw::Fault { stderr, .. } => stderr,
        _ => &[],
    }
}

#[derive(Serialize)]
struct ShownReport<'a> {
    rules: &'a str,
    game: Option<&'a str>,
    version: Option<&'a str>,
    verdict: &'static str,
    checks: Vec<ShownCheck<'a>>,
    figures: Figures<'a>,
    perft: &'a [u64],
}

#[derive(Serialize)]
struct ShownCheck<'a> {
    name: &'static str,
    verdict: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    seen: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    needs: Option<&'static str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    findings: Vec<ShownFinding<'a>>,
}

#[derive(Serialize)]
struct ShownFinding<'a> {
    name: &'static str,
    verdict: &'static str,
    words: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<&'static str>,
    transcript: &'a [String],
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    stderr: &'a [String],
}

/// Numbers of a report, without the checks that were not made.
#[derive(Serialize)]
struct Figures<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    games: Option<ShownGames<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    option_values: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    accepted: Option<Tried>,
    #[serde(skip_serializing_if = "Option::is_none")]
    refused: Option<Tried>,
    #[serde(skip_serializing_if = "Option::is_none")]
    replayed_games: Option<usize>,
    varied: Vec<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pairs_with_equal_news: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    exchanged_games: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    dropped_seats: Option<usize>,
    states: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    micros: Option<Micros>,
    #[serde(skip_serializing_if = "Option::is_none")]
    memory: Option<Memory>,
}

#[derive(Serialize)]
struct ShownGames<'a> {
    ended: u32,
    plies: u64,
    longest: usize,
    won: &'a [u32],
    shared: u32,
    lists: u64,
    boards: u64,
}

#[derive(Serialize)]
struct Tried {
    actions: usize,
    positions: usize,
}

#[derive(Serialize)]
struct Micros {
    median: u128,
    slowest: u128,
    limit: u128,
}

#[derive(Serialize)]
struct Memory {
    early_bytes: u64,
    late_bytes: u64,
}

fn figures(facts: &Facts) -> Figures<'_> {
    let tried = |(actions, positions)| Tried { actions, positions };
    Figures {
        games: facts.results.as_ref().map(|results| ShownGames {
            ended: results.ended,
            plies: results.plies,
            longest: results.longest,
            won: &results.won,
            shared: results.shared,
            lists: results.lists,
            boards: results.boards,
        }),
        option_values: facts.option_values,
        accepted: facts.accepted.map(tried),
        refused: facts.refused.map(tried),
        replayed_games: facts.replayed,
        varied: facts
            .varied
            .iter()
            .map(|variation| variation.name())
            .collect(),
        pairs_with_equal_news: facts.alike,
        exchanged_games: facts.exchanged,
        dropped_seats: facts.dropped,
        states: facts.states,
        micros: facts.times.map(|(median, slowest, limit)| Micros {
            median: median.as_micros(),
            slowest: slowest.as_micros(),
            limit: limit.as_micros(),
        }),
        memory: facts.memory.map(|(early_bytes, late_bytes)| Memory {
            early_bytes,
            late_bytes,
        }),
    }
}

fn shown_finding(finding: &Finding) -> ShownFinding<'_> {
    let problem = &finding.problem;
    ShownFinding {
        name: problem.name(),
        verdict: problem.verdict().name(),
        words: problem.to_string(),
        hint: problem.hint(),
        transcript: &finding.transcript,
        stderr: stderr(problem),
    }
}

/// The report for programs.
pub(super) fn json(rules: &str, report: &Report) -> String {
    let checks = Check::ALL.into_iter().map(|check| {
        let seen = report.facts.text(check);
        ShownCheck {
            name: check.name(),
            verdict: report.verdict_of(check).name(),
            needs: report.needs(check).filter(|_| seen.is_none()),
            seen,
            findings: report.of(check).map(shown_finding).collect(),
        }
    });
    let hello = report.hello.as_ref();
    json_line(&ShownReport {
        rules,
        game: hello.map(|hello| hello.name.as_str()),
        version: hello.map(|hello| hello.version.as_str()),
        verdict: report.verdict().name(),
        checks: checks.collect(),
        figures: figures(&report.facts),
        perft: &report.facts.perft,
    })
}
