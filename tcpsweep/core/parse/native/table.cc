// SPDX-License-Identifier: MIT
#include "table.h"

#include <iterator>
#include <optional>
#include <utility>

namespace tcpsweep
{

Table::Table(size_t rows)
    : m_time_s(rows),
      m_interface(rows),
      m_flow(rows),
      m_isAck(rows),
      m_source(rows),
      m_sourcePort(rows),
      m_destination(rows),
      m_destinationPort(rows),
      m_protocol(rows),
      m_ttl(rows),
      m_ipId(rows),
      m_ecn(rows),
      m_wireBytes(rows),
      m_capturedBytes(rows),
      m_retry(rows),
      m_ipBytes(rows),
      m_payloadBytes(rows),
      m_seq(rows),
      m_ack(rows),
      m_flags(rows),
      m_window(rows),
      m_mss(rows),
      m_sackPermitted(rows),
      m_windowScale(rows),
      m_tsval(rows),
      m_tsecr(rows),
      m_sackLeft(rows),
      m_sackRight(rows)
{
}

void
Table::Append(std::optional<int64_t> time_ns,
              uint32_t interface,
              const Packet& packet,
              EndsIndex& index)
{
    const auto& ends = packet.ends;
    const auto& known = index.Look(ends);
    const auto& membership = known.membership;
    const auto port = [&](uint16_t number)
    {
        return ends.hasPorts ? std::optional(number) : std::nullopt;
    };
    time_ns ? m_time_s.Append(*time_ns) : m_time_s.AppendMissing();
    m_interface.Append(static_cast<int32_t>(interface));
    m_flow.Append(membership.flow);
    m_isAck.Append(membership.flow < 0 ? std::nullopt : std::optional<uint8_t>(membership.isAck));
    m_source.Append(known.sourceCode);
    m_sourcePort.Append(port(ends.sourcePort));
    m_destination.Append(known.destinationCode);
    m_destinationPort.Append(port(ends.destinationPort));
    m_protocol.Append(ends.protocol);
    m_ttl.Append(packet.ttl);
    m_ipId.Append(packet.ipId);
    m_ecn.Append(packet.ecn);
    m_wireBytes.Append(packet.wireBytes);
    m_capturedBytes.Append(packet.capturedBytes);
    m_retry.Append(packet.retry);
    m_ipBytes.Append(packet.ipBytes);
    m_payloadBytes.Append(packet.payloadBytes);
    m_seq.Append(packet.seq);
    m_ack.Append(packet.ack);
    m_flags.Append(packet.flags);
    m_window.Append(packet.window);
    m_mss.Append(packet.mss);
    m_sackPermitted.Append(packet.sackPermitted);
    m_windowScale.Append(packet.windowScale);
    m_tsval.Append(packet.tsval);
    m_tsecr.Append(packet.tsecr);
    m_sackLeft.Append(packet.sackLeft.data(), packet.sackBlocks);
    m_sackRight.Append(packet.sackRight.data(), packet.sackBlocks);
    m_size++;
}

void
Table::HandOver(const EndsIndex& index, ArrowSchema& schema, ArrowArray& array)
{
    const auto addresses = index.Addresses();
    m_source.SetTexts(addresses);
    m_destination.SetTexts(addresses);
    const std::pair<const char*, Column*> columns[] = {
        {"time_s", &m_time_s},
        {"interface", &m_interface},
        {"flow", &m_flow},
        {"is_ack", &m_isAck},
        {"source", &m_source},
        {"source_port", &m_sourcePort},
        {"destination", &m_destination},
        {"destination_port", &m_destinationPort},
        {"protocol", &m_protocol},
        {"ttl", &m_ttl},
        {"ip_id", &m_ipId},
        {"ecn", &m_ecn},
        {"wire_bytes", &m_wireBytes},
        {"captured_bytes", &m_capturedBytes},
        {"retry", &m_retry},
        {"ip_bytes", &m_ipBytes},
        {"payload_bytes", &m_payloadBytes},
        {"seq", &m_seq},
        {"ack", &m_ack},
        {"flags", &m_flags},
        {"window", &m_window},
        {"mss", &m_mss},
        {"sack_permitted", &m_sackPermitted},
        {"window_scale", &m_windowScale},
        {"tsval", &m_tsval},
        {"tsecr", &m_tsecr},
        {"sack_left", &m_sackLeft},
        {"sack_right", &m_sackRight},
    };
    Export("+s", "", m_size, 0, {nullptr}, schema, array);
    AddChildren(schema, array, std::size(columns));
    for (size_t i = 0; i < std::size(columns); i++)
    {
        columns[i].second->HandOver(columns[i].first, *schema.children[i], *array.children[i]);
    }
}

} // namespace tcpsweep
