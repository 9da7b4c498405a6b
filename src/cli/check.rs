//! `referee check BOT --game GAME`: tests whether a bot is fit for a tournament.

use std::io::IsTerminal;
use std::path::PathBuf;
use std::time::Duration;

use serde::Serialize;

use super::arguments::{
    GameParser, LanguageArgs, SetupError, game_names, known_games, launch, parse_memory,
    parse_rules, parse_seed, parse_time, see_that_it_is_built, setup, supervisor, tier, wall_time,
};
use crate::bot::{Confinement, Launch, withheld_variables};
use crate::check::{self, CheckPlan, CheckVerdict, Report, Step};
use crate::cli::exit::{Exit, Failure};
use crate::cli::output::{checked, json_line, print, say, tally};
use crate::config::{Entry, Plan, PlannedGame, PlannedOpening, unfit_house_bot};
use crate::game::{Game, Setup};
use crate::opponents::HouseBot;
use crate::report::{print_to_stderr, warn};

/// Check whether a bot speaks the protocol and keeps its limits
///
/// Plays a few short games against the house bot random, or another bot, in both seats and with fixed seeds,
/// then plays some of them again. The report has a line for each check, and says what to do where
/// something is wrong: `failed` means that the bot would lose games in a tournament, `warn` that it
/// would not but may surprise you.
///
/// A BOT is a house bot (random, greedy, search) or a command in quotes, such as "python3 bot.py".
///
/// The option --config takes the clock, limits and isolation of a tournament.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct CheckArgs {
    /// The bot; with --config it may be a --player of it instead
    #[arg(required_unless_present = "player")]
    bot: Option<String>,
    #[arg(
        long,
        value_parser = GameParser,
        hide_possible_values = true,
        help = format!("The game: {}", game_names("or")),
        required_unless_present_any = ["config", "rules"]
    )]
    game: Option<Game>,
    /// The rules program of the game, such as "python3 connect_four.py"; see `referee docs rules-protocol`
    #[arg(long, value_name = "COMMAND", value_parser = parse_rules, conflicts_with_all = ["game", "config"])]
    rules: Option<Game>,
    /// Take the game, its options, the clock and all limits from this configuration
    #[arg(long, value_name = "FILE", conflicts_with_all = OWN_LIMITS)]
    config: Option<PathBuf>,
    #[command(flatten)]
    language: LanguageArgs,
    /// Check this player of the configuration
    #[arg(long, value_name = "NAME", requires = "config", conflicts_with_all = ["bot", "dir"])]
    player: Option<String>,
    /// The opponent, a bot or a player of the configuration that does not fail: needed where rules list no legal
    /// actions, as random then cannot play
    #[arg(long, value_name = "BOT", default_value = HouseBot::Random.name())]
    against: String,
    /// Set an option of the game, such as `--set size=5`; see `referee rules GAME --text`. To keep the games short,
    /// max-plies is 200 here unless you set it
    #[arg(long = "set", value_name = "KEY=VALUE")]
    options: Vec<String>,
    /// The folder where the bot is started
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
    /// How many games to play, half of them in each seat
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=1000), allow_negative_numbers = true)]
    games: u32,
    /// The seed for everything random: in the games, and the seeds of the bots
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = parse_seed, allow_negative_numbers = true)]
    seed: u64,
    /// Time for one action
    #[arg(long, value_name = "TIME", default_value = "5s", value_parser = parse_time)]
    per_move: Duration,
    /// Time for all actions of a game; no limit if not given
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    per_game: Option<Duration>,
    /// Time for the answer to `referee 1`, and for the answer to `start`
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = parse_time)]
    handshake: Duration,
    /// Time to exit after `quit`
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = parse_time)]
    quit: Duration,
    /// Memory of the bot with all its processes, such as 100MiB; no limit if not given
    #[arg(long, value_name = "SIZE", value_parser = parse_memory)]
    memory: Option<u64>,
    /// Print the report as one JSON object
    #[arg(long)]
    json: bool,
}

const OWN_LIMITS: [&str; 6] = [
    "options",
    "per_move",
    "per_game",
    "handshake",
    "quit",
    "memory",
];

