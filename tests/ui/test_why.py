"""Why what was scored last counts what it does: the arithmetic, the ruling, and nothing hidden."""

import re
from typing import Any

import pytest

from bot.games import GAMES
from bot.tables.lessons import LEARNER, sight
from bot.tables.tables import Sight
from bot.texts import languages, using
from bot.texts.rules_pages import page_about
from bot.ui.messages.result_texts import why
from tests.leaks.pairs import FACES
from tests.posts import paragraphs_of
from tests.recorded import recorded
from tests.ui.test_lessons import lesson_of


def seen_by(seen: Sight) -> tuple[Any, ...]:
    return seen.table, seen.observation, seen.events


def said(key: str, step: int, ruling: str | None = None) -> str:
    """Return the answer at a step of a lesson, counted from 1. **The rule** leads to the page of a ruling."""
    post = why(FACES[key], sight(lesson_of(key), step - 1, "Ann"))
    if ruling is not None:
        ((button, _details),) = post.rows
        assert button.argument == ".".join(map(str, (*(page_about(ruling) or ()), ruling)))
    return "\n".join(paragraphs_of(post)).replace("\ufe0e", "").replace("\xa0", " ")


def reasons(key: str, options: dict[str, object]) -> set[tuple[str, str]]:
    """Return the public answers at all moments of some games, each with its ruling."""
    face, game = FACES[key], GAMES[key]
    moments = [moment for number in range(4) for moment in recorded(key, options, number)]
    found = [face.why(moment.table, game.observe(moment.state, None), moment.events) for moment in moments]
    return {(text, ruling) for text, ruling, *_ in filter(None, found)}


def test_before_anything_is_scored() -> None:
    for key in GAMES:
        assert "Nothing has been scored yet." in said(key, 1)


def test_a_trick_of_pond_is_counted_card_by_card() -> None:
    text = said("pond", 7, "PC-29")
    assert "**Ann** took the trick with 8♠: spades from 8 up are trumps." in text
    assert "8♦ is poison to you: −25, although its rank is your profit." in text
    assert "In all: **+21**" in text


def test_of_another_players_trick_only_poison_is_known() -> None:
    text = said("pond", 5)
    assert "**🤖 Moss** took the trick with 4♣" in text
    assert "K♥ 3♥ are poison to 🤖 Moss: −50. The rest depends on their secret profit" in text


def test_of_a_trick_with_traps_their_worth_is_left_open() -> None:
    face, game, told = FACES["pond"], GAMES["pond"], 0
    for moment in recorded("pond", {"players": 4}):
        if not moment.state.taken:
            continue
        taken = moment.state.taken[-1]
        for seat in (None, (taken.taker + 1) % 4, (taken.taker + 2) % 4):
            found = face.why(moment.table, game.observe(moment.state, seat), moment.events)
            assert found is not None
            assert (" the traps" in found[0]) == bool(taken.traps)
            assert not (taken.traps and "In all" in found[0])
        told += bool(taken.traps)
    assert told


def test_a_tie_of_pond_and_a_scored_round() -> None:
    ties = {ruling for text, ruling in reasons("pond", {"players": 4}) if "the best cards were equal, so " in text}
    assert {page_about(ruling) for ruling in ties} == {page_about("PC-23")}
    assert "Round 1 scored" in said("pond", 8, "PC-29")


def test_a_set_of_frogs_counts_for_the_owners() -> None:
    text = said("frogs", 5, "PD-16")
    assert "(+2 for Ann, +1 for 🤖 Moss)" in text.replace("\xa0", " ")


def test_a_bridge_of_pontis_with_its_sum_and_suit_point() -> None:
    text = said("pontis", 3, "PT-12")
    assert "**🤖 Fern** played 4♦ (6 − 2 = 4): +2, 1 for the card. It includes 1 more, as ♦ matches" in text
    sums = "10♦ J♥ (14 − 13 = 1; 13 − 1 = 12; 11 − 10 = 1): +2, 1 for each card."
    assert sums in said("pontis", 7, "PT-17")
    assert "27** = 18 cards + 5 suit points + 4 going out" in said("pontis", 8, "PT-33")


def test_a_trick_and_a_deal_of_pot_black() -> None:
    assert "J♠ is the highest of the suit led. It counts 1." in said("pot_black", 2)
    trumps = {
        ruling for text, ruling in reasons("pot_black", {"deals": 5}) if "is the highest trump. It counts 1." in text
    }
    assert trumps == {"BK-04"}
    assert "10♣ cost 🤖 Moss 3 chips, and the trick counts for nobody." in said("pot_black", 4, "BK-06")
    assert "Main pot" in said("pot_black", 7, "BK-10")


@pytest.mark.parametrize("key", GAMES)
def test_every_moment_of_a_game_has_an_answer_with_its_ruling(key: str) -> None:
    game, face = GAMES[key], FACES[key]
    for options in ({}, {"players": 4}) if key == "pond" else ({},):
        for moment in recorded(key, options):
            if moment.ply % 3:
                continue
            for seat in (None, LEARNER):
                seen = Sight(moment.table, game.observe(moment.state, seat), moment.events)
                for spoken in languages():
                    with using(spoken):
                        assert bool(why(face, seen).rows) == (face.why(*seen_by(seen)) is not None)


@pytest.mark.parametrize("key", GAMES)
def test_at_the_end_what_was_scored_last_is_explained(key: str) -> None:
    """In games with deals, that is the last one, not its last trick."""
    game, face = GAMES[key], FACES[key]
    *_, last = recorded(key, {"deals": 5} if key == "pot_black" else {})
    seen = Sight(last.table, game.observe(last.state, None), last.events)
    found = face.why(*seen_by(seen))
    assert found is not None
    said = {"pond": "Round 4 scored", "pontis": "Game 1", "pot_black": "**Deal 5**", "frogs": "alike in a line"}
    assert said[key] in found[0]


@pytest.mark.parametrize("players", [2, 4])
def test_a_scored_round_of_pond_is_summarised_by_kind_and_names_no_card(players: int) -> None:
    game, face = GAMES["pond"], FACES["pond"]
    ended = [moment for moment in recorded("pond", {"players": players}) if moment.state.rounds]
    found = 0
    for moment in ended:
        text, ruling, *_ = face.why(moment.table, game.observe(moment.state, None), moment.events) or ("", "")
        if ruling != "PC-29" or "scored" not in text:
            continue
        assert "mattered most: " in text
        assert not re.search("[0-9AJQK][♠♥♦♣]", text)
        found += 1
    assert found
    post = why(face, Sight(ended[0].table, game.observe(ended[0].state, None), ended[0].events))
    assert [button.label for row in post.rows for button in row] == ["The rule", "Details"]
