# SPDX-License-Identifier: MIT
"""A program of sockets that is a flow: `send ADDRESS PORT SECONDS`, or `receive PORT`. Both ends print their bytes."""

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


if __name__ == "__main__":
    print({"send": _send, "receive": _receive}[sys.argv[1]](*sys.argv[2:]))
