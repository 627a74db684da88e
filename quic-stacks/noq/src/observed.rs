// SPDX-License-Identifier: MIT
//! A congestion controller that notes what another one is told and answers.

use std::any::Any;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use noq_proto::RttEstimator;
use noq_proto::congestion::{Controller, ControllerFactory, ControllerMetrics};

/// The states of congestion, with ns-3's numbers.
const OPEN: u64 = 0;
const CWR: u64 = 2;
const RECOVERY: u64 = 3;
const LOSS: u64 = 4;

/// What the sender's congestion control was told so far.
#[derive(Clone, Default)]
pub struct Seen {
    pub in_flight: u64,
    pub lost_bytes: u64,
    pub lost_packets: u64,
    pub events: u64,
    pub state: u64,
    pub rtt: Option<Duration>,
    pub smoothed_rtt: Option<Duration>,
    /// When the last acknowledgment came.
    acked: Option<Instant>,
    /// When the last reduction began. It ends with the first acknowledgment of a packet that was sent later (RFC 9002,
    /// 7.3.2).
    since: Option<Instant>,
}

pub type Shared = Arc<Mutex<Seen>>;

/// Makes controllers that note into `Shared`.
pub struct Factory<F> {
    pub inner: Arc<F>,
    pub seen: Shared,
}

impl<F: ControllerFactory> ControllerFactory for Factory<F> {
    fn build(self: Arc<Self>, now: Instant, current_mtu: u16) -> Box<dyn Controller> {
        Box::new(Observed {
            inner: self.inner.clone().build(now, current_mtu),
            seen: self.seen.clone(),
        })
    }
}

#[derive(Debug)]
struct Observed {
    inner: Box<dyn Controller>,
    seen: Shared,
}

impl std::fmt::Debug for Seen {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Seen")
    }
}

impl Observed {
    fn note(&self, change: impl FnOnce(&mut Seen)) {
        change(&mut self.seen.lock().expect("one thread"));
    }
}

impl Controller for Observed {
    fn on_sent(&mut self, now: Instant, bytes: u64, largest_pn: u64) {
        self.inner.on_sent(now, bytes, largest_pn);
    }

    fn on_packet_sent(&mut self, now: Instant, bytes: u16, pn: u64) {
        self.note(|seen| seen.in_flight += u64::from(bytes));
        self.inner.on_packet_sent(now, bytes, pn);
    }

    fn on_cwnd_limited(&mut self) {
        self.inner.on_cwnd_limited();
    }

    fn on_ack(
        &mut self,
        now: Instant,
        sent: Instant,
        bytes: u64,
        pn: u64,
        app_limited: bool,
        rtt: &RttEstimator,
    ) {
        let smoothed = rtt.get();
        self.note(|seen| {
            seen.smoothed_rtt = Some(smoothed);
            seen.in_flight = seen.in_flight.saturating_sub(bytes);
            // Of the packets that one ACK frame acknowledges, the latest gives the round trip.
            let is_same = seen.acked == Some(now);
            let rtt = now - sent;
            seen.rtt = Some(if is_same { seen.rtt.map_or(rtt, |other| other.min(rtt)) } else { rtt });
            seen.acked = Some(now);
            if seen.since.is_some_and(|since| sent > since) {
                seen.state = OPEN;
            }
        });
        self.inner.on_ack(now, sent, bytes, pn, app_limited, rtt);
    }

    fn on_end_acks(
        &mut self,
        now: Instant,
        in_flight: u64,
        app_limited: bool,
        largest_packet_num_acked: Option<u64>,
    ) {
        self.note(|seen| seen.in_flight = in_flight);
        self.inner.on_end_acks(now, in_flight, app_limited, largest_packet_num_acked);
    }

    fn on_congestion_event(
        &mut self,
        now: Instant,
        sent: Instant,
        is_persistent_congestion: bool,
        is_ecn: bool,
        lost_bytes: u64,
        largest_lost_pn: u64,
    ) {
        self.note(|seen| {
            seen.lost_bytes += lost_bytes;
            seen.in_flight = seen.in_flight.saturating_sub(lost_bytes);
            if is_persistent_congestion {
                seen.state = LOSS;
            }
            if seen.since.is_none_or(|since| sent > since) {
                seen.events += 1;
                seen.since = Some(now);
                seen.state = match (is_persistent_congestion, is_ecn) {
                    (true, _) => LOSS,
                    (_, true) => CWR,
                    _ => RECOVERY,
                };
            }
        });
        self.inner.on_congestion_event(
            now,
            sent,
            is_persistent_congestion,
            is_ecn,
            lost_bytes,
            largest_lost_pn,
        );
    }

    fn on_packet_lost(&mut self, lost_bytes: u16, pn: u64, now: Instant) {
        self.note(|seen| seen.lost_packets += 1);
        self.inner.on_packet_lost(lost_bytes, pn, now);
    }

    fn on_spurious_congestion_event(&mut self) {
        self.note(|seen| {
            seen.since = None;
            seen.state = OPEN;
        });
        self.inner.on_spurious_congestion_event();
    }

    fn on_mtu_update(&mut self, new_mtu: u16) {
        self.inner.on_mtu_update(new_mtu);
    }

    fn on_ack_frequency_update(&mut self, threshold: u64, requested_max_ack_delay: Duration) {
        self.inner.on_ack_frequency_update(threshold, requested_max_ack_delay);
    }

    fn window(&self) -> u64 {
        self.inner.window()
    }

    fn metrics(&self) -> ControllerMetrics {
        self.inner.metrics()
    }

    fn clone_box(&self) -> Box<dyn Controller> {
        Box::new(Self { inner: self.inner.clone_box(), seen: self.seen.clone() })
    }

    fn initial_window(&self) -> u64 {
        self.inner.initial_window()
    }

    fn into_any(self: Box<Self>) -> Box<dyn Any> {
        self.inner.into_any()
    }
}
