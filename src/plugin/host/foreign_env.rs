//! Implements the engine's trait [`ForeignEnv`] for an environment of a library.

use std::ops::Range;

use crate::abi::{self, ENV_ROOM};
use crate::host::check::CheckedLanes;
use crate::host::current_call::CurrentCall;
use crate::host::env::LibraryEnv;
use crate::host::lanes::LibraryLanes;
use crate::host::memory::LaneMemory;
use envpool_rs_engine::{EnvSpec, ForeignEnv, ForeignLanes, ForeignProperties, RenderSpec, Result, Scheduling};

impl ForeignEnv for LibraryEnv {
    fn spec(&self) -> EnvSpec {
        self.spec.clone()
    }

    fn render_spec(&self) -> RenderSpec {
        self.rendering
    }

    fn properties(&self) -> ForeignProperties {
        let view = &self.view;
        let most = usize::try_from(view.most_lanes).unwrap_or(usize::MAX);
        ForeignProperties {
            scheduling: match view.together {
                _ if self.has(abi::UNIFORM) => Scheduling::Uniform,
                0 | 1 => Scheduling::OneByOne,
                together => Scheduling::Batched(together as usize),
            },
            max_lanes: if most == 0 { usize::MAX } else { most },
            truncation_wins: self.has(abi::TRUNCATION_WINS),
            lane_bytes: self.state_bytes() + size_of::<abi::Random>() + view.lane_heap as usize,
            shared_bytes: ENV_ROOM + view.shared_heap as usize,
            thread_bytes: view.scratch_size as usize,
        }
    }

    fn is_slow_to_load(&self) -> bool {
        self.view.prepare.is_some()
    }

    fn load(&mut self) -> Result<()> {
        let path = self.table.path.clone();
        let _call = CurrentCall::enter(&path, "prepare");
        self.prepare()
    }

    fn create_lanes(
        self: Box<Self>,
        lanes: Range<usize>,
        check: &mut dyn FnMut() -> Result<()>,
    ) -> Result<Box<dyn ForeignLanes>> {
        let is_checked = self.is_checked;
        let memory = LaneMemory::new(lanes.len(), &self.view, self.table.drawn, is_checked)?;
        let lanes = LibraryLanes::new(self, memory, lanes)?;
        lanes.create_all(check)?;
        Ok(if is_checked { Box::new(CheckedLanes::new(lanes)) } else { Box::new(lanes) })
    }
}
