"""Games in a pseudo-language: everything is translated, and fits with texts that are 40 % longer."""

import random
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any, Final

import discord
import pytest
from msgspec.structs import replace
from simcord import interactions

from bot.games import GAMES
from bot.games.cards import JOKER, face as face_of
from bot.pictures.worker import Painter
from bot.records.preference import UserSettings
from bot.tables.tables import Sight
from bot.tables.time_zones import COMMON
from bot.texts import languages, name_of, using
from bot.ui.interactions.language import Translator
from bot.ui.messages.board import board
from bot.ui.messages.hand import hand
from bot.ui.messages.result_texts import why
from bot.ui.posts.layout import layout
from bot.ui.posts.pictures import in_words
from bot.ui.posts.post import Post
from bot.worker_processes import R, Worker
from tests import pseudo
from tests.discord.guests import play_in_part
from tests.discord.play import LEAVING, World
from tests.discord.tables import started_in
from tests.discord.test_server import moderator
from tests.doses import IS_COMPLETE, on_demand
from tests.leaks.pairs import FACES
from tests.recorded import Moment, recorded
from tests.waiting import until
from tests.world import walk

LOCALE = discord.Locale.swedish.value
_NOT_TEXT = re.compile(r"https?://\S+|<[@#t][^>]*>|`[^`]*`|\b[A-Z]{1,2}\u2011\d\d\b|🤖 \w+|\b[JQKA]\b|\b[a-h][1-8]\b")
_WORD = re.compile(r"[^\W\d_]{2,}")


def texts_of(components: Any) -> Iterator[str]:
    """Yield all texts of a message."""
    for part in walk(components):
        for key in ("content", "label", "placeholder", "title", "description"):
            if isinstance(part.get(key), str):
                yield part[key]
        for option in part.get("options", ()):
            yield option["label"]
            yield option.get("description") or ""


_PROOF = re.compile("[0-9a-f]{64}")
"""A commitment, which is the same in all languages."""


def untranslated(text: str, names: frozenset[str]) -> list[str]:
    """Return the words outside of brackets that aren't names."""
    rest = _NOT_TEXT.sub(" ", _PROOF.sub(" ", pseudo.outside(text)))
    assert pseudo.is_whole(text) or text.endswith("…"), f"it was cut: {text}"
    return [word for word in _WORD.findall(rest) if word not in names | {"Lilypad", "UTC"}]


class _InThisProcess(Worker):
    def run(self, function: Callable[..., R], *arguments: object) -> R:
        return function(*arguments)


@pytest.fixture(autouse=True)
def _pseudo_language(monkeypatch: pytest.MonkeyPatch) -> None:
    """Install the pseudo-language, and draw pictures in this process: another one hasn't installed it."""
    pseudo.install(monkeypatch)
    monkeypatch.setattr("bot.ui.posts.pictures.painter", Painter(lambda: _InThisProcess("painter", 0)))


def named_in_itself() -> set[str]:
    """Return what isn't translated: names of languages, words in names of time zones, and the card without a sign."""
    zones = {word for zone in COMMON for word in zone.replace("_", "/").split("/")}
    return {*map(name_of, (*languages(), pseudo.LANGUAGE)), *zones, face_of(JOKER)}


def lacking_in_messages(world: World, names: Collection[str]) -> Mapping[str, str]:
    """Return the words in messages and forms of the bot that are neither translated nor names, each with its text."""
    bodies = [request.json for request in world.env.http_requests if isinstance(request.json, dict)]
    shown = [body for body in (body.get("data") or body for body in bodies) if "components" in body]
    assert shown
    return {word: text for text in set(texts_of(shown)) for word in untranslated(text, frozenset(names))}


