//! Makes a bot from a submission: unpacks and builds it, and keeps its folder as it was after the build.

use std::collections::BTreeMap;
use std::path::Path;
use std::{fs, io};

use serde::{Deserialize, Serialize};

use super::cause::{BrokenBot, Cause, telling_line_of_build};
use super::fitness::{CHECK, Fitness};
use super::kit::{KIT, Kit};
use super::missing_files::{archives, empty_submodules, unstartable, without_source};
use super::{Package, UNPACKED, short, undecided_folder, unpack_new};
use crate::bot::{
    BuildLimits, CancelPipe, Launch, Supervisor, TreeBounds, TreeProblem, build, open_to_owner,
    without_detours,
};
use crate::config::{Entry, OwnTerms, unfit_language};
use crate::grade::class::Candidate;
use crate::grade::config::{Grading, Program, SubmissionKind};
use crate::grade::error::GradeError;
use crate::grade::folder::GradeFolder;
use crate::grade::intake::{IntakeIssue, Unpacked, shown};
use crate::runs::{
    RunFileError, RunFileProblem, copy_folder, folder_digest, remove_folder, remove_if_there,
    sha256, write_bytes,
};
use crate::text::excerpt;

const BOT: &str = "bot";
const BUILT: &str = "built";

/// The file that marks the bot as complete; it is written last.
const BUILD: &str = "build.toml";

pub const BUILD_LOG: &str = "build.log";

const MOST_BUILT: TreeBounds = TreeBounds {
    entries: 100_000,
    bytes: 4 << 30,
    depth: 100,
    // The system takes 4096, with the path of the folder.
    path: 2000,
};

/// Exit codes of a course's adapter: several modules could be meant, or there is none.
const UNDECIDED: i32 = 3;
const NO_MODULE: i32 = 2;

/// Maximum characters of an adapter's remark: five names of 80, and what to do.
const LONGEST_REMARK: usize = 800;

#[derive(Debug, Clone)]
pub struct Prepared {
    /// Digest of the submission; empty if it could not be unpacked.
    pub digest: String,
    /// Digest of its program alone; empty likewise, and without one.
    pub program: String,
    pub bot: Result<Entry, BrokenBot>,
    pub notes: Vec<String>,
    pub fitness: Option<Fitness>,
}

impl Prepared {
    pub fn playable(&self) -> Result<&Entry, &BrokenBot> {
        let not_loaded = self.fitness.as_ref().and_then(|it| it.not_loaded.as_ref());
        self.bot
            .as_ref()
            .and_then(|bot| not_loaded.map_or(Ok(bot), Err))
    }

    pub fn cause(&self) -> Option<&Cause> {
        if let Err(broken) = self.playable() {
            return Some(&broken.cause);
        }
        let mut findings = self.fitness.iter().flat_map(|it| &it.findings);
        findings.find_map(|finding| finding.cause.as_ref())
    }
}

#[derive(Debug, Clone, Copy)]
pub struct Builder<'a> {
    pub limits: &'a BuildLimits,
    pub supervisor: &'a Supervisor,
    pub stop: &'a CancelPipe,
}

#[derive(Debug, Serialize, Deserialize)]
struct Made {
    from: String,
    /// Digest of the bot's folder; `None` if it is too large for one.
    folder: Option<String>,
    #[serde(default)]
    note: Option<String>,
}

