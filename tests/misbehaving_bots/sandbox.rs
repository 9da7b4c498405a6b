//! The tiers `landlock` and `strict`: what a bot can see and reach.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use referee::bot::{BuildLimits, Confinement, Fault, Launch, Process, Tier, build};
use tempfile::TempDir;

use crate::needs::{skip, skip_part};
use crate::{HELLO, in_tier, supervised, supervisor};

/// A program that is a link into the opponent's folder would play the opponent's moves.
pub fn a_program_that_is_a_link_out_of_its_folder_is_not_run() {
    let folder = folder();
    let [own, other] = folders_in(folder.path());
    let script = "#!/bin/sh\nread line\necho mine\nsleep 9\n";
    for (dir, name) in [(&own, "bot"), (&other, "engine")] {
        std::fs::write(dir.join(name), script).expect("written");
        open(&dir.join(name));
    }
    std::os::unix::fs::symlink("bot", own.join("inside")).expect("linked");
    std::os::unix::fs::symlink("../other/engine", own.join("outside")).expect("linked");
    for isolated in isolations(&own) {
        for program in ["./bot", "./inside"] {
            let (_, answer) = ask(&isolated, &own, &[program]);
            assert_eq!(answer.expect("an answer"), "mine", "{program}");
        }
        let (_, answer) = ask(&isolated, &own, &["./outside"]);
        let fault = answer.expect_err("it is not visible");
        assert!(matches!(fault, Fault::NotStarted { .. }), "{fault}");
    }
}

/// The system limits the length of one argument, and not that of all that a bot is given.
pub fn a_bot_may_have_long_arguments() {
    let folder = folder();
    let [own, _] = folders_in(folder.path());
    let long = "x".repeat(100_000);
    let script = "read line; echo $((${#1} + ${#2} + ${#3})); sleep 9";
    for tier in Tier::ALL {
        let Some(isolated) = isolated(tier, &own) else {
            continue;
        };
        let command = ["/bin/sh", "-c", script, "sh", &long, &long, &long];
        let (_, answer) = ask(&isolated, &own, &command);
        assert_eq!(answer.expect("an answer"), "300000");
    }
}

/// The stricter tiers with this folder, where they hold on this machine.
fn isolations(folder: &Path) -> impl Iterator<Item = Confinement> {
    let tiers = [Tier::Landlock, Tier::Strict].into_iter();
    tiers.filter_map(|tier| isolated(tier, folder))
}

/// A tier that allows this folder, where it holds on this machine.
fn isolated(tier: Tier, folder: &Path) -> Option<Confinement> {
    let confinement = in_tier(tier);
    let program = PathBuf::from(env!("CARGO_BIN_EXE_referee"));
    match confinement.probe(&[folder.to_owned(), program]) {
        Ok(()) => Some(confinement),
        Err(problem) => {
            skip(format!("the tier {}: {problem}", tier.name()));
            None
        }
    }
}

/// Whether a process may have mounts of its own here, with or without users of its own.
fn own_mounts_are_allowed() -> bool {
    let unshare = |options: &[&str]| {
        let mut command = Command::new("unshare");
        let status = command.args(options).arg("true").stderr(Stdio::null());
        status.status().is_ok_and(|status| status.success())
    };
    unshare(&["--mount"]) || unshare(&["--user", "--mount"])
}

fn folder() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    open(folder.path());
    folder
}

fn open(path: &Path) {
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).expect("opened");
}

/// Makes the folder of a bot and another one, with a file in each.
fn folders_in(folder: &Path) -> [PathBuf; 2] {
    ["own", "other"].map(|name| {
        let dir = folder.join(name);
        std::fs::create_dir(&dir).expect("made");
        std::fs::write(dir.join("file"), "text").expect("written");
        open(&dir);
        dir
    })
}

/// Starts a program as a bot in `dir` and asks it who it is.
fn ask(
    confinement: &Confinement,
    dir: &Path,
    command: &[&str],
) -> (Process, Result<String, Fault>) {
    ask_with(confinement, dir, command, Vec::new())
}

/// Starts a program with these variables as a bot in `dir` and asks it who it is.
fn ask_with(
    confinement: &Confinement,
    dir: &Path,
    command: &[&str],
    env: Vec<(String, String)>,
) -> (Process, Result<String, Fault>) {
    let launch = launch_of(dir, command);
    let mut bot = supervised(&Launch { env, ..launch }, confinement);
    let answer = crate::ask(&mut bot, &HELLO);
    (bot, answer)
}

