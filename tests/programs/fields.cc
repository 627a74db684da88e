// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/described-flows.h"
#include "scenario/described-links.h"
#include "scenario/described-traffic.h"
#include "traffic/traffic-kinds.h"

#include <iostream>
#include <string>
#include <vector>

/**
 * @file
 * Writes the fields of links, flows and each kind of traffic that a described network has, a line
 * each: links, flows or the kind, the field's name, its unit and its default, with tabs between.
 */

namespace
{

/**
 * @param kind the kind of thing that has the fields
 * @param fields the fields
 */
void
Write(const std::string& kind, const std::vector<tcpsweep::Option>& fields)
{
    for (const auto& field : fields)
    {
        std::cout << kind << '\t' << field.name << '\t' << field.unit << '\t' << field.value
                  << '\n';
    }
}

} // namespace

int
main()
{
    Write("links", tcpsweep::LinkFields());
    Write("flows", tcpsweep::FlowFields());
    for (const auto& kind : tcpsweep::TrafficKinds())
    {
        Write(kind, tcpsweep::TrafficFields(kind));
    }
}
