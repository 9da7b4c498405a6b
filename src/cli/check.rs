//! `referee check BOT --game GAME`: tests whether a bot is fit for a tournament.

use std::io::IsTerminal;
use std::path::PathBuf;
use std::time::Duration;

use serde::Serialize;
use toml::Value;

use super::arguments::{
    COMMAND_LINE, GameParser, SPEAKS, TypedOptions, draft, game_names, known_games, launch,
    parse_rules, parse_seed, parse_time, seated, see_that_it_is_built, set_game, spoken,
    supervisor, tier,
};
use crate::bot::{Confinement, Language, Launch, withheld_variables};
use crate::check::{self, CheckPlan, CheckVerdict, Finding, Report, Step};
use crate::cli::exit::{Exit, Failure};
use crate::cli::output::{checked, json_line, print, say, tally};
use crate::clock::TimeControl;
use crate::config::{Limits, Plan, unfit_house_bot, unfit_language};
use crate::game::Game;
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
    #[arg(long, value_name = "FILE", conflicts_with_all = own_terms())]
    config: Option<PathBuf>,
    #[command(flatten)]
    terms: TypedOptions<false>,
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
    /// Time for the answer to `referee 1`, and for the answer to `start`
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = parse_time)]
    handshake: Duration,
    /// Time to exit after `quit`
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = parse_time)]
    quit: Duration,
    /// Print the report as one JSON object
    #[arg(long)]
    json: bool,
}

/// Options that do not go with a configuration, which has them.
fn own_terms() -> Vec<&'static str> {
    let terms = TypedOptions::<false>::names().filter(|name| *name != SPEAKS);
    terms.chain(["options", "handshake", "quit"]).collect()
}

const EXAMPLES: &str = "\
Examples:
  referee check \"python3 bot.py\" --game cachex --dir bots/alice
  referee check ./bot --game dark-chess --per-move 1s --memory 100MiB
  referee check --config spring.toml --player alice
  referee check --config comp30024-2025.toml --player wanderer --against another

Exit codes: 0 no check failed; 1 a check failed; 2 the bot was not found, or an argument is wrong;
6 this machine is too busy to check everything.";

const SHORT: &str = "200";

pub(super) fn run(args: &CheckArgs) -> Result<Exit, Failure> {
    let (plan, name) = plan(args)?;
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
    let word = args.bot.clone().unwrap_or_default();
    let Some(config) = &args.config else {
        let tournament = without_configuration(args, &word)?;
        let opponent = tournament.players[1].launch.clone();
        let plan = plan_of_player(args, tournament, 0, opponent)?;
        return Ok((plan, word));
    };
    let tournament = Plan::load(config, known_games())?;
    let number = |name: &String| tournament.players.iter().position(|it| it.name == *name);
    let opponent = match number(&args.against) {
        Some(player) => tournament.players[player].launch.clone(),
        None => launch(&args.against, None)?,
    };
    let Some(name) = &args.player else {
        return Ok((plan_of_bot(args, tournament, &word, opponent)?, word));
    };
    let player = number(name).ok_or_else(|| {
        let names = tournament.players.iter().map(|entry| entry.name.as_str());
        let names: Vec<&str> = names.collect();
        Failure::usage(format!(
            "--player {name}: the configuration has no such player: expected one of {}",
            names.join(", ")
        ))
    })?;
    let shown = tournament.display_names().shown_with_name(name);
    Ok((plan_of_player(args, tournament, player, opponent)?, shown))
}

