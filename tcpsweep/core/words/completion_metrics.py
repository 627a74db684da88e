# SPDX-License-Identifier: MIT
"""The metrics of completion times of flows of limited length."""

from typing import Any

from tcpsweep.core.words.metric_form import BOUNDED, OF_WHOLE, Metric, S

_TIME: dict[str, Any] = BOUNDED | S | {"better": "lower", "needs_steady": False}
METRICS = {
    "finished_share": Metric(
        "Flows that ended",
        "1",
        "flow",
        "1 if a flow with limited bytes ended, else 0; over the whole simulation",
        "design: the times of finished flows do not show it",
        **OF_WHOLE,
        better="higher",
        needs_steady=False,
    ),
    "completion_s": Metric(
        "Flow completion time of one flow",
        "s",
        "flow",
        "time from a limited flow's start until its last byte was read, over the whole simulation; none if it did not "
        "end, so this is only in `flows`, and the metrics below have means and percentiles",
        "RFC 5166, section 2.1.1",
        **_TIME,
        compared=False,
        averaged=False,
    ),
    "completion_mean_s": Metric(
        "Mean flow completion time, restricted",
        "s",
        "variant",
        "mean over the variant's limited flows: time from start to end, or `completion_horizon_s` if a flow lasts "
        "longer; the area under the Kaplan–Meier curve up to that horizon",
        "Royston and Parmar 2013",
        **_TIME,
    ),
    **{
        f"completion_p{rank}_s": Metric(
            f"Flow completion time, {rank}th percentile",
            "s",
            "variant",
            f"time by which {rank} % of the variant's limited flows have ended, by the Kaplan–Meier curve; none if the "
            "curve does not reach it",
            "Kaplan and Meier 1958",
            **_TIME,
            censored=True,
        )
        for rank in (50, 95, 99)
    },
    "completion_horizon_s": Metric(
        "Horizon of the restricted mean",
        "s",
        "network",
        "shortest time from a limited forward flow's start until it stops or the simulation ends",
        "Royston and Parmar 2013",
        **BOUNDED,
        needs_steady=False,
        compared=False,
        **S,
    ),
}
