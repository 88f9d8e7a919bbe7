"""The texts of Pot Black: what a card would cost or win, and what deals brought."""

import random
import re
from dataclasses import replace

import pytest

from bot.games.game import CHANCE, RESIGN, Outcome
from bot.games.pot_black.moves import AntePaid, Chips, DealSettled
from bot.games.pot_black.state import Observation, State
from bot.records.table import Table
from bot.ui.posts.emojis import NO_EMOJIS
from bot.ui.posts.layout import MAX_TEXT
from cogs.pot_black.face import PotBlackFace
from tests.games.pot_black_deals import (
    FORMS,
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
    over,
    play,
    played,
    settled,
    table,
    with_chips,
)
from tests.pictures.drawn import draw_table
from tests.recorded import recorded, table_of

FACE = PotBlackFace()
AS_TEXT = "\ufe0e"
NAMES = ("Ann", "Ben", "Cleo", "Dan")


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
        ("10♠ · −3 for Ann", "It also keeps the other side from the side pot (3)."),
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
    assert ("K♦ · only trumps can beat it", "") in offered(state)
    knows = replace(seen(state, A), voids=("", "H", "", "H"))
    (choices,) = FACE.choices(at(state), knows)
    assert "K♦ · the highest left" in [each.label.replace(AS_TEXT, "") for each in choices.choices], "a partner trumps"


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
        "-# Antes: −4 for each side",
        "-# Black tens: Ann −3, Ben −3",
        "-# Main pot: Ann & Cleo +8",
        "-# Side pot: 6 chips stay (the winners took a black ten)",
    ]


def summed(text: str) -> int:
    """Return the sum of all signed numbers in a text."""
    return sum(int(number.replace("−", "-")) for number in re.findall(r"[+−]\d+", text))


@pytest.mark.parametrize("options", FORMS.values(), ids=FORMS)
def test_the_parts_of_a_deal_add_up_to_what_it_brought_a_side(options: dict[str, str | int]) -> None:
    checked = 0
    for moment in recorded("pot_black", options):
        if not any(isinstance(event, DealSettled) for event in moment.events[-4:]):
            continue
        for seat in range(moment.table.seats):
            observation = GAME.observe(moment.state, seat)
            if not observation.settled:
                continue
            deal = observation.settled[-1]
            of = observation.setup.sides
            own = [each for each in range(len(of)) if of[each] == of[seat]]
            gained, why = sum(deal.gains[each] for each in own), FACE.reasons(moment.table, observation)
            if line := next((line for line in why.split("\n") if " = " in line), ""):
                parts, _equals, result = line.replace("\N{NO-BREAK SPACE}", " ").partition(" = ")
                assert summed(parts) == gained == summed(result), line
            else:
                assert not gained or re.search(rf" {-gained} chips?\.", why.split("\n")[0]), "one payment alone"
            checked += 1
    assert checked


def test_a_side_short_of_chips_has_antes_and_black_tens_in_one_sum() -> None:
    state = with_chips(table(), (0, 30, 3, 30), main=57)
    state, _events = played(state, Tricks([A] * 4 + [B] * 7, A, C))
    one = at(state)
    account = FACE.settlement(one, seen(state)).replace("\N{NO-BREAK SPACE}", " ")
    assert "\n-# Antes and black tens: Ann & Cleo " in account
    assert "\n-# Black tens: Ann 1, Cleo 1\n" in account


def test_the_board_says_that_the_antes_of_a_new_deal_have_left_the_stacks() -> None:
    state, events = played(table(), Tricks([A] * 8 + [B] * 3, B, D))
    ante = next(event for event in events if isinstance(event, AntePaid))
    assert FACE.say(at(state), ante) == "**Deal 2**: antes paid (2 each), main pot 8"
    state, _events = apply(state, CHANCE, GAME.chance(state, Luck(random.Random(1))))
    stakes = FACE.prompt(at(state), seen(state, state.turn)).split("\n")[1]
    assert stakes == "Tricks 0–0 · pot 8 (antes paid) · side pot 0"


def test_antes_that_a_player_could_not_pay_in_full_are_named() -> None:
    short = AntePaid(3, 2, (2, 2, 1, 2), Chips((28, 28, 0, 56), 7, 0))
    said = FACE.say(at(table(form="individual")), short)
    assert said == "**Deal 3**: antes paid (2 each, but Cleo only 1), main pot 7"
    covered = AntePaid(3, 2, (4, 2, 0, 2), Chips((28, 28, 0, 56), 8, 0))
    assert FACE.say(at(table()), covered) == "**Deal 3**: antes paid (2 each), main pot 8"
    without = AntePaid(6, 19, (19, 19, 0, 19), Chips((1, 331, 0, 11), 57, 0))
    assert FACE.say(at(table(form="classic")), without) == "**Deal 6**: antes paid (19 each), pot 57"


