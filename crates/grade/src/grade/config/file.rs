//! The keys of a grading's configuration, as typed.

use std::collections::BTreeMap;

use serde::Deserialize;
use toml::Spanned;
use toml::value::Datetime;

use crate::config::{ClockSection, FormatTable, GameTable, LimitsSection, PlayerSection};
use crate::grade::intake::{DayKind, Layout};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct File {
    pub name: Option<Spanned<String>>,
    pub seed: Option<u64>,
    pub course_files: Option<Spanned<String>>,
    pub class: ClassSection,
    pub submission: Spanned<SubmissionSection>,
    pub game: Spanned<GameTable>,
    pub opening_plies: Option<Spanned<u32>>,
    #[serde(default)]
    pub clock: ClockSection,
    #[serde(default)]
    pub limits: LimitsSection,
    #[serde(default)]
    pub points: PointsSection,
    #[serde(default)]
    pub marks: MarksSection,
    #[serde(default)]
    pub reference: Vec<Spanned<PlayerSection>>,
    #[serde(default)]
    pub test: Vec<Spanned<TestSection>>,
    pub reliability: Option<ReliabilitySection>,
    pub late: Option<Spanned<LateSection>>,
    pub tournament: Option<Spanned<TournamentSection>>,
    #[serde(default)]
    pub feedback: FeedbackSection,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct ClassSection {
    pub roster: Spanned<String>,
    pub submissions: Spanned<String>,
    #[serde(default)]
    pub layout: Layout,
    pub deadline: Option<Spanned<Datetime>>,
    pub zone: Option<Spanned<String>>,
    #[serde(default)]
    pub columns: BTreeMap<Spanned<String>, String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct SubmissionSection {
    pub command: Option<Spanned<Vec<String>>>,
    pub build: Option<Spanned<Vec<String>>>,
    pub kit: Option<Spanned<bool>>,
    pub course: Option<Spanned<String>>,
    pub adapter: Option<Spanned<String>>,
    pub python: Option<Spanned<String>>,
    pub module: Option<Spanned<String>>,
    #[serde(default)]
    pub env: BTreeMap<String, String>,
    #[serde(default)]
    pub fresh_process: bool,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct PointsSection {
    pub win: Option<Spanned<f64>>,
    pub draw: Option<Spanned<f64>>,
    pub loss: Option<Spanned<f64>>,
    #[serde(default)]
    pub draw_by: BTreeMap<Spanned<String>, Spanned<f64>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct MarksSection {
    pub round_to: Option<Spanned<f64>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct TestSection {
    pub name: Option<Spanned<String>>,
    pub against: Spanned<Vec<Spanned<String>>>,
    pub marks: Spanned<f64>,
    pub games: Option<Spanned<u32>>,
    pub curve: Option<Spanned<Vec<[f64; 2]>>>,
    #[serde(default)]
    pub game: GameTable,
    pub opening_plies: Option<Spanned<u32>>,
    #[serde(default)]
    pub clock: ClockSection,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct ReliabilitySection {
    pub marks: Spanned<f64>,
    pub curve: Option<Spanned<Vec<[f64; 2]>>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct LateSection {
    pub marks_per_day: Spanned<f64>,
    #[serde(default)]
    pub days: DayKind,
    #[serde(default)]
    pub holidays: Vec<Spanned<Datetime>>,
    pub grace: Option<Spanned<String>>,
    pub most_days: Option<u32>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct TournamentSection {
    pub format: Spanned<FormatTable>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct FeedbackSection {
    #[serde(default)]
    pub hidden_games: bool,
}
