//! The kits of `bots/` and `examples/kits/`, a row each.

use std::path::Path;

use crate::cli::exit::{Exit, Failure};
use crate::cli::output::print;
use crate::runs::{RunFileError, RunFileProblem, draw_seed, make_parent, write_bytes};

#[derive(Debug)]
pub struct Kit {
    pub name: &'static str,
    /// The word in its texts and words in whose place the name of the new folder goes.
    own: &'static str,
    files: &'static [(&'static str, &'static str)],
    /// The program that runs or compiles its bot.
    pub needs: Option<&'static str>,
    /// The content of the folder; the line to type next, in the README if there is none here; and the steps after it.
    words: [&'static str; 3],
}

pub type NewFile = (String, String);

const README: &str = "README.md";

/// Files as rows: the path in the new folder, and the file in this repository.
macro_rules! files {
    ($($path:expr => $from:expr),* $(,)?) => {
        &[$(($path, include_str!(concat!("../../../", $from)))),*]
    };
}

macro_rules! bot {
    ($name:literal, $program:literal, $needs:literal) => {
        Kit {
            name: $name,
            own: $name,
            files: files! {
                $program => concat!("bots/", $name, "/", $program),
                "kit.toml" => concat!("bots/", $name, "/kit.toml"),
                README => concat!("bots/", $name, "/README.md"),
            },
            needs: Some($needs),
            words: [
                concat!($name, "/ has a bot and a tournament of it."),
                "",
                concat!(
                    "Then change `choose` in ",
                    $name,
                    "/",
                    $program,
                    "; ",
                    $name,
                    "/README.md has the other commands."
                ),
            ],
        }
    };
}

/// All kits. One of a kind that has several languages is named `KIND-LANGUAGE`.
pub const KITS: [Kit; 14] = [
    bot!("starter-python", "bot.py", "python3"),
    bot!("starter-javascript", "bot.js", "node"),
    bot!("starter-java", "Bot.java", "javac"),
    bot!("starter-cpp", "bot.cpp", "g++"),
    bot!("starter-rust", "bot.rs", "rustc"),
    bot!("starter-go", "bot.go", "go"),
    bot!("skeleton-python", "bot.py", "python3"),
    bot!("skeleton-rust", "bot.rs", "rustc"),
    Kit {
        name: "game-python",
        own: "my-game",
        files: files! {
            "rules/rules.py" => "examples/kits/python/rules.py",
            "rules/test_rules.py" => "examples/kits/python/test_rules.py",
            "rules/game.py" => "examples/rules/game.py",
            "bot/bot.py" => "bots/eight-lines/bot.py",
            "tournament.toml" => "examples/kits/python/tournament.toml",
            README => "examples/kits/python/README.md",
        },
        needs: None,
        words: [
            "my-game/ has rules, their test, a bot and a tournament.",
            "cd my-game && python3 -m unittest discover rules",
            "Then change the rules; my-game/README.md has the other commands.",
        ],
    },
    Kit {
        name: "game-rust",
        own: "my-game",
        files: files! {
            "Cargo.toml" => "examples/kits/rust/package.toml",
            "src/main.rs" => "examples/kits/rust/src/main.rs",
            "src/rules.rs" => "examples/kits/rust/src/rules.rs",
            "src/bin/bot.rs" => "bots/skeleton-rust/bot.rs",
            "tournament.toml" => "examples/kits/rust/tournament.toml",
            README => "examples/kits/rust/README.md",
        },
        needs: None,
        words: [
            "my-game/ has rules, their test, a bot and a tournament.",
            "cd my-game && cargo test",
            "Then change the rules; my-game/README.md has the other commands.",
        ],
    },
    Kit {
        name: "tournament",
        own: "my-tournament",
        files: files! { "tournament.toml" => "examples/kits/tournament/tournament.toml" },
        needs: None,
        words: [
            "my-tournament/tournament.toml is a tournament of the house bots.",
            "cd my-tournament && referee run tournament.toml",
            "Then make a bot of your own, `referee new bot alice`, and enter it as the last lines of the file say.",
        ],
    },
    Kit {
        name: "league",
        own: "my-league",
        files: files! { "league.toml" => "examples/kits/league/league.toml" },
        needs: None,
        words: [
            "my-league/league.toml has the terms of a league without bots.",
            "referee league add my-league random --command random",
            "Add your own likewise, `referee league add my-league alice --command \"python3 bot.py\" --dir alice`, and play: \
             `referee league play my-league`. `referee docs league` says more.",
        ],
    },
    Kit {
        name: "class",
        own: "my-class",
        files: files! {
            "class.toml" => "examples/kits/class/class.toml",
            "roster.csv" => "examples/kits/class/roster.csv",
        },
        needs: None,
        words: [
            "my-class/ has a scheme of marks, a roster, and the submissions of two students.",
            "cd my-class && referee grade class.toml",
            CLASS_THEN,
        ],
    },
    Kit {
        name: "class-of-course",
        own: "my-class",
        files: files! {
            "class.toml" => "configs/grade-comp30024-2025.toml",
            "roster.csv" => "examples/kits/class/roster.csv",
            "submissions/s1001/agent/__init__.py" => "bots/course-adapters/examples/wanderer_2025/__init__.py",
            "submissions/s1001/agent/program.py" => "bots/course-adapters/examples/wanderer_2025/program.py",
            "submissions/s1002/bot.py" => "bots/eight-lines/bot.py",
            "course/adapter.py" => "bots/course-adapters/adapter.py",
            "course/comp30024.py" => "examples/rules/comp30024.py",
            "course/game.py" => "examples/rules/game.py",
            "course/wrapping.py" => "examples/rules/wrapping.py",
            "references/wanderer/__init__.py" => "bots/course-adapters/examples/wanderer_2025/__init__.py",
            "references/wanderer/program.py" => "bots/course-adapters/examples/wanderer_2025/program.py",
            "course/referee/__init__.py" => "bots/course-adapters/examples/package/referee/__init__.py",
            "course/referee/game/__init__.py" => "bots/course-adapters/examples/package/referee/game/__init__.py",
            "course/referee/game/actions.py" => "bots/course-adapters/examples/package/referee/game/actions.py",
            "course/referee/game/board.py" => "bots/course-adapters/examples/package/referee/game/board.py",
            "course/referee/game/constants.py" => "bots/course-adapters/examples/package/referee/game/constants.py",
            "course/referee/game/coord.py" => "bots/course-adapters/examples/package/referee/game/coord.py",
            "course/referee/game/exceptions.py" => "bots/course-adapters/examples/package/referee/game/exceptions.py",
            "course/referee/game/player.py" => "bots/course-adapters/examples/package/referee/game/player.py",
        },
        needs: Some("python3"),
        words: [
            "my-class/ has a scheme of marks, a roster, two submissions, and a small game in the place of the course's: put \
             the course's package `referee` into my-class/course, and its benchmark players into my-class/references.",
            "cd my-class && referee grade class.toml",
            CLASS_THEN,
        ],
    },
];

const CLASS_THEN: &str = "Then open my-class/results/my-class/class.html. my-class/class.toml explains the scheme; put \
                          your students in the place of these two.";

/// The paths of the configuration of a course in the repository, and in a new folder.
pub const COURSE_PATHS: [[&str; 2]; 10] = [
    // In time for its deadline.
    ["id,name,email\n", "id,name,email,submitted\n"],
    ["ada@uni.example\n", "ada@uni.example,2025-05-12 09:00\n"],
    ["ben@uni.example\n", "ben@uni.example,2025-05-12 10:00\n"],
    [
        "cargo run --release -- grade configs/grade-comp30024-2025.toml",
        "referee grade class.toml",
    ],
    ["../class/", ""],
    ["../bots/course-adapters/adapter.py", "course/adapter.py"],
    ["../examples/rules/comp30024.py", "course/comp30024.py"],
    ["../bots/course-adapters/examples/package", "course"],
    ["../bots/course-adapters/examples", "references"],
    ["\"../adapter.py\"", "\"../course/adapter.py\""],
];

/// The seeds of the samples in the repository.
const SAMPLE_SEEDS: [&str; 2] = ["seed = 2026\n", "seed = 2025\n"];

/// The games that starter kits play, in their configuration.
pub const GAMES: [&str; 3] = ["watch-your-back", "cachex", "dark-chess"];

/// Command in the texts of a skeleton for the rules of its game.
pub const SKELETON_RULES: &str = "\"python3 ../examples/rules/phantom_tic_tac_toe.py\"";

impl Kit {
    /// The files of a folder of this name. Configurations have `games` in place of their own, if there are any, and each
    /// text the second word of `changes` in place of the first, and a new seed: everybody knows the seeds of the samples.
    pub fn folder(
        &self,
        name: &str,
        games: &str,
        changes: &[[&str; 2]],
    ) -> Result<Vec<NewFile>, Failure> {
        let seed = draw_seed().map_err(RunFileError::at(Path::new(name), RunFileProblem::Seed))?;
        let seed = format!("seed = {seed}\n");
        let seeds = SAMPLE_SEEDS.map(|sample| [sample, seed.as_str()]);
        let file = |(path, text): &(&str, &str)| {
            let mut text = match path.ends_with(".toml") {
                true => with_games(text, games),
                false => (*text).to_owned(),
            };
            for [from, to] in changes.iter().chain(&seeds) {
                text = text.replace(from, to);
            }
            ((*path).to_owned(), text.replace(self.own, name))
        };
        Ok(self.files.iter().map(file).collect())
    }

