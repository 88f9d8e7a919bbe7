"""The numbers on the rules pages are those that were measured, and can be measured again."""

import math
import re
from typing import Any, Final

import pytest

from benchmarks.rules_numbers import EXACT, PLANS, Plan, recorded
from benchmarks.solved_frogs import Solved, solve
from bot.games import GAMES
from bot.texts import languages
from bot.texts.rules_pages import FOLDER
from tests.doses import dose

RECORDS: Final = {game: recorded(game) for game in GAMES}
MEASURED: Final = sorted({plan.game for plan in PLANS})
CASES: Final = [
    pytest.param(game, key, language, id=f"{game} {key} {language}")
    for game, records in RECORDS.items()
    for key in records
    for language in languages()
]
NUMBER: Final = re.compile(r"\d+(?:[.,]\d+)?")
CLAIM: Final = {
    "en": re.compile(
        r"\d %|\bone \w* ?in \w+ (?=asks|such|games|turns|rounds|deals)|\b(?:in|of) (?:ten|a hundred|a million)\b"
        r"|\babout (?:one|ten|\w+ty|\w+ (?:in|of))\b|\bmedian\b|\btimes a game\b"
    ),
    "de": re.compile(
        r"\d %|\bvon (?:zehn|hundert|einer Million)\b|\b\d+ von \d+ Spielen|\betwa (?:jede|einem?|\w+zig|zehn|\d+)"
        r"|\bjede[rs]? \w+(?:te|ste) Zug|\bMedian\b|\d-mal im Spiel"
    ),
    "fr": re.compile(
        r"\d\s%|\bsur (?:dix|cent|un million)\b|\benviron (?:une?|dix|\w+aine|\d+)|\bmédiane\b|\bfois par partie\b"
    ),
    "es": re.compile(
        r"\d %|\b(?:de cada|por cada) (?:diez|cien|mil|millón)\b|\b(?:un[oa]?|\d+) de cada \w+"
        r"|\b(?:unas|unos|casi) (?:diez|veinte|\d+) (?:de|manos|turnos|partidas|rondas)\b|\bmediana\b"
        r"|\bveces por partida\b"
    ),
    "pt-BR": re.compile(
        r"\d %|\b\d+ de cada \d+ (?:jogos|rodadas|vezes)|\bem (?:dez|cem|um milhão)\b"
        r"|\bcerca de (?:uma? em|dez|\w+ta)\b|\bmediana\b|\bvezes por jogo\b"
    ),
}
"""How a measurement is told. What matches has to be part of the words of a record."""
COMPUTED: Final = {
    "en": "less than once in a million hands",
    "de": "weniger als einer von einer Million Gaben",
    "fr": "moins d’une fois sur un million de mains",
    "es": "menos de una vez por cada millón de manos",
    "pt-BR": "em menos de uma mão em um milhão",
}
"""Words about misdeals at Pond, which are computed below."""


def page_of(game: str, language: str) -> str:
    folder = FOLDER if language == "en" else FOLDER / language
    return (folder / f"{game}.md").read_text(encoding="utf-8")


def said(record: dict[str, Any], language: str) -> str:
    words: str = record["said"][language]
    return words


@pytest.mark.parametrize(("game", "key", "language"), CASES)
def test_the_page_says_what_was_measured(game: str, key: str, language: str) -> None:
    record = RECORDS[game][key]
    words = said(record, language)
    assert words in page_of(game, language)
    written = NUMBER.search(words)
    value = record["value"] * (100 if record["is_share"] else 1)
    if written is None:
        assert record["is_share"]
        assert value < 1, "hardly ever"
        return
    assert ("%" in words) == record["is_share"]
    digits = len(re.split("[.,]", written[0])[1]) if re.search("[.,]", written[0]) else 0
    assert abs(float(written[0].replace(",", ".")) - value) <= 0.5 * 10**-digits + 1e-9


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("game", GAMES)
def test_no_number_is_claimed_without_a_measurement(game: str, language: str) -> None:
    page = page_of(game, language)
    for words in (*(said(record, language) for record in RECORDS[game].values()), COMPUTED[language]):
        page = page.replace(words, "")
    assert CLAIM[language].findall(page) == []


@pytest.mark.parametrize(
    "claim",
    [
        "strong computers win about seven in ten",
        "about one turn in seven asks for a 1",
        "in about three rounds of ten",
        "in about one in five such games",
        "a game takes about twenty deals",
        "the beginner wins 55 % of games",
    ],
)
def test_claims_are_recognised(claim: str) -> None:
    assert CLAIM["en"].search(claim)


def test_a_misdeal_at_pond_is_as_rare_as_the_page_says() -> None:
    """All eleven cards are of four ranks. Which cards are turned up depends on suits alone."""
    for packs in (1, 2):
        assert math.comb(16 * packs, 11) / math.comb(52 * packs, 11) < 1e-6


@pytest.mark.parametrize("game", MEASURED)
def test_records_say_how_to_repeat_them(game: str) -> None:
    keys = [key + "".join(f" {option}" for option in plan.options) for plan in plans(game) for key in plan.numbers]
    measured = {key: record for key, record in RECORDS[game].items() if record["level"] != EXACT}
    assert list(measured) == keys
    for record in measured.values():
        assert record["games"] >= 100
        assert record["samples"] >= record["games"] / 4
        assert record["level"] == "fair"
        assert record["seed"]
        assert re.fullmatch("[0-9a-f]{7,40}", record["commit"])


def plans(game: str) -> list[Plan]:
    return [plan for plan in PLANS if plan.game == game]


@pytest.mark.parametrize("game", MEASURED)
def test_a_measurement_can_be_repeated(game: str) -> None:
    plan = plans(game)[0]
    samples = plan.samples("7", 1)
    assert plan.samples("7", 1) == samples
    assert samples.keys() == plan.numbers.keys()
    assert any(samples.values())


# ---- solved ponds


SOLVED: Final = [record for record in RECORDS["frogs"].values() if record["level"] == EXACT]


@pytest.mark.parametrize(
    ("eggs", "goal", "expected"), [(1, 1, Solved(-1, 2, 21)), (2, 2, Solved(1, 53, 8610)), (2, 3, Solved(0, 0, 8610))]
)
def test_tiny_ponds_are_solved_as_by_another_program(eggs: int, goal: int, expected: Solved) -> None:
    """A program in C without symmetries, and with its own rules, finds these too."""
    assert solve(eggs, goal) == expected


@pytest.mark.parametrize("record", dose(test=[], full=SOLVED), ids=str)
def test_solved_ponds_have_the_recorded_result(record: dict[str, Any]) -> None:
    size, eggs, goal = (int(option.partition("=")[2]) for option in record["options"])
    assert size == 3
    assert solve(eggs, goal) == (record["winner"], record["value"], record["samples"])
