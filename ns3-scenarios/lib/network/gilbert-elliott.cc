// SPDX-License-Identifier: GPL-2.0-only
#include "network/gilbert-elliott.h"

#include "network/streams.h"
#include "options/values.h"

#include <ns3/simulator.h>

#include <limits>

namespace tcpsweep
{

std::vector<Option>
GilbertElliott::Declared()
{
    return {
        {"loss_good_to_bad",
         "Gilbert-Elliott losses: probability that a good channel turns bad before a packet",
         "1",
         "0"},
        {"loss_bad_to_good",
         "Gilbert-Elliott losses: probability that a bad channel turns good before a packet",
         "1",
         "1"},
        {"loss_in_good",
         "Gilbert-Elliott losses: probability of losing a packet on a good channel",
         "1",
         "0"},
        {"loss_in_bad",
         "Gilbert-Elliott losses: probability of losing a packet on a bad channel",
         "1",
         "1"},
        {"loss_step",
         "Gilbert-Elliott losses: the time after which the channel may change again; 0s for each "
         "packet",
         "s",
         "0s"},
    };
}

GilbertElliott
GilbertElliott::FromOptions(const Options& options)
{
    const auto probability = [&options](const std::string& name)
    {
        return options.As(name, [](const std::string& text) { return ParseNumber(text, 0, 1); });
    };
    return {probability("loss_good_to_bad"),
            probability("loss_bad_to_good"),
            probability("loss_in_good"),
            probability("loss_in_bad"),
            options.As("loss_step", ParseTime)};
}

bool
GilbertElliott::IsOn() const
{
    return goodToBad > 0 || lossInGood > 0;
}

double
GilbertElliott::ShareBad() const
{
    return goodToBad > 0 ? goodToBad / (goodToBad + badToGood) : 0;
}

double
GilbertElliott::StationaryLoss() const
{
    return (1 - ShareBad()) * lossInGood + ShareBad() * lossInBad;
}

double
GilbertElliott::MeanBurst() const
{
    const double good = (1 - ShareBad()) * lossInGood;
    const double bad = ShareBad() * lossInBad;
    const double both = good * ((1 - goodToBad) * lossInGood + goodToBad * lossInBad) +
                        bad * (badToGood * lossInGood + (1 - badToGood) * lossInBad);
    const double beginnings = good + bad - both;
    return beginnings > 0 ? (good + bad) / beginnings : std::numeric_limits<double>::infinity();
}

void
GilbertElliott::Install(const Way& way) const
{
    if (IsOn())
    {
        const auto model = ns3::CreateObject<GilbertElliottModel>();
        model->SetUp(*this,
                     StreamOf(Draw::GILBERT_ELLIOTT, way.number),
                     StreamOf(Draw::CHANNEL_STATE, way.number));
        way.receiver->SetReceiveErrorModel(model);
    }
}

NS_OBJECT_ENSURE_REGISTERED(GilbertElliottModel);

ns3::TypeId
GilbertElliottModel::GetTypeId()
{
    static const ns3::TypeId tid = ns3::TypeId("tcpsweep::GilbertElliottModel")
                                       .SetParent<ns3::ErrorModel>()
                                       .AddConstructor<GilbertElliottModel>();
    return tid;
}

void
GilbertElliottModel::SetUp(const GilbertElliott& parameters, int64_t stream, int64_t stateStream)
{
    m_parameters = parameters;
    m_draws = ns3::CreateObject<ns3::UniformRandomVariable>();
    m_draws->SetStream(stream);
    m_stateDraws = m_draws;
    if (!parameters.step.IsZero())
    {
        m_stateDraws = ns3::CreateObject<ns3::UniformRandomVariable>();
        m_stateDraws->SetStream(stateStream);
    }
}

void
GilbertElliottModel::MoveState()
{
    const double toBad = !m_hasBegun ? m_parameters.ShareBad()
                         : m_isBad   ? 1 - m_parameters.badToGood
                                     : m_parameters.goodToBad;
    m_hasBegun = true;
    m_isBad = m_stateDraws->GetValue() < toBad;
}

bool
GilbertElliottModel::DoCorrupt(ns3::Ptr<ns3::Packet>)
{
    if (m_parameters.step.IsZero())
    {
        MoveState();
    }
    else
    {
        const auto now = ns3::Simulator::Now().GetTimeStep() / m_parameters.step.GetTimeStep();
        for (; m_nextStep <= now; ++m_nextStep)
        {
            MoveState();
        }
    }
    return m_draws->GetValue() < (m_isBad ? m_parameters.lossInBad : m_parameters.lossInGood);
}

void
GilbertElliottModel::DoReset()
{
    m_hasBegun = false;
}

} // namespace tcpsweep
