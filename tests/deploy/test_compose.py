"""The compose files: they run the image as `docker run` does in OPERATIONS, and their bot finds its database."""

from pathlib import Path

import pytest

from bot.settings import load
from bot.store.open_store import open_store
from tests.deploy import image
from tests.deploy.compose import FILES, services
from tests.postgres_server import PostgresServer
from tests.wire.bot_process import ROOT

WITH_POSTGRES = ROOT / "deploy/compose.postgres.yaml"


def test_compose_runs_the_bot_as_the_command_does() -> None:
    bot, given = services(ROOT / "deploy/compose.yaml")["bot"], image.given_to_run()
    assert (bot["container_name"], bot["image"]) == (given.name, given.image)
    assert bot["volumes"] == [given.v]
    assert bot["tmpfs"] == [given.tmpfs]
    assert bot["read_only"] == "true"
    assert given.read_only


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_containers_come_back_when_the_machine_has_restarted(file: Path) -> None:
    assert {service["restart"] for service in services(file).values()} == {"unless-stopped"}
    assert image.given_to_run().restart == "unless-stopped"


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_what_compose_builds_and_reads_is_in_the_checkout(file: Path) -> None:
    bot = services(file)["bot"]
    context = file.parent / bot["build"]["context"]
    assert (context / bot["build"]["dockerfile"]).is_file()
    assert (context / f"lock/{bot['build'].get('args', {}).get('LOCK', 'run')}.txt").is_file()
    assert (file.parent / bot["env_file"]).resolve() == ROOT / ".env"


async def test_the_bot_reaches_the_server_beside_it_by_its_socket(postgres: PostgresServer) -> None:
    there = services(WITH_POSTGRES)
    bot, server = there["bot"], there["database"]
    assert bot["depends_on"]["database"]["condition"] == "service_healthy"
    assert "pg_isready" in server["healthcheck"]["test"]
    (shared,) = bot["volumes"]
    volume, place = shared.split(":")
    assert f"{volume}:/var{place}" in server["volumes"], "the same folder by another name"
    address = load({"DATABASE_URL": bot["environment"]["DATABASE_URL"]}, Path("no file")).database
    assert isinstance(address, str)
    name = server["environment"]["POSTGRES_DB"]
    postgres.sql(f"CREATE DATABASE {name}")
    async with await open_store(f"{address.replace(place, str(postgres.folder))}&port={postgres.port}") as store:
        assert await store.lists.open_numbers() == ()
    postgres.sql(f"DROP DATABASE {name} WITH (FORCE)")