/// Makes the bot of a candidate, or reuses the one made before. A failure of this candidate alone is no error.
pub fn prepare(
    grading: &Grading,
    folder: &GradeFolder,
    candidate: &Candidate,
    path: &Path,
    builder: &Builder<'_>,
) -> Result<Prepared, GradeError> {
    let program = &grading.submission.program;
    let unpacked = GradeError::apart(unpack_new(folder, candidate, path, program))?;
    let unpacked = unpacked.unwrap_or_else(|words| {
        let why = format!("what was handed in cannot be read here: {words}");
        Err(BrokenBot::unready(&why))
    });
    let unpacked = match unpacked {
        Ok(unpacked) => unpacked,
        Err(broken) => {
            return Ok(Prepared {
                digest: String::new(),
                program: String::new(),
                bot: Err(broken),
                notes: Vec::new(),
                fitness: None,
            });
        }
    };
    let digest = short(&unpacked);
    let bot = make_bot(grading, folder, candidate, &unpacked, builder);
    let bot = GradeError::apart(bot)?.unwrap_or_else(|words| {
        let why = format!("it cannot be made ready here: {words}");
        Err(BrokenBot::unready(&why))
    });
    let (bot, note) = match bot {
        Ok((bot, note)) => (Ok(bot), note),
        Err(mut broken) => {
            let files = folder.student(&candidate.key, &digest).join(UNPACKED);
            let empty = empty_submodules(&files);
            if !empty.is_empty() && !broken.is_held() {
                broken.why += &format!(
                    "; without the files of the git submodules {}: hand them in too",
                    empty.join(", ")
                );
            }
            (Err(broken), None)
        }
    };
    let program = match &bot {
        Err(broken) if !broken.cause.is_of_program() => String::new(),
        _ => unpacked.program,
    };
    Ok(Prepared {
        digest,
        program,
        bot,
        notes: unpacked.notes.into_iter().chain(note).collect(),
        fitness: None,
    })
}

fn make_bot(
    grading: &Grading,
    folder: &GradeFolder,
    candidate: &Candidate,
    unpacked: &Unpacked,
    builder: &Builder<'_>,
) -> Result<Result<(Entry, Option<String>), BrokenBot>, GradeError> {
    if let Some(why) = &unpacked.undecided {
        return Ok(Err(undecided_folder(why)));
    }
    let kind = &grading.submission;
    let home = folder.student(&candidate.key, &short(unpacked));
    let by_default = match &kind.program {
        Program::Package { module, .. } => module.as_deref(),
        Program::Command { .. } | Program::Kit => None,
    };
    let package = match Package::of(candidate, unpacked, &home.join(UNPACKED), by_default) {
        Ok(package) => package,
        Err(why) => return Ok(Err(undecided(&why))),
    };
    let (entry, command, kit) = match entry(grading, &home, &candidate.key, &package) {
        Ok(made) => made,
        Err(broken) => return Ok(Err(broken)),
    };
    let (dir, note_of_kit) = kit.map(|kit| (kit.dir, kit.note)).unwrap_or_default();
    let fill = &|bot: &Path| fill(kind, &home.join(UNPACKED).join(&dir), bot, &package.folder);
    let from = made_from(kind, &package)?;
    let made = make(&home, fill, from, command, builder)?;
    Ok(made.and_then(|note| match unstartable(&entry.launch) {
        None => Ok((entry, note.or(note_of_kit))),
        Some(mut broken) => {
            let place = Path::new(unpacked.top.as_deref().unwrap_or("")).join(dir);
            if matches!(kind.program, Program::Kit) && place != Path::new("") {
                let place = shown(place.to_string_lossy().trim_end_matches('/'));
                broken.why += &format!("; names in its `{KIT}` start in the folder `{place}`");
            }
            Err(broken)
        }
    }))
}

fn undecided(why: &str) -> BrokenBot {
    let why = format!(
        "it is not decided which module plays: {why}; name it in the column `module` of the roster"
    );
    BrokenBot::new(why, Cause::Undecided)
}

enum Making {
    /// None: the folder is complete.
    Done,
    Build(Launch),
    /// No build, but the course's adapter has to find the module that plays.
    Find {
        command: Launch,
        is_named: bool,
    },
}

/// Makes a reference bot in a folder of its own, or reuses the one made before: all students meet the same bot,
/// even if the original changes, and a note says so.
pub fn keep_reference(
    folder: &GradeFolder,
    reference: &Entry,
    builder: &Builder<'_>,
) -> Result<(Entry, Option<IntakeIssue>), GradeError> {
    let home = folder.references().join(&reference.name);
    let kept = keep_bot(&home, reference, builder)?;
    let kept = kept.map_err(|broken| GradeError::reference(&reference.name, &broken.why))?;
    let made = read_made(&home)?.filter(|made| made.from != original(reference));
    let note = made.map(|_| {
        let text = format!(
            "its folder or `build` has changed since the first grading, which kept a copy: students still meet the copy. \
             To play against the reference of now, remove {}, and all its games are played again",
            home.display()
        );
        IntakeIssue::note(format!("reference {}", reference.name), text)
    });
    Ok((kept, note))
}

