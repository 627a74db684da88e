// SPDX-License-Identifier: MIT
//! Random numbers that depend only on the simulation's seed, in the place of the system's.

use std::sync::atomic::{AtomicU64, Ordering};

#[cfg(not(getrandom_backend = "custom"))]
compile_error!("build with `cargo build --config config.toml`, so that random numbers come from the simulation's seed");

static STATE: AtomicU64 = AtomicU64::new(0);
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// Add a connection's seed. The connections of a simulation begin in the same order each time.
pub fn mix(seed: u64) {
    STATE.fetch_add(seed.wrapping_mul(STEP), Ordering::Relaxed);
}

/// The next 64 bits of SplitMix64 (Steele, Lea and Flood, 2014).
pub fn next() -> u64 {
    let mut z = STATE.fetch_add(STEP, Ordering::Relaxed).wrapping_add(STEP);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// What getrandom calls with `getrandom_backend="custom"`.
#[unsafe(no_mangle)]
unsafe extern "Rust" fn __getrandom_v03_custom(
    to: *mut u8,
    size: usize,
) -> Result<(), getrandom::Error> {
    // SAFETY: getrandom passes a buffer of this size. It may be uninitialised, so it is only written.
    unsafe {
        for at in (0..size).step_by(8) {
            let word = next().to_le_bytes();
            std::ptr::copy_nonoverlapping(word.as_ptr(), to.add(at), 8.min(size - at));
        }
    }
    Ok(())
}
