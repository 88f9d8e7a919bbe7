"""What happened since a player looked, also while a computer played for them: shortened, but never dropped."""

import re
from collections import Counter
from typing import Any, Final

import pytest
from msgspec.structs import replace

from bot.games import GAMES
from bot.games.game import CHANCE
from bot.games.pontis.moves import Bridged, Missed
from bot.records.preference import UserSettings
from bot.tables.folds import KEPT_EVENTS, StandIn
from bot.tables.tables import Sight
from bot.ui.messages.hand import hand
from bot.ui.messages.result_texts import last_turn
from bot.ui.messages.since import since_looked
from bot.ui.posts.text import ROOM, held_together, signed
from tests.leaks.pairs import FACES
from tests.posts import paragraphs_of
from tests.recorded import Moment, recorded

AWAY: Final = 3
"""Moves that a computer has played for seat 0."""
STYLES: Final = [UserSettings(hands="text"), UserSettings()]


def seen_by(moment: Moment, away: int = AWAY) -> Sight:
    """Return what seat 0 sees, if a computer has played its last moves."""
    own = [ply for ply in range(moment.ply) if moment.log.entries[ply].seat == 0]
    played = set(own[-away:])
    each = [
        (event, StandIn(0, "🤖 Moss") if ply in played else None)
        for ply in range(moment.ply)
        for event in moment.log.seen[ply]
    ]
    kept = each[-KEPT_EVENTS:]
    observation = GAMES[moment.table.game].observe(moment.state, 0)
    table = replace(moment.table, sitters=tuple(replace(sitter, nth_game=1) for sitter in moment.table.sitters))
    return Sight(table, observation, tuple(event for event, _ in kept), played_by=tuple(by for _, by in kept))


def returns(key: str, options: Any) -> list[Moment]:
    """Return moments of seat 0's turns after some moves."""
    game = GAMES[key]
    moments = [moment for n in range(3) for moment in recorded(key, options, n) if 0 in game.to_act(moment.state)]
    return [each for each in moments if sum(entry.seat == 0 for entry in each.log.entries[: each.ply]) > AWAY]


def said(sight: Sight, settings: UserSettings) -> str:
    face = FACES[sight.table.game]
    return held_together("\n".join(paragraphs_of(hand(face, sight, "", settings)))).replace("\N{NO-BREAK SPACE}", " ")


@pytest.mark.parametrize("settings", STYLES, ids=["words", "picture"])
def test_who_comes_back_reads_what_all_gained_while_a_computer_played(settings: UserSettings) -> None:
    for moment in returns("pontis", {"players": 4}):
        sight = seen_by(moment)
        since = since_looked(FACES["pontis"], sight)
        own = [at for at, by in enumerate(sight.played_by) if by is not None]
        assert len(since) > len(sight.events) - own[0], "what the computer played is news"
        gained: Counter[int] = Counter()
        for event in since:
            if isinstance(event, Bridged):
                gained[event.seat] += len(event.cards) + event.suit_point
        text = said(sight, settings)
        assert "Moss played for you" in text
        for seat, points in gained.items():
            name = "You" if not seat else moment.table.sitters[seat].name
            assert re.search(rf"{name} (\d+ \()?{re.escape(signed(points))}", text), text
        missed = sum(isinstance(event, Missed) and event.seat == 0 for event in since)
        assert (f"you missed {missed} times" in text) == (missed > 1)


@pytest.mark.parametrize("settings", STYLES, ids=["words", "picture"])
@pytest.mark.parametrize("key", ["pond", "pot_black"])
def test_who_comes_back_reads_who_took_the_tricks(key: str, settings: UserSettings) -> None:
    told = 0
    for moment in returns(key, {"players": 4}):
        text = said(seen_by(moment), settings)
        assert "Moss played for you" in text
        told += "Tricks since your turn: " in text
    assert told


@pytest.mark.parametrize("settings", STYLES, ids=["words", "picture"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_tip_never_displaces_what_happened_in_pontis(players: int, settings: UserSettings) -> None:
    face, shown = FACES["pontis"], 0
    for moment in returns("pontis", {"players": players}):
        sight = seen_by(moment, 0)
        text = said(sight, settings)
        without = said(sight, replace(settings, tips=False))
        if "💡" not in text:
            continue
        shown += 1
        news = [
            held_together(item).replace("\N{NO-BREAK SPACE}", " ")
            for item in face.news(sight.table, sight.observation, since_looked(face, sight))
        ]
        there = [item for item in news if item in without]
        assert not there or there[-1] in text
        is_cut = any(item not in text for item in there)
        assert not is_cut or re.search(r"Since your turn|\(\+\d", text), text
    assert shown or players == 4


def test_a_tip_of_frogs_stands_beside_all_of_the_last_turn() -> None:
    face, shown = FACES["frogs"], 0
    for number in range(4):
        for moment in recorded("frogs", {}, number):
            for seat in GAMES["frogs"].to_act(moment.state) - {CHANCE}:
                table = replace(moment.table, sitters=tuple(replace(each, nth_game=1) for each in moment.table.sitters))
                sight = Sight(table, GAMES["frogs"].observe(moment.state, seat), moment.events)
                post = hand(face, sight, "", UserSettings())
                text = "\n".join(paragraphs_of(post))
                if "💡" in text:
                    shown += 1
                    told = held_together(last_turn(face, sight, ROOM))
                    assert told in held_together(text), text
    assert shown
