"""The rate limit: excess interactions of one user are acknowledged, and nobody else is delayed."""

from bot.ui.interactions.rate_limit import BURST, MAX_CONCURRENT, QUIET_S, REFILL_PER_S, RateLimiter
from tests.discord.play import World
from tests.discord.tables import started

PRESSES = 200


def test_the_concurrency_limit_is_per_user() -> None:
    limiter = RateLimiter(lambda: 0.0)
    assert [limiter.acquire(1) for _ in range(MAX_CONCURRENT + 2)] == [True] * MAX_CONCURRENT + [False] * 2
    assert limiter.acquire(2)
    limiter.release(1)
    assert limiter.acquire(1)
    assert not limiter.acquire(1)


def test_after_a_burst_the_limit_is_a_steady_rate() -> None:
    now = 0.0
    limiter = RateLimiter(lambda: now)

    def allowed(tries: int) -> int:
        count = 0
        for _ in range(tries):
            if limiter.acquire(1):
                count += 1
                limiter.release(1)
        return count

    assert allowed(BURST + 50) == BURST
    now = 0.5
    assert allowed(BURST) == REFILL_PER_S // 2
    now = 1000.0
    assert allowed(BURST + 50) == BURST


def test_what_costs_more_may_be_done_less_often() -> None:
    now = 0.0
    limiter = RateLimiter(lambda: now, cost=BURST / 4)
    assert [limiter.acquire(1) for _ in range(5)] == [True] * 4 + [False]
    now = BURST / 4 / REFILL_PER_S
    assert [limiter.acquire(1) for _ in range(2)] == [True, False]


def test_users_over_the_limit_are_notified_once() -> None:
    now = 0.0
    limiter = RateLimiter(lambda: now)
    for _ in range(MAX_CONCURRENT):
        limiter.acquire(1)
    assert [limiter.should_notify(1) for _ in range(3)] == [True, False, False]
    limiter.release(1)
    assert limiter.acquire(1)
    assert not limiter.should_notify(1)  # the flood goes on
    now = 2 * QUIET_S
    assert limiter.should_notify(1)


def test_idle_users_are_forgotten() -> None:
    now = 0.0
    limiter = RateLimiter(lambda: now)
    limiter.acquire(0)
    for user in range(1, 20_000):
        now += 0.01
        limiter.acquire(user)
        limiter.release(user)
    assert limiter.user_count < 10_000
    assert [limiter.acquire(0) for _ in range(MAX_CONCURRENT)] == [True] * (MAX_CONCURRENT - 1) + [False]


async def test_many_presses_of_one_user_delay_nobody_else(world: World) -> None:
    ann, ben, eve = world.people(3)
    await started(ann, [ben])
    waited: list[float] = []

    async def first_answer(seconds: float) -> None:
        waited.append(seconds)

    world.bot.add_listener(first_answer, "on_first_answer")
    presses = [(eve, eve.board.use("More"))] * PRESSES
    *answers, moved = await world.at_once(*presses, (ben, next(iter(ben.hand.moves.values()))))
    assert moved is not None
    assert " · poison\N{NO-BREAK SPACE}" in moved.text
    private = [answer.text for answer in answers if answer and answer.is_private]
    notices = [text for text in private if "Too fast!" in text]
    assert len(notices) == 1
    assert len(private) <= MAX_CONCURRENT + 1
    assert len(waited) == len(private) - len(notices) + 1
    assert max(waited) < 1.0


async def test_a_player_sees_their_hand_once_after_a_flood_of_presses(world: World) -> None:
    ann, ben = world.people(2)
    await started(ann, [ben])
    answers = await world.at_once(*[(ann, ann.board.use("My hand"))] * PRESSES)
    assert len([each for each in answers if each and "Too fast!" in each.text]) == 1
    await world.wait(2 * QUIET_S + 0.1)
    shown = [each for each in ann.messages() if each.is_private and each.text.startswith("### Your hand")]
    assert len(shown) == 1


async def test_users_over_the_limit_can_go_on_right_after(world: World) -> None:
    ann, ben = world.people(2)
    await started(ann, [ben])
    await world.at_once(*[(ann, ann.board.use("My hand"))] * PRESSES)
    hand = await ann.clicks(ann.board, "My hand")
    assert hand.text.startswith("### Your hand")
    assert " · poison\N{NO-BREAK SPACE}" in (await ann.picks(ann.hand, next(iter(ann.hand.moves)))).text


async def test_autocomplete_over_the_limit_offers_nothing(world: World) -> None:
    ann, ben = world.people(2)
    await started(ann, [ben])
    offered = await world.types_at_once(ann, "pond hand", "table", PRESSES)
    assert offered == [["1"]] * MAX_CONCURRENT + [[]] * (PRESSES - MAX_CONCURRENT)
    assert await world.types_at_once(ben, "pond hand", "table", 1) == [["1"]]
    assert len(await ann.completes("pond hand", "table")) == 1