fn launch_of(dir: &Path, command: &[&str]) -> Launch {
    let (program, args) = command.split_first().expect("a program");
    Launch {
        program: program.into(),
        args: args.iter().map(|arg| (*arg).to_owned()).collect(),
        dir: Some(dir.to_owned()),
        ..Launch::default()
    }
}

/// What a shell answers that runs as a bot in `dir`.
fn say(confinement: &Confinement, dir: &Path, script: &str) -> String {
    let script = format!("read line; {script}; sleep 9");
    let (_, answer) = ask(confinement, dir, &["/bin/sh", "-c", &script]);
    answer.expect("an answer")
}

/// Whether a shell can read `file` as a bot of this launch.
fn reads(confinement: &Confinement, launch: Launch, file: &str) -> bool {
    let script = format!(
        "read line; if cat {file} >/dev/null 2>&1; then echo yes; else echo no; fi; sleep 9"
    );
    let args = ["-c".to_owned(), script].into_iter().chain(launch.args);
    let launch = Launch {
        args: args.collect(),
        ..launch
    };
    let mut bot = supervised(&launch, confinement);
    crate::ask(&mut bot, &HELLO).expect("an answer") == "yes"
}

fn succeeds(confinement: &Confinement, dir: &Path, command: &str) -> bool {
    let script = format!("if ( {command} ) >/dev/null 2>&1; then echo yes; else echo no; fi");
    say(confinement, dir, &script) == "yes"
}

pub fn an_isolated_bot_sees_only_its_own_files() {
    let folder = folder();
    let [own, other] = folders_in(folder.path());
    let (shown, pid) = (other.display(), std::process::id());
    // Each succeeds without isolation, so only isolation makes it fail.
    let mut refused = vec![
        format!("cat {shown}/file"),
        format!("ls {shown}"),
        format!("echo more >> {shown}/file"),
        format!("rm {shown}/file && echo text > {shown}/file"),
        "echo more >> file".to_owned(),
        "mkdir new && rmdir new".to_owned(),
        concat!("cat ", env!("CARGO_MANIFEST_DIR"), "/Cargo.toml").to_owned(),
    ];
    match others_are_hidden() {
        true => skip_part("the processes of others", "a /proc without `hidepid`"),
        false => refused.push(format!("cat /proc/{pid}/status")),
    }
    for command in &refused {
        let free = Confinement::default();
        assert!(succeeds(&free, &own, command), "{command}");
    }
    for isolated in isolations(&own) {
        for command in &refused {
            assert!(!succeeds(&isolated, &own, command), "{command}");
        }
        for command in [
            "cat file",
            "ls",
            "date > $TMPDIR/now && cat $TMPDIR/now",
            "read word < /proc/$$/status",
        ] {
            assert!(succeeds(&isolated, &own, command), "{command}");
        }
    }
}

/// Whether `/proc` hides what a process may not trace, so that it hides the test from a bot without isolation too.
fn others_are_hidden() -> bool {
    let mounts = std::fs::read_to_string("/proc/self/mounts").expect("the mounts");
    let is_of_proc = |line: &&str| line.split(' ').nth(1) == Some("/proc");
    let of_proc = mounts.lines().rev().find(is_of_proc);
    let options = of_proc.and_then(|line| line.split(' ').nth(3));
    let mut options = options.unwrap_or_default().split(',');
    options.any(|option| {
        option.starts_with("hidepid=") && !["hidepid=0", "hidepid=off"].contains(&option)
    })
}

