"""Text as people type it, without what phones, editors and pasting add. Pure."""

import re
import unicodedata
from typing import Final

_MARKS: Final = {
    **dict.fromkeys(map(ord, "‐‑‒–—―−⁃"), "-"),
    **dict.fromkeys(map(ord, "→➔➙➜➝➞➡⇒⇨⟶⟹"), ">"),
    **dict.fromkeys(map(ord, "‘’‚‛′´"), "'"),
    **dict.fromkeys(map(ord, '`"*“”„‟«»‹›″｀＂＊')),
}
_UNSEEN: Final = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0"  # drawn as nothing, though letters, accents or symbols
    "\u180b-\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef"  # variation selectors
    "\u20dd-\u20e4]"  # frames around a character, as in keycap emojis
)
_DOUBLE_SPACE: Final = re.compile(r"\.\s")
"""What a phone makes of two spaces."""
_AROUND: Final = " .,;:!'()[]"
"""What may stand around what was meant."""
_LOOKALIKES: Final = str.maketrans("авсеікмнорртхуѕјαβεικνορτυχ", "abceikmhopptxysjabeiknoptux")
"""Cyrillic and Greek letters, in lower case, whose capitals or small letters look like these."""

_VERBS: Final = (
    *("play", "profit", "bait", "trap", "pass", "award"),
    *("place", "move", "sum", "miss", "decline", "resign"),
)
_FORMS: Final = {
    form: verb
    for verb in _VERBS
    for stem in (verb.removesuffix("e"), verb + verb[-1])
    for form in (verb, f"{verb}s", f"{verb}es", f"{stem}ed", f"{stem}ing")
}
_BEFORE: Final = re.compile(r"(?:/(?:(?:pond|frogs|pontis|potblack) )?)?(?:i(?:'ll| will| am|'m)? )?")


def clean(text: str) -> str:
    """Return a typed text in one line, with plain letters, digits, dashes and quotes, and nothing invisible.

    ``“Ｂ２\u200b – b4.”`` gives ``B2 - b4``.
    """
    usual = unicodedata.normalize("NFKC", _UNSEEN.sub("", text).translate(_MARKS)).translate(_MARKS)
    kept = [each for each in usual if each.isprintable() or each.isspace()]
    return " ".join(_DOUBLE_SPACE.sub(" ", "".join(kept)).split()).strip(_AROUND)


def clean_move(text: str) -> str:
    """Return a typed move in lower case, with its verb in the form of the notation: ``I'm playing the 5h`` too.

    A second verb is left out: ``/pond play`` may get the card ``play 5h``.
    """
    words = _BEFORE.sub("", clean(text).lower().translate(_LOOKALIKES), count=1).replace(":", " ").split()
    verb = [_FORMS.get(word, word) for word in words[:1]]
    return " ".join([*verb, *(word for word in words[1:] if word != "the" and word not in _FORMS)])


def letters_of(text: str) -> str:
    """Return the letters and digits of a move alone, in lower case."""
    return "".join(filter(str.isalnum, text.lower()))
