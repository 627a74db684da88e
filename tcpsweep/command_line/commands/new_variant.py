# SPDX-License-Identifier: MIT
"""`tcpsweep new TcpMine.cc`: a congestion control in C++ to start from, which compiles as it is."""

import re
from pathlib import Path

from tcpsweep.store import whole_files
from tcpsweep.words.user_error import UserError

_CLASS = re.compile(r"[A-Z]\w*")
_TEMPLATE = """\
// SPDX-License-Identifier: GPL-2.0-only
#include <ns3/double.h>
#include <ns3/tcp-congestion-ops.h>

#include <algorithm>

namespace ns3
{

/**
 * Reno with other steps: each round trip adds Increase segments, and a loss leaves the share Beta of the
 * window. With 1 and 0.5 it grows as TcpLinuxReno. ns-3's TcpNewReno adds half a segment with delayed ACKs.
 * Change this to your algorithm, and cite it here with its equations.
 */
class @CLASS@ : public TcpNewReno
{
  public:
    /// @return the type's id
    static TypeId GetTypeId();

    std::string GetName() const override;
    uint32_t GetSsThresh(Ptr<const TcpSocketState> tcb, uint32_t bytesInFlight) override;
    Ptr<TcpCongestionOps> Fork() override;

  protected:
    void CongestionAvoidance(Ptr<TcpSocketState> tcb, uint32_t segmentsAcked) override;

  private:
    double m_increase; //!< segments that a round trip adds in congestion avoidance
    double m_beta;     //!< share of the bytes in flight that a loss leaves
    double m_rest{0};  //!< bytes of the next addition, less than one
};

NS_OBJECT_ENSURE_REGISTERED(@CLASS@);

TypeId
@CLASS@::GetTypeId()
{
    // A sweep file sets attributes, or makes an axis of them: "ns3::@CLASS@::Beta": [0.5, 0.7]
    static const TypeId tid =
        TypeId("ns3::@CLASS@")
            .SetParent<TcpNewReno>()
            .SetGroupName("Internet")
            .AddConstructor<@CLASS@>()
            .AddAttribute("Increase",
                          "Segments that a round trip adds in congestion avoidance",
                          DoubleValue(1.0),
                          MakeDoubleAccessor(&@CLASS@::m_increase),
                          MakeDoubleChecker<double>(0.0))
            .AddAttribute("Beta",
                          "Share of the bytes in flight that a loss leaves",
                          DoubleValue(0.5),
                          MakeDoubleAccessor(&@CLASS@::m_beta),
                          MakeDoubleChecker<double>(0.0, 1.0));
    return tid;
}

std::string
@CLASS@::GetName() const
{
    return "@CLASS@";
}

// After a loss: the slow start threshold in bytes.
uint32_t
@CLASS@::GetSsThresh(Ptr<const TcpSocketState> tcb, uint32_t bytesInFlight)
{
    return std::max(static_cast<uint32_t>(m_beta * bytesInFlight), 2 * tcb->m_segmentSize);
}

// For each ACK above the slow start threshold: the window in bytes.
void
@CLASS@::CongestionAvoidance(Ptr<TcpSocketState> tcb, uint32_t segmentsAcked)
{
    const double segment = tcb->m_segmentSize;
    m_rest += m_increase * segmentsAcked * segment * segment / tcb->m_cWnd.Get();
    const auto whole = static_cast<uint32_t>(m_rest);
    m_rest -= whole;
    tcb->m_cWnd += whole;
}

// Each connection has an object of its own.
Ptr<TcpCongestionOps>
@CLASS@::Fork()
{
    return CopyObject<@CLASS@>(this);
}

} // namespace ns3
"""


def write(file: Path) -> str:
    """Write the C++ file; return what to do next. Raises `UserError`."""
    name = file.stem
    if not _CLASS.fullmatch(name):
        raise UserError(f"{file}: expected the name of a C++ class with a capital letter, such as TcpMine.cc")
    whole_files.write_whole(file, _TEMPLATE.replace("@CLASS@", name))
    return f"{file}: change the algorithm, then name it in a sweep file next to it: variant: [./{file.name}, TcpCubic]"
