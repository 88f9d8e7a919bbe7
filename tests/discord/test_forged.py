"""Input that no Discord client sends: it gets a normal answer, and never puts a hand where others can read it."""

import random
from collections.abc import Sequence
from typing import Any, Final

import pytest
from simcord.enums import ComponentType, InteractionType
from simcord.results import InteractionResult

from bot.ui.actions.press import all_verbs
from tests.discord.forged import Forger, answer_to
from tests.discord.play import Player, World
from tests.discord.tables import legal, started, started_in
from tests.doses import IS_COMPLETE, on_demand

pytestmark = pytest.mark.usefixtures("no_rate_limit")

OLD: Final = "This button is too old."
OTHER: Final = "This command has changed with an update. Type it again in a minute."
HUGE: Final = str(10**20)
LONE: Final = "\udc80"
NUL: Final = "\0"
ODD_IDS: Final = (
    *("", ":", "lily", "lily:hand:1:1", "other:hand:1:1:", "lily:nothing:1:1:", "lily::1:1:"),
    *(f"lily:hand:{number}:1:" for number in (HUGE, str(2**63), "-1", "", "one", "²", "٣", "1.0", "1e3", " 1", LONE)),
    *(f"lily:hand:1:{number}:" for number in (HUGE, str(2**63), "-1", "", "two", "²", "٣", LONE)),
    *(f"lily:rules:0:0:pond.{page}" for page in ("", "1", "x.0", "0.x", "-1.0", "0.0.0", "999.0", f"{HUGE}.0", "².0")),
    *(f"lily:undo-{verb}:1:1:{asker}" for verb in ("yes", "no") for asker in ("", "Ann", HUGE, "-1", "²")),
)
ODD_VALUES: Final = ("", "x", "-1", "²", "٣", "1.5", HUGE, str(2**63), LONE, NUL)
LAST: Final = ("undo-yes", "closed", "ended", "resigned")
"""Verbs that may end a game, so they are tried last."""


def text_of(result: InteractionResult) -> str:
    """Return the text of the only message of an answer."""
    (message,) = [*result.followups, *([result.response] if result.response else [])]
    return str(message.components[0]["components"][0]["content"])


async def test_a_malformed_custom_id_is_treated_as_an_old_button(world: World) -> None:
    ann, ben = world.people(2)
    board = await started(ann, [ben])
    forger = Forger(world, ann, world.channel, board.id)
    for custom_id in ODD_IDS:
        assert text_of(await forger.presses(custom_id)) == OLD, custom_id


async def test_a_malformed_number_in_a_menu_is_treated_as_an_old_button(world: World) -> None:
    (ann,) = world.people(1)
    forger = Forger(world, ann, world.channel)
    for custom_id in ("lily:show:0:0:.0.1", "lily:topic:0:0:pond.0.1"):
        for value in ODD_VALUES:
            assert text_of(await forger.presses(custom_id, value)) == OLD, (custom_id, value)


async def test_large_numbers_are_refused_as_unknown_tables(world: World) -> None:
    (ann,) = world.people(1)
    forger = Forger(world, ann, world.channel)
    for number in (0, 2**53, 2**63 - 1):
        unknown = f"There's no table {number} here."
        assert text_of(await forger.presses(f"lily:turn:{number}:{2**63 - 1}:")) == (unknown if number else OLD)
        assert text_of(await forger.presses("lily:show:0:0:", str(number))) == unknown


@pytest.mark.parametrize("odd", [LONE, NUL])
async def test_text_that_cannot_be_stored_is_replaced(world: World, odd: str) -> None:
    ann, ben = world.people(2)
    await ann.types("pond open")
    forger = Forger(world, ann, world.channel)
    assert "Your cut is in" in text_of(await forger.presses("lily:cut:1:1:", odd, form=True))
    assert (await world.tables.table(1)).cuts[0] == "\N{REPLACEMENT CHARACTER}"
    assert (await ann.types("pond board", table=odd)).text == "There's no table \N{REPLACEMENT CHARACTER} here."
    assert "no topic" in (await ann.types("pond rules", topic=odd)).text
    assert "Write quiet hours like 22:00-08:00" in (await ann.types("settings", quiet=odd)).text
    assert await ann.completes("pond move", "move", table=odd) == {}
    assert await ann.completes("pond rules", "topic", odd) == {}
    await ben.types("pond join", table="1")
    await ann.types("pond start")
    version = (await world.tables.table(1)).version
    for custom_id, values in ((f"lily:play:1:{version}:{odd}", ()), (f"lily:pick:1:{version}:", (odd,))):
        assert "isn't a move" in text_of(await forger.presses(custom_id, *values))


