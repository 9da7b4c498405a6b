//! A program that answers requests in several lines each and is no player: it has a deadline for an answer, and no
//! clock of a game.

use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rustix::process::Pid;
use rustix::thread::sched_yield;

use super::child_process::{ChildProcess, Workplace};
use super::connection::Connection;
use crate::bot::machine::{
    self, ContentionMeter, CpuMeter, DelayVerdict, Lane, Patience, lane, process_tree,
};
use crate::bot::pipes::{CancelPipe, Log, ReadOutcome};
use crate::bot::player::LOOK;
use crate::bot::supervise::{Confinement, ProcessEnd, Supervisor};
use crate::bot::{Fault, Launch, OutputLimits};

/// A contained program behind pipes. Dropping this value ends it, with everything that it started.
#[derive(Debug)]
pub struct Service {
    io: Connection,
    /// For the fault of a failed start, until the program runs.
    launch: Option<Launch>,
    /// Bytes of lines taken since the answer began.
    taken: usize,
    place: Option<Arc<Workplace>>,
    process: Option<Running>,
    /// When the answer began to be waited for.
    asked: Instant,
    /// When the program is looked at again, if it has not answered.
    due: Instant,
    contention: ContentionMeter,
    /// Processor time of the program at the first look at it in this answer; `None` before.
    cpu_before: Option<Duration>,
}

#[derive(Debug)]
struct Running {
    pid: Pid,
    tree_root: Option<Pid>,
    cpu: CpuMeter,
}

impl Running {
    fn tree(&self) -> Vec<Pid> {
        let descendants = self.tree_root.map(process_tree::descendants);
        descendants.unwrap_or_else(|| vec![self.pid])
    }
}

impl Service {
    /// Starts the program below a shim, without waiting for it. The first line that is waited for reports a failed
    /// start.
    pub fn start(
        launch: &Launch,
        limits: OutputLimits,
        supervisor: &Supervisor,
        confinement: &Confinement,
    ) -> Result<Self, Fault> {
        let child = ChildProcess::start(launch, supervisor, confinement);
        let started = child.and_then(|child| Self::new(child, launch, limits));
        started.map_err(Fault::Machine)
    }

    fn new(child: ChildProcess, launch: &Launch, limits: OutputLimits) -> io::Result<Self> {
        Ok(Self {
            io: Connection::new(child, limits)?,
            launch: Some(launch.clone()),
            taken: 0,
            place: None,
            process: None,
            asked: Instant::now(),
            due: Instant::now(),
            contention: ContentionMeter::new(Patience::Long),
            cpu_before: None,
        })
    }

    /// Every wait ends with [`Fault::BrokenOff`] once `pipe` is cancelled.
    pub fn set_cancel(&mut self, pipe: Option<Arc<CancelPipe>>) {
        self.io.cancel = pipe;
    }

    /// Queues bytes of a request. They are sent while the next line is waited for, in one write where the pipe takes
    /// them.
    pub fn queue(&mut self, bytes: &[u8]) {
        self.io.outbox.push(bytes);
    }

    /// Begins to wait for an answer: its time and its bytes count from now on.
    pub fn begin_answer(&mut self) {
        self.taken = 0;
        self.asked = Instant::now();
        self.due = self.asked + LOOK;
        self.cpu_before = None;
    }

    /// Sends the queue, and waits for the next line that is no comment. `line` has it without its ending. Comments go to
    /// the log. The whole answer may take as long as `limit`, without the time that the machine kept the program from a
    /// processor.
    ///
    /// # Errors
    ///
    /// No line came, or one beyond the limits.
    pub fn line(&mut self, limit: Duration, line: &mut String) -> Result<(), Fault> {
        self.io.outbox.flush();
        if let Some(launch) = self.launch.take() {
            let started = self.io.child.wait_for_start();
            let started = started.map_err(|error| launch.fault(error))?;
            self.process = Some(Running {
                pid: started.pid,
                tree_root: self.io.child.tree_root_in_any_case(),
                cpu: CpuMeter::new(&started, None),
            });
        }
        let mut lane_due = None;
        let mut has_yielded = false;
        loop {
            if self.take_line(line)? {
                return Ok(());
            }
            match self.io.pull_stdout()? {
                ReadOutcome::Bytes(_) => continue,
                ReadOutcome::End => return Err(self.io.child.fault()),
                ReadOutcome::Nothing => {}
            }
            let shares = || self.lane().is_some_and(Lane::shares_processor);
            if !std::mem::replace(&mut has_yielded, true) && shares() {
                sched_yield();
                continue;
            }
            let now = Instant::now();
            if now >= self.due {
                self.due = self.look(limit, now)?;
            }
            let until = match self.lane().filter(|lane| lane.is_kept()) {
                None => self.due,
                Some(lane) => {
                    let lane_due = *lane_due.get_or_insert(now + lane::LATE);
                    if now >= lane_due {
                        lane.release();
                    }
                    self.due.min(lane_due.max(now))
                }
            };
            self.wait(until)?;
        }
    }

