"""Replays on Discord: the pictures that were posted, who may see them, and when."""

import io
import random
import re

import discord
import pytest
from PIL import Image, ImageChops, ImageStat
from simcord.backend.errors import SetupError
from simcord.backend.models import Overwrite
from simcord.enums import OverwriteType

from bot import computer
from bot.ui.messages import replay_pages
from bot.ui.posts.text import EARLIER, LATER
from tests.discord.play import Player, World
from tests.discord.seen import Seen
from tests.discord.tables import fast_forward, started_in
from tests.waiting import until
from tests.world import walk


def picked(page: Seen) -> list[str]:
    """Return what the menus of a page show as picked."""
    options = [option for part in walk(page.components) for option in part.get("options", ())]
    return [option["value"] for option in options if option.get("default")]


async def plays_on(world: World, shown: dict[int, str], player: Player) -> None:
    """Play quickly to the end, and note the picture of each board by the number of entries."""
    while users := await world.tables.whose_turn(await world.tables.table(1)):
        sight = await world.tables.look(1, users[0])
        move = computer.choose("frogs", sight.observation, random.Random(1))
        await world.tables.play(1, users[0], str(move))
        await world.bot.live.refresh(1)
        await world.env.settle()
        await noted(world, shown, player)


async def noted(world: World, shown: dict[int, str], player: Player) -> None:
    """Note the picture of the board."""
    await until(lambda: bool(player.board.pictures))
    shown[len((await world.tables.transcript(1, unfinished=True)).entries)] = next(iter(player.board.pictures))


async def finished(world: World, people: list[Player]) -> dict[int, str]:
    """Play a whole game of Pond · frogs, and return the picture of each board by the number of entries."""
    shown: dict[int, str] = {}
    await started_in("frogs", people[0], people[1:])
    await noted(world, shown, people[0])
    await plays_on(world, shown, people[0])
    return shown


async def through(player: Player, page: Seen) -> list[Seen]:
    """Return every page of a replay from this one on, until the button is disabled."""
    pages = [page]
    count = re.search(r"[Mm]ove (\d+) of (\d+)", page.text)
    assert count is not None
    for _ in range(int(count[2]) - int(count[1])):
        pages.append(await player.clicks(pages[-1], LATER))
    with pytest.raises(SetupError, match="disabled"):
        await player.clicks(pages[-1], LATER)
    return pages


async def test_the_pictures_of_a_replay_are_those_that_were_posted(world: World) -> None:
    ann, ben = world.people(2)
    shown = await finished(world, [ann, ben])
    page = await ben.types("replay", table="1")
    assert page.is_private
    page = await ben.picks(page, "table")
    pages = await through(ben, page)
    assert [next(iter(each.pictures)) for each in pages] == [shown[ply] for ply in sorted(shown)]
    assert len({each.id for each in pages}) == 1
    assert pages[0].text.startswith("### Replay · Table ")
    back = await ben.clicks(pages[-1], f"|{EARLIER}")
    assert back.text == pages[0].text
    assert (await ben.picks(back, str(sorted(shown)[3]))).text == pages[3].text


async def test_a_jump_keeps_the_eyes_that_were_picked(world: World) -> None:
    ann, ben = world.people(2)
    shown = await finished(world, [ann, ben])
    page = await ben.types("replay", table="1")
    for eyes in [each for each in page.options if not each.isdecimal()]:
        page = await ben.picks(page, eyes)
        assert picked(page) == [eyes]
        page = await ben.picks(page, str(sorted(shown)[3]))
        assert picked(page) == [eyes]


async def test_a_replay_works_after_a_restart_and_for_spectators_who_see_the_channel(world: World) -> None:
    ann, ben, cleo = world.people(3)
    elsewhere = world.server.create_text_channel("elsewhere")
    await finished(world, [ann, ben])
    page = await cleo.types("replay", table="1")
    following = await cleo.clicks(page, LATER)
    await world.restart()
    assert (await cleo.clicks(following, EARLIER)).text == page.text
    page = await cleo.types("replay", at=elsewhere, table="1")
    denied = discord.Permissions(view_channel=True).value
    world.env.backend.set_overwrite(world.channel.id, Overwrite(cleo.id, OverwriteType.MEMBER, deny=denied))
    assert (await cleo.clicks(page, LATER)).text.startswith("I don't know this game.")
    refused = await cleo.types("replay", at=elsewhere, table="1")
    assert refused.text.startswith("There's no table 1 here.")