@pytest.mark.parametrize(
    ("form", "stacks", "first"),
    [
        ("individual", (30, 30, 3, 57), "You paid your last 3 chips."),
        ("partnership", (0, 30, 3, 30), "Your side paid its last 3 chips."),
    ],
)
def test_black_tens_do_not_cost_more_than_there_was_to_pay(form: str, stacks: tuple[int, ...], first: str) -> None:
    state, events = played(with_chips(table(form=form), stacks), Tricks([B] * 8 + [A] * 3, C, C))
    deal = settled(events)
    gains = tuple(gain + 30 - had for gain, had in zip(deal.gains, stacks, strict=True))
    state = state._replace(settled=(replace(deal, gains=gains),))
    lines = FACE.reasons(at(state), seen(state, C)).replace("\N{NO-BREAK SPACE}", " ").split("\n")
    assert lines[0] == first
    assert "-# Antes and black tens −3" in lines


def test_players_who_are_out_read_that_on_their_hand() -> None:
    games = (recorded("pot_black", {"form": "classic"}, number) for number in range(9))
    state = next(moment.state for game in games for moment in game if any(moment.state.out) and moment.state.trick)
    for seat in range(4):
        prompt = FACE.prompt(at(state), seen(state, seat))
        assert prompt.endswith("\nYou have no chips left and are out.") == bool(state.out[seat])


def test_the_last_trick_of_a_deal_is_named_as_such_and_gone_with_the_next_card() -> None:
    state, _events = played(table(), Tricks([A] * 8 + [B] * 3, B, D))
    state, _events = apply(state, CHANCE, GAME.chance(state, Luck(random.Random(1))))
    trick, shown = state.last_trick, "Last trick of deal 1: "
    assert trick is not None
    drawn = {seat: draw_table(seen(state, seat), NAMES) for seat in (None, A, B)}
    for seat, picture in drawn.items():
        without = draw_table(replace(seen(state, seat), last_trick=None), NAMES)
        assert (picture.png, picture.alt) == (without.png, without.alt)
    one, public = at(state), seen(state)
    assert shown in FACE.situation(one, public)[0]
    assert shown in FACE.beside_picture(one, public)[0]
    assert FACE.news(one, seen(state, A), ())[0].startswith(shown)
    assert not FACE.payoff(one, seen(state, A))
    state = apply(state, state.turn, min(GAME.legal(state, public.order[0]), key=str))[0]
    public = seen(state)
    said = (*FACE.situation(one, public), *FACE.beside_picture(one, public), *FACE.news(one, seen(state, A), ()))
    assert "Last trick" not in "".join(said)


@pytest.mark.parametrize(
    ("form", "seat", "expected"),
    [
        ("partnership", A, "**You took 10♠: −3 for you**, and no side pot in this deal"),
        ("partnership", C, "**Ann took 10♠: −3 for your side**, and no side pot in this deal"),
        ("partnership", B, "**Ann took 10♠: −3 for the other side**, and no side pot in this deal"),
        ("individual", C, "**Ann took 10♠: −3 for Ann**, and no side pot in this deal"),
        ("classic", A, "**You took 10♠: −10 for you**"),
        ("classic", B, "**Ann took 10♠: −10 for Ann**"),
    ],
)
def test_a_black_ten_says_whom_it_costs(form: str, seat: int, expected: str) -> None:
    state, _events = play(hands_of(table(form=form), a="KS2D", b="TS3D", c="3S4D", d="4S5D"), "KS TS 3S 4S")
    assert FACE.payoff(at(state), seen(state, seat)).replace(AS_TEXT, "") == expected


@pytest.mark.parametrize(
    ("form", "chips", "seat", "expected"),
    [
        ("partnership", (1, 30, 30, 30), A, "**You took 10♠: −1 for you**, and no side pot in this deal"),
        ("partnership", (1, 30, 30, 30), C, "**Ann took 10♠: −3 for your side**, and no side pot in this deal"),
        ("partnership", (1, 30, 1, 30), B, "**Ann took 10♠: −2 for the other side**, and no side pot in this deal"),
        ("individual", (2, 30, 30, 30), B, "**Ann took 10♠: −2 for Ann**, and no side pot in this deal"),
        ("classic", (7, 100, 100, 100), A, "**You took 10♠: −7 for you**"),
    ],
)
def test_a_black_ten_costs_what_could_be_paid(form: str, chips: tuple[int, ...], seat: int, expected: str) -> None:
    state = with_chips(hands_of(table(form=form), a="KS2D", b="TS3D", c="3S4D", d="4S5D"), chips)
    state, _events = play(state, "KS TS 3S 4S")
    assert FACE.payoff(at(state), seen(state, seat)).replace(AS_TEXT, "") == expected
    why, _ruling = FACE.why(at(state), seen(state), ()) or ("", "")
    assert re.search(rf"10♠{AS_TEXT}? cost Ann {min(chips[0], 10)} chips?, and", why)


