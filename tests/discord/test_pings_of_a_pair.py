"""One ping an hour of one member by another: challenges, invitations and game nights share one quota."""

from tests.discord.play import Player, World
from tests.discord.seen import Seen
from tests.discord.tables import pings as asked_pings
from tests.discord.test_challenges import challenged
from tests.discord.test_invitations import invited
from tests.discord.test_nights import planned

HOUR = 3600.0


def pings(world: World, player: Player) -> int:
    """Return how often the player was pinged."""
    return sum(player.id in users for users in asked_pings(world))


async def withdraws(host: Player, offer: Seen) -> None:
    """Withdraw a challenge."""
    await host.clicks(offer, "Withdraw")
    await host.world.wait(1)


def offers(host: Player) -> list[Seen]:
    """Return the open challenges in the channel."""
    return [seen for seen in host.messages() if "Withdraw" in seen.labels]


async def test_a_challenge_that_is_withdrawn_and_sent_again_pings_once(world: World) -> None:
    ann, ben, cleo = world.people(3)
    await withdraws(ann, await challenged(ann, ben))
    for guest in (ben, ben, cleo):
        await ann.types("challenge", player=guest.member)
        await world.wait(1)
        await withdraws(ann, offers(ann)[-1])
    assert (pings(world, ben), pings(world, cleo)) == (1, 1)
    await cleo.types("challenge", player=ben.member)  # somebody else
    await world.wait(1)
    assert pings(world, ben) == 2
    await world.restart(HOUR)
    await ann.types("challenge", player=ben.member)
    await world.wait(1)
    assert pings(world, ben) == 3


async def test_a_challenge_and_an_invitation_share_the_ping(world: World) -> None:
    ann, ben, cleo = world.people(3)
    await challenged(ann, ben)
    await ann.types("pond open", players=4)
    await invited(ann, ben, cleo)
    await world.wait(200)
    assert (pings(world, ben), pings(world, cleo)) == (1, 1)
    await ann.types("challenge", player=cleo.member)
    await world.wait(1)
    assert pings(world, cleo) == 1


async def test_the_ping_of_a_night_that_was_asked_for_counts_for_the_others(world: World) -> None:
    ann, ben = world.people(2)
    await ben.clicks(await planned(ann), "I'm in")
    await world.wait(1.5 * HOUR)
    await challenged(ann, ben)
    assert pings(world, ben) == 1
    await world.wait(HOUR / 2 + 60)
    assert pings(world, ben) == 2  # they said that they're in
    await ann.types("challenge", player=ben.member)
    await world.wait(HOUR / 2)
    await ann.types("challenge", player=ben.member)
    await world.wait(60)
    assert pings(world, ben) == 2
