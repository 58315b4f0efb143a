//! Tests the rendering of environments as images and text.

use super::envs::{COUNT, GATE, LINGER, PANIC, UNDRAWABLE, WAIT, both, counter};
use super::failures::quietly;
use super::*;
use envpool_rs_engine::{FrameBatch, RenderArgs};

fn render(pool: &Pool, ids: Option<&[i64]>) -> Result<FrameBatch> {
    pool.render(ids, RenderArgs::default(), &mut never)
}

#[test]
fn pictures_follow_the_requested_order_and_show_the_current_state() {
    for task in both() {
        let pool = reset_pool(&task, config(3));
        step(&pool, Some(&[2]), &[COUNT]).unwrap();
        let drawn = render(&pool, Some(&[2, 0])).unwrap();
        assert_eq!((drawn.count, drawn.width, drawn.height), (2, 2, 1));
        assert_eq!(drawn.pixels, [[1; 6], [0; 6]].concat());
        assert_eq!(render(&pool, None).unwrap().pixels, [[0; 6], [0; 6], [1; 6]].concat());
    }
}

#[test]
fn pictures_have_the_requested_size() {
    let pool = reset_pool(&counter(), config(2));
    let sized = |width, height| pool.render(None, RenderArgs { width, height, ..RenderArgs::default() }, &mut never);
    let drawn = sized(5, 0).unwrap();
    assert_eq!((drawn.width, drawn.height, drawn.pixels.len()), (5, 1, 2 * 5 * 3));
    assert_eq!(message(sized(2, -1)), "render_height=-1: expected 1 to 4096, or 0 for the task's own 1");
}

#[test]
fn only_tasks_with_a_text_mode_render_text() {
    let [counter, block_counter] = both().map(|task| reset_pool(&task, config(1)));
    assert_eq!(counter.render_text(None, &mut never).unwrap(), ["0 steps"]);
    assert_eq!(message(block_counter.render_text(None, &mut never)), "this task does not describe itself in text");
}

#[test]
fn a_closed_pool_renders_nothing() {
    let pool = reset_pool(&counter(), config(1));
    pool.close();
    assert_eq!(render(&pool, None).err(), Some(Error::Closed));
    assert_eq!(pool.render_text(None, &mut never).err(), Some(Error::Closed));
}

#[test]
fn drawing_changes_nothing() {
    let [pool, other] = [(); 2].map(|()| reset_pool(&counter(), config(2)));
    render(&pool, None).unwrap();
    assert_eq!(pool.get_state(None).unwrap(), other.get_state(None).unwrap());
}

#[test]
fn only_idle_environments_are_drawn() {
    let pool = reset_pool(&counter(), config(3).num_threads(2).unwrap());
    GATE.closed(|| {
        send(&pool, Some(&[1]), &[WAIT]).unwrap();
        assert_eq!(message(render(&pool, None)), "env_id 1 is in flight: its result has to be received first");
        assert_eq!(render(&pool, Some(&[0, 2])).unwrap().count, 2);
        GATE.open();
        recv(&pool).unwrap();
    });
    assert_eq!(render(&pool, None).unwrap().count, 3);
}

#[test]
fn environments_without_a_picture_are_named() {
    let pool = pool_of(&counter(), config(2));
    reset(&pool, Some(&[0])).unwrap();
    assert_eq!(message(render(&pool, None)), "environment 1 has never been reset: reset it before it is drawn");
    assert_eq!(render(&pool, Some(&[0])).unwrap().count, 1);
    quietly(|| step(&pool, Some(&[0]), &[PANIC]).unwrap_err());
    assert_eq!(message(render(&pool, Some(&[0]))), "environment 0 has failed: reset it before it is drawn");
}

#[test]
fn a_panic_while_drawing_is_an_error_and_the_lane_stays_usable() {
    let pool = reset_pool(&counter(), config(2));
    (0..UNDRAWABLE).for_each(|_| _ = step(&pool, Some(&[1]), &[COUNT]).unwrap());
    quietly(|| assert_eq!(message(render(&pool, None)), "drawing environment 1 failed: it was asked to"));
    assert_eq!(counts(&step(&pool, Some(&[1]), &[COUNT]).unwrap()), [4.0]);
    render(&pool, None).unwrap();
}

#[test]
fn closed_pools_and_ids_that_do_not_exist_are_refused() {
    let pool = reset_pool(&counter(), config(2));
    assert!(matches!(render(&pool, Some(&[2])), Err(Error::Index(_))));
    assert!(matches!(render(&pool, Some(&[0, 0])), Err(Error::Value(_))));
    pool.close();
    assert!(matches!(render(&pool, None), Err(Error::Closed)));
}

#[test]
fn an_async_pool_draws_received_environments() {
    let pool = reset_pool(&counter(), config(4).batch_size(2).unwrap());
    send(&pool, Some(&[0, 1]), &[LINGER, COUNT]).unwrap();
    assert_eq!(render(&pool, Some(&[2, 3])).unwrap().pixels, [0; 12]);
    assert!(render(&pool, Some(&[0])).is_err());
    recv(&pool).unwrap();
    assert_eq!(render(&pool, None).unwrap().count, 4);
}
