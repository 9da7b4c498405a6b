//! The environment variables of bots.
//!
//! Bots inherit an exact list of names: variables by which programs find their parts and the locale. Prefixes would
//! not do, since the name of a secret can begin or end like anything. Variables that change a program's behaviour are
//! not on the list, so a bot does the same whoever starts the harness.

use std::ffi::OsString;
use std::fs::File;
use std::io::Read;

use super::Launch;

/// Variables of the harness that bots inherit.
const PASSED_ON: [&str; 37] = [
    "PATH",
    "LD_LIBRARY_PATH",
    "HOME",
    "TMPDIR",
    "USER",
    "LOGNAME",
    "SHELL",
    "TZ",
    // The locale.
    "LANG",
    "LANGUAGE",
    "LC_ALL",
    "LC_ADDRESS",
    "LC_COLLATE",
    "LC_CTYPE",
    "LC_IDENTIFICATION",
    "LC_MEASUREMENT",
    "LC_MESSAGES",
    "LC_MONETARY",
    "LC_NAME",
    "LC_NUMERIC",
    "LC_PAPER",
    "LC_TELEPHONE",
    "LC_TIME",
    // Locations of languages, and of their modules.
    "CARGO_HOME",
    "CONDA_DEFAULT_ENV",
    "CONDA_PREFIX",
    "JAVA_HOME",
    "NODE_PATH",
    "PYENV_ROOT",
    "PYENV_VERSION",
    "PYTHONHOME",
    "PYTHONNOUSERSITE",
    "PYTHONPATH",
    "PYTHONUSERBASE",
    "RUSTUP_HOME",
    "VIRTUAL_ENV",
    // Makes crash reports more detailed.
    "RUST_BACKTRACE",
];

/// A language whose programs behave differently under some variables.
struct Language {
    /// Prefixes of a command's word, or extensions if they begin with a dot, that identify the language. The first
    /// line of a script counts too.
    marks: &'static [&'static str],
    /// Variables that change a program's behaviour. They are not passed on.
    withheld: &'static [&'static str],
    /// Variables by which a program finds modules that other machines may lack.
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
    /// Whether a bot seems to be written in this language, by its command or the first line of its program.
    fn is_of(&self, bot: &Launch) -> bool {
        let is_mark = |word: &str| {
            let mut marks = self.marks.iter();
            marks.any(|mark| {
                if mark.starts_with('.') {
                    word.ends_with(mark)
                } else {
                    let name = word.rsplit('/').next();
                    name.is_some_and(|name| name.starts_with(mark))
                }
            })
        };
        let program = bot.program.to_string_lossy();
        let words = bot.args.iter().flat_map(|word| word.split_whitespace());
        words.chain([&*program]).any(is_mark)
            || first_line(bot).is_some_and(|line| line.split([' ', '!']).any(is_mark))
    }
}

/// The `#!` line of a script, which names its interpreter.
fn first_line(bot: &Launch) -> Option<String> {
    const LONGEST: u64 = 256;
    let mut start = Vec::new();
    let file = File::open(bot.find_program()?).ok()?;
    file.take(LONGEST).read_to_end(&mut start).ok()?;
    let start = String::from_utf8_lossy(&start);
    let line = start.lines().next()?;
    line.starts_with("#!").then(|| line.to_owned())
}

/// Variables of the harness that bots inherit, with their values.
pub(super) fn passed_on() -> impl Iterator<Item = (OsString, OsString)> {
    std::env::vars_os().filter(|(key, _)| PASSED_ON.iter().any(|name| key == name))
}

/// Whether bots inherit this variable. Sandboxes make visible the paths that such variables name.
pub fn is_of_the_harness(name: &str) -> bool {
    PASSED_ON.contains(&name)
}

/// Variables of the harness that may make a bot behave differently on another machine.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Peculiarities {
    /// Set for a program started by hand, and not for a bot.
    pub withheld: Vec<&'static str>,
    /// Set for bots here, and perhaps not elsewhere.
    pub passed_on: Vec<&'static str>,
}

impl Peculiarities {
    /// Peculiarities for these bots. Variables set by a bot's own `env` do not count.
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

