//! Hints for command lines that failed: forgotten quotes, and a folder or a program in the place of a
//! configuration or a bot.

use std::fs;
use std::path::Path;

use crate::bot::command_of;
use crate::config::is_interpreter;
use crate::game::{BUILT_IN, Game};
use crate::opponents::HouseBot;
use crate::report::shell_word;

/// Words that people try as commands, with the command that does it.
const OTHER_WORDS: [(&str, &str); 10] = [
    ("tournament", "run"),
    ("match", "run"),
    ("tune", "run"),
    ("resume", "run --resume"),
    ("init", "new"),
    ("create", "new"),
    ("test", "check"),
    ("validate", "check"),
    ("elo", "rate"),
    ("watch", "replay"),
];

/// A hint for a command line that failed, if one is known. The first word is the program's.
pub(super) fn hint(typed: &[String]) -> Option<String> {
    let command = typed.get(1)?.as_str();
    let words = &typed[2..];
    if let Some((_, known)) = OTHER_WORDS.iter().find(|(word, _)| *word == command) {
        return Some(format!("that is `referee {known}`"));
    }
    if let Some(hint) = option_of_game(words) {
        return Some(hint);
    }
    match command {
        "run" | "plan" => forgotten_quotes(command, words)
            .or_else(|| no_configuration(command, first_positional(words)?)),
        "grade" => no_configuration(command, first_positional(words)?),
        "play" | "check" => {
            forgotten_quotes(command, words).or_else(|| folder_as_bot(command, words))
        }
        _ => None,
    }
}

fn option_of_game(words: &[String]) -> Option<String> {
    let at = words.iter().position(|word| {
        let mut options = BUILT_IN.into_iter().flat_map(Game::options);
        let name = word.strip_prefix("--").and_then(|it| it.split('=').next());
        options.any(|option| Some(option.key) == name)
    })?;
    let typed = words[at].trim_start_matches('-');
    let set = match words.get(at + 1) {
        Some(value) if !typed.contains('=') => format!("{typed}={value}"),
        _ => typed.to_owned(),
    };
    Some(format!("an option of a game is set by --set {set}"))
}

fn forgotten_quotes(command: &str, words: &[String]) -> Option<String> {
    // Java is none, since its first argument is no script.
    let starts = |word: &String| word == "java" || is_interpreter(Path::new(word));
    let start = words.iter().position(starts)?;
    let end = start + 1 + length_of_arguments(&words[start + 1..])?;
    let quoted = format!("\"{}\"", words[start..end].join(" "));
    let before = words[..start]
        .iter()
        .map(|word| shell_word(Path::new(word)));
    let after = words[end..].iter().map(|word| shell_word(Path::new(word)));
    let line: Vec<String> = before.chain([quoted]).chain(after).collect();
    Some(format!(
        "a bot's command is one argument, in quotes: referee {command} {}",
        line.join(" ")
    ))
}

/// How many words belong to the interpreter before them: its options, and a file or a module.
fn length_of_arguments(words: &[String]) -> Option<usize> {
    let mut count = 0;
    while let Some(word) = words.get(count) {
        if word.starts_with("--") || is_known(word) {
            break;
        }
        count += 1;
        if word == "-m" || word == "-jar" || !word.starts_with('-') {
            count += usize::from(word.starts_with('-') && count < words.len());
            break;
        }
    }
    (count > 0).then_some(count)
}

fn is_known(word: &str) -> bool {
    HouseBot::from_name(word).is_some() || BUILT_IN.into_iter().map(Game::name).any(|it| it == word)
}

/// The first word that is no option, and does not follow one that may take a value.
fn first_positional(words: &[String]) -> Option<&str> {
    let mut before = "";
    for word in words {
        if !word.starts_with('-') && !before.starts_with("--") {
            return Some(word);
        }
        before = word;
    }
    None
}

fn no_configuration(command: &str, word: &str) -> Option<String> {
    let path = Path::new(word);
    if path.is_dir() {
        if path.join("games.csv").is_file() {
            let run = shell_word(path);
            return Some(format!(
                "{word} is the folder of a run: `referee games {run}` lists its games"
            ));
        }
        let config = only_configuration(command, path)?;
        return Some(format!(
            "{word} is a folder with a configuration: referee {command} {}",
            shell_word(&path.join(config))
        ));
    }
    let bot = command_of(path).filter(|_| path.is_file())?;
    (command == "run").then(|| {
        format!("{word} is a program. To let it play: referee run --game cachex \"{bot}\" random")
    })
}

/// The name of the kit's configuration in a folder, or of its only one.
fn only_configuration(command: &str, folder: &Path) -> Option<String> {
    if folder.join("kit.toml").is_file() && command != "grade" {
        return Some("kit.toml".to_owned());
    }
    let names = fs::read_dir(folder).ok()?.flatten();
    let names = names.filter_map(|entry| entry.file_name().into_string().ok());
    let mut configs = names.filter(|name| name.ends_with(".toml"));
    let only = configs.next();
    only.filter(|_| configs.next().is_none())
}

fn folder_as_bot(command: &str, words: &[String]) -> Option<String> {
    let is_configuration = |path: &Path| path.extension().is_some_and(|it| it == "toml");
    let at = words.iter().position(|word| {
        let path = Path::new(word);
        path.is_dir() || is_configuration(path)
    })?;
    // The value of an option such as --dir may well be a folder.
    if at > 0 && words[at - 1].starts_with("--") {
        return None;
    }
    let folder = Path::new(&words[at]);
    let name = folder.display();
    if command == "check" && is_configuration(folder) {
        return Some(format!(
            "{name} is a configuration: referee check --config {} --player NAME",
            shell_word(folder)
        ));
    }
    if command == "check" && folder.join("kit.toml").is_file() {
        let config = shell_word(&folder.join("kit.toml"));
        return Some(format!(
            "{name} is a folder with a configuration: referee check --config {config} --player NAME"
        ));
    }
    let starts = ["bot.py", "main.py", "bot.js", "bot.jar", "bot.sh"];
    let mut bots = starts.iter().map(|it| folder.join(it));
    let bot = command_of(&bots.find(|it| it.is_file())?)?;
    Some(format!(
        "{name} is a folder; the command that starts its bot stands in quotes: \"{bot}\""
    ))
}
