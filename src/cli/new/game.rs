//! `referee new game NAME`: a folder with rules, their test, a bot and a tournament.

use clap::ValueEnum;

use super::folder::{NewFile, parse_name, tell, write};
use crate::cli::exit::{Exit, Failure};

/// Make a folder with rules to begin with, their test, a bot and a tournament
///
/// The rules are a program that referee asks by lines of text; docs/your-own-game.md goes from there to a tournament
/// with pages. The game of the folder is a small one: change its rules to yours.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct GameArgs {
    /// The name of the game and of the folder: a-z, 0-9 and -, such as connect-four
    #[arg(value_parser = parse_name)]
    name: String,
    /// The language of the rules: python, which needs no package, or rust, a project without dependencies
    #[arg(
        long,
        value_enum,
        default_value = "python",
        value_name = "LANGUAGE",
        hide_possible_values = true
    )]
    lang: RulesLanguage,
    /// Rules in Python, as --lang python
    #[arg(long, conflicts_with_all = ["lang", "rust"])]
    python: bool,
    /// Rules in Rust, as --lang rust
    #[arg(long, conflicts_with = "lang")]
    rust: bool,
}

/// A language that has a kit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum RulesLanguage {
    Python,
    Rust,
}

/// The name of the game in the files of a kit.
const NAME: &str = "my-game";

/// A kit: the files of a folder, and the command that tries the rules.
struct Kit {
    files: &'static [(&'static str, &'static str)],
    test: &'static str,
}

const PYTHON: Kit = Kit {
    files: &[
        (
            "rules/rules.py",
            include_str!("../../../examples/kits/python/rules.py"),
        ),
        (
            "rules/test_rules.py",
            include_str!("../../../examples/kits/python/test_rules.py"),
        ),
        (
            "rules/game.py",
            include_str!("../../../examples/rules/game.py"),
        ),
        (
            "bot/bot.py",
            include_str!("../../../bots/eight-lines/bot.py"),
        ),
        (
            "tournament.toml",
            include_str!("../../../examples/kits/python/tournament.toml"),
        ),
        (
            "README.md",
            include_str!("../../../examples/kits/python/README.md"),
        ),
    ],
    test: "python3 -m unittest discover rules",
};

const RUST: Kit = Kit {
    files: &[
        (
            "Cargo.toml",
            include_str!("../../../examples/kits/rust/package.toml"),
        ),
        (
            "src/main.rs",
            include_str!("../../../examples/kits/rust/src/main.rs"),
        ),
        (
            "src/rules.rs",
            include_str!("../../../examples/kits/rust/src/rules.rs"),
        ),
        (
            "src/bin/bot.rs",
            include_str!("../../../bots/skeleton-rust/bot.rs"),
        ),
        (
            "tournament.toml",
            include_str!("../../../examples/kits/rust/tournament.toml"),
        ),
        (
            "README.md",
            include_str!("../../../examples/kits/rust/README.md"),
        ),
    ],
    test: "cargo test",
};

pub(in crate::cli) fn run(args: &GameArgs) -> Result<Exit, Failure> {
    let kit = match args.lang {
        RulesLanguage::Python if !args.rust => PYTHON,
        RulesLanguage::Python | RulesLanguage::Rust => RUST,
    };
    let name = &args.name;
    let files: Vec<NewFile> = kit
        .files
        .iter()
        .map(|(file, text)| ((*file).to_owned(), text.replace(NAME, name)))
        .collect();
    write(name, &files)?;
    tell(
        &format!("{name}/ has rules, their test, a bot and a tournament."),
        &format!("cd {name} && {}", kit.test),
        &format!("Then change the rules; {name}/README.md has the other commands."),
    )
}
