//! Benchmarks of one step of each task, in a pool of 1024 environments on the caller's thread.
//!
//! Actions are random, so resets are as frequent as under a random policy.

mod bench_pool;

use std::time::Duration;

use bench_pool::{BenchPool, PoolShape};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use envpool_rs::{engine::Task, envs};

const LANES: usize = 1024;

fn step_of_each_task(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("step of 1024 lanes");
    group.throughput(Throughput::Elements(LANES as u64));
    group.sample_size(30).warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_millis(900));
    let has_all_it_needs = |task: &&Task| !task.options.iter().any(|option| option.is_path);
    for task in envs::registry().tasks().iter().filter(has_all_it_needs) {
        let mut bench = BenchPool::new(task.id, PoolShape::sync(LANES, 0));
        group.bench_function(task.id, |bencher| bencher.iter(|| bench.step()));
    }
    group.finish();
}

criterion_group!(benches, step_of_each_task);
criterion_main!(benches);
