# SPDX-License-Identifier: MIT
"""Captures to the table of packets: pcap files through the decoder in `native/`, in blocks, to one Parquet file."""

import ctypes
import functools
import json
import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from tcpsweep import codeid

NATIVE = Path(__file__).parent / "native"
BUILD = Path("build")
BLOCK_ROWS = 1 << 17
DIRECTION = pl.Enum(["data", "ack"])
_PROTOCOLS = {"tcp": 6, "udp": 17}

COLUMNS = {
    "cell": (pl.String, "The cell's id"),
    "interface": (pl.String, "Where it was captured"),
    "time_s": (pl.Float64, "Simulated time, as exact as the file's: to the microsecond or nanosecond"),
    "flow": (pl.Int32, "The flow's number, -1 for none of them"),
    "direction": (DIRECTION, "data from the flow's sender, ack to it; null for no flow"),
    "source": (pl.String, "Source address"),
    "source_port": (pl.Int32, "Its port; null where there is none, as in all fragments but the first"),
    "destination": (pl.String, "Destination address"),
    "destination_port": (pl.Int32, "Its port"),
    "protocol": (pl.UInt8, "What IP carries: 6 TCP, 17 UDP, else as IANA numbers it"),
    "ttl": (pl.UInt8, "Time to live, or hop limit"),
    "ip_id": (pl.UInt16, "IPv4: identification"),
    "ecn": (pl.UInt8, "ECN bits of the IP header: 0 not ECT, 1 ECT(1), 2 ECT(0), 3 CE"),
    "wire_bytes": (pl.Int64, "The frame's length on the link"),
    "captured_bytes": (pl.Int64, "How much of it is in the capture"),
    "ip_bytes": (pl.Int64, "The IP packet's length, header included"),
    "payload_bytes": (pl.Int64, "What is behind the header of TCP or UDP, else behind IP's"),
    "seq": (pl.Int64, "TCP: sequence number as sent, from 0 to 2^32 - 1; null, as all of TCP, in other packets"),
    "ack": (pl.Int64, "TCP: acknowledgement number as sent"),
    "flags": (pl.UInt16, "TCP: 1 FIN, 2 SYN, 4 RST, 8 PSH, 16 ACK, 32 URG, 64 ECE, 128 CWR, 256 AE"),
    "window": (pl.Int32, "TCP: window as sent, before scaling"),
    "window_scale": (pl.UInt8, "TCP: window scale option, in SYN packets"),
    "tsval": (pl.Int64, "TCP: timestamp"),
    "tsecr": (pl.Int64, "TCP: echoed timestamp"),
    "sack_left": (pl.List(pl.Int64), "TCP: left edges of the SACK blocks, in the packet's order; null for none"),
    "sack_right": (pl.List(pl.Int64), "TCP: their right edges"),
}


class CaptureError(Exception):
    """A file is no capture that can be read, or the decoder is missing; the user reads it."""


@dataclass(frozen=True)
class Summary:
    """What there was in a capture.

    Attributes
    ----------
    path : Path
    frames : int
        All that was captured: rows, frames that are no IP, and headless ones.
    rows : int
        IP packets: rows of the table.
    cut : int
        Of them, those whose headers were not captured to their end; what is missing is null.
    headless : int
        Frames that end, or were cut off, before the end of their link's or IP's header; they have no row.
    others : dict
        Frames that hold something else than IP, counted by what; they have no row.
    incomplete : str or None
        Why the table ends before the file does: its path, the offset, and what is wrong there.
    """

    path: Path
    frames: int
    rows: int
    cut: int
    headless: int
    others: dict
    incomplete: str | None


class _Flow(ctypes.Structure):
    _fields_ = (
        ("number", ctypes.c_int32),
        ("protocol", ctypes.c_uint8),
        ("source_port", ctypes.c_uint16),
        ("destination_port", ctypes.c_uint16),
        ("source", ctypes.c_char_p),
        ("destination", ctypes.c_char_p),
    )


def place():
    """Where the decoder is or will be, its code as it stands now."""
    return (BUILD / f"packets-{codeid.cpp_id('packets', NATIVE)}" / "libtcpsweep-packets.so").absolute()


def library():
    """Compile the decoder where it is not there yet.

    Returns
    -------
    Path
        The library. Its folder is renamed into place when all of it is made.

    Raises
    ------
    CaptureError
        With the compiler's last lines and the log's path.
    """
    made = place()
    if made.is_file():
        return made
    folder = made.parent
    work = folder.with_name(f".{folder.name}.{os.getpid()}")
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    log = folder.with_suffix(".log")
    try:
        with log.open("w") as out:
            for command in (["cmake", "-S", NATIVE, "-B", work, "-G", "Ninja"], ["cmake", "--build", work]):
                done = subprocess.run(
                    command, stdout=out, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, check=False
                )
                if done.returncode:
                    from tcpsweep import engine

                    raise CaptureError(f"the packet decoder does not compile; {log} ends with\n{engine.tail(log)}")
        (work / "made").mkdir()
        (work / made.name).rename(work / "made" / made.name)
        try:
            (work / "made").rename(folder)
        except OSError:
            if not made.is_file():  # another process was first: its library is as good
                raise
    except FileNotFoundError as error:
        raise CaptureError(f"{error.filename} is not installed; run `make setup`") from None
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return made


