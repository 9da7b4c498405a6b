//! The language of a player in a manifest.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::bot::{EngineProtocol, EngineTerms, Language, SearchLimits};
use crate::units;

/// The protocol of an engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Speaks {
    /// The Universal Chess Interface.
    Uci,
    /// The Universal Shogi Interface.
    Usi,
    /// The Go Text Protocol.
    Gtp,
}

impl Speaks {
    pub(super) fn of(language: &Language) -> Option<Self> {
        Some(match language.engine()?.protocol {
            EngineProtocol::Uci => Self::Uci,
            EngineProtocol::Usi => Self::Usi,
            EngineProtocol::Gtp => Self::Gtp,
        })
    }

    fn protocol(self) -> EngineProtocol {
        match self {
            Self::Uci => EngineProtocol::Uci,
            Self::Usi => EngineProtocol::Usi,
            Self::Gtp => EngineProtocol::Gtp,
        }
    }
}

/// Limits of an engine's searches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct GoTable {
    /// Number of nodes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Depth in plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Time of each search.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        with = "units::duration_limit"
    )]
    pub movetime: Option<Duration>,
}

impl GoTable {
    pub(super) fn of(language: &Language) -> Self {
        let limits = language.engine().map(|terms| terms.go);
        let SearchLimits { nodes, depth, time } = limits.unwrap_or_default();
        Self {
            nodes,
            depth,
            movetime: time,
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// The language of a player with these keys.
pub(super) fn language(
    speaks: Option<Speaks>,
    options: &BTreeMap<String, String>,
    go: GoTable,
) -> Language {
    let GoTable {
        nodes,
        depth,
        movetime,
    } = go;
    match speaks {
        None => Language::Own,
        Some(speaks) => Language::Engine(EngineTerms {
            protocol: speaks.protocol(),
            options: options.clone().into_iter().collect(),
            go: SearchLimits {
                nodes,
                depth,
                time: movetime,
            },
        }),
    }
}
