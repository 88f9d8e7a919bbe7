"""The rules pages are complete, match the rulebooks, and fit a phone."""

import re
from pathlib import Path
from typing import Final

import pytest

from bot.games import GAMES
from bot.games.cards import SUIT_SYMBOLS, Card
from bot.games.pond.scoring import points
from bot.games.pot_black.tricks import winner
from bot.texts import languages
from bot.texts.rules_pages import FOLDER, GENERAL, IMAGE, PAGE, Topic, length, page_about, topics

ROOT: Final = Path(__file__).parents[1]
RULINGS: Final = {
    "pond": tuple(f"PC-{number:02}" for number in range(1, 38)),
    "frogs": tuple(f"PD-{number:02}" for number in range(1, 26)),
    "pontis": tuple(f"PT-{number:02}" for number in range(1, 44) if number != 39),
    "pot_black": tuple(f"BK-{number:02}" for number in range(1, 31)),
}
"""The rulings of each game."""

RULING: Final = re.compile(rf"\b(?:{'|'.join(rulings[0][:2] for rulings in RULINGS.values())})-\d\d\b")
NAMED: Final = re.compile(r'"((?!G-)[A-Z]{1,2}-\d\d)"')
"""A ruling as an argument of a refusal."""
CODE: Final = re.compile(r"\b[A-Z]{1,2}-\d\d\b")
"""A ruling of any game, or of all."""
AT_THE_END: Final = re.compile(rf"(?<=[.:,!?]) \({CODE.pattern}(?:, {CODE.pattern})*\)$")
MOST_TOPICS: Final = 25
"""The maximum number of options in a menu on Discord."""


def page_of(game: str) -> str:
    """Return the whole rules page of a game."""
    return (FOLDER / f"{game}.md").read_text(encoding="utf-8")


def section_of(game: str, word: str) -> str:
    """Return the text of the topic with this word in its title."""
    return next("\n\n".join(page.text for page in topic.pages) for topic in topics(game) if word in topic.title)


@pytest.mark.parametrize("game", GAMES)
def test_the_page_names_exactly_the_rulings_of_the_game(game: str) -> None:
    assert set(RULING.findall(page_of(game))) == set(RULINGS[game])


@pytest.mark.parametrize("game", GAMES)
def test_rulings_cited_in_the_code_are_on_the_page(game: str) -> None:
    sources = [*(ROOT / "bot/games" / game).glob("*.py"), *(ROOT / "cogs" / game).glob("*.py")]
    cited = {ruling for source in sources for ruling in RULING.findall(source.read_text(encoding="utf-8"))}
    assert cited
    assert cited <= set(RULINGS[game])


@pytest.mark.parametrize("game", GAMES)
def test_every_ruling_that_a_refusal_names_is_found_on_a_page(game: str) -> None:
    sources = [*(ROOT / "bot/games" / game).glob("*.py"), ROOT / f"cogs/{game}/cog.py"]
    named = {ruling for source in sources for ruling in NAMED.findall(source.read_text(encoding="utf-8"))}
    assert named
    for ruling in named:
        found = page_about(ruling)
        assert found is not None, ruling
        its_game, topic, page = found
        assert its_game == game
        assert ruling in topics(game)[topic].pages[page].text


def test_every_ruling_in_the_code_is_found_on_a_page() -> None:
    """Except in transcripts, whose errors are printed by the command line."""
    sources = [*(ROOT / "bot").rglob("*.py"), *(ROOT / "cogs").rglob("*.py")]
    texts = [source.read_text(encoding="utf-8") for source in sources if source.parent.name != "transcript"]
    cited = {ruling for text in texts for ruling in re.findall(r'"([A-Z]{1,2}-\d\d)"', text)}
    assert {"G-01", "G-04", "G-10", "G-11", "G-12", "K-01", "P-03", "T-05"} <= cited
    assert [ruling for ruling in sorted(cited) if page_about(ruling) is None] == []


def test_a_ruling_is_found_where_it_is_named_first() -> None:
    game, topic, page = page_about("BK-04") or ("", 0, 0)
    assert "Follow suit if you can" in topics(game)[topic].pages[page].text
    assert page_about("BK-99") is None


