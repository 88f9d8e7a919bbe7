"""Times in the words of each language, as its catalogue has them."""

import re
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from bot.errors import InvalidOption
from bot.records.preference import UserSettings
from bot.tables import typed_vocabulary
from bot.tables.ping_settings import read_quiet
from bot.tables.typed_times import read_away, read_when
from bot.texts import languages
from tests.spoken import into

BERLIN = ZoneInfo("Europe/Berlin")
NOW = datetime(2026, 3, 27, 18, 30, tzinfo=BERLIN).timestamp()
"""A Friday, two days before summer time begins."""
FRI, SAT, SUN, MON, TUE, THU = (*("2026-03-27", "2026-03-28", "2026-03-29", "2026-03-30", "2026-03-31", "2026-04-02"),)


def read(typed: str, language: str) -> tuple[str, ...]:
    """Return the moment that is taken, and the other one if there is a doubt, as the clocks in Berlin show them."""
    moment = read_when(typed, BERLIN, NOW, into(language))
    moments = [at for at in (moment.at, moment.other) if at is not None]
    return tuple(f"{datetime.fromtimestamp(at, BERLIN):%Y-%m-%d %H:%M}" for at in moments)


CLEAR = {
    "en": [
        ("half past eight tonight", f"{FRI} 20:30"),
        ("friday next 20:00", "2026-04-03 20:00"),
    ],
    "de": [("di 20:00", f"{TUE} 20:00"), ("do 20:00", f"{THU} 20:00"), ("Mo 20 Uhr", f"{MON} 20:00")],
    "fr": [
        *[(typed, f"{SUN} 20:00") for typed in ("di 20:00", "dimanche à 20 heures", "dimanche soir à 8h")],
        *[(typed, f"{TUE} 20:00") for typed in ("mardi 20:00", "ma 20:00", "mar 20h00", "mardi à 8h du soir")],
        *[(typed, f"{SAT} 20:00") for typed in ("demain 20:00", "demain soir à huit heures", "demain à 20 h 00")],
        *[(typed, f"{SUN} 20:00") for typed in ("après-demain 20:00", "apres-demain à 20 heures", "le 29 à 20:00")],
        *[(typed, f"{FRI} 20:30") for typed in ("ce soir à 8h30", "ce soir à huit heures et demie", "dans 2 heures")],
        *[(typed, f"{FRI} 20:45") for typed in ("ce soir à 9h moins le quart", "aujourd’hui à 20h45")],
        ("dans deux heures et demie", f"{FRI} 21:00"),
        ("dans une heure et demie", f"{FRI} 20:00"),
        ("dans une demi-heure", f"{FRI} 19:00"),
        ("dans un quart d'heure", f"{FRI} 18:45"),
        ("dans 3 jours à 20h00", f"{MON} 20:00"),
        ("dans une semaine à 20:00", "2026-04-03 20:00"),
        ("samedi midi", f"{SAT} 12:00"),
        ("demain à midi", f"{SAT} 12:00"),
        ("le 24 décembre à 18h30", "2026-12-24 18:30"),
        ("24 sept. 18h30", "2026-09-24 18:30"),
        ("1er mai 20:00", "2026-05-01 20:00"),
        ("24 mars 2027 20:00", "2027-03-24 20:00"),
        ("lundi de la semaine prochaine à 20:00", f"{MON} 20:00"),
        ("tomorrow 8pm", f"{SAT} 20:00"),
    ],
    "es": [
        *[(typed, f"{SUN} 20:00") for typed in ("do 20:00", "dom. 20:00", "domingo a las 8 de la noche")],
        ("el 29 a las 20:00", f"{SUN} 20:00"),
        *[(typed, f"{TUE} 20:00") for typed in ("ma 20:00", "martes a las 20:00", "martes a las 8 p. m.", "mar 20 hs")],
        *[(typed, f"{SAT} 20:00") for typed in ("mañana a las 20:00", "mañana por la noche a las ocho", "manana 20 h")],
        *[(typed, f"{SAT} 08:00") for typed in ("mañana por la mañana a las 8", "sábado a las 8 de la mañana")],
        *[(typed, f"{FRI} 20:30") for typed in ("hoy a las 8 y media de la noche", "esta noche a las ocho y media")],
        *[(typed, f"{FRI} 20:30") for typed in ("en 2 horas", "dentro de dos horas", "en dos horas")],
        *[(typed, f"{FRI} 20:45") for typed in ("esta noche a las nueve menos cuarto", "esta noche cuarto para las 9")],
        ("esta noche a las ocho y diez", f"{FRI} 20:10"),
        ("en media hora", f"{FRI} 19:00"),
        ("en dos horas y media", f"{FRI} 21:00"),
        ("en 1 hora y 30 minutos", f"{FRI} 20:00"),
        ("pasado mañana 20:00", f"{SUN} 20:00"),
        ("el lunes que viene a las 20:00", f"{MON} 20:00"),
        ("24 de diciembre de 2026 a las 18:30", "2026-12-24 18:30"),
        ("nochebuena 18:30", "2026-12-24 18:30"),
        ("sábado al mediodía", f"{SAT} 12:00"),
    ],
    "pt-BR": [
        *[(typed, f"{SUN} 20:00") for typed in ("dom 20:00", "domingo às 20h00", "dom 8 da noite")],
        ("domingo à noite às 8", f"{SUN} 20:00"),
        *[(typed, f"{MON} 20:00") for typed in ("segunda-feira às 20:00", "segunda feira 20h00", "seg 20:00")],
        *[(typed, f"{SAT} 20:00") for typed in ("amanhã às 20:00", "amanhã à noite às 8", "amanhã às oito da noite")],
        *[(typed, f"{FRI} 20:30") for typed in ("hoje à noite às oito e meia", "daqui a 2 horas", "em duas horas")],
        ("hoje à noite quinze para as nove", f"{FRI} 20:45"),
        ("em meia hora", f"{FRI} 19:00"),
        ("em duas horas e meia", f"{FRI} 21:00"),
        ("depois de amanhã 20:00", f"{SUN} 20:00"),
        ("terça que vem às 20:00", f"{TUE} 20:00"),
        ("24 de dezembro às 18h30", "2026-12-24 18:30"),
        ("sábado ao meio-dia", f"{SAT} 12:00"),
        ("dia 29 às 20:00", f"{SUN} 20:00"),
    ],
}  # fmt: skip