fn without_configuration(args: &CheckArgs, word: &str) -> Result<Plan, Failure> {
    // Clap requires both if there is no configuration.
    let game = args.game.or(args.rules);
    let game = game.ok_or_else(|| Failure::usage("expected a bot and --game"))?;
    let game = seated(game, &args.options)?;
    check_opponent(args, game)?;
    let mut bots = vec![args.against.clone(); game.seat_count()];
    word.clone_into(&mut bots[0]);
    let mut draft = draft("check", game, &bots)?;
    if let Some(dir) = &args.dir {
        draft.set_of_player(0, "dir", dir.display().to_string());
    }
    let time = |time| humantime::format_duration(time).to_string();
    let terms: [(&str, Value); 6] = [
        ("format.games-per-pairing", 1.into()),
        ("clock.per-move", "5s".into()),
        // As long as any limit may be.
        ("clock.wall-cap", "30d".into()),
        ("limits.handshake", time(args.handshake).into()),
        ("limits.start", time(args.handshake).into()),
        ("limits.quit", time(args.quit).into()),
    ];
    for (key, value) in terms {
        draft.set(key, value);
    }
    set_game(&mut draft, &args.options)?;
    let mut options = game.options().iter();
    if options.any(|option| option.key == "max-plies") {
        draft.set_default("game.max-plies", SHORT);
    }
    args.terms.set(&mut draft)?;
    Ok(draft.plan(COMMAND_LINE, known_games())?)
}

fn plan_of_player(
    args: &CheckArgs,
    tournament: Plan,
    player: usize,
    opponent: Launch,
) -> Result<CheckPlan, Failure> {
    let entry = &tournament.players[player];
    let mut build = tournament.limits.build();
    build.confinement.isolation = tier(tournament.limits_of(player), &entry.launch)?;
    see_that_it_is_built(&entry.name, &entry.launch, entry.build.as_ref(), &build)?;
    let terms = (
        tournament.limits_of(player).clone(),
        tournament.time_of(player).clone(),
    );
    let bot = (entry.launch.clone(), entry.language.clone());
    check_plan(args, tournament, bot, terms, opponent)
}

fn plan_of_bot(
    args: &CheckArgs,
    tournament: Plan,
    word: &str,
    opponent: Launch,
) -> Result<CheckPlan, Failure> {
    let terms = (tournament.limits.clone(), tournament.time.clone());
    let speaks = args.terms.values(SPEAKS);
    let language = spoken(speaks.last().map(String::as_str), word).unwrap_or_default();
    let bot = (launch(word, args.dir.clone())?, language);
    let plan = check_plan(args, tournament, bot, terms, opponent)?;
    match unfit_language(plan.game.game(), &plan.language, &plan.time) {
        None => Ok(plan),
        Some(problem) => Err(Failure::usage(format!("player `{word}`: {problem}"))),
    }
}

fn check_plan(
    args: &CheckArgs,
    tournament: Plan,
    (bot, language): (Launch, Language),
    (limits, time): (Limits, TimeControl),
    opponent: Launch,
) -> Result<CheckPlan, Failure> {
    let mut games = tournament.games.into_iter();
    let game = games.find(|planned| {
        args.game
            .is_none_or(|game| planned.game().name() == game.name())
    });
    let game =
        game.ok_or_else(|| Failure::usage("--game: the configuration does not have this game"))?;
    check_opponent(args, game.game())?;
    Ok(CheckPlan {
        game,
        confinement: Confinement {
            isolation: tier(&limits, &bot)?,
            ..limits.confinement()
        },
        bot,
        language,
        opponent,
        supervisor: supervisor()?,
        time,
        handshake: limits.handshake,
        start: limits.start,
        quit: limits.quit,
        games: args.games,
        seed: args.seed,
        cancel: None,
    })
}

fn check_opponent(args: &CheckArgs, game: Game) -> Result<(), Failure> {
    let problem =
        HouseBot::from_name(&args.against).and_then(|house| unfit_house_bot(game, house.name()));
    match problem {
        None => Ok(()),
        Some(problem) => Err(Failure::usage(format!(
            "{problem}; --against names the opponent of the check"
        ))),
    }
}

#[derive(Serialize)]
struct ShownReport<'a> {
    bot: &'a str,
    game: &'static str,
    verdict: CheckVerdict,
    checks: &'a [Finding],
    #[serde(skip_serializing_if = "Option::is_none")]
    too_busy: Option<&'a str>,
}

fn json(bot: &str, game: Game, report: &Report) -> String {
    json_line(&ShownReport {
        bot,
        game: game.name(),
        verdict: report.verdict(),
        checks: &report.findings,
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
    let verdicts = report.findings.iter().map(|finding| finding.verdict);
    let tally = tally(&verdicts.collect::<Vec<_>>());
    text + &format!("\n{bot} at {}: {tally}\n", game.name())
}
