// SPDX-License-Identifier: MIT
//! One end of a connection: an endpoint of noq-proto with its only connection and its only stream.

use std::net::{Ipv4Addr, SocketAddr};
use std::num::NonZeroUsize;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use bytes::{Bytes, BytesMut};
use noq_proto::congestion::{
    Bbr3Config, ControllerFactory, ControllerMetrics, CubicConfig, NewRenoConfig,
};
use noq_proto::{
    ClientConfig, Connection, ConnectionHandle, DatagramEvent, Dir, EcnCodepoint, Endpoint,
    EndpointConfig, Event, FourTuple, PathId, ServerConfig, StreamEvent, StreamId, TransportConfig,
    ValidationTokenConfig, VarInt,
};

use crate::observed::{Factory, Seen, Shared};
use crate::{plaintext, random};

static ZEROS: [u8; 1 << 16] = [0; 1 << 16];

/// The moment of the simulation's 0 s: the stack only compares and subtracts moments.
fn begin() -> Instant {
    static BEGIN: OnceLock<Instant> = OnceLock::new();
    *BEGIN.get_or_init(Instant::now)
}

fn moment(now: u64) -> Instant {
    begin() + Duration::from_nanos(now)
}

/// An address: both ends name the other like this, because datagrams have one path.
fn address() -> SocketAddr {
    (Ipv4Addr::LOCALHOST, 443).into()
}

pub struct End {
    endpoint: Endpoint,
    connection: Option<(ConnectionHandle, Connection)>,
    stream: Option<StreamId>,
    seen: Shared,
    buffer: Vec<u8>,
    is_established: bool,
    is_lost: bool,
}

impl End {
    /// Open an end; None if there is no such congestion control.
    pub fn open(
        seed: u64,
        control: &str,
        window: u64,
        datagram: u16,
        is_server: bool,
        now: u64,
    ) -> Option<Self> {
        random::mix(seed);
        let seen = Shared::default();
        let mut transport = TransportConfig::default();
        let window = window.min(VarInt::MAX.into_inner());
        transport
            .initial_mtu(datagram)
            .mtu_discovery_config(None)
            .enable_segmentation_offload(false)
            .max_idle_timeout(None)
            .send_window(window)
            .stream_receive_window(VarInt::from_u64(window).ok()?)
            .congestion_controller_factory(controller(control, &seen)?);
        let transport = Arc::new(transport);
        let mut config = EndpointConfig::new(Arc::new(plaintext::ResetKey));
        let mut own_seed = [0; 32];
        own_seed.chunks_mut(8).for_each(|part| part.copy_from_slice(&random::next().to_le_bytes()));
        config.rng_seed(Some(own_seed));
        let server = is_server.then(|| {
            let mut server = ServerConfig::new(plaintext::shared(), plaintext::shared());
            let mut tokens = ValidationTokenConfig::default();
            tokens.sent(0);
            server.transport_config(transport.clone()).validation_token_config(tokens);
            Arc::new(server)
        });
        let mut endpoint = Endpoint::new(Arc::new(config), server, false);
        let connection = if is_server {
            None
        } else {
            let mut client = ClientConfig::new(plaintext::shared());
            client.transport_config(transport);
            Some(endpoint.connect(moment(now), client, address(), "receiver").ok()?)
        };
        Some(Self {
            endpoint,
            connection,
            stream: None,
            seen,
            buffer: Vec::new(),
            is_established: false,
            is_lost: false,
        })
    }

    pub fn receive(&mut self, now: u64, data: &[u8], ecn: u32) {
        let path = FourTuple::new(address(), None);
        let ecn = EcnCodepoint::from_bits(ecn as u8);
        self.buffer.clear();
        let found =
            self.endpoint.handle(moment(now), path, ecn, BytesMut::from(data), &mut self.buffer);
        match found {
            Some(DatagramEvent::ConnectionEvent(_, event)) => {
                if let Some((_, connection)) = &mut self.connection {
                    connection.handle_event(event);
                }
            }
            Some(DatagramEvent::NewConnection(incoming)) if self.connection.is_none() => {
                self.buffer.clear();
                self.connection =
                    self.endpoint.accept(incoming, moment(now), &mut self.buffer, None).ok();
            }
            Some(DatagramEvent::NewConnection(incoming)) => self.endpoint.ignore(incoming),
            _ => {}
        }
        self.settle();
    }

