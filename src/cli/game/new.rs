//! `referee game new NAME`: a folder with rules, their test, a bot and a tournament.

use std::path::Path;

use crate::cli::exit::{Exit, Failure};
use crate::cli::output::print;
use crate::runs::{make_parent, write_whole};

/// Make a folder with rules to begin with, their test, a bot and a tournament
///
/// The rules are a program that referee asks by lines of text; docs/your-own-game.md goes from there to a tournament
/// with pages. The game of the folder is a small one: change its rules to yours.
#[derive(Debug, clap::Args)]
pub(super) struct NewArgs {
    /// The name of the game and of the folder: a-z, 0-9 and -, such as connect-four
    #[arg(value_parser = parse_name)]
    name: String,
    /// Rules in Python, which need no package (default)
    #[arg(long, conflicts_with = "rust")]
    python: bool,
    /// Rules in Rust, a project without dependencies
    #[arg(long)]
    rust: bool,
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

pub(super) fn run(args: &NewArgs) -> Result<Exit, Failure> {
    let kit = if args.python || !args.rust {
        PYTHON
    } else {
        RUST
    };
    let folder = Path::new(&args.name);
    if folder.symlink_metadata().is_ok() {
        let problem = format!(
            "{}: it is already there; take another name, or remove it first",
            args.name
        );
        return Err(Failure::new(Exit::Usage, problem));
    }
    for (file, text) in kit.files {
        let path = folder.join(file);
        make_parent(&path)?;
        let text = text.replace(NAME, &args.name);
        write_whole(&path, &mut |file| file.write_all(text.as_bytes()))?;
    }
    print(&format!(
        "{name}/ has rules, their test, a bot and a tournament. Next:\n\n    cd {name} && {test}\n\n\
         Then change the rules; {name}/README.md has the other commands.\n",
        name = args.name,
        test = kit.test,
    ))?;
    Ok(Exit::Done)
}

fn parse_name(text: &str) -> Result<String, String> {
    let is_allowed = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    let begins = text.starts_with(|first: char| first.is_ascii_lowercase());
    if begins && text.len() <= 64 && text.bytes().all(is_allowed) {
        Ok(text.to_owned())
    } else {
        Err("expected 1 to 64 characters of a-z, 0-9 and -, the first a letter".to_owned())
    }
}
