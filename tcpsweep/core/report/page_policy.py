# SPDX-License-Identifier: MIT
"""A page's permissions: run its own scripts and nothing else, even if foreign text got into it.

The Content-Security-Policy of a page names a nonce, which its own scripts carry. It is a hash of the page, so that
equal pages have equal bytes, and no text in the page can hold it.
"""

import hashlib
import secrets
from collections.abc import Callable

from markupsafe import Markup

# Charts and tables set styles. A page opened from its file is no origin, so its style sheet needs the scheme.
_RULES = (
    "default-src 'none'; script-src 'nonce-{nonce}'; style-src 'unsafe-inline' 'self' file:; "
    "img-src 'self' data: blob:; base-uri 'none'; form-action 'none'"
)


def with_policy(filled: Callable[..., str]) -> str:
    """A page. ``filled`` fills its template with ``nonce``, which its scripts carry, and ``policy``, for its head."""
    until_known = secrets.token_hex(16)
    rules = _RULES.format(nonce=until_known)
    text = filled(nonce=until_known, policy=Markup(f'<meta http-equiv="Content-Security-Policy" content="{rules}">'))
    nonce = hashlib.sha256(text.replace(until_known, "").encode()).hexdigest()[: len(until_known)]
    return text.replace(until_known, nonce)
