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
    Lock, RunFileError, RunFileProblem, folder_digest_without, remove_folder, remove_if_there, utc,
};
use crate::text::{self, is_hidden, look_alike};

/// A bot as it is handed in.
#[derive(Debug, Clone)]
pub struct Handed {
    pub owner: String,
    /// The keys of its `[[player]]`, but for `name` and `dir`.
    pub player: Table,
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
        let options = kit.language.options();
        if kit.language.engine().is_some() || !options.is_empty() {
            player.insert("speaks".to_owned(), kit.language.name().into());
            let options = options.iter().cloned();
            let options: Table = options.map(|(name, value)| (name, value.into())).collect();
            player.insert("options".to_owned(), options.into());
        }
        Ok(Self {
            owner: owner.to_owned(),
            player,
            dir: Some(dir.join(kit.dir)),
            submitted: true,
        })
    }
}

/// A bot that is in the league.
#[derive(Debug)]
pub struct Added {
    pub version: Version,
    pub notes: Vec<String>,
    /// The bots of others with its files and its command, which its owner is not told.
    pub equal: Vec<String>,
}

#[derive(Debug)]
pub enum Refused {
    /// It cannot be made ready.
    Broken(String),
    /// Its check failed: the findings that say why.
    Unfit(Vec<Finding>),
}

impl Refused {
    /// Its words, with `.` for the folder of the bot: its path on this machine concerns no owner.
    fn without_path(mut self, dir: &Path) -> Self {
        let dir = dir.display().to_string();
        let hide = |text: &mut String| *text = text.replace(&dir, ".");
        match &mut self {
            Self::Broken(why) => hide(why),
            Self::Unfit(findings) => {
                for finding in findings {
                    hide(&mut finding.words);
                    finding.hint.iter_mut().for_each(hide);
                    finding.last_lines.iter_mut().for_each(hide);
                }
            }
        }
        self
    }
}

/// The longest name of a bot: folders and players have it.
const LONGEST: usize = 60;

