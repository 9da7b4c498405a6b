//! The new folder while it is filled: every name and every byte passes through here.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs::{self, DirBuilder, OpenOptions, Permissions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::name::{ENVIRONMENT, EntryName, is_document, is_left_out, is_of_environment, parts};
use super::{Flaw, Refusal, UnpackError, UnpackLimits, at, without_ending};
use crate::grade::intake::{listed, shown};
use crate::runs::hex;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unpacked {
    /// SHA-256 in hex over all files, sorted by name: name, executable bit and contents. It is independent of
    /// the packing.
    pub digest: String,
    /// Digest of the names and contents of all files but documents: it is equal for one program with different reports.
    pub program: String,
    /// Subfolder that became the new folder, if it is not the top. In some courses it is the name of a package.
    pub top: Option<String>,
    /// Differences from the submission as handed in, one sentence each, escaped for display.
    pub notes: Vec<String>,
    /// Candidates for the program's folder if it is ambiguous, escaped for display.
    pub undecided: Option<String>,
}

/// A new folder written through this type only. It never creates links, so a path below it stays below it.
#[derive(Debug)]
pub(super) struct Tree<'a> {
    root: PathBuf,
    limits: &'a UnpackLimits,
    /// All files and folders by lower-case path: some file systems ignore case.
    names: HashMap<String, Named>,
    files: Vec<Written>,
    bytes: u64,
    environments: BTreeSet<String>,
    left_out: BTreeSet<String>,
    /// Other differences, also of the archives around this one.
    pub notes: Vec<String>,
}

#[derive(Debug)]
struct Named {
    path: String,
    is_file: bool,
}

const SCRIPT: &[u8] = b"#!";

#[derive(Debug)]
struct Written {
    path: String,
    executable: bool,
    content: [u8; 32],
}

impl<'a> Tree<'a> {
    pub fn new(root: PathBuf, notes: Vec<String>, limits: &'a UnpackLimits) -> Self {
        Self {
            root,
            limits,
            names: HashMap::new(),
            files: Vec::new(),
            bytes: 0,
            environments: BTreeSet::new(),
            left_out: BTreeSet::new(),
            notes,
        }
    }

    /// Registers a virtual environment if this is the name of its marker file. Call it for all entries before
    /// [`Self::name`].
    pub fn find_environment(&mut self, name: &str) {
        if let [folders @ .., ENVIRONMENT] = &parts(name)[..] {
            self.environments.insert(folders.join("/"));
        }
    }

    /// Validated name of an entry; `None` if it is left out, which is recorded.
    pub fn name(&mut self, name: &str) -> Result<Option<EntryName>, Refusal> {
        let parts = parts(name);
        for (at, part) in parts.iter().enumerate() {
            let within = || parts[..at].join("/");
            let told = match () {
                () if part.starts_with("._") => "._*".to_owned(),
                () if is_left_out(part) => part.trim_end().to_owned(),
                () if !is_of_environment(part) || !self.environments.contains(&within()) => {
                    continue;
                }
                () if at == 0 => (*part).to_owned(),
                () => within(),
            };
            self.left_out.insert(told);
            return Ok(None);
        }
        EntryName::parse(name, self.limits).map(Some)
    }

