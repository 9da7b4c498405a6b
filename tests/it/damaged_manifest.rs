//! What is said of a run whose manifest was changed by hand or is damaged: one line that names file, line,
//! what is wrong and what helps. The journal can still be rated.

use crate::support::config::{GREEDY, RANDOM, small_cachex};
use crate::support::{TestRun, columns};

const HELP: &str = "; put it back as it was, if you have a copy; `referee rate` still reads the games.csv beside it\n";

#[test]
fn one_line_says_what_is_wrong_and_what_helps() {
    let run = TestRun::played(&small_cachex(2, &[RANDOM, GREEDY]));
    let whole = run.read("out/manifest.toml");
    let line = |text: &str| {
        let mut lines = whole.lines();
        1 + lines.position(|line| line.starts_with(text)).expect(text)
    };
    let (seed, isolation) = (line("seed = "), line("isolation = "));
    let cases = [
        (Vec::new(), "is damaged: missing key `referee`"),
        (b"a = 1\n\xff".to_vec(), "is damaged: line 2 is not UTF-8"),
        (whole.as_bytes()[..whole.len() / 2].to_vec(), "line "),
    ];
    let changes = [
        "seed = 1 | seed = = 1 | line SEED is damaged: ",
        "seed = 1\n |  | is damaged: missing key `seed`",
        "seed = 1 | seed = \"1\" | line SEED is damaged: invalid type",
        "\"containment\" | \"containmend\" | line ISOLATION is damaged: unknown value `containmend` (did you mean \
         `containment`?), expected one of `containment`, `landlock`, `strict`",
        "seed | s\u{1b}[2Jeed | line ",
        "\"cachex\" | \"shogi\" | has a game that cannot be: unknown game \"shogi\": expected one of ",
        "\"round-robin\" | \"swiss\" | has a format that cannot be: ",
    ];
    let changes = changes.map(|row| {
        let [from, to, words] = columns(row);
        let words = words.replace("SEED", &seed.to_string());
        let words = words.replace("ISOLATION", &isolation.to_string());
        (whole.replacen(from, to, 1).into_bytes(), words)
    });
    let cases = cases.map(|(bytes, words)| (bytes, words.to_owned()));
    let cases = cases.into_iter().chain(changes);
    for (bytes, words) in cases {
        std::fs::write(run.path("out/manifest.toml"), &bytes).expect("written");
        for command in ["verify out", "games out", "replay out 0"] {
            let ran = run.referee(command);
            ran.fails(5, &format!("referee: out/manifest.toml: {words}"));
            assert!(ran.stderr.ends_with(HELP), "{ran:?}");
            assert_eq!(ran.stderr.lines().count(), 1, "{ran:?}");
            assert!(!ran.stderr.contains('\u{1b}'), "{ran:?}");
        }
        run.referee("rate out").ok();
    }
    std::fs::write(run.path("out/manifest.toml"), "seed = 1\n").expect("written");
    let ran = run.run(&["--resume"]);
    ran.fails(5, "referee: out/manifest.toml: is damaged: missing key");
}
