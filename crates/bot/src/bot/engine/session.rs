//! A conversation with an engine, for tests.

use std::time::Duration;

use super::{Engine, EngineTerms, Lent};
use crate::bot::fault::Fault;
use crate::bot::pipes::{Log, Outbox};
use crate::bot::values::Values;
use crate::protocol::ToBot;

pub(super) struct EngineSession {
    pub engine: Engine,
    out: Outbox,
    pub log: Log,
    pub values: Values,
}

impl EngineSession {
    pub fn new(terms: EngineTerms) -> Self {
        Self {
            engine: Engine::new(terms, Duration::ZERO),
            out: Outbox::new(None),
            log: Log::default(),
            values: Values::default(),
        }
    }

    pub fn queue(&mut self, line: &str) {
        let message = ToBot::parse(line).expect(line);
        self.engine.translator.tell(&message, &mut self.out);
    }

    /// The lines for a message that is sent at once.
    pub fn tell(&mut self, line: &str) -> String {
        self.queue(line);
        self.engine.translator.ask();
        self.sent()
    }

    pub fn sent(&mut self) -> String {
        let text = self.out.text();
        self.out.flush();
        text
    }

    pub fn hear(&mut self, lines: &str) -> Result<Option<String>, Fault> {
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
    pub fn answers(&mut self, lines: &str, answer: &str) {
        assert_eq!(self.hear(lines).expect("no fault").as_deref(), Some(answer));
    }
}
