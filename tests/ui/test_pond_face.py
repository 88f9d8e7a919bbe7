"""Boards and hands of Pond · cards.

Seat 0 (Ann) has poison ♣ and profit A 2 3 4, seat 1 (Ben) has poison ♦.
"""

import random
import re
from typing import Final

import pytest
from msgspec.structs import replace

from bot.games.cards import Card
from bot.games.game import RESIGN, Seat
from bot.games.pond.moves import RoundScored
from bot.games.pond.scoring import CardClass, RoundScore, Tally, tally as tally_of
from bot.games.pond.state import Observation, State
from bot.pictures import plates
from bot.records.preference import UserSettings
from bot.tables.tables import Sight
from bot.texts import number
from bot.ui.messages.board import board as board_post
from bot.ui.messages.hand import hand as hand_post
from bot.ui.posts.emojis import NO_EMOJIS
from bot.ui.posts.layout import MAX_TEXT
from bot.ui.posts.post import Post
from bot.ui.posts.text import signed
from cogs.pond import picture
from cogs.pond.face import PondFace
from cogs.pond.scores import pile_in_full
from tests.games.pond_table import EAST, POND, WEST, after, cards, dealt, play_on, start
from tests.posts import paragraphs_of
from tests.recorded import recorded, table_of

FACE: Final = PondFace()
TABLE: Final = table_of(POND, POND.settle({}), 1)
ANN, BEN = (sitter.name for sitter in TABLE.sitters)
_LINK: Final = "[Open board](https://discord.com/channels/1/2/3)"
_TEXT: Final = "\N{VARIATION SELECTOR-15}"


def dealt_out() -> State:
    """Return a table where both players choose their profit."""
    deal = "/".join("+".join(hand) for hand in (EAST, WEST))
    return after(start(), "- dealer 0", "- poison 2C/3D", f"- deal {deal}")


def baiting() -> State:
    return after(dealt_out(), "0 profit 2H", "1 profit 5D")


def seen(state: State, seat: Seat | None = None) -> Observation:
    return POND.observe(state, seat)


def prompt(state: State, seat: Seat | None = None) -> str:
    return FACE.prompt(TABLE, seen(state, seat))


def board(state: State) -> str:
    return "\n".join(FACE.situation(TABLE, seen(state))).replace(_TEXT, "").replace("\xa0", " ")


def hand(state: State, seat: Seat) -> str:
    """Return the table and the hand as the seat sees them."""
    observation = seen(state, seat)
    return (
        "\n".join((*FACE.situation(TABLE, observation), *FACE.hand(TABLE, observation)))
        .replace(_TEXT, "")
        .replace("\xa0", " ")
    )


def offered(state: State, seat: Seat) -> dict[str, str]:
    """Return each option of the menus: its label and hint by its move."""
    every = (c for group in FACE.choices(TABLE, seen(state, seat)) for c in group.choices)
    return {choice.move: f"{choice.label} | {choice.hint}".replace(_TEXT, "") for choice in every}


def test_a_prompt_says_who_decides_what_and_to_the_player_what_for() -> None:
    choosing = dealt_out()
    assert prompt(choosing) == f"**{ANN}** and **{BEN}**: set a card aside."
    assert prompt(choosing, 0).startswith("Set a card aside: its profit ranks score +15 for you.")
    chosen = after(choosing, "0 profit 2H")
    assert prompt(chosen, 0) == f"Waiting for **{BEN}**: set a card aside."
    baited = after(baiting(), "0 bait 5C", "1 bait AH")
    assert prompt(baited) == f"**{ANN}**: trap or no trap?"
    assert prompt(baited, 1) == f"Waiting for **{ANN}**: trap or no trap?"
    assert "Everyone else must too." in prompt(baited, 0)
    assert prompt(after(baited, "0 trap 6C"), 1) == f"{ANN} laid a trap. Lay one too: any card, face down."


def test_a_profit_says_how_many_of_its_cards_are_in_hand() -> None:
    options = offered(dealt_out(), 0)
    assert next(iter(options)) == "profit AS"
    assert options["profit 2H"] == "2♥ · profit A 2 3 4 | 4 others in hand"
    assert options["profit 8S"] == "8♠ · profit 8 9 10 | 2 others in hand · trump"
    poisoned = offered(dealt_out(), 1)
    assert poisoned["profit 6D"] == "6♦ · profit 4 5 6 7 | 3 others in hand (2 are poison) · this card is poison"