    pub fn told(&self, name: &str, files: &[NewFile]) -> [String; 3] {
        let [made, next, then] = self.words.map(|words| words.replace(self.own, name));
        let page = files.iter().find(|(path, _)| path == README);
        let commands = page.into_iter().flat_map(|(_, page)| page.lines());
        let mut commands = commands.filter_map(|line| line.strip_prefix("    "));
        let next = match next.as_str() {
            "" => commands.next().unwrap_or_default().to_owned(),
            _ => next,
        };
        [made, next, then]
    }
}

fn with_games(config: &str, games: &str) -> String {
    let own = config.find("\n[game]").or(config.find("\n[[game]]"));
    let tables = config.match_indices("\n[").map(|(at, _)| at);
    let is_next = |at: &usize| {
        let table = config[at + 1..].trim_start_matches('[');
        own.is_some_and(|own| *at > own) && !table.starts_with("game]")
    };
    match (own, tables.into_iter().find(is_next)) {
        (Some(begin), Some(end)) if !games.is_empty() => {
            format!("{}\n{games}{}", &config[..begin], &config[end..])
        }
        _ => config.to_owned(),
    }
}

pub fn game_tables(games: &[&str]) -> String {
    let table = |game: &&str| format!("[[game]]\nname = \"{game}\"\n");
    games.iter().map(table).collect::<Vec<_>>().join("\n")
}

pub fn write(name: &str, files: &[NewFile]) -> Result<(), Failure> {
    let folder = Path::new(name);
    refuse_content(folder)?;
    for (file, text) in files {
        let path = folder.join(file);
        make_parent(&path)?;
        write_bytes(&path, text)?;
    }
    Ok(())
}

fn refuse_content(folder: &Path) -> Result<(), Failure> {
    let Ok(metadata) = folder.symlink_metadata() else {
        return Ok(());
    };
    let is_empty = metadata.is_dir() && {
        let entries = std::fs::read_dir(folder);
        let mut entries = entries.map_err(RunFileError::at(folder, RunFileProblem::Read))?;
        entries.next().is_none()
    };
    if is_empty {
        return Ok(());
    }
    let problem = format!(
        "{}: it is already there, and nothing is overwritten; take another name, or remove it first",
        folder.display()
    );
    Err(Failure::usage(problem))
}

/// Prints what the new folder has, the line to type next, and the steps after it.
pub fn tell([made, next, then]: &[String; 3]) -> Result<Exit, Failure> {
    print(&format!("{made} Next:\n\n    {}\n\n{then}\n", typed(next)))?;
    Ok(Exit::Done)
}

/// A line with this program called as it was called now.
fn typed(line: &str) -> String {
    let called = std::env::args_os().next().unwrap_or_default();
    let has_folder = Path::new(&called).components().count() > 1;
    let path = has_folder.then(|| std::path::absolute(&called)).transpose();
    let Ok(Some(path)) = path else {
        return line.to_owned();
    };
    let path = path.to_string_lossy();
    match shlex::try_quote(&path) {
        Ok(quoted) => line.replace("referee ", &format!("{quoted} ")),
        // Only a path with a zero byte has no quoted form, and no argument has one.
        Err(_) => line.to_owned(),
    }
}

/// A name of a folder that is also the name of a game, a player or a run.
pub fn parse_name(text: &str) -> Result<String, String> {
    let is_allowed = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    let begins = text.starts_with(|first: char| first.is_ascii_lowercase());
    if begins && text.len() <= 64 && text.bytes().all(is_allowed) {
        Ok(text.to_owned())
    } else {
        Err("expected 1 to 64 characters of a-z, 0-9 and -, the first a letter".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A copy has its own name everywhere; each text has all words that are replaced.
    #[test]
    fn texts_of_kits_have_all_that_is_replaced() {
        let text = |kit: &Kit, path: &str| {
            let file = kit.files.iter().find(|file| file.0 == path);
            file.unwrap_or_else(|| panic!("{}: {path}", kit.name)).1
        };
        let kinds = |kind: &'static str| KITS.iter().filter(move |kit| kit.name.starts_with(kind));
        for kit in kinds("starter-") {
            let (config, page) = (text(kit, "kit.toml"), text(kit, README));
            assert_eq!(
                with_games(config, &game_tables(&GAMES)),
                config,
                "{}",
                kit.name
            );
            assert!(page.contains("referee play --game cachex "), "{}", kit.name);
            assert!(page.contains(" --game cachex\n"), "{}", kit.name);
        }
        for kit in kinds("skeleton-") {
            let page = text(kit, README);
            assert_eq!(page.matches(SKELETON_RULES).count(), 2, "{}", kit.name);
        }
        for kit in kinds("starter-").chain(kinds("skeleton-")) {
            assert!(kit.files[0].1.contains(kit.own), "{}", kit.name);
        }
    }
}
