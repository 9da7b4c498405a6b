//! The players of a configuration: a table each, or a grid of variants.
//!
//! It is handed the tables of a file, and gives an [`Entry`] for each player, with the clock and
//! limits of its own.

mod grid;
mod language;

use std::collections::{BTreeMap, HashSet};
use std::fmt::Display;
use std::iter;
use std::path::{Path, PathBuf};

pub use grid::filled;
pub(super) use grid::{tuned, variants};
pub use language::{language, unfit_language};
use toml::Spanned;

use crate::bot::{Language, Launch, LaunchError, Options, Tier, dangling};
use crate::clock::TimeControl;
use crate::config::file::{
    self, Base, ClockSection, File, LimitsSection, did_you_mean, file_name, in_brackets, short,
};
use crate::config::limits::{limits as limits_of, time_control};
use crate::config::{Flaw, Limits};
use crate::game::{BOTH_PLAYERS, EngineProtocol, Game};
use crate::opponents::{self, HouseBot};
use crate::schedule::Values;
use crate::text::{self, visible};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Unique name, safe in files and options.
    pub name: String,
    pub display_name: Option<String>,
    pub house: Option<String>,
    pub launch: Launch,
    /// Command that builds the program before the first game, in the bot's folder and environment.
    pub build: Option<Launch>,
    pub language: Language,
    pub fresh_process: bool,
    pub terms: OwnTerms,
    pub variant: BTreeMap<String, String>,
}

impl Entry {
    #[must_use]
    pub fn with_values(&self, values: &Values) -> Self {
        let mut entry = self.clone();
        let Launch { args, env, .. } = &mut entry.launch;
        let named = env.iter_mut().chain(entry.language.options_mut());
        let texts = args.iter_mut().chain(named.map(|(_, text)| text));
        texts.for_each(|text| *text = filled(text, values));
        entry
    }

    /// Whether a process that played with other values cannot play with these: they are in its command or environment, or in
    /// options that are set only once.
    pub fn is_of_values(&self, values: &Values) -> bool {
        let Launch { args, env, .. } = &self.launch;
        let once = self.language.options().iter().filter(|_| self.speaks_gtp());
        let mut texts = args
            .iter()
            .chain(env.iter().chain(once).map(|(_, text)| text));
        texts.any(|text| filled(text, values) != *text)
    }

    /// The options that the bot is told before a game with these values of its parameters.
    pub fn told(&self, values: Option<&Values>) -> Options {
        match values {
            Some(values) if !self.speaks_gtp() => {
                self.with_values(values).language.options().clone()
            }
            _ => self.language.told(),
        }
    }

    fn speaks_gtp(&self) -> bool {
        self.language.engine().map(|terms| terms.protocol) == Some(EngineProtocol::Gtp)
    }
}

/// The clock and limits of a player, where they differ from the tournament's.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct OwnTerms {
    pub time: Option<TimeControl>,
    pub limits: Option<Limits>,
}

/// Whether a player with this house bot, or none, is told its legal actions in games that do not offer them: rules that
/// are a program are known to no house bot.
pub fn is_told_legal(game: Game, house: Option<&str>) -> bool {
    game.program().is_some() && house == Some(HouseBot::Random.name())
}

/// Why a house bot cannot play a game; `None` if it can.
pub fn unfit_house_bot(game: Game, house: &str) -> Option<String> {
    let program = game.program()?;
    let name = game.name();
    if house != HouseBot::Random.name() {
        return Some(format!(
            "house bot {house} does not know {name}, whose rules are a program: expected random"
        ));
    }
    (!program.lists_legal && !program.offers).then(|| {
        format!(
            "house bot random cannot play {name}, whose rules list no legal actions: expected a program of yours, or \
             rules with `has legal`"
        )
    })
}

pub fn players(file: &File, base: Base<'_>) -> Result<Vec<Entry>, Flaw> {
    let course_files = course_files(file.course_files.as_ref(), base)?;
    let beside = course_files.as_deref();
    let players = entries(&file.player, &file.clock, &file.limits, base, beside)?;
    match players.len() {
        0 | 1 => {
            let count = match players.len() {
                0 => "no player",
                _ => "one player",
            };
            let problem = format!("the tournament has {count}: expected at least two [[player]]");
            let first = file.player.first();
            Err(Flaw::new(first.map(|player| player.span().start), problem))
        }
        _ => Ok(players),
    }
}

