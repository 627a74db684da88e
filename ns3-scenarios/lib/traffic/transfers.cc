// SPDX-License-Identifier: GPL-2.0-only
#include "traffic/transfers.h"

#include <string>
#include <utility>

namespace tcpsweep
{

namespace
{

/// The file's only series.
const std::string TRANSFERS = "transfers";

} // namespace

TransferRows::TransferRows(const std::filesystem::path& folder, TimeAlone alone)
    : m_alone(std::move(alone)),
      m_file(folder / (TRANSFERS + ".columns"), {TRANSFERS}, [](const auto&) {})
{
}

void
TransferRows::Add(const Transfer& transfer)
{
    const auto alone = m_alone ? m_alone(transfer) : std::nullopt;
    m_file.Find(TRANSFERS)->Add(transfer.start.GetNanoSeconds(),
                                transfer.finish ? transfer.finish->GetNanoSeconds() : -1,
                                static_cast<int64_t>(transfer.bytes),
                                static_cast<int64_t>(transfer.received),
                                transfer.value,
                                transfer.extra,
                                alone ? alone->GetNanoSeconds() : -1,
                                transfer.traffic,
                                transfer.number,
                                transfer.from,
                                transfer.to);
}

uint64_t
TransferRows::Rows() const
{
    return m_file.All().front().Rows();
}

void
TransferRows::Close(Checksums& checksums)
{
    m_file.Close(checksums);
}

} // namespace tcpsweep
