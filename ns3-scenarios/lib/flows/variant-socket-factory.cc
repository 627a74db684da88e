// SPDX-License-Identifier: GPL-2.0-only
#include "flows/variant-socket-factory.h"

#include "corrections/corrected-socket.h"

#include <ns3/config.h>
#include <ns3/object-factory.h>
#include <ns3/string.h>
#include <ns3/tcp-l4-protocol.h>
#include <ns3/uinteger.h>

#include <string>

namespace tcpsweep
{

NS_OBJECT_ENSURE_REGISTERED(VariantSocketFactory);

namespace
{

/**
 * @param variant a congestion control
 * @param segmentBytes payload of a full segment
 * @return the type of their factories, registered if it is not yet: a node finds its factories by
 * type, so sockets that differ need factories of different types
 */
ns3::TypeId
FactoryOf(ns3::TypeId variant, uint32_t segmentBytes)
{
    const auto parent = VariantSocketFactory::GetTypeId();
    const std::string name =
        parent.GetName() + "::" + variant.GetName() + "::" + std::to_string(segmentBytes);
    ns3::TypeId type;
    if (!ns3::TypeId::LookupByNameFailSafe(name, &type))
    {
        type = ns3::TypeId(name).SetParent(parent).AddConstructor<VariantSocketFactory>();
    }
    return type;
}

} // namespace

ns3::TypeId
VariantSocketFactory::GetTypeId()
{
    static const ns3::TypeId tid =
        ns3::TypeId("tcpsweep::VariantSocketFactory")
            .SetParent<ns3::TcpSocketFactory>()
            .AddAttribute("Corrections",
                          "What is corrected in the sockets",
                          ns3::StringValue(Corrections().Names()),
                          ns3::MakeStringAccessor(&VariantSocketFactory::m_corrections),
                          ns3::MakeStringChecker());
    return tid;
}

void
VariantSocketFactory::Correct(Corrections corrections)
{
    ns3::Config::SetDefault("tcpsweep::VariantSocketFactory::Corrections",
                            ns3::StringValue(corrections.Names()));
}

ns3::TypeId
VariantSocketFactory::Install(ns3::Ptr<ns3::Node> node, ns3::TypeId variant, uint32_t segmentBytes)
{
    const auto type = FactoryOf(variant, segmentBytes);
    if (!node->GetObject<VariantSocketFactory>(type))
    {
        ns3::ObjectFactory make;
        make.SetTypeId(type);
        const auto factory = make.Create<VariantSocketFactory>();
        factory->m_variant = variant;
        factory->m_segmentBytes = segmentBytes;
        node->AggregateObject(factory);
    }
    return type;
}

ns3::Ptr<ns3::Socket>
VariantSocketFactory::CreateSocket()
{
    const auto corrections = Corrections::Parse(m_corrections);
    ns3::Ptr<ns3::Socket> socket;
    if (corrections.Any())
    {
        socket = CorrectedSocket::Make(GetObject<ns3::Node>(), m_variant, corrections);
    }
    else
    {
        socket = GetObject<ns3::TcpL4Protocol>()->CreateSocket(m_variant);
    }
    socket->SetAttribute("SegmentSize", ns3::UintegerValue(m_segmentBytes));
    return socket;
}

} // namespace tcpsweep
