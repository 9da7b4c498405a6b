//! `referee new …`: folders to begin with, whose files are part of this program.

mod kits;

use std::path::{Component, Path, PathBuf};

use clap::Subcommand;
use kits::{COURSE_PATHS, GAMES, KITS, Kit, SKELETON_RULES, game_tables, parse_name, tell, write};

use super::arguments::{GameParser, game_names, launch, parse_built_in, parse_rules};
use super::exit::{Exit, Failure};
use crate::game::{Game, RulesProgram};
use crate::opponents::HouseBot;
use crate::report::warn;

/// Make a folder to begin with: a bot, a tournament, a class, a league, or the rules of a game
///
/// The folder is made in the current one and needs nothing but this program. Each command ends with the next line to
/// type.
#[derive(Debug, clap::Args)]
pub(super) struct NewArgs {
    #[command(subcommand)]
    command: NewCommand,
}

#[derive(Debug, Subcommand)]
enum NewCommand {
    Bot(BotArgs),
    Tournament(TournamentArgs),
    Class(ClassArgs),
    League(LeagueArgs),
    Game(GameArgs),
}

/// Make a folder with a bot that plays, to begin with
///
/// The bot plays any legal action of Watch Your Back!, Cachex and dark chess. With --rules it plays the game of a rules
/// program, in Python or Rust.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
struct BotArgs {
    /// The name of the bot and of the folder: a-z, 0-9 and -, such as alice
    #[arg(value_parser = parse_bot_name)]
    name: String,
    /// The language: python, javascript, java, cpp, rust or go
    #[arg(
        long,
        value_parser = ["python", "javascript", "java", "cpp", "rust", "go"],
        default_value = "python",
        value_name = "LANGUAGE",
        hide_possible_values = true
    )]
    lang: String,
    #[arg(
        long,
        value_parser = GameParser,
        hide_possible_values = true,
        help = format!("The game of its tournament: {}; all three if not given", GAMES.join(", "))
    )]
    game: Option<Game>,
    /// The rules program of its game, which must offer actions; see `referee docs rules-protocol`
    #[arg(long, value_name = "COMMAND", value_parser = parse_rules, conflicts_with = "game")]
    rules: Option<Game>,
}

const EXAMPLES: &str = "\
Examples:
  referee new bot alice
  referee new bot alice --lang java --game dark-chess
  referee new bot alice --rules \"python3 take/rules/rules.py\"    after `referee new game take`";

/// Make a folder with a tournament of the house bots, to begin with
///
/// Bots that `referee new bot` makes in the folder enter it by a few lines, which the file has as a comment.
#[derive(Debug, clap::Args)]
struct TournamentArgs {
    /// The name of the tournament and of the folder: a-z, 0-9 and -, such as spring
    #[arg(value_parser = parse_name)]
    name: String,
    #[arg(
        long = "game",
        value_parser = parse_built_in,
        value_name = "GAME",
        help = format!("A game, several times for several: {}; the first three if not given", game_names("or"))
    )]
    games: Vec<Game>,
}

/// Make a folder with the grading of a class, to begin with
///
/// It has a scheme of ten marks against house bots, a roster, and the submissions of two students in Python: one plays,
/// and one fails, so that you see both. Remove them, and put yours there.
#[derive(Debug, clap::Args)]
struct ClassArgs {
    /// The name of the grading and of the folder: a-z, 0-9 and -, such as spring
    #[arg(value_parser = parse_name)]
    name: String,
    /// The game
    #[arg(long, value_parser = GAMES, default_value = "cachex")]
    game: String,
    /// The rules program of the game, which must offer actions; see `referee docs rules-protocol`
    #[arg(long, value_name = "COMMAND", value_parser = parse_rules, conflicts_with = "game")]
    rules: Option<Game>,
    /// A course with packages of its own: comp30024-2023 to comp30024-2026. See `referee docs grading`
    #[arg(long, value_parser = COURSES, value_name = "COURSE", hide_possible_values = true, conflicts_with_all = ["game", "rules"])]
    course: Option<String>,
}

const COURSES: [&str; 4] = [
    "comp30024-2023",
    "comp30024-2024",
    OWN_COURSE,
    "comp30024-2026",
];

const OWN_COURSE: &str = "comp30024-2025";