    /// Looks at a program that has not answered. Returns when the next look is due.
    fn look(&mut self, limit: Duration, now: Instant) -> Result<Instant, Fault> {
        let Some(process) = &mut self.process else {
            return Err(self.io.child.fault());
        };
        let deadline = self.asked + limit;
        let next = (now + LOOK).min(deadline);
        let cpu = process.cpu.read(process.tree_root, now);
        let Some(before) = self.cpu_before else {
            self.cpu_before = Some(cpu);
            self.contention.begin_turn();
            self.contention.record_request(now);
            let tree = process.tree();
            self.contention.take_baseline(&tree, Duration::ZERO);
            return Ok(next);
        };
        let cpu = cpu.saturating_sub(before);
        if self.contention.must_look() {
            self.contention.sample(&process.tree(), now, cpu);
        }
        if now < deadline {
            return Ok(next);
        }
        let waited = now - self.asked;
        let lost = machine::given_back(machine::lost(self.asked, now), waited, cpu);
        let tree = process.tree();
        self.contention.measure(&tree, waited - lost, cpu);
        match self.contention.verdict(self.asked + lost, limit) {
            DelayVerdict::WaitUntil(later) => Ok(later),
            DelayVerdict::Late | DelayVerdict::Starved => match self.io.pull_stdout()? {
                // It wrote while it was looked at.
                ReadOutcome::Bytes(_) => Ok(next),
                ReadOutcome::Nothing | ReadOutcome::End => Err(Fault::Late {
                    missing: "answer".into(),
                    limit,
                    waited,
                }),
            },
        }
    }

    fn lane(&self) -> Option<&Lane> {
        self.place.as_ref()?.lane.as_deref()
    }

    pub fn works_at(&self, place: Option<&Arc<Workplace>>) -> bool {
        match (&self.place, place) {
            (None, None) => true,
            (Some(own), Some(place)) => Arc::ptr_eq(own, place),
            _ => false,
        }
    }

    /// Whether it works at no place, or at one that was left.
    pub fn is_free(&self) -> bool {
        self.place.as_ref().is_none_or(|place| place.was_left())
    }

    /// Works at this place from now on: on its processors, and until it is cancelled.
    pub fn move_to(&mut self, place: Option<Arc<Workplace>>) {
        if self.works_at(place.as_ref()) {
            return;
        }
        let Some(Running { pid, tree_root, .. }) = self.process else {
            return;
        };
        let before = std::mem::replace(&mut self.place, place);
        if let Some(lane) = before.as_ref().and_then(|place| place.lane.as_ref()) {
            lane.leave(pid);
        }
        let place = self.place.as_deref();
        self.io.cancel = place.and_then(|place| place.cancel.clone());
        let cpus = place.map(|place| place.cpus.as_slice()).unwrap_or_default();
        if !cpus.is_empty() || before.is_some_and(|place| place.binds()) {
            lane::place(pid, tree_root, cpus);
        }
        if let Some(lane) = self.lane() {
            lane.join_late(pid, tree_root);
        }
    }

    pub fn answered(&self, took: Duration) {
        if let Some(lane) = self.lane() {
            lane.served(took);
        }
    }

    /// Leaves its lane, so that no processor is kept for a program that ends.
    fn leave_lane(&mut self) {
        let place = self.place.take();
        if let (Some(lane), Some(process)) =
            (place.and_then(|place| place.lane.clone()), &self.process)
        {
            lane.leave(process.pid);
        }
    }

    fn wait(&mut self, deadline: Instant) -> Result<(), Fault> {
        let Some(streams) = self.io.streams_until(deadline) else {
            return Err(self.io.child.fault());
        };
        let ready = streams.wait().map_err(Fault::Machine)?;
        self.io.serve(ready)
    }

    fn take_line(&mut self, line: &mut String) -> Result<bool, Fault> {
        let limit = self.io.limits.turn;
        self.io.take_line(line, |text| {
            self.taken += text.len() + 1;
            match self.taken > limit {
                true => Err(Fault::Flood { limit }),
                false => Ok(()),
            }
        })
    }

    /// Takes the output on stderr and the comments since the last call.
    pub fn take_log(&mut self) -> Log {
        self.io.take_log()
    }

    /// Whether the program was killed by SIGKILL, or its supervisor was.
    pub fn was_killed(&mut self) -> bool {
        let end = self.io.child.look_for_end(Duration::ZERO);
        matches!(
            end,
            Ok(Some(ProcessEnd::Signal(9) | ProcessEnd::Unsupervised))
        )
    }

    /// Peak memory of the program and its descendants since the last call, in KiB, where known.
    pub fn peak_kib(&mut self) -> Option<u64> {
        self.io.child.peak_kib()
    }

    /// Sends the queue, and waits for the program to exit by itself within `grace`. Returns whether it did.
    pub fn exits(&mut self, grace: Duration) -> bool {
        self.leave_lane();
        self.io.outbox.flush();
        self.io.child.wait(grace)
    }

    /// Closes the program's stdin and ends it, by force if it has not exited within `grace`. Returns whether it
    /// exited by itself.
    pub fn close(&mut self, grace: Duration) -> bool {
        self.leave_lane();
        self.io.outbox.close();
        let exited = self.io.child.wait(grace);
        self.io.child.finish();
        exited
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        self.leave_lane();
    }
}