@pytest.mark.parametrize("odd", [LONE, NUL])
async def test_a_user_with_such_text_in_their_name_can_join(world: World, odd: str) -> None:
    ann, ben = world.person("Ann"), world.person(f"O{odd}dd")
    lobby = await ann.types("pond open")
    await ben.clicks(lobby, "Join")
    assert "2. **O\N{REPLACEMENT CHARACTER}dd**" in ann.board.text


def option(name: str, kind: int, value: Any) -> dict[str, Any]:
    """Return an option of a command as Discord sends it."""
    return {"name": name, "type": kind, "value": value}


def command(path: str, *options: dict[str, Any]) -> dict[str, Any]:
    """Return the data of a slash command."""
    root, *subs = path.split()
    given: Sequence[dict[str, Any]] = options
    for sub in reversed(subs):
        given = [{"name": sub, "type": 1, "options": list(given)}]
    return {"id": "1", "name": root, "type": 1, "options": list(given)}


UNKNOWN_COMMANDS: Final = (
    command("chess open"),
    command("pond nothing"),
    command("pond"),
    command("pond move"),
    command("pond open", option("computers", 3, "many")),
    command("pond open", option("computers", 4, "many")),
    command("pond open", option("computers", 10, "many")),
    command("pond open", option("computers", 3, "many") | {"focused": True}),
    command("pond open", option("clock", 4, 5)),
    command("pond join", option("table", 4, 1)),
    command("pond join", option("table", 3, None)),
    command("pond join", option("seat", 5, True)),
    command("server channel", option("channel", 7, "somewhere")),
    command("server channel", option("channel", 7, "5")),
    command("server openers", option("role", 3, "5")),
    {"id": "1", "name": "pond", "type": 2, "target_id": "5"},
)


async def test_an_unknown_form_of_a_command_belongs_to_another_version(world: World) -> None:
    (ann,) = world.people(1)
    forger = Forger(world, ann, world.channel)
    for data in UNKNOWN_COMMANDS:
        assert text_of(await forger.sends(InteractionType.APPLICATION_COMMAND, data)) == OTHER, data
    assert await world.tables.lists.open_tables() == ()


async def test_completing_what_cannot_be_completed_offers_nothing(world: World) -> None:
    (ann,) = world.people(1)
    forger = Forger(world, ann, world.channel)
    for given in (option("computers", 4, 1) | {"focused": True}, option("clock", 3, "day")):
        sent = await forger.sends(InteractionType.APPLICATION_COMMAND_AUTOCOMPLETE, command("pond open", given))
        assert sent.autocomplete_choices == []


async def test_values_outside_of_the_choices_of_an_option_are_refused(world: World) -> None:
    kim = world.env.create_user("kim", global_name="Kim")
    world.env.backend.get_guild(world.server.id).owner_id = kim.id
    forger = Forger(world, Player(world, world.server.add_member(kim)), world.channel)
    for data in (
        command("pond open", option("computers", 4, 10**30)),
        command("pond open", option("computers", 4, -1)),
        command("pond open", option("players", 4, 10**30)),
        command("pond open", option("clock", 3, "sundial")),
        command("server clock", option("default", 3, "sundial")),
    ):
        assert "Reference" not in text_of(await forger.sends(InteractionType.APPLICATION_COMMAND, data))
    assert await world.tables.lists.open_tables() == ()
    assert (await world.tables.servers.settings(world.server.id)).clock == "none"


async def test_a_seat_that_does_not_exist_is_not_free(world: World) -> None:
    ann, ben = world.people(2)
    await ann.types("pond open")
    forger = Forger(world, ben, world.channel)
    for seat in (10**30, -5, 14):
        data = command("pond join", option("table", 3, "1"), option("seat", 4, seat))
        assert "isn't free" in text_of(await forger.sends(InteractionType.APPLICATION_COMMAND, data))


OPTIONS: Final[dict[str, dict[str, Any]]] = {
    "pond": {},
    "frogs": {},
    "pontis": {"players": 2},
    "potblack": {"players": 3, "form": "individual", "computers": 1},
}


@pytest.mark.parametrize(
    "group", [*(pytest.param(group, marks=on_demand) for group in ("pond", "pontis")), "frogs", "potblack"]
)
async def test_no_press_replaces_the_board_with_a_hand(world: World, group: str) -> None:
    ann, ben, cleo = world.people(3)
    await started_in(group, ann, [ben], **OPTIONS[group])
    verbs = [verb for verb in sorted(all_verbs()) if verb not in LAST]
    others = ("end", str(ann.id), f"{group}.0.0") if IS_COMPLETE or group == "pond" else ()
    for verb in (*verbs, *LAST):
        for argument in (*(await legal(world, ann))[:2], "", *others):
            version, board = (await world.tables.table(1)).version, ann.board
            forger = Forger(world, ann, world.channel, board.id)
            answer = await forger.presses(f"lily:{verb}:1:{version}:{argument}", argument or "1")
            shown = [each for each in [*answer.followups, answer.response] if each is not None and each.id != board.id]
            assert all(each.ephemeral for each in shown), verb  # the board itself may change, as its table does
            assert cleo.now(board).text.startswith(("### Table", "**Table")), verb
            assert [seen.text for seen in cleo.messages() if "Your hand" in seen.text] == []


