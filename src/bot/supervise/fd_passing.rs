//! Sends orders with file descriptors to another process, over a socket.

use std::io::{self, IoSlice, IoSliceMut, Write};
use std::mem::MaybeUninit;
use std::os::fd::{BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::time::Duration;

use rustix::io::retry_on_intr;
use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer,
    SendAncillaryMessage, SendFlags, recvmsg, sendmsg,
};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Maximum number of descriptors with an order: a bot's three streams.
const DESCRIPTORS: usize = 3;

/// Timeout for the receiver to start reading, on a very busy machine.
const PATIENCE: Duration = Duration::from_secs(30);

/// Sends an order to a waiting process, as a line of JSON. Not by arguments, since the system limits their length.
pub(super) fn send(
    mut socket: &UnixStream,
    order: &impl Serialize,
    descriptors: &[BorrowedFd<'_>],
) -> io::Result<()> {
    let mut line = serde_json::to_vec(order)?;
    line.push(b'\n');
    socket.set_write_timeout(Some(PATIENCE))?;
    let sent = retry_on_intr(|| {
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(DESCRIPTORS))];
        let mut rights = SendAncillaryBuffer::new(&mut space);
        rights.push(SendAncillaryMessage::ScmRights(descriptors));
        sendmsg(
            socket,
            &[IoSlice::new(&line)],
            &mut rights,
            SendFlags::NOSIGNAL,
        )
    })?;
    socket.write_all(&line[sent..])
}

/// Waits for an order with `N` descriptors. `None` if the other end of the socket is closed. An order begins with a
/// brace; unread bytes before it are skipped.
pub(super) fn receive<T: DeserializeOwned, const N: usize>(
    socket: &UnixStream,
) -> io::Result<Option<(T, [OwnedFd; N])>> {
    let mut line = Vec::new();
    let mut descriptors = Vec::new();
    let mut chunk = [0; 4 << 10];
    // The sender sends nothing after the order until it is answered, so the last byte ends it.
    while line.last() != Some(&b'\n') {
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(DESCRIPTORS))];
        let mut rights = RecvAncillaryBuffer::new(&mut space);
        let received = retry_on_intr(|| {
            let mut chunk = [IoSliceMut::new(&mut chunk)];
            recvmsg(socket, &mut chunk, &mut rights, RecvFlags::CMSG_CLOEXEC)
        })?;
        if received.bytes == 0 {
            return Ok(None);
        }
        for message in rights.drain() {
            if let RecvAncillaryMessage::ScmRights(given) = message {
                descriptors.extend(given);
            }
        }
        line.extend_from_slice(&chunk[..received.bytes]);
        if line[0] != b'{' {
            let begin = line.iter().position(|byte| *byte == b'{');
            line.drain(..begin.unwrap_or(line.len()));
        }
    }
    let order = serde_json::from_slice(&line)?;
    let descriptors = descriptors
        .try_into()
        .map_err(|_| io::Error::from(io::ErrorKind::InvalidData))?;
    Ok(Some((order, descriptors)))
}
