//! The language of a player: `speaks`, and for an engine its `options` and `go`.

use std::time::Duration;

use toml::{Spanned, Value};

use crate::bot::{Language, Options, SearchLimits};
use crate::clock::TimeControl;
use crate::config::Flaw;
use crate::config::file::{
    Amount, PlayerSection, did_you_mean, duration, in_brackets, one_of, whole_number,
};
use crate::game::{EngineProtocol, Game};

/// Commands of GTP that follow from the game and the clock.
const OWN_COMMANDS: [&str; 10] = [
    "boardsize",
    "clear_board",
    "genmove",
    "komi",
    "list_commands",
    "name",
    "play",
    "quit",
    "time_left",
    "time_settings",
];

const LIMITS: [&str; 3] = ["nodes", "depth", "movetime"];

/// The language of a player, or why it cannot be.
pub fn language(player: &PlayerSection) -> Result<Language, Flaw> {
    if let Some(speaks) = &player.speaks {
        let name = one_of("speaks", speaks, Language::NAMES, |name| name)?;
        let mut language = Language::from_name(name).unwrap_or_default();
        if let Language::Engine(terms) = &mut language {
            if player.house.is_some() {
                let problem =
                    "a house bot speaks our protocol: expected no `speaks` beside `house`";
                return Err(Flaw::of(speaks, problem));
            }
            let speaks_gtp = terms.protocol == EngineProtocol::Gtp;
            if let Some(go) = player.go.as_ref().filter(|_| speaks_gtp) {
                let problem = "GTP has no limits of a search: expected none of `go`, but the engine's own arguments";
                return Err(Flaw::at(go.span().start, problem));
            }
            terms.options = options(player, Some(terms.protocol))?;
            terms.go = go(player)?;
            return Ok(language);
        }
    }
    let options_at = player.options.as_ref().map(|it| it.span().start);
    let mistakes = [
        (
            player.go.as_ref().map(|it| it.span().start),
            "`go` is for engines: expected `speaks`, such as `speaks = \"uci\"`, beside it",
        ),
        (
            options_at.filter(|_| player.house.is_some()),
            "a house bot has no options: expected `args`, such as [\"--nodes\", \"20000\"]",
        ),
        // It may be an engine.
        (
            options_at.filter(|_| player.speaks.is_none()),
            "`options` goes with `speaks`: expected `speaks = \"uci\"`, or \"referee\" for a bot that says `tunes`",
        ),
    ];
    let found = mistakes
        .into_iter()
        .find_map(|(at, problem)| Some((at?, problem)));
    if let Some((at, problem)) = found {
        return Err(Flaw::at(at, problem));
    }
    Ok(Language::Own(options(player, None)?))
}

/// The options of a player, as text. In GTP they are commands, and some of them are for the referee.
fn options(player: &PlayerSection, protocol: Option<EngineProtocol>) -> Result<Options, Flaw> {
    let are_commands = protocol == Some(EngineProtocol::Gtp);
    let options = player.options.iter().flat_map(|options| options.get_ref());
    let options = options.map(|(name, value)| {
        let text = match value.get_ref() {
            Value::String(text) => text.clone(),
            Value::Integer(number) => number.to_string(),
            Value::Float(number) => number.to_string(),
            Value::Boolean(is_set) => is_set.to_string(),
            other => {
                let problem = format!(
                    "the option `{}` cannot be `{other}`: expected a text, a number, true or false",
                    name.get_ref()
                );
                return Err(Flaw::of(value, problem));
            }
        };
        let is_one_line = |text: &str| !text.contains(['\n', '\r']);
        if !is_one_line(name.get_ref()) || !is_one_line(&text) {
            return Err(Flaw::of(value, "an option is one line"));
        }
        let is_word = !name.get_ref().is_empty() && !name.get_ref().contains(' ');
        if protocol.is_none() && (!is_word || text.is_empty()) {
            let problem = "an option of our protocol is one word, with a value that is not empty";
            return Err(Flaw::of(name, problem));
        }
        if are_commands && OWN_COMMANDS.contains(&name.get_ref().as_str()) {
            let problem = format!(
                "`{}` is sent by the referee, as the game and the clock are",
                name.get_ref()
            );
            return Err(Flaw::of(name, problem));
        }
        Ok((name.get_ref().clone(), text))
    });
    options.collect()
}

fn go(player: &PlayerSection) -> Result<SearchLimits, Flaw> {
    let mut limits = SearchLimits::default();
    for (name, value) in player.go.iter().flat_map(|go| go.get_ref()) {
        match name.get_ref().as_str() {
            "nodes" => limits.nodes = Some(whole_number("nodes", value, 1..=i64::MAX)? as u64),
            "depth" => limits.depth = Some(whole_number("depth", value, 1..=1000)? as u32),
            "movetime" => limits.movetime = Some(search_time(value)?),
            other => {
                let problem = format!(
                    "`go` has no `{other}`{}: expected {}",
                    in_brackets(did_you_mean(other, LIMITS)),
                    LIMITS.join(", ")
                );
                return Err(Flaw::of(name, problem));
            }
        }
    }
    Ok(limits)
}

fn search_time(value: &Spanned<Value>) -> Result<Duration, Flaw> {
    let text = match value.get_ref() {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let time = duration("movetime", &Spanned::new(value.span(), Amount(text)))?;
    match time.as_millis() {
        0 => Err(Flaw::of(value, "`movetime` is below 1ms")),
        _ => Ok(time),
    }
}

/// Why a player of this language and time control cannot play a game; `None` if it can.
pub fn unfit_language(game: Game, language: &Language, time: &TimeControl) -> Option<String> {
    let terms = language.engine()?;
    let spoken = language.name();
    let speaks_gtp = terms.protocol == EngineProtocol::Gtp;
    if game.notation() != Some(terms.protocol) {
        let expected = match terms.protocol {
            EngineProtocol::Uci => "chess, or rules with `notation uci`",
            EngineProtocol::Usi => "rules with `notation usi`",
            EngineProtocol::Gtp => "rules with `notation gtp`",
        };
        return Some(format!(
            "it speaks {spoken}, and the actions of {} are not written so: expected {expected}, or no `speaks`",
            game.name()
        ));
    }
    // An engine of GTP has limits of its own, in its arguments.
    if !speaks_gtp && terms.go.is_empty() && !time.is_limited() {
        return Some(format!(
            "it speaks {spoken}, and nothing limits its searches: expected a clock, such as `per-move`, or `go`"
        ));
    }
    None
}
