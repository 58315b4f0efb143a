//! A library for tests and benchmarks: CartPole as an `Env` and as a `Kernel`, and an environment that fails on request.

mod cart_pole;
mod failures;

use cart_pole::{EnvCartPole, KernelCartPole};

envpool_rs::plugin! {
    "rust_tasks",
    env EnvCartPole: "RustEnvCartPole-v1" max_episode_steps(500) reward_threshold(475.0),
    kernel KernelCartPole: "RustKernelCartPole-v1" max_episode_steps(500) reward_threshold(475.0),
    ..failures::tasks()
}
