"""Rate limits of a route, of a resource, of the whole bot, and of Cloudflare."""

import pytest

from tests.wire.conftest import World
from tests.wire.failing import plays, replaced, seated
from tests.wire.faults import Fault, How, Refused
from tests.wire.people import button
from tests.wire.playing import hands, plays_by_board

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.mark.parametrize(
    ("how", "refusal"),
    [
        pytest.param("refused", Refused(429, 0, "You are being rate limited.", 0.7), id="of the route"),
        pytest.param("refused", Refused(429, 0, "The resource is being rate limited.", 0.7, "shared"), id="shared"),
        pytest.param("bare", Refused(429, 0, "You are being rate limited.", 0.7), id="without headers"),
        pytest.param("direct", Refused(429, 0, "You are being rate limited.", 0.7), id="without Via"),
        pytest.param("unreadable", Refused(429, 0, "error code: 1015"), id="by Cloudflare"),
    ],
)
async def test_a_rate_limited_edit_is_sent_once_more_after_the_limit(town: World, how: How, refusal: Refused) -> None:
    ann, ben = town.people()
    await seated(ann, ben)
    where = {ann.channel_id, ben.dm_id}
    town.discord.faults += [Fault("PATCH messages", how, refusal, about=each) for each in where]
    went_wrong = len(town.discord.went_wrong)
    await plays_by_board(ann)
    await plays_by_board(ben)
    await town.discord.until(lambda: "set a card aside." not in ann.board.text and "set aside" in hands(ben)[-1].text)
    assert len(town.discord.went_wrong) - went_wrong == len(where)


@pytest.mark.parametrize("how", ["direct", "unreadable"])
async def test_deleting_a_replaced_board_is_retried_after_a_limit(town: World, how: How) -> None:
    ann, ben = town.people()
    await seated(ann, ben)
    limits = Fault("DELETE messages", how, Refused(429, 0, "You are being rate limited.", 0.7), about=ann.channel_id)
    town.discord.faults.append(limits)
    old = await replaced(ann, ben)
    await town.discord.until(lambda: old.is_deleted)
    assert limits.times == 0


async def test_the_global_limit_stops_everything_but_initial_responses(patient: World) -> None:
    town = patient
    ann, ben = town.people()
    cat, dan = town.people("Cat", "Dan")
    await seated(ann, ben)
    await seated(cat, dan)
    await town.discord.until(lambda: all(button(person.board, "My hand") for person in (ann, cat)))
    limit = Refused(429, 0, "You are being rate limited, globally.", 15.0, "global")
    town.discord.faults.append(Fault("PATCH messages", refusal=limit, about=ann.channel_id))
    await plays(ann)
    await town.discord.until(town.discord.is_pausing)
    for person in (cat, dan, ben):
        await plays_by_board(person)
    assert town.discord.is_pausing(), town.discord.went_wrong
    await town.discord.until(lambda: not any("set a card aside." in person.board.text for person in (ann, cat)))
    assert not town.discord.is_pausing()
    assert len(set(town.discord.slowed_down)) == len(town.discord.slowed_down)  # requests that were already under way
    town.discord.slowed_down.clear()


async def test_a_look_given_up_during_the_global_limit_holds_nothing_up(town: World) -> None:
    ann, ben = town.people()
    opened = (await ann.type("pond open", players=2)).original
    assert opened is not None
    await ben.press_label(opened, "Join")
    limit = Refused(429, 0, "You are being rate limited, globally.", 3.0, "global")
    town.discord.faults.append(Fault("GET members", refusal=limit))
    await ann.press_label(ann.board, "Start")
    await town.discord.until(lambda: button(ann.board, "My hand") and hands(ann) and hands(ben))
    assert not town.discord.is_pausing()
    town.discord.slowed_down.clear()  # requests that were already under way


@pytest.mark.parametrize("scope", ["user", "shared"])
async def test_a_rate_limited_initial_response_is_retried_in_time(town: World, scope: str) -> None:
    ann, ben = town.people()
    await seated(ann, ben)
    limit = Refused(429, 0, "You are being rate limited.", 0.5, scope)
    town.discord.faults.append(Fault("POST callback", refusal=limit, about=ann.id))
    assert await (await plays(ann)).answered > 0.4
    assert town.moves(ann) == 1
