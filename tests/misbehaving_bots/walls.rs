//! The tier `landlock`: what a bot sees and reaches from inside.

use std::path::Path;
use std::process::Command;

use referee::player::{Confinement, Launch, OutputLimits, Player, Process, Supervisor, Tier};
use referee::protocol::ToBot;

use crate::wait;

fn walled() -> Option<Confinement> {
    let confinement = Confinement {
        isolation: Tier::Landlock,
        ..Confinement::default()
    };
    match confinement.probe() {
        Ok(()) => Some(confinement),
        Err(problem) => {
            println!("skipped: the tier landlock does not hold here: {problem}");
            None
        }
    }
}

/// What a shell says that is started as a bot in `dir`.
fn say(confinement: &Confinement, dir: &Path, script: &str) -> String {
    let launch = Launch {
        program: "sh".into(),
        args: vec!["-c".to_owned(), format!("read line; {script}; sleep 9")],
        dir: Some(dir.to_owned()),
        env: Vec::new(),
    };
    let supervisor = Supervisor {
        program: env!("CARGO_BIN_EXE_referee").into(),
    };
    let mut bot = Process::supervised(&launch, OutputLimits::default(), &supervisor, confinement)
        .expect("started");
    bot.tell(&ToBot::Hello { version: 1 });
    bot.request();
    let mut answer = String::new();
    bot.answer(wait(std::time::Duration::from_secs(60)), &mut answer)
        .expect("an answer");
    answer
}

/// Whether a shell command succeeds inside and outside.
fn succeeds(confinement: &Confinement, dir: &Path, command: &str) -> bool {
    let script = format!("if ( {command} ) >/dev/null 2>&1; then echo yes; else echo no; fi");
    say(confinement, dir, &script) == "yes"
}

pub fn a_walled_bot_sees_its_own_alone() {
    let Some(walled) = walled() else {
        return;
    };
    let folder = tempfile::tempdir().expect("a folder");
    let [own, other] = ["own", "other"].map(|name| folder.path().join(name));
    for dir in [&own, &other] {
        std::fs::create_dir(dir).expect("made");
        std::fs::write(dir.join("file"), "text").expect("written");
    }
    let (other, pid) = (other.display(), std::process::id());
    // Each is possible without walls and not with them, so the walls are what makes the difference.
    let refused = [
        format!("cat {other}/file"),
        format!("ls {other}"),
        format!("echo more >> {other}/file"),
        format!("rm {other}/file && echo text > {other}/file"),
        "echo more >> file".to_owned(),
        "mkdir new && rmdir new".to_owned(),
        format!("cat /proc/{pid}/status"),
        format!("ls {}", env!("CARGO_MANIFEST_DIR")),
    ];
    for command in &refused {
        let contained = Confinement::default();
        assert!(succeeds(&contained, &own, command), "{command}");
        assert!(!succeeds(&walled, &own, command), "{command}");
    }
    for command in [
        "cat file",
        "ls",
        "date > $TMPDIR/now && cat $TMPDIR/now",
        "read word < /proc/$$/status",
    ] {
        assert!(succeeds(&walled, &own, command), "{command}");
    }
}

pub fn a_scratch_folder_goes_with_its_bot() {
    let Some(walled) = walled() else {
        return;
    };
    let folder = tempfile::tempdir().expect("a folder");
    let script = "mkdir -p $TMPDIR/a/b; date > $TMPDIR/a/b/c; echo $TMPDIR";
    let scratch = say(&walled, folder.path(), script);
    assert!(scratch.contains("referee-bot-"), "{scratch}");
    assert!(!Path::new(&scratch).exists(), "{scratch}");
}

pub fn a_walled_bot_has_no_network() {
    let Some(walled) = walled() else {
        return;
    };
    if !Command::new("python3")
        .arg("--version")
        .output()
        .is_ok_and(|ran| ran.status.success())
    {
        println!("skipped: needs python3");
        return;
    }
    // The program itself, since a launcher in some home folder is not to be seen from inside.
    let python = Command::new("python3")
        .args(["-c", "import sys; print(sys.executable, sys.base_prefix)"])
        .output()
        .expect("it runs");
    let python = String::from_utf8(python.stdout).expect("text");
    let (python, prefix) = python.trim().split_once(' ').expect("two paths");
    let folder = tempfile::tempdir().expect("a folder");
    let socket = |family: &str, kind: &str| {
        format!(
            "VIRTUAL_ENV={prefix} {python} -c \
             'import socket; socket.socket(socket.{family}, socket.{kind})'"
        )
    };
    // Where Python lives outside the system's folders, the walls are to let it be seen.
    let walled_python = |command: &str| {
        let launch = Launch {
            program: python.into(),
            args: vec![
                "-c".to_owned(),
                format!(
                    "input()\ntry:\n  {command}\n  print(\"yes\", flush=True)\nexcept OSError:\n  print(\"no\", flush=True)\ninput()"
                ),
            ],
            dir: Some(folder.path().to_owned()),
            env: vec![("VIRTUAL_ENV".to_owned(), prefix.to_owned())],
        };
        let supervisor = Supervisor {
            program: env!("CARGO_BIN_EXE_referee").into(),
        };
        let mut bot = Process::supervised(&launch, OutputLimits::default(), &supervisor, &walled)
            .expect("started");
        bot.tell(&ToBot::Hello { version: 1 });
        bot.request();
        let mut answer = String::new();
        bot.answer(wait(std::time::Duration::from_secs(60)), &mut answer)
            .expect("an answer");
        answer == "yes"
    };
    for (family, kind, inside) in [
        ("AF_INET", "SOCK_STREAM", false),
        ("AF_INET", "SOCK_DGRAM", false),
        ("AF_INET6", "SOCK_STREAM", false),
        ("AF_NETLINK", "SOCK_RAW", false),
        ("AF_UNIX", "SOCK_STREAM", true),
    ] {
        let contained = Confinement::default();
        assert!(
            succeeds(&contained, folder.path(), &socket(family, kind)),
            "{family}"
        );
        let command = format!("import socket; socket.socket(socket.{family}, socket.{kind})");
        assert_eq!(walled_python(&command), inside, "{family} {kind}");
    }
}