/// A digest of the folder of a reference, and the command that builds it.
fn original(reference: &Entry) -> String {
    let digest = reference.launch.dir.as_deref().and_then(folder_digest);
    let build = reference.build.as_ref().map(|it| (&it.program, &it.args));
    format!("{} {build:?}", digest.unwrap_or_default())
}

/// Copies the folder of a bot to `home` and builds it there, or reuses the one made before. A bot without a folder stays
/// as it is.
pub fn keep_bot(
    home: &Path,
    reference: &Entry,
    builder: &Builder<'_>,
) -> Result<Result<Entry, BrokenBot>, GradeError> {
    let Some(dir) = &reference.launch.dir else {
        return Ok(Ok(reference.clone()));
    };
    fs::create_dir_all(home).map_err(RunFileError::at(home, RunFileProblem::Make))?;
    let moved = |launch: &Launch| Launch {
        dir: Some(home.join(BOT)),
        program: from(dir, &launch.program.to_string_lossy()).into(),
        args: launch.args.iter().map(|word| from(dir, word)).collect(),
        ..launch.clone()
    };
    let fill = &|bot: &Path| Ok(copy_folder(dir, bot)?);
    let build = reference.build.as_ref().map(moved);
    let command = build.map_or(Making::Done, Making::Build);
    let made = read_made(home)?.map(|made| made.from);
    let from = made.unwrap_or_else(|| original(reference));
    let made = make(home, fill, from, command, builder)?;
    let entry = Entry {
        launch: moved(&reference.launch),
        build: None,
        ..reference.clone()
    };
    Ok(made.and_then(|_| unstartable(&entry.launch).map_or(Ok(entry), Err)))
}

/// A word of a reference's command for a copy of its folder: a path that leads out of the folder is made absolute.
fn from(dir: &Path, word: &str) -> String {
    let path = dir.join(word);
    let leads_out = Path::new(word).starts_with("..") && path.exists();
    let absolute = std::path::absolute(path).map(|it| without_detours(&it));
    match absolute {
        Ok(path) if leads_out => path.to_string_lossy().into_owned(),
        _ => word.to_owned(),
    }
}

/// Restores the folder of a bot from the copy after its build, if the bot changed it. Returns whether it did.
pub fn restore(entry: &Entry) -> Result<bool, GradeError> {
    let Some(bot) = &entry.launch.dir else {
        return Ok(false);
    };
    let home = bot.parent().unwrap_or(bot);
    let as_built = read_made(home)?.and_then(|made| made.folder);
    if as_built.is_some() && as_built == folder_digest(bot) {
        return Ok(false);
    }
    remove_folder(bot)?;
    copy_folder(&home.join(BUILT), bot)?;
    Ok(true)
}

