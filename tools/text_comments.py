"""Comments for translators: where a text stands, how long it may be, and what its placeholders are.

They are made for texts of fewer than three words, or with placeholders. `PLACEHOLDERS` is the one home of the meanings.
"""

import ast
import string
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

_FEW_WORDS: Final = 3
Parents = Mapping[ast.AST, ast.AST]

_CALLS: Final = {
    "Button": "a button, about 20 characters",
    "Choice": "a menu's option, about 38 characters",
    "MenuChoice": "a menu's option, about 38 characters",
    "Choices": "the prompt of a menu, about 38 characters",
    "UserMenu": "the prompt of a menu, about 38 characters",
    "TextInput": "a field of a form, at most 45 characters",
    "Modal": "the title of a form, at most 45 characters",
    "Option": "what an option of a game does: a sentence",
    **dict.fromkeys(
        ("command", "Command", "Group", "describe"),
        "the description of a command or its option, at most 100 characters",
    ),
}
"""Where a text stands by the call that it is in."""
_TYPED: Final = (
    "words that people type, never shown: as many entries between commas as in English, several words for one with"
    " a slash between blanks, a hyphen for none; the file says what the entries are"
)
_STARTS: Final = {"-# ": "small print, about 42 characters a line", "#": "a title, about 34 characters"}

_MEANINGS: Final = {
    "the name of a player; after the word Table, that of a table": "name",
    "the name of a player": "player other host guest giver leader winner computer who",
    "names of players, joined by “and”": "names winners partners people members computers",
    "a number": "n m all number most limit free held hand needed votes voters days window rounds letter banks",
    "what stands for an hour and its minutes": "hour minutes",
    "a number of points, often with a sign": (
        "points cost rest gain amount margin worth poison payoff goal score rating"
    ),
    "a number that was reached or counted": "total mine theirs rival won lost drawn before own taken tricks",
    "a number of players, seats or games": "players seats games deals friends",
    "points or chips of several players": "scores sides gains pots payments records counts counted missed",
    "a number of chips": "chips ante main side pot",
    "the number of a round, deal, game or turn": "round deal turn page pages first last place",
    "a card, such as K♦": "card under top rank",
    "cards, such as K♦ 9♠, or how many": "cards pair ranks others hands tops pond tens traps",
    "a suit with its sign, such as ♥ hearts": "suit symbol trumps",
    "the rank of a card, such as 10 or king": "rank",
    "a square of the board, such as b2": "square origin landing",
    "squares, such as b2 c3": "squares pieces",
    "egg, tadpole or frog, or its sign": "piece egg tadpole frog eggs sign",
    "a move in words": "move moves better best tried played example play line",
    "what adds up to what, such as 9 − 4 = 5": "sums numbers",
    "a moment as Discord shows it, such as “in 2 hours”": "when time until day vote_when",
    "a time zone, a date, a month or a year": "zone date month year hours",
    "the name of a game, such as Pond · cards, or in a list its number": "game title",
    "the name of a table": "table source ref",
    "a channel, a role or a link, as Discord shows it": "channel channels role link places mentions folder",
    "an option, its value, or the list of what is possible": (
        "option options key value values level levels clock clocks known choices language"
    ),
    "a permission's name, such as “Send Messages”": "permissions",
    "letters and digits to copy": "commitment seed secret digits cuts command id text",
    "a whole sentence or part of one, a text of its own": (
        "why reason what task remedy effects again error problems pitch against heading prompt status streak end less"
        " where topic done left few many parts words waiting phase"
    ),
    "on, off or a time; a choice of the settings": "daily reminder tips how pings forced",
    "a sign or an emoji": "mark",
    "a size in GB": "size",
    "how long something takes, such as “3 games, about 12 min”": "length",
    "the number of a bank": "bank",
    "the number of a seat": "seat",
    "the number of a user; keep the signs around it": "user",
}
"""The names of placeholders by their meaning."""
PLACEHOLDERS: Final = {name: meaning for meaning, names in _MEANINGS.items() for name in names.split()}


def fields(text: str) -> frozenset[str]:
    """Return the names of the placeholders of a text."""
    return frozenset(name for _, name, _, _ in string.Formatter().parse(text) if name is not None)


def comments(text: str, place: str) -> Iterator[str]:
    """Yield the comments of a text that stands at this ``place`` (`place_of`)."""
    names = sorted(fields(text))
    if not names and len(text.split()) >= _FEW_WORDS and place != _TYPED:
        return
    kind = next((said for start, said in _STARTS.items() if text.startswith(start)), "")
    if not kind:
        kind = place if place and not place.startswith("“") else f"{_default(text)} {place}".strip()
    yield f"Where: {kind}."
    yield from (f"{{{name}}}: {PLACEHOLDERS.get(name, '?')}." for name in names)


def parents_of(module: ast.AST) -> Parents:
    """Return the node around each node."""
    return {child: node for node in ast.walk(module) for child in ast.iter_child_nodes(node)}


def place_of(node: ast.AST, parents: Parents, path: str, errors: Iterable[str]) -> str:
    """Return where a text stands by the calls around it; else what the function or the constant around it is about."""
    if path.endswith("typed_vocabulary.py"):
        return _TYPED
    if path.endswith("posts/heard.py"):
        return "a word or two for a sign, read aloud to users who want hands as text"
    function, around = "", node
    while not isinstance(around, ast.Module):
        name = _name(around)
        if name in errors or "reasons" in name:
            return "a refusal: one or two short sentences"
        if name in _CALLS:
            return _CALLS[name]
        if "alt" in name.split("_"):
            return "the description of a picture, read aloud"
        if name and not isinstance(around, ast.Call):
            function = function or _about(around, name)
        around = parents[around]
    return "drawn in a picture: as short as possible" if "picture" in path else function


def _about(node: ast.AST, name: str) -> str:
    """Return the first sentence of a docstring, or what the name says."""
    said = ast.get_docstring(node) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) else None
    first = said.partition("\n")[0].partition(". ")[0].rstrip(".") if said else ""
    return f"“{first or name.strip('_').replace('_', ' ').lower()}”"


def _default(text: str) -> str:
    return (
        "a message, about 38 characters a line" if text.rstrip("*")[-1:] in ".!?" else "part of a message, or a label"
    )


def _name(node: ast.AST) -> str:
    """Return the name of what is called, defined or assigned; empty for other nodes."""
    match node:
        case ast.Call(func=ast.Name(id=name)) | ast.Call(func=ast.Attribute(attr=name)):
            return name
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
            return name
        case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
            return name
    return ""
