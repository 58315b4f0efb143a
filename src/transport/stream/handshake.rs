//! Mutual authentication of the two ends of a new connection.
//!
//! Each end sends a greeting with its version and a random nonce, and replies to the other end's greeting with its digest under
//! the common key. The key itself is not sent.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Instant;

use hmac::{Hmac, KeyInit, Mac};
use rustix::event::PollFlags;
use sha2::Sha256;

use super::readiness::repeat;
use crate::error::{Error, Result};

/// First bytes of a greeting, which name the protocol.
const MAGIC: &[u8; 8] = b"EnvPoolR";
const VERSION_BYTES: usize = 24;
const NONCE_BYTES: usize = 32;
const GREETING_BYTES: usize = MAGIC.len() + VERSION_BYTES + NONCE_BYTES;
const DIGEST_BYTES: usize = 32;

/// Version that both ends must have.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// End of a connection. Digests of the two ends differ, so that neither can be sent back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Process that sends requests.
    Driver,
    /// Process that replies to them.
    Actor,
}

impl Role {
    fn name(self) -> &'static [u8] {
        match self {
            Self::Driver => b"driver",
            Self::Actor => b"actor",
        }
    }

    fn other(self) -> Self {
        if self == Self::Driver { Self::Actor } else { Self::Driver }
    }
}

/// Proves to the other end that this end knows the key; returns whether the other end knows the key, too.
///
/// # Errors
/// [`Error::State`] if the other end has another version; [`Error::System`] if it does not answer until the deadline, or closes the
/// connection; [`Error::Interrupted`].
pub(super) fn authenticate(
    stream: &TcpStream,
    key: &[u8],
    role: Role,
    deadline: Instant,
    interrupted: &mut dyn FnMut() -> bool,
) -> Result<bool> {
    let own = greeting(VERSION)?;
    send(stream, &own, deadline, interrupted)?;
    let greeted: [u8; GREETING_BYTES] = receive(stream, deadline, interrupted)?;
    check_greeting(&greeted)?;
    send(stream, &digest(key, role, &greeted)?.finalize().into_bytes(), deadline, interrupted)?;
    let received: [u8; DIGEST_BYTES] = receive(stream, deadline, interrupted)?;
    Ok(digest(key, role.other(), &own)?.verify_slice(&received).is_ok())
}

fn greeting(version: &str) -> Result<[u8; GREETING_BYTES]> {
    let mut greeting = [0; GREETING_BYTES];
    let (magic, rest) = greeting.split_at_mut(MAGIC.len());
    let (own, nonce) = rest.split_at_mut(VERSION_BYTES);
    magic.copy_from_slice(MAGIC);
    let size = version.len().min(VERSION_BYTES);
    own[..size].copy_from_slice(&version.as_bytes()[..size]);
    getrandom::fill(nonce).map_err(|error| Error::system("no random numbers")(std::io::Error::other(error)))?;
    Ok(greeting)
}

fn check_greeting(greeting: &[u8; GREETING_BYTES]) -> Result<()> {
    let Some(rest) = greeting.strip_prefix(MAGIC) else {
        return Err(Error::system("another program is connected")(std::io::ErrorKind::ConnectionRefused.into()));
    };
    let version = rest[..VERSION_BYTES].split(|byte| *byte == 0).next().unwrap_or_default();
    let own = &VERSION.as_bytes()[..VERSION.len().min(VERSION_BYTES)];
    if version == own {
        return Ok(());
    }
    Err(Error::State(format!(
        "the other end of a connection runs envpool_rs {}, and this process {VERSION}: install the same version on all nodes",
        version.escape_ascii()
    )))
}

fn digest(key: &[u8], role: Role, greeting: &[u8; GREETING_BYTES]) -> Result<Hmac<Sha256>> {
    let digest = Hmac::<Sha256>::new_from_slice(key);
    let mut digest = digest.map_err(|_| Error::Value("the key has a length that is not allowed".into()))?;
    digest.update(role.name());
    digest.update(greeting);
    Ok(digest)
}

fn send(mut stream: &TcpStream, mut bytes: &[u8], deadline: Instant, interrupted: &mut dyn FnMut() -> bool) -> Result<()> {
    while !bytes.is_empty() {
        let count = repeat(stream, PollFlags::OUT, deadline, interrupted, || stream.write(bytes))?;
        bytes = &bytes[count..];
    }
    Ok(())
}

fn receive<const SIZE: usize>(
    mut stream: &TcpStream,
    deadline: Instant,
    interrupted: &mut dyn FnMut() -> bool,
) -> Result<[u8; SIZE]> {
    let (mut received, mut size) = ([0; SIZE], 0);
    while size < SIZE {
        let count = repeat(stream, PollFlags::IN, deadline, interrupted, || stream.read(&mut received[size..]))?;
        if count == 0 {
            return Err(Error::system("the other end closed the connection")(std::io::ErrorKind::ConnectionReset.into()));
        }
        size += count;
    }
    Ok(received)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_greeting_of_another_version_or_program_is_refused() {
        assert!(check_greeting(&greeting(VERSION).unwrap()).is_ok());
        let text = check_greeting(&greeting("9.8.7\n\u{1}").unwrap()).unwrap_err().to_string();
        assert!(text.contains(r"envpool_rs 9.8.7\n\x01, and this process"), "{text}");
        assert!(matches!(check_greeting(&[b'G'; GREETING_BYTES]), Err(Error::System { .. })));
    }

    #[test]
    fn digests_of_the_two_ends_differ() {
        let greeting = greeting(VERSION).unwrap();
        let [one, other] =
            [Role::Driver, Role::Actor].map(|role| digest(b"key", role, &greeting).unwrap().finalize().into_bytes());
        assert_ne!(one, other);
    }
}
