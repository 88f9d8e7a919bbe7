"""Whole games in a pseudo-language: everything is translated, and fits with texts that are 40 % longer."""

import random
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest
from discord import ui

from tests import pseudo
from tests.discord.guests import play_out
from tests.discord.play import World, started_in
from tests.world import walk

_NOT_TEXT = re.compile(r"https?://\S+|<[@#t][^>]*>|`[^`]*`|\b[A-Z]{1,2}-\d\d\b|🤖 \w+|\b[JQKA]\b|\b[a-h][1-8]\b")
_WORD = re.compile(r"[^\W\d_]{2,}")


def texts_of(components: Any) -> Iterator[str]:
    """Yield all texts of a message."""
    for part in walk(components):
        for key in ("content", "label", "placeholder", "title", "description"):
            if isinstance(part.get(key), str):
                yield part[key]
        for option in part.get("options", ()):
            yield option["label"]
            yield option.get("description") or ""


def untranslated(text: str, names: frozenset[str]) -> list[str]:
    """Return the words outside of brackets that aren't names."""
    rest = _NOT_TEXT.sub(" ", pseudo.outside(text))
    return [word for word in _WORD.findall(rest) if word not in names]


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The components of all messages that the bot sends from now on."""
    pseudo.install(monkeypatch)
    collected: list[Any] = []
    original: Callable[[ui.LayoutView], list[dict[str, Any]]] = ui.LayoutView.to_components

    def to_components(view: ui.LayoutView) -> list[dict[str, Any]]:
        components = original(view)
        collected.append(components)
        return components

    monkeypatch.setattr(ui.LayoutView, "to_components", to_components)
    return collected


def speak(world: World, *user_ids: int) -> None:
    """Let these users and the server have chosen the pseudo-language."""
    for user_id in user_ids:
        world.execute("INSERT INTO users (id, language) VALUES (?, ?)", user_id, pseudo.LANGUAGE)
    world.execute(
        "INSERT INTO servers (guild_id, channels, threads, clock, language) VALUES (?, '[]', 0, 'none', ?)",
        world.server.id,
        pseudo.LANGUAGE,
    )


GAMES: list[tuple[str, int, Mapping[str, Any]]] = [
    ("pond", 2, {"rounds": 2}),
    ("frogs", 2, {}),
    ("pontis", 3, {"players": 4, "fake": "on", "liar": "on", "computers": 1}),
    ("potblack", 4, {"form": "individual", "end": "deals", "deals": 5}),
    ("potblack", 4, {"form": "partnership"}),
]


@pytest.mark.parametrize(("group", "people", "options"), GAMES)
async def test_everything_in_a_game_is_translated(
    world: World, sent: list[Any], group: str, people: int, options: dict[str, Any]
) -> None:
    players = world.people(people)
    speak(world, *[player.id for player in players])
    await started_in(group, players[0], players[1:], **options)
    rng = random.Random(group)
    await play_out(world, players, rng)
    table = await world.tables.table(1)
    names = frozenset(word for sitter in table.sitters for word in sitter.name.split()) | {table.name}
    found = {word: text for components in sent for text in texts_of(components) for word in untranslated(text, names)}
    assert found == {}
