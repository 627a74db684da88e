# SPDX-License-Identifier: MIT
"""Decode pcap and pcapng captures, with the decoder in `native/`, into the Parquet table of packets, in blocks."""

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

from tcpsweep.core.store import table_files
from tcpsweep.core.words import table_columns
from tcpsweep.core.words.user_error import UserError

BLOCK_ROWS = 1 << 17
_GZIP_MAGIC = b"\x1f\x8b"  # a gzip file's first bytes
_GZIP_BYTES = 1 << 16
_PROTOCOLS = {"tcp": 6, "udp": 17}


class CaptureError(UserError):
    """A file is not a readable capture. The user reads the message."""


@dataclass(frozen=True)
class Summary:
    """The counts of a capture's frames.

    Attributes
    ----------
    frames : int
        All frames: frames with a row, frames without IP, and headless frames.
    rows : int
        IP packets, which are the table's rows.
    cut : int
        Rows whose headers were not captured completely. Missing fields are null.
    headless : int
        Frames without complete and consistent link and IP headers, for example because they were cut off. They have no
        row.
    others : dict
        Frames with other content than IP, counted by kind. They have no row. This includes all fragments of 802.11 and
        6LoWPAN except a packet's first, because later fragments have no IP header.
    damaged : int
        Frames with inconsistent headers. If the IP header has addresses, they have a row with the readable fields.
    first_damaged : str or None
        The first damaged frame: the path, the offset, and the problem.
    incomplete : str or None
        If the table ends before the file: the path, the offset, and the problem.
    interfaces : list of str
        The interface names in the file; empty if the file has none.
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
def _load_decoder(decoder: Path | str) -> ctypes.CDLL:
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
    """The decoder's last block. polars reads it through the Arrow PyCapsule interface, which does not copy columns."""

    def __init__(self, schema: int, array: int) -> None:
        self._structures = ((schema, b"arrow_schema"), (array, b"arrow_array"))

    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[Any, ...]:
        new = ctypes.pythonapi.PyCapsule_New
        new.restype, new.argtypes = ctypes.py_object, (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
        return tuple(new(address, name, None) for address, name in self._structures)


@contextlib.contextmanager
def _unpacked(path: Path) -> Iterator[tuple[int, list[str]]]:
    """A file descriptor for a capture's bytes, and a list for errors in the file.

    A gzip file is unpacked. Its errors are in the list when the descriptor reaches its end.
    """
    faults: list[str] = []
    with path.open("rb", buffering=0) as file:
        is_packed = file.read(len(_GZIP_MAGIC)) == _GZIP_MAGIC
        file.seek(0)
        if not is_packed:
            yield file.fileno(), faults
            return
        read_end, write_end = os.pipe()
        unpacking = threading.Thread(target=_unpack, args=(file, write_end, faults))
        unpacking.start()
        try:
            yield read_end, faults
        finally:
            os.close(read_end)
            unpacking.join()


def _unpack(file: BinaryIO, write_end: int, faults: list[str]) -> None:
    """Write a gzip file's content to a pipe until the reader closes it. Errors in the file are added to ``faults``."""
    until_closed = contextlib.suppress(BrokenPipeError)
    with until_closed, open(write_end, "wb") as pipe, gzip.GzipFile(fileobj=file) as unpacked:
        try:
            while part := unpacked.read1(_GZIP_BYTES):  # `read` would lose the data before an error
                pipe.write(part)
        except BrokenPipeError:
            raise
        except (EOFError, OSError, zlib.error) as error:
            faults.append(f"the gzip file cannot be unpacked to its end: {error}")


@contextlib.contextmanager
def _opened(
    decoder: Path | str, path: Path | str, flows: ctypes.Array[_Flow], base_ns: int = 0
) -> Iterator[tuple[ctypes.CDLL, int, list[str]]]:
    """Open a capture: the decoder, its handle of the capture, and the list of errors from `_unpacked`."""
    library = _load_decoder(decoder)
    message = ctypes.create_string_buffer(500)
    with _unpacked(Path(path)) as (descriptor, faults):
        handle = library.tcpsweep_capture_open(descriptor, flows, len(flows), message, len(message))
        if not handle:
            raise CaptureError(f"{path}: {faults[0] if faults else message.value.decode()}")
        try:
            library.tcpsweep_capture_base(handle, base_ns)
            yield library, handle, faults
        finally:
            library.tcpsweep_capture_close(handle)


def _without_error(result: int, path: Path | str) -> int:
    """Return a result of the decoder's function, unless it is an error code. Raises `CaptureError` or `OSError`."""
    if result < 0:
        raise OSError(-result, os.strerror(-result), str(path))
    return result


def _summary(library: ctypes.CDLL, handle: int, path: Path) -> Summary:
    fields = json.loads(library.tcpsweep_capture_summary(handle))
    faults = {name: fields[name] and f"{path}: {fields[name]}" for name in ("first_damaged", "incomplete")}
    return Summary(path, **fields | faults)


def _interface_names(file_name: str, inner_names: Sequence[str]) -> list[str]:
    """The names of a file's interfaces, from the caller's name for the file and the names in the file."""
    return [
        file_name if not name and not number else f"{file_name}:{name or number}"
        for number, name in enumerate(inner_names)
    ]


def _interface_column(names: Sequence[str]) -> pl.Expr:
    """The names of the interfaces with these numbers."""
    if len(set(names)) < 2:
        return pl.lit(names[0] if names else "").alias("interface")
    return pl.col("interface").replace_strict(dict(enumerate(names)), return_dtype=pl.String)


def _decoder_flows(flows: Sequence[Mapping[str, Any]]) -> ctypes.Array[_Flow]:
    """Flows in the decoder's format."""
    return (_Flow * len(flows))(
        *(
            _Flow(flow["flow"], *_protocol_and_ports(flow), flow["source"].encode(), flow["destination"].encode())
            for flow in flows
        )
    )


def _protocol_and_ports(flow: Mapping[str, Any]) -> tuple[int, int, int]:
    """Zeros, which stand for all, if the flow's ends are programs: they choose their ports themselves."""
    if flow.get("programs"):
        return 0, 0, 0
    return _PROTOCOLS[flow.get("protocol", "tcp")], flow["source_port"], flow["destination_port"]


def first_time_ns(decoder: Path | str, path: Path | str) -> int | None:
    """The time of a capture's first frame with a time, in ns since the epoch; None if no frame has one.

    Raises `CaptureError` or `OSError`.
    """
    time_ns = ctypes.c_int64()
    with _opened(decoder, path, _decoder_flows(())) as (library, handle, _):
        has_time = _without_error(library.tcpsweep_capture_first(handle, ctypes.byref(time_ns)), path)
    return time_ns.value if has_time else None


def blocks(
    decoder: Path | str,
    captures: Mapping[str, Path],
    flows: Sequence[Mapping[str, Any]],
    summaries: list[Summary],
    base_ns: int = 0,
) -> Iterator[pl.DataFrame]:
    """Yield the table of packets in frames of up to `BLOCK_ROWS` rows, with one file open at a time. See `write`.

    Each file's summary is appended to ``summaries``.

    Raises `CaptureError` or `OSError`.
    """
    known_flows = _decoder_flows(flows)
    for interface, path in captures.items():
        with _opened(decoder, path, known_flows, base_ns) as (library, handle, faults):
            rows = BLOCK_ROWS
            while rows == BLOCK_ROWS:
                rows = _without_error(library.tcpsweep_capture_next(handle, BLOCK_ROWS), path)
                block = _Block(library.tcpsweep_capture_schema(handle), library.tcpsweep_capture_array(handle))
                summary = _summary(library, handle, path)
                converted = {
                    "interface": _interface_column(_interface_names(interface, summary.interfaces)),
                    "direction": pl.col("is_ack").cat.to(table_columns.PACKET_DIRECTION).alias("direction"),
                    "retry": pl.col("retry").cast(pl.Boolean),
                    "sack_permitted": pl.col("sack_permitted").cast(pl.Boolean),
                }
                columns = [converted.get(name, pl.col(name)) for name in table_columns.COLUMNS["packets"]]
                yield pl.DataFrame(block).select(columns)
            summaries.append(replace(summary, incomplete=f"{path}: {faults[0]}") if faults else summary)


def write(
    decoder: Path | str,
    captures: Mapping[str, Path],
    out: Path,
    flows: Sequence[Mapping[str, Any]] = (),
    base_ns: int = 0,
) -> list[Summary]:
    """Decode captures into one Parquet file, with constant memory.

    Parameters
    ----------
    decoder : Path
        The compiled library, as `packet_decoder.library` makes it.
    captures : dict
        The pcap or pcapng file of each interface, by the interface's name, from ns-3 or any other program. Link types
        are Ethernet (with VLAN, MPLS, PPPoE, or MACsec without encryption), PPP, raw IP, BSD's loopback, Linux's "any",
        802.11 with or without radiotap's header, and 802.15.4 with 6LoWPAN. If a file names its interfaces or has
        several, their names or numbers are appended after a colon.
    out : Path
        The Parquet file. After an error, it does not exist.
    flows : list of dict
        The flows to recognise: ``flow``, ``source``, ``source_port``, ``destination``, ``destination_port``, and
        ``protocol``, tcp or udp (default: tcp). If it has ``programs``, all packets of TCP and UDP between its
        addresses belong to it. Other keys are ignored.
    base_ns : int
        A time to subtract from all times, so that they fit into their column, whose range is 31 years.

    Returns
    -------
    list of Summary
        One for each capture. If a file is damaged or cut off after its beginning, the table has the packets before that
        point. A single damaged packet does not end the table.

    Raises
    ------
    CaptureError
        A file is not a readable capture. The message names the file and the offset.
    OSError
    """
    summaries: list[Summary] = []
    table_files.sink(blocks(decoder, captures, flows, summaries, base_ns), "packets", out)
    return summaries
