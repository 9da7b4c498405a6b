//! A tournament between bots named on the command line, without a configuration.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::{Arg, ArgAction, ArgMatches, Command, FromArgMatches};

use super::{GameParser, NO_SHELL, game_names, known_games, parse_rules, seated, words};
use crate::bot::{Language, Launch};
use crate::cli::exit::{Exit, Failure};
use crate::config::{Draft, LINE_OPTIONS, LineOption, Plan};
use crate::game::Game;
use crate::opponents::HouseBot;

/// Options that replace a configuration.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Without a configuration")]
pub struct MatchArgs {
    #[command(flatten)]
    pub game: GameArgs,
    #[command(flatten)]
    typed: TypedOptions<true>,
    /// Write the configuration that the options stand for to this file in the current folder, and play it
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
}

/// Options for keys of a configuration, with their values as typed: `ALL` of them, or terms of players alone.
#[derive(Debug, Clone)]
pub struct TypedOptions<const ALL: bool>(Vec<Typed>);

#[derive(Debug, Clone)]
struct Typed {
    option: &'static LineOption,
    name: &'static str,
    value: String,
}

impl<const ALL: bool> TypedOptions<ALL> {
    fn known() -> impl Iterator<Item = &'static LineOption> {
        LINE_OPTIONS.iter().filter(|option| ALL || option.is_term())
    }

    pub fn names() -> impl Iterator<Item = &'static str> {
        Self::known().flat_map(LineOption::names)
    }

    pub fn values(&self, name: &str) -> Vec<String> {
        let typed = self.0.iter().filter(|typed| typed.option.name == name);
        typed.map(|typed| typed.value.clone()).collect()
    }

    pub fn set(&self, draft: &mut Draft) -> Result<(), Failure> {
        let of_test = self.0.iter().find(|it| it.option.is_of_test());
        if let Some(Typed { name, value, .. }) = of_test.filter(|_| self.values("sprt").is_empty())
        {
            let problem = format!("--{name} {value}: `--{name}` goes with `--sprt` alone");
            return Err(Failure::usage(problem));
        }
        let mut typed = self.0.iter();
        let set = typed.try_for_each(|it| it.option.set(draft, it.name, &it.value));
        set.map_err(Failure::usage)
    }
}

impl<const ALL: bool> clap::Args for TypedOptions<ALL> {
    fn augment_args(command: Command) -> Command {
        Self::known().fold(command, |command, option| {
            option.names().fold(command, |command, name| {
                let arg = Arg::new(name)
                    .long(name)
                    .hide(name != option.name)
                    .value_name(option.value)
                    .help(match option.alias {
                        Some(alias) => format!("{} [alias: --{alias}]", option.help),
                        None => option.help.to_owned(),
                    })
                    .allow_hyphen_values(true)
                    .action(match option.may_repeat() {
                        true => ArgAction::Append,
                        false => ArgAction::Set,
                    });
                command.arg(arg)
            })
        })
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl<const ALL: bool> FromArgMatches for TypedOptions<ALL> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let names = Self::known().flat_map(|option| option.names().map(move |name| (option, name)));
        let typed = names.flat_map(|(option, name)| {
            let values = matches.get_many::<String>(name).into_iter().flatten();
            values.map(move |value| Typed {
                option,
                name,
                value: value.clone(),
            })
        });
        Ok(Self(typed.collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        Self::from_arg_matches(matches).map(|typed| *self = typed)
    }
}

/// The game of a match: built in, or of a rules program.
#[derive(Debug, clap::Args)]
#[group(id = "match", multiple = false)]
pub struct GameArgs {
    #[arg(
        long,
        value_parser = GameParser,
        hide_possible_values = true,
        help = format!("Play this game between the bots of the command line: {}", game_names("or"))
    )]
    game: Option<Game>,
    /// Play the game whose rules are this program, such as "python3 connect_four.py"; see `referee docs rules-protocol`
    #[arg(long, value_name = "COMMAND", value_parser = parse_rules)]
    rules: Option<Game>,
}

impl GameArgs {
    pub fn game(&self) -> Option<Game> {
        self.game.or(self.rules)
    }
}

impl MatchArgs {
    /// Refuses options beside a configuration, which has keys for them.
    pub fn refuse_any(&self) -> Result<(), Failure> {
        let problem = match (self.typed.0.first(), &self.save) {
            (Some(Typed { option, name, .. }), _) => format!(
                "`--{name}` is for a match without a configuration: set {} in the file",
                option.keys()
            ),
            (None, Some(_)) => "`--save` is for a match without a configuration".to_owned(),
            (None, None) => return Ok(()),
        };
        Err(Failure::usage(problem))
    }

    pub fn plan(&self, game: Game, bots: &[String]) -> Result<Plan, Failure> {
        if bots.len() < 2 {
            let problem = "--game: expected two or more bots, such as `search \"python3 bot.py\"`";
            return Err(Failure::usage(problem));
        }
        let game = seated(game, &self.typed.values("set"))?;
        let mut draft = draft(&format!("{}-match", game.name()), game, bots)?;
        self.typed.set(&mut draft)?;
        draft.complete_start(game);
        if let Some(path) = &self.save {
            save(path, &draft.text())?;
        }
        draft
            .plan(COMMAND_LINE, known_games())
            .map_err(Failure::from)
    }
}