pub fn course_files(
    path: Option<&Spanned<String>>,
    base: Base<'_>,
) -> Result<Option<PathBuf>, Flaw> {
    let Some(typed) = path else {
        return Ok(None);
    };
    let path = base.path(typed.get_ref());
    if path.is_dir() {
        return Ok(Some(absolute(path)));
    }
    let problem = format!(
        "there is no folder `{}`: expected what the course puts beside the bots{}",
        path.display(),
        base.hint(typed.get_ref())
    );
    Err(Flaw::of(typed, problem))
}

/// Players of a list, given the clock and limits that apply to all of them.
pub fn entries(
    list: &[Spanned<file::PlayerSection>],
    clock: &ClockSection,
    limits: &LimitsSection,
    base: Base<'_>,
    course_files: Option<&Path>,
) -> Result<Vec<Entry>, Flaw> {
    let mut seen = HashSet::new();
    let mut shown = HashSet::new();
    let mut players = Vec::new();
    let tiers = [&limits.isolation, &limits.isolation_fallback];
    let mut tiers = tiers.into_iter().flatten().map(|tier| *tier.get_ref());
    let walled = tiers.find(|tier| *tier != Tier::Containment);
    let (time, limits) = (time_control(clock)?, limits_of(limits)?);
    for spanned in list {
        let (at, player) = (spanned.span().start, spanned.get_ref());
        let place = player.name_place(at);
        let (own_time, own_limits) = (time_control(&player.clock)?, limits_of(&player.limits)?);
        let entry = Entry {
            terms: OwnTerms {
                time: (own_time != time).then_some(own_time),
                limits: (own_limits != limits).then_some(own_limits),
            },
            ..entry(player, at, walled, base, course_files)?
        };
        if looks_known(&mut seen, &entry.name) {
            let problem = format!(
                "a second player is called `{}`: expected names that differ visibly, in more than case; set `name`",
                entry.name
            );
            return Err(Flaw::at(place, problem));
        }
        // Players must also differ on screens.
        let on_screens = entry.display_name.as_ref().unwrap_or(&entry.name);
        if looks_known(&mut shown, on_screens) {
            let place = player
                .display_name
                .as_ref()
                .map_or(place, |name| name.span().start);
            let problem = format!(
                "a second player is shown as `{}`: expected a `display-name` that looks like neither the name nor \
                         the `display-name` of another",
                text::name(on_screens)
            );
            return Err(Flaw::at(place, problem));
        }
        players.push(entry);
    }
    Ok(players)
}

fn looks_known(known: &mut HashSet<String>, name: &str) -> bool {
    let looks = text::looks(name);
    let is_known = looks.iter().any(|look| known.contains(look));
    known.extend(looks);
    is_known
}

fn entry(
    player: &file::PlayerSection,
    at: usize,
    walled: Option<Tier>,
    base: Base<'_>,
    course_files: Option<&Path>,
) -> Result<Entry, Flaw> {
    let Command {
        program,
        args,
        place,
    } = command(player, at)?;
    let name = name(player, at)?;
    if let Some(tier) = walled
        && player.house.is_none()
        && player.dir.is_none()
    {
        let problem = format!(
            "player `{name}` has no `dir`: expected one under `isolation = \"{}\"`, where a bot \
                 sees its own folder alone",
            tier.name()
        );
        return Err(Flaw::at(place, problem));
    }
    let mut launch = Launch {
        program,
        args,
        dir: player.dir.as_ref().map(|dir| base.path(dir.get_ref())),
        env: player.env.clone().into_iter().collect(),
        course_files: course_files
            .filter(|_| player.house.is_none())
            .map(Path::to_owned),
        submitted: false,
    };
    if player.command.is_some() && launch.dir.is_none() {
        anchor_words(&mut launch, |word| {
            let path = base.path(word);
            // A path without a slash would be looked up in `PATH`.
            match path.components().count() {
                1 => Path::new(".").join(path),
                _ => path,
            }
        });
    }
    let mut build = build(player, &name, &launch)?;
    // A missing program in the bot's folder may be the result of the build.
    let is_made = build.is_some() && !launch.is_installed();
    launch
        .check()
        .or_else(|error| match (&error, &player.dir) {
            (LaunchError::NoDirectory(_), Some(dir)) => {
                let problem = format!("{error}{}", base.hint(dir.get_ref()));
                Err(cannot(dir.span().start, &name, problem))
            }
            _ if is_made => Ok(()),
            _ => {
                let problem = format!("{error}{}", HouseBot::meant(&error));
                Err(cannot(place, &name, problem))
            }
        })?;
    if let (None, Some(script)) = (&build, missing_script(&launch)) {
        let problem = format!(
            "there is no file `{}`{}{}",
            script.display(),
            dangling(&script),
            match player.dir {
                Some(_) => "",
                None => base.start_of_paths(),
            }
        );
        return Err(cannot(place, &name, problem));
    }
    // Store absolute paths, so that the run works from any folder.
    if player.command.is_some() && launch.dir.is_none() {
        anchor_words(&mut launch, |word| absolute(PathBuf::from(word)));
    }
    for launch in iter::once(&mut launch).chain(&mut build) {
        launch.dir = launch.dir.take().map(absolute);
    }
    Ok(Entry {
        name,
        display_name: player.display_name.as_ref().map(display_name).transpose()?,
        house: player.house.as_ref().map(|house| house.get_ref().clone()),
        launch,
        build,
        language: language(player)?,
        fresh_process: player.fresh_process,
        variant: player.grid.clone(),
        terms: OwnTerms::default(),
    })
}

