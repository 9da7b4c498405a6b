//! The dispatcher: hands out games, keeps the journal, and sees to it that a run ends in order.

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

use super::game_queue::{GameQueue, NextGame};
use super::worker::GameReport;
use super::{Errand, Event, Report, RunError, Stop};
use crate::record::RunFolder;

/// How often the dispatcher looks whether the run is to stop while no game ends.
const STOP_LOOK: Duration = Duration::from_millis(100);

fn gone() -> RunError {
    RunError::Worker("it stopped without a report".to_owned())
}

/// Has all workers send away the bots that wait for their next game, and waits until they are gone.
fn rest(desks: &[Sender<Errand>]) -> Result<(), RunError> {
    let (done, all_done) = channel();
    for desk in desks {
        desk.send(Errand::Rest(done.clone())).map_err(|_| gone())?;
    }
    drop(done);
    // Nobody sends anything: it ends when the last worker has dropped its end.
    all_done.iter().for_each(drop);
    Ok(())
}

/// Hands out games until there are none left and none in play.
pub(super) fn dispatch(
    queue: &mut GameQueue,
    folder: &mut RunFolder,
    desks: &[Sender<Errand>],
    reports: &Receiver<Report>,
    stop: &Stop,
    listen: &mut dyn FnMut(&Event<'_>),
) -> Result<(), RunError> {
    let mut told = Told::default();
    let mut trouble = None;
    let mut broken_off = 0;
    // Whether the game in play is to be the only one, since it was void before.
    let mut alone = false;
    let mut in_play = 0;
    // Desks without a game; the first gets the next one.
    let mut free: Vec<usize> = (0..desks.len()).rev().collect();
    loop {
        while !stop.is_soon()
            && !alone
            && let Some(desk) = free.last()
        {
            let game = match queue.next(in_play) {
                NextGame::Play(game) => game,
                NextGame::Wait | NextGame::Done => break,
                NextGame::Unplanned(game) => {
                    trouble = Some(RunError::UnplannedGame(game));
                    stop.soon();
                    break;
                }
            };
            if game.was_void {
                rest(desks)?;
                alone = true;
            }
            desks[*desk].send(Errand::Play(game)).map_err(|_| gone())?;
            free.pop();
            in_play += 1;
        }
        if in_play == 0 {
            break;
        }
        let report = reports.recv_timeout(STOP_LOOK);
        if trouble.is_none() {
            // Otherwise nobody asked for it, and the trouble is told in the end.
            told.tell(stop, in_play, listen);
        }
        let outcome = match report {
            Ok(report) => {
                in_play -= 1;
                alone = false;
                free.push(report.worker);
                take_in(report, queue, folder, stop, listen)
            }
            Err(RecvTimeoutError::Timeout) => {
                let synced = folder.sync(false).map_err(RunError::Record);
                synced.map(|()| true)
            }
            Err(RecvTimeoutError::Disconnected) => return Err(gone()),
        };
        match outcome {
            Ok(kept) => broken_off += usize::from(!kept),
            Err(error) => {
                // Games in play are finished and kept where they can be; where nothing can be
                // written any more they are broken off.
                match error {
                    RunError::Record(_) => stop.now(),
                    _ => stop.soon(),
                }
                trouble.get_or_insert(error);
            }
        }
    }
    if let Some(error) = trouble {
        return Err(error);
    }
    folder.sync(true).map_err(RunError::Record)?;
    match queue.next(in_play) {
        NextGame::Done => Ok(()),
        NextGame::Unplanned(game) => Err(RunError::UnplannedGame(game)),
        NextGame::Play(_) | NextGame::Wait if stop.is_soon() => Err(RunError::Stopped {
            left: queue.left(),
            broken_off,
        }),
        NextGame::Play(_) | NextGame::Wait => Err(RunError::Worker(
            "the schedule waits for games that nobody plays".to_owned(),
        )),
    }
}

/// Takes in what became of a game. `false` if it was broken off.
fn take_in(
    report: Report,
    queue: &mut GameQueue,
    folder: &mut RunFolder,
    stop: &Stop,
    listen: &mut dyn FnMut(&Event<'_>),
) -> Result<bool, RunError> {
    let id = report.game.id;
    match report.played.map_err(RunError::Record)? {
        GameReport::Finished(row) => {
            folder.append(&row).map_err(RunError::Record)?;
            queue.record(row.id, row.end.result);
            listen(&Event::Finished(&row));
        }
        GameReport::Void(_) if stop.is_now() => {
            queue.take_back(report.game);
            return Ok(false);
        }
        GameReport::Void(cause) if report.game.was_void => {
            return Err(RunError::Halted { id, cause });
        }
        GameReport::Void(cause) => {
            listen(&Event::Void { id, cause: &cause });
            queue.take_back(report.game);
        }
    }
    Ok(true)
}

/// What has been said about stopping.
#[derive(Default)]
struct Told {
    soon: bool,
    now: bool,
}

impl Told {
    /// Says what has been asked for since it was last said.
    fn tell(&mut self, stop: &Stop, in_play: usize, listen: &mut dyn FnMut(&Event<'_>)) {
        if stop.is_now() && !self.now {
            (self.soon, self.now) = (true, true);
            listen(&Event::BreakingOff { in_play });
        } else if stop.is_soon() && !self.soon {
            self.soon = true;
            listen(&Event::Stopping { in_play });
        }
    }
}
