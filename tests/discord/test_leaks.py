"""Tests of `Watch`, which looks for leaks in whole games. ``tests/leaks`` compares all that the bot shows."""

from bot.games.cards import Card, face
from bot.games.pond.state import FACE_DOWN
from tests.discord.play import World
from tests.discord.tables import started
from tests.discord.watch import Watch, cards_in


def test_the_watch_finds_cards_however_they_are_written() -> None:
    assert cards_in("play QS") == {"QS"}
    assert cards_in(f"Ann baits with {face(Card('TD'))}.") == {"TD"}
    assert cards_in("♠ J 9 (trump) · 7 4 (anti-trump)\n♥ 10") == {"JS", "9S", "7S", "4S", "TH"}
    assert cards_in("Everyone without 10♠︎ or 10♣︎ shares the side pot. Dan threw 10♣︎.") == {"TC"}
    assert cards_in(repr((FACE_DOWN, "Table Heron", "a0f3"))) == set()


async def test_the_watch_finds_a_card_that_its_readers_cannot_know(world: World) -> None:
    ann, ben = world.people(2)
    await started(ann, [ben])
    watch = Watch(world, [ann, ben, world.person("Eva")])
    assert await watch.leaks() == []
    held = cards_in(ben.hand.alt) - cards_in(ann.hand.alt) - cards_in(ann.board.text)
    await world.bot.get_partial_messageable(world.channel.id).send(f"Ben holds {min(held)}.")
    assert len(await watch.leaks()) == 2