fn absolute(path: PathBuf) -> PathBuf {
    std::path::absolute(&path).map_or(path, short)
}

/// Rewrites the paths in a command without `dir`: the program, the script of an interpreter, and arguments with
/// a `/` that name a file.
fn anchor_words(launch: &mut Launch, anchored: impl Fn(&str) -> PathBuf) {
    if !launch.is_installed()
        && let Some(program) = launch.program.to_str()
    {
        launch.program = anchored(program);
    }
    let script = script(launch);
    for (at, arg) in launch.args.iter_mut().enumerate() {
        let is_path = script == Some(at) || arg.contains('/');
        let path = anchored(arg);
        if is_path
            && path.is_file()
            && let Some(path) = path.to_str()
        {
            *arg = path.to_owned();
        }
    }
}

struct Command {
    program: PathBuf,
    args: Vec<String>,
    place: usize,
}

fn command(player: &file::PlayerSection, at: usize) -> Result<Command, Flaw> {
    let (program, mut args, place) = match (&player.command, &player.shell, &player.house) {
        (Some(command), None, None) => {
            let [program, args @ ..] = command.get_ref().as_slice() else {
                let problem = "`command` is empty: expected a program and its arguments, such as \
                     [\"python3\", \"bot.py\"]";
                return Err(Flaw::of(command, problem));
            };
            (PathBuf::from(program), args.to_vec(), command.span().start)
        }
        (None, Some(shell), None) => {
            let args = vec!["-c".to_owned(), shell.get_ref().clone()];
            (PathBuf::from("sh"), args, shell.span().start)
        }
        (None, None, Some(house)) => {
            house_args(player.args.as_ref(), &player.tune)?;
            let args = vec!["bot".to_owned(), house.get_ref().clone()];
            (own_program(house)?, args, house.span().start)
        }
        _ => {
            let problem = "a player needs exactly one of `command = [\"program\", \"argument\"]`, \
                 `shell = \"a line for sh\"` and `house = \"the name of a house bot\"`";
            return Err(Flaw::at(at, problem));
        }
    };
    if let (None, Some(args)) = (&player.house, &player.args)
        && !args.get_ref().is_empty()
    {
        let problem = "`args` goes with `house` alone: expected the arguments in `command` itself";
        return Err(Flaw::of(args, problem));
    }
    args.extend(player.args.iter().flat_map(|args| args.get_ref().clone()));
    Ok(Command {
        program,
        args,
        place,
    })
}

fn house_args(
    args: Option<&Spanned<Vec<String>>>,
    at_start: &BTreeMap<String, String>,
) -> Result<(), Flaw> {
    let Some(args) = args else {
        return Ok(());
    };
    let words = args.get_ref().iter();
    let words: Vec<String> = words.map(|word| filled(word, at_start)).collect();
    let Some(wrong) = opponents::wrong_argument(&words) else {
        return Ok(());
    };
    let is_name = wrong.starts_with('-');
    let known = opponents::ARGUMENTS;
    let hint = did_you_mean(wrong, known).filter(|_| is_name && !known.contains(&wrong));
    let problem = format!(
        "`args` of a house bot cannot have `{wrong}`{}: expected nothing, or \
             [\"--nodes\", \"20000\"] with a number or none, and [\"--widths\", \"24,12,4\"]",
        in_brackets(hint)
    );
    Err(Flaw::of(args, problem))
}

/// Path of this program, which also runs as the house bot.
fn own_program(house: &Spanned<String>) -> Result<PathBuf, Flaw> {
    let name = house.get_ref();
    let known = HouseBot::ALL.map(HouseBot::name);
    if HouseBot::from_name(name).is_none() {
        let problem = format!(
            "unknown house bot `{name}`{}: expected one of {}",
            in_brackets(did_you_mean(name, known)),
            known.join(", ")
        );
        return Err(Flaw::of(house, problem));
    }
    std::env::current_exe().map_err(|error| {
        let problem = format!("cannot find the referee's own program: {error}");
        Flaw::of(house, problem)
    })
}

