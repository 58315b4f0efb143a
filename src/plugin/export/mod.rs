//! Exports Rust environments as libraries: the macro [`plugin!`](crate::plugin) exports ordinary [`Env`](envpool_rs_engine::Env)s
//! and [`Kernel`](envpool_rs_engine::Kernel)s of a crate.
//!
//! States live in the pool's memory. Environments that draw from numpy's `Generator` use the pool's streams; other streams are
//! stored in the states. Panics, and errors that environments raise, become errors of their lane or of the call.
//!
//! Creating an environment fails if it has properties for which the C interface has no field, and the error names the property.
//! These properties are `Tuple` spaces, `Raw` element types, properties of EnvPool's dialect, options that are lists, tables,
//! pairs or `None`, aliases, and time limits that depend on options. Cameras and depth are not exported: environments that have
//! them render their default camera.

mod actions;
mod arrays;
mod env_table;
mod guard;
mod kernel_table;
mod lane_memory;
mod lanes;
mod options;
mod rows;
mod task;
mod variants;

pub use task::{ExportedTask, library};

/// Exports environments of this crate, which is a library of type `cdylib`.
///
/// ```ignore
/// envpool_rs::plugin! {
///     "guessing",
///     env GuessNumber: "GuessNumber-v0" max_episode_steps(10) reward_threshold(7.5),
///     env GuessNumber: "GuessNumberLarge-v0" max_episode_steps(30) preset("range", 1024),
///     kernel CartPole: "FastCartPole-v0" max_episode_steps(500),
///     ..further_tasks()
/// }
/// ```
///
/// The first argument is the library's name, which snapshots contain, with the crate's version. Each further argument is `env` or
/// `kernel`, followed by a type, a name, and calls of [`ExportedTask`]'s methods. The expression after `..` is an iterator of
/// further [`ExportedTask`]s. Panics must unwind: with `panic = "abort"`, a panic would end the pool's process.
#[macro_export]
macro_rules! plugin {
    (
        $name:literal
        $(, $kind:ident $type:ty : $id:literal $($method:ident ($($argument:expr),* $(,)?))*)*
        $(, .. $more:expr)?
        $(,)?
    ) => {
        #[cfg(panic = "abort")]
        compile_error!("panic = \"abort\": expected \"unwind\"; a panic of an environment would end the pool's process");

        /// Returns the tasks of this library.
        #[allow(dead_code, unused_mut, reason = "for tests of this crate; some libraries have no further tasks")]
        pub fn envpool_rs_tasks() -> ::std::vec::Vec<$crate::export::ExportedTask> {
            let mut tasks =
                ::std::vec![$($crate::export::ExportedTask::$kind::<$type>($id)$(.$method($($argument),*))*),*];
            $(tasks.extend($more);)?
            tasks
        }

        /// Returns the table of this library's tasks; pools call it once.
        ///
        /// # Safety
        /// `_host` points at the functions of a pool, which stay valid until the process ends.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn envpool_rs_library_0(_host: *const $crate::abi::Host) -> *const $crate::abi::Library {
            $crate::export::library($name, env!("CARGO_PKG_VERSION"), envpool_rs_tasks())
        }
    };
}