const EXAMPLES: &str = "\
Examples:
  referee check \"python3 bot.py\" --game cachex --dir bots/alice
  referee check ./bot --game dark-chess --per-move 1s --memory 100MiB
  referee check --config spring.toml --player alice
  referee check --config comp30024-2025.toml --player wanderer --against another

Exit codes: 0 no check failed; 1 a check failed; 2 the bot was not found, or an argument is wrong;
6 this machine is too busy to check everything.";

/// Wall cap of every time control: longer than any limit that the options allow.
const LONG: Duration = Duration::from_secs(60 * 24 * 3600);

/// `max-plies` if it is not set.
const SHORT: &str = "200";

pub(super) fn run(args: &CheckArgs) -> Result<Exit, Failure> {
    let (plan, name) = plan(args)?;
    let problem = HouseBot::from_name(&args.against)
        .and_then(|house| unfit_house_bot(plan.game.game(), house.name()));
    if let Some(problem) = problem {
        let problem = format!("{problem}; --against names the opponent of the check");
        return Err(Failure::new(Exit::Usage, problem));
    }
    if plan.bot.program != plan.supervisor.program {
        warn_of_environment(&plan.bot);
    }
    let shows_progress = std::io::stderr().is_terminal();
    let report = check::check(&plan, &mut |step| match step {
        Step::Game(number) if shows_progress => {
            print_to_stderr(&format!("game {number} of {}", plan.games));
        }
        Step::Again(number) if shows_progress => print_to_stderr(&format!("game {number} again")),
        Step::Game(_) | Step::Again(_) => {}
    })?;
    let bot = args.bot.as_ref().or(args.player.as_ref());
    let bot = bot.map_or("", String::as_str);
    let game = plan.game.game();
    if args.json {
        print(&json(bot, game, &report))?
    } else {
        say(&text(&name, game, &report))?
    }
    Ok(match report.verdict() {
        CheckVerdict::Failed => Exit::Failed,
        _ if report.too_busy.is_some() => Exit::Void,
        CheckVerdict::Skipped | CheckVerdict::Ok | CheckVerdict::Warn => Exit::Done,
    })
}

/// Warns of environment variables that the bot is not given.
fn warn_of_environment(bot: &Launch) {
    let withheld = withheld_variables(std::iter::once(bot));
    if !withheld.is_empty() {
        warn(&format!(
            "set here and not given to bots, in any command: {}; what the bot needs stands in its `env`",
            withheld.join(", ")
        ));
    }
}

fn plan(args: &CheckArgs) -> Result<(CheckPlan, String), Failure> {
    let bot = match &args.bot {
        Some(bot) => Some(launch(bot, args.dir.clone())?),
        None => None,
    };
    if let Some(config) = &args.config {
        let tournament = Plan::load(config, known_games())?;
        let name = match (&args.bot, &args.player) {
            (None, Some(player)) => tournament.display_names().shown_with_name(player),
            (bot, _) => bot.clone().unwrap_or_default(),
        };
        return Ok((plan_of_config(args, bot, tournament)?, name));
    }
    // Clap requires both if there is no configuration.
    let (Some(bot), Some(game)) = (bot, args.game.or(args.rules)) else {
        return Err(Failure::new(Exit::Usage, "expected a bot and --game"));
    };
    let time = wall_time(args.per_game, Some(args.per_move), LONG);
    let word = args.bot.as_deref().unwrap_or_default();
    let language = args.language.fit(word, game, &time)?;
    let plan = CheckPlan {
        game: PlannedGame::new(short_game(game, args)?, PlannedOpening::Random(0)),
        bot,
        language,
        opponent: launch(&args.against, None)?,
        supervisor: supervisor()?,
        confinement: Confinement {
            memory: args.memory,
            ..Confinement::default()
        },
        time,
        handshake: args.handshake,
        start: args.handshake,
        quit: args.quit,
        games: args.games,
        seed: args.seed,
        cancel: None,
    };
    Ok((plan, args.bot.clone().unwrap_or_default()))
}