def test_the_first_choice_of_a_profit_says_which_cards_the_menu_lacks_and_why() -> None:
    state = dealt_out()
    for seat in (0, 1):
        (menu,) = FACE.choices(TABLE, seen(state, seat))
        lacking = {*seen(state, seat).hand} - {choice.move.removeprefix("profit ") for choice in menu.choices}
        assert lacking == {card for card in seen(state, seat).hand if card[0] in "4JQK"} != set()
        assert menu.prompt.endswith("(no 4 J Q K)")
        assert prompt(state, seat).endswith("\n-# A 4 has two groups, J Q K none.")
    assert "two groups" not in prompt(after(state, "0 profit 2H"), 0)


def test_four_players_learn_that_there_are_two_packs() -> None:
    moment = recorded("pond", {"players": 4})[0]
    assert moment.state.phase == "profit"
    assert "-# Two packs: each card comes twice." in FACE.prompt(moment.table, seen(moment.state, 0))
    assert "not in play (of two packs): " in "\n".join(FACE.standings(moment.table, seen(moment.state)))


def test_a_card_says_its_worth_to_the_player_and_to_opponents_it_poisons() -> None:
    options = offered(baiting(), 0)
    assert options["bait KD"] == f"K♦ · +10 for you, −25 for {BEN} | "
    assert options["bait 3H"] == "3♥ · +15 for you | profit"
    assert options["bait 5C"] == "5♣ · −25 for you | "
    assert options["bait 9S"] == "9♠ · +5 for you | trump"
    suits = [label.partition(" ")[0][-1] for label in options.values()]
    assert suits == sorted(suits, key="♠♥♦♣".index)


def test_a_card_says_whether_it_takes_the_trick() -> None:
    state = after(baiting(), "0 bait 5C", "1 bait AH", "0 pass", "0 play KD")
    options = offered(state, 1)
    assert options["play QS"] == "Q♠ · +10 for you | takes the trick: +1 in all · trump"
    assert options["play KH"] == "K♥ · +10 for you | ties with K♦"
    assert options["play 3S"] == f"3♠ · {ANN} takes it | loses to K♦ · anti-trump"


def test_a_card_that_takes_the_trick_counts_what_is_known_and_mentions_other_traps() -> None:
    trapped = after(baiting(), "0 bait 5C", "1 bait AH", "0 trap 6C", "1 trap 7D", "0 play KD")
    assert offered(trapped, 1)["play QS"] == "Q♠ · +10 for you | takes the trick: −24 plus a trap · trump"


def test_a_card_that_is_beaten_already_brings_its_player_nothing() -> None:
    beaten = 0
    for moment in recorded("pond", {"players": 4}):
        for seat in POND.to_act(moment.state):
            observation = seen(moment.state, seat)
            if observation.phase != "play":
                continue
            choices = (choice for group in FACE.choices(moment.table, observation) for choice in group.choices)
            for choice in choices:
                if "loses to" in choice.hint:
                    beaten += 1
                    assert "for you" not in choice.label
    assert beaten > 20


def test_a_card_that_loses_the_trick_says_what_it_means_to_its_taker() -> None:
    options = offered(after(baiting(), "0 bait 5C", "1 bait AH", "0 pass", "0 play 9S"), 1)
    assert options["play KC"] == f"K♣ · −25 for {ANN} | loses to 9♠"
    assert options["play 6D"] == f"6♦ · {ANN} takes it | loses to 9♠"


def test_a_long_name_leaves_room_for_the_points() -> None:
    table = replace(TABLE, sitters=tuple(replace(sitter, name="W" * 24) for sitter in TABLE.sitters))
    labels = [c.label for group in FACE.choices(table, seen(baiting(), 0)) for c in group.choices]
    assert max(map(len, labels)) <= 38
    assert any("−25 for them" in label for label in labels)


def test_cards_turned_for_poison_are_listed_beside_the_picture() -> None:
    observation = seen(baiting(), 0)
    turned = [card for cards in observation.turned for card in cards]
    last_line = "\n".join(FACE.beside_picture(TABLE, observation)).splitlines()[-1]
    assert last_line.startswith("-# Out of play: ")
    assert sum(last_line.count(symbol) for symbol in "♠♥♦♣") == len(turned) > 1


