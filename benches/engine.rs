//! Benchmarks of the engine on the cheapest environment.
//!
//! They measure resets, snapshots, and synchronous and asynchronous steps for several pool sizes and numbers of threads. The
//! engine's queue and ring buffer are private; the asynchronous benchmarks exercise both.

mod bench_pool;

use std::hint::black_box;
use std::time::Duration;

use bench_pool::{BenchPool, PoolShape};
use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};

const TASK: &str = "CartPole-v1";

fn group<'a>(criterion: &'a mut Criterion, name: &str) -> BenchmarkGroup<'a, WallTime> {
    let mut group = criterion.benchmark_group(name);
    group.sample_size(30).warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_millis(900));
    group
}

/// Measures synchronous steps. The caller's thread also steps environments, so a benchmark with `threads` threads has one worker
/// less.
fn sync_step(criterion: &mut Criterion) {
    let mut group = group(criterion, "sync step");
    for num_envs in [1, 8, 64, 1024, 65536] {
        group.throughput(Throughput::Elements(num_envs as u64));
        for threads in [1, 2] {
            let mut bench = BenchPool::new(TASK, PoolShape::sync(num_envs, threads - 1));
            let id = BenchmarkId::new(format!("{threads} threads"), num_envs);
            group.bench_function(id, |bencher| bencher.iter(|| bench.step()));
        }
    }
    group.finish();
}

fn async_step(criterion: &mut Criterion) {
    let mut group = group(criterion, "async step");
    for (num_envs, batch_size) in [(64, 16), (1024, 256)] {
        group.throughput(Throughput::Elements(batch_size as u64));
        for workers in [1, 2] {
            let mut bench = BenchPool::new(TASK, PoolShape { num_envs, batch_size, workers });
            let id = BenchmarkId::new(format!("{workers} workers"), format!("{num_envs}/{batch_size}"));
            group.bench_function(id, |bencher| bencher.iter(|| bench.receive_and_send()));
        }
    }
    group.finish();
}

fn reset(criterion: &mut Criterion) {
    let mut group = group(criterion, "reset");
    for num_envs in [1, 1024] {
        group.throughput(Throughput::Elements(num_envs as u64));
        let mut bench = BenchPool::new(TASK, PoolShape::sync(num_envs, 0));
        group.bench_function(BenchmarkId::from_parameter(num_envs), |bencher| bencher.iter(|| bench.reset()));
    }
    group.finish();
}

fn snapshot(criterion: &mut Criterion) {
    let mut group = group(criterion, "snapshot of 1024 lanes");
    group.throughput(Throughput::Elements(1024));
    let mut bench = BenchPool::new(TASK, PoolShape::sync(1024, 0));
    bench.step();
    let states = bench.pool.get_state(None).expect("nothing is in flight");
    group.bench_function("get_state", |bencher| bencher.iter(|| black_box(bench.pool.get_state(None))));
    group.bench_function("set_state", |bencher| bencher.iter(|| black_box(bench.pool.set_state(&states, None))));
    group.finish();
}

criterion_group!(benches, sync_step, async_step, reset, snapshot);
criterion_main!(benches);