@pytest.mark.parametrize(
    ("language", "typed", "expected"),
    [
        pytest.param(language, typed, expected, id=f"{language}: {typed}")
        for language in languages()
        for typed, expected in CLEAR.get(language, ())
    ],
)
def test_words_are_those_of_the_language(language: str, typed: str, expected: str) -> None:
    assert read(typed, language)[0] == expected


@pytest.mark.parametrize(
    ("language", "typed"),
    [
        (language, typed)
        for language, some in {
            "en": ("di 20:00", "do 20:00", "morgen 20:00", "mañana 20:00"),
            "de": ("dimanche 20:00", "domingo 20:00", "in acht Tagen"),
            "fr": ("montag 20:00", "dans huit jours", "j 20:00"),
            "es": ("dimanche 20:00", "en ocho días"),
            "pt-BR": ("se 20:00", "qu 20:00", "daqui a oito dias"),
        }.items()
        for typed in some
        if language in languages()
    ],
)
def test_words_of_other_languages_and_doubtful_ones_are_refused(language: str, typed: str) -> None:
    with pytest.raises(InvalidOption):
        read(typed, language)


@pytest.mark.parametrize("language", languages())
def test_the_lists_of_words_have_as_many_entries_as_in_english(language: str) -> None:
    lists = typed_vocabulary.LISTS
    lengths = {name: (len(text.split(", ")), len(into(language)(text).split(", "))) for name, text in lists.items()}
    assert {name: both for name, both in lengths.items() if both[0] != both[1]} == {}


@pytest.mark.parametrize("language", languages())
def test_each_day_and_month_is_known_by_its_name_and_its_beginning(language: str) -> None:
    spoken = typed_vocabulary.vocabulary(into(language))
    for name, length in (("weekdays", 3), ("months", 4)):
        firsts = [words[0] for words in spoken.languages[0][name]]
        for typed in (firsts, [word[:length] for word in firsts]):
            assert [spoken.begun(name, word, 3) for word in typed] == [*range(len(firsts))]


@pytest.mark.parametrize("typed", ["off", "no", "back"])
@pytest.mark.parametrize("language", languages())
def test_a_holiday_is_ended_in_each_language(language: str, typed: str) -> None:
    assert read_away(typed, UserSettings(timezone="UTC"), NOW, into(language)) is None
    own = into(language)(typed_vocabulary.LISTS["ends"]).replace(", ", " / ").split(" / ")
    assert {read_away(word, UserSettings(timezone="UTC"), NOW, into(language)) for word in own} == {None}


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize(
    "text",
    [
        "Such as 20:00, fri 8pm, 24.12. 18:30 or in 2 hours",
        "Write a time such as 20:00, fri 20:00 or 2026-12-24 18:30.",
        "Write how long you're away: 2026-12-24, 5 days, fri 20:00, or off.",
    ],
)
def test_the_examples_that_people_are_shown_can_be_typed(text: str, language: str) -> None:
    said = into(language)(text)
    named = [each for each in re.split(r",? (?:or|oder|ou|o|u) |, ", "2" + said.partition("2")[2]) if each]
    assert len(named) >= 3
    for typed in named:
        settings = UserSettings(timezone="Europe/Berlin")
        assert read_away(typed.strip("."), settings, NOW, into(language)) or "off" in typed or "aus" in typed, typed


@pytest.mark.parametrize("language", languages())
def test_quiet_hours_are_read_with_words(language: str) -> None:
    until = into(language)(typed_vocabulary.LISTS["until"]).split(" / ")[0]
    assert read_quiet(f"22:00 {until} 8", into(language)) == (22 * 60, 8 * 60)
    assert read_quiet("off", into(language)) is None