fn entry(
    grading: &Grading,
    home: &Path,
    key: &str,
    package: &Package,
) -> Result<(Entry, Making, Option<Kit>), BrokenBot> {
    let kind = &grading.submission;
    let dir = home.join(BOT);
    let launch = |command: &[String], env: &[(String, String)]| match command {
        [program, args @ ..] => Ok(Launch {
            program: program.into(),
            args: args.to_vec(),
            dir: Some(dir.clone()),
            env: env.to_vec(),
            course_files: grading.course_files.clone(),
            submitted: !matches!(kind.program, Program::Command { .. }),
        }),
        [] => Err(BrokenBot::new(
            "its `command` is empty: expected a program and its arguments".to_owned(),
            Cause::Program("its `command` is empty".to_owned()),
        )),
    };
    let (launch, build, fresh_process, kit) = match &kind.program {
        Program::Command { command, build } => {
            let build = build.as_ref().map(|build| launch(build, &kind.env));
            (
                launch(command, &kind.env)?,
                build.transpose()?.map_or(Making::Done, Making::Build),
                kind.fresh_process,
                None,
            )
        }
        Program::Kit => {
            let kit = Kit::read(&home.join(UNPACKED))?;
            let mut env = kind.env.clone();
            env.extend(kit.env.clone());
            let build = kit.build.as_ref().map(|build| launch(build, &env));
            (
                launch(&kit.command, &env)?,
                build.transpose()?.map_or(Making::Done, Making::Build),
                kit.fresh_process,
                Some(kit),
            )
        }
        Program::Package {
            course,
            adapter,
            python,
            ..
        } => {
            let name = adapter.file_name().unwrap_or_default().to_string_lossy();
            let mut command = [python, &*name, course].map(str::to_owned).to_vec();
            command.extend(package.arguments.iter().cloned());
            let play = launch(&command, &kind.env)?;
            command.push("--find".to_owned());
            let find = Making::Find {
                command: launch(&command, &kind.env)?,
                is_named: package.is_named,
            };
            (play, find, true, None)
        }
    };
    let language = kit.as_ref().map(|kit| kit.language.clone());
    let language = language.unwrap_or_default();
    let games = grading.tests.iter().map(|it| (&it.game, &it.time));
    let mut games = games.chain([(&grading.game, &grading.time)]);
    if let Some(why) = games.find_map(|(game, time)| unfit_language(game.game(), &language, time)) {
        return Err(BrokenBot::new(why.clone(), Cause::Kit(why)));
    }
    let entry = Entry {
        name: key.to_owned(),
        display_name: None,
        house: None,
        launch,
        build: None,
        language,
        fresh_process,
        terms: OwnTerms::default(),
        variant: BTreeMap::new(),
    };
    Ok((entry, build, kit))
}

fn made_from(kind: &SubmissionKind, package: &Package) -> Result<String, GradeError> {
    Ok(match &kind.program {
        Program::Command { build: None, .. } => String::new(),
        Program::Command { build, .. } => format!("{build:?} {:?}", kind.env),
        Program::Kit => format!("{:?}", kind.env),
        Program::Package {
            adapter, python, ..
        } => format!("{python} {} {:?}", sha256(adapter)?, package.arguments),
    })
}

/// Fills the folder of a bot and builds it there, unless it was made from equal inputs before. A failed build
/// is repeated, because the machine may have been at fault. Returns what the making told.
fn make(
    home: &Path,
    fill: &dyn Fn(&Path) -> Result<(), GradeError>,
    from: String,
    command: Making,
    builder: &Builder<'_>,
) -> Result<Result<Option<String>, BrokenBot>, GradeError> {
    if let Some(made) = read_made(home)?.filter(|made| made.from == from) {
        return Ok(Ok(made.note));
    }
    let (bot, built) = (home.join(BOT), home.join(BUILT));
    // The check of an earlier bot does not apply to this one.
    for file in [BUILD, CHECK] {
        remove_if_there(&home.join(file))?;
    }
    remove_folder(&bot)?;
    remove_folder(&built)?;
    fill(&bot)?;
    let note = match run_making(home, command, builder)? {
        Ok(note) => note,
        Err(broken) => return Ok(Err(broken)),
    };
    if let Err(broken) = keep(&bot, &built)? {
        return Ok(Err(broken));
    }
    let folder = folder_digest(&bot);
    let made = Made {
        from,
        folder,
        note: note.clone(),
    };
    let text = toml::to_string(&made).unwrap_or_default();
    write_bytes(&home.join(BUILD), text)?;
    Ok(Ok(note))
}

fn run_making(
    home: &Path,
    command: Making,
    builder: &Builder<'_>,
) -> Result<Result<Option<String>, BrokenBot>, GradeError> {
    let made = match command {
        Making::Done => Ok(None),
        Making::Find { command, is_named } => found_module(&command, is_named, builder),
        Making::Build(command) => {
            let broken = builder.run(&command, &home.join(BUILD_LOG))?;
            broken.map_or(Ok(None), Err)
        }
    };
    if builder.stop.is_cancelled() {
        return Err(GradeError::Stopped);
    }
    Ok(made)
}