/// Checks the name of a bot: of folders, where a `-` in front would look like an option, and of players, who are found by
/// its normal form. A stranger's bot does not look like a house bot.
pub fn check_name(name: &str, submitted: bool) -> Result<(), GradeError> {
    let is_letter = |c: char| c.is_alphanumeric() && !is_hidden(c);
    let is_good = name.starts_with(is_letter)
        && name.chars().all(|c| is_letter(c) || "-_+".contains(c))
        && name.len() <= LONGEST
        && text::name(name) == name;
    let is_house = |name| HouseBot::ALL.iter().any(|bot| look_alike(bot.name(), name));
    match is_good {
        true if submitted && is_house(name) => Err(GradeError::Usage(format!(
            "`{name}` cannot be the name of a bot that is handed in: a house bot is called so; take another one"
        ))),
        true => Ok(()),
        false => Err(GradeError::Usage(format!(
            "`{}` cannot be the name of a bot: expected a letter or digit, and at most {LONGEST} letters, digits, `-`, \
             `_` and `+`",
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
        check_name(&handed.owner, handed.submitted)?;
        let league = self.league;
        let dir = handed.dir.take();
        let mut version = self.new_version(handed, state)?;
        if dir.is_none() {
            needs_folder(&version)?;
        }
        let home = league.home(&version);
        fs::create_dir_all(&home).map_err(RunFileError::at(&home, RunFileProblem::Make))?;
        let _lock = Lock::take(&home)?;
        let roster = league.roster()?;
        let is_it = |it: &Version| it.version == version.version;
        if roster.of(&version.owner).any(is_it) {
            return Err(GradeError::Usage(format!(
                "version {} of {} came while this one waited: give the command again",
                version.version, version.owner
            )));
        }
        let kept = home.canonicalize();
        let kept = kept.map_err(RunFileError::at(&home, RunFileProblem::Read))?;
        // A process that was killed may have left a part of it.
        remove_if_there(&home.join("build.toml"))?;
        let made = self.make(&version, dir, &home);
        if !matches!(made, Ok(Ok(_))) {
            remove(&home)?;
        }
        let (digest, mut notes) = match made? {
            Ok(made) => made,
            Err(refused) => return Ok(Err(refused.without_path(&kept.join("bot")))),
        };
        version.digest = digest;
        // It is built: its program is in its folder.
        version.player.remove("build");
        let entered = league.change(|roster| {
            let is_alike = |it: &&Version| {
                it.state != State::Removed
                    && !it.digest.is_empty()
                    && (&it.digest, &it.player) == (&version.digest, &version.player)
            };
            let newest = roster.of(&version.owner).next_back();
            if let Some(same) = newest.filter(|it| it.state == State::Active && is_alike(it)) {
                let same = same.shown_name();
                let why = format!("nothing is new: {same} has these files and this command");
                return Ok(Err(Refused::Broken(why)));
            }
            let mut equal = Vec::new();
            for other in roster.versions.iter().filter(is_alike) {
                match other.owner == version.owner {
                    true => &mut notes,
                    false => &mut equal,
                }
                .push(format!(
                    "it has the files and the command of {}",
                    other.shown_name()
                ));
            }
            if let Some(shown) = newest {
                version.shown.clone_from(&shown.shown);
            }
            roster.enter(version.clone());
            Ok(Ok(Added {
                version,
                notes,
                equal,
            }))
        })?;
        if entered.is_err() {
            remove(&home)?;
        }
        Ok(entered)
    }

    fn new_version(&self, handed: Handed, state: State) -> Result<Version, GradeError> {
        let roster = self.league.roster()?;
        roster.check_free(&handed.owner, &handed.owner)?;
        let before = roster.of(&handed.owner).map(|it| it.version).max();
        Ok(Version {
            shown: handed.owner.clone(),
            owner: handed.owner,
            version: before.unwrap_or(0) + 1,
            state,
            why: String::new(),
            added: utc(SystemTime::now()),
            digest: String::new(),
            submitted: handed.submitted,
            player: handed.player,
        })
    }

    /// Copies, builds and checks a bot under the terms of the league. Gives the digest of its files, and remarks.
    fn make(
        &self,
        version: &Version,
        dir: Option<PathBuf>,
        home: &Path,
    ) -> Result<Result<(String, Vec<String>), Refused>, GradeError> {
        let terms = self.league.terms()?;
        let absolute = |dir: &Path| std::path::absolute(dir).unwrap_or_else(|_| dir.to_owned());
        let text = |dir: &Path| absolute(dir).display().to_string();
        // Where a bot sees its own folder alone, it needs one.
        let empty = home.join("empty");
        let dir = dir.or_else(|| (!version.player.contains_key("house")).then(|| empty.clone()));
        if dir.as_ref() == Some(&empty) {
            fs::create_dir_all(&empty).map_err(RunFileError::at(&empty, RunFileProblem::Make))?;
        }
        let candidate = player(version, dir.as_deref().map(text));
        let roster = self.league.roster()?;
        let mut others = roster.active().filter(|it| it.owner != version.owner);
        let other = others.find(|it| !it.player.contains_key("speaks"));
        let second = other.map(|it| {
            let bot = self.league.home(it).join("bot");
            player(it, bot.exists().then(|| text(&bot)))
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
        let kept = keep_bot(home, &entry, &builder)?;
        remove_folder(&empty)?;
        let entry = match kept {
            Ok(entry) => entry,
            Err(broken) => return Ok(Err(Refused::Broken(broken.why))),
        };
        let random = HouseBot::Random.name();
        let opponent = match unfit_house_bot(plan.games[0].game(), random) {
            None => Some(Launch {
                program: self.supervisor.program.clone(),
                args: ["bot", random].map(str::to_owned).to_vec(),
                ..Launch::default()
            }),
            Some(_) => other.map(|it| Launch {
                submitted: it.submitted,
                ..plan.players[1].launch.clone()
            }),
        };
        let mut notes = Vec::new();
        let words =
            "it was not checked: the rules list no legal actions, and nobody else plays yet";
        match opponent {
            None => notes.push(words.to_owned()),
            Some(opponent) => {
                let report = self.check(&plan, &entry, opponent, &host)?;
                if let Some(busy) = &report.too_busy {
                    notes.push(format!("the check was cut short by a busy machine: {busy}"));
                }
                if report.verdict() == CheckVerdict::Failed {
                    let findings = report.findings.into_iter();
                    let failed = findings.filter(|it| it.verdict == CheckVerdict::Failed);
                    return Ok(Err(Refused::Unfit(failed.collect())));
                }
            }
        }
        // All that its kit.toml says but its name is in its entry.
        let digest = entry.launch.dir.as_deref();
        let digest = digest.and_then(|dir| folder_digest_without(dir, KIT));
        Ok(Ok((digest.unwrap_or_default(), notes)))
    }

    fn check(
        &self,
        plan: &Plan,
        entry: &Entry,
        opponent: Launch,
        host: &Host,
    ) -> Result<crate::check::Report, GradeError> {
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

/// A bot without a folder must have one if its command names a file, which could change.
fn needs_folder(version: &Version) -> Result<(), GradeError> {
    let words = version.player.get("command").and_then(Value::as_array);
    let words = words.into_iter().flatten().filter_map(Value::as_str);
    let file = words.enumerate().find(|(at, word)| {
        (*at > 0 || (word.contains('/') && !word.starts_with('/'))) && Path::new(word).is_file()
    });
    match file {
        None => Ok(()),
        Some((_, word)) => Err(GradeError::Usage(format!(
            "the command of `{}` names the file `{word}`: give its folder with --dir, which is copied, and paths in it",
            version.owner
        ))),
    }
}
