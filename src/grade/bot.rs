//! From a submission to a bot that can be played: unpacked, built, and kept as it was after the build.

use std::fs;
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::cause::{Broken, Cause, telling_line_of_build};
use super::config::{Program, SubmissionKind};
use super::fitness::CHECK;
use super::folder::GradeFolder;
use super::kit::Kit;
use super::missing::{unstartable, without_source};
use super::module::Package;
use super::{Candidate, GradeError, Grading, UnpackError, UnpackLimits, unpack};
use crate::config::{Entry, OwnTerms};
use crate::player::{BuildLimits, CancelPipe, Launch, Supervisor, build};
use crate::record::{
    RecordError, RecordProblem, folder_digest, make_parent, remove_folder, remove_if_there, sha256,
    write_whole,
};
use crate::shards::copy_folder;

/// The folder of a submission as it was handed in, the one in which its bot runs, and that one as it was after
/// the build.
const UNPACKED: &str = "unpacked";
const BOT: &str = "bot";
const BUILT: &str = "built";

/// The file that says how the build ended, written last.
const BUILD: &str = "build.toml";

/// What the build wrote.
pub(super) const BUILD_LOG: &str = "build.log";

/// With this exit code the adapter of a course says that several modules could be meant, and with this one that there
/// is none.
const UNDECIDED: i32 = 3;
const NO_MODULE: i32 = 2;

/// What became of a submission.
#[derive(Debug, Clone)]
pub struct Prepared {
    /// The digest of what was handed in; empty if it could not be unpacked.
    pub digest: String,
    /// The bot, or why there is none.
    pub bot: Result<Entry, Broken>,
}

/// The conditions under which bots are built.
#[derive(Debug, Clone, Copy)]
pub struct Builder<'a> {
    /// Limits of a build.
    pub limits: &'a BuildLimits,
    /// The program that supervises them.
    pub supervisor: &'a Supervisor,
    /// Breaks them off.
    pub stop: &'a CancelPipe,
}

/// How the build of a bot ended.
#[derive(Debug, Serialize, Deserialize)]
struct BuildEnd {
    /// The other inputs that it was made from.
    from: String,
    /// The digest of the bot's folder after it.
    folder: String,
    /// Why there is no program.
    problem: Option<Broken>,
}

/// Makes the bot of a candidate who handed something in, or finds it as it was made before.
///
/// # Errors
/// The folder of the grading cannot be written, or the build cannot be run.
pub fn prepare(
    grading: &Grading,
    folder: &GradeFolder,
    candidate: &Candidate,
    path: &Path,
    builder: &Builder<'_>,
) -> Result<Prepared, GradeError> {
    let kind = &grading.submission;
    let new = folder.student(&candidate.key, "new").join(UNPACKED);
    remove_folder(&new)?;
    make_parent(&new)?;
    let unpacked = match unpack(path, &new, &UnpackLimits::default()) {
        Ok(unpacked) => unpacked,
        Err(problem @ UnpackError::Disk { .. }) => return Err(problem.into()),
        Err(UnpackError::Refused(problem)) => {
            return Ok(Prepared {
                digest: String::new(),
                bot: Err(Broken {
                    why: format!("what was handed in cannot be unpacked: {problem}"),
                    cause: Cause::Unpacking(problem.flaw.to_string()),
                }),
            });
        }
    };
    let digest: String = unpacked.digest.chars().take(16).collect();
    let home = folder.student(&candidate.key, &digest);
    if home.join(UNPACKED).exists() {
        remove_folder(&new)?;
    } else {
        make_parent(&home.join(UNPACKED))?;
        fs::rename(&new, home.join(UNPACKED))
            .map_err(RecordError::at(&home, RecordProblem::Write))?;
    }
    let by_default = match &kind.program {
        Program::Package { module, .. } => module.as_deref(),
        Program::Command { .. } | Program::Kit => None,
    };
    let package = match Package::of(candidate, &unpacked, &home.join(UNPACKED), by_default) {
        Ok(package) => package,
        Err(why) => {
            return Ok(Prepared {
                digest,
                bot: Err(undecided(&why)),
            });
        }
    };
    let bot = match entry(grading, &home, &candidate.key, &package) {
        Err(broken) => Err(broken),
        Ok((entry, command)) => {
            let fill = &|bot: &Path| fill(kind, &home, bot, &package.folder);
            let from = made_from(kind, &package)?;
            let key = &candidate.key;
            let made = make(&home, key, fill, from, command, builder)?;
            made.and_then(|()| match unstartable(&entry.launch) {
                None => Ok(entry),
                Some(broken) => Err(broken),
            })
        }
    };
    Ok(Prepared { digest, bot })
}

fn undecided(why: &str) -> Broken {
    Broken {
        why: format!(
            "it is not decided which module plays: {why}; name it in the column `module` of the roster"
        ),
        cause: Cause::Undecided,
    }
}

