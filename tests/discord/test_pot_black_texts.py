"""The texts of Pot Black: what a card would cost or win, and what deals brought."""

import random

import pytest

from bot.games.game import CHANCE, RESIGN, Outcome
from bot.games.pot_black.state import Observation, State
from bot.tables import Table
from bot.ui.posts.emojis import NO_EMOJIS
from bot.ui.posts.layout import MAX_TEXT
from cogs.pot_black.face import PotBlackFace
from tests.games.pot_black_deals import (
    GAME,
    A,
    B,
    C,
    D,
    Luck,
    Tricks,
    apply,
    hands_of,
    in_deal,
    play,
    played,
    settled,
    table,
)
from tests.leaks.twins import table_of

FACE = PotBlackFace()
AS_TEXT = "\ufe0e"


def seen(state: State, seat: int | None = None) -> Observation:
    return GAME.observe(state, seat)


def at(state: State) -> Table:
    """Return the table of Ann, Ben, Cleo and Dan with this state."""
    return table_of(GAME, GAME.options_of(state), 1)


def offered(state: State) -> list[tuple[str, str]]:
    """Return the label and the hint of each card that the seat to act may play."""
    (choices,) = FACE.choices(at(state), seen(state, state.turn))
    return [(choice.label.replace(AS_TEXT, ""), choice.hint) for choice in choices.choices]


def test_the_last_player_sees_who_gets_the_trick_and_at_what_price() -> None:
    state = hands_of(table(), a="JS2D", b="8S3D", c="9S4D", d="QSTS5S5D")
    state, _events = play(state, "JS 8S 9S")
    assert offered(state) == [
        ("Q♠ · +1 trick for you", ""),
        ("10♠ · −3 for Ann", "It also keeps them from the side pot (3)."),
        ("5♠ · +1 trick for Ann", ""),
    ]


def test_taking_a_black_ten_costs_the_chance_of_the_side_pot() -> None:
    state = hands_of(table(), a="TS2D", b="8S3D", c="JS5S4D", d="5D6D")
    state, _events = play(state, "TS 8S")
    prompt = FACE.prompt(at(state), seen(state, C)).replace(AS_TEXT, "")
    assert prompt.endswith("Taking 10♠ costs 3 chips, and the trick counts for nobody.")
    assert offered(state) == [
        ("J♠ · −3 for you if it holds", "Your side also loses its chance at the side pot (3)."),
        ("5♠ · −3 for Ann so far", "Your side also loses its chance at the side pot (3)."),
    ]


def test_the_leader_is_warned_of_black_tens_that_others_hold() -> None:
    state = hands_of(table(), a="KSKCTCKD2H", b="TS", c="2S", d="3S")
    assert offered(state) == [
        ("K♠ · 1 higher card left", "The ten of ♠\ufe0e can still fall on it and cost you 3."),
        ("2♥ · trump, 12 higher cards left", ""),
        ("K♦ · 1 higher card left", ""),
        ("K♣ · 1 higher card left", ""),
        ("10♣ · −3 for the player who takes it", "The trick counts for nobody."),
    ]


def test_the_leader_sees_what_can_still_beat_a_card() -> None:
    state = hands_of(table(), a="ADKD9C", b="2D3C3H", c="3D4C4H", d="4D5C5H")
    assert ("9♣ · 5 higher cards left", "") in offered(state)
    state, _events = play(state, "AD 2D 3D 4D")
    assert ("K♦ · the highest left", "") in offered(state)


@pytest.mark.parametrize(("deal", "trump", "cards"), [(1, "H", 10), (2, "C", 9)])
def test_the_leader_isnt_told_of_trumps_left_out_after_a_knock_out(deal: int, trump: str, cards: int) -> None:
    state = in_deal(deal, form="individual", end="knock_out")._replace(out=(0, 0, 0, 1))
    state = GAME.apply(state, CHANCE, GAME.chance(state, Luck(random.Random(1)))).state
    assert state.turn is not None
    others = cards - sum(card[1] == trump for card in state.hands[state.turn])
    assert f" The others have {others} trumps." in FACE.prompt(at(state), seen(state, state.turn))


