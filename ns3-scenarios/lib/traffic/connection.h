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

/// The clients' ports: above the receivers' ports, below the flows' ports.
constexpr uint32_t FIRST_CLIENT_PORT = 10000;
constexpr uint32_t CLIENT_PORTS = 49152 - FIRST_CLIENT_PORT;

/// The end of a connection.
enum class End
{
    CLIENT, //!< the end that connects
    SERVER  //!< the end that listens
};

class Connections;

/**
 * A TCP connection, over which either end sends any number of bytes. It replaces an application
 * of ns-3: applications and their sockets stay in memory until the simulation ends. A simulation
 * may have 100,000 of these connections, and only open ones take memory.
 */
class Connection : public std::enable_shared_from_this<Connection>
{
  public:
    /// Callbacks of the connection's owner; each may be empty. They may call Send() and Close().
    struct Events
    {
        std::function<void(Connection&)> connected;     //!< the client's handshake is complete
        std::function<void(Connection&, End)> received; //!< an end has read more bytes
        std::function<void(Connection&, bool)> over;    //!< the connection is about to be freed;
                                                        //!< true if closed, else given up
        std::function<void(Connection&)> room;          //!< TCP has sent some of the client's bytes
    };

    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    /**
     * Let an end send more bytes after its earlier ones. Bytes for the server wait until the
     * server knows of the connection.
     *
     * @param end the end
     * @param bytes the number of bytes
     */
    void Send(End end, uint64_t bytes);

    /// Close the connection when the client has written all of its bytes. The client sends the
    /// first FIN, with its last bytes if possible, and the server answers with its own FIN.
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

    /// @return the client's bytes that TCP has not sent yet; approximate during loss recovery
    uint64_t Unsent() const;

    /// @return when the client's handshake was complete; nothing if it is not complete
    std::optional<ns3::Time>
    Connected() const
    {
        return m_connected;
    }

  private:
    friend class Connections;

    /// A node, by its id, and a port there.
    using Port = std::pair<uint32_t, uint16_t>;

    /// The state of an end.
    struct Half
    {
        ns3::Ptr<ns3::Socket>
            socket; //!< its socket; nullptr before the socket exists and after it has ended
        ns3::TcpSocket::TcpStates_t state{ns3::TcpSocket::CLOSED}; //!< its state
        bool writes{false};   //!< whether the socket accepts data
        bool mayClose{false}; //!< whether to close after the last write
        bool closed{false};   //!< whether it was asked to close
        uint64_t waiting{0};  //!< bytes that TCP has not accepted yet
        uint64_t received{0}; //!< bytes read
    };

    /**
     * @param owner the group of the connection
     * @param events the owner's callbacks
     */
    Connection(Connections& owner, Events events);

    /// @return the state of an end
    Half&
    HalfOf(End end)
    {
        return m_halves[static_cast<std::size_t>(end)];
    }

    /// @return the state of an end
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

    /// @param end an end whose socket accepts data from now on
    void Begin(End end);

    /// @param end an end; write its waiting bytes as far as TCP accepts them
    void Write(End end);

    /// @param end an end that has received data or a FIN
    void Read(End end);

    /// @param end an end whose socket ends with the running event
    void Drop(End end);

    /**
     * End an end that waits for the other end, which is gone: ns-3 retransmits a FIN forever, and
     * a host that listens at the port does not answer it.
     *
     * @param end the end
     */
    void Abort(End end);

    /// @param closed the argument of the owner's callback, before the connection is freed
    void Finish(bool closed);

    Connections& m_owner;                 //!< its group
    Events m_events;                      //!< the owner's callbacks
    std::array<Half, 2> m_halves;         //!< client and server
    std::optional<ns3::Time> m_connected; //!< when the client's handshake was complete
    std::function<void()> m_forget;       //!< stops waiting for the server's socket
    Port m_port;                          //!< the client's
    bool m_leavesSocket{false};           //!< whether ns-3 still has to end a socket
};

/**
 * The connections of one group of traffic: opens them, finds their servers' sockets, frees them.
 *
 * Clients use ports from 10000 to 49151 in turn, so a host uses a port again after 39,152
 * connections. Ports of open connections are skipped. This replaces TIME_WAIT, whose 240 s would
 * leave thousands of closed sockets that ns-3 searches for every packet. A FIN that is
 * retransmitted later is answered with RST, which also ends the server's wait.
 */
class Connections
{
  public:
    /// The parameters that all connections of the group share.
    struct Parameters
    {
        ns3::TypeId variant;             //!< the congestion control of both ends
        uint16_t port;                   //!< the servers' port, used by nothing else
        uint32_t segmentBytes;           //!< payload of a full segment
        std::function<int64_t()> stream; //!< gives the next random stream; empty to keep the value
                                         //!< of the congestion control's attribute
        uint32_t ports = CLIENT_PORTS;   //!< the number of ports of a client
    };

    /// @param parameters the parameters of all connections
    explicit Connections(const Parameters& parameters);

    Connections(const Connections&) = delete;
    Connections& operator=(const Connections&) = delete;

    /**
     * Open a connection.
     *
     * @param client the node that connects
     * @param server the node that listens
     * @param events the owner's callbacks
     * @return the connection
     * @throws std::runtime_error if the client has no port left, or no route to the server
     */
    Connection&
    Open(ns3::Ptr<ns3::Node> client, ns3::Ptr<ns3::Node> server, Connection::Events events);

    /// @return the largest number of connections that were open at once
    std::size_t
    MostOpen() const
    {
        return m_mostOpen;
    }

    /// Forget all connections, so that ns-3 can free the nodes. Open nothing after this call.
    void Clear();

  private:
    friend class Connection;

    /// A node that listens.
    struct Server
    {
        ns3::Ptr<ns3::Socket> socket; //!< its listening socket
        /// the connections that it does not know yet, by the client's address and port
        std::map<ns3::Address, std::weak_ptr<Connection>> expected;
    };

    /**
     * @param node a node
     * @return a socket of the group's variant there
     */
    ns3::Ptr<ns3::Socket> MakeSocket(ns3::Ptr<ns3::Node> node) const;

    /**
     * @param node a node
     * @return the server that listens there from now on
     */
    Server& Listen(ns3::Ptr<ns3::Node> node);

    /// @param socket a socket that gets its own random stream; if it listens, all sockets that it
    /// forks share another stream
    void SetStream(ns3::Ptr<ns3::Socket> socket) const;

    /**
     * Check for ports in use, because ns-3 lets two sockets bind to a port if one is connected.
     *
     * @param socket a client's socket, which gets an unused port
     * @param node its node
     * @return the port
     */
    Connection::Port Bind(ns3::Ptr<ns3::Socket> socket, ns3::Ptr<ns3::Node> node);

    /// @param connection a connection that is over
    void Free(Connection& connection);

    Parameters m_parameters;                           //!< the parameters of all connections
    uint64_t m_writeBytes{0};                          //!< the most bytes to write at a time
    std::map<uint32_t, Server> m_servers;              //!< by node
    std::unordered_map<uint32_t, uint32_t> m_nextPort; //!< each client's next port
    std::unordered_map<Connection*, std::shared_ptr<Connection>> m_open; //!< the open connections
    std::set<Connection::Port> m_ports;           //!< the clients' ports in use
    std::vector<ns3::Ptr<ns3::Socket>> m_orphans; //!< sockets that ns-3 still has to end
    std::size_t m_mostOpen{0};                    //!< the largest number open at once
};

} // namespace tcpsweep

#endif // TCPSWEEP_CONNECTION_H
