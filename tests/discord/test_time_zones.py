"""Time zones by name in ``/settings``, and the question to those who only gave hours from UTC."""

from bot.records.preference import UserSettings
from tests.discord.play import Player, World

HOUR = 3600.0


def questions(player: Player) -> list[str]:
    """Return the questions for a time zone that the player has been asked."""
    return [seen.text for seen in player.messages() if "Where do you live?" in seen.text]


async def test_a_zone_is_chosen_by_name_with_autocomplete_and_exported(world: World) -> None:
    (ann,) = world.people(1)
    offered = await ann.completes("settings", "timezone", "berl")
    assert list(offered) == ["Europe/Berlin"]
    assert offered["Europe/Berlin"].startswith("Europe/Berlin (UTC+0")
    assert len(await ann.completes("settings", "timezone")) == 24
    page = await ann.types("settings", timezone="berlin")
    assert "**Time zone** Europe/Berlin (UTC+0" in page.text
    assert "summer time" not in page.text
    assert (await world.tables.users.settings(ann.id)).timezone == "Europe/Berlin"
    (exported,) = (await world.tables.personal_data.kept(ann.id))["settings"]
    assert exported["timezone"] == "Europe/Berlin"


async def test_hours_from_utc_keep_working_and_say_that_a_place_is_better(world: World) -> None:
    (ann,) = world.people(1)
    page = await ann.types("settings", quiet="22:00-8:00", timezone="+2")
    assert "**Time zone** UTC+02:00." in page.text
    assert "This zone has no summer time. If yours has, pick a place." in page.text
    await ann.types("tables")
    assert questions(ann) == []
    refusal = await ann.types("settings", timezone="Atlantis")
    assert "Pick your time zone from the list" in refusal.text


async def test_users_with_hours_from_utc_are_asked_once_for_their_zone(world: World) -> None:
    ann, ben = world.people(2)
    await world.tables.users.set_settings(ann.id, UserSettings(quiet=(22 * 60, 8 * 60), utc_offset=60))
    for player in (ann, ben):
        await player.types("tables")
    (question,) = [seen for seen in ann.messages() if "Where do you live?" in seen.text]
    assert question.is_private
    assert "UTC+01:00" in question.text
    assert questions(ben) == []
    page = await ann.picks(question, "Europe/Berlin")
    assert "**Time zone** Europe/Berlin" in page.text
    await ann.types("tables")
    await world.restart()
    await ann.types("tables")
    assert questions(ann) == []  # the page has replaced it


async def test_an_answer_that_keeps_the_hours_from_utc_is_remembered(world: World) -> None:
    (ann,) = world.people(1)
    await world.tables.users.set_settings(ann.id, UserSettings(utc_offset=330))
    await ann.types("tables")
    (question,) = [seen for seen in ann.messages() if "Where do you live?" in seen.text]
    assert "**Time zone** UTC+05:30" in (await ann.picks(question, "UTC+05:30")).text
    await world.restart()
    await ann.types("tables")
    assert questions(ann) == []
