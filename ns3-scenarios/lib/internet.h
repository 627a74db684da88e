// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_INTERNET_H
#define TCPSWEEP_INTERNET_H

#include <ns3/node.h>
#include <ns3/packet.h>

#include <cstdint>

/**
 * @file
 * What flows need of the layers below TCP.
 */

namespace tcpsweep
{

/**
 * @param segment a TCP segment, its header first
 * @return the port that it comes from
 */
uint16_t SourcePortOf(ns3::Ptr<const ns3::Packet> segment);

/**
 * Let nothing more that a node's TCP sends from a port reach IP.
 *
 * @param node the node
 * @param port the port
 */
void SilencePort(ns3::Ptr<ns3::Node> node, uint16_t port);

} // namespace tcpsweep

#endif // TCPSWEEP_INTERNET_H
