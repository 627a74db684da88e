# SPDX-License-Identifier: MIT
"""A program of sockets that is a flow: `send ADDRESS PORT SECONDS`, or `receive PORT`. Both ends print their bytes.

`probe ADDRESS PORT` sends a datagram to a port that nobody has, and prints the time until ICMP says so.
"""

import socket
import sys
import time


def _send(address: str, port: str, seconds: str) -> int:
    end, sent = time.monotonic() + float(seconds), 0
    with socket.create_connection((address, int(port))) as link:
        while time.monotonic() < end:
            sent += link.send(bytes(10_000))
    return sent


def _receive(port: str) -> int:
    with socket.create_server(("", int(port))) as listener:
        link, _ = listener.accept()
        return sum(map(len, iter(lambda: link.recv(1 << 16), b"")))


def _probe(address: str, port: str) -> float:
    with socket.socket(type=socket.SOCK_DGRAM) as sender:
        sender.connect((address, int(port)))
        began = time.monotonic()
        sender.send(b"probe")
        try:
            sender.recv(1)
        except ConnectionRefusedError:
            return time.monotonic() - began
    raise SystemExit("nobody has refused the datagram")


if __name__ == "__main__":
    print({"send": _send, "receive": _receive, "probe": _probe}[sys.argv[1]](*sys.argv[2:]))
