"""Checks whether the bot names cards to people who can't know them."""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from simcord.backend.models import EPHEMERAL_FLAG
from simcord.types import HttpLogEntry

from bot.games.cards import SUIT_SYMBOLS
from tests.discord.play import Player, World
from tests.world import walk

_NOTATION: Final = re.compile(r"\b[A2-9TJQK][SHDC]\b")
_FACE: Final = re.compile(r"(10|[A2-9JQK])([♠♥♦♣])")
_HELD: Final = re.compile(r"^([♠♥♦♣]) (.*)$", re.MULTILINE)
_RANK: Final = re.compile(r"\b(10|[A2-9JQK])\b")
_SUITS: Final = {symbol[0]: suit for suit, symbol in SUIT_SYMBOLS.items()}
_AS_TEXT: Final = "\N{VARIATION SELECTOR-15}"
_RULE: Final = re.compile("(without|ohne) 10♠ (or|oder) 10♣")
"""Names both black tens, whoever holds them."""


_SUIT_WORD: Final = "(spades|hearts|diamonds|clubs)"
_RANK_WORD: Final = "(ace|jack|queen|king|10|[2-9])"
_SAID: Final = re.compile(rf"\b{_RANK_WORD} of {_SUIT_WORD}|Joker", re.IGNORECASE)
_HELD_IN_WORDS: Final = re.compile(
    rf"(?:\b{_SUIT_WORD}:|(?<=[:;] ){_SUIT_WORD}) ({_RANK_WORD}\b(?:(?: \([^)]*\))?, {_RANK_WORD}\b(?! of))*)",
    re.IGNORECASE,
)
"""A suit, then its ranks."""
_SAID_RANK: Final = re.compile(rf"\b{_RANK_WORD}\b", re.IGNORECASE)


def cards_in(text: str) -> set[str]:
    """Return the cards that a text names: in notation, with symbols, or in a hand sorted by suits."""
    text = _RULE.sub("", text.replace(_AS_TEXT, ""))
    named = {_card(rank, symbol) for rank, symbol in _FACE.findall(text)}
    held = {_card(rank, symbol) for symbol, ranks in _HELD.findall(text) for rank in _RANK.findall(ranks)}
    return {*_NOTATION.findall(text), *named, *held}


def heard_in(text: str) -> set[str]:
    """Return the cards that a text for the ear names: ``7 of spades``, ``Spades: ace, 7``. Jokers are ``XX``."""
    plain = text.replace("*", "")
    found = {_notation(each[1], each[2]) if each[1] else "XX" for each in _SAID.finditer(plain)}
    rows = _HELD_IN_WORDS.finditer(plain)
    return found | {_notation(rank, row[1] or row[2]) for row in rows for rank in _SAID_RANK.findall(row[3])}


def _notation(rank: str, suit: str) -> str:
    return {"10": "T"}.get(rank, rank[0].upper()) + suit[0].upper()


class Watch:
    """Checks the bot's requests during the first deal of Table 1.

    Later, people may remember cards that they don't see any more. ``watchers`` are players and bystanders.
    """

    def __init__(self, world: World, watchers: Sequence[Player]) -> None:
        self._world = world
        self._watchers = {player.id: player for player in watchers}
        self._known: dict[int, set[str]] = {player.id: set() for player in watchers}
        self._checked = len(world.env.http_requests)
        self._first_deal: int | None = None
        self.is_over = False

    async def leaks(self) -> list[str]:
        """Return the leaks in the requests since the last call."""
        new = self._world.env.http_requests[self._checked :]
        self._checked += len(new)
        for player in self._watchers.values():
            sight = await self._world.tables.look(1, player.id)
            deal = self._world.bot.faces[sight.table.game].deal(sight.observation)
            self._first_deal = deal if self._first_deal is None else self._first_deal
            self.is_over = self.is_over or deal != self._first_deal or sight.observation.outcome is not None
            self._known[player.id] |= cards_in(repr(sight.observation)) | cards_in(repr(sight.events))
        return [] if self.is_over else list(self._among(new))

    def _among(self, requests: Iterable[HttpLogEntry]) -> Iterator[str]:
        for request in requests:
            cards = {card for text in _texts(request.json) for card in cards_in(text) | (heard_in(text) - {"XX"})}
            for user in self._readers(request):
                if user in self._known and cards - self._known[user]:
                    yield f"{cards - self._known[user]} in {request.method} {request.path}: {request.json}"

    def _readers(self, request: HttpLogEntry) -> Iterable[int]:
        """Return the users who can read what a request sends."""
        backend = self._world.env.backend
        _, kind, number, *rest = request.path.split("/")
        if kind == "channels":
            channel = backend.get_channel(int(number))
            return channel.recipient_ids or self._watchers
        if kind not in {"interactions", "webhooks"}:
            return ()
        interaction = backend.interactions[backend.interaction_tokens[rest[0]]]
        follows = kind == "webhooks" and len(rest) == 1
        if follows and (request.json or {}).get("flags", 0) & EPHEMERAL_FLAG:
            return (interaction.user_id,)
        source = backend.messages[interaction.channel_id].get(interaction.source_message_id or 0)
        is_in_place = interaction.response_kind in {"update", "deferred_update"}
        is_public = source is not None and not source.is_ephemeral and is_in_place
        return self._watchers if is_public and interaction.guild_id else (interaction.user_id,)


def _texts(body: Any) -> Iterator[str]:
    """Yield the texts of a request: all of it as JSON, and each paragraph of a message."""
    yield json.dumps(body, ensure_ascii=False)
    message = body.get("data", body) if isinstance(body, dict) else {}
    yield from (part["content"] for part in walk(message.get("components", ())) if "content" in part)


def _card(rank: str, symbol: str) -> str:
    return ("T" if rank == "10" else rank) + _SUITS[symbol]