/// What makes a bot of a folder.
enum Making {
    /// Nothing: it is one.
    Done,
    /// A build.
    Build(Launch),
    /// Nothing, once the adapter of its course finds the module that plays.
    Find {
        command: Launch,
        /// Whether somebody named it.
        is_named: bool,
    },
}

/// Makes a bot that students meet in a folder of its own, or finds it as it was made before: whatever becomes of
/// the original, all students meet the same.
///
/// # Errors
/// The folder of the grading cannot be written, or the bot cannot be built.
pub fn keep_reference(
    folder: &GradeFolder,
    reference: &Entry,
    builder: &Builder<'_>,
) -> Result<Entry, GradeError> {
    let Some(dir) = &reference.launch.dir else {
        return Ok(reference.clone());
    };
    let home = folder.references().join(&reference.name);
    fs::create_dir_all(&home).map_err(RecordError::at(&home, RecordProblem::Make))?;
    let moved = |launch: &Launch| Launch {
        dir: Some(home.join(BOT)),
        ..launch.clone()
    };
    let fill = &|bot: &Path| Ok(copy_folder(dir, bot)?);
    let build = reference.build.as_ref().map(moved);
    let command = build.map_or(Making::Done, Making::Build);
    let (name, from) = (&reference.name, String::new());
    let made = make(&home, name, fill, from, command, builder)?;
    made.map_err(|broken| GradeError::Reference {
        name: reference.name.clone(),
        problem: broken.why,
    })?;
    Ok(Entry {
        launch: moved(&reference.launch),
        build: None,
        ..reference.clone()
    })
}

/// Puts the folder of a bot back as it was after its build, where its bot changed it. Gives whether it did.
///
/// # Errors
/// The folder cannot be written.
pub fn restore(entry: &Entry) -> Result<bool, GradeError> {
    let Some(bot) = &entry.launch.dir else {
        return Ok(false);
    };
    let home = bot.parent().unwrap_or(bot);
    let end = read_end(home)?;
    if end.is_some_and(|end| end.folder == digest_of(bot)) {
        return Ok(false);
    }
    remove_folder(bot)?;
    copy_folder(&home.join(BUILT), bot)?;
    Ok(true)
}

/// The player that a submission is, and the command that builds it.
fn entry(
    grading: &Grading,
    home: &Path,
    key: &str,
    package: &Package,
) -> Result<(Entry, Making), Broken> {
    let kind = &grading.submission;
    let dir = home.join(BOT);
    let launch = |command: &[String], env: &[(String, String)]| match command {
        [program, args @ ..] => Ok(Launch {
            program: program.into(),
            args: args.to_vec(),
            dir: Some(dir.clone()),
            env: env.to_vec(),
            course_files: grading.course_files.clone(),
        }),
        [] => Err(Broken {
            why: "its `command` is empty: expected a program and its arguments".to_owned(),
            cause: Cause::Program("its `command` is empty".to_owned()),
        }),
    };
    let (launch, build, fresh_process) = match &kind.program {
        Program::Command { command, build } => {
            let build = build.as_ref().map(|build| launch(build, &kind.env));
            (
                launch(command, &kind.env)?,
                build.transpose()?.map_or(Making::Done, Making::Build),
                kind.fresh_process,
            )
        }
        Program::Kit => {
            let kit = Kit::read(&home.join(UNPACKED))?;
            let mut env = kind.env.clone();
            env.extend(kit.env);
            let build = kit.build.map(|build| launch(&build, &env));
            (
                launch(&kit.command, &env)?,
                build.transpose()?.map_or(Making::Done, Making::Build),
                kit.fresh_process,
            )
        }
        Program::Package {
            course, adapter, ..
        } => {
            let name = adapter.file_name().unwrap_or_default().to_string_lossy();
            let mut command = ["python3", &name, course].map(str::to_owned).to_vec();
            command.extend(package.arguments.iter().cloned());
            let play = launch(&command, &kind.env)?;
            command.push("--find".to_owned());
            let find = Making::Find {
                command: launch(&command, &kind.env)?,
                is_named: package.is_named,
            };
            (play, find, true)
        }
    };
    let entry = Entry {
        name: key.to_owned(),
        display_name: None,
        house: None,
        launch,
        build: None,
        fresh_process,
        terms: OwnTerms::default(),
        variant: None,
    };
    Ok((entry, build))
}

/// The inputs of a bot besides the submission and the machine.
fn made_from(kind: &SubmissionKind, package: &Package) -> Result<String, GradeError> {
    Ok(match &kind.program {
        Program::Command { build: None, .. } => String::new(),
        Program::Command { build, .. } => format!("{build:?} {:?}", kind.env),
        Program::Kit => format!("{:?}", kind.env),
        Program::Package { adapter, .. } => format!("{} {:?}", sha256(adapter)?, package.arguments),
    })
}

