"""Extracts the texts that players read, updates the catalogues of the languages, and compiles them: ``make texts``.

``make texts LANGUAGE=de`` adds a language. One with less than `OFFERED` of its texts isn't compiled, so that it isn't
offered; what a compiled one lacks is shown in English.

A text counts as one of the players' if it is in one of these places:

- the first argument of ``_``, ``gettext``, `Text` or an error for players; the first two of ``ngettext``
- a value of the mapping ``reasons`` of a rulebook, and the help of an `Option`
- a description or a choice of a command
"""

import ast
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from typing import Final

from babel import Locale
from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from bot.texts import DOMAIN, LOCALES
from tools.text_comments import comments, fields, parents_of, place_of

ROOT: Final = Path(__file__).parents[1]
TEMPLATE: Final = LOCALES.parent / f"{DOMAIN}.pot"
OFFERED: Final = 0.95
"""The share of texts that a language needs."""
_HEADER: Final = "Texts of Lilypad for players."
_NO_DATE: Final = datetime(2026, 1, 1, tzinfo=UTC)
"""In place of the time of the extraction, so that the files only change with their texts."""
_FOLDERS: Final = ("bot", "cogs")
_NOT_FOR_PLAYERS: Final = (
    "bot/__main__.py",
    "bot/cli/commands.py",
    "bot/sandbox/",
    "bot/cli/selfplay.py",
    "bot/transcript/",
)
_ERRORS: Final = ("PlayError",)
"""The errors that are shown to players, with those derived from them."""

_DESCRIPTIONS: Final = ("description", "group_description")

Found = Iterator[str | tuple[str, str]]
Scope = dict[str, ast.expr]
"""The meaning of names: their values, or the annotations of parameters."""


class Untranslatable(Exception):
    """A text for players isn't a constant. The message says where."""


def extract() -> Catalog:
    """Return the texts in the source. Raises `Untranslatable`, with all that can't be extracted."""
    modules = {path.relative_to(ROOT).as_posix(): ast.parse(path.read_text("utf-8")) for path in _sources()}
    errors = _error_classes(modules.values())
    constants = {_module_name(name): _assigned(module.body) for name, module in modules.items()}
    catalog, problems = _catalog(None), []
    for name, module in modules.items():
        parents = parents_of(module)
        for node, scope in _scoped(module, constants):
            try:
                for text in _texts_of(node, errors, scope):
                    said = comments(text if isinstance(text, str) else text[1], place_of(node, parents, name, errors))
                    catalog.add(text, locations=[(name, 0)], auto_comments=said)
            except Untranslatable as problem:
                problems.append(f"{name}:{getattr(node, 'lineno', 0)}: {problem}")
    if problems:
        raise Untranslatable("\n".join(problems))
    return catalog


def catalogues() -> tuple[Path, ...]:
    """Return the ``.po`` file of each language."""
    return tuple(sorted(LOCALES.glob(f"*/LC_MESSAGES/{DOMAIN}.po")))


def read(path: Path) -> Catalog:
    """Return the catalogue in a ``.po`` or ``.pot`` file."""
    with path.open("rb") as file:
        return read_po(file, _locale(path.parts[-3]) if path.suffix == ".po" else None)


def forms(text: object) -> tuple[str, ...]:
    """Return the forms of a message's text or translation: one, or those of the plural."""
    return tuple(text) if isinstance(text, (tuple, list)) else (str(text or ""),)


def is_translated(message: Message) -> bool:
    """Whether a message has a translation in all its forms."""
    return all(forms(message.string)) and not message.fuzzy


def share(catalog: Catalog) -> float:
    """Return which part of its texts a catalogue has a translation of."""
    each = [is_translated(message) for message in catalog if message.id]
    return sum(each) / len(each)


def mistakes(catalog: Catalog) -> list[str]:
    """Return the texts whose translation lacks a placeholder, has an unknown one, or lacks a form of the plural."""
    return [str(message.id) for message in catalog if message.id and _is_wrong(message, catalog.num_plurals)]


def _is_wrong(message: Message, plurals: int) -> bool:
    given = forms(message.string)
    if not any(given):
        return False
    if not all(given) or len(given) != (plurals if message.pluralizable else 1):
        return True
    wanted = fields(forms(message.id)[-1])
    fitting = {wanted, wanted - {"n"}} if message.pluralizable else {wanted}  # “one card” needs no number
    return any(fields(form) not in fitting for form in given)


