//! `[[player]]` of a manifest.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::Stamp;
use crate::bot::{Language, Launch, SearchLimits};
use crate::clock::TimeControl;
use crate::config::{Entry, Limits};
use crate::runs::error::RunFileProblem;
use crate::runs::identity::Sources;
use crate::runs::identity::bot_digest::{PlayerDigests, digest_of_sources};

/// `[[player]]`: a player as it was entered. TOML leaves out what is `None`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct PlayerTable {
    pub name: String,
    pub display_name: Option<String>,
    pub house: Option<String>,
    /// The program and its arguments, where it is not a house bot.
    pub command: Option<Vec<String>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub args: Vec<String>,
    pub dir: Option<PathBuf>,
    /// The folder that its course puts beside it.
    pub course_files: Option<PathBuf>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub submitted: bool,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub env: BTreeMap<String, String>,
    pub build: Option<Vec<String>>,
    pub speaks: Option<String>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub options: BTreeMap<String, String>,
    #[serde(default, skip_serializing_if = "SearchLimits::is_empty")]
    pub go: SearchLimits,
    pub clock: Option<TimeControl>,
    pub limits: Option<Limits>,
    #[serde(default)]
    pub fresh_process: bool,
    /// A digest of what it runs, with its folder or without; a bot that is built has one once its build is over.
    pub digest: Option<String>,
    pub files: Option<Vec<String>>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub grid: BTreeMap<String, String>,
}

impl PlayerTable {
    pub(super) fn new(
        entry: &Entry,
        stamp: &Stamp,
        sources: &Sources,
        digests: &mut PlayerDigests<'_>,
    ) -> Result<Self, RunFileProblem> {
        let launch = &entry.launch;
        let (files, engine) = (sources.of(&entry.name), entry.language.engine());
        let digest = match (&entry.build, files) {
            (None, _) => Some(digests.of(launch, sources.has_folder(&entry.name))),
            (Some(_), None) => None,
            (Some(_), Some(files)) => Some(digest_of_sources(launch, files)),
        };
        let digest = digest.transpose().map_err(|error| {
            let name = &entry.name;
            RunFileProblem::Malformed(format!("the bot of `{name}` cannot be read: {error}"))
        })?;
        Ok(Self {
            name: entry.name.clone(),
            display_name: entry.display_name.clone(),
            house: entry.house.clone(),
            command: entry.house.is_none().then(|| words_of(launch)),
            // The first two arguments of a house bot are `bot` and its name.
            args: match entry.house {
                Some(_) => launch.args[2..].to_vec(),
                None => Vec::new(),
            },
            dir: launch.dir.clone(),
            course_files: launch.course_files.clone(),
            submitted: launch.submitted,
            env: launch.env.iter().cloned().collect(),
            build: entry.build.as_ref().map(words_of),
            speaks: (engine.is_some() || !entry.language.options().is_empty())
                .then(|| entry.language.name().to_owned()),
            options: entry.language.options().iter().cloned().collect(),
            go: engine.map(|terms| terms.go).unwrap_or_default(),
            clock: entry.terms.time.clone(),
            limits: entry.terms.limits.as_ref().map(|own| stamp.in_force(own)),
            fresh_process: entry.fresh_process,
            files: files.map(<[String]>::to_vec),
            grid: entry.variant.clone(),
            digest: digest.map(|digest| digests.with_course_files(digest, launch)),
        })
    }

    pub fn language(&self) -> Language {
        let language = self.speaks.as_deref().and_then(Language::from_name);
        let mut language = language.unwrap_or_default();
        *language.options_mut() = self.options.clone().into_iter().collect();
        if let Language::Engine(terms) = &mut language {
            terms.go = self.go;
        }
        language
    }
}

pub(in crate::runs) fn words_of(launch: &Launch) -> Vec<String> {
    let program = launch.program.display().to_string();
    std::iter::once(program)
        .chain(launch.args.iter().cloned())
        .collect()
}
