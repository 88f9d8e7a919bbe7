"""Posts for the ear: words in place of the signs that voices leave out, or read alike.

espeak-ng, the voice of most free screen readers, says nothing of a suit with a variation selector in German, and the
same for all suits in Spanish and Portuguese. It loses a minus sign in Portuguese, an equals sign in French, and reads
6–3 as “six three”. Only users who want hands as text get such posts. Boards stay as they are.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Final

from msgspec.structs import replace

from bot.texts import gettext as _
from bot.ui.posts.layout import MAX_BUTTON, MAX_OPTION, MAX_PROMPT, MAX_TEXT
from bot.ui.posts.post import Button, Choice, Choices, Figure, Post, Scene, Section
from bot.ui.posts.text import ROOM, ROW, lines_of

_KEPT: Final = re.compile(r"(<[^>\s]+>|https?://[^\s)]+|`[^`\n]+`)")
"""Mentions, times, emojis and links, in which nothing is read; code, as users may have to copy it."""
_NAMED: Final = re.compile(r"[\w♠♥♦♣]")
"""What isn't markup."""
_RANK: Final = "(?:10|[2-9AJQK])"
_SUITS: Final = "♠♥♦♣"
_FACE: Final = rf"(?:{_RANK}[{_SUITS}]\ufe0e?|Joker)"
_CARD: Final = rf"(?:{_FACE}|▮\ufe0e)"
_GAP: Final = "[ \N{NO-BREAK SPACE}]"

_ROOMY: Final = ROOM - 2 * ROW
"""Lines of a post with two rows of buttons that fit a phone's screen."""

_Reading = Callable[[re.Match[str]], str]


def spoken(text: str) -> str:
    """Return a text in the current language as voices read it well. What it says stays the same.

    Links, mentions, times and code aren't touched. A text that is spoken already stays as it is.
    """
    return "".join(part if number % 2 else _spoken(part) for number, part in enumerate(_KEPT.split(text)))


def heard(post: Post) -> Post:
    """Return a post without signs and emojis. What its buttons and menus do stays the same.

    A text stays as it is if it would be too long for Discord. So do the buttons of a grid, which are squares.
    """
    post = replace(
        post,
        choices=tuple(_heard_choices(group) for group in post.choices),
        rows=tuple(map(_heard_row, post.rows)),
        is_plain=True,
    )
    paragraphs = _fitting(tuple(map(spoken, post.paragraphs)))
    sections = tuple(Section(spoken(each.text), _heard_row(each.row)) for each in post.sections)
    scene = post.scene and _heard_scene(post.scene)
    beside = (*scene.above, *scene.below, *scene.in_words) if scene else ()
    if sum(map(len, (*paragraphs, *beside, *(each.text for each in sections)))) > MAX_TEXT:
        return post
    return replace(post, paragraphs=paragraphs, sections=sections, scene=scene)


def _fitting(paragraphs: tuple[str, ...]) -> tuple[str, ...]:
    """Return the paragraphs, without gaps if they might not fit a phone's screen otherwise."""
    return paragraphs if lines_of(paragraphs) < _ROOMY else ("\n".join(filter(None, paragraphs)),)


def spoken_within(text: str, longest: int) -> str:
    """Return the spoken text if it isn't longer than this, else the text."""
    said = spoken(text)
    return said if len(said) <= longest else text


def _heard_choices(group: Choices) -> Choices:
    longest = MAX_BUTTON if group.as_buttons else MAX_OPTION
    return replace(
        group,
        prompt=spoken_within(group.prompt, MAX_PROMPT),
        choices=tuple(_heard_choice(choice, longest) for choice in group.choices),
    )


def _heard_choice(choice: Choice, longest: int) -> Choice:
    hint = spoken_within(choice.hint, MAX_OPTION)
    return replace(choice, name=spoken_within(choice.label, longest), worth="", hint=hint)


def _heard_scene(scene: Scene | Figure) -> Scene | Figure:
    above, below = tuple(map(spoken, scene.above)), tuple(map(spoken, scene.below))
    if isinstance(scene, Figure):
        return replace(scene, above=above, below=below)
    return replace(scene, above=above, below=below, in_words=tuple(map(spoken, scene.in_words)))


def _heard_row(row: Iterable[Button]) -> tuple[Button, ...]:
    return tuple(map(_heard_button, row))


def _heard_button(button: Button) -> Button:
    return replace(button, label=spoken_within(button.label, MAX_BUTTON))


# ---- the words for signs


def _spoken(text: str) -> str:
    for pattern, reading in _READINGS.items():
        text = pattern.sub(reading, text)
    return text


def _suit(sign: str) -> str:
    return {"♠": _("spades"), "♥": _("hearts"), "♦": _("diamonds"), "♣": _("clubs")}[sign]


def _rank(rank: str) -> str:
    return {"A": _("ace"), "J": _("jack"), "Q": _("queen"), "K": _("king")}.get(rank, rank)


def _ranks(text: str) -> str:
    return ", ".join(map(_rank, text.replace("\N{NO-BREAK SPACE}", " ").split()))


def _begun(found: re.Match[str], words: str) -> str:
    """Return the words with a capital if they begin a line."""
    start = found.string.rfind("\n", 0, found.start()) + 1
    is_first = not _NAMED.search(found.string, start, found.start())
    return words[:1].upper() + words[1:] if is_first else words


