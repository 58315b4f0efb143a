//! Tests XLA's handlers with valid and invalid call frames.

use std::sync::Arc;

use proptest::prelude::*;

use super::c_api::{Handler, data_type};
use super::entry::{HANDLERS, OTHER_PLATFORMS};
use super::exposed_pools::{ExposedPool, HANDLE_BYTES};
use super::test_frame::{Array, Reported, TestCall, version_of};
use super::xla_error::Code;
use envpool_rs_engine::{Batch, Dialect, Dtype, Format, Outputs, Pool, PoolConfig, Registry, ResetOptions, Role};

pub const ENVS: usize = 3;

fn handler(name: &str) -> Handler {
    HANDLERS.iter().find(|named| named.name == format!("envpool_rs.{name}")).unwrap().handler
}

fn pool(task: &str, dialect: Dialect, batch_size: usize) -> Arc<Pool> {
    let registry = Box::leak(Box::new(Registry::default()));
    envpool_rs_envs_classic::add_tasks(registry);
    let task = registry.task(task).unwrap();
    let options = task.resolve(&[]).unwrap();
    let config = PoolConfig::new(ENVS as i64).unwrap().batch_size(batch_size as i64).unwrap();
    let outputs = Outputs { dialect, format: Format::Gymnasium };
    let pool = Pool::new(task, &options, config, outputs).unwrap();
    if !pool.is_async() {
        let call = pool.reset(None, Vec::new(), ResetOptions::default()).unwrap();
        call.run(&mut None, &mut || false).unwrap();
    }
    Arc::new(pool)
}

pub fn cart_poles() -> Arc<Pool> {
    pool("CartPole-v1", Dialect::EnvPool, ENVS)
}

/// Returns result arrays for a program that receives `rows` rows.
pub fn results(exposed: &ExposedPool, rows: usize) -> Vec<Array> {
    let mut arrays = vec![Array::zeros::<u8>(data_type::U8, HANDLE_BYTES)];
    for index in exposed.results() {
        let column = &exposed.pool().layout().columns[*index];
        let (dtype, len) = (column.dtype, rows * column.len());
        arrays.push(match dtype {
            Dtype::Bool => Array::zeros::<u8>(data_type::PRED, len),
            Dtype::U8 => Array::zeros::<u8>(data_type::U8, len),
            Dtype::I8 => Array::zeros::<u8>(data_type::S8, len),
            Dtype::I16 => Array::zeros::<i16>(data_type::S16, len),
            Dtype::I32 => Array::zeros::<i32>(data_type::S32, len),
            Dtype::I64 => Array::zeros::<i64>(data_type::S64, len),
            Dtype::F32 => Array::zeros::<f32>(data_type::F32, len),
            Dtype::F64 => Array::zeros::<f64>(data_type::F64, len),
            Dtype::Raw(_) => panic!("programs have no such type"),
        });
    }
    arrays
}

pub fn handle(exposed: &ExposedPool) -> Array {
    Array::from_values(data_type::U8, &exposed.handle())
}

fn step(exposed: &ExposedPool, arguments: Vec<Array>, rows: usize) -> (TestCall, Reported) {
    let arguments = std::iter::once(handle(exposed)).chain(arguments).collect();
    let mut call = TestCall::new(exposed.number(), arguments, results(exposed, rows));
    let reported = call.call(handler("step"));
    (call, reported)
}

pub fn actions(values: &[i32]) -> Array {
    Array::from_values(data_type::S32, values)
}

pub fn played(pool: &Pool, actions: &[i32]) -> Box<Batch> {
    let mut call = pool.step(None).unwrap();
    call.set_action(0, actions).unwrap();
    call.run(&mut None, &mut || false).unwrap()
}

fn assert_refused(reported: Reported, code: Code, text: &str) {
    let (got, message) = reported.expect("it is refused");
    assert!(got == code.number() && message.contains(text), "{got}: {message}");
}

#[test]
fn a_handler_uses_the_runtimes_minor_version_of_its_interface() {
    for named in &HANDLERS {
        assert_eq!(version_of(named.handler, Some(0)), (0, 3, None));
        assert_eq!(version_of(named.handler, None), (0, 1, None));
        let (major, minor, reported) = version_of(named.handler, Some(1));
        assert_eq!((major, minor), (-1, -1));
        assert_refused(reported, Code::Unimplemented, "version 1.3 of its foreign function interface");
    }
}

