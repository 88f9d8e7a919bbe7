"""Tips: the lines of the first advice, each at the first decision of its kind in a person's first games."""

import re
from collections import Counter
from typing import Any

import pytest
from msgspec.structs import replace

from bot.games import GAMES
from bot.games.game import Value
from bot.records.preference import UserSettings
from bot.tables.tables import Sight
from bot.texts import languages
from bot.texts.rules_pages import first_advice, topics
from bot.ui.messages.hand import hand, tip
from bot.ui.posts.names import with_short_names
from bot.ui.posts.text import held_together
from tests.leaks.pairs import FACES
from tests.posts import paragraphs_of
from tests.recorded import recorded

FORMS: list[tuple[str, dict[str, Value]]] = [
    ("pond", {"players": 2}),
    ("pond", {"players": 4}),
    ("frogs", {}),
    ("pontis", {"players": 4}),
    ("pot_black", {"deals": 5}),
    ("pot_black", {"players": 3, "deals": 5}),
]


CHOICES: dict[tuple[str, int], str] = {
    ("pond", 2): "play .S",
    ("pond", 4): "trap ..",
    ("frogs", 5): "place ..",
    ("pontis", 0): "play ..",
    ("pontis", 1): "play ([A23].|XX)",
    ("pontis", 2): "sum .*[KQ].*",
    ("pontis", 4): "(play|sum ..) A.",
    ("pot_black", 1): "play .[SC]",
    ("pot_black", 3): "play T[SC]",
    ("pot_black", 4): "play [2-6][SC]",
}
"""What the moves of some lines of advice look like. There have to be others as well, but for tops that match."""


def has_choice(key: str, number: int, legal: list[str]) -> bool:
    if (key, number) not in CHOICES:
        return True
    fit = [re.fullmatch(CHOICES[key, number], move) is not None for move in legal]
    return any(fit) and (not all(fit) or (len(fit) > 1 and (key, number) == ("pontis", 0)))


def test_a_seat_without_a_choice_gets_no_tip() -> None:
    game, face = GAMES["pontis"], FACES["pontis"]
    told = set()
    for seed in range(3):
        for moment in recorded("pontis", {"players": 4}, seed):
            table = replace(moment.table, sitters=tuple(replace(each, nth_game=1) for each in moment.table.sitters))
            for seat in game.to_act(moment.state):
                seen = game.observe(moment.state, seat)
                told.add((len(seen.legal) > 1, bool(tip(face, Sight(table, seen, ()), UserSettings()))))
    assert told == {(True, True), (True, False), (False, False)}


@pytest.mark.parametrize("game", [*GAMES])
def test_first_advice_is_the_second_topic_in_every_language(game: str) -> None:
    assert "First advice" in topics(game)[1].title
    assert len(first_advice(game)) == 6
    for language in languages():
        lines = first_advice(game, language)
        assert len(lines) == len(first_advice(game))
        assert not any(line.startswith("- ") for line in lines)


@pytest.mark.parametrize(("key", "options"), FORMS)
def test_each_line_is_a_tip_at_few_decisions_of_a_game(key: str, options: dict[str, Value]) -> None:
    """Random play makes odd moves, such as frogs that go to and fro, so that a decision may come twice."""
    game, face = GAMES[key], FACES[key]
    numbers: set[int] = set()
    for seed in range(3):
        shown: Counter[tuple[int, int]] = Counter()
        for moment in recorded(key, options, seed):
            for seat in game.to_act(moment.state):
                number = face.tip(seen := game.observe(moment.state, seat))
                if seat is not None and number is not None:
                    assert has_choice(key, number, [str(move) for move in seen.legal]), (number, seen)
                    assert 0 <= number < len(first_advice(key))
                    shown[seat, number] += 1
        assert max(shown.values()) <= 3
        numbers |= {number for _seat, number in shown}
    assert len(numbers) >= 3