async def test_replay_lists_ones_games_and_begins_with_the_last(world: World) -> None:
    ann, ben, cleo = world.people(3)
    await finished(world, [ann, ben])
    (value,) = await ann.completes("replay", "table")
    assert await cleo.completes("replay", "table") == {}
    assert (await ann.types("replay", table=value)).text == (await ann.types("replay")).text
    assert (await cleo.types("replay")).text == "You haven't played a game yet. Open or join one."


@pytest.mark.parametrize("group", ["pontis", "pond"])
async def test_hands_and_the_deal_in_play_stay_secret_before_the_end(world: World, group: str) -> None:
    people = world.people(4)
    await started_in(group, people[0], people[1:], **({"history": "last", "players": 4} if group == "pond" else {}))
    for player in people[:2]:
        refused = await player.types("replay", table="1")
        assert refused.text.startswith("You can see this deal again when it's over.")


async def test_a_moment_is_shared_with_the_channel_of_the_table(world: World) -> None:
    ann, ben, cleo = world.people(3)
    await finished(world, [ann, ben])
    page = await ann.clicks(await ann.types("replay", table="1"), LATER)
    shared = await ann.clicks(page, "Share")
    assert not shared.is_private
    assert shared.pictures == page.pictures
    assert shared.text == page.text
    assert (await cleo.clicks(shared, "Replay")).text == page.text
    elsewhere = world.server.create_text_channel("elsewhere")
    page = await ann.types("replay", at=elsewhere)
    for label in ("Share", "GIF"):
        assert (await ann.clicks(page, label)).text.startswith("Share it where the game was: ")


async def test_nothing_offers_to_share_a_moment_where_nobody_else_reads_it(world: World) -> None:
    ann, ben = world.people(2)
    await finished(world, [ann, ben])
    page = await ann.types("replay", at=ann.dm)
    assert page.channel_id == ann.dm.id
    for _ in range(2):
        assert not {"Share", "GIF"} & {*page.labels}, page.labels
        page = await ann.clicks(page, LATER)
    assert {"Share", "GIF"} <= {*(await ann.types("replay")).labels}


async def test_a_gif_has_a_frame_for_each_turn_and_plays_once(world: World) -> None:
    ann, ben = world.people(2)
    shown = await finished(world, [ann, ben])
    page = await ann.picks(await ann.types("replay", table="1"), "table")
    asked = await ann.clicks(page, "GIF")
    gif = await ann.clicks(asked, "The whole game")
    assert not gif.is_private
    assert ann.now(asked).text == "The GIF will appear in the channel."
    ((name, alt),) = gif.pictures.items()
    assert name.endswith(".gif")
    assert "begins" in alt
    content = content_of(world, name)
    assert len(content) < 4_000_000
    with Image.open(io.BytesIO(content)) as film:
        assert (getattr(film, "n_frames", 1), film.info.get("loop")) == (len(shown), None)
        for number, ply in enumerate(sorted(shown)):
            film.seek(number)
            with Image.open(io.BytesIO(content_of(world, shown[ply]))) as picture:
                if picture.height > film.height:  # the result, which is high, fits the boards
                    assert ply == max(shown)
                    assert unlike(film.convert("RGB"), picture.convert("RGB")) < 4
                    continue
                assert picture.height == film.height
                frame = film.convert("RGB").crop((0, 0, *picture.size))
                assert frame.tobytes() == picture.convert("RGB").tobytes()