def speak(world: World, *user_ids: int) -> None:
    """Let these users and the server have chosen the pseudo-language. Only the first sees pictures of hands."""
    for user_id in user_ids:
        hands = "pictures" if user_id == user_ids[0] else "text"
        world.execute("INSERT INTO users (id, language, hands) VALUES (?, ?, ?)", user_id, pseudo.LANGUAGE, hands)
    world.execute(
        "INSERT INTO servers (guild_id, channels, threads, clock, language) VALUES (?, '[]', 0, 'none', ?)",
        world.server.id,
        pseudo.LANGUAGE,
    )


FORMS = [
    ("pond", 2, {"rounds": 2}),
    ("frogs", 2, {}),
    ("pontis", 3, {"players": 4, "fake": "on", "liar": "on", "computers": 1}),
    ("potblack", 2, {"form": "individual", "end": "deals", "deals": 5, "computers": 2}),
    pytest.param("potblack", 2, {"form": "partnership", "deals": 5, "computers": 2}, marks=on_demand),
]


@pytest.mark.parametrize(("group", "people", "options"), FORMS)
async def test_everything_in_a_game_is_translated(
    world: World, group: str, people: int, options: dict[str, Any]
) -> None:
    players = world.people(people)
    speak(world, *[player.id for player in players])
    await started_in(group, players[0], players[1:], **options)
    await play_in_part(world, players, random.Random(group))
    table = await world.tables.table(1)
    names = {word for sitter in table.sitters for word in sitter.name.split()}
    assert lacking_in_messages(world, {*names, table.name, *named_in_itself()}) == {}


LOOKED_AT: Final[tuple[tuple[str, dict[str, Any]], ...]] = (
    ("pond", {"players": 2, "rounds": 2}),
    ("pond", {"players": 4, "rounds": 2}),
    ("frogs", {}),
    ("pontis", {"players": 4, "fake": "on", "liar": "on", "games": 2}),
    ("pot_black", {"form": "individual", "deals": 5}),
    ("pot_black", {"form": "partnership", "deals": 5}),
)


@pytest.mark.parametrize(("key", "options"), LOOKED_AT)
def test_at_every_moment_of_a_game_everything_is_translated(key: str, options: dict[str, Any]) -> None:
    every, lacking = recorded(key, options), set()
    for moment in every if IS_COMPLETE else (*every[::3], every[-1]):
        names = frozenset(sitter.name for sitter in moment.table.sitters) | {moment.table.name, *named_in_itself()}
        with using(pseudo.LANGUAGE):
            views: list[Any] = [layout(post) for post in posts(moment)]
            shown = {text for view in views for text in texts_of(view.to_components())}
        lacking |= {(word, text) for text in shown for word in untranslated(text, names)}
    assert lacking == set()


def posts(moment: Moment) -> Iterator[Post]:
    """Yield the board and the hands, with pictures and in words, and the pages of the table."""
    game, face = GAMES[moment.table.game], FACES[moment.table.game]
    for seat in moment.viewers:
        seen = game.observe(moment.state, seat)
        table = replace(moment.table, status="over" if seen.outcome else "playing", outcome=seen.outcome)
        sight = Sight(table, seen, moment.events)
        if seat is None:
            shown = board(face, sight, with_picture=True)
            yield Post((face.progress(seen), *face.describe(table, seen), *face.scores(table, seen)))
            yield why(face, sight)
        else:
            shown = hand(face, sight, "", UserSettings(hands="text" if seat else "pictures"))
            yield Post((), face.choices(table, seen))
        yield from (shown, in_words(shown), Post((*shown.scene.above, *shown.scene.below) if shown.scene else ()))


PRESSES = {
    "pond": (
        "More/Options/House rules",
        "More/🔒 Shuffle",
        "Start",
        "My hand",
        "More",
        *(f"More/{page}" for page in ("Board in words", "What happened", "About this game")),
        *(f"More/{LEAVING}/{page}" for page in ("Someone's away", "Resign", "Vote to end")),
    ),
    "frogs": ("More/Options", "Start", "Board in words", "More/Board in words", "More/About this game"),
}


