"""What simulated people do: they press what they see, type commands, chat, and sometimes everything at once."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final

from simcord.backend import Backend, serializers
from simcord.backend.access import message_accessible
from simcord.backend.models import Interaction, Message
from simcord.enums import ComponentType, InteractionType

from bot.games import GAMES
from bot.ui.posts.custom_id import Press
from tests.evenings.faults import Faults
from tests.evenings.story import Story
from tests.world import command_data, interaction, walk

GROUPS: Final = ("pond", "frogs", "pontis", "potblack")

_LOOKED_AT: Final = 8
"""How many messages somebody looks at in each place, the newest ones."""
_MOVES: Final = frozenset({"pick", "play", "frogs-from", "frogs-to", "pontis-top", "chips-at"})
_WEIGHTS: Final[Mapping[str, float]] = {
    **dict.fromkeys(_MOVES, 30),
    **dict.fromkeys(("join", "start", "start-filled", "daily-play", "match-accept", "match-play", "match-begin"), 20),
    **dict.fromkeys(("undo-yes", "night-in", "again", "match-join", "agree-end", "agree-concede"), 8),
    **dict.fromkeys(("hand", "undo", "computer", "table", "undo-no", "ask-undo", "away", "propose"), 3),
    **dict.fromkeys(("resign", "leave", "close", "privacy_delete", "step-out", "match-withdraw"), 0.4),
    **dict.fromkeys(("rules", "topic", "help", "learn", "lesson", "puzzle", "puzzles", "replay-to", "replay-gif"), 0.2),
}
"""How likely a button or a menu is used, by its verb; others have 1."""

_TEXTS: Final = ("21:30", "in 20 minutes", "17", "ö", "Europe/Berlin", "22:00-08:00", "3 days", "a text of mine", "")


def _opens(rng: Random) -> tuple[str, dict[str, Any]]:
    group = rng.choice(GROUPS)
    options: dict[str, Any] = {}
    if rng.random() < 0.5:
        options["computers"] = 1
    if rng.random() < 0.3:
        options["clock"] = rng.choice(("1d", "1h", "none"))
    return f"{group} open", options


def _at_game(rng: Random) -> tuple[str, dict[str, Any]]:
    verbs = ("hand", "board", "undo", "join", "start", "leave", "resign")
    (verb,) = rng.choices(verbs, (4, 4, 4, 4, 4, 0.5, 0.5))
    group = rng.choice(GROUPS[:1] if verb == "hand" else GROUPS)
    return f"{group} {verb}", {}


def _settings(rng: Random) -> tuple[str, dict[str, Any]]:
    options = {
        "pings": ("on", "off", "digest"),
        "hands": ("pictures", "text"),
        "frogs": ("buttons", "menu"),
        "language": ("automatic", "de", "en"),
        "quiet": ("22:00-08:00", "off"),
        "away": ("5 days", "off", "tomorrow 9:00"),
        "tips": ("on", "off"),
        "forced": ("on", "off"),
        "ranking": ("on", "off"),
        "timezone": ("Europe/Berlin", "+2"),
    }
    return "settings", {name: rng.choice(options[name]) for name in rng.sample(sorted(options), rng.choice((0, 1, 2)))}


def _plain(rng: Random) -> tuple[str, dict[str, Any]]:
    return rng.choice(("tables", "tables", "daily", "friends", "help", "hint", "why", "replay", "privacy")), {}


def _night(rng: Random) -> tuple[str, dict[str, Any]]:
    return "night", {"when": rng.choice(("in 15 minutes", "in 20 minutes", "22:00", "tomorrow 3:00"))}


def _duplicate(rng: Random) -> tuple[str, dict[str, Any]]:
    forms = [form for game in GAMES.values() for form in game.duplicates]
    return "duplicate", {"game": rng.choice(forms), "deals": 1}


_COMMANDS: Final = {_opens: 4, _at_game: 6, _settings: 2, _plain: 5, _night: 1, _duplicate: 0.3}


@dataclass
class Person:
    """Somebody on the server, who acts in steps. ``others`` are the other people."""

    name: str
    id: int
    backend: Backend
    channel_id: int
    faults: Faults
    story: Story
    pace_s: float
    others: list[int] = field(default_factory=list)
    open_forms: list[Interaction] = field(default_factory=list)
    sent: list[Interaction] = field(default_factory=list)
    steps: int = 0

    def acts(self) -> None:
        """Take the next step. It is drawn from what the person sees, and from its number."""
        self.steps += 1
        key = f"{self.name} {self.steps}"
        rng = self.faults.draw(key)
        if self.faults.leaves_out(key):
            return
        kind = rng.random()
        if self.open_forms:
            self._submits(rng, self.open_forms.pop(), key)
        elif kind < 0.8:
            self._presses(rng, key)
        elif kind < 0.95:
            self._types(rng, key)
        elif kind < 0.98:
            self.story.tell(f"{self.name} chats")
            self.backend.create_message(self.channel_id, self.id, content="nice")
        else:
            self._presses(rng, key)
            self._presses(rng, f"{key} again")

    # ---- what they see

    def sees(self) -> Iterator[Message]:
        """Yield the newest messages that they see in each place."""
        for place in self.places():
            every = self.backend.messages.get(place, {})
            seen = [each for each in every.values() if message_accessible(self.backend, place, each, self.id)]
            yield from sorted(seen, key=lambda each: each.id)[-_LOOKED_AT:]

    def places(self) -> Iterator[int]:
        """Yield the channels and threads where they look."""
        yield from [
            number
            for number, channel in self.backend.channels.items()
            if channel.guild_id or self.id in channel.recipient_ids
        ]

    def _uses(self) -> Iterator[tuple[float, Message, Mapping[str, Any], str]]:
        """Yield whatever can be used: its weight, its message, the component, and how that is called."""
        for message in self.sees():
            for part in walk(message.components):
                custom_id = part.get("custom_id")
                press = custom_id and Press.parse(custom_id)
                if not press or part.get("disabled"):
                    continue
                yield _WEIGHTS.get(press.verb, 1.0), message, part, part.get("label") or press.verb

    # ---- what they do

    def _presses(self, rng: Random, key: str) -> None:
        uses = list(self._uses())
        if not uses:
            self._types(rng, key)
            return
        ((_, message, part, name),) = rng.choices(uses, [use[0] for use in uses])
        data: dict[str, Any] = {"custom_id": part["custom_id"], "component_type": int(part["type"])}
        if part["type"] != ComponentType.BUTTON:
            data |= self._picked(rng, part)
        record, payload = interaction(self.backend, InteractionType.MESSAGE_COMPONENT, self.id, message, data)
        self._sends(key, record, payload, f"uses {name!r} {data['custom_id']} {data.get('values', '')}")

    def _picked(self, rng: Random, menu: Mapping[str, Any]) -> dict[str, Any]:
        if menu["type"] == ComponentType.STRING_SELECT:
            return {"values": [rng.choice(menu["options"])["value"]]}
        if menu["type"] == ComponentType.USER_SELECT:
            user = self.backend.get_user(rng.choice(self.others))
            return {"values": [str(user.id)], "resolved": self._resolved(user.id)}
        return {"values": [str(self.channel_id)], "resolved": {"channels": {}}}

    def _resolved(self, user_id: int) -> dict[str, Any]:
        guild = self.backend.guilds[self.backend.channels[self.channel_id].guild_id or 0]
        member = dict(serializers.member_payload(self.backend, guild, guild.members[user_id], with_user=False))
        user = dict(serializers.user_payload(self.backend.get_user(user_id)))
        return {"users": {str(user_id): user}, "members": {str(user_id): member}}

    def _types(self, rng: Random, key: str) -> None:
        if rng.random() < 0.1 and self.others:
            self._challenges(rng, key)
            return
        (kind,) = rng.choices(list(_COMMANDS), list(_COMMANDS.values()))
        command, options = kind(rng)
        where = rng.choice((self.channel_id, self.channel_id, self.backend.get_dm_channel(self.id).id))
        if command in {"night", "duplicate"}:
            where = self.channel_id
        self._commands(key, command, options, where)

    def opens(self, command: str, **options: Any) -> None:
        """Open the first table of the evening."""
        self._commands(f"{self.name} 0", command, options, self.channel_id)

    def _commands(self, key: str, command: str, options: dict[str, Any], where: int, **more: Any) -> None:
        if self.backend.find_command(command.partition(" ")[0], None) is None:
            return  # the bot hasn't registered its commands yet
        data = command_data(self.backend, command, options) | more
        record, payload = interaction(self.backend, InteractionType.APPLICATION_COMMAND, self.id, where, data)
        self._sends(key, record, payload, f"types /{command} {options}")

    def _challenges(self, rng: Random, key: str) -> None:
        other = rng.choice(self.others)
        options = {"player": str(other), "deals": 1}
        self._commands(key, "challenge", options, self.channel_id, resolved=self._resolved(other))

    def _submits(self, rng: Random, form: Interaction, key: str) -> None:
        spec = form.modal or {}
        fields = [part for part in _fields(spec.get("components", ())) if part["type"] == ComponentType.TEXT_INPUT]
        values = [{"type": 4, "custom_id": each["custom_id"], "value": rng.choice(_TEXTS)} for each in fields]
        data = {"custom_id": spec["custom_id"], "components": [{"type": 18, "component": each} for each in values]}
        where: int | Message = form.channel_id
        source = self.backend.messages.get(form.channel_id, {}).get(form.source_message_id or 0)
        record, payload = interaction(self.backend, InteractionType.MODAL_SUBMIT, self.id, source or where, data)
        self._sends(key, record, payload, f"fills in {spec['custom_id']} {[each['value'] for each in values]}")

    def _sends(self, key: str, record: Interaction, payload: dict[str, Any], what: str) -> None:
        times = 1
        if self.faults.happens(f"delivery of {key}", self.faults.of_events):
            times = self.faults.draw(f"times of {key}").choice((0, 2, 2))
        self.story.tell(
            f"{self.name} {what} ({key})", fault={0: "never delivered", 2: "delivered twice"}.get(times, "")
        )
        self.sent.append(record)
        for _ in range(times):
            self.backend.emit("INTERACTION_CREATE", payload)

    def notices_forms(self) -> None:
        """Notice the forms that the bot has opened for this person."""
        for record in self.sent[-3:]:
            if record.modal is not None and not record.modal_consumed:
                record.modal_consumed = True
                self.open_forms.append(record)


def _fields(components: Any) -> Iterator[Mapping[str, Any]]:
    for part in components:
        yield part
        if "component" in part:
            yield part["component"]
        yield from _fields(part.get("components", ()))
