"""Texts that players read, by gettext. English is the source language, and the only one so far.

A text is written in place, with named placeholders, and translated when it is built:

    _("Waiting for {names}.", names=listed(names))
    ngettext("{n} card", "{n} cards", n)

Nothing translated may be cached or stored. Rulebooks and tables don't translate: their errors hold the template and
its values (`bot.errors`).
"""

import gettext as stdlib

from bot.errors import LilypadError


def gettext(message: str, **values: object) -> str:
    """Return the message with its placeholders filled in."""
    return stdlib.gettext(message).format(**values)


def ngettext(singular: str, plural: str, n: int, **values: object) -> str:
    """Like `gettext` for messages that depend on the number ``n``, which is a placeholder too."""
    return stdlib.ngettext(singular, plural, n).format(n=n, **values)


def sentence_of(error: LilypadError) -> str:
    """Return what an error says, without its ruling. Errors among its values are translated, too."""
    values = {key: sentence_of(each) if isinstance(each, LilypadError) else each for key, each in error.values.items()}
    template = stdlib.gettext(error.template)
    return template.format(**values) if values else template
