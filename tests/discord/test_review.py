"""Reviews: the dearest decisions of a player. They ask first, then tell, and say only then what others held."""

import asyncio
import random
import re
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from discord import InteractionResponseType
from msgspec.structs import replace

from bot import computer
from bot.computer.thoughts import Verdict
from bot.games import GAMES
from bot.games.cards import CardPlayed
from bot.games.game import Move, Observation
from bot.games.pontis.moves import Bridged, Sum
from bot.tables.folds import Fold
from bot.tables.replays import Decision, glimpse, reel_of
from bot.thinking.thinkers import Thinkers
from bot.ui.actions.hint_thoughts import Mistake, Review, Reviews
from bot.ui.actions.review import head_of
from bot.ui.messages.replay_pages import with_own_events
from bot.ui.posts.layout import MAX_OPTIONS
from tests.discord.forged import Forger
from tests.discord.play import Player, World
from tests.discord.seen import Seen
from tests.discord.tables import started_in
from tests.games.frog_ponds import FROGS, opened
from tests.leaks.pairs import FACES
from tests.recorded import recorded, table_of
from tests.waiting import until

BUDGETS = {"frogs": 2000, "pond": 60, "pontis": 60, "pot_black": 60}


@pytest.fixture(autouse=True)
def little_thought(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let reviews take little time, without processes."""

    async def judge(_: Thinkers, game: str, seen: Observation, played: Move, seed: str) -> Verdict:
        judging: Any = computer._JUDGES[game]
        rated: Verdict = judging(seen, played, random.Random(seed), BUDGETS[game])
        return rated

    monkeypatch.setattr(Thinkers, "judge", judge)


async def ended(world: World, group: str, people: list[Player], moves: int) -> None:
    """Play the last legal move this often, and resign."""
    await started_in(group, people[0], people[1:])
    for _ in range(moves):
        user, *_ = await world.tables.whose_turn(await world.tables.table(1))
        move = (await world.tables.look(1, user)).observation.legal[-1]
        await world.tables.play(1, user, str(move))
    await world.tables.resign(1, people[0].id)


async def review_of(player: Player, seat: int) -> Seen:
    """Open the review from the replay as the player's own seat."""
    page = await player.picks(await player.types("replay"), f"seat{seat}")
    return await player.clicks(page, "Review")


async def test_a_review_is_one_press_from_the_result_and_from_the_replay(world: World) -> None:
    ann, ben, cleo = world.people(3)
    await ended(world, "pond", [ann, ben], 14)
    await until(lambda: "🏆" in ben.hand.text and "🏆" in ben.board.text)
    assert "Review" in ben.hand.labels
    assert (await ben.clicks(ben.board, "Review")).text.startswith("### Review · Table ")
    assert (await cleo.clicks(cleo.board, "Review")).text.startswith("### Replay · Table "), (
        "they have nothing to review"
    )
    assert "Review" in (await ben.clicks(ben.board, "More")).labels
    assert "Review" in (await ben.types("replay", table="1")).labels
    assert "Review" not in (await cleo.clicks(cleo.board, "More")).labels
    assert "Review" not in (await cleo.types("replay", table="1")).labels


@pytest.mark.parametrize(("group", "moves"), [("pond", 24), ("frogs", 14)])
async def test_a_review_asks_before_it_tells(world: World, group: str, moves: int) -> None:
    ann, ben = world.people(2)
    await ended(world, group, [ann, ben], moves)
    review = await review_of(ben, 1)
    assert review.is_private
    assert review.text.startswith("### Review · Table ")
    moments = [label for label in review.labels if label.startswith("Moment ")]
    assert 1 <= len(moments) <= 3
    asked = await ben.clicks(review, moments[0])
    assert asked.text.endswith("**What would you play?**")
    assert "best was" not in asked.text
    told = await ben.picks(asked, next(iter(asked.options)))
    tried = re.search(r"The best was \*\*(.+)\*\*\. You picked (.+), and in the game you played (.+)\.", told.text)
    assert tried is None or len({*tried.groups()}) == 3
    assert bool(tried) or ", as in the game." in told.text or "✅ Yes, the best was " in told.text
    assert told.text.count("What everyone held:") == (group == "pond")
    again = await review_of(ben, 1)
    assert again.text == review.text


@pytest.fixture
def compared(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str]]:
    """Return the moves that are compared. Request this fixture before `world`, which keeps the method."""
    found: list[tuple[str, str]] = []
    run = Thinkers.run

    async def noted(self: Thinkers, work: Any, *args: Any) -> Any:
        if work is computer.why:
            found.append((str(args[2]), str(args[3])))
        return await run(self, work, *args)

    monkeypatch.setattr(Thinkers, "run", noted)
    return found


