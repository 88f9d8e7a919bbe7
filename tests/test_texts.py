"""The texts that players read: all are in the template, German has all of them, and other languages nearly all."""

import gettext as stdlib
from io import BytesIO
from pathlib import Path
from typing import Any

import discord
import pytest
from babel import Locale
from babel.messages.catalog import Catalog, Message
from discord.app_commands import (
    Choice,
    TranslationContext,
    TranslationContextLocation as Location,
    locale_str,
)

from bot import texts as spoken
from bot.errors import PlayError, Text
from bot.texts import (
    decimal,
    either,
    gettext,
    languages,
    listed,
    name_of,
    ngettext,
    number,
    sentence_of,
    supported,
    translated,
    using,
)
from bot.ui.interactions.language import Translator
from tests.doses import not_in_check
from tests.spoken import ALWAYS
from tools import text_comments, texts
from tools.text_comments import fields
from tools.texts import forms

CATALOGUES = pytest.mark.parametrize("path", texts.catalogues(), ids=lambda path: path.parts[-3])


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
    assert [name for name in names if not name.isidentifier()] == []


@not_in_check
def test_the_meaning_of_each_placeholder_is_told_to_translators(extracted: Catalog) -> None:
    names = {name for message in messages(extracted) for text in forms(message.id) for name in fields(text)}
    assert names == text_comments.PLACEHOLDERS.keys(), "see tools/text_comments.py"


@not_in_check
def test_short_texts_and_placeholders_have_comments(extracted: Catalog) -> None:
    short = [each for each in messages(extracted) if len(forms(each.id)[-1].split()) < 3 or fields(forms(each.id)[-1])]
    assert [each.id for each in short if not any(said.startswith("Where: ") for said in each.auto_comments)] == []
    (button,) = [message for message in short if message.id == "Join"]
    assert "Where: a button, about 20 characters." in button.auto_comments


@not_in_check
def test_no_text_has_a_no_break_space_after_an_emoji(extracted: Catalog) -> None:
    # Browsers break lines beside emojis all the same, and the space then indents the next line.
    both = [extracted, *map(texts.read, texts.catalogues())]
    said = [
        text for each in both for message in messages(each) for text in (*forms(message.id), *forms(message.string))
    ]
    assert [text for text in said if any(f"{{{name}}}\xa0" in text for name in ("suit", "card"))] == []


@CATALOGUES
def test_a_catalogue_has_nearly_all_texts_and_german_all(path: Path) -> None:
    catalog, template = texts.read(path), texts.read(texts.TEMPLATE)
    assert {message.id for message in catalog} == {message.id for message in template}, "run `make texts`"
    missing = [message.id for message in messages(catalog) if not texts.is_translated(message)]
    assert texts.share(catalog) >= texts.OFFERED, missing
    assert missing == [] or path.parts[-3] not in ALWAYS


@CATALOGUES
def test_translations_have_the_placeholders_of_the_text_and_all_forms_of_the_plural(path: Path) -> None:
    assert texts.mistakes(texts.read(path)) == []


def lacking(**translations: str | tuple[str, ...]) -> Catalog:
    """Return a French catalogue of three texts with some translations."""
    catalog = Catalog(Locale("fr"))
    ids: dict[str, str | tuple[str, ...]] = {
        "join": "Join",
        "wait": "Waiting for {names}.",
        "cards": ("{n} card", "{n} cards"),
    }
    for key, text in ids.items():
        catalog.add(text, translations.get(key, ("", "") if key == "cards" else ""))
    return catalog


@pytest.mark.parametrize(
    "translations",
    [
        {"wait": "On attend."},
        {"wait": "On attend {name}."},
        {"cards": ("{n} carte", "")},
        {"cards": ("carte", "{x} cartes")},
    ],
)
def test_a_mistaken_translation_is_found_and_not_compiled(translations: dict[str, str | tuple[str, ...]]) -> None:
    catalog = lacking(**translations)
    assert len(texts.mistakes(catalog)) == 1
    read = stdlib.GNUTranslations(BytesIO(texts.compiled(catalog)))
    assert read.gettext("Waiting for {names}.") == "Waiting for {names}."
    assert read.ngettext("{n} card", "{n} cards", 0) == "{n} cards"


def test_what_a_language_lacks_is_in_english_with_english_plurals() -> None:
    catalog = lacking(join="Rejoindre")
    assert (texts.mistakes(catalog), texts.share(catalog)) == ([], 1 / 3)
    read = stdlib.GNUTranslations(BytesIO(texts.compiled(catalog)))
    assert [read.ngettext("{n} card", "{n} cards", n) for n in (0, 1, 2)] == ["{n} cards", "{n} card", "{n} cards"]
    assert (read.gettext("Join"), read.gettext("Waiting for {names}.")) == ("Rejoindre", "Waiting for {names}.")
    whole = stdlib.GNUTranslations(BytesIO(texts.compiled(lacking(cards=("{n} carte", "{n} cartes")))))
    assert [whole.ngettext("{n} card", "{n} cards", n) for n in (0, 1, 2)] == ["{n} carte", "{n} carte", "{n} cartes"]


