// SPDX-License-Identifier: GPL-2.0-only
#include "corrections/corrected-socket.h"

#include "corrections/prr-recovery.h"
#include "corrections/rate-sampler.h"

#include <ns3/object-factory.h>
#include <ns3/rtt-estimator.h>
#include <ns3/tcp-congestion-ops.h>
#include <ns3/tcp-l4-protocol.h>
#include <ns3/tcp-prr-recovery.h>
#include <ns3/tcp-tx-buffer.h>

namespace tcpsweep
{

namespace
{

/**
 * @param type a type
 * @return an object of it
 */
template <typename T>
ns3::Ptr<T>
MakeOf(ns3::TypeId type)
{
    ns3::ObjectFactory factory;
    factory.SetTypeId(type);
    return factory.Create<T>();
}

/**
 * @param object an object
 * @param attribute one of its attributes, which names a type
 * @return that type
 */
ns3::TypeId
TypeIn(ns3::Ptr<ns3::Object> object, const std::string& attribute)
{
    ns3::TypeIdValue value;
    object->GetAttribute(attribute, value);
    return value.Get();
}

} // namespace

ns3::Ptr<CorrectedSocket>
CorrectedSocket::Make(ns3::Ptr<ns3::Node> node, ns3::TypeId variant, Corrections corrections)
{
    const auto tcp = node->GetObject<ns3::TcpL4Protocol>();
    const auto recovery = TypeIn(tcp, "RecoveryType");
    const auto socket = ns3::CreateObject<CorrectedSocket>();
    socket->m_corrections = corrections;
    socket->m_corrections.prr = corrections.prr && recovery == ns3::TcpPrrRecovery::GetTypeId();
    socket->SetNode(node);
    socket->SetTcp(tcp);
    socket->SetRtt(MakeOf<ns3::RttEstimator>(TypeIn(tcp, "RttEstimatorType")));
    socket->SetCongestionControlAlgorithm(MakeOf<ns3::TcpCongestionOps>(variant));
    socket->SetRecoveryAlgorithm(MakeOf<ns3::TcpRecoveryOps>(recovery));
    socket->Correct();
    tcp->AddSocket(socket);
    return socket;
}

CorrectedSocket::CorrectedSocket(const CorrectedSocket& socket)
    : TcpSocketBase(socket),
      m_corrections(socket.m_corrections)
{
    Correct();
}

ns3::Ptr<ns3::TcpSocketBase>
CorrectedSocket::Fork()
{
    return ns3::CopyObject<CorrectedSocket>(this);
}

void
CorrectedSocket::Correct()
{
    if (m_corrections.rateSample)
    {
        m_rateOps = ns3::CreateObject<RateSampler>();
    }
    if (m_corrections.prr)
    {
        const auto recovery = ns3::CreateObject<PrrRecovery>();
        recovery->SetTxBuffer(m_txBuffer);
        SetRecoveryAlgorithm(recovery);
    }
}

} // namespace tcpsweep
