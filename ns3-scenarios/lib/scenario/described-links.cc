// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/described-links.h"

#include "network/changing-way.h"
#include "network/random-loss.h"
#include "options/text.h"
#include "options/values.h"
#include "scenario/described-fields.h"

#include <algorithm>
#include <optional>

namespace tcpsweep
{

namespace
{

/**
 * @param options the options
 * @param name the name of similar links
 * @param member the number of one of them; nothing to keep lists
 * @return its fields
 */
FieldsOfLink
ReadFields(const Options& options, const std::string& name, std::optional<uint64_t> member)
{
    // A thousand links are read one at a time.
    static const auto fields = LinkFields();
    const std::string prefix = std::string(LINKS) + "." + name + ".";
    const auto forward = options.Part(prefix, fields, member);
    auto back = fields;
    back.erase(std::remove_if(back.begin(),
                              back.end(),
                              [](const auto& field)
                              {
                                  return field.name == "between" || field.name == "count" ||
                                         field.name == "mtu";
                              }),
               back.end());
    for (auto& field : back)
    {
        field.value = forward.Text(field.name);
    }
    return {forward, options.Part(prefix + "back.", back, member)};
}

} // namespace

std::vector<Option>
LinkFields()
{
    auto fields = Shared({"bandwidth",
                          "delay",
                          "mtu",
                          "loss",
                          "loss_unit",
                          "loss_on",
                          "loss_burst",
                          "loss_stream",
                          "queue",
                          "queue_disc",
                          "device_queue",
                          "ecn",
                          "ecn_threshold",
                          "step_time",
                          "step_bandwidth",
                          "step_delay"});
    for (const auto& field : ChangingWay::Declared())
    {
        fields.push_back(field);
    }
    fields.push_back({"between", "The two nodes of the link", "", ""});
    fields.push_back({"count", "Number of equal links", "1", "1"});
    fields.push_back(
        {"jitter",
         "Uniform random delay of each packet, from 0 to this; packets keep their order",
         "s",
         "0s"});
    return fields;
}

std::vector<LinkParameters>
ReadLinks(const Options& options, const std::string& name, std::vector<FieldsOfLink>& fields)
{
    const auto all = ReadFields(options, name, std::nullopt).forward;
    const auto count = CountOf(all);
    std::vector<LinkParameters> links;
    for (uint64_t i = 0; i < count; ++i)
    {
        const auto ends = NodesOf(all, "between", i);
        if (ends.size() != 2 || ends[0] == ends[1])
        {
            throw UsageError(all.Full("between"),
                             "expected the names of two nodes, such as a,b; got '" +
                                 Join(ends, ",") + "'");
        }
        const auto of = ReadFields(options, name, i);
        auto link = ReadLink(of.forward,
                             count > 1 ? name + "-" + std::to_string(i) : name,
                             ends[0],
                             ends[1]);
        link.reverse = ReadWay(of.reverse);
        const auto same = [&of](const std::string& field)
        {
            return of.forward.Text(field) == of.reverse.Text(field);
        };
        link.sameSchedule = same("schedule") && same("schedule_repeat") && same("step_time") &&
                            same("step_bandwidth") && same("step_delay");
        // If they are given separately, losses may also equal the forward ones.
        const auto isGiven = [&](const std::string& field)
        {
            return options.TextOf(std::string(LINKS) + "." + name + ".back." + field).has_value();
        };
        if (isGiven("loss") || isGiven("loss_unit") || isGiven("loss_burst") ||
            isGiven("loss_stream"))
        {
            link.reverseLoss = RandomLoss::FromOptions(of.reverse);
        }
        link.forward.jitter = of.forward.As("jitter", ParseTime);
        link.reverse.jitter = of.reverse.As("jitter", ParseTime);
        links.push_back(link);
        fields.push_back(of);
    }
    return links;
}

std::size_t
FindLink(const std::vector<LinkParameters>& links, const std::string& name)
{
    std::vector<std::string> names;
    for (std::size_t i = 0; i < links.size(); ++i)
    {
        if (links[i].name == name)
        {
            return i;
        }
        names.push_back(links[i].name);
    }
    throw BadValue("there is no link '" + name + "'" + DidYouMean(name, names));
}

void
AddBuffers(const FieldsOfLink& fields,
           ns3::Time roundTrip,
           uint32_t wirePacketBytes,
           bool hasDctcp,
           LinkParameters& link)
{
    const auto bdpBytes = [roundTrip](const WayParameters& way)
    {
        return static_cast<double>(way.bandwidth.GetBitRate()) / 8 * roundTrip.GetSeconds();
    };
    link.bdpBytes = std::max(bdpBytes(link.forward), bdpBytes(link.reverse));
    const auto add = [&](const Options& options, WayParameters& way)
    {
        if (options.Text("queue") == "none")
        {
            return;
        }
        const auto buffer =
            ReadBuffer(options, {way.bandwidth, way.delay, bdpBytes(way), wirePacketBytes});
        CheckMarks(options, buffer, hasDctcp && buffer.ecn);
        way.buffer = buffer;
    };
    add(fields.forward, link.forward);
    add(fields.reverse, link.reverse);
}

} // namespace tcpsweep
