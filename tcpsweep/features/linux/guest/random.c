// SPDX-License-Identifier: MIT
/*
 * Loaded before a User-Mode Linux: the random numbers that it gets from its host follow from TCPSWEEP_SEED alone.
 * Its own generator starts from them, so the kernel's choices are the same in every run (SplitMix64: Steele, Lea and
 * Flood, "Fast splittable pseudorandom number generators", 2014).
 */
#include <stdint.h>
#include <stdlib.h>
#include <sys/types.h>

ssize_t getrandom(void *buffer, size_t size, unsigned flags)
{
    static uint64_t state;
    static int seeded;
    unsigned char *to = buffer;
    (void)flags;
    if (!seeded) {
        const char *seed = getenv("TCPSWEEP_SEED");
        state = seed ? strtoull(seed, 0, 0) : 0;
        seeded = 1;
    }
    for (size_t i = 0; i < size; i++) {
        uint64_t mixed = state += 0x9E3779B97F4A7C15u;
        mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9u;
        mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EBu;
        to[i] = (unsigned char)(mixed ^ mixed >> 31);
    }
    return (ssize_t)size;
}
