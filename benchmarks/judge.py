# SPDX-License-Identifier: MIT
"""Draw the networks of `config/certificate-judge.yaml` from a seed, so that nobody chooses them.

`.venv/bin/python benchmarks/judge.py` prints them as the file has them. docs/features/certificate.md has the plan.
"""

import math
import random

SEED = 20261129  # the date of the plan
BOX = {"bandwidth": (4, 12), "delay": (10, 25), "queue": (0.5, 3)}  # Mbit/s, ms, BDP
FLOWS = (1, 2, 3, 4)
LOSS = (0.001, 0.02)
KINDS = ["drop-tail"] * 12 + ["loss"] * 3 + ["CoDel", "PIE", "FqCoDel", "ECN", "transfers"]
DISCS = {"CoDel": "CoDelQueueDisc", "PIE": "PieQueueDisc", "FqCoDel": "FqCoDelQueueDisc", "ECN": "CoDelQueueDisc"}
AQM_BDP = 4  # the buffer with active queue management, which keeps the queue shorter
# The least after the warm-up: seconds, Mbit of several flows, and Reno's epochs, of which one of several may miss some.
MEASURED_S, MEASURED_MBIT, EPOCHS_ALONE, EPOCHS = 25, 200, 7, 10
# Without losses, BBR shows its steady state in ten of its probes for the round-trip time. So long run the networks in
# which it did not in the first run.
TEN_PROBES_S, NOT_STEADY = 100, (0, 8, 9)
PACKET_BITS = 8 * 1502  # 1448 bytes of data, with TCP, IP and PPP


def networks() -> list[dict[str, str]]:
    """The network conditions: a Latin hypercube on logarithmic scales, and each number of flows as often."""
    draw, count = random.Random(SEED), len(KINDS)
    strata = {name: draw.sample(range(count), count) for name in (*BOX, "flows")}
    drawn = []
    for number, kind in enumerate(KINDS):
        mbps, delay_ms, bdp = (
            low * (high / low) ** ((strata[name][number] + draw.random()) / count) for name, (low, high) in BOX.items()
        )
        flows = FLOWS[strata["flows"][number] * len(FLOWS) // count]
        loss = LOSS[0] * (LOSS[1] / LOSS[0]) ** ((number % 3 + draw.random()) / 3)  # low, middle and high
        path = {"bandwidth": f"{mbps:.1f}Mbps", "delay": f"{delay_ms:.0f}ms"}
        path |= {"queue": f"{AQM_BDP if kind in DISCS else round(bdp, 1)}bdp", "flows": f"{flows}"}
        path |= {"loss": f"{loss:.4f}" if kind == "loss" else "0", "queue_disc": DISCS.get(kind, "none")}
        path |= {"ecn": "true" if kind == "ECN" else "false", "bytes": "1MB" if kind == "transfers" else "0"}
        path |= {"start_stagger": "500ms" if kind == "transfers" else "0s"}
        least_s = TEN_PROBES_S if number in NOT_STEADY else MEASURED_S
        drawn.append(path | times(round(mbps, 1), round(delay_ms), round(bdp, 1), flows, least_s))
    return drawn


def times(mbps: float, delay_ms: float, bdp: float, flows: int, least_s: int = MEASURED_S) -> dict[str, str]:
    """The duration and the warm-up: a third of it with several flows, whose start may fill the buffer, else a fifth.

    In an epoch, a flow of Reno grows its window from half to all of its share of a drop-tail queue.
    """
    rate, trip_s = 1e6 * mbps / PACKET_BITS, 0.002 * (delay_ms + 2)  # with 1 ms of each access link
    packets = rate * trip_s * (1 + bdp)
    epoch_s = packets / flows / 2 * max(trip_s, 0.75 * packets / rate)
    is_alone = flows == 1
    epochs_s = (EPOCHS_ALONE if is_alone else EPOCHS) * epoch_s
    measured_s = math.ceil(max(least_s, 0 if is_alone else MEASURED_MBIT / mbps, epochs_s))
    warmup_s = math.ceil(measured_s / (4 if is_alone else 2))
    return {"duration": f"{measured_s + warmup_s}s", "warmup": f"{warmup_s}s"}


if __name__ == "__main__":
    for name in networks()[0]:
        print(f"  {name}: [{', '.join(network[name] for network in networks())}]")
