//! `referee new bot NAME`: a folder with a bot and a tournament of it.

use std::path::{Component, Path, PathBuf};

use super::folder::{NewFile, parse_name, tell, write};
use super::kits::{CONFIG, GAMES, Kit, Language, SKELETON_RULES, game_tables, with_games};
use crate::cli::arguments::{GameParser, launch, parse_rules};
use crate::cli::exit::{Exit, Failure};
use crate::game::{Game, RulesProgram};
use crate::opponents::HouseBot;
use crate::report::warn;

/// Make a folder with a bot that plays, to begin with
///
/// The bot plays any legal action of Watch Your Back!, Cachex and dark chess. With --rules it plays the game of a rules
/// program, in Python or Rust.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct BotArgs {
    /// The name of the bot and of the folder: a-z, 0-9 and -, such as alice
    #[arg(value_parser = parse_bot_name)]
    name: String,
    /// The language: python, javascript, java, cpp, rust or go
    #[arg(
        long,
        value_enum,
        default_value = "python",
        value_name = "LANGUAGE",
        hide_possible_values = true
    )]
    lang: Language,
    #[arg(
        long,
        value_parser = GameParser,
        hide_possible_values = true,
        help = format!("The game of its tournament: {}; all three if not given", GAMES.join(", "))
    )]
    game: Option<Game>,
    /// The rules program of its game, which must offer actions; see docs/rules-protocol.md
    #[arg(long, value_name = "COMMAND", value_parser = parse_rules, conflicts_with = "game")]
    rules: Option<Game>,
}

const EXAMPLES: &str = "\
Examples:
  referee new bot alice
  referee new bot alice --lang java --game dark-chess
  referee new bot alice --rules \"python3 take/rules/rules.py\"    after `referee new game take`";

pub(super) fn run(args: &BotArgs) -> Result<Exit, Failure> {
    let name = &args.name;
    let (kit, config, page) = match args.game.or(args.rules) {
        None => {
            let kit = Kit::starter(args.lang);
            (kit, kit.config.to_owned(), kit.page.to_owned())
        }
        Some(game) => match game.program() {
            None => of_built_in(args.lang, game)?,
            Some(program) => of_rules(args.lang, program)?,
        },
    };
    let (program, text) = kit.program;
    let texts = [
        (program, text),
        (CONFIG, config.as_str()),
        ("README.md", page.as_str()),
    ];
    let files: Vec<NewFile> = texts
        .iter()
        .map(|(file, text)| ((*file).to_owned(), kit.named(text, name)))
        .collect();
    write(name, &files)?;
    if launch(kit.needs, None, "").is_err() {
        warn(&format!(
            "there is no `{}` in PATH, and this bot needs it",
            kit.needs
        ));
    }
    let page = kit.named(&page, name);
    tell(
        &format!("{name}/ has a bot and a tournament of it."),
        first_command(&page),
        &format!(
            "Then change `choose` in {name}/{program}; {name}/README.md has the other commands."
        ),
    )
}

/// The first command of a page.
fn first_command(page: &str) -> &str {
    let mut commands = page.lines().filter_map(|line| line.strip_prefix("    "));
    commands.next().unwrap_or_default()
}

/// A starter kit, with configuration and page for one of its games.
fn of_built_in(language: Language, game: Game) -> Result<(Kit, String, String), Failure> {
    let name = game.name();
    if !GAMES.contains(&name) {
        let problem = format!(
            "--game {name}: there is no kit for it: expected {}; engines play as they are: see docs/engines.md",
            GAMES.join(", ")
        );
        return Err(Failure::new(Exit::Usage, problem));
    }
    let kit = Kit::starter(language);
    let page = kit
        .page
        .replace("referee play cachex ", &format!("referee play {name} "))
        .replace(" --game cachex\n", &format!(" --game {name}\n"));
    let config = with_games(kit.config, &game_tables(&[name]));
    Ok((kit, config, page))
}

/// A kit for any rules, with configuration and page for these.
fn of_rules(language: Language, rules: &RulesProgram) -> Result<(Kit, String, String), Failure> {
    let usage = |problem: &str| Failure::new(Exit::Usage, format!("--rules: {problem}"));
    if !rules.offers {
        return Err(usage(
            "these rules offer no actions, and the kits know no other; add `has offers`: see docs/rules-protocol.md",
        ));
    }
    let kit = Kit::skeleton(language)
        .ok_or_else(|| usage("there is a kit in python and in rust: name one of them by --lang"))?;
    let words = &rules.command.words;
    let as_typed = shlex::try_join(words.iter().map(String::as_str))
        .ok()
        .and_then(|line| Some(shlex::try_quote(&line).ok()?.into_owned()))
        .ok_or_else(|| usage("the command has a zero byte"))?;
    let from_folder: Vec<String> = words.iter().map(|word| from_below(word)).collect();
    let table = format!("[game]\nrules = {}\n", toml::Value::from(from_folder));
    let page = kit.page.replace(SKELETON_RULES, &as_typed);
    Ok((kit, with_games(kit.config, &table), page))
}

/// A word of a command as it is written one folder further down, if it is the path of a file.
fn from_below(word: &str) -> String {
    let path = Path::new(word);
    let is_bare = !word.contains('/') && Path::new(word).extension().is_none();
    if is_bare || path.is_absolute() || !path.is_file() {
        return word.to_owned();
    }
    let parts = path
        .components()
        .filter(|part| !matches!(part, Component::CurDir));
    let path: PathBuf = [Component::ParentDir].into_iter().chain(parts).collect();
    path.to_string_lossy().into_owned()
}

/// A name that no house bot has: both would play in one tournament.
fn parse_bot_name(text: &str) -> Result<String, String> {
    match HouseBot::from_name(text) {
        Some(_) => Err("a house bot has this name; take another one".to_owned()),
        None => parse_name(text),
    }
}