@pytest.mark.parametrize("verb", ["undo-yes", "undo-no"])
async def test_answering_a_question_that_was_not_asked_changes_nothing(world: World, verb: str) -> None:
    ann, ben = world.people(2)
    board = await started(ann, [ben])
    answer = await Forger(world, ben, world.channel, board.id).presses(f"lily:{verb}:1:1:{ann.id}")
    assert "nothing to agree to" in text_of(answer)
    assert ben.now(board) == board


async def test_private_pages_never_replace_a_public_message(world: World) -> None:
    ann, ben = world.people(2)
    board = await started(ann, [ben])
    forger = Forger(world, ann, world.channel, board.id)
    for verb in ("privacy", "privacy_ask", "pings", "quiet", "rules", "topic"):
        argument = "pond.0.0" if verb in {"rules", "topic"} else ""
        result = await forger.presses(f"lily:{verb}:0:0:{argument}", "1")
        assert result.response is not None
        assert result.response.ephemeral
        assert ann.now(board).text.startswith("### Table")


async def test_a_form_from_a_public_message_is_answered_in_private(world: World) -> None:
    ann, ben = world.people(2)
    board = await started(ann, [ben])
    result = await Forger(world, ann, world.channel, board.id).presses("lily:save:1:1:", "Mine", form=True)
    assert result.response is not None
    assert result.response.ephemeral
    assert ann.now(board) == board


async def test_a_hand_is_edited_in_its_direct_message(world: World) -> None:
    ann, ben = world.people(2)
    await started(ann, [ben])
    hand = ann.hand
    version = (await world.tables.table(1)).version
    forger = Forger(world, ann, ann.dm, hand.id)
    await forger.presses(f"lily:hand:1:{version}:", kind=ComponentType.BUTTON)
    assert [seen.id for seen in ann.dms][-1] == hand.id
    assert ann.hand.text.startswith("### Your hand")


class Fuzzer:
    """Generates random interactions, most of them nearly valid."""

    def __init__(self, world: World, seed: int) -> None:
        self.rng = random.Random(seed)
        self._verbs = [*sorted(all_verbs()), "", "nothing", "Hand"]
        self._numbers = [
            "0",
            "1",
            "1",
            "2",
            "2",
            "3",
            "5",
            "9",
            "-1",
            "x",
            "²",
            HUGE,
            str(2**63),
            str(2**63 - 1),
            LONE,
            "",
        ]
        self._commands = list(world.bot.tree.walk_commands())

    def custom_id(self, moves: Sequence[str], people: Sequence[Player]) -> str:
        """Return a custom id that may or may not be valid."""
        parts = [
            self.rng.choice(["lily", "lily", "lily", "lily", "lily", "li", ""]),
            self.rng.choice(self._verbs),
            self.rng.choice(self._numbers),
            self.rng.choice(self._numbers),
            self.value(moves, people),
        ]
        return ":".join(parts[: self.rng.choice([5, 5, 5, 5, 5, 5, 4, 3, 1])])[:100]

    def value(self, moves: Sequence[str], people: Sequence[Player]) -> str:
        """Return a value for a menu, a form or an option."""
        game = self.rng.choice(["pond", "frogs", "pontis", "pot_black", "chess"])
        known = [
            "end",
            "seat",
            "play",
            "a1",
            "a1@2",
            "b2",
            "22:00-08:00",
            "+2",
            "on",
            "Ann",
            "81",
            f"{game}.1.0",
            f"{game}.9.9",
        ]
        noise = "".join(self.rng.choices(f"a1:.@ -_é²\n\0{LONE}\U0001f438", k=self.rng.randrange(6)))
        return self.rng.choice([*known, *self._numbers, *moves, str(self.rng.choice(people).id), noise, noise])

    def command(self, moves: Sequence[str], people: Sequence[Player]) -> dict[str, Any]:
        """Return the data of a slash command with some of its options, some of them of a wrong type."""
        chosen = self.rng.choice(self._commands)
        options = []
        for each in getattr(chosen, "parameters", ()):
            value: Any = self.value(moves, people)
            kind = each.type.value if self.rng.random() < 0.8 else self.rng.choice([3, 4, 5, 6, 7, 8, 10])
            if kind == 4 or self.rng.random() < 0.1:
                value = self.rng.choice([0, 1, 2, -1, 10**30, True, 1.5, None])
            if each.required or self.rng.random() < 0.6:
                options.append(option(each.display_name, kind, value))
        return command(chosen.qualified_name, *options)


