// SPDX-License-Identifier: GPL-2.0-only
#include "wireless/wifi-interface.h"

#include <ns3/ampdu-subframe-header.h>
#include <ns3/radiotap-header.h>
#include <ns3/simulator.h>
#include <ns3/wifi-phy.h>

namespace tcpsweep
{

namespace
{

/// The headers: radiotap's as below, 802.11's with four addresses, QoS and HT control, LLC's with
/// SNAP.
constexpr uint32_t WIFI_HEADER_BYTES = 20 + (24 + 6 + 2 + 4) + 8;

/**
 * @param tx transmission parameters of the frame
 * @param station the receiver, if there are several
 * @return radiotap's header with the fields common to sent and received frames. The flag says that
 * the frame includes its checksum
 */
ns3::RadiotapHeader
MakeRadiotap(const ns3::WifiTxVector& tx, uint16_t station)
{
    constexpr uint64_t RATE_UNIT_BPS = 500000;
    ns3::RadiotapHeader header;
    header.SetTsft(static_cast<uint64_t>(ns3::Simulator::Now().GetMicroSeconds()));
    header.SetFrameFlags(ns3::RadiotapHeader::FRAME_FLAG_FCS_INCLUDED);
    if (tx.GetMode(station).GetModulationClass() < ns3::WIFI_MOD_CLASS_HT)
    {
        // Higher rates do not fit into this field.
        header.SetRate(static_cast<uint8_t>(tx.GetMode(station).GetDataRate(tx) / RATE_UNIT_BPS));
    }
    return header;
}

/**
 * @param sink where the frame goes
 * @param frame the frame in the device's form
 * @param isAggregated whether it is a part of an A-MPDU
 * @param header radiotap's header
 */
void
Pass(FrameSink sink,
     ns3::Ptr<const ns3::Packet> frame,
     bool isAggregated,
     const ns3::RadiotapHeader& header)
{
    auto captured = frame->Copy();
    if (isAggregated)
    {
        // Delimiter and padding are no part of the frame.
        ns3::AmpduSubframeHeader delimiter;
        captured->RemoveHeader(delimiter);
        captured = captured->CreateFragment(0, delimiter.GetLength());
    }
    captured->AddHeader(header);
    sink(captured);
}

/// Pass on a frame that the device sends; a sink for ns3::WifiPhy's trace MonitorSnifferTx.
void
PassSent(FrameSink sink,
         ns3::Ptr<const ns3::Packet> frame,
         uint16_t,
         ns3::WifiTxVector tx,
         ns3::MpduInfo,
         uint16_t station)
{
    Pass(sink, frame, tx.IsAggregation(), MakeRadiotap(tx, station));
}

/// Pass on a frame that the device has received; a sink for ns3::WifiPhy's trace MonitorSnifferRx.
void
PassReceived(FrameSink sink,
             ns3::Ptr<const ns3::Packet> frame,
             uint16_t,
             ns3::WifiTxVector tx,
             ns3::MpduInfo,
             ns3::SignalNoiseDbm power,
             uint16_t station)
{
    auto header = MakeRadiotap(tx, station);
    header.SetAntennaSignalPower(power.signal);
    header.SetAntennaNoisePower(power.noise);
    Pass(sink, frame, tx.IsAggregation(), header);
}

} // namespace

Interface
WifiInterface(const std::string& label, ns3::Ptr<ns3::WifiNetDevice> device)
{
    const auto connect = [phy = device->GetPhy()](FrameSink sink)
    {
        phy->TraceConnectWithoutContext("MonitorSnifferTx",
                                        ns3::MakeBoundCallback(&PassSent, sink));
        phy->TraceConnectWithoutContext("MonitorSnifferRx",
                                        ns3::MakeBoundCallback(&PassReceived, sink));
    };
    return {label, device, RADIOTAP_FRAMES, WIFI_HEADER_BYTES + IP_AND_TCP_BYTES, connect};
}

} // namespace tcpsweep