    /// Names of variables that hold secrets, or lead to them.
    const SECRETS: &str = "
        NODE_AUTH_TOKEN CONDA_TOKEN PYTHON_KEYRING_PASSWORD CONDA_PASSWORD CONDA_USERNAME CONDA_OVERRIDE_TOKEN
        ANACONDA_API_TOKEN PYTHON_KEYRING_BACKEND PYENV_GITHUB_TOKEN NODE_TOKEN NODE_PASSWORD NODE_EXTRA_CA_CERTS
        NPM_TOKEN npm_config__auth npm_config__authToken npm_config_//registry.npmjs.org/:_authToken YARN_NPM_AUTH_TOKEN
        PIP_INDEX_URL PIP_EXTRA_INDEX_URL UV_INDEX_URL UV_PUBLISH_TOKEN POETRY_PYPI_TOKEN_PYPI POETRY_HTTP_BASIC_X_PASSWORD
        TWINE_USERNAME TWINE_PASSWORD FLIT_PASSWORD HATCH_INDEX_AUTH PDM_PUBLISH_PASSWORD PYPI_TOKEN
        CARGO_REGISTRY_TOKEN CARGO_REGISTRIES_X_TOKEN CARGO_HTTP_PROXY RUSTUP_DIST_SERVER
        MAVEN_PASSWORD MAVEN_OPTS GRADLE_OPTS ORG_GRADLE_PROJECT_password JAVA_TOOL_OPTIONS JDK_JAVA_OPTIONS
        AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AWS_SESSION_TOKEN AZURE_CLIENT_SECRET GOOGLE_APPLICATION_CREDENTIALS
        GITHUB_TOKEN GH_TOKEN GITLAB_TOKEN CI_JOB_TOKEN ACTIONS_ID_TOKEN_REQUEST_TOKEN ACTIONS_RUNTIME_TOKEN
        DOCKER_AUTH_CONFIG DOCKER_PASSWORD KUBECONFIG VAULT_TOKEN ANSIBLE_VAULT_PASSWORD TF_TOKEN_app_terraform_io
        HF_TOKEN HUGGING_FACE_HUB_TOKEN OPENAI_API_KEY ANTHROPIC_API_KEY WANDB_API_KEY KAGGLE_KEY
        CANVAS_TOKEN CANVAS_API_TOKEN MOODLE_TOKEN GRADESCOPE_PASSWORD SLACK_TOKEN SENTRY_DSN
        DATABASE_URL PGPASSWORD MYSQL_PWD REDIS_URL SMTP_PASSWORD MAILTO
        SSH_AUTH_SOCK SSH_ASKPASS GPG_AGENT_INFO GIT_ASKPASS GIT_CONFIG_PARAMETERS SUDO_ASKPASS
        http_proxy https_proxy HTTP_PROXY HTTPS_PROXY ALL_PROXY FTP_PASSWORD NETRC
        LC_SECRET LC_TOKEN LANG_TOKEN PATH_TOKEN HOME_TOKEN PYTHONTOKEN PYTHONPATH_TOKEN JAVA_HOME_PASSWORD
        SECRET TOKEN PASSWORD API_KEY DBUS_SESSION_BUS_ADDRESS XAUTHORITY KRB5CCNAME";

    #[test]
    fn no_variable_that_may_hold_a_secret_is_passed_on() {
        for secret in SECRETS.split_whitespace() {
            assert!(!PASSED_ON.contains(&secret), "{secret}");
        }
        for name in PASSED_ON {
            let words = [
                "TOKEN", "PASS", "SECRET", "KEY", "AUTH", "CRED", "OPTIONS", "PROXY", "URL",
            ];
            assert!(!words.iter().any(|word| name.contains(word)), "{name}");
        }
        for language in &LANGUAGES {
            assert!(
                language
                    .withheld
                    .iter()
                    .all(|name| !PASSED_ON.contains(name))
            );
            assert!(
                language
                    .of_modules
                    .iter()
                    .all(|name| PASSED_ON.contains(name))
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
            course_files: None,
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
