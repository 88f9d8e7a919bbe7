"""Boards and hands of Pontis. Ann, Ben, Cleo and Dan sit in seats 0 to 3."""

import dataclasses
from collections.abc import Sequence
from typing import Final

import pytest
from msgspec.structs import replace

from bot.games.game import Event, Seat, Value
from bot.games.pontis.moves import GameScored, SumAbility
from bot.games.pontis.state import State
from bot.records.preference import UserSettings
from bot.tables.tables import Sight
from bot.texts import languages, using
from bot.ui.messages.hand import hand
from bot.ui.posts.text import held_together
from tests.games.pontis_table import PONTIS, play, position, step_of
from tests.posts import paragraphs_of
from tests.recorded import Moment, recorded
from tests.ui.pontis_texts import ANN, BEN, CLEO, DAN, FACE, prompt, read, table_for

CLEO_SEAT: Final = 2


def board(state: State, seat: Seat | None = None) -> str:
    table, observation = table_for(state), PONTIS.observe(state, seat)
    return read(*FACE.situation(table, observation), *FACE.standings(table, observation))


def offered(state: State) -> dict[str, str]:
    """Return the options of the seat on turn: label and hint by move."""
    groups = FACE.choices(table_for(state), PONTIS.observe(state, state.on_turn))
    return {c.move: read(f"{c.label} | {c.hint}".removesuffix(" | ")) for group in groups for c in group.choices}


def said(state: State, move: str) -> list[str]:
    """Return what is said about a move."""
    table = table_for(state)
    return [read(line) for event in step_of(state, move).events if (line := FACE.say(table, event))]


def final(*moves: str, state: State) -> str:
    over = play(state, *moves)
    return read(*FACE.result(table_for(over), PONTIS.observe(over, None)))


# ---- what each bridge is worth


def test_an_option_says_its_points_and_what_it_asks_of_the_next_player() -> None:
    state = position("4D/9S/KC", "2H3H/5H5D8C/7C9C", slot=1)
    assert offered(state) == {
        "play 5H": f"5♥ · +1 point | then {CLEO} needs 8",
        "play 5D": f"5♦ · +2 points | +1 for matching ♦ · then {CLEO} needs 8",
    }


def test_an_option_says_if_the_next_player_is_known_to_lack_the_card() -> None:
    state = position("4D/9S/KC", "2H3H/5H5C8C/7C9C", slot=1)._replace(missed=((), (), ((8,),)))
    assert offered(state)["play 5H"].endswith(f"then {CLEO} needs 8, but has none (missed before)")
    fakes = position("4D/9S/KC", "2H3H/5H5C8C/7C9C", slot=1, fake="on")._replace(missed=((), (), ((8,),)))
    assert offered(fakes)["play 5H"].endswith(f"then {CLEO} needs 8, and has missed that")


def test_a_pair_shows_its_sum_and_the_card_on_top() -> None:
    able = position("4D/9S/KC", "2H3H/2C3D9H/7C9C", slot=1)._replace(idle=3)
    assert offered(able) == {
        "sum 3D 2C": f"3♦, then 2♣ on top · +2 points | 3 + 2 = 5 · then {CLEO} needs 11",
        "sum 2C 3D": f"2♣, then 3♦ on top · +3 points | 2 + 3 = 5 · +1 for ♦ on top · then {CLEO} needs 10",
    }
    assert list(offered(able)) == ["sum 2C 3D", "sum 3D 2C"], "the better one first"
    assert "With ♦ on top, it scores 1 more." in prompt(able, 1)


def test_a_last_card_includes_the_points_for_going_out_if_they_count() -> None:
    for bonus, points in (("always", 5), ("match", 1)):
        state = position("4D/9S/KC", "2H3H/5H/7C9C", slot=1, out_bonus=bonus)
        plural = "s" * (points > 1)
        assert offered(state) == {"play 5H": f"Play 5♥ · +{points} point{plural}"}


def test_a_curdle_says_what_it_means_before_it_is_made() -> None:
    three = position("6D/QS/6H", "2H3H/6C6S8C/7C9C", slot=1)
    assert offered(three)["play 6C"].endswith(f"a curdle (same values): {CLEO} can't play")
    aces = position("6D/7S/AH", "2H3H/ACAD8C/7C9C", slot=1)
    assert offered(aces)["play AC"].endswith(f"a curdle (same values): {CLEO} needs a king")
    two = position("QS/6D", "6H6C8C/3H4C")
    assert offered(two)["play 6H"].endswith(f"a curdle: {BEN} misses and you may play a pair")
    instant = position("QS/6D", "6H6C8C/3H4C", curdle="instant")
    assert offered(instant)["play 6H"].endswith("a complete curdle, which ends the game")


