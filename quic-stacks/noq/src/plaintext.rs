// SPDX-License-Identifier: MIT
//! A handshake without cryptography, in the place of TLS.
//!
//! Packets have the sizes that they have with AES-GCM: a tag of 16 bytes, which is zero. The handshake has the messages
//! and round trips of TLS 1.3 (RFC 8446, figure 1) with typical sizes. It has no randomness and almost no cost.

use std::any::Any;
use std::io::Cursor;
use std::sync::Arc;

use bytes::BytesMut;
use noq_proto::crypto::{
    ClientConfig, CryptoError, ExportKeyingMaterialError, HandshakeTokenKey, HeaderKey, HmacKey,
    KeyPair, Keys, PacketKey, ServerConfig, Session, UnsupportedVersion,
};
use noq_proto::transport_parameters::TransportParameters;
use noq_proto::{ConnectError, ConnectionId, PathId, Side, TransportError, TransportErrorCode};

const TAG_BYTES: usize = 16;
/// A message's type and the size of its body, as in TLS (RFC 8446, 4).
const HEAD_BYTES: usize = 4;

/// The messages, with their whole sizes in bytes if the transport parameters do not need more.
const CLIENT_HELLO: (u8, usize) = (1, 280);
const SERVER_HELLO: (u8, usize) = (2, 122);
/// EncryptedExtensions, a certificate with a key of elliptic curves, CertificateVerify and Finished.
const SERVER_FLIGHT: (u8, usize) = (8, 1100);
const CLIENT_FINISHED: (u8, usize) = (20, 36);

struct NoKey;

impl PacketKey for NoKey {
    fn encrypt(&self, _: PathId, _: u64, buf: &mut [u8], _: usize) {
        let end = buf.len() - TAG_BYTES;
        buf[end..].fill(0);
    }

    fn decrypt(
        &self,
        _: PathId,
        _: u64,
        _: &[u8],
        payload: &mut BytesMut,
    ) -> Result<(), CryptoError> {
        let size = payload.len().checked_sub(TAG_BYTES).ok_or(CryptoError)?;
        payload.truncate(size);
        Ok(())
    }

    fn tag_len(&self) -> usize {
        TAG_BYTES
    }

    fn confidentiality_limit(&self) -> u64 {
        u64::MAX
    }

    fn integrity_limit(&self) -> u64 {
        u64::MAX
    }
}

impl HeaderKey for NoKey {
    fn decrypt(&self, _: usize, _: &mut [u8]) {}

    fn encrypt(&self, _: usize, _: &mut [u8]) {}

    fn sample_size(&self) -> usize {
        TAG_BYTES
    }
}

fn keys() -> Keys {
    Keys {
        header: KeyPair { local: Box::new(NoKey), remote: Box::new(NoKey) },
        packet: KeyPair { local: Box::new(NoKey), remote: Box::new(NoKey) },
    }
}

/// What an end does next.
#[derive(PartialEq)]
enum Step {
    SayHello,
    AwaitHello,
    TakeHello,
    AwaitFlight,
    SendFlight,
    Finish,
    AwaitFinish,
    Done,
}

struct Handshake {
    side: Side,
    step: Step,
    own: Vec<u8>,
    peers: Option<TransportParameters>,
    arrived: Vec<u8>,
}

impl Handshake {
    fn new(side: Side, parameters: &TransportParameters) -> Box<dyn Session> {
        let mut own = Vec::new();
        parameters.write(&mut own);
        let step = if side.is_client() { Step::SayHello } else { Step::AwaitHello };
        Box::new(Self { side, step, own, peers: None, arrived: Vec::new() })
    }

    /// Write a message: its head, the size of the transport parameters, these, and zeros.
    fn say(&self, (kind, size): (u8, usize), parameters: &[u8], buf: &mut Vec<u8>) {
        let body = (size - HEAD_BYTES).max(parameters.len() + 2);
        buf.push(kind);
        buf.extend_from_slice(&(body as u32).to_be_bytes()[1..]);
        let end = buf.len() + body;
        buf.extend_from_slice(&(parameters.len() as u16).to_be_bytes());
        buf.extend_from_slice(parameters);
        buf.resize(end, 0);
    }

    /// The next whole message that has arrived: its type and its transport parameters.
    fn heard(&mut self) -> Option<(u8, Vec<u8>)> {
        let head: [u8; HEAD_BYTES] = self.arrived.get(..HEAD_BYTES)?.try_into().ok()?;
        let body = u32::from_be_bytes([0, head[1], head[2], head[3]]) as usize;
        let message = self.arrived.get(HEAD_BYTES..HEAD_BYTES + body)?;
        let size = u16::from_be_bytes([*message.first()?, *message.get(1)?]) as usize;
        let parameters = message.get(2..2 + size)?.to_vec();
        self.arrived.drain(..HEAD_BYTES + body);
        Some((head[0], parameters))
    }
}

impl Session for Handshake {
    fn initial_keys(&self, _: ConnectionId, _: Side) -> Keys {
        keys()
    }