async def test_a_review_says_what_tells_the_best_move_from_the_pick(
    compared: list[tuple[str, str]], world: World
) -> None:
    ann, ben = world.people(2)
    await ended(world, "pond", [ann, ben], 24)
    asked = await ben.clicks(await review_of(ben, 1), "Moment 1")
    picks = [*asked.options]
    for pick in picks:
        told = await ben.picks(asked, pick)
        asked = await ben.clicks(await ben.clicks(told, "Back"), "Moment 1")
    best = {best for best, _ in compared}
    played = next(other for pick, (_, other) in zip(picks, compared, strict=True) if pick in best)
    assert len(picks) > 2
    assert [other for _, other in compared] == [played if pick in best else pick for pick in picks]


async def test_a_review_counts_decisions_that_were_as_good_as_any() -> None:
    seen = FROGS.observe(opened(), 0)
    verdicts = [Verdict(seen.legal[0], 3.0, 3.0, 0.6), Verdict(seen.legal[0], 0.0, 0.5, 0.8), Verdict(seen.legal[1])]

    async def judge(*_: object) -> Verdict:
        return verdicts[len(asked) - 1]

    async def progress(*step: int) -> None:
        asked.append(step)

    asked: list[tuple[int, ...]] = []
    decisions = [Decision(ply, seen, seen.legal[1]) for ply in range(3)]
    table = table_of(FROGS, FROGS.settle({}), 3)
    found = await Reviews(judge).of(table, 1, 0, decisions, progress, dear=1.0)
    assert asked == [(0, 3), (1, 3), (2, 3)]
    assert (len(found.mistakes), found.decided, found.good) == (1, 3, 2)


def test_a_review_first_says_what_was_done_well_and_then_what_mattered_most() -> None:
    seen = FROGS.observe(opened(), 0)
    losses = ((3, 2.0), (9, 7.0))
    mistakes = tuple(Mistake(Decision(ply, seen, seen.legal[1]), seen.legal[0], loss) for ply, loss in losses)
    said = head_of(Review(mistakes, 20, 15)).split("\n")
    assert said == [
        "Most of your choices were as good as any.",
        "**Moment 2** mattered most. It asks first: what would you play now?",
    ]
    assert head_of(Review(mistakes[:1], 20, 19)).startswith("Well played: nearly all")
    assert head_of(Review((), 20)) == "Well played: none of your choices clearly cost you anything."


@pytest.mark.parametrize("key", ["pond", "pot_black", "pontis"])
def test_a_moment_shows_nothing_of_the_deal_before(key: str) -> None:
    face, game = FACES[key], GAMES[key]
    options: Any = {"pond": {"players": 2}, "pot_black": {"deals": 5}, "pontis": {"games": 3}}[key]
    *_, last = recorded(key, options)
    table = replace(last.table, status="over")
    reel, checked = reel_of(game, table.options, Fold(1, last.state, tuple(last.log.entries))), 0
    for at, moment in enumerate(reel.moments[:-1]):
        if any(isinstance(event, face.settlements) for event in moment.events):
            own = with_own_events(face, glimpse(reel, table, at, 0)).moment
            assert len(own.events) < len(moment.events)
            assert not any(isinstance(event, (*face.settlements, CardPlayed, Bridged)) for event in own.events)
            checked += 1
    assert checked