#[test]
fn a_step_returns_the_pools_results_and_the_handle() {
    let (mine, other) = (ExposedPool::new(&cart_poles()), cart_poles());
    for number in 0..40 {
        let values = [number % 2, 1, 0];
        let (call, reported) = step(&mine, vec![actions(&values)], ENVS);
        assert_eq!(reported, None);
        assert_eq!(call.results[0].values::<u8>(HANDLE_BYTES), mine.handle());
        let batch = played(&other, &values);
        for (index, column) in mine.results().iter().enumerate() {
            let bytes = batch.bytes(*column);
            assert_eq!(call.results[index + 1].values::<u8>(bytes.len()), bytes, "{:?}", batch.layout().columns[*column].role);
        }
    }
}

#[test]
fn ids_select_environments() {
    let exposed = ExposedPool::new(&cart_poles());
    let (_, reported) = step(&exposed, vec![actions(&[1, 0]), Array::from_values(data_type::S64, &[2i64, 0])], 2);
    assert_eq!(reported, None);
    for bad in [[0, 3], [-1, 0], [1, 1]] {
        let (_, reported) = step(&exposed, vec![actions(&[1, 0]), actions(&bad)], 2);
        assert!(reported.unwrap().1.starts_with("env_id["), "{bad:?}");
    }
}

#[test]
fn wide_types_are_narrowed_to_the_types_of_the_program() {
    let exposed = ExposedPool::new(&pool("FrozenLake-v1", Dialect::Gymnasium, ENVS));
    let other = pool("FrozenLake-v1", Dialect::Gymnasium, ENVS);
    let mut narrow = results(&exposed, ENVS);
    for array in &mut narrow {
        match array.dtype {
            data_type::F64 => array.dtype = data_type::F32,
            data_type::S64 => array.dtype = data_type::S32,
            _ => {}
        }
    }
    let mut call = TestCall::new(exposed.number(), vec![handle(&exposed), actions(&[2, 1, 2])], narrow);
    assert_eq!(call.call(handler("step")), None);
    let batch = played(&other, &[2, 1, 2]);
    let expected: Vec<_> = batch.values::<i64>(Role::Observation(0)).unwrap().iter().map(|value| *value as i32).collect();
    assert_eq!(call.results[1].values::<i32>(ENVS), expected);
}

#[test]
fn recv_returns_the_steps_that_were_sent() {
    let exposed = ExposedPool::new(&cart_poles());
    let mut recv = TestCall::new(exposed.number(), vec![handle(&exposed)], results(&exposed, ENVS));
    assert_refused(recv.call(handler("recv")), Code::FailedPrecondition, "recv: nothing has been sent");
    let first = results(&exposed, 0).into_iter().take(1).collect();
    let mut send = TestCall::new(exposed.number(), vec![handle(&exposed), actions(&[0, 1, 0])], first);
    assert_eq!(send.call(handler("send")), None);
    assert_refused(send.call(handler("send")), Code::FailedPrecondition, "in flight");
    assert_eq!(recv.call(handler("recv")), None);
    assert_eq!(send.call(handler("send")), None);
}

#[test]
fn results_of_another_size_stay_in_the_pool() {
    let exposed = ExposedPool::new(&cart_poles());
    let mut some = exposed.pool().step(Some(&[1])).unwrap();
    some.set_action(0, &[1]).unwrap();
    some.send(None).unwrap();
    let mut recv = TestCall::new(exposed.number(), vec![handle(&exposed)], results(&exposed, ENVS));
    assert_refused(recv.call(handler("recv")), Code::FailedPrecondition, "of 1 environments, and there is room for 3");
    assert_eq!(exposed.pool().recv(&mut None, &mut || false).unwrap().rows(), 1);
}

#[test]
fn batches_contain_the_first_finished_environments() {
    let pool = pool("CartPole-v1", Dialect::EnvPool, 2);
    pool.reset(None, Vec::new(), ResetOptions::default()).unwrap().send(None).unwrap();
    let exposed = ExposedPool::new(&pool);
    let mut recv = TestCall::new(exposed.number(), vec![handle(&exposed)], results(&exposed, 2));
    assert_eq!(recv.call(handler("recv")), None);
    let column = exposed.results().iter().position(|index| pool.layout().columns[*index].role == Role::EnvId).unwrap();
    for _ in 0..20 {
        let ids = recv.results[column + 1].values::<i32>(2);
        let (call, reported) = step(&exposed, vec![actions(&[0, 1]), actions(&ids)], 2);
        assert_eq!(reported, None);
        recv = call;
    }
    assert_refused(recv.call(handler("recv")), Code::FailedPrecondition, "fewer than batch_size=2");
}