@functools.cache
def _decoder(path):
    decoder = ctypes.CDLL(path)
    pointer, size = ctypes.c_void_p, ctypes.c_size_t
    for name, result, arguments in (
        ("open", pointer, (ctypes.c_int, ctypes.POINTER(_Flow), size, ctypes.c_char_p, size)),
        ("next", ctypes.c_int64, (pointer, size)),
        ("schema", pointer, (pointer,)),
        ("array", pointer, (pointer,)),
        ("summary", ctypes.c_char_p, (pointer,)),
        ("close", None, (pointer,)),
    ):
        function = getattr(decoder, f"tcpsweep_capture_{name}")
        function.restype, function.argtypes = result, arguments
    return decoder


class _Block:
    """The decoder's last block, to polars: the Arrow PyCapsule interface, which takes columns without a copy."""

    def __init__(self, schema, array):
        self._structures = ((schema, b"arrow_schema"), (array, b"arrow_array"))

    def __arrow_c_array__(self, requested_schema=None):
        new = ctypes.pythonapi.PyCapsule_New
        new.restype, new.argtypes = ctypes.py_object, (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
        return tuple(new(address, name, None) for address, name in self._structures)


class _Capture:
    """An open capture; it owns its file and its decoder."""

    def __init__(self, path, interface, flows, cell):
        self._path, self._interface, self._cell = Path(path), interface, cell
        self._decoder = _decoder(str(library()))
        self._file = self._path.open("rb", buffering=0)
        message = ctypes.create_string_buffer(500)
        self._handle = self._decoder.tcpsweep_capture_open(
            self._file.fileno(), flows, len(flows), message, len(message)
        )
        if not self._handle:
            self._file.close()
            raise CaptureError(f"{self._path}: {message.value.decode()}")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._decoder.tcpsweep_capture_close(self._handle)
        self._file.close()

    def blocks(self):
        """The table in frames of up to `BLOCK_ROWS` rows."""
        rows = BLOCK_ROWS
        while rows == BLOCK_ROWS:
            rows = self._decoder.tcpsweep_capture_next(self._handle, BLOCK_ROWS)
            if rows < 0:
                raise OSError(-rows, os.strerror(-rows), str(self._path))
            block = pl.DataFrame(
                _Block(
                    self._decoder.tcpsweep_capture_schema(self._handle),
                    self._decoder.tcpsweep_capture_array(self._handle),
                )
            )
            yield block.select(
                pl.lit(self._cell).alias("cell"),
                pl.lit(self._interface).alias("interface"),
                "time_s",
                "flow",
                pl.col("is_ack").cat.to(DIRECTION).alias("direction"),
                *list(COLUMNS)[5:],
            )

    def summary(self):
        found = json.loads(self._decoder.tcpsweep_capture_summary(self._handle))
        offset, fault = found.pop("offset", None), found.pop("fault", None)
        return Summary(self._path, **found, incomplete=fault and f"{self._path}: offset {offset}: {fault}")


def schema():
    """The polars schema of the table of packets."""
    return {name: kind for name, (kind, _) in COLUMNS.items()}


def _flows(flows):
    """Flows as the decoder wants them."""
    return (_Flow * len(flows))(
        *(
            _Flow(
                flow["flow"],
                _PROTOCOLS[flow.get("protocol", "tcp")],
                flow["source_port"],
                flow["destination_port"],
                flow["source"].encode(),
                flow["destination"].encode(),
            )
            for flow in flows
        )
    )


def _blocks(captures, flows, cell, summaries):
    """The frames of captures, one file open at a time; each leaves its summary."""
    known = _flows(flows)
    for interface, path in captures.items():
        with _Capture(path, interface, known, cell) as capture:
            yield from capture.blocks()
            summaries.append(capture.summary())


def read(captures, flows=(), cell=""):
    """Captures that fit into memory, as a frame; see `write`.

    Returns
    -------
    DataFrame
        The columns of `COLUMNS`, captures in the order given.
    list of Summary
    """
    summaries = []
    frames = list(_blocks(captures, flows, cell, summaries))
    return pl.concat([pl.DataFrame(schema=schema()), *frames]), summaries


def write(captures, out, flows=(), cell=""):
    """Decode captures into one Parquet file, in memory that does not grow with them.

    Parameters
    ----------
    captures : dict
        What each interface is called, to its pcap file: Ethernet, PPP or raw IP, of ns-3 or anybody else.
    out : Path
        The Parquet file; when something is raised, it is not there.
    flows : list of dict
        ``flow``, ``source``, ``source_port``, ``destination``, ``destination_port`` of the flows to recognise, and
        ``protocol``, udp or by default tcp. Other keys are passed over.
    cell : str
        The cell's id.

    Returns
    -------
    list of Summary
        One for each capture. Of a file that is damaged or cut off after its begin, the table has the packets before.

    Raises
    ------
    CaptureError
        A file is not a capture that can be read; names it and the offset.
    OSError
    """
    summaries = []
    sink(_blocks(captures, flows, cell, summaries), schema(), out)
    return summaries


def sink(frames, schema, out):
    """Write frames to one Parquet file as they come, holding few of them at a time.

    Parameters
    ----------
    frames : iterator of DataFrame
        Each becomes a row group.
    schema : dict
        Their columns.
    out : Path
        The file; it is there when all of it is written, and not before.
    """
    from polars.io.plugins import register_io_source

    out, failures = Path(out), []

    def source(*_):
        try:
            yield from frames
        except Exception as error:
            failures.append(error)
            raise

    part = out.with_name(f".{out.name}.{os.getpid()}")
    try:
        # Statistics would take a sixth of the time, and save little to who reads columns of all packets.
        register_io_source(source, schema=schema).sink_parquet(
            part, compression="zstd", compression_level=3, statistics=False
        )
        part.rename(out)
    except Exception:
        if failures:  # rather than what polars makes of it
            raise failures[0] from None
        raise
    finally:
        part.unlink(missing_ok=True)
