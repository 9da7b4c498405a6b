//! `kit.toml` of a submission. A student wrote it, so it opens nothing of the machine: the words of its command are
//! marked as submitted, and its environment may not set what the harness itself reads. The student is told early of a
//! path that could not be read.

use std::fs;
use std::path::{Component, Path, PathBuf};

use serde::Deserialize;
use toml::Spanned;

use super::cause::{BrokenBot, Cause};
use crate::bot::{Language, is_of_the_harness};
use crate::config::{PlayerSection, language, line_and_column};
use crate::grade::intake::listed;
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
    pub language: Language,
    /// Folder of the bot, below that of the submission.
    pub dir: PathBuf,
    /// A sentence on keys that only a tournament reads.
    pub note: Option<String>,
}

/// Keys of a player whose place the terms of the course take.
const OF_THE_COURSE: [&str; 2] = ["clock", "limits"];

/// Keys whose values make several players.
const OF_SEVERAL: [&str; 2] = ["grid", "tune"];

/// Variables of the harness that say how a program speaks, and not where something lies.
const HARMLESS: [&str; 4] = ["LANG", "LANGUAGE", "RUST_BACKTRACE", "TZ"];

impl Kit {
    pub fn read(folder: &Path) -> Result<Self, BrokenBot> {
        let (player, language, note) = first_player(&folder.join(KIT))?;
        if player.args.is_some_and(|args| !args.get_ref().is_empty()) {
            return Err(broken(format!(
                "its `{KIT}` has `args`, which goes with `house` alone: write the arguments into `command`"
            )));
        }
        let dir = own_folder(folder, player.dir.as_ref().map_or("", |dir| dir.get_ref()))?;
        let command = match (&player.command, &player.shell) {
            (Some(command), None) => command.get_ref().clone(),
            (None, Some(shell)) => ["sh", "-c", shell.get_ref()].map(str::to_owned).to_vec(),
            _ => {
                return Err(broken(format!(
                    "the first [[player]] of `{KIT}` is no bot: expected `command = [\"program\"]`"
                )));
            }
        };
        if starts_house_bot(&command) {
            return Err(broken(format!(
                "the first [[player]] of `{KIT}` is a house bot: expected `command = [\"program\"]` with a program of yours"
            )));
        }
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
            language,
            dir,
            note,
        })
    }
}

fn broken(why: String) -> BrokenBot {
    BrokenBot::new(why.clone(), Cause::Kit(why))
}

/// The first player, its language, and a note on keys that are not used.
fn first_player(path: &Path) -> Result<(PlayerSection, Language, Option<String>), BrokenBot> {
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
    let flaw = |line: Option<usize>, problem: &str| {
        let line = line.map_or_else(String::new, |line| format!(":{line}"));
        broken(format!("`{KIT}{line}`: {problem}"))
    };
    let table: toml::Table = toml::from_str(&text).unwrap_or_default();
    let player_table = table.get("player").and_then(|it| it.get(0));
    let has = |key: &&&str| player_table.is_some_and(|it| it.get(**key).is_some());
    if let Some(key) = OF_SEVERAL.iter().find(has) {
        return Err(broken(format!(
            "its `{KIT}` has a `{key}`: a kit has one bot, so write one value into its `command`"
        )));
    }
    let file: File = toml::from_str(&text).map_err(|error| {
        let (line, problem) = crate::config::toml_problem(&text, &error);
        flaw(line, &problem)
    })?;
    let mut players = file.player.into_iter();
    let player = players
        .next()
        .ok_or_else(|| broken(format!("its `{KIT}` has no [[player]]")))?;
    let language = language(&player).map_err(|it| {
        let line = it.at.map(|at| line_and_column(&text, at).0);
        flaw(line, &it.problem)
    })?;
    let unused: Vec<&str> = OF_THE_COURSE.iter().filter(has).copied().collect();
    let note = (!unused.is_empty()).then(|| {
        let unused = listed(unused.into_iter());
        format!("not used of its `{KIT}`: {unused}; the course sets the terms")
    });
    Ok((player, language, note))
}

/// Checks `dir`: a folder of the submission, reached without a link.
fn own_folder(folder: &Path, dir: &str) -> Result<PathBuf, BrokenBot> {
    let parts = Path::new(dir).components();
    let own: PathBuf = parts.filter(|it| *it != Component::CurDir).collect();
    let mut here = folder.to_owned();
    let is_own = own.components().all(|part| {
        here.push(part);
        matches!(part, Component::Normal(_)) && here.symlink_metadata().is_ok_and(|it| it.is_dir())
    });
    is_own.then_some(own).ok_or_else(|| {
        broken(format!(
            "its `{KIT}` has the `dir` `{}`: expected a folder of yours, from the top of what was handed in",
            excerpt(dir, SHOWN)
        ))
    })
}

/// Whether a command, or a line of a shell in it, has this program play.
fn starts_house_bot(command: &[String]) -> bool {
    let own = std::env::current_exe().unwrap_or_default();
    let own = own.file_name().unwrap_or_default();
    let line = command.join(" ").replace(['\'', '"', '\\'], "");
    let words: Vec<&str> = line
        .split(|c: char| c.is_whitespace() || ";&|()`".contains(c))
        .collect();
    let is_own = |word: &str| {
        let name = Path::new(word).file_name();
        name.is_some_and(|name| name == "referee" || name == own)
    };
    words
        .windows(2)
        .any(|pair| is_own(pair[0]) && pair[1] == "bot")
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

/// Checks an environment variable: the harness does not say by it where something lies, and its value is no path.
fn opens_nothing(name: &str, value: &str) -> Result<(), BrokenBot> {
    let is_harmless = HARMLESS.contains(&name) || name.starts_with("LC_");
    let why = match () {
        () if name.starts_with("LD_") => "changes how programs are loaded",
        () if is_of_the_harness(name) && !is_harmless => {
            "the machine sets, so that programs find their parts"
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
        for name in ["LC_ALL", "LANG", "RUST_BACKTRACE", "SIZE"] {
            let text = format!("command = [\"./bot\"]\nenv = {{ {name} = \"full\" }}");
            read(&text).expect(name);
        }
    }

    #[test]
    fn a_kit_has_one_bot_which_is_no_house_bot() {
        for text in [
            "house = \"search\"",
            "command = [\"referee\", \"bot\", \"search\"]",
            "command = [\"env\", \"referee\", \"bot\", \"search\"]",
            "command = [\"bash\", \"-c\", \"referee bot search\"]",
            "shell = \"exec /usr/bin/referee bot search\"",
            "shell = \"cd src;'referee' bot search\"",
        ] {
            let why = read(text).expect_err(text);
            assert!(
                why.starts_with("the first [[player]] of `kit.toml` is "),
                "{why}"
            );
        }
        let several = "command = [\"./bot\", \"{n}\"]\ngrid = { n = [1, 2] }";
        let why = read(several).expect_err("several");
        assert!(
            why.starts_with("its `kit.toml` has a `grid`: a kit has one bot"),
            "{why}"
        );
        read("command = [\"python3\", \"referee.py\", \"bot\"]").expect("its own");
    }
}
