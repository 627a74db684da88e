// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_CONNECTION_H
#define TCPSWEEP_CONNECTION_H

#include <ns3/address.h>
#include <ns3/node.h>
#include <ns3/nstime.h>
#include <ns3/socket.h>
#include <ns3/tcp-socket.h>
#include <ns3/type-id.h>

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tcpsweep
{

/// The clients' ports: above those of receivers, below those of flows.
constexpr uint32_t FIRST_CLIENT_PORT = 10000;
constexpr uint32_t CLIENT_PORTS = 49152 - FIRST_CLIENT_PORT;

/// The end of a connection.
enum class End
{
    CLIENT, //!< the one that connects
    SERVER  //!< the one that listens
};

class Connections;

/**
 * A TCP connection, over which either end sends any number of bytes: the light part of what an
 * application does. ns-3's applications stay in memory to the simulation's end, and so do their
 * sockets; a simulation may have 100,000 of these connections, of which those that are open alone
 * take memory.
 */
class Connection : public std::enable_shared_from_this<Connection>
{
  public:
    /// What its owner is told; each may be empty. In them, it may Send() and Close().
    struct Events
    {
        std::function<void(Connection&)> connected;     //!< the client's handshake is done
        std::function<void(Connection&, End)> received; //!< an end has read more
        std::function<void(Connection&, bool)> over;    //!< the connection is about to be freed;
                                                        //!< whether it was closed, not given up
        std::function<void(Connection&)> room; //!< TCP has sent what the client gave it, or some
    };

    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    /**
     * Let an end send more, after what it sends already. What the server is given before it knows
     * of the connection waits.
     *
     * @param end the end
     * @param bytes how much
     */
    void Send(End end, uint64_t bytes);

    /// Close the connection once the client has written all that it was given: it sends the first
    /// FIN, with its last bytes if it can, and the server answers with its own.
    void Close();

    /**
     * @param end an end
     * @return the bytes that its application has read so far
     */
    uint64_t
    Received(End end) const
    {
        return HalfOf(end).received;
    }

    /// @return what the client was given and TCP has not sent yet; while it recovers from losses,
    /// about that
    uint64_t Unsent() const;

    /// @return when the client's handshake was done; nothing if it is not
    std::optional<ns3::Time>
    Connected() const
    {
        return m_connected;
    }

  private:
    friend class Connections;

    /// A node, by its id, and a port there.
    using Port = std::pair<uint32_t, uint16_t>;

    /// What is known of an end.
    struct Half
    {
        ns3::Ptr<ns3::Socket>
            socket; //!< its socket; nullptr before it is there and once it is gone
        ns3::TcpSocket::TcpStates_t state{ns3::TcpSocket::CLOSED}; //!< its state
        bool writes{false};   //!< whether the socket takes data
        bool mayClose{false}; //!< whether it closes when all is written
        bool closed{false};   //!< whether it was told to close
        uint64_t waiting{0};  //!< bytes that TCP has not taken yet
        uint64_t received{0}; //!< bytes that were read
    };

    /**
     * @param owner who made it
     * @param events what to call
     */
    Connection(Connections& owner, Events events);

    /// @return what is known of an end
    Half&
    HalfOf(End end)
    {
        return m_halves[static_cast<std::size_t>(end)];
    }

    /// @return what is known of an end
    const Half&
    HalfOf(End end) const
    {
        return m_halves[static_cast<std::size_t>(end)];
    }

    /**
     * @param end an end
     * @param socket its socket
     */
    void Attach(End end, ns3::Ptr<ns3::Socket> socket);

    /// @param end an end whose socket takes data from now on
    void Begin(End end);

    /// @param end an end, whose waiting bytes to write as far as TCP takes them
    void Write(End end);

    /// @param end an end, to which something came
    void Read(End end);

    /// @param end an end whose socket is gone with the running event
    void Drop(End end);

    /**
     * End an end that waits for the other, which is gone: ns-3 sends a FIN again for ever, and a
     * host that listens at the port does not answer it.
     *
     * @param end the end
     */
    void Abort(End end);

    /// @param closed what to tell the owner, before it is freed
    void Finish(bool closed);

    Connections& m_owner;                 //!< who made it
    Events m_events;                      //!< what to call
    std::array<Half, 2> m_halves;         //!< client and server
    std::optional<ns3::Time> m_connected; //!< when the client's handshake was done
    std::function<void()> m_forget;       //!< no more expect the server's socket
    Port m_port;                          //!< the client's
    bool m_leavesSocket{false};           //!< whether ns-3 has yet to end one of its sockets
};

/**
 * The connections of one group of traffic: opens them, finds their servers' sockets, frees them.
 *
 * Clients use ports from 10000 to 49151 in turn, so that 39,152 later connections lie between two
 * of a host with the same port; those of connections that are still open are passed over. This
 * stands in for TIME_WAIT, whose 240 s would leave thousands of closed sockets that ns-3 searches
 * for every packet; a FIN that comes again after that is answered with RST, which ends the server's
 * wait as well.
 */
class Connections
{
  public:
    /// What all connections of the group have.
    struct Parameters
    {
        ns3::TypeId variant;   //!< the congestion control of both ends
        uint16_t port;         //!< the port that servers listen at, which nothing else has
        uint32_t segmentBytes; //!< payload of a full segment
        std::function<int64_t()> stream; //!< gives the next random stream; empty to leave what the
                                         //!< congestion control's attribute says
        uint32_t ports = CLIENT_PORTS;   //!< how many ports a client has
    };

    /// @param parameters what all connections have
    explicit Connections(const Parameters& parameters);

    Connections(const Connections&) = delete;
    Connections& operator=(const Connections&) = delete;

    /**
     * Open a connection.
     *
     * @param client the node that connects
     * @param server the node that listens
     * @param events what to call
     * @return the connection
     * @throws std::runtime_error if the client has no port left, or no route to the server
     */
    Connection&
    Open(ns3::Ptr<ns3::Node> client, ns3::Ptr<ns3::Node> server, Connection::Events events);

    /// @return how many connections are open
    std::size_t
    CountOpen() const
    {
        return m_open.size();
    }

    /// @return the most connections that were open at once
    std::size_t
    MostOpen() const
    {
        return m_mostOpen;
    }

    /// Forget all connections, so that ns-3 may free the nodes. Nothing may be opened after that.
    void Clear();

  private:
    friend class Connection;

    /// A node that listens.
    struct Server
    {
        ns3::Ptr<ns3::Socket> socket; //!< its listening socket
        /// the connections that it has not heard of yet, by the client's address and port
        std::map<ns3::Address, std::weak_ptr<Connection>> expected;
    };

    /**
     * @param node a node
     * @return a socket of the group's variant there
     */
    ns3::Ptr<ns3::Socket> MakeSocket(ns3::Ptr<ns3::Node> node) const;

    /**
     * @param node a node
     * @return what listens there, from now on
     */
    Server& Listen(ns3::Ptr<ns3::Node> node);

    /// @param socket a socket that gets a random stream of its own, as do those that it forks, all
    /// together, if it listens
    void SetStream(ns3::Ptr<ns3::Socket> socket) const;

    /**
     * ns-3 would let two sockets bind to a port if one of them is connected.
     *
     * @param socket a client's socket, which gets a port of its own
     * @param node its node
     * @return the port
     */
    Connection::Port Bind(ns3::Ptr<ns3::Socket> socket, ns3::Ptr<ns3::Node> node);

    /// @param connection a connection that is over
    void Free(Connection& connection);

    Parameters m_parameters;                           //!< what all have
    uint64_t m_writeBytes{0};                          //!< the most that is written at a time
    std::map<uint32_t, Server> m_servers;              //!< by node
    std::unordered_map<uint32_t, uint32_t> m_nextPort; //!< each client's next port
    std::unordered_map<Connection*, std::shared_ptr<Connection>> m_open; //!< the open ones
    std::set<Connection::Port> m_ports;           //!< the clients' that are in use
    std::vector<ns3::Ptr<ns3::Socket>> m_orphans; //!< sockets that ns-3 has yet to end
    std::size_t m_mostOpen{0};                    //!< the most that were open at once
};

} // namespace tcpsweep

#endif // TCPSWEEP_CONNECTION_H