def test_a_curdle_says_that_values_are_the_same_once_it_is_made() -> None:
    state = position("6D/7S/AH", "2H3H/ACAD8C/KC9C", slot=1)
    step = step_of(state, "play AC")
    news = FACE.news(table_for(state), PONTIS.observe(step.state, 1), step.events)
    assert read(news[0]).startswith("You A♣ · curdle: same values")
    assert "A curdle: two top cards of the same value." in said(state, "play AC")


def test_there_are_no_news_without_events() -> None:
    """An undo may leave none of those that the hand of a finished game would tell."""
    state = position("QS/6D", "6H6C8C/3H4C")
    assert list(FACE.news(table_for(state), PONTIS.observe(state, 1), ())) == []


def test_the_news_say_whose_the_sum_ability_is() -> None:
    state = position("9C/5C/KC", "2S6S8S/4H2HJHKD/THJS", slot=1)
    step = step_of(state, "play 4H")
    table = table_for(state)

    def last(seat: Seat, events: Sequence[Event]) -> str:
        return read(FACE.news(table, PONTIS.observe(step.state, seat), events)[-1]).rpartition("no 5 · ")[2]

    first = next(at for at, event in enumerate(step.events) if isinstance(event, SumAbility))
    assert last(0, step.events[: first + 1]) == f"{CLEO} may play a pair"
    assert last(2, step.events[: first + 1]) == "you may play a pair"
    assert last(0, step.events) == f"{CLEO} may play a pair · then you may"


def test_a_hand_names_the_play_that_skips_followed() -> None:
    """Skips are no turn of their own, so they don't hide what others played."""
    state = position("9C/5C/KC", "2S6S8S/4H2HJHKD/THJS", slot=1)
    step = step_of(state, "play 4H")
    news = FACE.news(table_for(state), PONTIS.observe(step.state, 2), step.events)
    assert read(*news).startswith(f"{BEN} 4♥ · You: no 9 · {ANN}: no 4 · {BEN}: no 5 · you may play a pair")


def test_a_turn_has_one_line_for_the_play_and_one_for_all_skips() -> None:
    state = position("9C/5C/KC", "2S6S8S/4H2HJHKD/THJS", slot=1)
    step = step_of(state, "play 4H")
    lines = FACE.say_turn(table_for(state), PONTIS.observe(step.state, None), step.events)
    assert read(*lines).splitlines()[0] == f"{BEN} plays 4♥: 9 − 5 = 4"
    assert read(*lines[1:]).startswith(f"-# {CLEO}: no 9 · {ANN}: no 4 · {BEN}: no 5 · {CLEO} may play a pair")
    assert len(lines) == 2


# ---- the board


def test_the_banks_show_tops_counts_and_suit_points_in_turn_order() -> None:
    state = position("7H4D/9S/KC", "2H3H/5H8C/7C9CQC", slot=1)._replace(suit_points=(2, 0, 0))
    assert board(state).splitlines() == [
        "Banks (turn order ↓)",
        "-# top · points: cards + suit points · hand",
        f"4♦ {ANN} · 4 = 2 + 2 · 2 left",
        f"→ 9♠ {BEN} · 1 = 1 + 0 · 2 left",
        f"K♣ {CLEO} · 1 = 1 + 0 · 3 left",
    ]
    assert "→ 9♠ You" in board(state, 1)


def test_shared_banks_name_all_their_players_and_count_for_each() -> None:
    options: dict[str, Value] = {"players": 4, "banks": 2}
    moments = recorded("pontis", options)
    text = board(moments[-2].state)
    assert f"{ANN} & {CLEO} · " in text
    assert f"{BEN} & {DAN} · " in text
    assert "Cards + suit points (hand): " in text
    teams = recorded("pontis", {**options, "teams": "on"})[-2]
    assert "In hand: " in board(teams.state)


