//! Module of a course's package that plays: from the roster, else from the configuration, else found by the
//! adapter.

use std::collections::BTreeSet;
use std::path::Path;

use crate::grade::class::Candidate;
use crate::grade::intake::Unpacked;

/// Folder name of a package without a folder at its top.
const PACKAGE: &str = "submission";

/// A package, as passed to the adapter.
#[derive(Debug)]
pub(super) struct Package {
    /// Folder of the package, below the bot's.
    pub folder: String,
    /// Whether roster or configuration name the module.
    pub is_named: bool,
    /// Arguments of the adapter after the course.
    pub arguments: Vec<String>,
}

impl Package {
    /// The package of a candidate, unpacked in `files`. The module `by_default` plays if the roster names none.
    ///
    /// The module is ambiguous or no valid path; the error says so in words.
    /// In words: it is not decided which module plays.
    pub fn of(
        candidate: &Candidate,
        unpacked: &Unpacked,
        files: &Path,
        by_default: Option<&str>,
    ) -> Result<Self, String> {
        // A package that imports itself needs a folder of its own name.
        let folder = unpacked.top.as_deref().unwrap_or(PACKAGE).to_owned();
        let members = candidate.members.iter();
        let named: BTreeSet<&str> = members.filter_map(|it| it.module.as_deref()).collect();
        if named.len() > 1 {
            let named: Vec<&str> = named.into_iter().collect();
            return Err(format!(
                "the roster has several modules of one team: {}",
                named.join(", ")
            ));
        }
        let module = named.first().copied().or(by_default);
        let mut arguments = vec![match module {
            None => folder.clone(),
            Some(module) => {
                let below = below(module, &folder, files).ok_or_else(|| {
                    format!(
                        "the module `{module}` is not named by a path within the submission, such as `player` or \
                         `agents/best.py`"
                    )
                })?;
                format!("{folder}/{below}")
            }
        }];
        if unpacked.top.is_none() {
            arguments.push("--flat".to_owned());
        }
        Ok(Self {
            folder,
            is_named: module.is_some(),
            arguments,
        })
    }
}

/// Path of a module below its package, with its class: `players/best:Agent` for `team.players.best:Agent`.
fn below(module: &str, package: &str, files: &Path) -> Option<String> {
    let (path, class) = match module.split_once(':') {
        Some((path, class)) => (path, format!(":{class}")),
        None => (module, String::new()),
    };
    let path = path.strip_suffix(".py").unwrap_or(path).replace('.', "/");
    let mut parts: Vec<&str> = path.split('/').collect();
    // Drop the package's own name, as used in an import from above.
    if parts.len() > 1 && parts[0] == package && !files.join(package).exists() {
        parts.remove(0);
    }
    let is_good = parts.iter().all(|part| !part.is_empty());
    is_good.then(|| parts.join("/") + &class)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_are_named_as_paths_or_as_they_are_imported() {
        let nowhere = Path::new("/no/such/folder");
        for (module, path) in [
            ("player", Some("player")),
            ("Player.py", Some("Player")),
            ("players/best.py", Some("players/best")),
            ("players.best:Agent", Some("players/best:Agent")),
            ("team.player", Some("player")),
            ("team", Some("team")),
            ("../other/player.py", None),
            ("/etc/passwd", None),
            ("", None),
        ] {
            assert_eq!(below(module, "team", nowhere).as_deref(), path, "{module}");
        }
    }
}
