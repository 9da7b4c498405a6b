//! Bots that come: copied, built, checked, and taken into the roster or refused.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use toml::{Table, Value};

use super::playing::Session;
use super::terms::{nobody, player};
use super::{GradeError, State, Version};
use crate::bot::{Confinement, Launch};
use crate::check::{CheckPlan, CheckVerdict, Finding, check};
use crate::config::{Entry, Plan, unfit_house_bot};
use crate::grade::{BrokenBot, Builder, KIT, Kit, keep_bot};
use crate::opponents::HouseBot;
use crate::runner::{Demands, Host};
use crate::runs::{
    Lock, RunFileError, RunFileProblem, folder_digest, remove_folder, remove_if_there, utc,
};
use crate::text::{self, is_hidden};

/// A bot as it is handed in.
#[derive(Debug, Clone)]
pub struct Handed {
    /// The name of the bot.
    pub owner: String,
    /// The keys of its `[[player]]`, but for `name` and `dir`.
    pub player: Table,
    /// Its folder, which is copied.
    pub dir: Option<PathBuf>,
    /// Whether a stranger wrote its command.
    pub submitted: bool,
}

impl Handed {
    /// The bot of a folder with a `kit.toml`.
    pub fn kit(owner: &str, dir: &Path) -> Result<Self, BrokenBot> {
        let kit = Kit::read(dir)?;
        let mut player = Table::new();
        player.insert("command".to_owned(), kit.command.into());
        if let Some(build) = kit.build {
            player.insert("build".to_owned(), build.into());
        }
        if !kit.env.is_empty() {
            let env = kit.env.into_iter();
            let env: Table = env.map(|(name, value)| (name, value.into())).collect();
            player.insert("env".to_owned(), env.into());
        }
        if kit.fresh_process {
            player.insert("fresh-process".to_owned(), true.into());
        }
        Ok(Self {
            owner: owner.to_owned(),
            player,
            dir: Some(dir.to_owned()),
            submitted: true,
        })
    }

    /// Whether a folder has a kit.
    pub fn is_kit(dir: &Path) -> bool {
        dir.join(KIT).is_file()
    }
}

/// A bot that is in the league.
#[derive(Debug)]
pub struct Added {
    pub version: Version,
    /// Remarks for the organiser.
    pub notes: Vec<String>,
}

/// Why a bot is not in the league.
#[derive(Debug)]
pub enum Refused {
    /// It cannot be made ready.
    Broken(String),
    /// Its check failed: the findings that say why.
    Unfit(Vec<Finding>),
}

/// The longest name of a bot: folders and players have it.
const LONGEST: usize = 60;

fn check_name(name: &str) -> Result<(), GradeError> {
    let is_good = |c: char| (c.is_alphanumeric() && !is_hidden(c)) || "-_+".contains(c);
    match name.chars().all(is_good) && (1..=LONGEST).contains(&name.len()) {
        true => Ok(()),
        false => Err(GradeError::Usage(format!(
            "`{}` cannot be the name of a bot: expected at most {LONGEST} letters, digits, `-`, `_` and `+`",
            text::visible(name)
        ))),
    }
}