/// Makes the folder of a bot, and builds it there, unless that was done before from the same. A build that failed is
/// done again: it may have been the machine's fault, which somebody mended.
fn make(
    home: &Path,
    key: &str,
    fill: &dyn Fn(&Path) -> Result<(), GradeError>,
    from: String,
    command: Making,
    builder: &Builder<'_>,
) -> Result<Result<(), Broken>, GradeError> {
    let ended = match read_end(home)? {
        Some(ended) if ended.problem.is_none() && ended.from == from => ended,
        _ => {
            let ended = build_anew(home, key, fill, from, command, builder)?;
            let text = toml::to_string(&ended).unwrap_or_default();
            write_whole(&home.join(BUILD), &mut |file| {
                file.write_all(text.as_bytes())
            })?;
            ended
        }
    };
    Ok(match ended.problem {
        None => Ok(()),
        Some(broken) => Err(broken),
    })
}

fn build_anew(
    home: &Path,
    key: &str,
    fill: &dyn Fn(&Path) -> Result<(), GradeError>,
    from: String,
    command: Making,
    builder: &Builder<'_>,
) -> Result<BuildEnd, GradeError> {
    let (bot, built) = (home.join(BOT), home.join(BUILT));
    remove_folder(&bot)?;
    remove_folder(&built)?;
    // The check of the earlier bot does not hold for this one.
    remove_if_there(&home.join(CHECK))?;
    fill(&bot)?;
    let problem = match command {
        Making::Done => None,
        Making::Find { command, is_named } => module_problem(&command, is_named, builder),
        Making::Build(command) => builder.run(key, &command, &home.join(BUILD_LOG))?,
    };
    if builder.stop.is_cancelled() {
        return Err(GradeError::Stopped);
    }
    copy_folder(&bot, &built)?;
    Ok(BuildEnd {
        from,
        folder: digest_of(&bot),
        problem,
    })
}

impl Builder<'_> {
    /// Runs a build, and keeps what it wrote. Gives why there is no program.
    fn run(&self, key: &str, command: &Launch, log: &Path) -> Result<Option<Broken>, GradeError> {
        let run = || build(command, self.limits, Some(self.supervisor), Some(self.stop));
        // The machine may have been short of something for a moment.
        let ended = run().or_else(|_| run());
        let ended = ended.map_err(|problem| GradeError::Build {
            key: key.to_owned(),
            problem,
        })?;
        let text = ended.log.text();
        write_whole(log, &mut |file| file.write_all(&text))?;
        let Err(error) = ended.result else {
            return Ok(None);
        };
        let line = telling_line_of_build(&String::from_utf8_lossy(&text));
        Ok(Some(without_source(command).unwrap_or_else(|| Broken {
            why: format!("it cannot be built: {error}"),
            cause: Cause::Build(line),
        })))
    }
}

/// Why no module of a package plays, as the adapter of its course tells.
fn module_problem(find: &Launch, is_named: bool, builder: &Builder<'_>) -> Option<Broken> {
    let ended = build(
        find,
        builder.limits,
        Some(builder.supervisor),
        Some(builder.stop),
    );
    let error = ended.ok()?.result.err()?;
    match error.exit_code() {
        Some(NO_MODULE) if !is_named => Some(Broken {
            why: format!("it has no module that plays: {}", error.output()),
            cause: Cause::NoModule,
        }),
        Some(NO_MODULE | UNDECIDED) => Some(undecided(error.output())),
        // Its check will tell more.
        _ => None,
    }
}

/// Fills the folder in which a submission's bot runs.
fn fill(kind: &SubmissionKind, home: &Path, bot: &Path, package: &str) -> Result<(), GradeError> {
    let unpacked = home.join(UNPACKED);
    match &kind.program {
        Program::Package { adapter, .. } => {
            fs::create_dir_all(bot).map_err(RecordError::at(bot, RecordProblem::Make))?;
            copy_folder(&unpacked, &bot.join(package))?;
            let name = adapter.file_name().unwrap_or_default();
            fs::copy(adapter, bot.join(name))
                .map_err(RecordError::at(adapter, RecordProblem::Read))?;
        }
        Program::Command { .. } | Program::Kit => copy_folder(&unpacked, bot)?,
    }
    Ok(())
}

fn read_end(home: &Path) -> Result<Option<BuildEnd>, GradeError> {
    let path = home.join(BUILD);
    match fs::read_to_string(&path) {
        Ok(text) => Ok(toml::from_str(&text).ok()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(RecordError::at(&path, RecordProblem::Read)(error).into()),
    }
}

/// The digest of a bot's folder; of one that is too large the same for all.
fn digest_of(bot: &Path) -> String {
    folder_digest(bot).unwrap_or_else(|| "too large".to_owned())
}