def unlike(frame: Image.Image, picture: Image.Image) -> float:
    """Return by how much, of 255, a frame differs on average from a picture that was made as high as it."""
    small = picture.resize((picture.width * frame.height // picture.height, frame.height))
    left = (frame.width - small.width) // 2
    part = frame.crop((left, 0, left + small.width, frame.height))
    return sum(ImageStat.Stat(ImageChops.difference(part, small)).mean) / 3


async def test_a_gif_says_who_won_and_its_question_leads_back(world: World) -> None:
    """Its description has no markup."""
    ann, ben = world.people(2)
    await finished(world, [ann, ben])
    page = await ann.types("replay", table="1")
    asked = await ann.clicks(page, "GIF")
    assert (await ann.clicks(asked, "Back")).text == page.text
    gif = await ann.clicks(await ann.clicks(ann.now(asked), "GIF"), "The whole game")
    (alt,) = gif.pictures.values()
    assert "-#" not in alt
    assert "**" not in alt
    winner = next(line for line in ann.board.text.splitlines() if "wins" in line).strip("*# ")
    assert winner in gif.text


async def test_a_gif_of_a_deal_goes_on_to_what_its_last_card_led_to(world: World) -> None:
    ann, ben = world.people(2)
    await started_in("pond", ann, [ben], rounds=2)
    await fast_forward(world, lambda seen: seen.outcome is not None)
    glimpse = await world.tables.replays.look(1, ann.id)
    shown = [glimpse.moments[at].deal for at in replay_pages.film_of(glimpse, "deal")]
    assert shown[-2:] == [0, 1]
    assert set(shown[:-1]) == {0}
    last = await world.tables.replays.look(1, ann.id, glimpse.moments[-1].ply)
    assert replay_pages.film_of(last, "deal")[-1] == len(glimpse.moments) - 1


async def test_sharing_the_beginning_shares_the_end(world: World) -> None:
    """At the beginning, nothing has happened that others would like to see."""
    ann, ben = world.people(2)
    await finished(world, [ann, ben])
    page = await ann.types("replay", table="1")
    end = await ann.clicks(page, f"{LATER}|")
    assert (await ann.clicks(await ann.clicks(end, f"|{EARLIER}"), "Share")).text == end.text


def content_of(world: World, name: str) -> bytes:
    """Return the content of a file on Discord."""
    return next(content for url, content in world.env.backend.cdn._blobs.items() if name in url)


@pytest.mark.parametrize("group", ["pond", "frogs"])
async def test_a_game_is_played_on_against_computers_and_counts_nowhere(world: World, group: str) -> None:
    ann, ben = world.people(2)
    await started_in(group, ann, [ben])
    for _ in range(3):
        user, *_ = await world.tables.whose_turn(await world.tables.table(1))
        move = (await world.tables.look(1, user)).observation.legal[0]
        await world.tables.play(1, user, str(move))
    await world.tables.resign(1, ann.id)
    await world.bot.live.refresh(1)
    page = await ann.types("replay")
    assert "Play on from here" not in page.labels
    page = await ann.picks(page, "seat1")
    said = await ann.clicks(page, "Play on from here")
    assert said.is_private
    assert "It counts nowhere." in said.text
    await world.env.settle()
    table, before = await world.tables.table(2), await world.tables.transcript(1)
    first = (await world.tables.replays.look(1, ann.id)).moment.ply
    assert table.continues == ((await world.tables.table(1)).name, first)
    assert [(sitter.user_id, sitter.nth_game) for sitter in table.sitters] == [(None, 0), (ann.id, 2)]
    played = await world.tables.transcript(2, unfinished=True)
    assert played.entries[:first] == before.entries[:first]
    assert played.fairness is None
    assert "played on" in ann.dms[-1].text
    assert table.place.guild_id is None
    await world.tables.resign(2, ann.id)
    assert (await world.tables.table(2)).status == "over"
    assert await world.store.lists.finished(ann.id, table.game) == 1


async def test_a_marked_moment_is_in_the_menu_of_the_player_alone(world: World) -> None:
    ann, ben = world.people(2)
    await started_in("frogs", ann, [ben])
    said = await ann.clicks_through(ann.board, "More", "Mark")
    assert said.text.startswith("Marked.")
    assert said.is_private
    await world.tables.resign(1, ann.id)
    assert "★ Your mark" in (await ann.types("replay")).options.values()
    assert "★ Your mark" not in (await ben.types("replay")).options.values()