impl Session<'_> {
    /// Copies a bot, builds it and checks it. If it is active, the version before it retires.
    pub fn add(
        &self,
        mut handed: Handed,
        state: State,
    ) -> Result<Result<Added, Refused>, GradeError> {
        check_name(&handed.owner)?;
        let league = self.league;
        let mut version = self.new_version(&handed, state)?;
        let home = league.home(&version);
        fs::create_dir_all(&home).map_err(RunFileError::at(&home, RunFileProblem::Make))?;
        let lock = Lock::take(&home)?;
        if league
            .roster()?
            .versions
            .iter()
            .any(|it| it.player_name() == version.player_name())
        {
            return Err(GradeError::Usage(format!(
                "version {} of {} came while this one waited: give the command again",
                version.version, version.owner
            )));
        }
        // A process that was killed may have left a part of it.
        remove_if_there(&home.join("build.toml"))?;
        let refuse = |why: Refused| {
            remove(&home)?;
            Ok(Err(why))
        };
        let dir = handed.dir.take();
        if let Some(problem) = dir.is_none().then(|| needs_folder(&version)).flatten() {
            remove(&home)?;
            return Err(GradeError::Usage(problem));
        }
        let made = self.make(&version, dir.as_deref(), &home);
        let (plan, entry, opponent) = match made {
            Ok(Ok(made)) => made,
            Ok(Err(broken)) => return refuse(Refused::Broken(broken.why)),
            Err(error) => {
                remove(&home)?;
                return Err(error);
            }
        };
        let mut notes = Vec::new();
        match opponent {
            None => notes.push(
                "it was not checked: the rules list no legal actions, and nobody else plays yet"
                    .to_owned(),
            ),
            Some(opponent) => {
                let report = self.check(&plan, &entry, opponent);
                let report = report.inspect_err(|_| drop(remove(&home)))?;
                if let Some(busy) = &report.too_busy {
                    notes.push(format!("the check was cut short by a busy machine: {busy}"));
                }
                if report.verdict() == CheckVerdict::Failed {
                    let findings = report.findings.into_iter();
                    let failed = findings.filter(|it| it.verdict == CheckVerdict::Failed);
                    return refuse(Refused::Unfit(failed.collect()));
                }
            }
        }
        drop(lock);
        version.digest = entry
            .launch
            .dir
            .as_deref()
            .and_then(folder_digest)
            .unwrap_or_default();
        // It is built: its program is in its folder.
        version.player.remove("build");
        league.change(|roster| {
            let is_alike = |it: &&Version| {
                it.state != State::Removed
                    && !it.digest.is_empty()
                    && (&it.digest, &it.player) == (&version.digest, &version.player)
            };
            for other in roster.versions.iter().filter(is_alike) {
                notes.push(format!(
                    "it has the files and the command of {}",
                    other.shown_name()
                ));
            }
            if let Some(shown) = roster.of(&version.owner).last() {
                version.shown.clone_from(&shown.shown);
            }
            roster.enter(version.clone());
            Ok(Ok(Added { version, notes }))
        })
    }

    /// The version that the bot would be.
    fn new_version(&self, handed: &Handed, state: State) -> Result<Version, GradeError> {
        let roster = self.league.roster()?;
        let is_taken = |it: &Version| it.owner != handed.owner && it.shown == handed.owner;
        if roster.versions.iter().any(is_taken) {
            return Err(GradeError::Usage(format!(
                "another bot is called `{}`: expected a name that nobody has",
                handed.owner
            )));
        }
        let before = roster.of(&handed.owner).map(|it| it.version).max();
        Ok(Version {
            owner: handed.owner.clone(),
            shown: handed.owner.clone(),
            version: before.unwrap_or(0) + 1,
            state,
            why: String::new(),
            added: utc(SystemTime::now()),
            digest: String::new(),
            submitted: handed.submitted,
            player: handed.player.clone(),
        })
    }

    /// Copies and builds a bot under the terms of the league. Gives them, the bot, and the opponent of its check: `None` if
    /// nobody can be one.
    #[expect(clippy::type_complexity, reason = "three values with one reader")]
    fn make(
        &self,
        version: &Version,
        dir: Option<&Path>,
        home: &Path,
    ) -> Result<Result<(Plan, Entry, Option<Launch>), BrokenBot>, GradeError> {
        let terms = self.league.terms()?;
        let absolute = |dir: &Path| std::path::absolute(dir).unwrap_or_else(|_| dir.to_owned());
        let dir = dir.map(|dir| absolute(dir).display().to_string());
        let candidate = player(version, dir);
        let roster = self.league.roster()?;
        let mut others = roster.active().filter(|it| it.owner != version.owner);
        let other = others.find(|it| !it.player.contains_key("speaks"));
        let second = other.map(|it| {
            let bot = self.league.home(it).join("bot");
            let bot = bot.exists().then(|| absolute(&bot).display().to_string());
            player(it, bot)
        });
        let plan = terms.probe([candidate, second.unwrap_or_else(|| nobody("nobody"))])?;
        let mut entry = plan.players[0].clone();
        entry.launch.submitted = version.submitted;
        if let Some(build) = &mut entry.build {
            build.submitted = version.submitted;
        }
        let (host, _) = Host::new(&Demands::of(&plan), self.supervisor.clone(), self.options)?;
        let builder = Builder {
            limits: &host.build_limits(&plan.limits),
            supervisor: self.supervisor,
            stop: &self.interrupt.stop_pipe(),
        };
        let entry = match keep_bot(home, &entry, &builder)? {
            Ok(entry) => entry,
            Err(broken) => return Ok(Err(broken)),
        };
        let random = HouseBot::Random.name();
        let opponent = match unfit_house_bot(plan.games[0].game(), random) {
            None => Some(Launch {
                program: self.supervisor.program.clone(),
                args: ["bot", random].map(str::to_owned).to_vec(),
                ..Launch::default()
            }),
            Some(_) => other.map(|_| plan.players[1].launch.clone()),
        };
        Ok(Ok((plan, entry, opponent)))
    }

    fn check(
        &self,
        plan: &Plan,
        entry: &Entry,
        opponent: Launch,
    ) -> Result<crate::check::Report, GradeError> {
        let (host, _) = Host::new(&Demands::of(plan), self.supervisor.clone(), self.options)?;
        let limits = plan.limits_of(0);
        let checked = CheckPlan {
            game: plan.games[0].clone(),
            bot: entry.launch.clone(),
            language: entry.language.clone(),
            opponent,
            supervisor: self.supervisor.clone(),
            confinement: Confinement {
                isolation: host.isolation,
                ..limits.confinement()
            },
            time: plan.time_of(0).clone(),
            handshake: limits.handshake,
            start: limits.start,
            quit: limits.quit,
            games: 2 * plan.seats() as u32,
            seed: 0,
            cancel: Some(self.interrupt.stop_pipe()),
        };
        Ok(check(&checked, &mut |_| {})?)
    }
}

/// Removes the folder of a version, and the one of its bot if that has no other.
fn remove(home: &Path) -> Result<(), GradeError> {
    remove_folder(home)?;
    if let Some(bot) = home.parent() {
        // It fails where other versions are.
        let _ = fs::remove_dir(bot);
    }
    Ok(())
}

/// Why a bot without a folder must have one: its command names a file, which could change.
fn needs_folder(version: &Version) -> Option<String> {
    let words = version.player.get("command").and_then(Value::as_array);
    let words = words.into_iter().flatten().filter_map(Value::as_str);
    let file = words.enumerate().find(|(at, word)| {
        (*at > 0 || (word.contains('/') && !word.starts_with('/'))) && Path::new(word).is_file()
    });
    file.map(|(_, word)| {
        format!(
            "the command of `{}` names the file `{word}`: give its folder with --dir, which is copied, and paths in it",
            version.owner
        )
    })
}