@pytest.mark.parametrize("seed", range(16 if IS_COMPLETE else 1))
async def test_no_input_causes_an_error(world: World, seed: int) -> None:
    """The fixture `world` checks that no error is logged and that everything is answered once."""
    ann, ben, kim = world.people(3)
    fuzzer = Fuzzer(world, seed)
    rng = fuzzer.rng
    for _ in range(4):
        await started(ann, [ben])
        await started_in("frogs", ben, [ann])
        await kim.types("pontis open", players=4)
        places = [(world.channel, ann.board.id), (world.channel, 0)]
        for _ in range(120):
            player = rng.choice([ann, ben, kim])
            place, on = rng.choice([*places, (player.dm, 0)])
            forger = Forger(world, player, place, on)
            table = rng.choice(await world.tables.finder.tables_of(player.id) or [None])
            moves = await legal(world, player, table.id) if table and table.status == "playing" else []
            if rng.random() < 0.25:
                sent = forger.sends(InteractionType.APPLICATION_COMMAND, fuzzer.command(moves, [ann, ben, kim]))
            else:
                values = [fuzzer.value(moves, [ann, ben, kim]) for _ in range(rng.choice([0, 1, 1, 1, 2]))]
                custom_id = fuzzer.custom_id(moves, [ann, ben, kim])
                sent = forger.presses(custom_id, *values, form=rng.random() < 0.2)
            assert "Reference" not in answer_to(await sent)


async def test_buttons_of_a_game_lost_with_a_restore_are_refused(world: World) -> None:
    ann, ben = world.people(2)
    board = await started(ann, [ben])
    table = await world.tables.table(1)
    forger = Forger(world, ann, world.channel, board.id)
    for verb in ("join", "hand", "resigned", "closed"):
        assert "I don't know this game" in text_of(await forger.presses(f"lily:{verb}:1-1{table.tag}:{table.version}:"))
        later = await forger.presses(f"lily:{verb}:{table.key}:{table.version + 1}:")
        assert "doesn't fit the game as I have it" in text_of(later)
        gone = await forger.presses(f"lily:{verb}:7-{table.tag}-{world.server.id:x}:1:")
        assert "I don't know this game" in text_of(gone), "whether another table has its number by now or not"
    assert await world.tables.table(1) == table


UNREADABLE_FORMS: Final[tuple[dict[str, Any], ...]] = (
    {"custom_id": "lily:cut:1:1:", "components": []},
    {"custom_id": "lily:cut:1:1:", "components": [{}]},
    {"custom_id": "lily:cut:1:1:", "components": [{"type": 18, "component": {}}]},
    {"custom_id": "lily:cut:1:1:", "components": [{"type": 18, "component": None}]},
    {"custom_id": "lily:cut:1:1:", "components": [{"type": 18, "component": {"value": None}}]},
    {"custom_id": "lily:cut:1:1:", "components": [7]},
    {"custom_id": "lily:cut:1:1:", "components": {"a": 1}},
)
ODD_LISTS: Final[tuple[Any, ...]] = (None, 7, "x", {}, {"a": 1}, [None], [[]], [{}], [7])
UNREADABLE_MENUS: Final[tuple[dict[str, Any], ...]] = (
    *({"values": values} for values in ODD_LISTS),
    {"values": ["5"], "resolved": {}},
    {"values": ["5"], "resolved": {"users": {}}},
)


@pytest.mark.parametrize("data", UNREADABLE_FORMS)
async def test_an_unreadable_form_is_answered_without_a_reference(world: World, data: dict[str, Any]) -> None:
    (ann,) = world.people(1)
    await ann.types("pond open")
    forger = Forger(world, ann, world.channel)
    assert "Reference" not in text_of(await forger.sends(InteractionType.MODAL_SUBMIT, data))


async def test_an_unreadable_menu_is_answered_without_a_reference(world: World) -> None:
    (ann,) = world.people(1)
    await ann.types("pond open")
    forger = Forger(world, ann, world.channel)
    for verb in ("play", "pick", "show", "topic", "level", "invite", "option", "cut", "removed"):
        for data in UNREADABLE_MENUS:
            whole = {"custom_id": f"lily:{verb}:1:1:", "component_type": 3, **data}
            sent = await forger.submits(InteractionType.MESSAGE_COMPONENT, whole)
            assert "Something went wrong" not in answer_to(sent), whole


@pytest.mark.parametrize("locale", ["", "xx", "de-DE\n", "\0", "x" * 10_000, LONE])
async def test_an_odd_locale_is_answered(world: World, locale: str) -> None:
    (ann,) = world.people(1)
    forger = Forger(world, ann, world.channel)
    sent = await forger.sends(InteractionType.APPLICATION_COMMAND, command("help"), locale=locale, guild_locale=locale)
    assert "Reference" not in text_of(sent)