@pytest.mark.parametrize(
    ("ruling", "answer", "german"),
    [
        ("PD-01", "you take turns", "abwechselnd"),
        ("PD-06", "d4", "d4"),
        ("PD-07", "A frog never lands on a piece", "Ein Frosch landet nie auf einer Figur"),
        ("PD-10", "on any empty square", "auf irgendein leeres Feld"),
        ("PC-24", "The leader chooses", "Wer ausgespielt hat, wählt"),
        ("PT-10", "The difference is the bridge", "Die Differenz ist die Brücke"),
        ("PT-31", "whoever had the first turn", "die zuerst dran war"),
        ("PT-40", "begins on their second", "beginnt auf seinem zweiten"),
        ("G-03", "in Pontis without faked misses", "in Pontis ohne Bluffen"),
        ("T-06", "until the next card is played", "bis zur nächsten Karte"),
        ("K-01", "Partners need four players", "Partner brauchen vier am Tisch"),
    ],
)
def test_the_page_of_a_refusal_answers_why(ruling: str, answer: str, german: str) -> None:
    for language, expected in (("en", answer), ("de", german)):
        game, topic, page = page_about(ruling, language) or ("", 0, 0)
        assert expected in topics(game, language)[topic].pages[page].text


@pytest.mark.parametrize("game", [*GAMES, GENERAL])
def test_every_page_fits_a_phone_screen(game: str) -> None:
    assert len(topics(game)) <= MOST_TOPICS
    long = {topic.title: [page for page in topic.pages if length(page) > PAGE] for topic in topics(game)}
    assert {title: pages for title, pages in long.items() if pages} == {}
    assert [topic.title for topic in topics(game) if not topic.pages[0].text] == []


@pytest.mark.parametrize("game", [*GAMES, GENERAL])
def test_pages_use_only_markdown_that_discord_renders(game: str) -> None:
    """There are no tables, images or subheadings, and no wrapped lines: Discord keeps line breaks."""
    lines = [line for topic in topics(game) for page in topic.pages for line in page.text.splitlines()]
    assert [line for line in lines if line.startswith(("|", "![", "#", "    "))] == []
    inside = [line for topic in topics(game) for page in topic.pages for line in page.text.split("\n\n")]
    broken = [block for block in inside for line in block.splitlines()[1:] if not re.match(r"(?:[-*]|\d+\.) ", line)]
    assert broken == []


@pytest.mark.parametrize("game", [*GAMES, GENERAL])
def test_topics_are_numbered_in_order(game: str) -> None:
    assert [topic.title.partition(".")[0] for topic in topics(game)] == [
        str(number) for number in range(1, len(topics(game)) + 1)
    ]


@pytest.mark.parametrize("game", GAMES)
def test_the_pages_contain_the_whole_document(game: str) -> None:
    paged = "\n\n".join(
        f"## {topic.title}\n\n" + "\n\n".join(page.text for page in topic.pages) for topic in topics(game)
    )
    written = re.sub(rf"{IMAGE.pattern}\n\n", "", page_of(game))
    assert written[written.index("## ") :].split() == paged.replace("\ufe0e", "").split()


@pytest.mark.parametrize("game", GAMES)
def test_suits_are_shown_as_text_instead_of_emoji(game: str) -> None:
    pages = "".join(page.text for topic in topics(game) for page in topic.pages)
    assert re.findall("[♠♥♦♣](?!\ufe0e)", pages) == []


@pytest.mark.parametrize("game", GAMES)
def test_exactly_the_reasons_of_the_game_are_explained(game: str) -> None:
    explained = set(re.findall(r"^- `(\w+)`:", section_of(game, "Winning"), flags=re.MULTILINE))
    assert explained == {*GAMES[game].reasons, "resigned"}


