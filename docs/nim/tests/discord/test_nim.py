"""Games of Nim on the simulated Discord."""

from bot.tables.events import WEEK
from tests.discord.play import Player, World
from tests.discord.tables import legal, started_in
from tests.discord.test_challenges import challenged
from tests.waiting import until


async def takes(player: Player, moves: list[str]) -> None:
    """Take one stone, or the last ones."""
    await player.types("nim take", stones=moves[0][-1])


async def test_a_game_against_a_computer_is_played_to_its_end(world: World) -> None:
    ann = world.person("Ann")
    await started_in("nim", ann, computers=1)
    while moves := await legal(world, ann):
        await takes(ann, moves)
    assert (await world.tables.table(1)).status == "over"
    assert "wins" in ann.board.text


async def test_hints_and_reviews_name_the_reason(world: World) -> None:
    ann, ben = world.people(2)
    await started_in("nim", ann, [ben], hints="on")
    first, *_ = [player for player in (ann, ben) if player.id in await world.tables.whose_turn(await world.tables.table(1))]
    await takes(first, ["take 1"])
    second = ben if first is ann else ann
    assert "a multiple of four" in (await second.types("hint")).text
    await takes(second, ["take 1"])  # 3 would have been better
    while moves := await legal(world, first) or await legal(world, second):
        mover = first if await legal(world, first) else second
        await takes(mover, moves)
    page = await second.clicks(await second.types("replay"), "Review")
    asked = await second.clicks(page, "Moment 1")
    assert "a multiple of four" in (await second.picks(asked, "take 1")).text


async def test_it_can_be_challenged_to_and_is_among_the_dailies(world: World) -> None:
    ann, ben = world.people(2)
    offer = await challenged(ann, ben, game="nim", deals=1)
    assert "Nim" in offer.text
    assert "nim" in {game for game, _form in WEEK}
    await ann.types("duplicate", game="nim")
    await until(lambda: any("🔁 Duplicate · Nim" in seen.text for seen in ann.messages()))
