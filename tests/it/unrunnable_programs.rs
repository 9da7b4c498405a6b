//! A player whose program exists but cannot be run forfeits its games, and the run goes on.

use crate::support::config::{RANDOM, program, small_cachex};
use crate::support::executable::write_executable;
use crate::support::run::TestRun;

#[test]
fn a_program_that_cannot_be_run_forfeits_and_the_run_goes_on() {
    let players = ["no-first-line", "no-interpreter"].map(|name| program(name, name));
    let players = players.concat();
    let run = TestRun::new(&small_cachex(2, &[RANDOM, &players]));
    write_executable(&run.path("no-first-line"), "echo hello\n");
    write_executable(&run.path("no-interpreter"), "#!/no/such/interpreter\n");
    run.play(&[]);
    let games = run.games();
    assert_eq!(games.len(), 6);
    for game in games {
        assert_eq!(game.end.termination.name(), "handshake");
        let honest = game.names().contains(&"random");
        match honest {
            true => assert!(game.forfeited_by().starts_with("no-"), "{game:?}"),
            false => assert_eq!(game.forfeited_by(), "both"),
        }
        assert!(
            game.detail().contains("the bot's program cannot be run: "),
            "{game:?}"
        );
    }
}
