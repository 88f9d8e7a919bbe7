"""Tests of addresses of PostgreSQL databases."""

from pathlib import Path
from urllib.parse import urlsplit

import pytest

from bot import settings
from bot.database_url import parse
from bot.errors import SettingsError


@pytest.mark.parametrize(
    ("url", "name", "addresses"),
    [
        ("postgres://db.example/pond", "pond on db.example", ["postgresql://db.example/pond"]),
        (
            "postgresql+psycopg://lily:p%40ss@[::1]:5433/pond",
            "pond on [::1]:5433",
            ["postgresql://lily:p%40ss@[::1]:5433/pond"],
        ),
        (
            "postgresql://lily:a:b@one,two:5433/pond?sslmode=require",
            "pond on one, two:5433",
            [f"postgresql://lily:a%3Ab@{host}/pond?sslmode=require" for host in ("one", "two:5433")],
        ),
        (
            "postgresql://[::1]:1,[::2]:2/pond",
            "pond on [::1]:1, [::2]:2",
            ["postgresql://[::1]:1/pond", "postgresql://[::2]:2/pond"],
        ),
        (
            "postgresql:///pond?host=/run/postgresql&port=5433&user=lily&password=p%2Fs",
            "pond on /run/postgresql:5433",
            ["postgresql://lily:p%2Fs@%2Frun%2Fpostgresql:5433/pond"],
        ),
        ("postgresql://lily@%2Frun/pond", "pond on /run", ["postgresql://lily@%2Frun/pond"]),
        (
            "postgresql://?host=::1,two&port=1,2&dbname=pond",
            "pond on [::1]:1, two:2",
            ["postgresql://[::1]:1/pond", "postgresql://two:2/pond"],
        ),
        ("postgresql://h/pond?ssl=true", "pond on h", ["postgresql://h/pond?sslmode=require"]),
        (
            "postgresql://h/pond?sslmode=verify-full&sslrootcert=system",
            "pond on h",
            ["postgresql://h/pond?sslmode=verify-full"],
        ),
    ],
)
def test_addresses_are_taken_apart(url: str, name: str, addresses: list[str]) -> None:
    parsed = parse(url)
    assert parsed.name == name
    assert [parsed.on(host) for host in parsed.hosts] == addresses


@pytest.mark.parametrize(
    "url",
    [
        *(f"postgresql://lily:sec{special}ret@db.example/pond" for special in "@/?#"),
        *(f"postgresql://lily:sec{special}ret@db.example/pond?sslmode=require" for special in "@/?#"),
        *("postgresql://lily:sec?a=b&ret@db.example/pond", "postgresql://lily:1#secret@db.example:5432/pond"),
        *("postgresql://lily:123/secret@db.example/pond", "host=db.example user=lily password=secret dbname=pond"),
        *("postgresql://lily@db.example/pond?password=sec@ret", "postgresql://lily@db.example/pond?password=secret#"),
        *("jdbc:postgresql://db.example/pond?user=lily&password=secret", "postgresql://db.example:secret/pond"),
        *(
            "postgresql://lily:secret@h:99999/pond",
            "postgresql://lily:secret@::1/pond",
            "postgresql://lily:secret@h/pond?sslmode=verify",
        ),
        *("postgresql://lily:secret@h/pond?gssencmode=require", "postgresql://h/pond?password=secret&replication=true"),
        *("postgresql://lily:secret@h/pond?host=a,b&port=1,2,3&target_session_attrs=standby",),
        *("postgresql://lily:secret@h/pond?sslmode=require&sslrootcert=system",),
        *("postgresql://lily:secret@h/pond?sslnegotiation=direct",),
    ],
)
def test_a_refused_address_never_shows_its_password(url: str) -> None:
    with pytest.raises(SettingsError) as caught:
        settings.load({"DATABASE_URL": url}, Path("none"))
    (sentence,) = caught.value.sentence.splitlines()
    assert not any(part in sentence for part in ("secret", "sec", "ret"))


@pytest.mark.parametrize(
    "url",
    [
        *(
            "postgresql://lily:secret@h/pond",
            "postgresql://h/pond?user=lily&password=secret",
            "postgres://:secret@h/pond",
        ),
        *(
            "postgresql://lily:sec%40secret@h,two/pond?sslpassword=secret",
            "postgresql://lily:secret@[::1]/pond?a=secret",
        ),
        "postgresql://lily:secret@h/pond?secret%20is%20this=1",
    ],
)
def test_what_is_said_about_an_address_never_shows_its_password(url: str) -> None:
    parsed = parse(url)
    for said in (repr(parsed), parsed.name, settings.shown(url), ", ".join(parsed.ignored)):
        assert "secret" not in said
    assert "secret" in "".join(map(parsed.on, parsed.hosts)) or "a=secret" in url or "%20" in url


@pytest.mark.parametrize(
    ("url", "role"),
    [
        ("postgresql://h/pond", "any"),
        ("postgresql://one,two/pond", "primary"),
        ("postgresql://one,two/pond?target_session_attrs=read-write", "read-write"),
    ],
)
def test_of_several_hosts_the_one_that_can_be_written_to_is_wanted(url: str, role: str) -> None:
    assert parse(url).role == role


def test_a_password_reaches_the_driver_unchanged() -> None:
    parsed = parse("postgresql://li%3Aly:%40%2F%3F%23%3A%25@h/po%2Fnd")
    read = urlsplit(parsed.on("h"))
    assert (read.username, read.password, read.path) == ("li%3Aly", "%40%2F%3F%23%3A%25", "/po%2Fnd")