pub fn files_that_the_command_names_can_be_read() {
    let folder = folder();
    let [own, other] = folders_in(folder.path());
    std::fs::write(other.join("beside"), "text").expect("written");
    std::os::unix::fs::symlink("../other/file", own.join("link")).expect("linked");
    std::os::unix::fs::symlink("../other", own.join("folder")).expect("linked");
    std::fs::create_dir(own.join("a b")).expect("made");
    let program = other.join("program");
    std::fs::write(&program, "#!/bin/sh\nread line; echo mine; sleep 9\n").expect("written");
    open(&program);
    let absolute = |path: &str| folder.path().join(path).display().to_string();
    for isolated in isolations(&own) {
        let launch = |named: &str| launch_of(&own, &["/bin/sh", "sh", named]);
        let sees = |file: &str, named: &str| reads(&isolated, launch(named), file);
        assert!(sees("../other/file", "../other/file"));
        assert!(sees("../other/file", &absolute("other/file")));
        // Not the files beside it, not the files in a folder that is named, and not the targets of the
        // bot's own links.
        assert!(!sees("../other/beside", "../other/file"));
        assert!(!sees("../other/file", "../other"));
        assert!(!sees("link", "link"));
        assert!(!sees("link", &absolute("own/link")));
        assert!(!sees("link", "../own/link"));
        assert!(!sees("folder/file", "folder/file"));
        assert!(!sees("folder/file", &absolute("own/folder/file")));
        assert!(!sees("folder/file", "../own/folder/file"));
        assert!(!sees("../other/file", "../own/a b/../../other/file"));
        // A folder of the language that is a link of the bot's.
        let named = |value: &str| Launch {
            env: vec![("JAVA_HOME".to_owned(), value.to_owned())],
            ..launch("")
        };
        assert!(reads(&isolated, named(&absolute("other")), "../other/file"));
        for link in ["folder", "../own/folder", &absolute("own/folder")] {
            assert!(!reads(&isolated, named(link), "../other/file"), "{link}");
        }
        // The author of a submitted command opens nothing, as a word or as the program.
        let submitted = |command: &[&str]| Launch {
            submitted: true,
            ..launch_of(&own, command)
        };
        for word in [
            "../other/file",
            "../own/a b/../../other/file",
            &absolute("other/file"),
        ] {
            let launch = submitted(&["/bin/sh", "sh", word]);
            assert!(!reads(&isolated, launch, "../other/file"), "{word}");
        }
        let mut bot = supervised(&submitted(&["../other/program"]), &isolated);
        let fault = crate::ask(&mut bot, &HELLO).expect_err("it is not visible");
        assert!(matches!(fault, Fault::NotStarted { .. }), "{fault}");
    }
}

pub fn an_isolated_build_writes_only_to_its_own_folder() {
    let folder = folder();
    let Some(isolated) = isolated(Tier::Landlock, folder.path()) else {
        return;
    };
    let [own, other] = folders_in(folder.path());
    let built = |tier, script: &str| {
        let command = Launch {
            program: "sh".into(),
            args: vec!["-c".to_owned(), script.to_owned()],
            dir: Some(own.clone()),
            ..Launch::default()
        };
        let mut limits = BuildLimits::default();
        limits.confinement.isolation = tier;
        let built = build(&command, &limits, &supervisor(), None).expect("the machine is well");
        built.result.is_ok()
    };
    // It can run what it made there, too.
    let own_work =
        "mkdir new && printf '#!/bin/sh\\nexit 0\\n' > new/bot && chmod +x new/bot && new/bot";
    assert!(built(isolated.isolation, own_work));
    assert!(own.join("new/bot").exists());
    let other = other.display();
    let mut others_work = vec![format!("echo text > {other}/new")];
    match own_mounts_are_allowed() {
        true => others_work.extend([
            format!("chmod 700 {other}"),
            format!("touch -d 2001-01-01 {other}"),
        ]),
        false => skip_part("modes and times in a build", "namespaces"),
    }
    for work in others_work {
        assert!(!built(isolated.isolation, &work), "{work}");
        assert!(built(Tier::Containment, &work), "without isolation it can");
    }
}

pub fn a_scratch_folder_is_removed_with_its_bot() {
    let folder = folder();
    let script = "mkdir -p $TMPDIR/a/b; date > $TMPDIR/a/b/file; echo $TMPDIR";
    if let Some(isolated) = isolated(Tier::Landlock, folder.path()) {
        let scratch = say(&isolated, folder.path(), script);
        assert!(scratch.contains("referee-bot-"), "{scratch}");
        assert!(!Path::new(&scratch).exists(), "{scratch}");
    }
    if let Some(strict) = isolated(Tier::Strict, folder.path()) {
        assert_eq!(say(&strict, folder.path(), script), "/tmp");
        assert!(!Path::new("/tmp/a/b/file").exists());
        // The next process of the same bot finds nothing of it.
        assert!(!succeeds(&strict, folder.path(), "ls /tmp/a"));
    }
}

/// The times of last access would tell the next process what was read.
pub fn reading_leaves_no_trace_in_the_files_of_a_sandbox() {
    let folder = folder();
    let [own, _] = folders_in(folder.path());
    let Some(strict) = isolated(Tier::Strict, &own) else {
        return;
    };
    let changes = |confinement: &Confinement| {
        let long_ago = std::time::UNIX_EPOCH + std::time::Duration::from_secs(1_000_000_000);
        let times = std::fs::FileTimes::new().set_accessed(long_ago);
        let file = std::fs::File::options().append(true).open(own.join("file"));
        file.and_then(|file| file.set_times(times)).expect("set");
        assert!(succeeds(confinement, &own, "cat file"));
        let about = std::fs::metadata(own.join("file")).expect("there");
        about.accessed().expect("a time") != long_ago
    };
    match changes(&Confinement::default()) {
        true => assert!(!changes(&strict)),
        false => skip_part("times of access", "a file system that keeps them"),
    }
}

