// SPDX-License-Identifier: GPL-2.0-only
#include "network/random-loss.h"

#include "network/streams.h"
#include "options/values.h"

#include <ns3/double.h>
#include <ns3/error-model.h>

#include <cmath>

namespace tcpsweep
{

namespace
{

/// The largest stream number accepted here: the next ones are the scenario's own.
constexpr uint64_t LARGEST_STREAM = STREAMS_PER_PURPOSE - 1;

/**
 * @param stream the number of a random stream
 * @return draws from it
 */
ns3::Ptr<ns3::UniformRandomVariable>
Draws(int64_t stream)
{
    const auto draws = ns3::CreateObject<ns3::UniformRandomVariable>();
    draws->SetStream(stream);
    return draws;
}

/**
 * @param text own, the number of a random stream, or -1 for the first stream that ns-3 numbers
 * automatically: no random number is used before the options are read
 * @return draws from that stream; nullptr for own
 */
ns3::Ptr<ns3::UniformRandomVariable>
ParseStream(const std::string& text)
{
    if (text == "own")
    {
        return nullptr;
    }
    if (text == "-1")
    {
        return ns3::CreateObject<ns3::UniformRandomVariable>();
    }
    return Draws(static_cast<int64_t>(ParseCount(text, 0, LARGEST_STREAM)));
}

} // namespace

double
BurstRate(double loss, uint32_t burst)
{
    return 1 - std::pow(1 - loss, 1.0 / burst);
}

RandomLoss
RandomLoss::FromOptions(const Options& options)
{
    const auto perByte = options.As("loss_unit",
                                    [](const std::string& text)
                                    { return ParseWord(text, {"packet", "byte"}) == "byte"; });
    const auto on = options.As("loss_on",
                               [](const std::string& text)
                               { return ParseWord(text, {"data", "acks", "both"}); });
    const auto burst = options.As("loss_burst",
                                  [perByte](const std::string& text)
                                  {
                                      const auto count = ParseCount(text, 1, 1000);
                                      if (count > 1 && perByte)
                                      {
                                          throw BadValue("bursts count packets, and loss_unit is "
                                                         "byte");
                                      }
                                      return static_cast<uint32_t>(count);
                                  });
    return {options.As("loss", [](const std::string& text) { return ParseNumber(text, 0, 1); }),
            perByte,
            on != "acks",
            on != "data",
            burst,
            options.As("loss_stream", ParseStream)};
}

void
RandomLoss::Install(const Link& link, uint32_t number) const
{
    if (probability == 0)
    {
        return;
    }
    const auto data = Model(shared ? shared : Draws(StreamOf(Draw::DATA_LOSS, number)));
    const auto acks = shared ? data : Model(Draws(StreamOf(Draw::ACK_LOSS, number)));
    if (onData)
    {
        link.right->SetReceiveErrorModel(data);
    }
    if (onAcks)
    {
        link.left->SetReceiveErrorModel(acks);
    }
}

ns3::Ptr<ns3::ErrorModel>
RandomLoss::Model(ns3::Ptr<ns3::UniformRandomVariable> draws) const
{
    if (burst > 1)
    {
        const auto size = ns3::CreateObject<ns3::ConstantRandomVariable>();
        size->SetAttribute("Constant", ns3::DoubleValue(burst));
        const auto model = ns3::CreateObject<ns3::BurstErrorModel>();
        model->SetBurstRate(BurstRate(probability, burst));
        model->SetRandomVariable(draws);
        model->SetRandomBurstSize(size);
        return model;
    }
    const auto model = ns3::CreateObject<ns3::RateErrorModel>();
    model->SetUnit(perByte ? ns3::RateErrorModel::ERROR_UNIT_BYTE
                           : ns3::RateErrorModel::ERROR_UNIT_PACKET);
    model->SetRate(probability);
    model->SetRandomVariable(draws);
    return model;
}

} // namespace tcpsweep