@pytest.mark.parametrize("group", PRESSES)
async def test_pages_of_a_table_are_translated(world: World, group: str) -> None:
    ann, ben = world.people(2)
    speak(world, ann.id, ben.id)
    await ann.types(f"{group} open")
    await ben.clicks(ben.board, "Join")
    for path in PRESSES[group]:
        seen = ann.board
        for label in path.split("/"):
            assert label in seen.labels, (label, seen.labels)
            seen = await ann.clicks(seen, label)
    assert lacking_in_messages(world, {"Ann", "Ben", (await world.tables.table(1)).name}) == {}


@pytest.mark.parametrize("typed", ["help", "tables", "settings", "privacy", "pond join", "pond hand"])
async def test_answers_of_commands_are_translated(world: World, typed: str) -> None:
    ann = world.person("Ann")
    speak(world, ann.id)
    await ann.types(typed)
    assert lacking_in_messages(world, named_in_itself()) == {}


async def test_commands_are_translated_when_they_are_synced(world: World) -> None:
    tree = world.bot.tree
    payload = [await command.get_translated_payload(tree, Translator()) for command in tree.get_commands()]
    assert list(lacking(payload)) == []


def lacking(options: Any) -> Iterator[str]:
    """Yield the texts of commands that aren't translated, or are too long for Discord."""
    for option in options:
        names = [] if "value" not in option else [("name", option["name"])]
        for key, text in [("description", option.get("description")), *names]:
            translation = option.get(f"{key}_localizations", {}).get(LOCALE, "")
            if text in {*map(name_of, (*languages(), pseudo.LANGUAGE))}:  # the names of languages in themselves
                continue
            is_whole = translation.startswith(pseudo.marked("")[0]) and not pseudo.outside(translation).strip("…")
            if text and _WORD.search(text) and not (is_whole and len(translation) <= 100):
                yield text
        yield from lacking(option.get("options", ()))
        yield from lacking(option.get("choices", ()))


async def test_players_and_the_server_each_have_their_language(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    ann, ben = world.people(2)
    report_locales(monkeypatch, {ann.id: LOCALE, ben.id: "en-GB"}, of_server=LOCALE)
    await ann.types("pond open")
    refusal = await ben.types("pond hand")
    await ben.clicks(ben.board, "Join")
    await ann.clicks(ann.board, "Start")
    raw = [list(texts_of(seen.components)) for seen in (ann.board, ann.hand, ben.hand, refusal)]
    assert [any(map(is_pseudo, texts)) for texts in raw] == [True, True, False, False]
    private = await ben.clicks(ben.board, "My hand")
    await ben.picks(await ben.types("settings"), pseudo.LANGUAGE)
    await until(lambda: all(any(map(is_pseudo, texts_of(ben.now(seen).components))) for seen in (private, ben.hand)))
    assert any(map(is_pseudo, texts_of((await ben.types("help")).components)))
    await ben.types("settings", language="en")
    assert not any(map(is_pseudo, texts_of((await ben.types("help")).components)))


async def test_moderators_choose_the_language_of_boards(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    ann, kim = world.person("Ann"), moderator(world)
    report_locales(monkeypatch, {}, of_server=LOCALE)
    assert any(map(is_pseudo, texts_of((await ann.types("pond open")).components)))
    await kim.types("server language", language="en")
    assert not any(map(is_pseudo, texts_of((await ann.types("frogs open")).components)))


def is_pseudo(text: str) -> bool:
    return pseudo.unmarked(text) != text


def report_locales(monkeypatch: pytest.MonkeyPatch, of_users: Mapping[int, str], of_server: str) -> None:
    """Let Discord report these locales. SimCord has no setting for them."""
    original = interactions.base_payload

    def base_payload(*args: Any, user_id: int, **kwargs: Any) -> Any:
        record, payload = original(*args, user_id=user_id, **kwargs)
        if "guild_locale" in payload:
            payload["guild_locale"] = of_server
        return record, payload | {"locale": of_users.get(user_id, "en-US")}

    monkeypatch.setattr(interactions, "base_payload", base_payload)
