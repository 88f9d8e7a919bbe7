"""Who is told about a new table: the order, the pause, and the maximum, on each engine."""

from bot.records.alert import DELAY_S, MOST, PAUSE_S
from bot.records.preference import UserSettings
from bot.records.table import Place, Sitter, Table
from bot.store.store import Store
from tests.store.lilypads import DRAFT, opened

NOW = 10 * PAUSE_S
SERVER = 2**40
_HERE = Place(SERVER, 5)


async def lobby(store: Store, name: str, **fields: object) -> Table:
    """Open a lobby on the server, with a free seat."""
    return await opened(store, name, **{"place": _HERE, "sitters": (Sitter(0, "Ann", 1),), "host_id": 1, **fields})


async def listening(store: Store, table: Table, now: float = NOW) -> list[int]:
    return [each.user_id for each in await store.alerts.listeners(table, now)]


async def test_wishes_are_kept_by_server_and_game(store: Store) -> None:
    for user, guild, game in ((7, SERVER, "pond"), (7, SERVER, "frogs"), (8, SERVER + 1, "pond"), (7, SERVER, "pond")):
        await store.alerts.want(user, guild, game, is_wanted=True)
    table = await lobby(store, "Heron")
    assert await listening(store, table) == [7]
    assert await store.alerts.games(7, SERVER) == {"pond", "frogs"}
    await store.alerts.want(7, SERVER, "pond", is_wanted=False)
    assert await listening(store, table) == []
    assert await store.alerts.games(7, SERVER) == {"frogs"}


async def test_listeners_come_with_settings_unless_they_cant_be_reached(store: Store) -> None:
    table = await lobby(store, "Heron")
    for user in (7, 8, 9):
        await store.alerts.want(user, SERVER, "pond", is_wanted=True)
    settings = UserSettings(quiet=(60, 120), language="de")
    await store.users.set_settings(8, settings)
    await store.users.set_dm_closed(9, closed=True)
    first, second = await store.alerts.listeners(table, NOW)
    assert (first.user_id, first.language, first.settings) == (7, None, UserSettings())
    assert (second.user_id, second.language, second.settings) == (8, "de", settings)


async def test_a_user_is_told_about_one_table_a_day(store: Store) -> None:
    heron, teal = await lobby(store, "Heron"), await lobby(store, "Teal")
    await store.alerts.want(7, SERVER, "pond", is_wanted=True)
    assert await store.alerts.claim(7, heron.id, NOW)
    assert await store.alerts.claim(7, heron.id, NOW + 1)
    assert not await store.alerts.claim(7, teal.id, NOW + PAUSE_S)
    assert await listening(store, teal, NOW + PAUSE_S) == []
    assert await listening(store, heron, NOW + PAUSE_S) == [7]
    assert await listening(store, teal, NOW + 1 + PAUSE_S) == [7]
    assert await store.alerts.claim(7, teal.id, NOW + 1 + PAUSE_S)
    assert await store.alerts.claim(7, heron.id, NOW), "the clock was put back"


async def test_so_many_are_told_about_a_table(store: Store) -> None:
    table = await lobby(store, "Heron")
    assert all([await store.alerts.claim(100 + number, table.id, NOW) for number in range(MOST)])
    assert not await store.alerts.claim(7, table.id, NOW)
    assert await store.alerts.claim(100, table.id, NOW)


async def test_alerts_are_due_for_tables_that_anybody_can_join(store: Store) -> None:
    await lobby(store, "Ibis")
    await store.alerts.want(7, SERVER, "pond", is_wanted=True)
    table = await lobby(store, "Heron")
    await lobby(store, "Teal", invited_only=True)
    await lobby(store, "Coot", event=("daily 2026-01-01", 0))
    await lobby(store, "Rail", rematch_of=table.id)
    await lobby(store, "Crake", game="frogs")
    await lobby(store, "Stilt", place=Place(None, 5))
    await lobby(store, "Gull", sitters=DRAFT.sitters)
    ((row),) = await store.due.of_kind("alert")
    assert row == ("alert", table.id, SERVER, table.opened_at + DELAY_S)
