//! Environment variables that may make a program behave differently as a bot, or on another machine.

use std::fs::File;
use std::io::Read;

use super::Launch;

/// A language whose programs depend on environment variables.
struct Language {
    /// File extensions, and prefixes of interpreters, that identify it in a command or the first line of a script.
    marks: &'static [&'static str],
    /// Variables that change a program's behaviour, and are not passed on.
    withheld: &'static [&'static str],
    /// Variables with paths of modules, which other machines may not have.
    of_modules: &'static [&'static str],
}

const LANGUAGES: [Language; 3] = [
    Language {
        marks: &["python", ".py"],
        withheld: &[
            "PYTHONDEVMODE",
            "PYTHONHASHSEED",
            "PYTHONINSPECT",
            "PYTHONIOENCODING",
            "PYTHONOPTIMIZE",
            "PYTHONSAFEPATH",
            "PYTHONUNBUFFERED",
            "PYTHONUTF8",
            "PYTHONWARNINGS",
            "OMP_NUM_THREADS",
            "OPENBLAS_NUM_THREADS",
            "MKL_NUM_THREADS",
        ],
        of_modules: &[
            "PYTHONHOME",
            "PYTHONNOUSERSITE",
            "PYTHONPATH",
            "PYTHONUSERBASE",
        ],
    },
    Language {
        marks: &["java", ".jar"],
        withheld: &[
            "CLASSPATH",
            "JAVA_TOOL_OPTIONS",
            "JDK_JAVA_OPTIONS",
            "_JAVA_OPTIONS",
        ],
        of_modules: &[],
    },
    Language {
        marks: &["node", ".js", ".mjs"],
        withheld: &["NODE_OPTIONS"],
        of_modules: &["NODE_PATH"],
    },
];

impl Language {
    /// Whether a bot is written in it, judged by its command and the first line of its program.
    fn is_of(&self, bot: &Launch) -> bool {
        let is_mark = |word: &str| {
            let mut marks = self.marks.iter();
            marks.any(|mark| {
                if mark.starts_with('.') {
                    return word.ends_with(mark);
                }
                let name = word.rsplit('/').next();
                name.is_some_and(|name| name.starts_with(mark))
            })
        };
        let program = bot.program.to_string_lossy();
        let words = bot.args.iter().flat_map(|word| word.split_whitespace());
        words.chain([&*program]).any(is_mark)
            || first_line(bot).is_some_and(|line| line.split([' ', '!']).any(is_mark))
    }
}

fn first_line(bot: &Launch) -> Option<String> {
    const LONGEST: u64 = 256;
    let mut start = Vec::new();
    let file = File::open(bot.find_program()?).ok()?;
    file.take(LONGEST).read_to_end(&mut start).ok()?;
    let start = String::from_utf8_lossy(&start);
    let line = start.lines().next()?;
    line.starts_with("#!").then(|| line.to_owned())
}

/// Variables of the harness's environment that may make bots behave differently elsewhere.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Peculiarities {
    /// Set for a program that is started by hand, and not for a bot.
    pub withheld: Vec<&'static str>,
    /// Set for a bot here, and perhaps not on another machine.
    pub passed_on: Vec<&'static str>,
}

impl Peculiarities {
    /// Peculiarities of these bots. A variable in a bot's own `env` is none.
    pub fn of<'a>(bots: impl Iterator<Item = &'a Launch> + Clone) -> Self {
        let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        Self::with(bots, is_set)
    }

    fn with<'a>(
        bots: impl Iterator<Item = &'a Launch> + Clone,
        is_set: impl Fn(&str) -> bool,
    ) -> Self {
        let is_own = |bot: &Launch, name: &str| bot.env.iter().any(|(key, _)| key == name);
        let mut found = Self::default();
        for language in &LANGUAGES {
            let bots: Vec<&Launch> = bots.clone().filter(|bot| language.is_of(bot)).collect();
            let differs =
                |name: &&&'static str| is_set(name) && bots.iter().any(|bot| !is_own(bot, name));
            found
                .withheld
                .extend(language.withheld.iter().filter(differs));
            found
                .passed_on
                .extend(language.of_modules.iter().filter(differs));
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bot::is_of_the_harness;

    #[test]
    fn bots_are_given_a_variable_of_modules_and_no_withheld_one() {
        for language in &LANGUAGES {
            assert!(
                language
                    .withheld
                    .iter()
                    .all(|name| !is_of_the_harness(name))
            );
            assert!(
                language
                    .of_modules
                    .iter()
                    .all(|name| is_of_the_harness(name))
            );
        }
    }

    #[test]
    fn a_variable_is_peculiar_unless_each_bot_sets_it_itself() {
        let of = |words: &str, env: &[&str]| Launch {
            program: "sh".into(),
            args: words.split(' ').map(str::to_owned).collect(),
            dir: None,
            env: env
                .iter()
                .map(|name| ((*name).to_owned(), "1".to_owned()))
                .collect(),
            ..Launch::default()
        };
        let found = |bots: &[Launch]| {
            let set = ["PYTHONUNBUFFERED", "PYTHONPATH", "PATH", "NODE_AUTH_TOKEN"];
            Peculiarities::with(bots.iter(), |name| set.contains(&name))
        };
        let both = Peculiarities {
            withheld: vec!["PYTHONUNBUFFERED"],
            passed_on: vec!["PYTHONPATH"],
        };
        let bot = |env: &[&str]| of("-c bot.py", env);
        let own = ["PYTHONUNBUFFERED", "PYTHONPATH"];
        assert_eq!(found(&[bot(&own), bot(&[])]), both);
        assert_eq!(found(&[bot(&own)]), Peculiarities::default());
        assert_eq!(found(&[of("-c ./bot", &[])]), Peculiarities::default());
        for words in ["-c 'exec /usr/bin/python3.12 -m bot'", "python bot"] {
            assert_eq!(found(&[of(words, &[])]), both, "{words}");
        }
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("bot"), "#!/usr/bin/env python3\n").expect("written");
        let script = Launch {
            program: "./bot".into(),
            dir: Some(folder.path().to_owned()),
            ..of("", &[])
        };
        assert_eq!(found(&[script]), both);
    }
}
