"""Tables that a viewer can't distinguish look the same to them in everything that the bot shows and does.

``make leaks PAIRS=1000000`` compares a million pairs of each game instead of a thousand.
"""

import random
from itertools import islice

import pytest

from bot.games import GAMES
from tests.discord.watch import cards_in
from tests.doses import amount
from tests.leaks.knowledge import READERS
from tests.leaks.pairs import FACES, SUBJECTS, Subject, compared, pages, thought
from tests.leaks.twins import deals_of, moments, twins

PAIRS = amount("PAIRS", test=1000, full=10_000)

every_game = pytest.mark.parametrize("subject", SUBJECTS.values(), ids=SUBJECTS)
games_with_cards = pytest.mark.parametrize("key", [key for key, reader in READERS.items() if reader])


@every_game
def test_hidden_information_changes_nothing_for_a_viewer(subject: Subject) -> None:
    rng = random.Random(f"{subject.game.key} {PAIRS}")
    for differences in islice(compared(subject, rng), PAIRS):
        assert differences == []


@every_game
def test_hidden_cards_change_neither_choice_nor_time_of_a_computer(subject: Subject) -> None:
    rng = random.Random(f"{subject.game.key} {PAIRS} computers")
    for differences in islice(thought(subject, rng), PAIRS // (100 if subject.game.key == "frogs" else 10)):
        assert differences == []


@games_with_cards
def test_a_page_for_another_seat_would_be_found(key: str) -> None:
    """Viewers who know the exchanged cards can distinguish the two tables."""
    game, rng = GAMES[key], random.Random(1)
    found = 0
    for moment in islice(moments(game, rng), 40):
        for twin, viewers in twins(game, moment, deals_of(game, moment), rng):
            for viewer in {*moment.viewers} - {*viewers}:
                one, other = (game.observe(each.state, viewer) for each in (moment, twin))
                found += pages(FACES[key], moment, one) != pages(FACES[key], moment, other)
        if found > 100:
            break
    assert found > 100


@games_with_cards
def test_no_page_names_a_card_that_its_reader_cannot_know(key: str) -> None:
    """Only the first deal is checked: in later ones, readers may know a card from an earlier deal."""
    game, rng = GAMES[key], random.Random(2)
    read = 0
    for moment in moments(game, rng):
        for viewer in moment.viewers:
            observation = game.observe(moment.state, viewer)
            if FACES[key].deal(observation) > (key == "pot_black"):
                continue
            read += 1
            known = cards_in(repr(observation)) | cards_in(repr(moment.events))
            assert cards_in("\n".join(map(str, pages(FACES[key], moment, observation)))) <= known
        if read >= 300:
            return
