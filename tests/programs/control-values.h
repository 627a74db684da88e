// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_TESTS_CONTROL_VALUES_H
#define TCPSWEEP_TESTS_CONTROL_VALUES_H

#include <ns3/core-module.h>
#include <ns3/network-module.h>

#include <iostream>
#include <sstream>
#include <string>

/**
 * Print the values of some trace sources of a congestion control, and the bytes in flight.
 *
 * @param socket its socket
 * @param names their names, joined by commas
 */
inline void
SayValues(ns3::Ptr<ns3::Socket> socket, const std::string& names)
{
    const auto say = [](const std::string& name, auto value)
    {
        std::cout << name << ' ' << ns3::Simulator::Now().GetSeconds() << ' ' << value << '\n';
    };
    ns3::PointerValue pointer;
    socket->GetAttribute("CongestionOps", pointer);
    const auto control = pointer.GetObject();
    std::istringstream words(names);
    for (std::string name; std::getline(words, name, ',');)
    {
        ns3::TypeId::TraceSourceInformation source;
        control->GetInstanceTypeId().LookupTraceSourceByName(name, &source);
        if (source.callback == "ns3::TracedValueCallback::Double")
        {
            control->TraceConnectWithoutContext(
                name,
                ns3::Callback<void, double, double>([=](double, double now) { say(name, now); }));
        }
        else
        {
            control->TraceConnectWithoutContext(
                name,
                ns3::Callback<void, uint32_t, uint32_t>([=](uint32_t, uint32_t now)
                                                        { say(name, now); }));
        }
    }
    if (!names.empty())
    {
        socket->TraceConnectWithoutContext("BytesInFlight",
                                           ns3::Callback<void, uint32_t, uint32_t>(
                                               [=](uint32_t, uint32_t now) { say("f", now); }));
    }
}

#endif // TCPSWEEP_TESTS_CONTROL_VALUES_H