SINGULAR = {"en": {1}, "de": {1}, "fr": {0, 1}, "es": {1}, "pt-BR": {0, 1}}
"""The numbers with the singular, as catalogues of these languages usually have it; CLDR adds a form for millions."""


@CATALOGUES
def test_plurals_are_those_of_the_language(path: Path) -> None:
    with path.with_suffix(".mo").open("rb") as file:
        read = stdlib.GNUTranslations(file)
    plurals = [each for each in messages(texts.read(path)) if each.pluralizable]
    one, many, *_ = next(forms(each.id) for each in plurals if len({*forms(each.string)}) > 1)
    said = {n for n in (0, 1, 2, 1_000_000) if read.ngettext(one, many, n) == read.ngettext(one, many, 1)}
    assert said == SINGULAR[path.parts[-3]]


@CATALOGUES
def test_translations_keep_markdown_and_the_ends_of_lines(path: Path) -> None:
    def shape(text: str) -> tuple[object, ...]:
        return text.count("**") % 2, text.count("\n"), text.startswith("-# "), text.startswith("#"), text.count("`")

    every = messages(texts.read(path))
    said = [(each.id, form) for each in every for form in forms(each.string) if form]
    assert [text for text, form in said if shape(form) != shape(forms(text)[-1])] == []


@CATALOGUES
def test_a_catalogue_is_compiled(path: Path) -> None:
    assert path.with_suffix(".mo").read_bytes() == texts.compiled(texts.read(path)), "run `make texts`"


def test_locales_of_discord_have_a_language() -> None:
    assert (supported("en-GB"), supported(None), supported("xx-YY")) == ("en", "en", "en")
    assert all(supported(language) == language for language in languages())


def test_a_region_has_its_own_language_where_there_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spoken, "languages", lambda: ("en", "de", "es", "pt-BR", "zh-TW"))
    assert [supported(each) for each in ("es-ES", "es-419", "pt-BR", "zh-TW")] == ["es", "es", "pt-BR", "zh-TW"]
    assert [supported(each) for each in ("pt-PT", "zh-CN", "fr", "en-US")] == ["en"] * 4


async def test_commands_are_described_in_each_locale_of_discord() -> None:
    text = locale_str("Join a table")
    context: TranslationContext[Any, Any] = TranslationContext(Location.choice_name, data=Choice(name=text, value=""))
    for locale in discord.Locale:
        language = supported(str(locale))
        with using(language):
            said = translated(text.message)
        expected = None if language == "en" else said
        assert await Translator().translate(text, locale, context) == expected
    served = {supported(str(locale)) for locale in discord.Locale}
    assert served == {*languages()}


def test_languages_have_names() -> None:
    assert [each for each in languages() if name_of(each) == each] == []


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


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("en", ("−1,234", "12,345", "1,234,567", "2.5")),
        ("de", ("−1.234", "12.345", "1.234.567", "2,5")),
        ("fr", ("−1\u202f234", "12\u202f345", "1\u202f234\u202f567", "2,5")),
        ("es", ("−1234", "12\u202f345", "1\u202f234\u202f567", "2,5")),
        ("pt-BR", ("−1.234", "12.345", "1.234.567", "2,5")),
    ],
)
def test_numbers_are_written_as_in_the_language(language: str, expected: tuple[str, ...]) -> None:
    with using(language):
        assert (*map(number, (-1234, 12345, 1234567)), decimal(2.5)) == expected


def test_spanish_lists_heed_the_next_sound(monkeypatch: pytest.MonkeyPatch) -> None:
    spanish = {
        "{words} and {last}": "{words} y {last}",
        "{words} or {last}": "{words} o {last}",
        "You and {player}": "Tú y **{player}**",
    }
    monkeypatch.setattr(spoken, "translated", lambda text: spanish.get(text, text))
    with using("es"):
        and_e = ("**Inés**", "Hilda", "🤖 Ivy", "Ígor", "Yvonne", "i")
        assert [each for each in and_e if listed(["Ana", each]) != f"Ana e {each}"] == []
        and_y = ("Ana", "Hielo", "Yago", "9♠", "**Ben**", "🤖", "")
        assert [each for each in and_y if listed(["Ana", each]) != f"Ana y {each}"] == []
        or_u = ("Olga", "**Hola**", "Óscar", "8", "8♠", "80", "11", "11\u202f000")
        assert [each for each in or_u if either(["7", each]) != f"7 u {each}"] == []
        or_o = ("Ana", "9", "110", "18", "1800")
        assert [each for each in or_o if either(["7", each]) != f"7 o {each}"] == []
        assert gettext("You and {player}", player="Inés") == "Tú e **Inés**"
    assert listed(["Ana", "Inés"]) == "Ana y Inés"


def test_lists_in_sentences() -> None:
    assert [listed("abc"[:n]) for n in range(4)] == ["nobody", "a", "a and b", "a, b and c"]
    assert [either("abc"[:n]) for n in range(4)] == ["", "a", "a or b", "a, b or c"]
