//! Tests connections that carry frames: between two threads, and with a peer that sends anything.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use envpool_rs_transport::Error;
use envpool_rs_transport::stream::{Connection, FrameKind, Listener, Role, wait_until};

const KEY: &[u8] = b"a key of both ends";
const PATIENCE: Duration = Duration::from_secs(60);

fn never() -> bool {
    false
}

fn soon() -> Instant {
    Instant::now() + PATIENCE
}

/// Returns the two ends of a connection.
fn pair() -> (Connection, Connection) {
    let listener = Listener::bind("127.0.0.1").unwrap();
    let port = listener.address().port();
    std::thread::scope(|scope| {
        let actor = scope.spawn(|| listener.accept(KEY, soon(), PATIENCE, &mut never).unwrap());
        let driver = Connection::new();
        let stream = Connection::connect("127.0.0.1", port, soon(), &mut never).unwrap();
        assert!(driver.authenticate(stream, KEY, Role::Driver, soon(), &mut never).unwrap());
        (driver, actor.join().unwrap())
    })
}

/// Replies to each request with its own bytes, until the connection ends.
fn echo(connection: &Connection) {
    while let Some(request) = connection.next(&mut never).unwrap() {
        connection.send(FrameKind::Message, Box::new(request.payload));
        connection.flush(soon(), &mut never).unwrap();
    }
}

#[test]
fn large_requests_and_replies_pass_each_other() {
    let (driver, actor) = pair();
    std::thread::scope(|scope| {
        scope.spawn(|| echo(&actor));
        let messages: Vec<Vec<u8>> = (0..6).map(|index| vec![index; 3_000_000]).collect();
        let numbers: Vec<u64> = messages
            .iter()
            .map(|message| {
                let number = driver.send(FrameKind::Message, Box::new(message.clone()));
                driver.flush(soon(), &mut never).unwrap();
                number
            })
            .collect();
        let all = || numbers.iter().all(|number| driver.arrival(*number).is_some());
        assert!(wait_until(&[&driver], all, soon(), &mut never).unwrap());
        for (number, message) in numbers.iter().zip(&messages) {
            assert_eq!(&driver.frame(*number).unwrap().payload, message);
        }
        driver.close();
    });
}

#[test]
fn interrupts_lose_no_frame() {
    let (driver, actor) = pair();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            // Waits ask whether to stop after 100 ms, so the peer pauses for longer before it reads and before it replies.
            while let Some(request) = actor.next(&mut never).unwrap() {
                std::thread::sleep(Duration::from_millis(250));
                actor.send(FrameKind::Message, Box::new(request.payload));
                actor.flush(soon(), &mut never).unwrap();
                std::thread::sleep(Duration::from_millis(250));
            }
        });
        let mut interrupts = 0;
        let mut always = || {
            interrupts += 1;
            true
        };
        for index in 0..4_u8 {
            let message = vec![index; 20_000_000];
            let number = driver.send(FrameKind::Message, Box::new(message.clone()));
            while matches!(driver.flush(soon(), &mut always), Err(Error::Interrupted)) {}
            while !wait_until(&[&driver], || driver.arrival(number).is_some(), soon(), &mut always).unwrap_or(false) {}
            assert_eq!(driver.frame(number).unwrap().payload, message);
            driver.forget(number);
            assert!(driver.frame(number).is_none());
        }
        assert!(interrupts >= 4, "{interrupts}");
        driver.close();
    });
}

#[test]
fn waits_end_at_their_deadline_while_frames_arrive_and_while_the_peer_reads_nothing() {
    let (driver, actor) = pair();
    driver.send(FrameKind::Message, Box::new(vec![0; 50_000_000]));
    driver.flush(Instant::now() + Duration::from_millis(50), &mut never).unwrap(); // the peer reads nothing
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                actor.send(FrameKind::Message, Box::new(vec![1; 1_000_000]));
                actor.flush(Instant::now() + Duration::from_millis(20), &mut never).unwrap();
            }
        });
        // Frames keep arriving: the deadline of every wait is over at once.
        for _ in 0..20 {
            assert!(!wait_until(&[&driver], || false, Instant::now(), &mut never).unwrap());
        }
        assert!(matches!(wait_until(&[&driver], || false, soon(), &mut || true), Err(Error::Interrupted)));
        done.store(true, Ordering::Relaxed);
        driver.close();
    });
}

#[test]
fn a_wait_ends_by_an_interrupt_a_deadline_or_the_end_of_the_connection() {
    let (driver, actor) = pair();
    let interrupted = wait_until(&[&driver], || false, soon(), &mut || true);
    assert!(matches!(interrupted, Err(Error::Interrupted)));
    assert!(!wait_until(&[&driver], || false, Instant::now() + Duration::from_millis(150), &mut never).unwrap());
    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| actor.next(&mut never).unwrap());
        driver.close();
        assert!(waiting.join().unwrap().is_none());
    });
    assert_eq!(driver.end(), Some("the connection was closed"));
    assert!(!actor.is_open());
}

#[test]
fn forgotten_calls_do_not_keep_their_replies() {
    let (driver, actor) = pair();
    let [dropped, kept] = [1, 2].map(|byte| driver.send(FrameKind::Message, Box::new(vec![byte])));
    driver.forget(dropped);
    std::thread::scope(|scope| {
        scope.spawn(|| echo(&actor));
        assert!(wait_until(&[&driver], || driver.arrival(kept).is_some(), soon(), &mut never).unwrap());
        assert!(driver.arrival(dropped).is_none());
        driver.close();
    });
}

#[test]
fn other_keys_are_refused_and_the_next_client_is_served() {
    let listener = Listener::bind("127.0.0.1").unwrap();
    let port = listener.address().port();
    std::thread::scope(|scope| {
        let actor = scope.spawn(|| listener.accept(KEY, soon(), PATIENCE, &mut never));
        for key in [b"another key".as_slice(), b"", KEY] {
            let connection = Connection::new();
            let stream = Connection::connect("127.0.0.1", port, soon(), &mut never).unwrap();
            assert_eq!(connection.authenticate(stream, key, Role::Driver, soon(), &mut never).unwrap(), key == KEY);
            assert_eq!(connection.is_open(), key == KEY);
        }
        assert!(actor.join().unwrap().is_ok());
    });
}

#[test]
fn an_end_cannot_authenticate_with_digests_that_it_has_received() {
    let server = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = server.local_addr().unwrap().port();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut stream = server.accept().unwrap().0;
            let mut bytes = [0; 1024];
            // Sends everything back.
            while let Ok(count) = stream.read(&mut bytes)
                && count > 0
            {
                stream.write_all(&bytes[..count]).unwrap();
            }
        });
        let connection = Connection::new();
        let stream = Connection::connect("127.0.0.1", port, soon(), &mut never).unwrap();
        assert!(!connection.authenticate(stream, KEY, Role::Driver, soon(), &mut never).unwrap());
    });
}

#[test]
fn a_silent_peer_is_an_error_at_the_deadline() {
    let server = TcpListener::bind("127.0.0.1:0").unwrap();
    let stream = TcpStream::connect(server.local_addr().unwrap()).unwrap();
    let deadline = Instant::now() + Duration::from_millis(50);
    let silent = Connection::new().authenticate(stream, KEY, Role::Driver, deadline, &mut never).unwrap_err();
    assert!(silent.to_string().contains("did not answer in time"), "{silent}");
}
