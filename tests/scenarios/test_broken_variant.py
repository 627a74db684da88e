# SPDX-License-Identifier: MIT
"""A search finds a congestion control that is broken on purpose, in a corner of the networks that it looks over."""

import json

import polars as pl
import pytest

from tests.support.project import swept

FAULT_S = 0.14  # the round trip beyond which the broken one keeps ten segments in flight
BROKEN = """\
// SPDX-License-Identifier: GPL-2.0-only
#include <ns3/tcp-bbr.h>

#include <algorithm>

namespace ns3
{

/** BBR with a fault: where the base round trip is long, it keeps ten segments in flight. */
class TcpBrokenBbr : public TcpBbr
{
  public:
    /// @return the type's id
    static TypeId GetTypeId()
    {
        static const TypeId tid = TypeId("ns3::TcpBrokenBbr")
                                      .SetParent<TcpBbr>()
                                      .SetGroupName("Internet")
                                      .AddConstructor<TcpBrokenBbr>();
        return tid;
    }

    std::string GetName() const override
    {
        return "TcpBrokenBbr";
    }

    void CongControl(Ptr<TcpSocketState> tcb,
                     const TcpRateOps::TcpRateConnection& rc,
                     const TcpRateOps::TcpRateSample& rs) override
    {
        TcpBbr::CongControl(tcb, rc, rs);
        if (tcb->m_minRtt > MilliSeconds(140))
        {
            tcb->m_cWnd = std::min<uint32_t>(tcb->m_cWnd, 10 * tcb->m_segmentSize);
        }
    }

    Ptr<TcpCongestionOps> Fork() override
    {
        return CopyObject<TcpBrokenBbr>(this);
    }
};

NS_OBJECT_ENSURE_REGISTERED(TcpBrokenBbr);

} // namespace ns3
"""
SWEEP = """\
sweep: broken
scenario: dumbbell
grid:
  variant: [TcpBrokenBbr, TcpBbr]
search:
  worst: goodput_bps of TcpBrokenBbr - TcpBbr
  over: {bandwidth: 1Mbps to 8Mbps, delay: 5ms to 100ms, loss: 0 to 0.01}
  cells: 80
repetitions: 5
pages: false
fixed: {flows: 2, duration: 8s, warmup: 3s}
"""


@pytest.mark.long
def test_a_search_finds_where_a_variant_is_broken(project):
    (project / "ns3-scenarios" / "variants" / "TcpBrokenBbr.cc").write_text(BROKEN)
    rows = {row["role"]: row for row in searched(project)}
    found, simplest = rows["found"], rows.get("simplest", rows["found"])
    for row in (found, simplest):
        assert 2 * row["delay_s"] > FAULT_S - 0.02, "the round trip has transmission times, too"
        assert row["high"] < -0.3
        assert row["shows"]
    assert simplest["loss"] == 0, "which has nothing to do with the fault"
    # Ten segments of each of two flows in a round trip, of what the link carries.
    most = 2 * 10 * 1500 * 8 / FAULT_S / found["bandwidth_bps"]
    assert found["mean"] < -0.5 * (1 - min(1, most))


def searched(project):
    """The networks of the search, which ends, in their order."""
    (project / "sweep.yaml").write_text(SWEEP)
    swept(project)
    folder = project / "results" / "sweeps" / "broken"
    ran = len(json.loads((folder / "covered.json").read_text()))
    # A check is ten cells, and a simpler network that was checked already takes none.
    assert 80 - 20 < ran <= 80, "the budget is spent"
    return pl.read_parquet(folder / "search.parquet").iter_rows(named=True)
