"""Tests of translating statements to PostgreSQL."""

import pytest

from bot.store.database import NOW
from bot.store.postgres.translation import arguments, translate


@pytest.mark.parametrize(
    ("statement", "text", "keys"),
    [
        ("VALUES (?, ?)", "VALUES ($1, $2)", (0, 1)),
        ("a = ?2 OR b = ?1 OR c = ?2", "a = $1 OR b = $2 OR c = $1", (1, 0)),
        ("a = :user AND b IN (:table, :user)", "a = $1 AND b IN ($2, $1)", ("user", "table")),
        ("a = 'Who? it''s :me' AND b = ?", "a = 'Who? it''s :me' AND b = $1", (0,)),
        ("a IS :a AND b IS NULL", "a IS NOT DISTINCT FROM $1 AND b IS NULL", ("a",)),
        ("name = ?1 COLLATE NOCASE", 'lower(name) = lower(CAST($1 AS TEXT) COLLATE "C")', (0,)),
        (f"at < {NOW} + ?", "at < CAST(extract(epoch FROM clock_timestamp()) AS DOUBLE PRECISION) + $1", (0,)),
        (
            "SELECT value FROM json_each(?) WHERE true",
            (
                "SELECT value FROM (SELECT CAST(item AS BIGINT) AS value"
                " FROM json_array_elements_text(CAST($1 AS JSON)) AS item) AS items WHERE true"
            ),
            (0,),
        ),
        ("json_group_array(json_array(a, b))", "json_agg(json_build_array(a, b))", ()),
        (
            "json_object('a', json(CASE a WHEN 0 THEN 'false' ELSE 'true' END))",
            "json_build_object('a', CAST(CASE a WHEN 0 THEN 'false' ELSE 'true' END AS JSON))",
            (),
        ),
        ("lower(hex(seed))", "encode(seed, 'hex')", ()),
        ("instr(lower(name), ?2) > 0", "strpos(lower(name), $1) > 0", (1,)),
    ],
)
def test_statements_are_translated(statement: str, text: str, keys: tuple[int | str, ...]) -> None:
    assert translate(statement) == (text, keys)


def test_values_are_ordered_as_they_are_used() -> None:
    assert arguments((1, 0), ("first", "second")) == ["second", "first"]
    assert arguments(("user", "table"), {"table": 1, "user": 2, "unused": 3}) == [2, 1]
