"""News in hands about the time since their player's last turn, and in results about the last trick."""

import math
import re
from collections import Counter
from typing import Any, Final

import pytest
from msgspec.structs import replace

from bot.games import GAMES
from bot.games.cards import CardPlayed, face as face_of
from bot.games.pontis.moves import Bridged
from bot.records.preference import UserSettings
from bot.tables.folds import KEPT_EVENTS
from bot.tables.tables import Sight
from bot.ui.messages.board import board
from bot.ui.messages.hand import hand
from bot.ui.messages.lobby import lobby
from bot.ui.messages.result_texts import deal_summary, is_just_scored, last_turn, news_in_brief, scored
from bot.ui.messages.since import since_looked
from bot.ui.posts.post import Post
from bot.ui.posts.text import held_together, signed
from tests.leaks.pairs import FACES
from tests.posts import paragraphs_of
from tests.recorded import recorded

IN_TEXT = UserSettings(hands="text")


def text_of(post: Post) -> str:
    return "\n".join(post.paragraphs)


def test_a_hand_of_pontis_says_what_others_have_done_since_the_players_last_turn() -> None:
    face, game, shown = FACES["pontis"], GAMES["pontis"], 0
    for moment in recorded("pontis", {"players": 3}):
        if game.to_act(moment.state) != {0}:
            continue
        sight = Sight(moment.table, game.observe(moment.state, 0), moment.events)
        items = face.news(sight.table, sight.observation, since_looked(face, sight))
        own = max((at for at, event in enumerate(moment.events) if getattr(event, "seat", None) == 0), default=-1)
        others = [event for event in moment.events[own + 1 :] if isinstance(event, Bridged)]
        played_by_others = [item for item in items if not item.startswith("You")]
        assert len(played_by_others) >= len(others)
        if items and not any(isinstance(event, face.settlements) for event in moment.events):
            assert items[-1] in text_of(hand(face, sight, "", IN_TEXT)), "there is room for the latest line"
            shown += 1
    assert shown


@pytest.mark.parametrize("settings", [IN_TEXT, UserSettings()], ids=["words", "picture"])
def test_a_hand_of_pontis_without_room_for_all_turns_says_what_each_player_gained(settings: UserSettings) -> None:
    face, game, cut = FACES["pontis"], GAMES["pontis"], 0
    for moment in recorded("pontis", {"players": 4}):
        if game.to_act(moment.state) != {0}:
            continue
        events = tuple(event for seen in moment.log.seen[: moment.ply] for event in seen)[-KEPT_EVENTS:]
        sight = Sight(moment.table, game.observe(moment.state, 0), events)
        post = hand(face, sight, "", settings)
        text = "\n".join((*post.paragraphs, *(post.scene.above if post.scene else ())))
        items = face.news(sight.table, sight.observation, since_looked(face, sight))
        if all(held_together(item) in held_together(text) for item in items):
            continue
        own = max((at for at, event in enumerate(events) if isinstance(event, Bridged) and event.seat == 0), default=0)
        gained = Counter[int]()
        for event in events[own:]:
            if isinstance(event, Bridged):
                gained[event.seat] += len(event.cards) + event.suit_point
        for seat, points in gained.items():
            name = "You" if not seat else moment.table.sitters[seat].name
            told = f"{name} {signed(points)}" if post.scene is None else rf"{name} \d+ \({re.escape(signed(points))}\)"
            assert re.search(told if post.scene else re.escape(told), text), text
        cut += 1
    assert cut > 2


def test_no_line_of_pontis_begins_with_the_second_player_who_had_the_sum_ability() -> None:
    """If a line is too long for all, those who had it give way together."""
    face, game, begun = FACES["pontis"], GAMES["pontis"], set()
    for moment in recorded("pontis", {"players": 6, "banks": 3, "teams": "on"}):
        for seat in (None, 0, 3):
            sight = Sight(moment.table, game.observe(moment.state, seat), moment.events)
            news = face.news(sight.table, sight.observation, since_looked(face, sight))
            begun.add(news_in_brief(news, 2).partition(" ")[2][:5])
    assert "then " not in begun
    assert len(begun) > 5


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_board_of_pontis_beside_its_picture_says_all_of_the_last_turn(players: int) -> None:
    """The misses say why somebody may play a pair, so they come before the points."""
    face, game, shown = FACES["pontis"], GAMES["pontis"], 0
    for moment in recorded("pontis", {"players": players}):
        sight = Sight(moment.table, game.observe(moment.state, None), moment.events)
        said = last_turn(face, sight, math.inf)
        if sight.observation.outcome is None and said:
            scene = board(face, sight, with_picture=True).scene
            assert scene is not None
            assert said in "\n".join(scene.below)
            shown += "Sum ability" in said or "pair" in said
    assert shown


