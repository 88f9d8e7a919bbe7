"""Finished rounds are scored in messages of their own."""

from bot.games.pond.state import Observation
from tests.discord.play import Player, World
from tests.discord.seen import Seen
from tests.discord.tables import fast_forward, play_on, started
from tests.discord.test_wording import lose_answers, posted


def scores(player: Player) -> list[Seen]:
    """Return the scores in the channel, oldest first."""
    return [seen for seen in player.messages() if not seen.is_private and " scored**" in seen.text]


def one_round(seen: Observation) -> bool:
    return len(seen.rounds) == 1


async def scored(world: World) -> list[Player]:
    """Play the first round of a table of two, and return its players."""
    people = world.people(2)
    await started(people[0], people[1:], rounds=2)
    await fast_forward(world, one_round)
    return people


async def test_a_round_is_scored_in_one_message_above_the_board(world: World) -> None:
    ann, ben = await scored(world)
    (score,) = scores(ann)
    assert "**Totals**: Ann " in score.text
    assert score.id < ann.board.id
    assert "**Totals**" not in ann.board.text
    assert not any("**Totals**" in seen.text for player in (ann, ben) for seen in player.dms)
    details = await ben.clicks(score, "Details")
    assert details.is_private
    assert "(set aside)" in details.text
    await play_on(world, [ann, ben], lambda seen: seen.phase == "bait")
    assert scores(ann) == [score]


async def test_a_score_is_posted_if_the_last_board_is_gone(world: World) -> None:
    ann, ben = world.people(2)
    await started(ann, [ben], rounds=2)
    world.breaks("PATCH", f"/channels/{world.channel.id}/messages/*", 404, 10008, times=None)
    await fast_forward(world, one_round)
    world.mends()
    (score,) = scores(ann)
    await play_on(world, [ann, ben], lambda seen: seen.phase == "bait")
    assert scores(ann) == [score]
    assert score.id < ann.board.id


async def test_the_last_round_is_scored_in_the_result_alone(world: World) -> None:
    ann, _ben = await scored(world)
    first = scores(ann)
    await fast_forward(world, lambda seen: seen.outcome is not None)
    assert scores(ann) == first


async def test_the_score_of_a_round_that_is_taken_back_is_deleted(world: World) -> None:
    ann, ben = await scored(world)
    (score,) = scores(ann)
    last = [
        entry.seat for entry in (await world.tables.transcript(1, unfinished=True)).entries if entry.seat is not None
    ]
    asker, other = (ann, ben) if last[-1] == 0 else (ben, ann)
    await asker.types("pond undo")
    await other.clicks(next(seen for seen in other.messages() if "Agree" in seen.labels), "Agree")
    assert scores(ann) == []
    await fast_forward(world, one_round)
    (again,) = scores(ann)
    assert again.id > score.id


async def test_a_score_that_a_moderator_deletes_stays_away(world: World) -> None:
    ann, ben = await scored(world)
    world.deletes(scores(ann)[0])
    await world.env.settle()
    await play_on(world, [ann, ben], lambda seen: seen.phase == "bait")
    await world.restart()
    assert scores(ann) == []


async def test_a_score_is_not_doubled_by_a_crash(world: World) -> None:
    ann, _ben = await scored(world)
    before, posts = scores(ann), posted(world)
    await world.crash(lambda: lose_answers(world))
    assert scores(ann) == before
    assert posted(world) == posts


async def test_a_score_whose_post_failed_is_posted_after_a_crash(world: World) -> None:
    people = world.people(2)
    await started(people[0], people[1:], rounds=2)
    world.breaks("POST", f"/channels/{world.channel.id}/messages", 500, times=None)
    await fast_forward(world, one_round)
    assert scores(people[0]) == []

    async def mends() -> None:
        world.mends()

    await world.crash(mends)
    assert len(scores(people[0])) == 1


async def test_where_the_bot_may_not_post_the_board_is_edited(world: World) -> None:
    people = world.people(2)
    board = await started(people[0], people[1:], rounds=2)
    world.breaks("POST", f"/channels/{world.channel.id}/messages", 403, 50013, times=None)
    await fast_forward(world, one_round)
    assert scores(people[0]) == []
    assert people[0].board.id == board.id
    assert "round 2 of 2" in people[0].board.text


async def test_a_score_keeps_the_name_of_a_player_for_whom_a_computer_plays_on(world: World) -> None:
    ann, ben = await scored(world)
    (score,) = scores(ann)
    page = await ben.types("pond leave")
    await ben.clicks(page, "Let a computer play for me")
    assert "until they come back" in ann.board.text
    assert scores(ann) == [score]
