"""Who owns the application: one person, or a team with roles on Discord's developer portal."""

import discord

_ROLES = frozenset({discord.TeamMemberRole.admin, discord.TeamMemberRole.developer})


def owners(client: discord.Client) -> tuple[int, ...]:
    """Return the owner, first, and the members of the team who may run the bot."""
    application = client.application
    if application is None:
        return ()
    if application.team is None:
        return (application.owner.id,)
    accepted = discord.TeamMembershipState.accepted
    members = (each for each in application.team.members if each.membership_state is accepted)
    ids = [member.id for member in members if member.role in _ROLES]
    return tuple(dict.fromkeys([*([application.team.owner_id] if application.team.owner_id else []), *ids]))


def is_owner(client: discord.Client, user_id: int) -> bool:
    """Whether the user may see how the bot is."""
    return user_id in owners(client)