async def test_reviews_are_for_those_who_sat_there(world: World) -> None:
    ann, ben, cleo = world.people(3)
    await ended(world, "frogs", [ann, ben], 6)
    page = await cleo.picks(await cleo.types("replay", table="1"), "seat1")
    assert "Play on from here" in page.labels
    assert "Review" not in page.labels
    kim = Forger(world, cleo, world.channel)
    for verb in ("review", "review-at", "review-try"):
        answer = cleo.answer_to(await kim.presses(f"lily:{verb}:1:1:3", "place a1"))
        assert answer.text == "You're not playing at Table Oak."


async def test_those_who_left_their_seat_get_a_review_of_what_they_played(world: World) -> None:
    ann, ben, cleo, dan = world.people(4)
    await started_in("pontis", ann, [ben, cleo], players=3)
    for _ in range(9):
        user, *_ = await world.tables.whose_turn(await world.tables.table(1))
        move = (await world.tables.look(1, user)).observation.legal[-1]
        await world.tables.play(1, user, str(move))
    await world.tables.step_out(1, ben.id)
    await world.tables.resign(1, cleo.id)
    await world.tables.close(1, ann.id)
    await until(lambda: "Review" in ann.board.labels)
    for player in (ann, ben, cleo):
        assert "Review" in (await player.clicks(player.board, "More")).labels
        review = await player.clicks(await player.types("replay", table="1"), "Review")
        assert review.text.startswith("### Review · Table ")
        assert "choice" in review.text or "mattered most" in review.text
    assert "Review" not in (await dan.clicks(dan.board, "More")).labels
    await world.tables.privacy.forget(cleo.id)
    assert "Review" not in (await cleo.clicks(cleo.board, "More")).labels


async def test_a_review_beside_a_result_says_that_it_takes_a_while(world: World) -> None:
    ann, ben = world.people(2)
    await ended(world, "frogs", [ann, ben], 6)
    await until(lambda: "Review" in ben.hand.labels)
    assert (await ben.clicks(ben.hand, "Review")).text.startswith("### Review")
    answers = [each.json for each in world.env.http_requests if each.path.endswith("/callback")]
    assert answers[-1] is not None
    assert answers[-1]["type"] == InteractionResponseType.deferred_channel_message.value


@pytest.fixture
def meanwhile(monkeypatch: pytest.MonkeyPatch) -> list[Callable[[], object]]:
    """Let the first decision take a second for each thing in the list, which happens meanwhile."""
    events: list[Callable[[], object]] = []

    async def judge(_: Thinkers, _game: str, _seen: Observation, played: Move, _seed: str) -> Verdict:
        while events:
            events.pop()()
            await asyncio.sleep(1)
        return Verdict(played)

    monkeypatch.setattr(Thinkers, "judge", judge)
    return events


async def test_other_pages_and_reviews_in_progress_leave_each_other_alone(
    meanwhile: list[Callable[[], object]], world: World
) -> None:
    ann, ben = world.people(2)
    await ended(world, "pond", [ann, ben], 8)
    await until(lambda: "🏆" in ben.board.text)
    page = await ben.picks(await ben.types("replay"), "seat1")
    uses = page.use("Review"), ben.board.use("More")
    meanwhile.extend(partial(world._emit, ben, use) for use in uses)
    review = await ben.clicks(page, "Review")
    assert review.id == page.id
    texts = [seen.text for seen in ben.messages() if seen.is_private]
    assert sum(text.startswith("### Review") for text in texts) == 1, texts
    assert sum(text.startswith("### Table Oak") for text in texts) == 1, texts
    assert len(texts) == 2


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> asyncio.Event:
    """Let decisions take until the event is set."""
    event = asyncio.Event()

    async def judge(_: Thinkers, _game: str, _seen: Observation, played: Move, _seed: str) -> Verdict:
        while not event.is_set():  # noqa: ASYNC110 - SimCord waits only for what has a time
            await asyncio.sleep(100)
        return Verdict(played)

    monkeypatch.setattr(Thinkers, "judge", judge)
    return event


