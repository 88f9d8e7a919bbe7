"""Somebody who types every command and presses whatever they see, least used things first."""

import itertools
import random
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from typing import Any, Final

from simcord.backend import serializers
from simcord.enums import ComponentType, InteractionType, OptionType
from simcord.interactions import command_leaves

from tests.wire.objects import Interaction, Message
from tests.wire.people import Person
from tests.world import Json, command_data, walk

_SEEN: Final = 8
"""The number of the last messages in which somebody presses."""
_MENUS: Final = frozenset({ComponentType.STRING_SELECT, ComponentType.USER_SELECT})
_SUBCOMMANDS: Final = frozenset({OptionType.SUBCOMMAND, OptionType.SUBCOMMAND_GROUP})
ENDING: Final = frozenset({"privacy_delete", "closed", "ended", "match-withdraw", "match-decline", "night-off"})
"""Verbs that end things. They are pressed less often than others."""


class Crawler:
    """Types and presses as one of these people each time. ``log`` says what."""

    def __init__(self, people: list[Person], rng: random.Random) -> None:
        self.people = people
        self.discord = people[0].discord
        self.rng = rng
        self.used: Counter[str] = Counter()
        self.log: list[str] = []

    async def step(self) -> None:
        """Type a command, or press something."""
        person = self.rng.choice(self.people)
        pressable = list(self._pressable(person))
        if not pressable or self.rng.random() < 0.25:
            await self._type(person)
            return
        least = min(self._weight(key) for key, *_ in pressable)
        chosen = [each for each in pressable if self._weight(each[0]) <= least + 1]
        key, message, part = self.rng.choice(chosen)
        self.used[key] += 1
        self.log.append(f"{person.name} presses {key}")
        answered = await self._press(person, message, part)
        if answered.kind == 9:
            await self._fill_in(person, answered.answer, message)

    def _weight(self, key: str) -> float:
        return self.used[key] * (20 if key.partition(":")[0] in ENDING else 1)

    def _pressable(self, person: Person) -> Iterator[tuple[str, Message, Json]]:
        for message in person.seen[-_SEEN:]:
            for part in walk(message.components):
                if "custom_id" in part and not part.get("disabled"):
                    yield _key(part), message, dict(part)

    async def _press(self, person: Person, message: Message, part: Json) -> Interaction:
        kind = part["type"]
        data: Json = {"custom_id": part["custom_id"], "component_type": kind, "id": part.get("id", 1)}
        if kind == ComponentType.STRING_SELECT:
            data["values"] = [self.rng.choice(part["options"])["value"]]
        elif kind == ComponentType.USER_SELECT:
            data |= self._picked()
        return await person.sends(InteractionType.MESSAGE_COMPONENT, data, message)

    def _picked(self) -> Json:
        who = self.rng.choice(self.people)
        return {"values": [who.id], "resolved": self._people([who.id])}

    async def _fill_in(self, person: Person, form: Json, message: Message) -> None:
        parts = [self._filled(label, number) for number, label in enumerate(form["components"])]
        await person.sends(InteractionType.MODAL_SUBMIT, {"custom_id": form["custom_id"], "components": parts}, message)

    def _filled(self, label: Json, number: int) -> Json:
        field: Json = label["component"]
        kind, filled = field["type"], {key: field[key] for key in ("type", "custom_id")} | {"id": 100 + number}
        if kind == ComponentType.TEXT_INPUT:
            text = self.rng.choice(["7", "Ä'x* @everyone", "22:00", "x" * 4000])
            filled["value"] = text[: field.get("max_length", 4000)].ljust(field.get("min_length") or 0, "y")
        elif kind == 21:  # a group of radio buttons
            filled["value"] = self.rng.choice(field["options"])["value"]
        elif "options" in field:
            filled["values"] = [self.rng.choice(field["options"])["value"]]
        else:
            filled["values"] = []
        return {"type": 18, "id": 50 + number, "component": filled}

    async def _type(self, person: Person) -> None:
        leaves = [leaf for command in self.discord.commands for leaf in command_leaves(command)]
        least = min(self.used["/" + " ".join(path)] for path, _ in leaves)
        path, leaf = self.rng.choice([each for each in leaves if self.used["/" + " ".join(each[0])] <= least + 1])
        name = " ".join(path)
        self.used["/" + name] += 1
        options: dict[str, Any] = {}
        for option in leaf.get("options") or ():
            if option["type"] in _SUBCOMMANDS or option["type"] == OptionType.ATTACHMENT:
                continue
            is_given = option.get("required") or self.rng.random() < 0.4
            value = await self._value(person, name, option, options) if is_given else None
            if value is not None:
                options[option["name"]] = value
        self.log.append(f"{person.name} types /{name} {options}")
        data = command_data(self.discord.backend, name, options)
        given = [str(value) for value in options.values()]
        data["resolved"] = self._people(given) | {"channels": self._channels(given), "roles": self._roles(given)}
        await person.sends(InteractionType.APPLICATION_COMMAND, data)

    def _people(self, given: Collection[str]) -> Json:
        """Return the people whose ids are given as Discord describes them in an interaction."""
        server = self.discord.servers[0]
        people = [person for person in self.people if person.id in given]
        users: Json = {person.id: serializers.user_payload(person.user) for person in people}
        members = {
            person.id: dict(
                serializers.member_payload(
                    self.discord.backend, server, server.members[person.user.id], with_user=False
                )
            )
            | {"permissions": "0"}
            for person in people
        }
        return {"users": users, "members": members}

    def _channels(self, given: Collection[str]) -> Json:
        backend, known = self.discord.backend, self.discord.servers[0].channel_ids
        return {
            str(number): dict(serializers.channel_payload(backend, backend.channels[number])) | {"permissions": "0"}
            for number in known
            if str(number) in given
        }

    def _roles(self, given: Collection[str]) -> Json:
        roles = self.discord.servers[0].roles
        return {str(key): dict(serializers.role_payload(role)) for key, role in roles.items() if str(key) in given}

    async def _value(self, person: Person, name: str, option: Json, given: dict[str, Any]) -> Any:
        if option.get("autocomplete"):
            typed = self.rng.choice(["", "", "1", "ü*"])
            offered = await person.complete(name, option["name"], typed, **given)
            return self.rng.choice([*offered, *offered, "1", "pq π @everyone"])
        if choices := option.get("choices"):
            return self.rng.choice(choices)["value"]
        match option["type"]:
            case OptionType.STRING:
                return self.rng.choice(["1", "23:59", "2027-01-01 20:00", "x" * (option.get("max_length") or 90)])
            case OptionType.INTEGER:
                return self.rng.randint(option.get("min_value", 0), option.get("max_value", 12))
            case OptionType.BOOLEAN:
                return self.rng.random() < 0.5
            case OptionType.USER:
                return self.rng.choice(self.people).id
            case OptionType.CHANNEL:
                return person.channel_id
            case OptionType.ROLE:
                return str(self.discord.servers[0].id)
        return None


def _key(part: Mapping[str, Any]) -> str:
    """Return what a button does, apart from its table."""
    _, verb, _, _, *argument = part["custom_id"].split(":", 4)
    words = "".join(argument)
    return f"{verb}:{''.join('9' if each.isdigit() else each for each, _ in itertools.groupby(words))[:12]}"
