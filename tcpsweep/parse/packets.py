# SPDX-License-Identifier: MIT
"""Captures to the table of packets: pcap and pcapng files through the decoder in `native/`, in blocks, to Parquet."""

import contextlib
import ctypes
import functools
import gzip
import json
import os
import threading
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, BinaryIO

import polars as pl

from tcpsweep.store import table_files
from tcpsweep.words import table_columns
from tcpsweep.words.user_error import UserError

BLOCK_ROWS = 1 << 17
_GZIP = b"\x1f\x8b"  # what a gzip file begins with
_GZIP_BYTES = 1 << 16
_PROTOCOLS = {"tcp": 6, "udp": 17}


class CaptureError(UserError):
    """A file is no capture that can be read; the user reads it."""


@dataclass(frozen=True)
class Summary:
    """Counts of a capture's frames.

    Attributes
    ----------
    frames : int
        All frames: those with a row, those that are not IP, and headless ones.
    rows : int
        IP packets, which are the rows of the table.
    cut : int
        Rows whose headers were not captured to their end; missing fields are null.
    headless : int
        Frames without a whole header of link and IP, as they end or were cut off before, or as it contradicts itself;
        they have no row.
    others : dict
        Frames that hold something other than IP, counted by kind; they have no row. Among them are all fragments of
        802.11 and 6LoWPAN but a packet's first: the others are no IP packets.
    damaged : int
        Frames whose headers contradict themselves or each other. They have a row, as far as they could be read, if
        IP's header has addresses.
    first_damaged : str or None
        The first of them: the path, the offset, and what is wrong there.
    incomplete : str or None
        Why the table ends before the file does: its path, the offset, and what is wrong there.
    interfaces : list of str
        What the file itself calls the interfaces that it tells of; empty where it does not.
    """

    path: Path
    frames: int
    rows: int
    cut: int
    headless: int
    others: dict[str, int]
    damaged: int
    first_damaged: str | None
    incomplete: str | None
    interfaces: list[str]


class _Flow(ctypes.Structure):
    _fields_ = (
        ("number", ctypes.c_int32),
        ("protocol", ctypes.c_uint8),
        ("source_port", ctypes.c_uint16),
        ("destination_port", ctypes.c_uint16),
        ("source", ctypes.c_char_p),
        ("destination", ctypes.c_char_p),
    )


@functools.cache
def _loaded(decoder: Path | str) -> ctypes.CDLL:
    library = ctypes.CDLL(str(Path(decoder).absolute()))
    pointer, size = ctypes.c_void_p, ctypes.c_size_t
    for name, result, arguments in (
        ("open", pointer, (ctypes.c_int, ctypes.POINTER(_Flow), size, ctypes.c_char_p, size)),
        ("first", ctypes.c_int, (pointer, ctypes.POINTER(ctypes.c_int64))),
        ("base", None, (pointer, ctypes.c_int64)),
        ("next", ctypes.c_int64, (pointer, size)),
        ("schema", pointer, (pointer,)),
        ("array", pointer, (pointer,)),
        ("summary", ctypes.c_char_p, (pointer,)),
        ("close", None, (pointer,)),
    ):
        function = getattr(library, f"tcpsweep_capture_{name}")
        function.restype, function.argtypes = result, arguments
    return library


