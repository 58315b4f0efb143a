use std::panic::{AssertUnwindSafe, catch_unwind};

use super::*;
use crate::contract::config::PoolConfig;
use crate::contract::space::Space;
use crate::contract::spec::EnvSpec;
use crate::results::layout::{Dialect, Format, Outputs};

fn batch(capacity: usize) -> Batch {
    let outputs = Outputs { dialect: Dialect::EnvPool, format: Format::Gymnasium };
    let spec = EnvSpec::new(Space::discrete(2), Space::discrete(2));
    let layout = Layout::new(&spec, outputs, &PoolConfig::new(capacity as i64).unwrap());
    Batch::new(&Arc::new(layout), capacity, 0).unwrap()
}

#[test]
fn lanes_beyond_the_capacity_are_refused_before_they_are_written() {
    let mut batch = batch(3);
    batch.set_lanes([7, 8, 9].into_iter());
    // Sets the capacity to two rows, although the memory holds three, so that writes beyond the capacity stay inside the memory.
    (batch.capacity, batch.room) = (2, 2);
    let refused = catch_unwind(AssertUnwindSafe(|| batch.set_lanes([1, 2, 3].into_iter())));
    assert!(refused.is_err() && batch.rows() == 2);
    (batch.capacity, batch.room) = (3, 3);
    batch.rows = 3;
    assert_eq!(batch.lanes(), [1, 2, 9]);
}
