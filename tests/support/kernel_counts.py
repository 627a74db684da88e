# SPDX-License-Identifier: MIT
"""Linux' counts of sent packets, and the network's counts of received packets."""

AT_ONCE = 4  # segments that an ACK of two lets go, in slow start (RFC 5681, 3.1)


def unread_segments(kernel, sent_bytes, is_finished):
    """Segments that Linux sent in answer to the last ACK, and the network at its end took no more.

    Parameters
    ----------
    kernel : dict
        A flow's entry ``kernel`` in `run.json`, which is read directly after the ACK.
    sent_bytes : float
        Bytes of the flow that came into the network.
    is_finished : bool
        Whether the flow has ended, so that there can be none.
    """
    segments, rest = divmod(kernel["bytes_sent"] - int(sent_bytes), kernel["segment_bytes"])
    assert rest == 0 and 0 <= segments <= (0 if is_finished else AT_ONCE)
    return segments
