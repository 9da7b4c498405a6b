//! The kits of `bots/`, and how their texts become a new bot's.

use clap::ValueEnum;

/// A language that has a starter kit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Language {
    Python,
    Javascript,
    Java,
    Cpp,
    Rust,
    Go,
}

/// A kit in `bots/`. Its texts contain the name of the kit wherever the name of the new bot belongs.
#[derive(Debug, Clone, Copy)]
pub struct Kit {
    pub name: &'static str,
    /// The file with the bot.
    pub program: (&'static str, &'static str),
    pub page: &'static str,
    pub config: &'static str,
    /// The program that runs or compiles it.
    pub needs: &'static str,
}

/// A kit of the folder `bots/starter-…` or `bots/skeleton-…`.
macro_rules! kit {
    ($name:literal, $program:literal, $needs:literal) => {
        Kit {
            name: $name,
            program: (
                $program,
                include_str!(concat!("../../../bots/", $name, "/", $program)),
            ),
            page: include_str!(concat!("../../../bots/", $name, "/README.md")),
            config: include_str!(concat!("../../../bots/", $name, "/kit.toml")),
            needs: $needs,
        }
    };
}

/// The configuration of a kit, under the name that a submission of a class has, too.
pub const CONFIG: &str = "kit.toml";

/// The games that starter kits play, in their configuration.
pub const GAMES: [&str; 3] = ["watch-your-back", "cachex", "dark-chess"];

pub const STARTER_PYTHON: Kit = kit!("starter-python", "bot.py", "python3");
pub const SKELETON_PYTHON: Kit = kit!("skeleton-python", "bot.py", "python3");
const SKELETON_RUST: Kit = kit!("skeleton-rust", "bot.rs", "rustc");

/// Command in the texts of a skeleton for the rules of its game.
pub const SKELETON_RULES: &str = "\"python3 ../examples/rules/phantom_tic_tac_toe.py\"";

impl Kit {
    /// The kit that knows the rules of [`GAMES`].
    pub fn starter(language: Language) -> Self {
        match language {
            Language::Python => STARTER_PYTHON,
            Language::Javascript => kit!("starter-javascript", "bot.js", "node"),
            Language::Java => kit!("starter-java", "Bot.java", "javac"),
            Language::Cpp => kit!("starter-cpp", "bot.cpp", "g++"),
            Language::Rust => kit!("starter-rust", "bot.rs", "rustc"),
            Language::Go => kit!("starter-go", "bot.go", "go"),
        }
    }

    /// The kit for rules that offer actions.
    pub fn skeleton(language: Language) -> Option<Self> {
        match language {
            Language::Python => Some(SKELETON_PYTHON),
            Language::Rust => Some(SKELETON_RUST),
            Language::Javascript | Language::Java | Language::Cpp | Language::Go => None,
        }
    }

    /// A text of this kit for a bot of that name.
    pub fn named(&self, text: &str, name: &str) -> String {
        text.replace(self.name, name)
    }
}

/// A configuration with these games in place of its own: all tables before `[format]`.
pub fn with_games(config: &str, tables: &str) -> String {
    let own = config.find("\n[game]").or(config.find("\n[[game]]"));
    match (own, config.find("\n[format]")) {
        (Some(begin), Some(end)) => {
            format!("{}\n{tables}{}", &config[..begin], &config[end..])
        }
        _ => config.to_owned(),
    }
}

/// A table for each built-in game.
pub fn game_tables(games: &[&str]) -> String {
    let table = |game: &&str| format!("[[game]]\nname = \"{game}\"\n");
    games.iter().map(table).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A copy has its own name everywhere; each text has all words that are replaced.
    #[test]
    fn texts_of_kits_have_all_that_is_replaced() {
        let starters = Language::value_variants()
            .iter()
            .map(|language| Kit::starter(*language));
        for kit in starters {
            let games = with_games(kit.config, &game_tables(&GAMES));
            assert_eq!(games, kit.config, "{}", kit.name);
            assert!(kit.page.contains("referee play cachex "), "{}", kit.name);
            assert!(kit.page.contains(" --game cachex\n"), "{}", kit.name);
            assert!(kit.program.1.contains(kit.name), "{}", kit.name);
        }
        for kit in [SKELETON_PYTHON, SKELETON_RUST] {
            assert_eq!(kit.page.matches(SKELETON_RULES).count(), 2, "{}", kit.name);
            assert!(kit.program.1.contains(kit.name), "{}", kit.name);
        }
    }
}
