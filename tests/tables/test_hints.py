"""Who may ask for hints."""

from dataclasses import dataclass

import pytest
from msgspec.structs import replace

from bot.records.table import Person, Table
from bot.store.store import Store
from bot.tables.hosting import allows_hints
from tests.tables.people import ANN, BEN, make_tables, started


@dataclass(frozen=True)
class Company:
    """Who sits at a table with Ann."""

    people: tuple[Person, ...] = ()
    computers: int = 0
    in_their_first_game: bool = False


def experienced(table: Table) -> Table:
    """Return the table as if its people had played often."""
    return replace(table, sitters=tuple(replace(sitter, nth_game=0) for sitter in table.sitters))


@pytest.mark.parametrize(
    ("company", "allows"),
    [
        (Company(computers=2), True),
        (Company((BEN,)), False),
        (Company((BEN,), computers=1), False),
        (Company((BEN,), computers=1, in_their_first_game=True), True),
    ],
    ids=["alone", "people", "people and a computer", "learners"],
)
async def test_unless_the_host_decides_hints_are_for_those_alone_and_learners(
    store: Store, company: Company, *, allows: bool
) -> None:
    table = await started(make_tables(store), ANN, *company.people, computers=company.computers)
    assert table.hints == "auto"
    table = table if company.in_their_first_game else experienced(table)
    assert allows_hints(table, ANN.id) is allows
    assert allows_hints(replace(table, hints="on"), ANN.id)
    assert not allows_hints(replace(table, hints="off"), ANN.id)
