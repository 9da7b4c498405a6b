//! The environment variables of bots.
//!
//! Bots inherit an exact list of names: variables by which programs find their parts and the locale. Prefixes would
//! not do, since the name of a secret can begin or end like anything. Variables that change a program's behaviour are
//! not on the list, so a bot behaves alike for every user of the harness.

use std::ffi::OsString;

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

/// Variables of the harness that bots inherit, with their values.
pub(super) fn passed_on() -> impl Iterator<Item = (OsString, OsString)> {
    std::env::vars_os().filter(|(key, _)| PASSED_ON.iter().any(|name| key == name))
}

/// Whether bots inherit this variable. Sandboxes make visible the paths that such variables name.
pub fn is_of_the_harness(name: &str) -> bool {
    PASSED_ON.contains(&name)
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
    }
}
