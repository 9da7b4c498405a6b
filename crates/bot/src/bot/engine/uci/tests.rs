use std::time::Duration;

use super::*;
use crate::bot::engine::SearchLimits;
use crate::bot::engine::session::EngineSession;

fn uci() -> EngineTerms {
    EngineTerms::new(EngineProtocol::Uci)
}

fn greeted(terms: EngineTerms) -> EngineSession {
    let mut session = EngineSession::new(terms);
    session.tell("referee 1");
    session
        .hear("option name Hash type spin\nuciok")
        .expect("no fault");
    session.answers("readyok", "bot 1 engine tunes");
    session.sent();
    session
}

fn start(words: &str) -> String {
    format!("start chess white seed=1 measure=wall {words} variant=standard")
}

#[test]
fn a_game_is_a_conversation_in_uci() {
    let mut session = EngineSession::new(EngineTerms {
        options: vec![("hash".to_owned(), "8".to_owned())],
        ..uci()
    });
    assert_eq!(session.tell("referee 1"), "uci\n");
    let said = session
        .hear("Welcome\nid name A  B\u{7} 1\noption name Hash type spin min 1 max 9\nuciok\n");
    assert!(said.expect("no fault").is_none());
    assert_eq!(session.sent(), "setoption name Hash value 8\nisready\n");
    session.answers("readyok", "bot 1 A-B-1 tunes");
    let start = start("per-game=60000 increment=100 per-move=none");
    assert_eq!(session.tell(&start), "ucinewgame\nisready\n");
    session.answers("readyok", "ready");
    assert_eq!(
        session.tell("act 60000 59000"),
        "position startpos\ngo wtime 60000 btime 59000 winc 100 binc 100\n"
    );
    session.answers(
        "info string set up\ninfo depth 3 score cp 5 pv e2e4\ninfo depth 4 score cp 9 lowerbound pv e2e4\n\
         info depth 3 multipv 2 score cp 4 pv d2d4\nbestmove e2e4 ponder e7e5",
        "e2e4",
    );
    assert_eq!(session.values.to_string(), "score=5 depth=3");
    session.tell("did white e2e4");
    session.tell("did black e7e5");
    assert_eq!(
        session.tell("act 0 59000"),
        "position startpos moves e2e4 e7e5\ngo wtime 1 btime 59000 winc 100 binc 100\n"
    );
    session.answers(
        "info string set up\nbestmove 0000",
        "illegal the engine answered `bestmove 0000`, which is no move",
    );
    assert_eq!(session.tell("end draw rules"), "");
    assert_eq!(session.tell("quit"), "quit\n");
    let log = String::from_utf8(session.log.text()).expect("text");
    assert_eq!(
        log,
        "Welcome\ninfo string set up\ninfo depth 3 score cp 5 pv e2e4\n"
    );
}

#[test]
fn a_search_is_limited_as_the_clock_or_the_entry_says() {
    let cases = [
        (
            "per-game=none increment=0 per-move=50",
            "act none none",
            "go movetime 45\n",
        ),
        (
            "per-game=none increment=0 per-move=1000",
            "act none none",
            "go movetime 980\n",
        ),
        (
            "per-game=9000 increment=0 per-move=1000",
            "act 8000 none",
            "go wtime 1000 btime 1000\n",
        ),
        (
            "per-game=9000 increment=0 per-move=1000",
            "act 800 7000",
            "go wtime 800 btime 7000\n",
        ),
        (
            "per-game=9000 increment=10 per-move=none period=40",
            "act 800 7000",
            "go wtime 800 btime 7000 winc 10 binc 10 movestogo 40\n",
        ),
    ];
    for (time, act, go) in cases {
        let mut session = greeted(uci());
        session.tell(&start(time));
        session.answers("readyok", "ready");
        assert_eq!(session.tell(act), format!("position startpos\n{go}"));
    }
    let clock = "per-game=9000 increment=0 per-move=none";
    let move_limit = "per-game=none increment=0 per-move=50";
    for (time, movetime, act, words) in [
        (clock, Some(70), "act 9000 8000", "movetime 70"),
        (clock, None, "act 9000 8000", "wtime 9000 btime 8000"),
        (move_limit, Some(40), "act none none", "movetime 40"),
    ] {
        let go = SearchLimits {
            nodes: Some(1000),
            depth: Some(9),
            movetime: movetime.map(Duration::from_millis),
        };
        let mut session = greeted(EngineTerms { go, ..uci() });
        session.tell(&start(time));
        session.answers("readyok", "ready");
        let expected = format!("position startpos\ngo nodes 1000 depth 9 {words}\n");
        assert_eq!(session.tell(act), expected);
    }
}

