"""Draws the pictures of the rules pages, docs/rules/images/*.png, and writes their descriptions into the pages.

Each shows a position of a real game, so it can't contradict the rulebook. Run it by `make sprites` after a change of a
position, of the rulebooks or of `bot/pictures`.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from bot.cli.preview import drawings_of
from bot.games import GAMES
from bot.games.frogs.rulebook import Frogs
from bot.games.game import CHANCE, Entry, Seat, Value
from bot.pictures import Picture, draw
from bot.texts import SOURCE, gettext as _, languages, using
from bot.texts.rules_pages import FOLDER, IMAGE

_PEOPLE: Final = ("Ann", "Ben", "Cleo", "Dan")


class Example(NamedTuple):
    """A position of a game: the entries that lead to it, a line each, and the seat that sees it.

    Each entry begins with its seat, or with ``-`` for chance. With a ``move`` of Pond · frogs, the picture shows
    what it would do. ``reader`` is the seat that the page calls “you”, if it is one of them.
    """

    game: str
    entries: str
    seat: Seat | None = None
    options: Mapping[str, Value] = {}
    move: str = ""
    reader: Seat | None = None


_TWO_AT_POND: Final = """
- dealer 0
- poison 7H/6D
- deal 6S8S3HTHAD7D8DKD9CTCQC+KS2D3D3C6C/3S4S7SJS4H8H5D9DQD7CJC+AS9SQS6HTD
0 profit 9C
1 profit 3S
"""
_FOUR_AT_POND: Final = """
- dealer 0
- poison 7H/6D/2H/9D
- deal AS4S7S4H2D4D8C9CTCJCKC+3SQSQHJDKC/AH4H9HJHQH3D4D8D2C6C7C+3S8S9SAH3H/2SQS3H8HTH7DTDAC2C4C5C+TSJH5D4C5C/\
5S6S8SKS8HKHTDJD6C7CTC+AD2D8CJCQC
0 profit 9C
1 profit 7C
2 profit 5C
3 profit TD
0 bait KC
1 bait AH
2 bait 2S
3 bait JD
0 trap 8C
1 trap 4H
2 trap QS
3 trap 6S
"""
_POT_BLACK: Final = """
- dealer 3
- deal ASJSKSAH7H9HAD5D7DKD3C9CJC/2S4S6S9STSQSTH2DJDAC6C8CKC/\
3S5S7S8S3H6H8H3D4D8D2C5CQC/2H4H5HJHQHKH6D9DTDQD4C7CTC
0 play KS
"""

EXAMPLES: Final[Mapping[str, Example]] = {
    "pond-trick": Example("pond", _TWO_AT_POND + "0 bait TC\n1 bait 6H\n0 pass\n0 play KD"),
    "pond-profit": Example("pond", _TWO_AT_POND, seat=0),
    "pond-traps": Example("pond", _FOUR_AT_POND, options={"players": 4}),
    "frogs-turn": Example(
        "frogs",
        "- first 0\n0 place c1\n1 place c2\n0 place d1\n1 place b2\n0 move c1 a1\n1 move c2 d2\n"
        "0 move d1 c1\n1 move d2 d1",
        move="place b1",
    ),
    "frogs-hop": Example("frogs", "- first 0\n0 place b2\n1 place c2\n0 place b3\n1 place a3", move="move b2 d2"),
    "frogs-eggs": Example("frogs", "- first 0\n0 place b2", move="place b3"),
    "frogs-set": Example(
        "frogs",
        "- first 0\n0 place a2\n1 place c1\n0 place a1\n1 place b2\n0 move a2 c2\n1 move b2 b1\n"
        "0 move c2 a2\n1 move b1 b2",
        move="place b1",
    ),
    "pontis-turn": Example(
        "pontis",
        """
- dealer 0
- foundations QS/9S/2S/8S
- deal AH3H4H8H9HAD4D4C7C8CQCXX/AS6S7S5H5D9DQDAC6CTCJCKC/3S5SJS2H7HJHQH2D3DKD5C9C/4STS6HTHKH6D7D8DTDJD2C3C/\
KSXX
2 play 7H
0 play 4D
""",
        seat=1,
        reader=1,
    ),
    "pontis-sum": Example(
        "pontis",
        """
- dealer 0
- foundations QS/9S/4S/6S
- deal 3SJS2H5H9H4D9D2C3C5C7C8C/4H6HTHJHAD2DTDJDKDAC6CTC/ASKS3H3D6D8D4C9CJCKCXXXX/\
5S7S8STSAH7HQHKH5D7DQDQC/2S8H
""",
        seat=1,
        reader=1,
    ),
    "pot_black-trick": Example("pot_black", _POT_BLACK + "1 play 4S\n2 play 7S"),
    "pot_black-follow": Example("pot_black", _POT_BLACK, seat=1),
    "pot_black-ten": Example("pot_black", _POT_BLACK + "1 play 4S\n2 play 7S\n3 play TC"),
}
"""The position of each picture, by its name."""


def observed(example: Example) -> Any:
    """Return the position as its seat sees it."""
    game = GAMES[example.game]
    lines = (line.partition(" ") for line in example.entries.strip().splitlines())
    entries = [Entry(CHANCE if seat == "-" else int(seat), move) for seat, _space, move in lines]
    return game.observe(game.fold(game.settle(example.options), entries), example.seat)


def picture(example: Example, language: str) -> Picture:
    """Return the picture of a position in a language."""
    game = GAMES[example.game]
    observation = observed(example)
    names = [*_PEOPLE]
    if example.reader is not None:
        with using(language):
            names.insert(example.reader, _("You"))
    names = names[: game.seats(game.settle(example.options))]
    if isinstance(game, Frogs) and example.move:
        observation = observed(example._replace(seat=observation.turn))
        move = game.parse(example.move)
        return draw(drawings_of(game.key).table, observation, names, language, game.preview(observation, move))
    return draw(drawings_of(game.key).table, observation, names, language)


def folders() -> Iterator[tuple[str, Path]]:
    """Yield each language that has rules pages, and their folder."""
    for language in languages():
        folder = FOLDER if language == SOURCE else FOLDER / language
        if folder.is_dir():
            yield language, folder


def main() -> None:
    """Draw all pictures in all languages, in place of the former ones."""
    for language, folder in folders():
        images = folder / "images"
        images.mkdir(exist_ok=True)
        for old in images.glob("*.png"):
            old.unlink()
        drawn = {name: picture(example, language) for name, example in EXAMPLES.items()}
        for name, made in drawn.items():
            (images / f"{name}.png").write_bytes(made.png)
        for page in folder.glob("*.md"):
            page.write_text(described(page.read_text(encoding="utf-8"), drawn), encoding="utf-8")


def described(page: str, drawn: Mapping[str, Picture]) -> str:
    """Return a page with the description of each of its pictures."""

    def image(found: re.Match[str]) -> str:
        return f"![{drawn[Path(found[2]).stem].alt}]({found[2]})"

    return IMAGE.sub(image, page)


if __name__ == "__main__":
    main()
