//! What a check found, as text and as JSON.

use serde::Serialize;

use super::super::push_json;

/// How a check went.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Verdict {
    /// What it needs did not come about.
    Skipped,
    Ok,
    /// It loses no game, and may surprise.
    Warn,
    /// It loses games.
    Failed,
}

impl Verdict {
    fn name(self) -> &'static str {
        match self {
            Self::Skipped => "skipped",
            Self::Ok => "ok",
            Self::Warn => "warn",
            Self::Failed => "failed",
        }
    }
}

/// One line of the report.
#[derive(Debug, Serialize)]
pub(super) struct Check {
    pub name: &'static str,
    pub verdict: Verdict,
    /// What was seen.
    pub seen: String,
    /// What to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// What the bot wrote last, where that may say why.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub wrote: Vec<String>,
}

impl Check {
    pub fn new(name: &'static str, verdict: Verdict, seen: impl Into<String>) -> Self {
        Self {
            name,
            verdict,
            seen: seen.into(),
            hint: None,
            wrote: Vec::new(),
        }
    }

    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

/// All checks of one bot.
#[derive(Debug, Serialize)]
pub(super) struct Report<'a> {
    bot: &'a str,
    game: &'a str,
    /// The worst of all checks.
    verdict: Verdict,
    checks: Vec<Check>,
}

impl<'a> Report<'a> {
    pub fn new(bot: &'a str, game: &'a str, checks: Vec<Check>) -> Self {
        let verdicts = checks.iter().map(|check| check.verdict);
        Self {
            bot,
            game,
            verdict: verdicts.max().unwrap_or(Verdict::Skipped),
            checks,
        }
    }

    pub fn failed(&self) -> bool {
        self.verdict == Verdict::Failed
    }

    pub fn json(&self) -> String {
        let mut line = String::new();
        push_json(self, &mut line);
        line
    }

    pub fn text(&self) -> String {
        let mut text = String::new();
        for check in &self.checks {
            let verdict = check.verdict.name();
            text.push_str(&format!("{verdict:<8} {:<12} {}\n", check.name, check.seen));
            let indent = " ".repeat(22);
            for line in &check.wrote {
                text.push_str(&format!("{indent}| {line}\n"));
            }
            if let Some(hint) = &check.hint {
                text.push_str(&format!("{indent}-> {hint}\n"));
            }
        }
        let count = |verdict| {
            let checks = self.checks.iter();
            checks.filter(|check| check.verdict == verdict).count()
        };
        text.push_str(&format!(
            "\n{} at {}: {} ok, {} warn, {} failed, {} skipped\n",
            self.bot,
            self.game,
            count(Verdict::Ok),
            count(Verdict::Warn),
            count(Verdict::Failed),
            count(Verdict::Skipped)
        ));
        text
    }
}