/// Name of a player; defaults to the name of its house bot.
fn name(player: &file::PlayerSection, at: usize) -> Result<String, Flaw> {
    let name = match (&player.name, &player.house) {
        (Some(name), _) => file_name(name).map_err(|flaw| Flaw {
            problem: format!(
                "{}; `display-name` takes any letters and spaces",
                flaw.problem
            ),
            ..flaw
        })?,
        (None, Some(house)) => house.get_ref().clone(),
        (None, None) => {
            let problem = "a player has no `name`: expected one wherever it is not a house bot";
            return Err(Flaw::at(at, problem));
        }
    };
    if name == BOTH_PLAYERS {
        let problem = format!(
            "`{BOTH_PLAYERS}` cannot be the name of a player: in a record it stands for both players of a \
                 game"
        );
        return Err(Flaw::at(player.name_place(at), problem));
    }
    Ok(name)
}

const LONGEST_DISPLAY_NAME: usize = 60;

fn display_name(name: &Spanned<String>) -> Result<String, Flaw> {
    let text = name.get_ref();
    match bad_display_name(text) {
        None => Ok(text.clone()),
        Some(problem) => Err(Flaw::of(name, format!("`display-name` {problem}"))),
    }
}

/// Why a text cannot be the name of a player on screens.
pub fn bad_display_name(text: &str) -> Option<String> {
    let problem = if text.trim().is_empty() {
        "is empty".to_owned()
    } else if text.trim() != text {
        "begins or ends with a space".to_owned()
    } else if text.chars().count() > LONGEST_DISPLAY_NAME {
        format!("has {} characters", text.chars().count())
    } else if let Some((c, _)) = text
        .chars()
        .zip(visible(text).chars())
        .find(|(c, shown)| c != shown)
    {
        format!(
            "has the character U+{:04X}, which cannot be seen, or not be told from a space",
            u32::from(c)
        )
    } else {
        return None;
    };
    Some(format!(
        "{problem}: expected at most {LONGEST_DISPLAY_NAME} characters on one line, such as \"José Ñ 王\""
    ))
}

const INTERPRETERS: [&str; 8] = [
    "python", "pypy", "node", "ruby", "perl", "lua", "bash", "sh",
];

pub fn is_interpreter(program: &Path) -> bool {
    let name = program.file_name().unwrap_or_default().to_string_lossy();
    let name = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    INTERPRETERS.contains(&name)
}

fn script(launch: &Launch) -> Option<usize> {
    let is_flag = |arg: &&String| arg.starts_with('-') && arg.len() == 2;
    let flags = launch.args.iter().take_while(is_flag).count();
    // These flags take a module or code instead of a script.
    let takes_code = |flag: &String| ["-c", "-m", "-e", "-r", "-W", "-X"].contains(&flag.as_str());
    if !is_interpreter(&launch.program) || launch.args[..flags].iter().any(takes_code) {
        return None;
    }
    Path::new(launch.args.get(flags)?).extension()?;
    Some(flags)
}

fn missing_script(launch: &Launch) -> Option<PathBuf> {
    let script = Path::new(launch.args.get(script(launch)?)?);
    let path = match &launch.dir {
        Some(dir) => dir.join(script),
        None => script.to_owned(),
    };
    (!path.exists()).then_some(path)
}

fn cannot(at: usize, name: &str, error: impl Display) -> Flaw {
    Flaw::at(at, format!("player `{name}` cannot be started: {error}"))
}

/// The build command of a player, in the folder and environment of `launch`.
fn build(
    player: &file::PlayerSection,
    name: &str,
    launch: &Launch,
) -> Result<Option<Launch>, Flaw> {
    let Some(command) = &player.build else {
        return Ok(None);
    };
    let at = command.span().start;
    if player.house.is_some() || player.dir.is_none() {
        let problem = "`build` goes with `dir`, and with `command` or `shell`: expected the folder in which the \
             player's program is made";
        return Err(Flaw::at(at, problem));
    }
    let [program, args @ ..] = command.get_ref().as_slice() else {
        let problem = "`build` is empty: expected a program and its arguments, such as [\"make\"]";
        return Err(Flaw::at(at, problem));
    };
    let build = Launch {
        program: PathBuf::from(program),
        args: args.to_vec(),
        ..launch.clone()
    };
    match build.check() {
        // A missing folder is reported for the player itself.
        Ok(()) | Err(LaunchError::NoDirectory(_)) => Ok(Some(build)),
        Err(error) => Err(Flaw::at(
            at,
            format!("player `{name}` cannot be built: {error}"),
        )),
    }
}
