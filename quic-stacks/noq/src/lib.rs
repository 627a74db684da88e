// SPDX-License-Identifier: MIT
//! noq-proto behind the C interface of ns3-scenarios/lib/quic/quic-stack.h, which says what each function does.

mod end;
mod observed;
mod plaintext;
mod random;

use std::ffi::{CStr, c_char};

use end::End;

const VERSION: u32 = 1;
const NONE: u64 = u64::MAX;

#[repr(C)]
pub struct Settings {
    seed: u64,
    control: *const c_char,
    window_bytes: u64,
    datagram_bytes: u32,
    is_server: u32,
}

#[repr(C)]
pub struct State {
    is_established: u64,
    is_lost: u64,
    cwnd_bytes: u64,
    ssthresh_bytes: u64,
    in_flight_bytes: u64,
    rtt_ns: u64,
    smoothed_rtt_ns: u64,
    congestion_state: u64,
    lost_bytes: u64,
    lost_packets: u64,
    congestion_events: u64,
}

#[repr(C)]
pub struct Stack {
    version: u32,
    name: *const c_char,
    controls: *const c_char,
    open: unsafe extern "C" fn(*const Settings, u64) -> *mut End,
    close: unsafe extern "C" fn(*mut End),
    receive: unsafe extern "C" fn(*mut End, u64, *const u8, usize, u32),
    transmit: unsafe extern "C" fn(*mut End, u64, *mut u8, usize, *mut u32) -> usize,
    next_timer: unsafe extern "C" fn(*mut End) -> u64,
    on_timer: unsafe extern "C" fn(*mut End, u64),
    write: unsafe extern "C" fn(*mut End, u64, u32) -> u64,
    read: unsafe extern "C" fn(*mut End) -> u64,
    state: unsafe extern "C" fn(*mut End, *mut State),
}

// SAFETY: its pointers are to constants.
unsafe impl Sync for Stack {}

static STACK: Stack = Stack {
    version: VERSION,
    name: c"noq-proto 1.4.0".as_ptr(),
    controls: c"bbr3 cubic newreno".as_ptr(),
    open,
    close,
    receive,
    transmit,
    next_timer,
    on_timer,
    write,
    read,
    state,
};

#[unsafe(no_mangle)]
pub extern "C" fn tcpsweep_quic_stack() -> *const Stack {
    &raw const STACK
}

// SAFETY of all functions below: the caller passes what the interface says, from one thread.

unsafe extern "C" fn open(settings: *const Settings, now: u64) -> *mut End {
    let settings = unsafe { &*settings };
    let control = unsafe { CStr::from_ptr(settings.control) }.to_str().unwrap_or("");
    let datagram = u16::try_from(settings.datagram_bytes).unwrap_or(u16::MAX);
    End::open(
        settings.seed,
        control,
        settings.window_bytes,
        datagram,
        settings.is_server != 0,
        now,
    )
    .map_or(std::ptr::null_mut(), |end| Box::into_raw(Box::new(end)))
}

unsafe extern "C" fn close(end: *mut End) {
    drop(unsafe { Box::from_raw(end) });
}

unsafe extern "C" fn receive(end: *mut End, now: u64, data: *const u8, size: usize, ecn: u32) {
    unsafe { (*end).receive(now, std::slice::from_raw_parts(data, size), ecn) };
}

unsafe extern "C" fn transmit(
    end: *mut End,
    now: u64,
    data: *mut u8,
    capacity: usize,
    ecn: *mut u32,
) -> usize {
    let Some((datagram, bits)) = (unsafe { (*end).transmit(now) }) else {
        return 0;
    };
    let size = datagram.len().min(capacity);
    unsafe {
        std::ptr::copy_nonoverlapping(datagram.as_ptr(), data, size);
        *ecn = bits;
    }
    size
}

unsafe extern "C" fn next_timer(end: *mut End) -> u64 {
    unsafe { (*end).next_timer() }.unwrap_or(NONE)
}

unsafe extern "C" fn on_timer(end: *mut End, now: u64) {
    unsafe { (*end).on_timer(now) };
}

unsafe extern "C" fn write(end: *mut End, bytes: u64, is_last: u32) -> u64 {
    unsafe { (*end).write(bytes, is_last != 0) }
}

unsafe extern "C" fn read(end: *mut End) -> u64 {
    unsafe { (*end).read() }
}

unsafe extern "C" fn state(end: *mut End, to: *mut State) {
    let end = unsafe { &*end };
    let seen = end.seen();
    let metrics = end.metrics();
    let in_ns = |time: Option<std::time::Duration>| time.map_or(NONE, |it| it.as_nanos() as u64);
    let found = State {
        is_established: end.is_established().into(),
        is_lost: end.is_lost().into(),
        cwnd_bytes: metrics.as_ref().map_or(0, |it| it.congestion_window),
        ssthresh_bytes: metrics.and_then(|it| it.ssthresh).unwrap_or(NONE),
        in_flight_bytes: seen.in_flight,
        rtt_ns: in_ns(seen.rtt),
        smoothed_rtt_ns: in_ns(seen.smoothed_rtt),
        congestion_state: seen.state,
        lost_bytes: seen.lost_bytes,
        lost_packets: seen.lost_packets,
        congestion_events: seen.events,
    };
    unsafe { to.write(found) };
}
