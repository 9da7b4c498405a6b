//! Games that a bot loses by an illegal action.

use super::config::{RANDOM, small_cachex};
use super::run::TestRun;

/// A bot that always answers `a1`, which is soon taken.
pub const STUBBORN: &str = "while read -r word rest; do case $word in \
    referee) echo 'bot 1 stubborn';; start) echo ready;; \
    act) echo '# a1 again' ; echo a1;; quit) exit;; esac; done";

/// Two games of Cachex between a bot that loses by its fault and a house bot.
pub fn stubborn_run() -> TestRun {
    let stubborn = format!("[[player]]\nname = \"stubborn\"\nshell = \"{STUBBORN}\"\n");
    let more = ["[clock]\nper-game = \"60s\"\n", &stubborn, RANDOM];
    TestRun::played_in_order(&small_cachex(2, &more).replace("seed = 1", "seed = 7"))
}
