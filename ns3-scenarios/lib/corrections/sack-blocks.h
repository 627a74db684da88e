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
 * @param header a TCP header
 * @param blocks SACK blocks
 * @return the header with these blocks in place of its own; without the option if there is none
 */
ns3::TcpHeader WithSack(const ns3::TcpHeader& header, const ns3::TcpOptionSack::SackList& blocks);

/**
 * ns-3 reads SACK blocks before the number that the ACK acknowledges. It would take a duplicate
 * that the same ACK acknowledges for data out of order.
 *
 * @param header an ACK
 * @return the header without a block that reports a duplicate of acknowledged data
 */
ns3::TcpHeader WithNews(const ns3::TcpHeader& header);

} // namespace tcpsweep

#endif // TCPSWEEP_SACK_BLOCKS_H
