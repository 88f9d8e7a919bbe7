"""Games by somebody who has only texts, alt texts and labels, as a screen reader reads them."""

import json
import random
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

import pytest

from bot.games import GAMES
from bot.records.preference import UserSettings
from bot.tables.tables import Sight
from bot.ui.messages.hand import hand
from bot.ui.posts.heard import heard
from bot.ui.posts.layout import Shown, layout
from bot.ui.posts.post import Post
from tests.discord.guests import PART, ended_right
from tests.discord.play import Player, World
from tests.discord.seen import Seen
from tests.discord.tables import started_in
from tests.discord.watch import heard_in
from tests.doses import IS_COMPLETE
from tests.leaks.pairs import FACES
from tests.posts import draw_now
from tests.recorded import recorded
from tests.world import walk

DRAWN: Final = 12
"""Of so many moments, one is drawn."""
SIGNED: Final = re.compile(r"([2-9TJQKA])([♠♥♦♣])")
"""A card beside a picture, in its description, or in a move that is typed."""


def cards_in(text: str) -> set[str]:
    """Return the cards that a text names, in notation."""
    plain = text.replace("\N{VARIATION SELECTOR-15}", "").replace("*", "")
    found = {rank + "SHDC"["♠♥♦♣".index(suit)] for rank, suit in SIGNED.findall(plain.replace("10", "T"))}
    return found | heard_in(plain)


def squares_in(text: str) -> set[str]:
    """Return the pieces that a text names by their squares."""
    return {" ".join(each) for each in re.findall(r"\b([a-e][1-5]) [^,.\n]*?\b(egg|tadpole|frog)\b", text)}


def in_pond(seen: Any) -> Iterable[object]:
    return (*seen.hand, *(each.card for each in (*seen.baits, *seen.trick)))


def in_frogs(seen: Any) -> Iterable[object]:
    return [f"{each.square} {each.stage}" for each in seen.pieces]


def in_pontis(seen: Any) -> Iterable[object]:
    return (*seen.hand, *(bank[-1] for bank in seen.banks if bank))


def in_pot_black(seen: Any) -> Iterable[object]:
    return (*seen.hand, *seen.trick)


KNOWN: Final[Mapping[str, Callable[[Any], Iterable[object]]]] = {
    "pond": in_pond,
    "frogs": in_frogs,
    "pontis": in_pontis,
    "pot_black": in_pot_black,
}
"""What a player has to know of each game: their cards, and those on the table."""


async def read(player: Player) -> tuple[Seen, str]:
    """Return the message on which a player moves, with all that can be read on the hand and there."""
    hand = player.hand
    page = await player.clicks(hand, "Board in words") if hand.squares else hand
    parts = (hand.text, hand.alt, page.text, page.alt, *page.labels, *page.options.values())
    return page, "\n".join(parts)


def labels_of(page: Seen) -> dict[str, str]:
    """Return the label of each move that can be chosen on a page."""
    by_id = {part["custom_id"]: part.get("label", "") for part in walk(page.components) if "custom_id" in part}
    return {move: page.options.get(move) or by_id[use.custom_id] for move, use in page.moves.items()}


@pytest.mark.parametrize(
    ("group", "options"),
    [
        ("pond", {"rounds": 2}),
        ("frogs", {}),
        ("pontis", {"players": 3}),
        ("potblack", {"players": 3, "deals": 5}),
    ],
)
async def test_a_game_is_played_from_words_alone(world: World, group: str, options: dict[str, Any]) -> None:
    ann, ben = players = world.people(2)
    await ben.types("settings", hands="text")
    await started_in(group, ann, [ben], computers=options.get("players", 2) - 2, **options)
    rng, by_id = random.Random(group), {player.id: player for player in players}
    table, turns = await world.tables.table(1), 0
    while table.status == "playing" and (IS_COMPLETE or turns < PART):
        turns += 1
        user = (await world.tables.whose_turn(table))[0]
        seen = (await world.tables.look(1, user)).observation
        page, words = await read(by_id[user])
        labels = labels_of(page)
        check(table.game, seen, words, labels)
        await by_id[user].picks(page, rng.choice(sorted(labels)))
        table = await world.tables.table(1)
    if IS_COMPLETE:
        await ended_right(world, players)


@pytest.mark.parametrize(
    ("key", "options"),
    [
        ("pond", {"players": 2, "rounds": 2}),
        ("pond", {"players": 4, "rounds": 2}),
        ("frogs", {}),
        ("pontis", {"players": 3}),
        ("pot_black", {"players": 3, "deals": 5}),
    ],
)
def test_at_every_moment_words_alone_tell_what_a_player_has_to_know(key: str, options: dict[str, Any]) -> None:
    game = GAMES[key]
    for number, moment in enumerate(recorded(key, options)):
        for seat in game.to_act(moment.state):
            seen = game.observe(moment.state, seat)
            sight = Sight(moment.table, seen, moment.events)
            page = shown(heard(hand(FACES[key], sight, "", UserSettings(hands="text", prefers_menus=True))))
            check(key, seen, "\n".join((page.text, *page.labels, *page.options.values())), labels_of(page))
            if number % DRAWN == 0:
                drawn = shown(hand(FACES[key], sight, "", UserSettings(hands="pictures")))
                check(key, seen, f"{drawn.text}\n{drawn.alt}", {} if drawn.squares else labels_of(drawn))


def shown(post: Post) -> Seen:
    """Return the message of a post, with its picture if it has one."""
    picture = Shown("hand.png", draw_now(post.scene).alt) if post.scene else None
    view: Any = layout(post, 1, 1, picture=picture)
    return Seen(1, 1, tuple(json.loads(json.dumps(view.to_components()))), is_private=True, pinged=())


def check(key: str, seen: Any, words: str, labels: Mapping[str, str]) -> None:
    """Check that the words tell what the player has to know, and the labels what each move does."""
    assert {str(each) for each in KNOWN[key](seen)} <= cards_in(words) | squares_in(words)
    assert len(set(labels.values())) == len(labels), "two moves read alike"
    for move, label in labels.items():
        assert set(re.findall(r"\b(?:[2-9TJQKA][SHDC]|[a-e][1-5])\b", move)) <= cards_in(label) | set(label.split())
