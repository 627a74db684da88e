// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_QUIC_STACKS_H
#define TCPSWEEP_QUIC_STACKS_H

#include "flows/flow-parameters.h"
#include "flows/quic-variants.h"
#include "options/options.h"
#include "quic/quic-stack.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace tcpsweep
{

/// The QUIC stacks of a simulation: libraries that the user's machine has built, loaded on demand.
class QuicStacks
{
  public:
    /**
     * @param options the options; `quic` is NAME=LIBRARY, comma-separated
     * @param flows the flows, of which some may be QUIC's
     * @param headerBytes what TCP's header and its options have more than UDP's
     * @throws UsageError a library cannot be loaded or is no stack, or a flow cannot have what it
     * asks for
     */
    QuicStacks(const Options& options,
               const std::vector<FlowParameters>& flows,
               uint32_t headerBytes);

    /**
     * @param segmentBytes payload of a full segment of TCP
     * @return the payload of UDP in packets of the size of TCP's
     */
    uint32_t
    DatagramBytes(uint32_t segmentBytes) const
    {
        return segmentBytes + m_headerBytes;
    }

    /**
     * @param variant a stack and one of its controls
     * @return the stack
     * @throws UsageError there is no such stack, or it lacks the control
     */
    const quic_stack& Find(const QuicVariant& variant) const;

    /// @return for the record: the name and version of each stack
    std::map<std::string, std::string> Settings() const;

  private:
    std::map<std::string, const quic_stack*> m_stacks; //!< by name
    uint32_t m_headerBytes;                            //!< as given
};

} // namespace tcpsweep

#endif // TCPSWEEP_QUIC_STACKS_H