#[test]
fn handles_are_valid_only_for_live_pools_of_their_process() {
    let (one, two) = (ExposedPool::new(&cart_poles()), ExposedPool::new(&cart_poles()));
    let call = |handle: &[u8; HANDLE_BYTES], number: i64| {
        let arguments = vec![Array::from_values(data_type::U8, handle), actions(&[0; ENVS])];
        TestCall::new(number, arguments, results(&one, ENVS)).call(handler("step"))
    };
    assert_eq!(call(&one.handle(), one.number()), None);
    assert_refused(call(&two.handle(), one.number()), Code::InvalidArgument, "it is another pool's");
    let mut forged = one.handle();
    forged[12] ^= 1;
    assert_refused(call(&forged, one.number()), Code::InvalidArgument, "expected a handle that xla() gave out");
    one.pool().close();
    assert_refused(call(&one.handle(), one.number()), Code::FailedPrecondition, "closed");
    let (stale, number) = (two.handle(), two.number());
    drop(two);
    assert_refused(call(&stale, number), Code::InvalidArgument, "its pool does not exist any more");
}

#[test]
fn other_platforms_get_an_error() {
    let exposed = ExposedPool::new(&cart_poles());
    let mut call = TestCall::new(exposed.number(), vec![handle(&exposed), actions(&[0; ENVS])], results(&exposed, ENVS));
    assert_refused(call.call(OTHER_PLATFORMS), Code::Unimplemented, "jax.default_device");
}

#[test]
fn malformed_call_frames_are_refused() {
    let exposed = ExposedPool::new(&cart_poles());
    let good = || TestCall::new(exposed.number(), vec![handle(&exposed), actions(&[0; ENVS])], results(&exposed, ENVS));
    let refuse = |change: &dyn Fn(&mut TestCall), text| {
        let mut call = good();
        change(&mut call);
        assert_refused(call.call(handler("step")), Code::InvalidArgument, text);
    };
    refuse(&|call| call.stage = 0, "call in stage 0");
    refuse(&|call| call.missing_bytes = 8, "too old or too new");
    refuse(&|call| call.arguments.clear(), "no argument number 0");
    refuse(&|call| call.arguments.truncate(1), "0 arrays of actions and ids");
    refuse(&|call| call.results.truncate(2), "2 results: expected");
    refuse(&|call| call.results.clear(), "no result number 0");
    refuse(&|call| call.arguments[0].dtype = data_type::S8, "handle: expected 16 uint8");
    refuse(&|call| call.arguments[0].dims = vec![i64::MAX, i64::MAX], "has the shape");
    refuse(&|call| call.arguments[1].dims = vec![-3], "has the shape");
    refuse(&|call| call.arguments[1].dims = vec![1, 2], "expected 3 values");
    refuse(&|call| call.arguments[1].dtype = 15, "action: expected integers, bools or floats");
    refuse(&|call| call.results[1].dims = vec![11], "has 11 elements: expected 12");
    refuse(&|call| call.results[1].dtype = data_type::S32, "is not of type float32");
    refuse(&|call| call.results[0].dims = vec![3], "the first result is no handle");
    assert_eq!(good().call(handler("step")), None);
}

proptest! {
    #[test]
    fn only_the_pools_own_handle_is_accepted(bytes in any::<[u8; HANDLE_BYTES]>(), flipped in 0usize..128, forge in any::<bool>()) {
        let exposed = ExposedPool::new(&cart_poles());
        let mut forged = if forge { exposed.handle() } else { bytes };
        forged[flipped / 8] ^= 1 << (flipped % 8);
        let arguments = vec![Array::from_values(data_type::U8, &forged), actions(&[0; ENVS])];
        let mut call = TestCall::new(exposed.number(), arguments, results(&exposed, ENVS));
        prop_assert!(call.call(handler("step")).unwrap().1.starts_with("handle=["));
    }
}