def _read_card(found: re.Match[str]) -> str:
    return _begun(found, _("{rank} of {suit}", rank=_rank(found[1]), suit=_suit(found[2])))


def _read_many(found: re.Match[str]) -> str:
    """Read many cards by suit, which is much shorter. Fewer may be a trick, which has an order."""
    cards = found[0].replace("\ufe0e", "").split()
    ranks = {sign: [_rank(card[:-1]) for card in cards if card[-1] == sign] for sign in _SUITS}
    held = (f"{_suit(sign)} {', '.join(of_suit)}" for sign, of_suit in ranks.items() if of_suit)
    return "; ".join((*held, *(card for card in cards if card[-1] not in _SUITS)))


def _read_holding(found: re.Match[str]) -> str:
    """Read a suit with ranks of it: ``♠ K 9``."""
    return _begun(found, f"{_suit(found[1])}: {_ranks(found[2])}")


def _read_suit(found: re.Match[str]) -> str:
    """Read a suit, once if its name follows."""
    name = _suit(found[1])
    follows = found.string[found.end() :].lstrip(" \N{NO-BREAK SPACE}")
    return "" if follows.startswith(name) else _begun(found, name) + found[2]


def _read_ranks(found: re.Match[str]) -> str:
    """Read ranks in a row. Two may be a letter at the end of a name, or an article, and a number."""
    ranks = found[0].replace("\N{NO-BREAK SPACE}", " ").split()
    return found[0] if len(ranks) == 2 and "A" in ranks else _begun(found, _ranks(found[0]))


def _read_piece(found: re.Match[str]) -> str:
    """Read the sign of a piece, which tells whose it is, after the word that follows."""
    if found[2] is None:
        return _("light") if found[1] in "○△☆" else _("dark")
    if found[1] in "○△☆":
        return _("{piece} (light)", piece=found[2])
    return _("{piece} (dark)", piece=found[2])


_READINGS: Final[Mapping[re.Pattern[str], _Reading]] = {
    re.compile(r"(?<=\d)\N{NARROW NO-BREAK SPACE}(?=\d{3})"): lambda _found: "",
    re.compile(rf"{_GAP}↓"): lambda _found: "",
    re.compile(rf"^((?:-# )?)→{_GAP}", re.MULTILINE): lambda found: f"{found[1]}{_('Turn:')} ",
    re.compile(rf"([a-e][1-5](?:\*\*)?){_GAP}→{_GAP}(?=(?:\*\*)?[a-e][1-5])"): lambda found: _(
        "{origin} to {landing}", origin=found[1], landing=""
    ),
    re.compile("(\\|?)◀\ufe0e"): lambda found: _("First") if found[1] else _("Previous"),
    re.compile("▶\ufe0e(\\|?)"): lambda found: _("Last") if found[1] else _("Next"),
    re.compile(rf"{_GAP}→{_GAP}"): lambda _found: f", {_('then')} ",
    # cards, suits and ranks
    re.compile(rf"{_FACE}(?:{_GAP}{_FACE}){{4,}}"): _read_many,
    re.compile(rf"({_CARD}(?:\*\*)?){_GAP}(?=(?:\*\*)?{_CARD})"): lambda found: f"{found[1]}, ",
    re.compile(rf"(?<!\w)({_RANK})([{_SUITS}])\ufe0e?"): _read_card,
    re.compile(rf"([{_SUITS}])\ufe0e?{_GAP}({_RANK}(?:{_GAP}{_RANK})*)(?![\w{_SUITS}])"): _read_holding,
    re.compile(rf"(?<!\w)([{_SUITS}])\ufe0e?(?!\w)({_GAP}?)"): _read_suit,
    re.compile("▮\ufe0e"): lambda _found: _("hidden card"),
    re.compile(rf"(?<![\w–−+=.,:])({_RANK}(?:{_GAP}{_RANK})+)(?![\w–:]|{_GAP}[=×]|[.,]\d)"): _read_ranks,
    re.compile(rf"([○●△▲☆★])\ufe0e(?:{_GAP}(\*\*[^*\n]+\*\*|\w+))?"): _read_piece,
    # numbers
    re.compile(r"(?<=\d:\d\d)–(?=\d\d:)"): lambda _found: f" {_('until')} ",
    re.compile(r"(\d+)–\N{WORD JOINER}?(\d+)"): lambda found: _("{won} to {lost}", won=found[1], lost=found[2]),
    re.compile(rf"(?<=\w)−{_GAP}?"): lambda _found: f" {_('minus')} ",
    re.compile(rf"−{_GAP}?"): lambda _found: f"{_('minus')} ",
    re.compile(rf"{_GAP}?×{_GAP}?"): lambda _found: f" {_('times')} ",
    re.compile(rf"{_GAP}={_GAP}(?=\S)"): lambda _found: f" {_('=')} ",
    re.compile(r"(?<=\d)[ \N{NO-BREAK SPACE}](?=\d)"): lambda _found: ", ",
    # the rest of a line
    re.compile(rf"(?<=[.:,!?]){_GAP}·{_GAP}"): lambda _found: " ",
    re.compile(rf"{_GAP}·{_GAP}"): lambda _found: ", ",
}
"""How signs are read, in this order."""
