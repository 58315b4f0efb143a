//! One child process of the test backend: its program, and the parent's connection to it.

use std::collections::VecDeque;
use std::io::{ErrorKind, Read, Write};
use std::os::unix::net::{UnixListener, UnixStream};
use std::os::unix::process::parent_id;
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::time::Duration;

use super::super::envs::{END, PANIC};
use super::{DIE, HANG, SOCKET, START};
use envpool_rs_numeric::random::{Generator, RandomStream};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
pub(super) enum Request {
    Step { action: i32, truncate: bool, autoreset: bool },
    Reset(Option<u64>),
    Call(Vec<u8>),
    Save,
    Load(Vec<u8>),
}

#[derive(Serialize, Deserialize)]
pub(super) enum Reply {
    Row { shown: [f64; 2], last: Option<[f64; 2]>, reward: f64, terminated: bool },
    Value(Vec<u8>),
    Raised(String),
}

/// Entry point of a child process; does nothing if this is an ordinary test run.
#[test]
pub(super) fn child() {
    let Ok(socket) = std::env::var(SOCKET) else { return };
    if let Ok(start) = std::env::var(START) {
        while !std::path::Path::new(&start).exists() {
            idle();
        }
    }
    let mut stream = UnixStream::connect(socket).unwrap();
    let (mut drawn, mut count, mut random) = (0.0, 0_u32, Generator::from_seed(0));
    while let Some(request) = read_frame(&mut stream) {
        let row =
            |drawn, count, reward, terminated, last| Reply::Row { shown: [drawn, f64::from(count)], last, reward, terminated };
        let reply = match postcard::from_bytes(&request).unwrap() {
            Request::Step { action: DIE, .. } => std::process::exit(3),
            Request::Step { action: HANG, .. } => loop {
                idle();
            },
            Request::Step { action: PANIC, .. } => Reply::Raised("it was asked to".into()),
            Request::Step { action, truncate, autoreset } => {
                let _moves_the_stream_on: f64 = random.random();
                count += 1;
                let (reward, terminated) = (f64::from(count), action == END);
                let last = ((terminated || truncate) && autoreset).then_some([drawn, f64::from(count)]);
                if last.is_some() {
                    (drawn, count) = (random.random(), 0);
                }
                row(drawn, count, reward, terminated, last)
            }
            Request::Reset(seed) => {
                random = seed.map_or(random, Generator::from_seed);
                (drawn, count) = (random.random(), 0);
                row(drawn, count, 0.0, false, None)
            }
            Request::Call(payload) => Reply::Value(payload),
            Request::Save => Reply::Value(postcard::to_stdvec(&(drawn, count, &random)).unwrap()),
            Request::Load(state) => {
                (drawn, count, random) = postcard::from_bytes(&state).unwrap();
                Reply::Value(Vec::new())
            }
        };
        stream.write_all(&frame(&reply)).unwrap();
    }
    std::process::exit(0);
}

/// Sleeps for a millisecond. Exits if the parent process has ended, so that hanging children end, too.
pub(super) fn idle() {
    static PARENT: OnceLock<u32> = OnceLock::new();
    std::thread::sleep(Duration::from_millis(1));
    if *PARENT.get_or_init(parent_id) != parent_id() {
        std::process::exit(4);
    }
}

pub(super) fn frame(value: &impl Serialize) -> Vec<u8> {
    let body = postcard::to_stdvec(value).unwrap();
    [&(body.len() as u32).to_le_bytes()[..], &body].concat()
}

pub(super) fn read_frame(stream: &mut UnixStream) -> Option<Vec<u8>> {
    let mut length = [0; 4];
    stream.read_exact(&mut length).ok()?;
    let mut body = vec![0; u32::from_le_bytes(length) as usize];
    stream.read_exact(&mut body).ok()?;
    Some(body)
}

pub(super) struct Process {
    pub(super) child: Child,
    pub(super) listener: UnixListener,
    /// Connection to the child process; `None` until it is established.
    pub(super) stream: Option<UnixStream>,
    /// Bytes of the message that is staged for the child process.
    pub(super) staged: Vec<u8>,
    /// Bytes that are still to be sent to the child process.
    pub(super) outgoing: VecDeque<u8>,
    /// Bytes of the reply that were received so far.
    pub(super) incoming: Vec<u8>,
    pub(super) reply: Option<Reply>,
    pub(super) is_asked: bool,
    pub(super) is_dead: bool,
    pub(super) shown: [f64; 2],
}

impl Process {
    pub(super) fn start(folder: &std::path::Path, lane: usize, is_slow: bool) -> Self {
        let socket = folder.join(lane.to_string());
        drop(std::fs::remove_file(&socket));
        let listener = UnixListener::bind(&socket).unwrap();
        listener.set_nonblocking(true).unwrap();
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["--exact", "children::process::child", "--nocapture"]).env(SOCKET, socket);
        if is_slow {
            command.env(START, folder.join("start"));
        }
        let child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let (staged, outgoing, incoming) = (Vec::new(), VecDeque::new(), Vec::new());
        let (stream, reply, shown) = (None, None, [0.0; 2]);
        Self { child, listener, stream, staged, outgoing, incoming, reply, is_asked: false, is_dead: false, shown }
    }

    pub(super) fn end(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }

    /// Writes and reads as much as possible without waiting.
    pub(super) fn pump(&mut self) {
        if self.stream.is_none()
            && let Ok((stream, _)) = self.listener.accept()
        {
            stream.set_nonblocking(true).unwrap();
            self.stream = Some(stream);
        }
        let Some(stream) = &mut self.stream else { return };
        while !self.outgoing.is_empty() {
            match stream.write(self.outgoing.make_contiguous()) {
                Ok(written) => drop(self.outgoing.drain(..written)),
                Err(_) => break,
            }
        }
        let mut bytes = [0; 4096];
        loop {
            match stream.read(&mut bytes) {
                Ok(0) => break, // the child has exited; its exit status reports that
                Ok(read) => self.incoming.extend(&bytes[..read]),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(_) => break,
            }
        }
        if let Some((length, body)) = self.incoming.split_first_chunk::<4>()
            && let Some(body) = body.get(..u32::from_le_bytes(*length) as usize)
        {
            self.reply = Some(postcard::from_bytes(body).unwrap());
            self.incoming.clear(); // a lane has at most one pending reply
        }
    }
}