def compiled(catalog: Catalog) -> bytes:
    """Return the contents of the ``.mo`` file, without the messages that aren't translated or are mistaken.

    Babel would write the English text for a form that is missing, which the rule of the language then picks.
    """
    whole = Catalog(catalog.locale, DOMAIN, charset="utf-8", fuzzy=False)
    whole.mime_headers = catalog.mime_headers
    for message in catalog:
        if message.id and is_translated(message) and not _is_wrong(message, catalog.num_plurals):
            whole.add(message.id, message.string)
    file = BytesIO()
    write_mo(file, whole)
    return file.getvalue()


def written(catalog: Catalog) -> bytes:
    """Return the contents of the ``.po`` or ``.pot`` file."""
    file = BytesIO()
    write_po(file, catalog, width=100, sort_by_file=True, ignore_obsolete=True, include_lineno=False)
    return file.getvalue()


def update(new: str | None = None) -> None:
    """Write the template, the catalogues of all languages and of a ``new`` one, and their compiled forms.

    Exits with an error if a translation is mistaken. The English text is shown in its place.
    """
    template = extract()
    TEMPLATE.write_bytes(written(template))
    paths, wrong = set(catalogues()), []
    if new:
        paths.add(LOCALES / new / "LC_MESSAGES" / f"{DOMAIN}.po")
    for path in sorted(paths):
        catalog = read(path) if path.exists() else _catalog(path.parts[-3])
        catalog.update(template, no_fuzzy_matching=True)
        catalog.creation_date = catalog.revision_date = _NO_DATE
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(written(catalog))
        if share(catalog) >= OFFERED:
            path.with_suffix(".mo").write_bytes(compiled(catalog))
        else:
            path.with_suffix(".mo").unlink(missing_ok=True)
        print(f"{path.relative_to(ROOT)}: {share(catalog):.1%} of {len(catalog)} texts are translated")  # noqa: T201 - its output
        wrong += [f"{path.relative_to(ROOT)}: placeholders or forms of {text}" for text in mistakes(catalog)]
    if wrong:
        sys.exit("\n".join(wrong))


def _locale(language: str) -> Locale:
    return Locale.parse(language, sep="-")


def _catalog(language: str | None) -> Catalog:
    return Catalog(
        None if language is None else _locale(language),
        DOMAIN,
        header_comment=f"# {_HEADER}",
        project="Lilypad",
        version="1",
        msgid_bugs_address="-",
        creation_date=_NO_DATE,
        revision_date=_NO_DATE,
        last_translator="-",
        language_team="-",
        charset="utf-8",
        fuzzy=False,
    )


def _sources() -> Iterator[Path]:
    for folder in _FOLDERS:
        for path in sorted((ROOT / folder).rglob("*.py")):
            if not path.relative_to(ROOT).as_posix().startswith(_NOT_FOR_PLAYERS):
                yield path


def _error_classes(modules: Iterable[ast.Module]) -> frozenset[str]:
    """Return the names of the errors for players."""
    bases = {
        node.name: {_name(base) for base in node.bases}
        for module in modules
        for node in ast.walk(module)
        if isinstance(node, ast.ClassDef)
    }
    names = set(_ERRORS)
    while more := {name for name, above in bases.items() if above & names} - names:
        names |= more
    return frozenset(names)


def _texts_of(node: ast.AST, errors: frozenset[str], scope: Scope) -> Found:
    if isinstance(node, ast.ClassDef):
        if errors & {_name(base) for base in node.bases}:
            yield from _own_texts(node, scope)
        yield from (text for key in node.keywords if key.arg in _DESCRIPTIONS for text in _strings_in(key.value, {}))
    elif isinstance(node, ast.Call):
        yield from _texts_of_call(node, errors, scope)
    elif isinstance(node, (ast.Assign, ast.AnnAssign)) and isinstance(node.value, ast.Dict):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        if any(_name(target) == "reasons" for target in targets):
            yield from (text for value in node.value.values for text in _strings_in(value, scope))