class _Block:
    """The decoder's last block for polars, by the Arrow PyCapsule interface, which hands over columns uncopied."""

    def __init__(self, schema: int, array: int) -> None:
        self._structures = ((schema, b"arrow_schema"), (array, b"arrow_array"))

    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[Any, ...]:
        new = ctypes.pythonapi.PyCapsule_New
        new.restype, new.argtypes = ctypes.py_object, (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
        return tuple(new(address, name, None) for address, name in self._structures)


@contextlib.contextmanager
def _bytes_of(path: Path) -> Iterator[tuple[int, list[str]]]:
    """A descriptor of a capture's bytes, and a list that receives faults of the file.

    A gzip file is unpacked. Its faults are in the list when the descriptor reaches its end.
    """
    faults: list[str] = []
    with path.open("rb", buffering=0) as file:
        is_packed = file.read(len(_GZIP)) == _GZIP
        file.seek(0)
        if not is_packed:
            yield file.fileno(), faults
            return
        receiving, sending = os.pipe()
        unpacking = threading.Thread(target=_unpack, args=(file, sending, faults))
        unpacking.start()
        try:
            yield receiving, faults
        finally:
            os.close(receiving)
            unpacking.join()


def _unpack(file: BinaryIO, sending: int, faults: list[str]) -> None:
    """Write a gzip file's content to a pipe until its reader has enough; note what is wrong with the file."""
    has_enough = contextlib.suppress(BrokenPipeError)
    with has_enough, open(sending, "wb") as pipe, gzip.GzipFile(fileobj=file) as unpacked:
        try:
            while part := unpacked.read1(_GZIP_BYTES):  # `read` loses what comes before a fault
                pipe.write(part)
        except BrokenPipeError:
            raise
        except (EOFError, OSError, zlib.error) as error:
            faults.append(f"the gzip file cannot be unpacked to its end: {error}")


@contextlib.contextmanager
def _opened(
    decoder: Path | str, path: Path | str, flows: ctypes.Array[_Flow], base_ns: int = 0
) -> Iterator[tuple[ctypes.CDLL, int, list[str]]]:
    """The decoder, its handle of a capture that it has opened, and the faults of `_bytes_of`."""
    library = _loaded(decoder)
    message = ctypes.create_string_buffer(500)
    with _bytes_of(Path(path)) as (descriptor, faults):
        handle = library.tcpsweep_capture_open(descriptor, flows, len(flows), message, len(message))
        if not handle:
            raise CaptureError(f"{path}: {faults[0] if faults else message.value.decode()}")
        try:
            library.tcpsweep_capture_base(handle, base_ns)
            yield library, handle, faults
        finally:
            library.tcpsweep_capture_close(handle)


def _checked(found: int, path: Path | str) -> int:
    """What a function of the decoder returns, if that is no error."""
    if found < 0:
        raise OSError(-found, os.strerror(-found), str(path))
    return found


def _summary(library: ctypes.CDLL, handle: int, path: Path) -> Summary:
    found = json.loads(library.tcpsweep_capture_summary(handle))
    faults = {name: found[name] and f"{path}: {found[name]}" for name in ("first_damaged", "incomplete")}
    return Summary(path, **found | faults)


def _interface_names(given: str, told: Sequence[str]) -> list[str]:
    """What a file's interfaces are called: as the caller names the file, and as the file names them."""
    return [given if not name and not number else f"{given}:{name or number}" for number, name in enumerate(told)]


def _named(names: Sequence[str]) -> pl.Expr:
    """The interfaces' names from their numbers."""
    if len(set(names)) < 2:
        return pl.lit(names[0] if names else "").alias("interface")
    return pl.col("interface").replace_strict(dict(enumerate(names)), return_dtype=pl.String)


def _flows(flows: Sequence[Mapping[str, Any]]) -> ctypes.Array[_Flow]:
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


def first_time_ns(decoder: Path | str, path: Path | str) -> int | None:
    """When the first frame of a capture that has a time was captured, in ns since the epoch; None if none has.

    Raises `CaptureError` or `OSError`.
    """
    time_ns = ctypes.c_int64()
    with _opened(decoder, path, _flows(())) as (library, handle, _):
        found = _checked(library.tcpsweep_capture_first(handle, ctypes.byref(time_ns)), path)
    return time_ns.value if found else None


def blocks(
    decoder: Path | str,
    captures: Mapping[str, Path],
    flows: Sequence[Mapping[str, Any]],
    summaries: list[Summary],
    base_ns: int = 0,
) -> Iterator[pl.DataFrame]:
    """The table of packets in frames of up to `BLOCK_ROWS` rows, one file open at a time. See `write`.

    Each file leaves its summary.

    Raises `CaptureError` or `OSError`.
    """
    known = _flows(flows)
    for interface, path in captures.items():
        with _opened(decoder, path, known, base_ns) as (library, handle, faults):
            rows = BLOCK_ROWS
            while rows == BLOCK_ROWS:
                rows = _checked(library.tcpsweep_capture_next(handle, BLOCK_ROWS), path)
                block = _Block(library.tcpsweep_capture_schema(handle), library.tcpsweep_capture_array(handle))
                summary = _summary(library, handle, path)
                made = {
                    "interface": _named(_interface_names(interface, summary.interfaces)),
                    "direction": pl.col("is_ack").cat.to(table_columns.PACKET_DIRECTION).alias("direction"),
                    "retry": pl.col("retry").cast(pl.Boolean),
                    "sack_permitted": pl.col("sack_permitted").cast(pl.Boolean),
                }
                columns = [made.get(name, pl.col(name)) for name in table_columns.COLUMNS["packets"]]
                yield pl.DataFrame(block).select(columns)
            summaries.append(replace(summary, incomplete=f"{path}: {faults[0]}") if faults else summary)


def write(
    decoder: Path | str,
    captures: Mapping[str, Path],
    out: Path,
    flows: Sequence[Mapping[str, Any]] = (),
    base_ns: int = 0,
) -> list[Summary]:
    """Decode captures into one Parquet file, in memory that does not grow with them.

    Parameters
    ----------
    decoder : Path
        The compiled library, as `packet_decoder.library` makes it.
    captures : dict
        Each interface's name to its pcap or pcapng file, from ns-3 or any other program: Ethernet, with VLAN, MPLS,
        PPPoE or MACsec without encryption, PPP, raw IP, BSD's loopback, Linux's "any", 802.11, with radiotap's header
        or without, or 802.15.4 with 6LoWPAN. To the name of a file that names its interfaces, or has several, theirs,
        or their numbers, are added behind a colon.
    out : Path
        The Parquet file; it does not exist after an error.
    flows : list of dict
        ``flow``, ``source``, ``source_port``, ``destination``, ``destination_port`` of the flows to recognise, and
        ``protocol``, udp or by default tcp. Other keys are ignored.
    base_ns : int
        What is taken from all times, so that they fit into their column, which has room for 31 years.

    Returns
    -------
    list of Summary
        One for each capture. If a file is damaged or cut off after its beginning, the table has the packets up to
        there; a packet that is damaged in itself ends nothing.

    Raises
    ------
    CaptureError
        A file is not a capture that can be read; names it and the offset.
    OSError
    """
    summaries: list[Summary] = []
    table_files.sink(blocks(decoder, captures, flows, summaries, base_ns), "packets", out)
    return summaries