def test_whoever_sets_a_card_aside_sees_the_cards_out_of_play() -> None:
    """That also holds where the reasons for the score of the round before have little room."""
    shown = 0
    for moment in recorded("pond", {"players": 2}):
        if moment.state.phase != "profit":
            continue
        for seat in POND.to_act(moment.state):
            sight = Sight(moment.table, seen(moment.state, seat), moment.events)
            assert "Out of play: " in "\n".join(paragraphs_of(hand_post(FACE, sight, _LINK, UserSettings())))
            shown += moment.state.rounds != ()
    assert shown


def test_a_picture_names_the_profit_so_that_words_may_give_way(monkeypatch: pytest.MonkeyPatch) -> None:
    texts: list[str] = []

    def noted(_canvas: object, _box: object, sprite: str, text: str, *_ink: object) -> None:
        texts.append(f"{sprite} {text}")

    monkeypatch.setattr(plates, "badge", noted)  # in the picture, it is only pixels
    picture.draw(seen(baiting(), 0), (ANN, BEN))
    assert "profit A 2 3 4" in texts


def test_the_tip_about_trumps_that_were_turned_is_given_if_there_are_any() -> None:
    taken = after(baiting(), "0 bait 5C", "1 bait AH", "0 pass", "0 play KD", "1 play 3S")
    tips = {
        turned: FACE.tip(seen(taken._replace(turned=(cards(turned), cards("3D"))), 0))
        for turned in ("2C", "7S2C", "8S2C", "ASQC")
    }
    assert tips == {"2C": None, "7S2C": None, "8S2C": 5, "ASQC": 5}


def test_a_hand_says_what_the_pond_is_worth_without_hidden_traps() -> None:
    trapped = after(baiting(), "0 bait KD", "1 bait AH", "0 trap 6C")
    assert f"For you: **0** · 1 poison for {BEN}" in hand(trapped, 0)
    assert "For you: **−24**\n" in hand(trapped, 1)
    assert "your trap 6♣" in hand(trapped, 0)
    assert "6♣" not in hand(trapped, 1)
    assert "1 trap face down" in board(trapped)
    assert "hidden trap" not in hand(trapped, 1)
    both = after(trapped, "1 trap KH")
    assert all("· 1 hidden trap\n" in hand(both, seat) for seat in (0, 1))
    assert "hidden trap" not in board(both)


def test_the_last_trick_stays_on_the_board_until_the_next_is_complete() -> None:
    state = after(baiting(), "0 bait 5C", "1 bait AH", "0 pass", "0 play KD", "1 play 3S")
    last = f"**{ANN} took 4 cards, 1 of them poison (−25)**\n-# Last trick: {ANN} K♦ · {BEN} 3♠"
    for entry in ("0 bait 6C", "1 bait KH", "0 pass", "0 play QD"):
        state = after(state, entry)
        assert last in board(state)
        said = [FACE.news(TABLE, seen(state, seat), ()) for seat in (0, 1)]
        assert all(news[-1].replace(_TEXT, "").replace("\xa0", " ") in last for news in said)
    state = after(state, "1 play QS")
    assert f"**{BEN} took 4 cards, 1 of them poison (−25)**\n-# Last trick: {ANN} Q♦ · {BEN} Q♠" in board(state)
    assert payoff(state, 1) == "**You took +10**"


def test_a_trick_of_the_round_before_is_named_as_such_until_the_first_bait() -> None:
    """Afterwards, it is no news any more."""
    told = 0
    for moment in recorded("pond", {"players": 2}):
        state = moment.state
        if state.taken or state.last_trick is None or state.outcome is not None:
            continue
        for seat in (None, 0, 1):
            sight = Sight(moment.table, seen(state, seat), moment.events)
            words = [*FACE.situation(moment.table, seen(state, seat)), payoff(state, seat)]
            words += FACE.news(moment.table, seen(state, seat), ())
            words += [each for post in posts_of(sight) for each in paragraphs_of(post)]
            said = "\n".join(words)
            assert "Last trick: " not in said
            assert not state.baits or "ast trick" not in said
            assert not state.baits or payoff(state, seat) == ""
        named = FACE.news(moment.table, seen(state), ())
        assert [line.partition(": ")[0] for line in named] == [f"Last trick of round {state.round}"] * (not state.baits)
        assert state.baits or payoff(state, 0).startswith(f"Round {state.round}, last trick: **")
        told += bool(state.baits)
    assert told


