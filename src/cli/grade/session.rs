//! The supervisor of bots and the signals, which every grading needs.

use std::sync::Arc;

use crate::bot::Supervisor;
use crate::cli::arguments::{signals, supervisor};
use crate::cli::exit::Failure;
use crate::grade::{GradeFolder, GradeOptions, GradeRequest, Grading, Listen};
use crate::runner::Interrupt;

/// The supervisor of bots, and the interrupt that signals cause.
pub(super) struct GradeSession {
    supervisor: Supervisor,
    pub interrupt: Arc<Interrupt>,
}

impl GradeSession {
    /// From here on, signals interrupt the grading.
    pub fn begin() -> Result<Self, Failure> {
        Ok(Self {
            interrupt: signals()?,
            supervisor: supervisor()?,
        })
    }

    /// A request for a grading in this session.
    pub fn request<'a>(
        &'a self,
        grading: &'a Grading,
        folder: &'a GradeFolder,
        options: &'a GradeOptions,
        listen: &'a Listen<'a>,
    ) -> GradeRequest<'a> {
        GradeRequest {
            grading,
            folder,
            options,
            supervisor: &self.supervisor,
            interrupt: &self.interrupt,
            listen,
        }
    }
}