@pytest.mark.parametrize(("key", "options"), [("pond", {}), ("pot_black", {"deals": 5})])
def test_a_hand_keeps_the_last_trick_while_the_next_one_is_played(key: str, options: dict[str, Any]) -> None:
    face, game, shown = FACES[key], GAMES[key], 0
    for moment in recorded(key, options):
        observation = game.observe(moment.state, 0)
        if observation.outcome is not None or not getattr(observation, "taken", getattr(observation, "tricks", ())):
            continue
        for settings in (IN_TEXT, UserSettings()):
            post = hand(face, Sight(moment.table, observation, moment.events), "", settings)
            if post.scene is None:
                assert "Last trick: " in text_of(post)
            else:  # the picture has it
                assert observation.last_trick is not None
            payoff = face.payoff(moment.table, observation)
            assert payoff
            assert payoff in text_of(post) + "\n".join(post.scene.above if post.scene else ())
        shown += 1
    assert shown


@pytest.mark.parametrize("key", ["pond", "pot_black"])
def test_the_last_trick_stays_on_the_board_at_the_end(key: str) -> None:
    face, game = FACES[key], GAMES[key]
    *_, last = recorded(key)
    sight = Sight(last.table, game.observe(last.state, None), last.events)
    assert sight.observation.outcome is not None
    card = next(event for event in reversed(last.events) if isinstance(event, CardPlayed))
    (said,) = [line for line in text_of(board(face, sight)).splitlines() if line.startswith("-# Last trick: ")]
    assert str(card.card[0]).replace("T", "10") in said


DEAL_GAMES: Final = [("pond", {"players": 4}), ("pot_black", {}), ("pontis", {"players": 3, "games": 2})]
"""Games with several rounds or deals."""


@pytest.mark.parametrize(("key", "options"), DEAL_GAMES)
def test_a_deals_breakdown_reaches_its_player_in_the_old_hand_and_in_the_new_one(
    key: str, options: dict[str, Any]
) -> None:
    face, game, deal, shown, told, whole = FACES[key], GAMES[key], 0, 0, 0, 0
    for moment in recorded(key, options):
        table, before = moment.table, deal
        deal = face.deal(game.observe(moment.state, None))
        if deal == before or before < (key == "pot_black"):
            continue
        for seat in range(table.seats):
            sight = Sight(table, game.observe(moment.state, seat), moment.events)
            why = face.reasons(table, sight.observation)
            assert "you" in why.lower()
            summary = text_of(deal_summary(face, sight))
            assert why in summary
            assert face.payoff(table, sight.observation) in summary
            assert key != "pond" or (" · its pond: " in summary and "Left in hand" not in summary)
            if key == "pond":
                assert all(signed(tally.points) in why for tally in moment.state.rounds[-1].tallies)
            if sight.observation.outcome is None:
                for settings in (IN_TEXT, UserSettings()):
                    post = hand(face, sight, "", settings)
                    text = "\n".join((*post.paragraphs, *(post.scene.above if post.scene else ())))
                    shown += 1
                    told += why.split("\n")[0] in text
                    whole += "\n".join(why.split("\n")[:2]) in text
    assert told >= shown * 3 / 4, "the dearest thing has room before the first card"
    assert whole >= shown / 3 > 0


def test_the_score_of_a_deal_leaves_a_hand_with_its_players_first_move_for_good() -> None:
    face, checked = FACES["pot_black"], 0
    for moment in recorded("pot_black", {"deals": 5}):
        for seat in range(moment.table.seats):
            sight = Sight(moment.table, GAMES["pot_black"].observe(moment.state, seat), moment.events)
            said = scored(face, sight)
            if not said or sight.observation.outcome is not None or is_just_scored(face, sight):
                continue
            for settings in (IN_TEXT, UserSettings()):
                post = hand(face, sight, "", settings)
                assert said not in "\n".join((*post.paragraphs, *(post.scene.above if post.scene else ())))
            checked += 1
    assert checked


def test_the_dearest_thing_of_a_round_of_pond_is_told_with_its_points() -> None:
    face, game, told = FACES["pond"], GAMES["pond"], 0
    *_, last = recorded("pond", {"players": 4})
    observation = game.observe(last.state, 0)
    for seat, tally in enumerate(observation.rounds[-1].tallies):
        poison = tally.lines[0]
        why = face.reasons(last.table, game.observe(last.state, seat))
        assert f"You **{signed(tally.points)}**: " in why
        assert all(signed(line.points) in why for line in tally.lines if line.cards)
        assert (f"poison card{'s' * (len(poison.cards) > 1)} cost you {-poison.points}." in why) == bool(poison.cards)
        told += bool(poison.cards)
    assert told