def posts_of(sight: Sight) -> list[Post]:
    """Return the board of the public or the hands of a seat, with a picture and in words."""
    if sight.observation.seat is None:
        return [board_post(FACE, sight, with_picture=is_picture) for is_picture in (False, True)]
    return [hand_post(FACE, sight, "", UserSettings(hands=hands)) for hands in ("text", "pictures")]


def test_the_board_of_a_game_that_is_over_has_its_scores() -> None:
    over = play_on(dealt(2, 5), random.Random(5))
    words = "\n".join(FACE.describe(TABLE, seen(over)))
    for seat, name in enumerate((ANN, BEN)):
        assert f"**{name} {number(over.totals[seat])}**" in words
    assert "secretly" not in words


def payoff(state: State, seat: Seat | None) -> str:
    return FACE.payoff(TABLE, seen(state, seat)).replace(_TEXT, "")


def test_the_taker_of_a_trap_and_its_layer_learn_what_it_was_worth() -> None:
    trapped = after(baiting(), "0 bait 2S", "1 bait AH", "0 trap 6C", "1 trap QC", "0 play KD", "1 play 3S")
    assert payoff(trapped, 0) == f"**You took +30**, and {BEN}'s trap Q♣ cost 25: **+5 in all**"
    assert payoff(trapped, 1) == f"**{ANN} took your Q♣: −25 for them**"
    assert payoff(trapped, None) == f"**{ANN} took 4 cards face up**, and 2 traps"


def test_a_count_of_poison_is_one_of_the_cards_that_all_have_seen() -> None:
    trapped = after(baiting(), "0 bait 5C", "1 bait AH", "0 trap 6C", "1 trap QC", "0 play KD", "1 play 3S")
    assert payoff(trapped, None) == f"**{ANN} took 4 cards face up, 1 of them poison (−25)**, and 2 traps"
    assert payoff(trapped, 1) == f"**{ANN} took your Q♣ and 1 more poison card: −50 for them**"
    untrapped = after(baiting(), "0 bait 5C", "1 bait AH", "0 pass", "0 play KD", "1 play 3S")
    assert payoff(untrapped, None) == f"**{ANN} took 4 cards, 1 of them poison (−25)**"


def test_a_trap_that_costs_nothing_is_named_to_its_taker() -> None:
    trapped = after(baiting(), "0 bait 2S", "1 bait AH", "0 trap 6C", "1 trap KS", "0 play KD", "1 play 3S")
    assert payoff(trapped, 0) == f"**You took +40**, with {BEN}'s trap K♠ (+10)"
    assert payoff(trapped, 1) == f"**{ANN} took 4 cards face up**, and 2 traps"


@pytest.mark.parametrize("players", [2, 4])
def test_what_a_trick_brought_is_what_its_taker_scores(players: int) -> None:
    """In whole games the sums of the payoffs are the points of the rounds."""
    table = table_of(POND, POND.settle({"players": players}), 1)
    sums, rounds, last = [0] * players, 0, None
    for moment in recorded("pond", {"players": players}):
        state = moment.state
        if state.last_trick is last:
            continue
        last, taker = state.last_trick, state.last_trick.taker
        said = FACE.payoff(table, seen(state, taker)).replace("−", "-")
        in_all = re.search(r"([+-]?\d+) in all", said) or re.search(r"You took ([+-]?\d+)", said)
        assert in_all is not None
        sums[taker] += int(in_all[1])
        if len(state.rounds) > rounds:
            rounds += 1
            assert sums == [tally.points for tally in state.rounds[-1].tallies]
            sums = [0] * players
    assert rounds == POND.settle({})["rounds"]