pub fn a_bot_of_root_is_nobody_in_its_sandbox() {
    let folder = folder();
    let Some(strict) = isolated(Tier::Strict, folder.path()) else {
        return;
    };
    let script = "read line; echo $(id -u) $(id -g) $(ls -d /proc/[0-9]* | wc -l); exec sleep 9";
    let (_bot, answer) = ask(&strict, folder.path(), &["/bin/sh", "-c", script]);
    // In the sandbox: the first process, the shell, its child for the answer, `ls` and `wc`.
    let answer = answer.expect("an answer");
    let numbers: Vec<u32> = answer
        .split(' ')
        .map(|word| word.parse().expect("a number"))
        .collect();
    assert_eq!(numbers[..2], [65534, 65534], "{answer}");
    assert!(numbers[2] <= 6, "{answer}");
    // Seen from outside it is not root either, even if this test is.
    assert_ne!(user_outside(folder.path()), "0");
}

/// The user of a sandboxed process with this working directory, seen from outside.
fn user_outside(dir: &Path) -> String {
    let line = |process: &Path, key: &str| {
        let status = std::fs::read_to_string(process.join("status")).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix(key));
        line.unwrap_or_default().trim().to_owned()
    };
    let processes = std::fs::read_dir("/proc").expect("a folder").flatten();
    let in_a_sandbox = |process: &PathBuf| {
        // Its supervisor has the same working directory, but not its own namespace.
        let cwd = std::fs::read_link(process.join("cwd"));
        cwd.is_ok_and(|cwd| cwd == dir) && line(process, "NSpid:").contains('\t')
    };
    let bot = processes.map(|entry| entry.path()).find(in_a_sandbox);
    let bot = bot.expect("the bot");
    let user = line(&bot, "Uid:");
    user.split('\t').next().expect("a number").to_owned()
}

/// The loader writes where the variables of a process say, so they are for none but the bot.
pub fn variables_of_a_bot_do_nothing_outside_its_walls() {
    let folder = folder();
    let [own, other] = folders_in(folder.path());
    let for_all = std::fs::Permissions::from_mode(0o777);
    std::fs::set_permissions(&other, for_all).expect("opened");
    let trace = other.join("trace");
    let variables = || {
        let output = ("LD_DEBUG_OUTPUT".to_owned(), trace.display().to_string());
        vec![("LD_DEBUG".to_owned(), "libs".to_owned()), output]
    };
    let traces = |confinement: &Confinement| {
        let command = ["/bin/sh", "-c", "read line; echo \"$LD_DEBUG\"; sleep 9"];
        // Where the loader may not write, its words stand before the bot's answer.
        let _ = ask_with(confinement, &own, &command, variables());
        let files = std::fs::read_dir(&other).expect("a folder").flatten();
        let is_trace = |file: &std::fs::DirEntry| file.path().extension().is_some();
        files.filter(is_trace).count()
    };
    for isolated in isolations(&own) {
        assert_eq!(traces(&isolated), 0, "{isolated:?}");
    }
    if traces(&Confinement::default()) == 0 {
        skip_part("traces of the loader", "the C library of GNU");
    }
}

/// A signal differs from the exit code that a shell gives it, and a program that cannot be run from a
/// sandbox that cannot be made.
pub fn failures_in_a_sandbox_are_told_apart() {
    let folder = folder();
    let Some(strict) = isolated(Tier::Strict, folder.path()) else {
        return;
    };
    let fault = |command: &[&str]| {
        let (_, answer) = ask(&strict, folder.path(), command);
        answer.expect_err("a fault")
    };
    let words = fault(&["/bin/sh", "-c", "kill -SEGV $$"]).to_string();
    assert!(words.contains("SIGSEGV"), "{words}");
    let words = fault(&["/bin/sh", "-c", "exit 139"]).to_string();
    assert!(words.contains("exited with code 139"), "{words}");
    let script = folder.path().join("bot");
    std::fs::write(&script, "no program").expect("written");
    open(&script);
    let started = fault(&["./bot"]);
    assert!(matches!(started, Fault::NotStarted { .. }), "{started:?}");
    for interpreter in "/no/such/interpreter /etc/passwd/x /etc /etc/passwd".split(' ') {
        std::fs::write(&script, format!("#!{interpreter}\n")).expect("written");
        let started = fault(&["./bot"]);
        let is_told = matches!(started, Fault::NotStarted { .. });
        assert!(is_told, "{interpreter}: {started:?}");
    }
    let no_scratch = Confinement {
        scratch: 0,
        ..strict.clone()
    };
    let (_, answer) = ask(&no_scratch, folder.path(), &["/bin/true"]);
    let fault = answer.expect_err("a fault");
    assert!(matches!(fault, Fault::Machine(_)), "{fault:?}");
    assert!(fault.to_string().contains("bubblewrap"), "{fault}");
}

