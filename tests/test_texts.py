"""The texts that players read: all are in the template, and each language has all of them."""

import string
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog, Message

from bot.errors import PlayError, Text
from bot.texts import either, gettext, languages, listed, ngettext, sentence_of, supported, using
from tests.doses import not_in_check
from tools import texts

CATALOGUES = pytest.mark.parametrize("path", texts.catalogues(), ids=lambda path: path.parts[-3])


def fields(text: str) -> set[str | None]:
    """Return the names of the placeholders."""
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


def forms(value: object) -> tuple[str, ...]:
    return tuple(value) if isinstance(value, (tuple, list)) else (str(value or ""),)


def messages(catalog: Catalog) -> list[Message]:
    return [message for message in catalog if message.id]


@pytest.fixture(scope="module")
def extracted() -> Catalog:
    """Return all texts in the source."""
    return texts.extract()


@not_in_check
def test_all_texts_can_be_extracted(extracted: Catalog) -> None:
    assert len(extracted) > 500


@not_in_check
@pytest.mark.skipif(not texts.catalogues(), reason="there are no translations yet")
def test_the_template_is_current(extracted: Catalog) -> None:
    assert texts.TEMPLATE.read_bytes() == texts.written(extracted), "run `make texts`"


@not_in_check
def test_placeholders_have_names(extracted: Catalog) -> None:
    names = {name for message in messages(extracted) for text in forms(message.id) for name in fields(text)}
    assert [name for name in names if not (name or "").isidentifier()] == []


@not_in_check
def test_no_text_has_a_no_break_space_after_an_emoji(extracted: Catalog) -> None:
    # Browsers break lines beside emojis all the same, and the space then indents the next line.
    both = [extracted, *map(texts.read, texts.catalogues())]
    said = [
        text for each in both for message in messages(each) for text in (*forms(message.id), *forms(message.string))
    ]
    assert [text for text in said if any(f"{{{name}}}\xa0" in text for name in ("suit", "card"))] == []


@CATALOGUES
def test_a_catalogue_has_all_texts(path: Path) -> None:
    catalog, template = texts.read(path), texts.read(texts.TEMPLATE)
    assert {message.id for message in catalog} == {message.id for message in template}, "run `make texts`"
    assert [message.id for message in messages(catalog) if not all(forms(message.string)) or message.fuzzy] == []


@CATALOGUES
def test_translations_have_the_placeholders_of_the_text(path: Path) -> None:
    wrong = []
    for message in messages(texts.read(path)):
        wanted = fields(forms(message.id)[-1])
        for form in forms(message.string):
            missing = wanted ^ fields(form)
            if missing and not (message.pluralizable and missing == {"n"}):  # “one card” needs no number
                wrong.append(message.id)
    assert wrong == []


@CATALOGUES
def test_translations_keep_markdown_and_the_ends_of_lines(path: Path) -> None:
    def shape(text: str) -> tuple[object, ...]:
        return text.count("**") % 2, text.count("\n"), text.startswith("-# "), text.startswith("#"), text.count("`")

    every = messages(texts.read(path))
    assert [each.id for each in every for form in forms(each.string) if shape(form) != shape(forms(each.id)[-1])] == []


@CATALOGUES
def test_a_catalogue_is_compiled(path: Path) -> None:
    assert path.with_suffix(".mo").read_bytes() == texts.compiled(texts.read(path)), "run `make texts`"


def test_locales_of_discord_have_a_language() -> None:
    assert (supported("en-GB"), supported(None), supported("xx-YY")) == ("en", "en", "en")
    assert all(supported(language) == language for language in languages())


def test_a_translated_constant_is_a_plain_string() -> None:
    """Posts can't be encoded with anything else."""
    assert type(gettext(Text("Join"))) is str


def test_texts_are_filled_in() -> None:
    with using("en"):
        assert gettext("Waiting for {names}.", names="Ann") == "Waiting for Ann."
        assert [ngettext("{n} card", "{n} cards", n) for n in (1, 2)] == ["1 card", "2 cards"]
    inner = PlayError("Only {name}.", name="Ann")
    assert sentence_of(PlayError("{why} {game}", why=inner, game=Text("Pontis"))) == "Only Ann. Pontis"


def test_numbers_in_texts_are_grouped_as_the_language_does() -> None:
    with using("de"):
        assert [ngettext("{n} game", "{n} games", n) for n in (2, 2604)] == ["2 Spiele", "2.604 Spiele"]
    assert ngettext("{n} game", "{n} games", 2604) == "2,604 games"


def test_lists_in_sentences() -> None:
    assert [listed("abc"[:n]) for n in range(4)] == ["nobody", "a", "a and b", "a, b and c"]
    assert [either("abc"[:n]) for n in range(4)] == ["", "a", "a or b", "a, b or c"]