def pressed(world: World, player: Player, page: Seen, label: str) -> None:
    """Press a button without waiting for the answer."""
    world._emit(player, page.use(label))


async def test_a_review_that_takes_long_is_left_in_time_and_found_later(slow: asyncio.Event, world: World) -> None:
    ann, ben = world.people(2)
    await ended(world, "pond", [ann, ben], 8)
    await until(lambda: "🏆" in ben.board.text)
    page = await ben.picks(await ben.types("replay"), "seat1")
    pressed(world, ben, page, "Review")
    await until(lambda: "Thinking about your decisions: 0 of " in ben.now(page).text)
    assert ben.now(page).labels == ["Look again"]
    await world.wait(1000)
    await until(lambda: "I go on thinking" in ben.now(page).text)
    assert ben.now(page).labels == ["Look again"]
    slow.set()
    await world.wait(100)
    assert re.search("choice|mattered most", (await ben.clicks(ben.now(page), "Look again")).text)


async def test_a_review_that_a_crash_has_interrupted_is_asked_for_again(slow: asyncio.Event, world: World) -> None:
    ann, ben = world.people(2)
    await ended(world, "pond", [ann, ben], 8)
    await until(lambda: "🏆" in ben.board.text)
    page = await ben.picks(await ben.types("replay"), "seat1")
    pressed(world, ben, page, "Review")
    await until(lambda: "Thinking about your decisions: 0 of " in ben.now(page).text)
    await world.crash()
    world.expire_tokens()
    slow.set()
    assert re.search("choice|mattered most", (await ben.clicks(ben.now(page), "Look again")).text)


async def test_a_pair_is_tried_even_if_its_top_card_is_picked_first(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    def judge(seen: Observation, played: Move, *_: object) -> Verdict:
        pairs = [move for move in seen.legal if isinstance(move, Sum) and move != played]
        return Verdict(pairs[0], 3.0, 3.0, 0.5) if len(pairs) > MAX_OPTIONS else Verdict(played)

    monkeypatch.setitem(computer._JUDGES, "pontis", judge)
    ann, ben = world.people(2)
    await started_in("pontis", ann, [ben], players=2)
    player, has_many = ann, False
    while not has_many:
        user, *_ = await world.tables.whose_turn(await world.tables.table(1))
        player = ann if user == ann.id else ben
        seen = (await world.tables.look(1, user)).observation
        has_many = sum(isinstance(move, Sum) for move in seen.legal) > MAX_OPTIONS + 1
        await world.tables.play(1, user, str(seen.legal[-1]))
    await world.tables.resign(1, ann.id)
    asked = await player.clicks(await review_of(player, int(player is ben)), "Moment 1")
    top = next(option for option in asked.options if " " not in option)
    pairs = await player.picks(asked, top)
    assert pairs.labels == ["Back"]
    assert pairs.options
    assert all(top in pair.split() for pair in pairs.options)
    assert (await player.clicks(pairs, "Back")).options == asked.options
    told = await player.picks(await player.picks(asked, top), next(iter(pairs.options)))
    assert "The best was " in told.text


async def test_decisions_with_a_hint_do_not_count(world: World) -> None:
    ann, ben = world.people(2)
    await started_in("frogs", ann, [ben])
    user, *_ = await world.tables.whose_turn(await world.tables.table(1))
    table = await world.tables.table(1)
    await world.store.note_hint(table, 1, table.sitter(user).seat)  # type: ignore[union-attr]  # they sit there
    for _ in range(4):
        user, *_ = await world.tables.whose_turn(await world.tables.table(1))
        await world.tables.play(1, user, str((await world.tables.look(1, user)).observation.legal[0]))
    await world.tables.resign(1, ann.id)
    counts = [len(await world.tables.replays.decisions(1, person.id)) for person in (ann, ben)]
    assert sorted(counts) == [1, 2]