@pytest.mark.parametrize("game", GAMES)
def test_every_option_is_explained_with_its_choices_and_ruling(game: str) -> None:
    lines = {line.split("`")[1]: line for line in section_of(game, "Options").splitlines() if line.startswith("- `")}
    assert set(lines) == {option.key for option in GAMES[game].options}
    for option in GAMES[game].options:
        line = lines[option.key]
        assert option.default is None or f"**{option.default}**" in line
        assert [choice for choice in option.choices if str(choice) not in line] == []
        assert option.ruling in line


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("game", GAMES)
def test_the_page_says_with_which_options_tables_begin(game: str, language: str) -> None:
    words = {
        "en": "New tables begin with {}",
        "de": "Neue Tische beginnen mit {}",
        "fr": "Une nouvelle table commence avec {}",
        "es": "Las mesas nuevas empiezan con {}",
        "pt-BR": "Mesas novas começam com {}",
    }[language]
    for key, value in GAMES[game].proposed.items():
        (line,) = (line for line in lines_of(game, language) if line.startswith(f"- `{key}` "))
        assert words.format(value) in line


@pytest.mark.parametrize(("game", "designer"), [("pond", "Michael Schoessow"), ("pot_black", "Rob Rutherford")])
def test_the_designer_is_credited_on_the_page_and_on_discord(game: str, designer: str) -> None:
    assert designer in page_of(game).partition("## ")[0]
    assert designer in section_of(game, "Credits")


def test_a_game_without_a_page_has_no_topics() -> None:
    with pytest.raises(FileNotFoundError):
        topics("chess")


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*/*.md")), ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_translated_rules_have_the_same_topics_with_the_same_rulings(path: Path) -> None:
    english, other = (topics(path.stem, language) for language in ("en", path.parent.name))
    assert len(other) == len(english)
    for here, there in zip(other, english, strict=True):
        assert rulings(here) == rulings(there), here.title
        assert all(length(page) <= PAGE for page in here.pages), here.title


@pytest.mark.parametrize("path", sorted(FOLDER.rglob("*.md")), ids=lambda path: path.relative_to(FOLDER).as_posix())
def test_rulings_are_named_only_at_the_end_of_a_paragraph(path: Path) -> None:
    """After its last sign, so that readers who don't need them can skip them."""
    lines = path.read_text(encoding="utf-8").partition("\n## ")[2].splitlines()
    named = [line for line in lines if CODE.search(line)]
    assert named
    assert [line for line in named if CODE.search(AT_THE_END.sub("", line))] == []


@pytest.mark.parametrize("language", languages())
def test_the_scored_cards_of_pond_are_worth_what_the_page_says(language: str) -> None:
    (example,) = (line for line in lines_of("pond", language) if line.endswith("= **26**."))
    said = [int(each.replace("−", "-")) for each in re.findall(r"[+−]\d+", example)]
    assert said == [points(card, "H", "89T") for card in cards_in(example)]
    assert sum(said) == 26


@pytest.mark.parametrize("language", languages())
def test_the_tricks_of_pot_black_go_to_the_card_that_the_page_says(language: str) -> None:
    found = [re.match(r"- (.*), (.*): \w+ (\S+) ", line) for line in lines_of("pot_black", language)]
    tricks = [(each[1], cards_in(each[2]), cards_in(each[3])) for each in found if each and len(cards_in(each[2])) == 4]
    assert len(tricks) == 3
    for said, trick, taker in tricks:
        trumps = next((suit for suit, symbol in SUIT_SYMBOLS.items() if symbol[0] in said), None)
        assert [trick[winner(trick, trumps)]] == taker


def lines_of(game: str, language: str) -> list[str]:
    """Return the lines of all pages of a game."""
    return [line for topic in topics(game, language) for page in topic.pages for line in page.text.splitlines()]


def cards_in(text: str) -> list[Card]:
    """Return the cards that a text names with rank and suit."""
    suits = {symbol[0]: suit for suit, symbol in SUIT_SYMBOLS.items()}
    return [rank.replace("10", "T") + suits[suit] for rank, suit in re.findall(r"(10|[2-9AJQK])([♠♥♦♣])", text)]


def rulings(topic: Topic) -> set[str]:
    return set(CODE.findall("\n".join(page.text for page in topic.pages)))
