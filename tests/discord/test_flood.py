"""One user's flood of presses: it is answered, it does nothing, and nobody else notices."""

from bot.ui.flood import A_SECOND, AT_ONCE, BURST, Flood
from tests.discord.play import World, started

FLOOD = 200


def test_a_user_has_so_many_interactions_at_a_time_and_others_as_many() -> None:
    flood = Flood(lambda: 0.0)
    assert [flood.enters(1) for _ in range(AT_ONCE + 2)] == [True] * AT_ONCE + [False] * 2
    assert flood.enters(2)
    flood.leaves(1)
    assert flood.enters(1)
    assert not flood.enters(1)


def test_after_a_burst_a_user_may_go_on_at_a_steady_rate() -> None:
    now = 0.0
    flood = Flood(lambda: now)

    def allowed(tries: int) -> int:
        count = 0
        for _ in range(tries):
            if flood.enters(1):
                count += 1
                flood.leaves(1)
        return count

    assert allowed(BURST + 50) == BURST
    now = 0.5
    assert allowed(BURST) == A_SECOND // 2
    now = 1000.0
    assert allowed(BURST + 50) == BURST


def test_who_is_over_the_bounds_is_told_once_each_time() -> None:
    now = 0.0
    flood = Flood(lambda: now)
    for _ in range(AT_ONCE):
        flood.enters(1)
    assert [flood.is_to_be_told(1) for _ in range(3)] == [True, False, False]
    flood.leaves(1)
    assert flood.enters(1)
    assert flood.is_to_be_told(1)


def test_those_who_went_away_are_forgotten() -> None:
    now = 0.0
    flood = Flood(lambda: now)
    flood.enters(0)
    for user in range(1, 20_000):
        now += 0.01
        flood.enters(user)
        flood.leaves(user)
    assert len(flood._lanes) < 10_000
    assert 0 in flood._lanes


async def test_a_flood_of_presses_by_one_user_delays_nobody_else(world: World) -> None:
    ann, ben, eve = world.people(3)
    await started(ann, [ben])
    waited: list[float] = []

    async def first_answer(seconds: float) -> None:
        waited.append(seconds)

    world.bot.add_listener(first_answer, "on_first_answer")
    flood = [(eve, eve.board.use("More"))] * FLOOD
    *answers, moved = await world.at_once(*flood, (ben, next(iter(ben.hand.moves.values()))))
    assert moved is not None
    assert "Your profit" in moved.text
    private = [answer.text for answer in answers if answer and answer.is_private]
    told = [text for text in private if "faster than anybody" in text]
    assert len(told) == 1
    assert len(private) <= AT_ONCE + 1
    assert len(waited) == len(private) - len(told) + 1
    assert max(waited) < 1.0


async def test_who_has_flooded_goes_on_as_before_right_after(world: World) -> None:
    ann, ben = world.people(2)
    await started(ann, [ben])
    await world.at_once(*[(ann, ann.board.use("Play"))] * FLOOD)
    hand = await ann.clicks(ann.board, "My hand")
    assert hand.text.startswith("### Your hand")
    assert "Your profit" in (await ann.picks(ann.hand, next(iter(ann.hand.moves)))).text


async def test_autocomplete_above_the_limit_is_answered_with_nothing(world: World) -> None:
    ann, ben = world.people(2)
    await started(ann, [ben])
    offered = await world.types_at_once(ann, "pond hand", "table", FLOOD)
    assert offered == [["1"]] * AT_ONCE + [[]] * (FLOOD - AT_ONCE)
    assert await world.types_at_once(ben, "pond hand", "table", 1) == [["1"]]
    assert len(await ann.completes("pond hand", "table")) == 1