    pub fn transmit(&mut self, now: u64) -> Option<(&[u8], u32)> {
        let (_, connection) = self.connection.as_mut()?;
        self.buffer.clear();
        let sent = connection.poll_transmit(moment(now), NonZeroUsize::MIN, &mut self.buffer)?;
        Some((&self.buffer[..sent.size], sent.ecn.map_or(0, |ecn| ecn as u32)))
    }

    pub fn next_timer(&mut self) -> Option<u64> {
        let (_, connection) = self.connection.as_mut()?;
        let next = connection.poll_timeout()?;
        Some(next.saturating_duration_since(begin()).as_nanos() as u64)
    }

    pub fn on_timer(&mut self, now: u64) {
        if let Some((_, connection)) = &mut self.connection {
            connection.handle_timeout(moment(now));
        }
        self.settle();
    }

    pub fn write(&mut self, bytes: u64, is_last: bool) -> u64 {
        let Some((_, connection)) = self.connection.as_mut().filter(|_| self.is_established) else {
            return 0;
        };
        if self.stream.is_none() {
            self.stream = connection.streams().open(Dir::Uni);
        }
        let Some(id) = self.stream else {
            return 0;
        };
        let mut stream = connection.send_stream(id);
        let mut taken = 0;
        while taken < bytes {
            let size = ZEROS.len().min(usize::try_from(bytes - taken).unwrap_or(usize::MAX));
            let mut chunks = [Bytes::from_static(&ZEROS[..size])];
            let Ok(written) = stream.write_chunks(&mut chunks.as_mut_slice()) else {
                break;
            };
            taken += written as u64;
        }
        if is_last && taken == bytes {
            let _ = stream.finish();
        }
        taken
    }

    pub fn read(&mut self) -> u64 {
        let Some((_, connection)) = &mut self.connection else {
            return 0;
        };
        if self.stream.is_none() {
            self.stream = connection.streams().accept(Dir::Uni);
        }
        let Some(id) = self.stream else {
            return 0;
        };
        let mut stream = connection.recv_stream(id);
        let Ok(mut chunks) = stream.read(true) else {
            return 0;
        };
        let mut taken = 0;
        while let Ok(Some(chunk)) = chunks.next(usize::MAX) {
            taken += chunk.bytes.len() as u64;
        }
        let _ = chunks.finalize();
        taken
    }

    pub fn seen(&self) -> Seen {
        self.seen.lock().expect("one thread").clone()
    }

    pub fn metrics(&self) -> Option<ControllerMetrics> {
        let (_, connection) = self.connection.as_ref()?;
        connection.congestion_state(PathId::ZERO).map(|control| control.metrics())
    }

    pub fn is_established(&self) -> bool {
        self.is_established
    }

    pub fn is_lost(&self) -> bool {
        self.is_lost
    }

    /// Pass events between the endpoint and its connection, until there are none.
    fn settle(&mut self) {
        let Some((handle, connection)) = &mut self.connection else {
            return;
        };
        while let Some(event) = connection.poll_endpoint_events() {
            if let Some(answer) = self.endpoint.handle_event(*handle, event) {
                connection.handle_event(answer);
            }
        }
        while let Some(event) = connection.poll() {
            match event {
                Event::Connected => self.is_established = true,
                Event::ConnectionLost { .. } => self.is_lost = true,
                Event::Stream(StreamEvent::Opened { .. }) | _ => {}
            }
        }
    }
}

fn controller(name: &str, seen: &Shared) -> Option<Arc<dyn ControllerFactory + Send + Sync>> {
    fn observed<F: ControllerFactory + Send + Sync + Default + 'static>(
        seen: &Shared,
    ) -> Arc<dyn ControllerFactory + Send + Sync> {
        Arc::new(Factory { inner: Arc::new(F::default()), seen: seen.clone() })
    }
    match name {
        "bbr3" => Some(observed::<Bbr3Config>(seen)),
        "cubic" => Some(observed::<CubicConfig>(seen)),
        "newreno" => Some(observed::<NewRenoConfig>(seen)),
        _ => None,
    }
}