pub const SPEAKS: &str = "speaks";

/// The language of a bot, if one is named and it is no house bot.
pub fn spoken(speaks: Option<&str>, bot: &str) -> Option<Language> {
    let house = bot.split_whitespace().next().and_then(HouseBot::from_name);
    match house {
        Some(_) => Some(Language::default()),
        None => Language::from_name(speaks?),
    }
}

pub fn set_game(draft: &mut Draft, options: &[String]) -> Result<(), Failure> {
    let mut options = options.iter();
    let set = options.try_for_each(|option| draft.set_option("set", option));
    set.map_err(Failure::usage)
}

pub const COMMAND_LINE: &str = "the command line";

pub fn draft(name: &str, game: Game, bots: &[String]) -> Result<Draft, Failure> {
    let mut draft = Draft::new(name, game);
    for bot in bots {
        add_player(&mut draft, bot)?;
    }
    Ok(draft)
}

/// Adds the player of a bot: `NAME=COMMAND`, or a command that is named after its last word that is a file. Its name
/// differs from the others'.
fn add_player(draft: &mut Draft, bot: &str) -> Result<(), Failure> {
    let (name, command) = named(bot);
    let is_program = |word: &str| {
        let launch = Launch {
            program: word.into(),
            ..Launch::default()
        };
        launch.find_program().is_some()
    };
    if let Some((blank, command)) = bot.split_once('=').filter(|_| name.is_none()) {
        let name = blank.replace(' ', "-");
        let first = blank.split(' ').next().unwrap_or_default();
        if is_name(&name) && spoken(None, blank).is_none() && !is_program(first) {
            return Err(Failure::usage(format!(
                "player `{bot}`: a name has no blanks: write `{name}={command}`"
            )));
        }
    }
    let words =
        words(command).map_err(|problem| Failure::usage(format!("player `{bot}`: {problem}")))?;
    // A variable before a command looks like a name.
    if let (Some(_), [value, program, ..]) = (name, &words[..])
        && !is_program(value)
        && is_program(program)
    {
        return Err(Failure::usage(format!("player `{bot}`: {NO_SHELL}")));
    }
    let name = name.map_or_else(|| draft.free_name(&name_of(&words)), str::to_owned);
    match HouseBot::from_name(&words[0]) {
        Some(house) => draft.add_player(
            &name,
            [
                ("house", house.name().into()),
                ("args", words[1..].to_vec().into()),
            ],
        ),
        None => draft.add_player(&name, [("command", words.into())]),
    }
    Ok(())
}

/// Writes a configuration to the current folder, where its paths start as on the command line.
fn save(path: &Path, text: &str) -> Result<(), Failure> {
    if path.parent() != Some(Path::new("")) {
        let problem = format!(
            "--save {}: expected a file in the current folder, where the paths of the command line start",
            path.display()
        );
        return Err(Failure::usage(problem));
    }
    let made = File::create_new(path).and_then(|mut file| file.write_all(text.as_bytes()));
    made.map_err(|error| Failure::new(Exit::File, format!("--save {}: {error}", path.display())))
}

/// Splits `NAME=COMMAND`; a command alone has no name.
fn named(bot: &str) -> (Option<&str>, &str) {
    match bot.split_once('=') {
        Some((name, command)) if is_name(name) => (Some(name), command),
        _ => (None, bot),
    }
}

fn is_name(name: &str) -> bool {
    let good = |c: char| c.is_alphanumeric() || "-_.+".contains(c);
    !name.is_empty() && name.chars().all(good)
}

/// Name for a command: its last word that is a file, without folder and extension.
fn name_of(words: &[String]) -> String {
    let is_file = |word: &&String| Path::new(word).is_file();
    let word = words.iter().rev().find(is_file).unwrap_or(&words[0]);
    let path = Path::new(word);
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    // Many bots are called bot.py in a folder of their own.
    let folder = path.parent().and_then(Path::file_name);
    let stem = match (stem.as_ref(), folder) {
        ("bot" | "player" | "main" | "agent", Some(folder)) => folder.to_string_lossy(),
        _ => stem,
    };
    let good = |c: char| {
        if c.is_alphanumeric() || "-_+".contains(c) {
            c
        } else {
            '-'
        }
    };
    stem.chars().map(good).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::cachex;

    fn names(bots: &[&str]) -> Vec<String> {
        let bots: Vec<String> = bots.iter().map(|bot| (*bot).to_owned()).collect();
        let draft = draft("x", cachex::GAME, &bots).expect("players");
        draft.players().to_vec()
    }

    #[test]
    fn bots_are_named_after_what_they_run() {
        let bots = [
            "search",
            "search --nodes 5",
            "search",
            "mine=./a b",
            "python3 -u bots/twenty-lines/bot.py",
        ];
        assert_eq!(
            names(&bots),
            ["search", "search-2", "search-3", "mine", "twenty-lines"]
        );
        assert_eq!(names(&["python3 no-such-file.py"]), ["python3"]);
        assert!(draft("x", cachex::GAME, &["sh 'x".to_owned()]).is_err());
    }
}