/// Copies the folder of a bot after the build. The build may have left anything there, so permissions and size
/// are checked first.
fn keep(bot: &Path, built: &Path) -> Result<Result<(), BrokenBot>, GradeError> {
    match open_to_owner(bot, MOST_BUILT) {
        Ok(()) => Ok(Ok(copy_folder(bot, built)?)),
        Err(TreeProblem::Io { path, source }) => {
            Err(RunFileError::at(&path, RunFileProblem::Read)(source).into())
        }
        Err(large) => {
            let why = format!("after its build, {large}");
            Ok(Err(BrokenBot::new(why, Cause::Build(large.to_string()))))
        }
    }
}

impl Builder<'_> {
    fn run(&self, command: &Launch, log: &Path) -> Result<Option<BrokenBot>, GradeError> {
        let run = || build(command, self.limits, self.supervisor, Some(self.stop));
        // Retry once: the machine may have been short of a resource for a moment.
        let ended = run().or_else(|_| run()).map_err(GradeError::Build)?;
        let text = ended.log.text();
        write_bytes(log, &text)?;
        let Err(error) = ended.result else {
            return Ok(None);
        };
        let line = telling_line_of_build(&String::from_utf8_lossy(&text));
        let broken = || BrokenBot::new(format!("it cannot be built: {error}"), Cause::Build(line));
        Ok(Some(without_source(command).unwrap_or_else(broken)))
    }
}

/// Looks for the module of a package with the course's adapter: a remark on others that could play, or the reason why
/// none plays.
fn found_module(
    find: &Launch,
    is_named: bool,
    builder: &Builder<'_>,
) -> Result<Option<String>, BrokenBot> {
    let ended = build(find, builder.limits, builder.supervisor, Some(builder.stop));
    // Other failures show in the bot's check, with more detail.
    let Ok(ended) = ended else {
        return Ok(None);
    };
    // The adapter runs nothing of the submission, so its words are its own.
    let text = ended.log.text();
    let text = String::from_utf8_lossy(&text);
    let lines: Vec<&str> = text.lines().filter(|it| !it.trim().is_empty()).collect();
    let last = excerpt(lines.last().unwrap_or(&""), LONGEST_REMARK);
    match ended.result.map_err(|error| error.exit_code()) {
        Ok(()) => Ok((lines.len() > 1).then_some(last)),
        Err(Some(NO_MODULE)) if !is_named => {
            let archives = find.dir.as_deref().map(archives).unwrap_or_default();
            let mut why = format!("it has no module that plays: {last}");
            if !archives.is_empty() {
                let archives = archives.join(", ");
                why.push_str(&format!(
                    "; archives beside other files stay packed: {archives}"
                ));
            }
            Err(BrokenBot::new(why, Cause::NoModule))
        }
        Err(Some(NO_MODULE | UNDECIDED)) => Err(undecided(&last)),
        Err(_) => Ok(None),
    }
}

fn fill(kind: &SubmissionKind, from: &Path, bot: &Path, package: &str) -> Result<(), GradeError> {
    match &kind.program {
        Program::Package { adapter, .. } => {
            fs::create_dir_all(bot).map_err(RunFileError::at(bot, RunFileProblem::Make))?;
            copy_folder(from, &bot.join(package))?;
            let name = adapter.file_name().unwrap_or_default();
            fs::copy(adapter, bot.join(name))
                .map_err(RunFileError::at(adapter, RunFileProblem::Read))?;
        }
        Program::Command { .. } | Program::Kit => copy_folder(from, bot)?,
    }
    Ok(())
}

fn read_made(home: &Path) -> Result<Option<Made>, GradeError> {
    let path = home.join(BUILD);
    match fs::read_to_string(&path) {
        Ok(text) => Ok(toml::from_str(&text).ok()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(RunFileError::at(&path, RunFileProblem::Read)(error).into()),
    }
}