/// Make a folder with the terms of a league, to begin with
///
/// A league goes on for as long as you like: bots are added by `referee league add`, also while games are played.
#[derive(Debug, clap::Args)]
struct LeagueArgs {
    /// The name of the league and of the folder: a-z, 0-9 and -, such as spring
    #[arg(value_parser = parse_name)]
    name: String,
    #[arg(
        long,
        value_parser = parse_built_in,
        value_name = "GAME",
        default_value = "cachex",
        help = format!("The game: {}", game_names("or"))
    )]
    game: Game,
    /// The rules program of the game; see `referee docs rules-protocol`
    #[arg(long, value_name = "COMMAND", value_parser = parse_rules, conflicts_with = "game")]
    rules: Option<Game>,
}

/// Make a folder with rules to begin with, their test, a bot and a tournament
///
/// The rules are a program that referee asks by lines of text; `referee docs your-own-game` goes from there to a tournament
/// with pages. The game of the folder is a small one: change its rules to yours.
#[derive(Debug, clap::Args)]
struct GameArgs {
    /// The name of the game and of the folder: a-z, 0-9 and -, such as connect-four
    #[arg(value_parser = parse_name)]
    name: String,
    /// The language of the rules: python, which needs no package, or rust, a project without dependencies
    #[arg(
        long,
        value_parser = ["python", "rust"],
        default_value = "python",
        value_name = "LANGUAGE",
        hide_possible_values = true
    )]
    lang: String,
}

pub(super) fn run(args: &NewArgs) -> Result<Exit, Failure> {
    match &args.command {
        NewCommand::Bot(args) => bot(args),
        NewCommand::Tournament(args) => {
            let mut games: Vec<&str> = Vec::new();
            for game in &args.games {
                if !games.contains(&game.name()) {
                    games.push(game.name());
                }
            }
            make("tournament", &args.name, &game_tables(&games), &[])
        }
        NewCommand::Class(args) => class(args),
        NewCommand::League(args) => league(args),
        NewCommand::Game(args) => make(&format!("game-{}", args.lang), &args.name, "", &[]),
    }
}

fn make(kit: &str, name: &str, games: &str, changes: &[[&str; 2]]) -> Result<Exit, Failure> {
    let kit = named(kit)?;
    let files = kit.folder(name, games, changes)?;
    write(name, &files)?;
    if let Some(needs) = kit.needs.filter(|needs| launch(needs, None).is_err()) {
        warn(&format!(
            "there is no `{needs}` in PATH, and this bot needs it"
        ));
    }
    tell(&kit.told(name, &files))
}

fn named(kit: &str) -> Result<&'static Kit, Failure> {
    let found = KITS.iter().find(|known| known.name == kit);
    found.ok_or_else(|| {
        let kind = kit.split_inclusive('-').next().unwrap_or_default();
        let others = KITS.iter().filter_map(|kit| kit.name.strip_prefix(kind));
        let others = others.collect::<Vec<_>>().join(" or ");
        Failure::usage(format!("there is no kit `{kit}`: --lang can be {others}"))
    })
}

fn bot(args: &BotArgs) -> Result<Exit, Failure> {
    let (name, lang) = (&args.name, &args.lang);
    let Some(game) = args.game.or(args.rules) else {
        return make(&format!("starter-{lang}"), name, "", &[]);
    };
    if let Some(rules) = game.program() {
        let [table, as_typed] = of_rules(rules)?;
        let others = 1..game.seat_count();
        // The end of the line that plays a game, after the command of the bot.
        let typed = ["\"", "/bot"].map(|bot| {
            let players = " random".repeat(others.len());
            [format!("{bot} random\n"), format!("{bot}{players}\n")]
        });
        let listed = others.map(|number| match number {
            1 => HOUSE.to_owned(),
            _ => format!("\n[[player]]\nname = \"random-{number}\"\n{HOUSE}"),
        });
        let listed = listed.collect::<String>();
        let games = of_rotations("games-per-pairing", game);
        let changes = [
            [SKELETON_RULES, as_typed.as_str()],
            ["games-per-pairing = 20\n", &games],
            typed[0].each_ref().map(String::as_str),
            typed[1].each_ref().map(String::as_str),
            [HOUSE, &listed],
        ];
        return make(&format!("skeleton-{lang}"), name, &table, &changes);
    }
    let game = game.name();
    if !GAMES.contains(&game) {
        let problem = format!(
            "--game {game}: there is no kit for it: expected {}; engines play as they are: see `referee docs engines`",
            GAMES.join(", ")
        );
        return Err(Failure::usage(problem));
    }
    let table = game_tables(&[game]);
    let played = format!("referee play --game {game} ");
    let last = format!(" --game {game}\n");
    let changes = [
        ["referee play --game cachex ", &played],
        [" --game cachex\n", &last],
    ];
    make(&format!("starter-{lang}"), name, &table, &changes)
}

