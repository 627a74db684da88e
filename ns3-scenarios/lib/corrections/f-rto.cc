// SPDX-License-Identifier: GPL-2.0-only
#include "corrections/f-rto.h"

namespace tcpsweep
{

void
FRto::TimeOut(bool isFirst, ns3::SequenceNumber32 sent)
{
    m_isOn = isFirst;
    m_recover = sent;
}

FRto::Answer
FRto::Receive(const Report& report, ns3::SequenceNumber32 sent)
{
    if (!m_isOn)
    {
        return Answer::NOTHING;
    }
    if (report.originalEnd && *report.originalEnd <= m_recover) // step 3.b
    {
        m_isOn = false;
        return Answer::UNDO;
    }
    if (IsWaiting(sent))
    {
        m_isOn = !report.hasNews; // step 3.a
        return Answer::NOTHING;
    }
    if (!report.advances)
    {
        return Answer::NOTHING;
    }
    m_isOn = report.acked < m_recover; // step 2.a
    return m_isOn ? Answer::SEND_NEW : Answer::NOTHING;
}

void
FRto::Stop()
{
    m_isOn = false;
}

bool
FRto::IsWaiting(ns3::SequenceNumber32 sent) const
{
    return m_isOn && sent > m_recover;
}

} // namespace tcpsweep
