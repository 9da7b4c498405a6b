//! The report on a rules program, as text and as JSON.

use std::fmt::Write as _;

use serde::Serialize;

use crate::check::rules::{Check, Finding, Report};
use crate::check::{CheckVerdict, Finding as Line};
use crate::cli::output::{checked, json_line, tally};
use crate::report::in_lines;

/// Columns before a transcript, as in the pages of docs.
const QUOTED: &str = "    ";

/// The report for people. Transcripts are never broken into lines, so that they can be pasted.
pub(super) fn text(rules: &str, report: &Report, width: Option<usize>) -> String {
    let mut text = String::new();
    for check in Check::ALL {
        if report.of(check).next().is_none() {
            let (verdict, words) = (report.verdict_of(check), report.words_of(check));
            let line = checked(&Line::new(check.name(), verdict, words, ""));
            text.push_str(&in_lines(&line, width));
        }
        for finding in report.of(check) {
            of_finding(&mut text, finding, width);
        }
    }
    let tally = tally(&Check::ALL.map(|check| report.verdict_of(check)));
    text + &in_lines(&format!("\n{rules}: {tally}\n"), width)
}

fn of_finding(text: &mut String, finding: &Finding, width: Option<usize>) {
    let problem = finding.problem;
    let words = format!("{} [{}]", finding.words, problem.code);
    let line = checked(&Line {
        last_lines: finding.stderr.clone(),
        ..Line::new(finding.check.name(), problem.verdict, words, problem.hint)
    });
    text.push_str(&in_lines(&line, width));
    if finding.transcript.is_empty() {
        return;
    }
    text.push('\n');
    for line in &finding.transcript {
        // Writing to a `String` cannot fail.
        let _ = writeln!(text, "{QUOTED}{line}");
    }
    text.push('\n');
}

#[derive(Serialize)]
struct ShownReport<'a> {
    rules: &'a str,
    game: Option<&'a str>,
    version: Option<&'a str>,
    verdict: CheckVerdict,
    checks: Vec<ShownCheck<'a>>,
}

#[derive(Serialize)]
struct ShownCheck<'a> {
    name: &'static str,
    verdict: CheckVerdict,
    #[serde(skip_serializing_if = "Option::is_none")]
    seen: Option<&'a str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    findings: Vec<ShownFinding<'a>>,
}

#[derive(Serialize)]
struct ShownFinding<'a> {
    code: &'static str,
    verdict: CheckVerdict,
    words: &'a str,
    hint: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    place: Option<ShownPlace>,
    transcript: &'a [String],
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    stderr: &'a [String],
}

#[derive(Serialize)]
struct ShownPlace {
    seed: u64,
    ply: usize,
}

fn shown_finding(finding: &Finding) -> ShownFinding<'_> {
    ShownFinding {
        code: finding.problem.code,
        verdict: finding.problem.verdict,
        words: &finding.words,
        hint: finding.problem.hint,
        place: finding.place.map(|place| ShownPlace {
            seed: place.seed,
            ply: place.ply,
        }),
        transcript: &finding.transcript,
        stderr: &finding.stderr,
    }
}

pub(super) fn json(rules: &str, report: &Report) -> String {
    let checks = Check::ALL.into_iter().map(|check| {
        let findings: Vec<_> = report.of(check).map(shown_finding).collect();
        ShownCheck {
            name: check.name(),
            verdict: report.verdict_of(check),
            seen: findings.is_empty().then(|| report.words_of(check)),
            findings,
        }
    });
    let hello = report.hello.as_ref();
    json_line(&ShownReport {
        rules,
        game: hello.map(|hello| hello.name.as_str()),
        version: hello.map(|hello| hello.version.as_str()),
        verdict: report.verdict(),
        checks: checks.collect(),
    })
}