/// Plan for a bot or a player, under the conditions of a tournament.
fn plan_of_config(
    args: &CheckArgs,
    bot: Option<Launch>,
    tournament: Plan,
) -> Result<CheckPlan, Failure> {
    let named = |entry: &Entry| Some(&entry.name) == args.player.as_ref();
    let player = tournament.players.iter().position(named);
    let (limits, time) = match player {
        Some(player) => (tournament.limits_of(player), tournament.time_of(player)),
        None => (&tournament.limits, &tournament.time),
    };
    let (mut limits, time) = (limits.clone(), time.clone());
    let usage = |problem: String| Failure::new(Exit::Usage, problem);
    let mut games = tournament.games.into_iter();
    let game = games
        .find(|planned| args.game.is_none_or(|game| planned.game() == game))
        .ok_or_else(|| usage("--game: the configuration does not have this game".to_owned()))?;
    let (bot, language, isolation) = match (bot, &args.player) {
        (Some(bot), _) => {
            let isolation = tier(&limits, &bot)?;
            let word = args.bot.as_deref().unwrap_or_default();
            (bot, args.language.fit(word, game.game(), &time)?, isolation)
        }
        (None, name) => {
            let entries = tournament.players.iter();
            let entry = player.map(|player| &tournament.players[player]);
            let entry = entry.ok_or_else(|| {
                let names: Vec<&str> = entries.map(|entry| entry.name.as_str()).collect();
                let name = name.as_deref().unwrap_or_default();
                usage(format!(
                    "--player {name}: the configuration has no such player: expected one of {}",
                    names.join(", ")
                ))
            })?;
            let isolation = tier(&limits, &entry.launch)?;
            let mut build = tournament.limits.build.clone();
            build.confinement.isolation = isolation;
            see_that_it_is_built(&entry.name, &entry.launch, entry.build.as_ref(), &build)?;
            (entry.launch.clone(), entry.language.clone(), isolation)
        }
    };
    limits.confinement.isolation = isolation;
    let against = tournament.players.iter().find(|it| it.name == args.against);
    Ok(CheckPlan {
        game,
        bot,
        language,
        opponent: match against {
            Some(player) => player.launch.clone(),
            None => launch(&args.against, None)?,
        },
        supervisor: supervisor()?,
        confinement: limits.confinement,
        time,
        handshake: limits.handshake,
        start: limits.start,
        quit: limits.quit,
        games: args.games,
        seed: args.seed,
        cancel: None,
    })
}

/// The game with its options, and with a bound on plies if the game has that option.
fn short_game(game: Game, args: &CheckArgs) -> Result<Setup, SetupError> {
    let mut options = args.options.clone();
    let is_named = options
        .iter()
        .any(|option| option.starts_with("max-plies="));
    let mut known = game.options().iter();
    if !is_named && known.any(|option| option.key == "max-plies") {
        options.push(format!("max-plies={SHORT}"));
    }
    setup(game, &options)
}

#[derive(Serialize)]
struct ShownReport<'a> {
    bot: &'a str,
    game: &'static str,
    verdict: &'static str,
    checks: Vec<ShownFinding<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    too_busy: Option<&'a str>,
}

#[derive(Serialize)]
struct ShownFinding<'a> {
    name: &'static str,
    verdict: &'static str,
    seen: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<&'a str>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    wrote: &'a [String],
}

fn json(bot: &str, game: Game, report: &Report) -> String {
    let findings = report.findings.iter().map(|finding| ShownFinding {
        name: finding.name,
        verdict: finding.verdict.name(),
        seen: &finding.words,
        hint: finding.hint.as_deref(),
        wrote: &finding.last_lines,
    });
    json_line(&ShownReport {
        bot,
        game: game.name(),
        verdict: report.verdict().name(),
        checks: findings.collect(),
        too_busy: report.too_busy.as_deref(),
    })
}

fn text(bot: &str, game: Game, report: &Report) -> String {
    let mut text: String = report.findings.iter().map(checked).collect();
    if let Some(detail) = &report.too_busy {
        text.push_str(&format!(
            "\nThis machine is too busy to check more: {detail}. Stop what else runs, and check again.\n"
        ));
    }
    let verdicts: Vec<CheckVerdict> = report
        .findings
        .iter()
        .map(|finding| finding.verdict)
        .collect();
    text.push_str(&format!(
        "\n{bot} at {}: {}\n",
        game.name(),
        tally(&verdicts)
    ));
    text
}