def test_the_prompt_says_who_is_to_play_and_the_trick_stays_in_sight() -> None:
    state, _events = play(hands_of(table(), a="KS2D", b="TS3D", c="3S4D", d="4S5D"), "KS TS 3S 4S 2D")
    one, public = at(state), seen(state)
    assert FACE.prompt(one, public) == "**Ben**: play a card."
    assert FACE.prompt(one, seen(state, A)) == "Waiting for **Ben**."
    (situation,) = FACE.situation(one, public)
    assert situation.replace(AS_TEXT, "").replace("\N{NO-BREAK SPACE}", " ").split("\n") == [
        "**Trick 2**: Ann 2♦",
        "Black tens: ♠ with Ann · ♣ to come",
        "-# Last trick: **Ann K♠ takes it** · Ben 10♠ · Cleo 3♠ · Dan 4♠",
    ]


def test_a_deal_is_settled_in_one_line_and_in_a_full_account() -> None:
    state, events = played(table(), Tricks([A] * 8 + [B] * 3, spade_ten=B, club_ten=A))
    one = at(state)
    assert FACE.say(one, settled(events)) == "**Deal 1**: Ann & Cleo +1 · Ben & Dan −7"
    (account,) = NO_EMOJIS.in_texts((FACE.settlement(one, seen(state)),), MAX_TEXT)
    assert account.replace(AS_TEXT, "").replace("\N{NO-BREAK SPACE}", " ").split("\n") == [
        "**Deal 1** · trumps ♥ hearts",
        "Ann & Cleo **+1** · 8 tricks · now 29 + 32 = **61** chips",
        "Ben & Dan **−7** · 3 tricks · now 25 + 28 = **53** chips",
        "-# Black tens: Ann 1, Ben 1",
        "-# Main pot: Ann & Cleo +8",
        "-# Side pot: 6 chips stay (the winners took a black ten)",
    ]


def test_finished_deals_are_listed_during_play_the_latest_first() -> None:
    state, _events = played(table(), Tricks([A] * 8 + [B] * 3, B, D))
    state, _events = played(state, Tricks([A] * 4 + [B] * 7, C, B))
    _chips, *deals = FACE.scores(at(state), seen(state))
    assert [deal.partition(" ·")[0] for deal in deals] == ["**Deal 2**", "**Deal 1**"]


def test_the_result_tells_the_biggest_pot_the_worst_ten_and_the_decisive_deal() -> None:
    state, _events = played(table(), Tricks([A] * 4 + [B] * 7, spade_ten=A, club_ten=C))
    state, _events = played(state, Tricks([A] * 8 + [B] * 3, spade_ten=A, club_ten=D))
    state, _events = played(state, Tricks([A] * 9 + [B] * 2, spade_ten=B, club_ten=D))
    ended = state._replace(deal=3, outcome=Outcome((0,) * 4, (1, 2, 1, 2), "deals"))
    final, told = FACE.result(at(ended), seen(ended))
    last, *rest = told.split("\n")
    assert last == "**Deal 3**: Ann & Cleo +16 · Ben & Dan −10"
    left = ended.chips.main + ended.chips.side
    assert FACE.ended_by(at(ended), seen(ended)) == (
        f"That was the last deal. The most chips win. Nobody won the last {left} chips in the pots."
    )
    assert final.startswith("1. **Ann & Cleo** · ")
    assert rest == [
        "Biggest pot: 12 chips to Ann & Cleo in deal 3.",
        "Most expensive black ten: it kept Ann & Cleo from a side pot of 6 chips in deal 2.",
        "Deal 3 decided it: Ann & Cleo made +16 and stayed ahead.",
    ]


def test_no_deal_decided_a_game_that_was_resigned() -> None:
    state, _events = played(table(), Tricks([A] * 8 + [B] * 3, B, D))
    state, _events = apply(state, CHANCE, GAME.chance(state, Luck(random.Random(1))))
    (*_, before) = FACE.result(at(state), seen(state._replace(outcome=Outcome((0,) * 4, (1, 2, 1, 2), "deals"))))
    assert "Ann & Cleo led from the first deal to the last." in before
    state, _events = apply(state, B, RESIGN)
    (*_, told) = FACE.result(at(state), seen(state))
    assert told.split("\n")[2].startswith("Biggest pot: ")
    assert "led from" not in told
    assert "decided it" not in told


def test_options_without_effect_are_not_shown() -> None:
    shown = {
        form: {
            key
            for key in ("form", "short", "tied_side_pot")
            if FACE.game.applies(key, FACE.game.settle({"form": form}))
        }
        for form in ("partnership", "individual", "classic")
    }
    assert shown == {
        "partnership": {"form", "short"},
        "individual": {"form", "tied_side_pot"},
        "classic": {"form"},
    }


def test_every_option_and_value_has_a_text() -> None:
    texts = FACE.option_texts()
    assert {key: set(text.values) for key, text in texts.items()} == {o.key: set(o.choices) for o in GAME.options}
