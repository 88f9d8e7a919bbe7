"""What only a seat of Pond · cards knows, on its hand at every choice."""

from collections.abc import Iterator
from typing import Final

import pytest
from msgspec.structs import replace

from bot.games.cards import SUIT_SYMBOLS
from bot.games.pond.moves import Award, Bait
from bot.games.pond.state import FACE_DOWN, Observation
from bot.records.preference import UserSettings
from bot.records.table import Sitter
from bot.tables.tables import Sight
from bot.ui.messages.hand import hand
from bot.ui.messages.questions import Asked, undo_answers
from bot.ui.posts.names import label_of, name_of, with_short_names
from bot.ui.posts.text import signed
from cogs.card_texts import ranks
from cogs.pond.face import PondFace
from cogs.pond.hand import choice as choice_of
from tests.games.pond_table import POND
from tests.posts import paragraphs_of
from tests.recorded import recorded

FACE: Final = PondFace()
NAMES: Final = ("Maximiliane Mustermann-L", "Bartholomew Featherstone", "Clementine of the Valley", "Dan")
QUESTION: Final = Asked("**Bartholomew** wants to undo their last move.", undo_answers(1))


def deciding(players: int, number: int = 0) -> Iterator[Sight]:
    """Yield what seats to act see in a whole game of new players with long names."""
    people = [Sitter(seat, name, 100 + seat, nth_game=1) for seat, name in enumerate(NAMES[:players])]
    for moment in recorded("pond", {"players": players}, number):
        table = replace(moment.table, sitters=tuple(people))
        for seat in POND.to_act(moment.state):
            if seat is not None:
                yield Sight(table, POND.observe(moment.state, seat), moment.events)


def seen(sight: Sight) -> tuple[Observation, int]:
    observation = sight.observation
    assert isinstance(observation, Observation)
    assert observation.seat is not None
    return observation, observation.seat


def words(sight: Sight, settings: UserSettings, asked: Asked | None = None) -> str:
    post = hand(FACE, sight, "[Open board](https://discord.com)", settings, asked)
    return "\n".join(paragraphs_of(post)).replace("\N{NO-BREAK SPACE}", " ")


@pytest.mark.parametrize("asked", [None, QUESTION], ids=["", "asked"])
@pytest.mark.parametrize("style", ["pictures", "text"])
@pytest.mark.parametrize("players", [2, 4])
def test_poison_and_known_profits_are_on_the_hand_at_every_choice(
    players: int, style: str, asked: Asked | None
) -> None:
    """However much there is to say of the last trick and the last round."""
    choices = 0
    for sight in deciding(players):
        settings = UserSettings(hands="pictures" if style == "pictures" else "text")
        said = words(sight, settings, asked)
        observation, seat = seen(sight)
        assert f"poison {SUIT_SYMBOLS[observation.poison(seat)]}" in said
        if observation.phase != "profit":
            choices += 1
            assert f"Profit {ranks(observation.profit(seat))}" in said
        if observation.phase != "profit" and players > 2:
            partner = name_of(with_short_names(sight.table), (seat + 2) % players)
            assert f"{partner}'s profit {ranks(observation.profit((seat + 2) % players))}" in said
    assert choices


@pytest.mark.parametrize("players", [2, 4])
def test_the_worth_of_the_pond_is_on_the_hand_at_every_choice(players: int) -> None:
    """Only a question to the player takes its room."""
    for sight in deciding(players):
        said = words(sight, UserSettings(hands="pictures"))
        observation, _seat = seen(sight)
        own = "For you: **" if players == 2 else "If you take it: **"
        assert not observation.baits or observation.phase == "award" or own in said


def test_menus_of_pairs_say_what_a_card_is_worth_to_the_partner() -> None:
    found = 0
    for sight in deciding(4):
        observation, seat = seen(sight)
        partner = (seat + 2) % 4
        for move in observation.legal:
            if isinstance(move, Bait) and observation.profit(partner):
                own, theirs = observation.points(seat, move.card), observation.points(partner, move.card)
                hint = choice_of(sight.table, observation, move).hint
                found += own != theirs
                assert (f"{signed(theirs)} for {label_of(sight.table, partner)}" in hint) == (own != theirs)
    assert found


def test_the_leader_of_a_tie_reads_what_the_cards_are_worth_to_whom_they_can_go() -> None:
    """Of an opponent, only the poison is known."""
    told = set()
    for sight in (each for seed in range(3) for each in deciding(4, seed) if seen(each)[0].phase == "award"):
        observation, seat = seen(sight)
        cards = [each.card for each in (*observation.baits, *observation.traps, *observation.trick)]
        known = [card for card in cards if card != FACE_DOWN]
        assert "you take it" not in words(sight, UserSettings(hands="text"))
        (menu,) = FACE.choices(sight.table, observation)
        for choice, move in zip(menu.choices, observation.legal, strict=True):
            assert isinstance(move, Award)
            if (move.seat - seat) % 2:
                n = sum(card[1] == observation.poison(move.seat) for card in known)
                assert choice.worth == (f"{n} poison" if n else "no poison")
            else:
                points = signed(observation.points(move.seat, *known))
                assert choice.worth.partition(" plus ")[0] == points
                assert (" plus " in choice.worth) == (len(known) < len(cards))
            told.add((move.seat - seat) % 4)
    assert told >= {0, 1, 2, 3}
