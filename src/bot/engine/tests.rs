use super::*;

/// An engine, and what it was sent.
struct Session {
    engine: Engine,
    out: Outbox,
    log: Log,
    values: Values,
}

impl Session {
    fn new(terms: EngineTerms) -> Self {
        Self {
            engine: Engine::new(terms, Duration::ZERO),
            out: Outbox::new(None),
            log: Log::default(),
            values: Values::default(),
        }
    }

    /// The lines for a message that is sent at once.
    fn tell(&mut self, line: &str) -> String {
        let message = ToBot::parse(line).expect(line);
        self.engine.tell(&message, &mut self.out);
        self.engine.ask();
        self.sent()
    }

    fn sent(&mut self) -> String {
        let text = self.out.text();
        self.out.flush();
        text
    }

    /// The answer that these lines of the engine make.
    fn hear(&mut self, lines: &str) -> Result<Option<String>, Fault> {
        for line in lines.lines() {
            let mut answer = String::new();
            let lent = Lent {
                outbox: &mut self.out,
                log: &mut self.log,
                values: &mut self.values,
                kept: 1000,
                answer: &mut answer,
            };
            if self.engine.hear(line.as_bytes(), lent)? {
                return Ok(Some(answer));
            }
        }
        Ok(None)
    }

    #[track_caller]
    fn answers(&mut self, lines: &str, answer: &str) {
        assert_eq!(self.hear(lines).expect("no fault").as_deref(), Some(answer));
    }

    /// An engine that is ready for a game.
    fn greeted(terms: EngineTerms) -> Self {
        let mut session = Self::new(terms);
        session.tell("referee 1");
        session
            .hear("option name Hash type spin\nuciok")
            .expect("no fault");
        session.answers("readyok", "bot 1 engine");
        session.sent();
        session
    }
}

fn start(words: &str) -> String {
    format!("start chess white seed=1 measure=wall {words} variant=standard")
}

#[test]
fn a_game_is_a_conversation_in_uci() {
    let mut session = Session::new(EngineTerms {
        options: vec![("hash".to_owned(), "8".to_owned())],
        ..EngineTerms::default()
    });
    assert_eq!(session.tell("referee 1"), "uci\n");
    let said = session
        .hear("Welcome\nid name A  B\u{7} 1\noption name Hash type spin min 1 max 9\nuciok\n");
    assert!(said.expect("no fault").is_none());
    assert_eq!(session.sent(), "setoption name Hash value 8\nisready\n");
    session.answers("readyok", "bot 1 A-B-1");
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
    for (time, act, go) in [
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
    ] {
        let mut session = Session::greeted(EngineTerms::default());
        session.tell(&start(time));
        session.answers("readyok", "ready");
        assert_eq!(session.tell(act), format!("position startpos\n{go}"));
    }
    let go = SearchLimits {
        nodes: Some(1000),
        depth: Some(9),
        time: Some(Duration::from_millis(70)),
    };
    let mut session = Session::greeted(EngineTerms {
        go,
        ..EngineTerms::default()
    });
    session.tell(&start("per-game=9000 increment=0 per-move=none"));
    session.answers("readyok", "ready");
    let lines = session.tell("act 9000 9000");
    assert_eq!(
        lines,
        "position startpos\ngo nodes 1000 depth 9 movetime 70\n"
    );
}

#[test]
fn positions_and_variants_are_set_up() {
    let mut session = Session::new(EngineTerms::default());
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
    let mut session = Session::greeted(EngineTerms::default());
    session.tell(&format!("start chess white {time} variant=fischer-random"));
    let fault = session.hear("readyok").expect_err("it has no such option");
    assert!(fault.to_string().contains("`UCI_Chess960`"), "{fault}");
}

#[test]
fn what_nobody_asked_for_is_a_fault_or_nothing() {
    let mut session = Session::greeted(EngineTerms::default());
    assert!(
        session
            .hear("uciok\nreadyok\ninfo depth 1\n\nnonsense")
            .expect("no fault")
            .is_none()
    );
    let fault = session.hear("bestmove e2e4").expect_err("no `go`");
    assert!(matches!(fault, Fault::MoveUnasked { .. }), "{fault}");
    session.tell(&start("per-game=none increment=0 per-move=50"));
    assert!(session.hear("bestmove e2e4").is_err());
    session.answers("readyok", "ready");
    session.tell("act none none");
    session.answers("bestmove e2e4", "e2e4");
    assert!(session.hear("bestmove e2e4").is_err());
}