@pytest.mark.parametrize("options", [{"deals": 5}, {"players": 3, "deals": 5}])
def test_a_card_is_said_to_invite_a_ten_only_while_another_hand_may_have_it(options: dict[str, Value]) -> None:
    game, face = GAMES["pot_black"], FACES["pot_black"]
    found = 0
    for moment in [each for seed in range(12) for each in recorded("pot_black", options, seed)]:
        for seat in game.to_act(moment.state) - {None}:
            seen: Any = game.observe(moment.state, seat)
            if face.tip(seen) not in {1, 4}:
                continue
            known = {*seen.hand, *seen.trick, *(card for trick in seen.tricks for card in trick.cards)}
            suits = {suit for suit in "SC" if f"T{suit}" not in known}
            ranks = "JQKA" if face.tip(seen) == 1 else "23456"
            assert any(move.card[1] in suits and move.card[0] in ranks for move in seen.legal)
            found += 1
    assert found


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_tip_of_pontis_is_not_repeated_on_the_next_turn(players: int) -> None:
    game, face = GAMES["pontis"], FACES["pontis"]
    for seed in range(4):
        last: dict[int | None, tuple[int | None, int]] = {}
        for moment in recorded("pontis", {"players": players}, seed):
            for seat in game.to_act(moment.state) - {None}:
                seen: Any = game.observe(moment.state, seat)
                number, held = face.tip(seen), len(seen.hand)
                before, had = last.get(seat, (None, held))
                assert number is None or number != before or had == held or (had - held == 1 and seen.ability)
                last[seat] = number, held


def test_only_those_who_are_new_and_want_tips_get_them() -> None:
    game, face = GAMES["pond"], FACES["pond"]
    moments = recorded("pond", {"players": 2})
    moment = next(moment for moment in moments if moment.state.phase == "bait")
    (seat,) = game.to_act(moment.state)
    sight = Sight(moment.table, game.observe(moment.state, seat), ())
    advice = first_advice("pond")[1]
    assert not tip(face, sight, UserSettings())
    sitters = tuple(replace(sitter, nth_game=1) for sitter in moment.table.sitters)
    sight = replace(sight, table=replace(moment.table, sitters=sitters))
    assert advice in tip(face, sight, UserSettings())
    assert not tip(face, sight, UserSettings(tips=False))
    shown: Any = hand(face, sight, "", UserSettings(hands="text")).paragraphs
    assert advice in "\n".join(shown)


@pytest.mark.parametrize("players", [2, 4])
def test_a_tip_displaces_neither_what_the_seat_knows_nor_what_the_last_trick_brought(players: int) -> None:
    game, face = GAMES["pond"], FACES["pond"]
    link, shown = "[Open board](https://discord.com/channels/1/2/3)", 0
    for moment in recorded("pond", {"players": players}, 6):
        table = replace(moment.table, sitters=tuple(replace(sitter, nth_game=1) for sitter in moment.table.sitters))
        for seat in game.to_act(moment.state):
            sight = Sight(table, game.observe(moment.state, seat), moment.events)
            if seat is None or not tip(face, sight, UserSettings()):
                continue
            words, without = (
                "\n".join(paragraphs_of(hand(face, sight, link, UserSettings(tips=tips)))) for tips in (True, False)
            )
            shown += "💡" in words
            known = held_together("\n".join(face.beside_picture(table, sight.observation))).split("\n")
            known += (held_together(line) for line in face.payoff(table, sight.observation).split("\n"))
            assert all(line in words for line in known if line in without and not line.startswith("-# "))
    assert shown


@pytest.mark.parametrize("players", [3, 4])
def test_a_tip_of_pontis_leaves_what_the_player_before_has_done(players: int) -> None:
    game, face = GAMES["pontis"], FACES["pontis"]
    link, shown = "[Open board](https://discord.com/channels/1/2/3)", 0
    for seed in range(3):
        for moment in recorded("pontis", {"players": players}, seed):
            table = replace(moment.table, sitters=tuple(replace(each, nth_game=1) for each in moment.table.sitters))
            for seat in game.to_act(moment.state):
                sight = Sight(table, game.observe(moment.state, seat), moment.events)
                words, without = (
                    "\n".join(paragraphs_of(hand(face, sight, link, UserSettings(tips=tips)))) for tips in (True, False)
                )
                latest = held_together(
                    "".join(face.news(with_short_names(table), sight.observation, sight.events)[-1:])
                )
                if "💡" in words and latest in without:
                    assert latest in words
                    shown += bool(latest)
    assert shown


def test_poison_that_is_everyones_is_not_said_to_be_harmless() -> None:
    game, face = GAMES["pond"], FACES["pond"]
    told: set[tuple[bool, bool]] = set()
    for seed in range(8):
        moments = recorded("pond", {"players": 2, "rounds": 2}, seed)
        state = next(moment.state for moment in moments if moment.state.phase == "bait")
        (seat,) = game.to_act(state)
        seen = game.observe(state, seat)
        told.add((seen.poison(0) == seen.poison(1), face.tip(seen) == 1))
    assert told == {(True, False), (False, True)}