#[test]
fn positions_and_variants_are_set_up() {
    let mut session = EngineSession::new(uci());
    session.tell("referee 1");
    session
        .hear("option name UCI_Chess960 type check\nuciok\nreadyok")
        .expect("no fault");
    session.sent();
    let time = "seed=1 measure=wall per-game=none increment=0 per-move=50";
    let start = format!("start chess black {time} variant=fischer-random start=8/8_w_-_-_0_1");
    assert_eq!(
        session.tell(&start),
        "setoption name UCI_Chess960 value true\nucinewgame\nisready\n"
    );
    session.answers("readyok", "ready");
    session.tell("did white a1a2");
    assert_eq!(
        session.tell("act none none"),
        "position fen 8/8 w - - 0 1 moves a1a2\ngo movetime 45\n"
    );
    // A game that ends while the engine searches ends its search.
    assert_eq!(session.tell("end none void"), "stop\n");
    let start = format!("start chess white {time} variant=standard");
    assert_eq!(
        session.tell(&start),
        "setoption name UCI_Chess960 value false\nucinewgame\nisready\n"
    );
    let mut session = greeted(uci());
    session.tell(&format!("start chess white {time} variant=fischer-random"));
    let fault = session.hear("readyok").expect_err("it has no such option");
    assert!(fault.to_string().contains("`UCI_Chess960`"), "{fault}");
}

#[test]
fn the_move_of_a_game_that_has_ended_is_passed_over() {
    let mut session = greeted(uci());
    let start = start("per-game=none increment=0 per-move=50");
    session.tell(&start);
    session.answers("readyok", "ready");
    session.tell("act none none");
    assert_eq!(session.tell("end none void"), "stop\n");
    session.tell(&start);
    session.answers("bestmove e2e4\nreadyok", "ready");
    session.tell("act none none");
    session.answers("bestmove d2d4", "d2d4");
}

#[test]
fn a_variant_of_a_rules_program_is_named_to_the_engine() {
    let mut session = EngineSession::new(uci());
    session.tell("referee 1");
    session
        .hear("option name UCI_Variant type combo default chess var chess var crazyhouse\nuciok\nreadyok")
        .expect("no fault");
    session.sent();
    let time = "seed=1 measure=wall per-game=none increment=0 per-move=50";
    assert_eq!(
        session.tell(&format!(
            "start house white {time} variant=crazyhouse start=startpos"
        )),
        "setoption name UCI_Variant value crazyhouse\nucinewgame\nisready\n"
    );
    session.answers("readyok", "ready");
    assert_eq!(
        session.tell("act none none"),
        "position startpos\ngo movetime 45\n"
    );
    session.answers("bestmove P@e5", "P@e5");
    session.tell("end white rules");
    assert_eq!(
        session.tell(&format!("start chess white {time} variant=standard")),
        "setoption name UCI_Variant value chess\nucinewgame\nisready\n"
    );
    session.answers("readyok", "ready");
    session.tell(&format!("start house white {time} variant=atomic"));
    assert_eq!(
        session.hear("readyok").expect_err("it has two").to_string(),
        "it cannot play atomic: the engine's option `UCI_Variant` cannot be `atomic`: expected one of chess, crazyhouse"
    );
}

#[test]
fn an_engine_that_does_not_know_the_protocol_is_told() {
    for line in [
        "Error (unknown command): uci",
        "White (1) : Invalid move: uci",
    ] {
        let mut session = EngineSession::new(uci());
        session.tell("referee 1");
        let heard = session.hear(&format!("A greeting\n{line}"));
        assert_eq!(
            heard.expect_err("refused").to_string(),
            format!(
                "the engine answers `{line}` to `uci`: it may speak xboard alone, which is not spoken here"
            )
        );
    }
}

#[test]
fn shogi_has_words_of_its_own() {
    let mut session = EngineSession::new(EngineTerms::new(EngineProtocol::Usi));
    assert_eq!(session.tell("referee 1"), "usi\n");
    session.hear("uciok").expect("no fault");
    assert_eq!(session.sent(), "");
    session.hear("id name S\nusiok").expect("no fault");
    assert_eq!(session.sent(), "isready\n");
    session.answers("readyok", "bot 1 S tunes");
    let start = |time: &str| format!("start shogi black seed=1 measure=wall {time}");
    let clock = start("per-game=9000 increment=100 per-move=none start=lnsg/1_b_-_1");
    assert_eq!(session.tell(&clock), "usinewgame\nisready\n");
    session.answers("readyok", "ready");
    assert_eq!(
        session.tell("act 9000 8000"),
        "position sfen lnsg/1 b - 1\ngo wtime 8000 btime 9000 winc 100 binc 100\n"
    );
    session.answers("info score cp 12 depth 4\nbestmove 7g7f", "7g7f");
    session.tell("did black 7g7f");
    session.tell("did white 3c3d");
    session.tell("act 9000 8000");
    session.answers("bestmove resign", "resign");
    assert_eq!(session.tell("end white rules resigned"), "gameover lose\n");
    session.tell(&start("per-game=none increment=0 per-move=1000"));
    session.answers("readyok", "ready");
    assert_eq!(
        session.tell("act none none"),
        "position startpos\ngo btime 0 wtime 0 byoyomi 980\n"
    );
    session.answers("bestmove 7g7f", "7g7f");
    assert_eq!(session.tell("end black rules checkmate"), "gameover win\n");
}