@pytest.mark.parametrize(
    ("key", "options", "last_deal"), [("pond", {"rounds": 2}, "Round 2"), ("pontis", {"games": 2}, "Game 2")]
)
def test_what_a_result_says_of_the_last_deal_names_that(key: str, options: Any, last_deal: str) -> None:
    face, game = FACES[key], GAMES[key]
    *_, last = recorded(key, options)
    sight = Sight(last.table, game.observe(last.state, 0), last.events)
    first = face.reasons(last.table, sight.observation).partition("\n")[0]
    assert first.startswith(f"**{last_deal}**: ")
    said = ["\n".join(paragraphs_of(hand(face, sight, "", settings))) for settings in (IN_TEXT, UserSettings())]
    assert any(first in each.replace("\N{NO-BREAK SPACE}", " ") for each in said)


@pytest.mark.parametrize("seed", range(6))
def test_the_end_of_a_game_of_pontis_names_who_ended_it_and_tells_everybody_what_they_missed(seed: int) -> None:
    face, game = FACES["pontis"], GAMES["pontis"]
    *_, last = recorded("pontis", {"players": 3}, seed)
    result = last.state.results[-1]
    for seat in (None, 0, 1, 2):
        sight = Sight(last.table, game.observe(last.state, seat), last.events)
        text = text_of(board(face, sight) if seat is None else hand(face, sight, "", IN_TEXT))
        assert "omeone" not in text
        if result.reason == "out":
            out = last.state.hands.index(())
            assert f"{last.table.sitters[out].name} played their last card: +4." in text
        own = max((at for at, event in enumerate(last.events) if getattr(event, "seat", None) == seat), default=-1)
        missed = [event for event in last.events[own + 1 :] if isinstance(event, Bridged)]
        assert seat is None or not missed or face_of(missed[-1].cards[-1]) in text


@pytest.mark.parametrize(("key", "options"), [*DEAL_GAMES, ("pot_black", {"deals": 5}), ("pond", {"players": 2})])
def test_the_end_says_how_the_last_deal_went(key: str, options: dict[str, Any]) -> None:
    face = FACES[key]
    *_, last = recorded(key, options)
    for seat in (None, 0):
        sight = Sight(last.table, GAMES[key].observe(last.state, seat), last.events)
        full = face.ended_in_full(last.table, sight.observation)
        assert full
        for settings in (IN_TEXT, UserSettings()):
            is_drawn = settings is not IN_TEXT
            post = board(face, sight, with_picture=is_drawn) if seat is None else hand(face, sight, "", settings)
            said = "\n".join(post.scene.above if post.scene else post.paragraphs)
            *_why, last_line = full.split("\n")
            assert last_line in said
            assert full in said or face.decided(last.table, sight.observation) in said


def test_an_end_names_the_side_without_chips_and_both_who_reached_the_goal() -> None:
    ends: set[str] = set()
    for seed in range(8):
        for key in ("pot_black", "frogs"):
            face, game = FACES[key], GAMES[key]
            *_, last = recorded(key, number=seed)
            seen = game.observe(last.state, None)
            text = text_of(board(face, Sight(last.table, seen, last.events)))
            if seen.outcome.reason == "broke":
                ends.add("broke")
                assert " no chips left." in text
                assert "A side is out of chips" not in text
            if seen.outcome.reason == "goal":
                ends.add("goal")
                assert ("Both have at least" in text) == (min(seen.scores) >= seen.setup.goal)
    assert ends == {"broke", "goal"}


def test_the_lobby_of_frogs_says_the_size_of_the_pond_and_the_goal() -> None:
    face, table = FACES["frogs"], replace(recorded("frogs")[0].table, status="lobby")
    (menu,) = [each for each in lobby(table, face, frozenset(), is_crowded=False).choices if each.verb == "propose"]
    assert [each.label for each in menu.choices if each.is_picked] == ["Small pond, to 7 points"]


@pytest.mark.parametrize("players", [3, 4])
def test_three_players_of_pot_black_read_which_cards_are_in_play_during_the_first_trick(players: int) -> None:
    """BK-25."""
    told = set()
    for moment in recorded("pot_black", {"players": players, "form": "individual"}):
        shown = GAMES["pot_black"].observe(moment.state, 0)
        news = "\n".join(FACES["pot_black"].news(moment.table, shown, ()))
        is_due = players == 3 and shown.deal > 0 and not shown.tricks and shown.outcome is None
        assert ("39 cards: no 2s, 3s or 4s, and no 5 of clubs." in news) == is_due
        told.add(is_due)
    assert told == {False, players == 3}