    pub fn limits(&self) -> &'a UnpackLimits {
        self.limits
    }

    pub fn folder(&mut self, name: &EntryName) -> Result<(), UnpackError> {
        for path in name.paths() {
            self.enter(&path)?;
        }
        Ok(())
    }

    /// Writes a file and creates its parents. Returns its length. A read error is the author's fault, unless
    /// the system reports it for `source`.
    pub fn file(
        &mut self,
        name: &EntryName,
        executable: bool,
        content: &mut dyn Read,
        source: &Path,
    ) -> Result<u64, UnpackError> {
        let mut paths = name.paths();
        let Some(path) = paths.pop() else {
            return Err(Refusal::of(".", Flaw::FileAndFolder).into());
        };
        for folder in &paths {
            self.enter(folder)?;
        }
        if let Some(known) = self.known(&path)? {
            let flaw = if known.is_file {
                Flaw::Twice
            } else {
                Flaw::FileAndFolder
            };
            return Err(Refusal::of(&path, flaw).into());
        }
        self.add(&path, true)?;
        let target = self.root.join(&path);
        let file = OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(0o644)
            .open(&target);
        let mut file = file.map_err(at(&target))?;
        let written = self.copy(&path, content, source, &mut file, &target)?;
        let (content, length, is_script) = written;
        // Archives of Windows and downloads of course systems have no executable bits.
        let executable = executable || is_script;
        let mode = if executable { 0o755 } else { 0o644 };
        // Set the mode again: the umask of this process has removed bits.
        file.set_permissions(Permissions::from_mode(mode))
            .map_err(at(&target))?;
        self.files.push(Written {
            path,
            executable,
            content,
        });
        Ok(length)
    }

    /// Copies content within the bound on all files. Returns digest, length, and whether it begins as a script.
    fn copy(
        &mut self,
        path: &str,
        content: &mut dyn Read,
        source: &Path,
        file: &mut fs::File,
        target: &Path,
    ) -> Result<([u8; 32], u64, bool), UnpackError> {
        let mut hasher = Sha256::new();
        let mut buffer = vec![0; 1 << 16];
        let mut length = 0;
        let mut start: Vec<u8> = Vec::new();
        loop {
            let read = match content.read(&mut buffer) {
                Ok(0) => return Ok((hasher.finalize().into(), length, start == SCRIPT)),
                Ok(read) => &buffer[..read],
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) if error.raw_os_error().is_some() => return Err(at(source)(error)),
                Err(error) => {
                    return Err(Refusal::of(path, Flaw::DamagedMember(error.to_string())).into());
                }
            };
            self.bytes += read.len() as u64;
            if self.bytes > self.limits.bytes {
                return Err(Refusal::many_bytes(self.limits).into());
            }
            length += read.len() as u64;
            start.extend(read.iter().take(SCRIPT.len() - start.len()));
            hasher.update(read);
            file.write_all(read).map_err(at(target))?;
        }
    }

    fn enter(&mut self, path: &str) -> Result<(), UnpackError> {
        match self.known(path)? {
            Some(known) if known.is_file => Err(Refusal::of(path, Flaw::FileAndFolder).into()),
            Some(_) => Ok(()),
            None => {
                self.add(path, false)?;
                let target = self.root.join(path);
                DirBuilder::new()
                    .mode(0o755)
                    .create(&target)
                    .and_then(|()| fs::set_permissions(&target, Permissions::from_mode(0o755)))
                    .map_err(at(&target))
            }
        }
    }

    /// Entry of this path; an error if another differs only in case.
    fn known(&self, path: &str) -> Result<Option<&Named>, Refusal> {
        match self.names.get(&path.to_lowercase()) {
            Some(known) if known.path != path => {
                Err(Refusal::of(path, Flaw::CaseOnly(known.path.clone())))
            }
            known => Ok(known),
        }
    }

    fn add(&mut self, path: &str, is_file: bool) -> Result<(), Refusal> {
        if self.names.len() >= self.limits.files as usize {
            return Err(Refusal::many_files(self.limits));
        }
        let path = path.to_owned();
        self.names
            .insert(path.to_lowercase(), Named { path, is_file });
        Ok(())
    }

    /// The only file besides documents, if it is an archive and not the program.
    pub fn lone_archive(&self, program: &[String]) -> Option<PathBuf> {
        let mut files = self.files.iter().filter(|it| !is_document(&it.path));
        let name = &files.next()?.path;
        let is_program = program.iter().any(|it| name.ends_with(it));
        let is_alone = files.next().is_none() && !is_program;
        (is_alone && without_ending(name).is_some()).then(|| self.root.join(name))
    }

    /// The single folder at the top with all files, except hidden ones and files that may lie beside it.
    fn lone_folder(&self, may_lie_beside: fn(&str) -> bool) -> Option<&str> {
        let mut tops = self
            .files
            .iter()
            .filter(|file| !file.path.starts_with('.'))
            .filter_map(|file| match file.path.split_once('/') {
                None if may_lie_beside(&file.path) => None,
                folder => Some(folder.map(|(folder, _)| folder)),
            });
        let first = tops.next()??;
        tops.all(|top| top == Some(first)).then_some(first)
    }

    /// Folders with files of these names, with the first such file of each. The empty string is the top. Nothing
    /// hidden counts: editors keep copies there.
    fn places(&self, program: &[String]) -> BTreeMap<&str, &str> {
        let mut places = BTreeMap::new();
        for name in program {
            for file in &self.files {
                match file.path.strip_suffix(&**name) {
                    Some(folder) if folder.split('/').any(|it| it.starts_with('.')) => {}
                    Some(folder) if folder.is_empty() || folder.ends_with('/') => {
                        places.entry(folder).or_insert(&*file.path);
                    }
                    _ => {}
                }
            }
        }
        places
    }

    /// Folder that becomes the new folder, with a trailing `/`; the error lists the candidates.
    fn top(&self, program: &[String]) -> Result<String, String> {
        let places = self.places(program);
        let lone = if program.is_empty() {
            self.lone_folder(is_document)
        } else {
            self.lone_folder(|_| false)
        };
        match places.first_key_value() {
            None => Ok(lone.map_or_else(String::new, |lone| format!("{lone}/"))),
            Some((first, _)) if places.keys().all(|it| it.starts_with(first)) => {
                Ok((*first).to_owned())
            }
            Some(_) => {
                let names: BTreeSet<&str> = places
                    .iter()
                    .map(|(folder, file)| &file[folder.len()..])
                    .collect();
                let (names, found) = (listed(names.into_iter()), listed(places.into_values()));
                Err(format!("no {names} at the top; found {found}"))
            }
        }
    }

    /// A note on folders below the program's that have a file of the program too. A makefile is not one.
    fn others(&self, program: &[String], top: &str) -> Option<String> {
        let places = self.places(program);
        let own = places.get(top)?.strip_prefix(top)?;
        let is_other = |(folder, file): &(&&str, &&str)| {
            **folder != top && file.strip_prefix(**folder) == Some(own)
        };
        let others: Vec<&str> = places.iter().filter(is_other).map(|(_, it)| *it).collect();
        let is_told = !others.is_empty() && !own.eq_ignore_ascii_case("Makefile");
        is_told.then(|| {
            let others = listed(others.into_iter());
            format!("the outermost `{}` plays, and not {others}", shown(own))
        })
    }

    /// The one folder that a path means, or the folder of the one file, with a trailing `/`; the error says what it may mean.
    fn named(&self, path: &str) -> Result<String, String> {
        let path = path.strip_prefix("./").unwrap_or(path);
        let path = path.trim_end_matches('/');
        if matches!(path, "" | ".") {
            return Ok(String::new());
        }
        let folder = |file: &str| file.rfind('/').map_or(0, |end| end + 1);
        let files = self.files.iter().flat_map(|file| {
            let ends = file.path.match_indices('/').map(|(end, _)| end);
            let folders = ends.map(|end| (&file.path[..end], &file.path[..=end]));
            folders.chain([(&*file.path, &file.path[..folder(&file.path)])])
        });
        let known: BTreeMap<&str, &str> = files.collect();
        if let Some(folder) = known.get(path) {
            return Ok((*folder).to_owned());
        }
        let is_end = |it: &&str| it.strip_suffix(path).is_some_and(|it| it.ends_with('/'));
        let meant: Vec<&str> = known.keys().copied().filter(is_end).collect();
        match meant[..] {
            [one] => Ok(known[one].to_owned()),
            [] => Err(format!("nothing is called `{}`", shown(path))),
            _ => {
                let (path, meant) = (shown(path), listed(meant.into_iter()));
                Err(format!("`{path}` is the name of {meant}"))
            }
        }
    }

    pub fn finish(
        mut self,
        program: &[String],
        named: Option<&str>,
    ) -> Result<(PathBuf, Unpacked), UnpackError> {
        let left_out = listed(self.left_out.iter().map(String::as_str));
        if self.files.is_empty() {
            let flaw = match left_out.as_str() {
                "" => Flaw::Empty,
                _ => Flaw::LeftOut(left_out),
            };
            return Err(Refusal::new(flaw).into());
        }
        let top = named.map_or_else(|| self.top(program), |named| self.named(named));
        let (top, undecided) = match top {
            Ok(top) => (top, None),
            Err(words) => (String::new(), Some(words)),
        };
        let mut notes = std::mem::take(&mut self.notes);
        if !left_out.is_empty() {
            notes.push(format!("left out of what was handed in: {left_out}"));
        }
        if named.is_none() && undecided.is_none() {
            notes.extend(self.others(program, &top));
        }
        let count = self.files.len();
        self.files.retain(|file| file.path.starts_with(&*top));
        if count > self.files.len() || top.matches('/').count() > 1 {
            let folder = shown(top.trim_end_matches('/'));
            notes.push(format!(
                "the folder `{folder}` was taken for what was handed in"
            ));
        }
        self.files.sort_by(|a, b| a.path.cmp(&b.path));
        let [mut all, mut program] = [Sha256::new(), Sha256::new()];
        for file in &self.files {
            let add = |hasher: &mut Sha256, executable: bool| {
                hasher.update(&file.path[top.len()..]);
                hasher.update([0, u8::from(executable)]);
                hasher.update(file.content);
            };
            add(&mut all, file.executable);
            if !is_document(&file.path) {
                add(&mut program, false);
            }
        }
        let unpacked = Unpacked {
            digest: hex(&all.finalize()),
            program: hex(&program.finalize()),
            top: top.strip_suffix('/').map(str::to_owned),
            notes,
            undecided,
        };
        Ok((self.root.join(&top), unpacked))
    }
}
