// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_WEB_H
#define TCPSWEEP_WEB_H

#include "traffic/durations.h"
#include "traffic/sizes.h"
#include "traffic/traffic.h"

#include <ns3/random-variable-stream.h>

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

namespace tcpsweep
{

/// Web pages.
struct WebParameters
{
    Sizes main;                      //!< bytes of a page's first object
    Sizes object;                    //!< bytes of each object in it
    std::optional<uint64_t> objects; //!< objects in a page; nothing for 3GPP2's distribution
    Durations parse;                 //!< time between the first object and the requests for others
    Durations think;                 //!< time between a page and the next
    uint64_t requestBytes;           //!< bytes of a request
    uint64_t connections;            //!< the most that a client has open at once
    uint64_t limit;                  //!< pages of each client; 0 for no limit
    TrafficTimes times;              //!< when the first and the last page may begin

    /// @return the options of this kind
    static std::vector<Option> DeclareOptions();

    /**
     * @param options the options in force
     * @param place the group's surroundings
     * @return their values
     * @throws UsageError
     */
    static WebParameters FromOptions(const Options& options, const TrafficPlace& place);
};

/**
 * Users of web pages. Each destination node has one; the i-th user's server is the i-th source, and
 * sources repeat in turn. A page is requested over a new connection. When its first object has
 * arrived and is parsed, the other objects are requested over up to six connections, one object at
 * a time on each, as browsers do with HTTP/1.1. The page is finished when its last object was read.
 * Then its connections are closed, and after a think time the next page begins.
 *
 * The defaults are the model of web traffic in 3GPP2's C.R1002-0, "cdma2000 Evaluation
 * Methodology" (2009), with the values of ns-3's ThreeGppHttpVariables, which implements it. That
 * model has one connection. ns-3's own application is not used, because its sockets have the
 * variant of their node, and it requests all objects of a page one by one.
 */
class Web : public Traffic
{
  public:
    /**
     * @param parameters the parameters
     * @param place its surroundings
     * @param rows the rows for its pages; nullptr to write none
     */
    Web(const WebParameters& parameters, const TrafficPlace& place, TransferRows* rows);

  private:
    /// One of a client's connections.
    struct Line
    {
        Connection* connection{nullptr}; //!< the connection; nullptr when its page is over
        bool answered{false};            //!< whether the server has the current request
        uint64_t asked{0};               //!< bytes of all requests so far
        uint64_t bytes{0};               //!< bytes of the current object
        uint64_t before{0};              //!< bytes of the earlier objects
        uint64_t credited{0};            //!< bytes read that are assigned to the page
    };

    /// A client.
    struct Client
    {
        TrafficNode server;                         //!< the source of its pages
        TrafficNode node;                           //!< its node
        ns3::Ptr<ns3::UniformRandomVariable> times; //!< random numbers for its times
        ns3::Ptr<ns3::UniformRandomVariable> sizes; //!< random numbers for its sizes
        std::optional<Transfer> page;               //!< the requested page
        std::deque<uint64_t> waiting;               //!< objects that it has not asked for
        std::vector<std::shared_ptr<Line>> lines;   //!< its connections
        uint64_t pages{0};                          //!< pages so far
    };

    void EndAll() override;
    void WriteKind(JsonWriter& json) const override;

    /// @param client a client that begins a page
    void BeginPage(Client& client);

    /// @param client a client that has parsed its page's first object
    void AskForAll(Client& client);

    /// @param client a client that opens a connection
    std::shared_ptr<Line> Open(Client& client);

    /// @param client a client that asks for the next object over a connection, if there is one
    void Ask(Client& client, Line& line);

    /// @param client a client that has read more from a connection
    void Take(Client& client, Line& line);

    /// @param client a client whose page is over
    void EndPage(Client& client);

    /// @return the number of objects in a page, without the first
    uint64_t CountObjects(double share) const;

    WebParameters m_parameters;                     //!< the parameters
    std::vector<std::unique_ptr<Client>> m_clients; //!< the clients
};

} // namespace tcpsweep

#endif // TCPSWEEP_WEB_H