/// Where a tier cannot be had, the reason and a remedy are given.
pub fn the_tier_is_refused(tier: Tier) {
    let problem = in_tier(tier).probe(&[]).expect_err("a reason");
    let words = problem.to_string();
    assert!(words.contains("user namespaces must be allowed"), "{words}");
}

pub fn a_tier_that_cannot_hold_is_refused() {
    let folder = folder();
    if isolations(folder.path()).count() < 2 {
        return;
    }
    let hidden = folder.path().join("hidden");
    std::fs::create_dir_all(hidden.join("bot")).expect("made");
    let run = |extra: &str, out: &str| {
        let config = format!(
            "seed = 1\n[game]\nname = \"cachex\"\nsize = 4\n[format]\nkind = \"round-robin\"\n\
             games-per-pairing = 1\n[limits]\nisolation = \"strict\"\n{extra}\n\
             [[player]]\nhouse = \"random\"\n\
             [[player]]\nname = \"x\"\ncommand = [\"/bin/false\"]\ndir = {:?}\n",
            hidden.join("bot")
        );
        let file = folder.path().join("config.toml");
        std::fs::write(&file, config).expect("written");
        let mut referee = Command::new(env!("CARGO_BIN_EXE_referee"));
        let ran = referee
            .args(["run", "--out"])
            .args([&folder.path().join(out), &file]);
        let ran = ran.output().expect("it runs");
        let stderr = String::from_utf8_lossy(&ran.stderr).into_owned();
        (ran.status.code(), stderr)
    };
    let close = |mode| {
        let closed = std::fs::Permissions::from_mode(mode);
        std::fs::set_permissions(hidden.join("bot"), closed).expect("closed");
    };
    // It can be entered and not read.
    close(0o311);
    let (code, words) = run("", "refused");
    assert_eq!(code, Some(8), "{words}");
    for part in [
        "`isolation = \"strict\"` cannot hold",
        "cannot read",
        "hidden/bot",
    ] {
        assert!(words.contains(part), "{words}");
    }
    assert!(!folder.path().join("refused").exists());
    let (code, words) = run("isolation-fallback = \"landlock\"", "taken");
    assert_eq!(code, Some(0), "{words}");
    assert!(words.contains("this run takes \"landlock\""), "{words}");
    let manifest = std::fs::read_to_string(folder.path().join("taken/manifest.toml"));
    let manifest = manifest.expect("a manifest");
    assert!(manifest.contains("isolation = \"landlock\""));
    close(0o755);
}

pub fn an_isolated_bot_has_no_network() {
    let python = "/usr/bin/python3";
    if !Path::new(python).exists() {
        skip(python);
        return;
    }
    let folder = folder();
    let makes = |confinement: &Confinement, family: &str, kind: &str| {
        let script = format!(
            "import socket\ninput()\ntry:\n  socket.socket(socket.{family}, socket.{kind})\n  \
             print('yes', flush=True)\nexcept OSError:\n  print('no', flush=True)\ninput()"
        );
        let (_, answer) = ask(confinement, folder.path(), &[python, "-c", &script]);
        answer.expect("an answer") == "yes"
    };
    for (family, kind, inside) in [
        ("AF_INET", "SOCK_STREAM", false),
        ("AF_INET", "SOCK_DGRAM", false),
        ("AF_INET6", "SOCK_STREAM", false),
        ("AF_NETLINK", "SOCK_RAW", false),
        ("AF_UNIX", "SOCK_STREAM", true),
    ] {
        assert!(makes(&Confinement::default(), family, kind), "{family}");
        for isolated in isolations(folder.path()) {
            assert_eq!(makes(&isolated, family, kind), inside, "{family} {kind}");
        }
    }
}
