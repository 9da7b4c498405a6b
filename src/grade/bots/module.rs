//! Which module of a course's package plays: as the roster says, or the configuration, or as the adapter finds it.

use std::collections::BTreeSet;
use std::path::Path;

use crate::grade::class::Candidate;
use crate::grade::intake::Unpacked;

/// The name of a package's folder where the submission has no folder at its top.
const PACKAGE: &str = "submission";

/// A package, as the adapter is told of it.
#[derive(Debug)]
pub(super) struct Package {
    /// The folder in which it lies, below that of the bot.
    pub folder: String,
    /// Whether somebody said which module plays.
    pub is_named: bool,
    /// The arguments of the adapter after the course.
    pub arguments: Vec<String>,
}

impl Package {
    /// The package of a candidate. `files` is where it was unpacked, `by_default` the module that plays where the
    /// roster names none.
    ///
    /// # Errors
    /// In words: it is not decided which module plays.
    pub fn of(
        candidate: &Candidate,
        unpacked: &Unpacked,
        files: &Path,
        by_default: Option<&str>,
    ) -> Result<Self, String> {
        // A package that imports itself by name needs a folder of that name.
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

/// A module as a path below its package, with its class behind it: `team.players.best:Agent` is `players/best:Agent`.
fn below(module: &str, package: &str, files: &Path) -> Option<String> {
    let (path, class) = match module.split_once(':') {
        Some((path, class)) => (path, format!(":{class}")),
        None => (module, String::new()),
    };
    let path = path.strip_suffix(".py").unwrap_or(path).replace('.', "/");
    let mut parts: Vec<&str> = path.split('/').collect();
    // As it is imported from above.
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