def test_a_side_pot_that_is_too_small_to_share_doesnt_stay_for_a_tie() -> None:
    state = with_chips(table(form="individual", end="deals", deals=5), (0, 0, 0, 2), main=117, side=1)
    state, _events = played(state, Tricks([A] * 4 + [B] * 4 + [C] * 3, A, B))
    account = FACE.settlement(at(state), seen(state))
    assert "chips stay (tie)" in account
    assert "Side pot: 1 chip stays (too few to share)" in account


def test_a_card_that_costs_an_opponent_in_the_individual_form_names_them() -> None:
    state = hands_of(table(form="individual"), a="JS2D", b="8S3D", c="9S4D", d="QSTS5S5D")
    state, _events = play(state, "JS 8S 9S")
    assert ("10♠ · −3 for Ann", "It also keeps Ann from the side pot (3).") in offered(state)


def test_partners_read_what_a_deal_brought_their_side() -> None:
    state, _events = played(table(), Tricks([A] * 8 + [B] * 3, B, A))
    firsts = [FACE.reasons(at(state), seen(state, seat)).split("\n")[0] for seat in (C, D)]
    assert firsts == [
        "A black ten kept your side from the side pot of 6 chips.",
        "The others won your antes: 4 chips.",
    ]


@pytest.mark.parametrize(
    ("tricks", "form", "expected"),
    [
        (
            Tricks([A] * 4 + [B] * 7, A, C),
            "partnership",
            "Last deal: Ben & Dan won both pots (8 + 6), 7 tricks to 4.",
        ),
        (
            Tricks([A] * 4 + [B] * 7, A, B),
            "partnership",
            ("Last deal: Ben & Dan won the main pot (8), 7 tricks to 4. A black ten kept them from the last 6 chips."),
        ),
        (
            Tricks([A] * 6 + [B] * 6, A, A, together=True),
            "partnership",
            "The last deal was a tie. Nobody won the last 14 chips in the pots.",
        ),
        (Tricks([A] * 6 + [B] * 5, A, C), "individual", "Last deal: Ann won the main pot (8) with 6 tricks."),
    ],
)
def test_the_end_says_how_the_last_deal_went(tricks: Tricks, form: str, expected: str) -> None:
    end = {"end": "deals"} if form == "individual" else {}
    state, _events = played(in_deal(5, form=form, deals=5, **end), tricks)
    assert over(state).reason == "deals"
    assert FACE.ended_in_full(at(state), seen(state)) == expected
    assert " · tricks " not in "\n".join(FACE.scores(at(state), seen(state))[:1])


def test_why_after_a_deal_says_everything_once() -> None:
    state, _events = played(table(), Tricks([A] * 8 + [B] * 3, B, D))
    state, _events = apply(state, CHANCE, GAME.chance(state, Luck(random.Random(1))))
    said, ruling = FACE.why(at(state), seen(state, A), ()) or ("", "")
    assert ruling == "BK-10"
    assert said.startswith("The pots brought your side 14 chips.\n**Deal 1**")
    assert [said.count(part) for part in ("Black tens", "Main pot", "Side pot", "tricks")] == [1, 1, 1, 2]


@pytest.mark.parametrize(("counted", "form"), [([A] * 8 + [B] * 3, "individual"), ([A] * 4 + [B] * 4, "classic")])
def test_why_after_a_deal_names_no_ruling_on_partners_without_partners(counted: list[int], form: str) -> None:
    state, _events = played(table(form=form), Tricks([*counted, *[C] * (11 - len(counted))], B, D))
    state, _events = apply(state, CHANCE, GAME.chance(state, Luck(random.Random(1))))
    assert (FACE.why(at(state), seen(state, A), ()) or ("", ""))[1] == "BK-20"


def test_finished_deals_are_listed_during_play_the_latest_first() -> None:
    state, _events = played(table(), Tricks([A] * 8 + [B] * 3, B, D))
    state, _events = played(state, Tricks([A] * 4 + [B] * 7, C, B))
    _chips, *deals = FACE.scores(at(state), seen(state))
    assert [deal.partition(" ·")[0] for deal in deals] == ["**Deal 2**", "**Deal 1**"]


def test_the_result_tells_the_biggest_pot_the_worst_ten_and_who_went_ahead() -> None:
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
        "Deal 3 put Ann & Cleo ahead for good (+16).",
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
    assert "ahead for good" not in told
    assert not FACE.decided(at(state), seen(state))


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