@pytest.mark.parametrize(("teams", "shown"), [("off", "Cards + suit points (hand): "), ("on", "In hand: ")])
def test_a_hand_in_text_has_the_points_of_shared_banks_too(teams: str, shown: str) -> None:
    options: dict[str, Value] = {"players": 4, "banks": 2, "teams": teams}
    moment = recorded("pontis", options)[-2]
    for seat in range(4):
        sight = Sight(moment.table, PONTIS.observe(moment.state, seat), moment.events)
        text = "\n".join(paragraphs_of(hand(FACE, sight, "", UserSettings(hands="text"))))
        assert text.count(shown) == 1


def test_several_banks_of_a_player_are_in_one_line() -> None:
    two = position("7H/4D/9S/KC", "2H3H/5H8C", slot=1)
    assert f"7♥ → 4♦ {ANN} · 2 = 2 + 0 · 2 left\n9♠ K♣ {BEN} · 2 = 2 + 0 · 2 left" in board(two)
    three = position("7H/4D/9S/KC/5C/6S", "2H3H/5H8C", slot=1)
    assert f"{ANN} · 3 = 3 + 0 · 2 left\n7♥ → 4♦ 9♠\n{BEN} · 3 = 3 + 0 · 2 left\nK♣ 5♣ 6♠" in board(three)


def test_the_board_says_who_loses_points_if_nobody_can_play() -> None:
    state = position("4D/9S/KC", "2H3H/5H8C/7C9C", slot=1)._replace(idle=1)
    assert f"{ANN} loses 2 points if nobody can play." in board(state)
    assert "You lose 2 points if nobody can play." in board(state, 0)
    assert f"{BEN} loses 2 points if nobody can play." in board(state._replace(idle=3))


def test_the_board_mentions_that_loss_only_if_few_cards_are_left() -> None:
    state = position("4D/9S/KC", "2H3H4H5H6H/5S8C9H0/7C9CJCQCKC".replace("0", "TH"), slot=1)._replace(idle=1)
    assert "if nobody can play" in board(state._replace(hands=tuple(hand[:3] for hand in state.hands)))
    assert "if nobody can play" not in board(state)


def test_all_liar_calls_look_and_behave_alike() -> None:
    """Whether the player has missed at all, missed something else or lies: the others have to remember it (PT-25)."""
    start = position("4D/9S/KC", "2H3H/5H8C/4S7C9C", slot=1, fake="on", liar="on")
    shown = set()
    for missed in ((), ((7,),), ((5,),)):
        after = play(start._replace(missed=((), missed, ())), "play 5H")
        for seat in (0, 2):
            table, observation = table_for(after), PONTIS.observe(after, seat)
            described = read(*FACE.describe(table, observation), *FACE.beside_picture(table, observation))
            shown.add((seat, FACE.choices(table, observation), board(after, seat), described))
    assert len(shown) == 2
    assert f"Liar? {BEN} played 5♥. Right +2, wrong −2." in board(after)


def test_a_wrong_call_costs_points_at_once() -> None:
    state = position("5C/TH", "5D2S3S/2D3H", fake="on", liar="on", players=2)
    state = play(state, "play 5D", "miss", "miss")
    assert f"Liar? {ANN} played 5♦." in board(state)
    assert play(state, "1: liar 0").calls == (0, -2)


def test_calls_are_among_the_points_beside_a_picture() -> None:
    honest = position("4D/9S/KC", "2H3H/5H8C/7C9C", slot=1, fake="on", liar="on")
    called = play(honest, "play 5H", "0: liar 1")
    beside = read(*FACE.beside_picture(table_for(called), PONTIS.observe(called, None)))
    assert f"Points: {ANN} −1 (calls −2) · {BEN} 2 · {CLEO} 1" in beside


def test_only_hands_that_may_call_a_liar_mention_it() -> None:
    honest = position("4D/9S/KC", "2H3H/5H8C/7C9C", slot=1, fake="on", liar="on")
    after = play(honest, "play 5H")
    assert [seat for seat in range(3) if "Liar?" in board(after, seat)] == [0, 2]


