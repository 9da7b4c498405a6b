//! What a bot writes is shown as text: it neither commands the terminal nor reorders a line.

use referee::text::is_hidden;

use crate::support::config::{RANDOM, shell, small_cachex};
use crate::support::{Ran, TestRun};

/// A red screen, the same in 8 bits, a title, text from right to left, and line separators.
const HOSTILE: &str =
    r"\033[41m\302\2332J\033]0;x\007\342\200\256abc\342\201\246\342\200\250\342\200\217";

/// A player that answers the handshake and then writes hostile text to both streams.
fn hostile_bot() -> String {
    format!(
        "read l; echo 'bot 1 eve'; read l; echo ready; while read l; do case $l in \
         act*) printf '{HOSTILE}\\n' >&2; printf '{HOSTILE}\\n';; esac; done"
    )
}

#[track_caller]
fn assert_visible(what: &str, ran: &Ran) {
    for text in [&ran.stdout, &ran.stderr] {
        let hidden = text
            .chars()
            .find(|c| is_hidden(*c) && !matches!(c, '\n' | '\t'));
        assert_eq!(hidden, None, "{what}: {text:?}");
    }
    let all = [ran.stdout.as_str(), ran.stderr.as_str()].concat();
    assert!(all.contains("\u{fffd}[41m\u{fffd}2J"), "{what}: {all}");
}

#[test]
fn hostile_text_is_visible_wherever_it_is_shown_also_in_a_record() {
    let run = TestRun::played(&small_cachex(2, &[&shell("eve", &hostile_bot()), RANDOM]));
    let journal = run.read("out/games.csv");
    assert!(
        !journal.contains(|c| is_hidden(c) && c != '\n'),
        "{journal}"
    );
    assert!(journal.contains("\u{fffd}[41m\u{fffd}2J"), "{journal}");
    // What is kept of stderr is kept as it came.
    let log = std::fs::read(run.path("out/stderr/0000/000000-red.log")).expect("a log");
    assert!(log.starts_with(b"\x1b[41m"));

    run.write("eve.sh", &hostile_bot());
    for line in [
        "play cachex 'sh eve.sh' random --set size=3",
        "check 'sh eve.sh' --game cachex --set size=3",
        "check 'sh eve.sh' --game cachex --set size=3 --json",
        "replay out 0",
        "replay out 0 --json",
        "replay out 0 --seat eve --into",
        "replay out 0 --seat red --transcript",
    ] {
        let ran = run.referee(line);
        if line.ends_with("--transcript") {
            assert!(!ran.stdout.contains(|c| is_hidden(c) && c != '\n'));
        } else {
            assert_visible(line, &ran);
        }
    }

    // Also where a record has it.
    run.write(
        "out/games.csv",
        &journal.replace("\u{fffd}[41m", "\u{1b}[41m\u{202e}"),
    );
    for line in ["replay out 0", "replay out 0 --json"] {
        let ran = run.referee(line);
        let text = ran.stdout + &ran.stderr;
        assert!(!text.contains(|c| is_hidden(c) && c != '\n'), "{text:?}");
        assert!(text.contains("[41m"), "{text}");
    }
}

#[test]
fn a_hostile_name_is_refused_and_shown_as_text() {
    let config = small_cachex(
        2,
        &[
            "[[player]]\nname = \"e\\u001b[2J\\n\\u202eve\"\nhouse = \"random\"\n",
            RANDOM,
        ],
    );
    let ran = TestRun::new(&config).run(&[]);
    ran.fails(2, "`e\u{fffd}[2J\u{fffd}\u{fffd}ve` cannot be a name: ");
    assert_eq!(ran.stderr.lines().count(), 1, "{ran:?}");

    let run = TestRun::new("");
    let text = "read l; printf 'bot 1 e\\342\\200\\256ve\\n'; read l";
    run.write("eve.sh", text);
    let ran = run.referee("check 'sh eve.sh' --game cachex");
    let words = "expected a name of at most 64 printable characters";
    assert_has!(ran.stdout, words);
}
