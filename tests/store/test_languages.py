"""The languages of users and servers, as they are stored."""

from bot.records.preference import Server, UserSettings
from tests.databases import Database


async def test_users_have_the_language_of_their_app_unless_they_chose_one(database: Database) -> None:
    async with await database.open() as store:
        assert await store.languages.report(1, "de", None, None) == ("de", "pictures")
        await store.users.set_settings(1, UserSettings(language="en", hands="text"))
        assert await store.languages.report(1, "de", None, None) == ("en", "text")
        await store.users.set_settings(1, UserSettings())
        assert await store.languages.report(1, "de", None, None) == ("de", "pictures")
        assert await store.languages.report(1, None, None, None) == (None, "pictures")


async def test_a_server_keeps_its_language_beside_its_settings(database: Database) -> None:
    async with await database.open() as store:
        await store.languages.report(1, None, 5, "de")
        assert await store.languages.of_server(5) == "de"
        assert await store.servers.settings(5) == Server(5)
        await store.servers.save(Server(5, clock="day"))
        assert await store.languages.of_server(5) == "de"
        await store.servers.save(Server(5, clock="day", language="en"))
        assert await store.languages.of_server(5) == "en"


async def test_nothing_is_stored_of_users_and_servers_that_are_english(database: Database) -> None:
    async with await database.open() as store:
        await store.languages.report(1, None, 5, None)
        assert not (await store.personal_data.kept(1))["settings"]
        assert await store.languages.of_server(5) is None
