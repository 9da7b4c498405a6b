//! `kit.toml` of a submission. A student wrote it, so it opens nothing of the machine: the words of its command are
//! marked as submitted, and its environment may not set what the harness itself reads. The student is told early of a
//! path that could not be read.

use std::fs;
use std::path::{Component, Path};

use serde::Deserialize;
use toml::Spanned;

use super::cause::{BrokenBot, Cause};
use crate::bot::is_of_the_harness;
use crate::config::PlayerSection;
use crate::text::excerpt;

pub const KIT: &str = "kit.toml";

const LONGEST_KIT: u64 = 64 << 10;

const SHOWN: usize = 60;

#[derive(Debug, PartialEq)]
pub struct Kit {
    pub command: Vec<String>,
    pub build: Option<Vec<String>>,
    pub env: Vec<(String, String)>,
    pub fresh_process: bool,
}

impl Kit {
    pub fn read(folder: &Path) -> Result<Self, BrokenBot> {
        let player = first_player(&folder.join(KIT))?;
        let command = match (&player.command, &player.shell) {
            (Some(command), None) => command.get_ref().clone(),
            (None, Some(shell)) => ["sh", "-c", shell.get_ref()].map(str::to_owned).to_vec(),
            _ => {
                return Err(broken(format!(
                    "the first [[player]] of `{KIT}` is no bot: expected `command = [\"program\"]`"
                )));
            }
        };
        let build = player.build.map(Spanned::into_inner);
        let env: Vec<(String, String)> = player.env.into_iter().collect();
        let words = || command.iter().chain(build.iter().flatten());
        let of_env = env.iter().flat_map(|(name, value)| [name, value]);
        // The system takes no such text, which would look like the machine's fault.
        if words().chain(of_env).any(|word| word.contains('\0')) {
            return Err(broken(format!(
                "its `{KIT}` has the character U+0000 in `command`, `build` or `env`: leave it out"
            )));
        }
        for word in words() {
            stays_inside(word)?;
        }
        for (name, value) in &env {
            opens_nothing(name, value)?;
        }
        Ok(Self {
            command,
            build,
            env,
            fresh_process: player.fresh_process,
        })
    }
}

fn broken(why: String) -> BrokenBot {
    BrokenBot::new(why.clone(), Cause::Kit(why))
}

fn first_player(path: &Path) -> Result<PlayerSection, BrokenBot> {
    #[derive(Deserialize)]
    struct File {
        #[serde(default)]
        player: Vec<PlayerSection>,
    }
    let length = fs::metadata(path).map_or(0, |file| file.len());
    if length > LONGEST_KIT {
        return Err(broken(format!(
            "its `{KIT}` is longer than {LONGEST_KIT} bytes"
        )));
    }
    let text = fs::read_to_string(path).map_err(|error| {
        broken(format!(
            "it has no `{KIT}` at its top that can be read ({error})"
        ))
    })?;
    let file: File = toml::from_str(&text).map_err(|error| {
        let (line, problem) = crate::config::toml_problem(&text, &error);
        let line = line.map_or_else(String::new, |line| format!(":{line}"));
        broken(format!("`{KIT}{line}`: {problem}"))
    })?;
    let mut players = file.player.into_iter();
    players
        .next()
        .ok_or_else(|| broken(format!("its `{KIT}` has no [[player]]")))
}

/// Checks a word of a command: a path must stay inside the submission; a program may have a bare name.
fn stays_inside(word: &str) -> Result<(), BrokenBot> {
    let path = Path::new(word);
    let leads_out = path.is_absolute() || path.components().any(|it| it == Component::ParentDir);
    // A shell line is no path.
    if leads_out && !word.contains(char::is_whitespace) {
        Err(broken(format!(
            "its `{KIT}` names `{}`, which leads out of what was handed in: name a file of yours from the top of it, \
             or a program by its name alone",
            excerpt(word, SHOWN)
        )))
    } else {
        Ok(())
    }
}

/// Checks an environment variable: its name must be the bot's own, and its value no path.
fn opens_nothing(name: &str, value: &str) -> Result<(), BrokenBot> {
    let why = match () {
        () if is_of_the_harness(name) || name.starts_with("LD_") => {
            "says where the machine has something"
        }
        () if value.contains('/') || value.starts_with('.') => "has a path",
        () => return Ok(()),
    };
    Err(broken(format!(
        "its `{KIT}` sets `{}` in `env`, which {why}: leave it out, or ask the staff to set it",
        excerpt(name, SHOWN)
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Kit, String> {
        let folder = tempfile::tempdir().expect("a folder");
        fs::create_dir(folder.path().join("src")).expect("made");
        fs::write(folder.path().join(KIT), format!("[[player]]\n{text}\n")).expect("written");
        Kit::read(folder.path()).map_err(|error| error.why)
    }

    #[test]
    fn a_kit_opens_nothing_of_the_machine() {
        for text in [
            "command = [\"../other/bot\"]",
            "command = [\"/bin/cat\", \"roster.csv\"]",
            "command = [\"cat\", \"../../../roster.csv\"]",
            "command = [\"cat\", \"/etc/passwd\"]",
            "command = [\"cat\", \"src/../../x\"]",
            "command = [\"./bot\"]\nbuild = [\"cp\", \"/etc/passwd\", \".\"]",
            "shell = \"/etc/passwd\"",
            "command = [\"java\", \"Bot\"]\nenv = { JAVA_HOME = \"/\" }",
            "command = [\"java\", \"Bot\"]\nenv = { JAVA_HOME = \"..\" }",
            "command = [\"python3\", \"bot.py\"]\nenv = { VIRTUAL_ENV = \"x\" }",
            "command = [\"python3\", \"bot.py\"]\nenv = { PATH = \"x\" }",
            "command = [\"python3\", \"bot.py\"]\nenv = { LD_PRELOAD = \"x.so\" }",
            "command = [\"python3\", \"bot.py\"]\nenv = { DATA = \"/work\" }",
            "command = [\"python3\", \"bot.py\", \"\\u0000\"]",
            "command = [\"./bot\"]\nbuild = [\"make\\u0000\"]",
            "command = [\"./bot\"]\nenv = { \"A\\u0000\" = \"1\" }",
        ] {
            let why = read(text).expect_err(text);
            assert!(why.starts_with("its `kit.toml` "), "{why}");
        }
    }
}