def test_a_pile_is_listed_by_what_its_cards_count_as() -> None:
    state = after(baiting(), "0 bait 5C", "1 bait AH", "0 pass", "0 play KD", "1 play 3S")
    assert pile_in_full(seen(state, 1)) == "You haven't taken any cards yet this round."
    (text,) = NO_EMOJIS.in_texts((pile_in_full(seen(state, 0)),), MAX_TEXT)
    assert text.replace(_TEXT, "").replace("\N{NO-BREAK SPACE}", " ").splitlines() == [
        "4 cards, worth **+15** so far",
        "Poison ♣ −25: 5♣",
        "Profit A 2 3 4 +30: 3♠ A♥",
        "J Q K +10: K♦",
    ]


@pytest.mark.parametrize("seed", range(12))
def test_the_sentences_about_a_game_are_true(seed: int) -> None:
    players = 2 + 2 * (seed % 2)
    table = table_of(POND, POND.settle({"players": players}), 1)
    over = play_on(dealt(players, seed), random.Random(seed))
    told = FACE.result(table, seen(over))[1]
    tallies = [(n, seat, each) for n, score in enumerate(over.rounds, 1) for seat, each in enumerate(score.tallies)]
    for kind, start_of in ((CardClass.PROFIT, "Biggest catch: "), (CardClass.POISON, "Worst poison: ")):
        counts = {(n, seat): len(line.cards) for n, seat, each in tallies for line in each.lines if line.kind is kind}
        most = max(counts.values())
        sentence = told.partition(start_of)[2].partition("\n")[0]
        true = [f"{table.sitters[seat].name} in round {n}" for (n, seat), count in counts.items() if count == most]
        if len(true) > 1:
            assert not sentence
        else:
            assert sentence.startswith(f"{most} ")
            assert sentence.endswith(f" {true[0]}.")
    leads = [score.points[0] - score.points[1] for score in over.rounds]
    sums = [sum(leads[: n + 1]) for n in range(len(leads))]
    if sums[-1]:
        ahead = [total * sums[-1] > 0 for total in sums]
        first = max((n for n, is_ahead in enumerate(ahead, 1) if not is_ahead), default=0)
        assert (f"Turning point: round {first + 1} put" if first else "led from the first round") in told


def test_without_a_card_of_a_kind_no_round_had_the_most_of_it() -> None:
    tallies = (tally_of(cards("3H"), "C", Card("2H"), ()), tally_of((), "D", Card("5D"), ()))
    assert facts(*tallies) == [f"Biggest catch: 1 profit card (+15) by {ANN} in round 1."]
    assert facts(tallies[1], tallies[1]) == []


def test_of_players_with_as_many_cards_nobody_has_the_most() -> None:
    tallies = (tally_of(cards("3H5C6C"), "C", Card("2H"), ()), tally_of(cards("4C5D"), "D", Card("5D"), ()))
    assert facts(*tallies) == [f"Worst poison: 2 cards (−50) for {ANN} in round 1."]


def facts(*tallies: Tally) -> list[str]:
    """Return what is said of a game in which a round was scored like this before a resignation."""
    score = RoundScore(0, tallies, tuple(each.points for each in tallies))
    resigned = POND.apply(dealt_out()._replace(rounds=(score,)), 1, RESIGN)
    return list(FACE.result(TABLE, seen(resigned.state))[1:])


def test_a_scored_round_names_what_made_the_difference_and_the_sides_of_partners() -> None:
    table = table_of(POND, POND.settle({"players": 4}), 1)
    over = play_on(dealt(4, 5), random.Random(5))
    score = over.rounds[-1]
    text = FACE.settlement(table, seen(over))
    lines = text.splitlines()
    assert lines[0] == "**Round 4 scored**"
    for seat, tally in enumerate(score.tallies):
        counted = lines[1 + seat].partition(": ")[2]
        assert lines[1 + seat].startswith(f"{table.sitters[seat].name} **{signed(tally.points)}**: ")
        assert len(counted.split(" · ")) == max(1, sum(bool(line.cards) for line in tally.lines))
    assert lines[5] == f"**Together**: Ann & Cleo {signed(score.points[0])} · Ben & Dan {signed(score.points[1])}"
    assert FACE.say(table, RoundScored(3, score, over.totals)) == lines[5].replace("Together", "Round 4")


def test_every_option_and_value_has_a_text() -> None:
    texts = FACE.option_texts()
    assert {key: set(text.values) for key, text in texts.items()} == {
        option.key: set(option.choices) for option in POND.options
    }
