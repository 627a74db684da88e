# SPDX-License-Identifier: MIT
"""Small networks as a combination and a run's record describe them, for drawings."""


def _row(links, flows=None, traffic=None):
    row = {"variant": "TcpCubic"}
    for kind, things in (("links", links), ("flows", flows or {}), ("traffic", traffic or {})):
        row[f"network.{kind}"] = ",".join(things)
        row |= {f"network.{kind}.{name}.{field}": value for name, own in things.items() for field, value in own.items()}
    return row


def _step(link, direction="forward", rate=10_000_000, delay_s=0.01):
    return {"link": link, "direction": direction, "bandwidth_bps": rate, "delay_s": delay_s, "varies": False}


def _queue(link, packets=20, rate=10_000_000):
    own = {"bandwidth_bps": rate, "queue_packets": packets, "queue_bytes": None, "queue_disc": None}
    return {"link": link, "forward": own, "reverse": None}


def two_hops():
    """From a over b to c; two flows over both links, one over the second."""
    links = {"first": {"between": "a,b"}, "second": {"between": "b,c"}}
    flows = {"long": {"from": "a", "to": "c", "count": 2}, "cross": {"from": "b", "to": "c"}}
    long = [_step("first"), _step("second")]
    taken = [("long", long), ("long", long), ("cross", long[1:])]
    record = {"flows": [{"group": group, "path": path} for group, path in taken], "traffic": []}
    return _row(links, flows), record | {"links": [_queue("first"), _queue("second")]}


def star(hosts, traffic=None):
    """Hosts at a switch with a server on the other side; a flow from each host to it, or traffic instead."""
    links = {"access": {"between": "host{i},switch", "count": hosts}, "core": {"between": "switch,server"}}
    record = {"flows": [], "links": [_queue("core")], "traffic": []}
    if traffic:
        to = "server" if traffic == "incast" else "host{i}"
        own = {"answers": {"kind": traffic, "from": "host{i}", "to": to, "hosts": hosts}}
        return _row(links, traffic=own), record
    path = [[_step(f"access-{i}"), _step("core")] for i in range(hosts)]
    record["flows"] = [{"group": "all", "path": each} for each in path]
    return _row(links, {"all": {"from": "host{i}", "to": "server", "count": hosts}}), record


def racks(racks, spines, hosts):
    """Racks of hosts, each rack with a link to each of the spines; flows from any host to any other."""
    links = {"host": {"between": f"h{{i}},rack{{i/{hosts}}}", "count": racks * hosts}}
    links |= {f"up{spine}": {"between": f"rack{{i}},spine{spine}", "count": racks} for spine in range(spines)}
    every = {"kind": "arrivals", "from": "h{i}", "to": "h{i}", "hosts": racks * hosts}
    return _row(links, traffic={"all": every}), {"flows": [], "links": [], "traffic": []}


def chain(links):
    """So many links in a row, and a flow over all of them."""
    row = _row(
        {"hop": {"between": "r{i},r{i+1}", "count": links}}, {"long": {"from": "r0", "to": f"r{links}", "count": 1}}
    )
    path = [_step(f"hop-{i}") for i in range(links)]
    return row, {"flows": [{"group": "long", "path": path}], "links": [], "traffic": []}