def _own_texts(node: ast.ClassDef, scope: Scope) -> Found:
    """Yield the texts that an error passes to `super`."""
    for call in ast.walk(node):
        is_super = isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "__init__"
        if isinstance(call, ast.Call) and is_super and call.args and not isinstance(call.args[0], ast.Name):
            yield from _strings_in(call.args[0], scope)


def _texts_of_call(node: ast.Call, errors: frozenset[str], scope: Scope) -> Found:
    name = _name(node.func)
    if name == "ngettext":
        singular, plural = (next(_strings_in(argument, scope)) for argument in node.args[:2])
        yield singular, plural
    elif name in {"_", "gettext", "Text", *errors} and node.args:
        yield from _strings_in(node.args[0], scope)
    elif name == "Option" and len(node.args) > 2:
        yield from _strings_in(node.args[2], scope)
    elif name in {"command", "Command", "Group", "describe", "Choice"}:
        yield from _texts_of_command(name, node, scope)


def _texts_of_command(name: str, node: ast.Call, scope: Scope) -> Found:
    for keyword in node.keywords:
        is_text = {"describe": keyword.arg is not None, "Choice": keyword.arg == "name"}
        # Other texts than constants come from elsewhere, where they are extracted.
        is_constant = isinstance(keyword.value, (ast.Constant, ast.BinOp, ast.IfExp))
        if is_constant and is_text.get(name, keyword.arg == "description"):
            yield from _strings_in(keyword.value, scope)


def _module_name(path: str) -> str:
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def _scoped(module: ast.Module, constants: Mapping[str, Scope]) -> Iterator[tuple[ast.AST, Scope]]:
    """Yield all nodes with what the names there stand for. ``constants`` are those of all modules."""
    imported = {
        each.asname or each.name: constants[node.module or ""][each.name]
        for node in module.body
        if isinstance(node, ast.ImportFrom) and node.module in constants
        for each in node.names
        if each.name in constants[node.module or ""]
    }
    waiting: list[tuple[ast.AST, Scope]] = [(module, imported | _assigned(module.body))]
    while waiting:
        node, scope = waiting.pop()
        yield node, scope
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            arguments = node.args
            every = (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)
            scope = {
                **scope,
                **{each.arg: each.annotation for each in every if each.annotation is not None},
                **_assigned(each for each in ast.walk(node) if isinstance(each, ast.stmt)),
            }
        waiting += [(child, scope) for child in ast.iter_child_nodes(node)]


def _assigned(statements: Iterable[ast.stmt]) -> Scope:
    """Return the values that are assigned to names."""
    values: dict[str, ast.expr] = {}
    for node in statements:
        if isinstance(node, ast.Assign):
            values |= {_name(target): node.value for target in node.targets}
        elif isinstance(node, ast.AnnAssign) and node.value is not None:
            values[_name(node.target)] = node.value
    return values


def _strings_in(node: ast.expr, scope: Scope) -> Iterator[str]:
    """Yield the constant strings that an expression may be. Raise `Untranslatable` if it may be another one."""
    match node:
        case ast.Constant(value=str(text)):
            yield from [text] if text else []
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            yield "".join((*_strings_in(left, scope), *_strings_in(right, scope)))
        case ast.Name(id=name) if name in scope:
            yield from _strings_in(scope[name], {key: value for key, value in scope.items() if key != name})
        case _ if not _is_extracted_elsewhere(node):
            for part in _parts(node, scope):
                yield from _strings_in(part, scope)


def _is_extracted_elsewhere(node: ast.expr) -> bool:
    if isinstance(node, ast.Subscript):
        return _name(node.value) == "reasons"
    return _name(node) in {"Text", "title", "template", "help"}


def _parts(node: ast.expr, scope: Scope) -> Sequence[ast.expr]:
    """Return the expressions of which this one is one."""
    match node:
        case ast.IfExp(body=body, orelse=orelse):
            return (body, orelse)
        case ast.Call() if _name(node.func) == "Text":
            return node.args
        case ast.Subscript(value=ast.Name(id=name)) if isinstance(mapping := scope.get(name), ast.Dict):
            return mapping.values
    raise Untranslatable(f"{ast.unparse(node)} isn't a constant, so it can't be translated")


def _name(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


if __name__ == "__main__":
    update(*sys.argv[1:])