def test_the_board_in_words_names_banks_points_and_hands() -> None:
    state = position("7H4D/9S/KC", "2H3H/5H8C/7C9CQC", slot=1)._replace(suit_points=(2, 0, 0), missed=(((6,),), (), ()))
    lines = read(*FACE.describe(table_for(state), PONTIS.observe(state, None))).splitlines()
    assert lines == [
        f"Bank 1 of {ANN}: 4♦ on top.",
        f"Bank 2 of {BEN}: 9♠ on top.",
        f"Bank 3 of {CLEO}: K♣ on top.",
        f"{ANN}: 2 cards + 2 suit points.",
        f"{BEN}: 1 card.",
        f"{CLEO}: 1 card.",
        f"In hand: {ANN} 2 · {BEN} 2 · {CLEO} 3",
        f"Missed so far: {ANN} 6",
    ]


def test_a_picture_has_everybodys_points_in_one_number() -> None:
    state = position("7H4D/9S/KC", "2H3H/5H8C/7C9CQC", slot=1)._replace(suit_points=(2, 0, 0))
    picture = FACE.drawings.table(PONTIS.observe(state, None), (ANN, BEN, CLEO))
    assert f"Points: {ANN} 4, {BEN} 1, {CLEO} 1." in picture.alt
    plain = position("7H6S5S4D/9S/KC", "2H3H/5H8C/7C9CQC", slot=1)
    assert FACE.drawings.table(PONTIS.observe(plain, None), (ANN, BEN, CLEO)).png == picture.png


# ---- events


def test_events_show_the_sum_and_who_may_try_the_ability() -> None:
    state = position("9C/5C/KC", "2S6S8S/4H2HJHKD/THJS", slot=1)
    assert said(state, "play 4H") == [
        f"{BEN} plays 4♥: 9 − 5 = 4",
        f"{CLEO} has no 9.",
        f"{ANN} has no 4.",
        f"{BEN} has no 5.",
        f"{CLEO} has the sum ability.",
        f"{CLEO} can't use the sum ability. {ANN} can try.",
    ]
    assert said(play(state, "play 4H"), "sum 2S 6S")[0] == f"{ANN} plays 2♠ 6♠: 6 − 2 = 4"


def test_passing_the_sum_ability_to_ones_own_next_bank_isnt_called_a_lack_of_cards() -> None:
    able = position("9C/5C/KC/2C", "2S4H6S/4H2HJH", slot=1, fake="on")._replace(idle=4)
    assert said(able, "decline") == [f"{ANN} passes. {BEN} can try."]
    two = position("9C/5C/KC/2C", "2S4H6S/4H2HJH", slot=2, fake="on")._replace(idle=4)
    assert said(two, "decline") == [f"{BEN} passes, and can try the next bank."]


@pytest.mark.parametrize(
    ("missed", "line"),
    [(5, f"{ANN} (+2) catches {BEN} lying (−2)."), (7, f"{ANN} calls {BEN} a liar: wrong, −2.")],
)
def test_a_liar_call_says_who_wins_and_loses_points(missed: int, line: str) -> None:
    state = position("4D/9S/KC", "2H3H/5H8C/7C9C", slot=1, fake="on", liar="on")
    called = play(state._replace(missed=((), ((missed,),), ())), "play 5H")
    assert said(called, "0: liar 1") == [line]


# ---- scores


def test_the_result_of_one_game_says_where_the_points_came_from() -> None:
    state = position("4D/9S2D9H/KC", "2H/5D/7C9C", slot=1)
    assert final("play 5D", state=state).splitlines() == [
        f"{BEN} 9 = 4 cards + 1 suit point + 4 going out",
        f"{ANN} 1 = 1 card",
        f"{CLEO} 1 = 1 card",
        f"{ANN} came within 1 card of going out.",
        f"{BEN} laid the most cards: 4.",
    ]


def test_a_game_that_ends_after_faked_misses_doesnt_claim_that_nobody_could_play() -> None:
    state = position("9C/4C/KC", "QS4S/5H2S/9D4D", slot=1, fake="on")
    over = play(state, "miss", "miss", "miss", "decline", "decline", "decline")
    seen = PONTIS.observe(over, None)
    told = read(FACE.ended_by(table_for(over), seen), *FACE.scores(table_for(over), seen), PONTIS.reasons["stuck"])
    assert told.count("obody played any more") == 3


def test_a_single_game_says_once_where_ones_own_points_came_from() -> None:
    state = position("4D/9S2D9H/KC", "2H/5D/7C9C", slot=1)
    seen = PONTIS.observe(play(state, "play 5D"), 0)
    table = table_for(play(state, "play 5D"))
    assert any("= 1 card" in line for line in FACE.result(table, seen))
    assert FACE.reasons(table, seen) == f"{BEN} went out before you: +4."


