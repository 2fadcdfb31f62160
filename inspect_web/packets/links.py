"""Numbers of ledger entries in a text, made into links to where the entry is described."""

from __future__ import annotations

import re
from collections.abc import Collection

from markupsafe import Markup, escape

NUMBER = re.compile(r"№ (\d{1,9})")


def linked(text: object, known: Collection[int]) -> Markup:
    """*text* escaped, each ``№ n`` of a known entry as a link to ``#entry-n``.

    >>> str(linked("seen <twice>: № 7, № 8", {7}))
    'seen &lt;twice&gt;: <a href="#entry-7">№ 7</a>, № 8'
    """

    def link(found: re.Match[str]) -> str:
        number = found.group(1)
        if int(number) not in known:
            return found.group(0)
        return f'<a href="#entry-{number}">№ {number}</a>'

    return Markup(NUMBER.sub(link, str(escape(text))))  # noqa: S704 - escaped just before