/// The last line of the configuration of a skeleton.
const HOUSE: &str = "house = \"random\"\n";

/// The line of a kit for 20 games, or for the next number that has each seat equally often.
fn of_rotations(key: &str, game: Game) -> String {
    format!("{key} = {}\n", 20_usize.next_multiple_of(game.seat_count()))
}

/// Rules as the table of a configuration one folder further down, and as a word of a shell.
fn of_rules(rules: &RulesProgram) -> Result<[String; 2], Failure> {
    let usage = |problem: &str| Failure::usage(format!("--rules: {problem}"));
    if !rules.offers {
        return Err(usage(
            "these rules offer no actions, and the kits know no other; add `has offers`: see `referee docs rules-protocol`",
        ));
    }
    let words = &rules.command.words;
    let table = table_of_rules(rules);
    let as_typed = shlex::try_join(words.iter().map(String::as_str))
        .ok()
        .and_then(|line| Some(shlex::try_quote(&line).ok()?.into_owned()))
        .ok_or_else(|| usage("the command has a zero byte"))?;
    Ok([table, as_typed])
}

fn table_of_rules(rules: &RulesProgram) -> String {
    let words = rules.command.words.iter();
    let from_folder: Vec<String> = words.map(|word| from_below(word)).collect();
    format!("[game]\nrules = {}\n", toml::Value::from(from_folder))
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

fn league(args: &LeagueArgs) -> Result<Exit, Failure> {
    let table = match args.rules.and_then(Game::program) {
        None => format!("[game]\nname = \"{}\"\n", args.game.name()),
        Some(rules) => table_of_rules(rules),
    };
    let mut changes = Vec::new();
    if !args.rules.unwrap_or(args.game).has_random_openings() {
        changes.push(["opening-plies = 2 ", "opening-plies = 0 "]);
    }
    make("league", &args.name, &table, &changes)
}

/// A student who plays, and one whose bot knows no game and fails.
const STUDENTS: [[&str; 2]; 2] = [["s1001", "starter-python"], ["s1002", "skeleton-python"]];

/// The line of a skeleton that reads a request, and one that fails in its place.
const FAILS: [&str; 2] = ["import sys\n", "import this_is_not_there\nimport sys\n"];

/// The test of the scheme that needs a house bot other than `random`.
const STRENGTH: &str = "against = [\"greedy\"]";

fn class(args: &ClassArgs) -> Result<Exit, Failure> {
    let (name, game) = (&args.name, &args.game);
    if let Some(course) = &args.course {
        let of_name = format!("name = \"{OWN_COURSE}\"");
        let named = format!("name = \"{name}\"");
        let year = course.replace("comp30024-", "COMP30024 ");
        let mut changes = vec![
            [of_name.as_str(), named.as_str()],
            ["COMP30024 2025", &year],
        ];
        changes.extend(COURSE_PATHS);
        changes.extend([["wanderer_2025", "wanderer"], [OWN_COURSE, course]]);
        return make("class-of-course", name, "", &changes);
    }
    let kit = named("class")?;
    let rules = args.rules.and_then(|game| Some((game, game.program()?)));
    let games = rules.map(|(game, _)| of_rotations("games", game));
    let games = games.unwrap_or_default();
    let (table, own_table, changes) = match rules {
        None => (
            format!("[game]\nname = \"{game}\"\n"),
            game_tables(&[game]),
            Vec::new(),
        ),
        Some((game, rules)) => {
            let [table, _] = of_rules(rules)?;
            let mut changes = vec![
                [STRENGTH, "against = [\"random\"]"],
                ["games = 20\n", games.as_str()],
            ];
            if !game.has_random_openings() {
                changes.push(["seed = 2026\n", "seed = 2026\nopening-plies = 0\n"]);
            }
            (table.clone(), table, changes)
        }
    };
    let mut files = kit.folder(name, &table, &changes)?;
    for [student, kit] in STUDENTS {
        let (kit, changes) = match rules {
            None => (kit, &[][..]),
            Some(_) if kit == STUDENTS[0][1] => (STUDENTS[1][1], &[][..]),
            Some(_) => (kit, &[FAILS][..]),
        };
        let own = named(kit)?.folder(student, &own_table, changes)?;
        let handed_in = own.into_iter().filter(|(path, _)| path != "README.md");
        files.extend(handed_in.map(|(path, text)| (format!("submissions/{student}/{path}"), text)));
    }
    write(name, &files)?;
    tell(&kit.told(name, &files))
}