def test_a_game_in_which_nobody_may_fake_ends_as_nobody_could_play() -> None:
    over = play(position("9C/4C/KC", "QS4S/5H2S/9D4D", slot=1, fake="on"), *["miss"] * 3, *["decline"] * 3)
    seen = PONTIS.observe(over, None)
    told = FACE.ended_by(table_for(over), dataclasses.replace(seen, setup=dataclasses.replace(seen.setup, fake="off")))
    assert told.startswith("Nobody could play any more. ")
    said = read(*FACE.news(table_for(over), PONTIS.observe(over, 0), [SumAbility(1), SumAbility(0)]))
    assert said == f"you and {BEN} had the sum ability"


@pytest.mark.parametrize("seed", range(12))
def test_the_sentences_about_a_match_are_true(seed: int) -> None:
    *_, last = recorded("pontis", {"players": 2 + seed % 3, "games": 1 + seed % 4}, seed)
    observation = PONTIS.observe(last.state, None)
    told = read(FACE.result(last.table, observation)[-1])
    names = [sitter.name for sitter in last.table.sitters]
    suits = [sum(result.scores[seat].suit_points for result in last.state.results) for seat in range(len(names))]
    for seat, name in enumerate(names):
        assert (f"{name} matched the most suits" in told) <= (suits[seat] == max(suits))
        assert (f"{name} came within" in told) <= (0 < observation.hand_counts[seat] <= 3)
    if "decided it" in told:
        winner = observation.totals.index(max(observation.totals))
        decisive = int(told.partition("Game ")[2].partition(" ")[0]) - 1
        without = [
            sum(result.scores[seat].total for n, result in enumerate(observation.results) if n != decisive)
            for seat in range(len(names))
        ]
        gained = told.partition("decided it: ")[2]
        assert gained.startswith(names[winner])
        assert without[winner] <= max(points for seat, points in enumerate(without) if seat != winner)


def test_finished_games_are_listed_during_a_match() -> None:
    moments = recorded("pontis", {"players": 3, "games": 3})
    last = next(each for each in reversed(moments) if len(each.state.results) == 2)
    scores = FACE.scores(last.table, PONTIS.observe(last.state, None))
    assert [read(text).partition(":")[0] for text in scores[1:]] == ["Game 2", "Game 1"]
    scored = next(event for event in scored_in(last) if event.game == 1)
    posted, _, totals = read(FACE.settlement(last.table, PONTIS.observe(last.state, None))).rpartition("\n")
    assert posted == read(scores[1])
    assert totals.startswith("After 2 games: ")
    assert read(FACE.say(last.table, scored) or "").startswith("Game 2: ")


def scored_in(moment: Moment) -> list[GameScored]:
    return [event for seen in moment.log.seen for event in seen if isinstance(event, GameScored)]


def test_every_option_and_value_has_a_text() -> None:
    texts = FACE.option_texts()
    assert {key: set(text.values) for key, text in texts.items()} == {
        option.key: set(option.choices) for option in PONTIS.options
    }


@pytest.mark.parametrize("language", languages())
def test_a_low_result_card_leaves_room_for_what_the_own_points_are_made_of(language: str) -> None:
    for seed in range(4):
        *_, moment = recorded("pontis", {"players": 2}, seed)
        for seat in range(2):
            observation = PONTIS.observe(moment.state, seat)
            table = replace(moment.table, status="over", outcome=observation.outcome)
            with using(language):
                post = hand(FACE, Sight(table, observation, moment.events), "", UserSettings())
                said = FACE.reasons(table, observation)
            assert held_together(said) in "\n".join(paragraphs_of(post))


def test_who_may_only_call_a_liar_has_no_hint_on_their_hand() -> None:
    found = 0
    for moment in recorded("pontis", {"players": 3, "fake": "on", "liar": "on"}):
        table = replace(moment.table, hints="on")
        for seat in range(3):
            seen = PONTIS.observe(moment.state, seat)
            if seen.outcome is None and seen.legal:
                shown = hand(FACE, Sight(table, seen, moment.events), "", UserSettings())
                verbs = {button.verb for row in shown.rows for button in row}
                assert ("hint" in verbs) == (seat in seen.to_act)
                found += seat not in seen.to_act
    assert found
