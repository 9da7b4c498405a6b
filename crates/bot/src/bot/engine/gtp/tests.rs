use super::*;
use crate::bot::engine::session::EngineSession;
use crate::game::EngineProtocol;

fn gtp(options: &[(&str, &str)]) -> EngineTerms {
    let options = options.iter();
    EngineTerms {
        options: options
            .map(|(name, value)| (String::from(*name), String::from(*value)))
            .collect(),
        ..EngineTerms::new(EngineProtocol::Gtp)
    }
}

const COMMANDS: &str = "= name\nplay\ngenmove\ntime_settings\ntime_left\nkgs-rules\n\n";

fn greeted() -> EngineSession {
    let mut session = EngineSession::new(gtp(&[]));
    session.tell("referee 1");
    session.answers(&format!("= GNU Go\n\n{COMMANDS}"), "bot 1 GNU-Go");
    session
}

fn start(seat: &str, time: &str) -> String {
    format!("start go {seat} seed=1 measure=wall {time} width=9 height=9 komi=6.5 ko=superko")
}

const PER_GAME: &str = "per-game=60000 increment=0 per-move=none";

#[test]
fn a_game_is_a_conversation_in_gtp() {
    let mut session = EngineSession::new(gtp(&[("kgs-rules", "chinese")]));
    assert_eq!(session.tell("referee 1"), "name\nlist_commands\n");
    let heard = session.hear(&format!("hello\n= Pachi\n\n{COMMANDS}"));
    assert!(heard.expect("no fault").is_none());
    assert_eq!(session.sent(), "kgs-rules chinese\n");
    session.answers("=\n\n", "bot 1 Pachi");
    assert_eq!(
        session.tell(&start("white", PER_GAME)),
        "boardsize 9\nclear_board\nkomi 6.5\ntime_settings 60 0 0\n"
    );
    session.answers("=\n\n=\n\n= \n\n? unknown\n\n", "ready");
    session.queue("did black E5");
    assert_eq!(
        session.tell("act 59900 58000"),
        "play b E5\ntime_left b 58 0\ntime_left w 59 0\ngenmove w\n"
    );
    session.answers("=\n\n=\n\n=\n\n= d4\n\n", "D4");
    // The engine has played its own move.
    session.queue("did white D4");
    session.queue("did black pass");
    assert_eq!(
        session.tell("act 900 58000"),
        "play b pass\ntime_left b 58 0\ntime_left w 0 0\ngenmove w\n"
    );
    session.answers("\n=\n\n=\n\n=\n\n= PASS", "pass");
    session.queue("did white pass");
    session.queue("did black A1");
    assert_eq!(session.tell("end white rules two_passes"), "play b A1\n");
    session.queue(&start("black", PER_GAME));
    session.hear("\n=\n\n").expect("no fault");
    session.engine.translator.ask();
    session.answers(&"=\n\n".repeat(4), "ready");
    assert!(session.tell("quit").ends_with("quit\n"));
    let log = String::from_utf8(session.log.text()).expect("text");
    assert_eq!(log, "hello\n? unknown\n");
}

#[test]
fn the_moves_of_an_opening_are_told_to_both() {
    let mut session = greeted();
    let time = "per-game=none increment=0 per-move=2500";
    assert!(
        session
            .tell(&start("black", time))
            .ends_with("time_settings 0 2 1\n")
    );
    session.answers(&"=\n\n".repeat(4), "ready");
    let period = format!("{PER_GAME} period=2");
    let begun = session.tell(&start("black", &period));
    assert!(begun.ends_with("time_settings 0 60 2\n"), "{begun}");
    session.answers(&"=\n\n".repeat(4), "ready");
    for moves in [2, 1, 2] {
        let asked = session.tell("act 9000 8000");
        let clocks = format!("time_left w 8 0\ntime_left b 9 {moves}\ngenmove b\n");
        assert!(asked.ends_with(&clocks), "{asked}");
        session.answers("=\n\n=\n\n= PASS\n\n", "pass");
        session.queue("did black pass");
    }
    session.tell(&start("black", time));
    session.answers(&"=\n\n".repeat(4), "ready");
    session.queue("did black E5");
    session.queue("did white D4");
    assert_eq!(
        session.tell("act none none"),
        "play b E5\nplay w D4\ngenmove b\n"
    );
    session.answers("=\n\n=\n\n= Resign", "resign");
}
