// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_SACK_BLOCKS_H
#define TCPSWEEP_SACK_BLOCKS_H

#include <ns3/tcp-header.h>
#include <ns3/tcp-option-sack.h>

#include <optional>

namespace tcpsweep
{

/**
 * @param header an ACK
 * @return the blocks of its SACK option
 */
ns3::TcpOptionSack::SackList SackBlocks(const ns3::TcpHeader& header);

/**
 * @param header an ACK
 * @return the segments that it reports as arrived twice, if any: DSACK, RFC 2883, section 4
 */
std::optional<ns3::TcpOptionSack::SackBlock> DuplicateIn(const ns3::TcpHeader& header);

/**
 * @param header an ACK
 * @return the same without its SACK option
 */
ns3::TcpHeader WithoutSack(const ns3::TcpHeader& header);

} // namespace tcpsweep

#endif // TCPSWEEP_SACK_BLOCKS_H