    fn handshake_data(&self) -> Option<Box<dyn Any>> {
        None
    }

    fn peer_identity(&self) -> Option<Box<dyn Any>> {
        None
    }

    fn early_crypto(&self) -> Option<(Box<dyn HeaderKey>, Box<dyn PacketKey>)> {
        None
    }

    fn early_data_accepted(&self) -> Option<bool> {
        None
    }

    fn is_handshaking(&self) -> bool {
        self.step != Step::Done
    }

    fn read_handshake(&mut self, buf: &[u8]) -> Result<bool, TransportError> {
        self.arrived.extend_from_slice(buf);
        while let Some((kind, parameters)) = self.heard() {
            if kind == CLIENT_HELLO.0 || kind == SERVER_FLIGHT.0 {
                self.peers =
                    Some(TransportParameters::read(self.side, &mut Cursor::new(parameters))?);
            }
            self.step = match (&self.step, kind) {
                (Step::AwaitHello, kind) if kind == CLIENT_HELLO.0 || kind == SERVER_HELLO.0 => {
                    Step::TakeHello
                }
                (Step::AwaitFlight, kind) if kind == SERVER_FLIGHT.0 => Step::Finish,
                (Step::AwaitFinish, kind) if kind == CLIENT_FINISHED.0 => Step::Done,
                _ => {
                    let code = TransportErrorCode::PROTOCOL_VIOLATION;
                    return Err(TransportError::new(code, "handshake".into()));
                }
            };
        }
        Ok(false)
    }

    fn transport_parameters(&self) -> Result<Option<TransportParameters>, TransportError> {
        Ok(self.peers.clone())
    }

    fn write_handshake(&mut self, buf: &mut Vec<u8>) -> Option<Keys> {
        match self.step {
            Step::SayHello => {
                self.say(CLIENT_HELLO, &self.own, buf);
                self.step = Step::AwaitHello;
                None
            }
            Step::TakeHello if self.side.is_client() => {
                self.step = Step::AwaitFlight;
                Some(keys())
            }
            Step::TakeHello => {
                self.say(SERVER_HELLO, &[], buf);
                self.step = Step::SendFlight;
                Some(keys())
            }
            Step::SendFlight => {
                self.say(SERVER_FLIGHT, &self.own, buf);
                self.step = Step::AwaitFinish;
                Some(keys())
            }
            Step::Finish => {
                self.say(CLIENT_FINISHED, &[], buf);
                self.step = Step::Done;
                Some(keys())
            }
            _ => None,
        }
    }

    fn next_1rtt_keys(&mut self) -> Option<KeyPair<Box<dyn PacketKey>>> {
        Some(keys().packet)
    }

    fn is_valid_retry(&self, _: ConnectionId, _: &[u8], _: &[u8]) -> bool {
        false
    }

    fn export_keying_material(
        &self,
        _: &mut [u8],
        _: &[u8],
        _: &[u8],
    ) -> Result<(), ExportKeyingMaterialError> {
        Err(ExportKeyingMaterialError)
    }
}

/// The configuration of both ends.
pub struct Plaintext;

impl ClientConfig for Plaintext {
    fn start_session(
        &self,
        _: u32,
        _: &str,
        parameters: &TransportParameters,
    ) -> Result<Box<dyn Session>, ConnectError> {
        Ok(Handshake::new(Side::Client, parameters))
    }
}

impl ServerConfig for Plaintext {
    fn initial_keys(&self, _: u32, _: ConnectionId) -> Result<Keys, UnsupportedVersion> {
        Ok(keys())
    }

    fn retry_tag(&self, _: u32, _: ConnectionId, _: &[u8]) -> [u8; 16] {
        [0; 16]
    }

    fn start_session(&self, _: u32, parameters: &TransportParameters) -> Box<dyn Session> {
        Handshake::new(Side::Server, parameters)
    }
}

impl HandshakeTokenKey for Plaintext {
    fn seal(&self, _: u128, _: &mut Vec<u8>) -> Result<(), CryptoError> {
        Ok(())
    }

    fn open<'a>(&self, _: u128, data: &'a mut [u8]) -> Result<&'a [u8], CryptoError> {
        Ok(data)
    }
}

/// Makes the tokens of stateless resets, which no simulation sends.
pub struct ResetKey;

impl HmacKey for ResetKey {
    fn sign(&self, data: &[u8], signature: &mut [u8]) {
        let mut hash = 0xcbf2_9ce4_8422_2325_u64; // FNV-1a
        for each in signature.iter_mut() {
            for byte in data {
                hash = (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
            }
            *each = (hash >> 32) as u8 | 1;
        }
    }

    fn signature_len(&self) -> usize {
        32
    }

    fn verify(&self, _: &[u8], _: &[u8]) -> Result<(), CryptoError> {
        Err(CryptoError)
    }
}

/// Both ends' crypto.
pub fn shared() -> Arc<Plaintext> {
    Arc::new(Plaintext)
}
