"""The pictures of the rules pages show real positions, as they are drawn today, and every page shows its own."""

import io
import re
from pathlib import Path

import pytest
from PIL import Image

from bot.games import GAMES
from bot.games.cards import face
from bot.pictures.picture import MAX_ALT
from bot.texts import languages
from bot.texts.rules_pages import IMAGE, topics
from tools.rules_pictures import EXAMPLES, described, folders, observed, picture

EACH_LANGUAGE = pytest.mark.parametrize(("language", "folder"), [*folders()], ids=languages())


@EACH_LANGUAGE
def test_pictures_of_the_rules_are_what_is_drawn_now(language: str, folder: Path) -> None:
    drawn = {name: picture(example, language) for name, example in EXAMPLES.items()}
    assert {path.stem for path in (folder / "images").glob("*.png")} == drawn.keys()
    for name, expected in drawn.items():
        with Image.open(folder / f"images/{name}.png") as kept, Image.open(io.BytesIO(expected.png)) as now:
            assert kept.convert("RGB").tobytes() == now.convert("RGB").tobytes(), f"{name}: run `make sprites`"
    for page in folder.glob("*.md"):
        text = page.read_text(encoding="utf-8")
        assert described(text, drawn) == text, f"{page}: run `make sprites`"


@EACH_LANGUAGE
def test_every_picture_is_on_one_page_of_its_game_and_described_briefly(language: str, folder: Path) -> None:
    for game in GAMES:
        shown = [page.picture for topic in topics(game, language) for page in topic.pages if page.picture]
        text = (folder / f"{game}.md").read_text(encoding="utf-8")
        assert sorted(each.file.stem for each in shown) == sorted(name for name in EXAMPLES if name.startswith(game))
        assert len(shown) == len(IMAGE.findall(text))
        assert all(0 < len(each.alt) <= MAX_ALT for each in shown)


@EACH_LANGUAGE
def test_the_first_page_of_each_game_has_a_picture(language: str, folder: Path) -> None:
    assert folder.is_dir()
    assert [game for game in GAMES if topics(game, language)[0].pages[0].picture is None] == []


@EACH_LANGUAGE
def test_the_worked_trick_of_pond_scores_what_the_page_says(language: str, folder: Path) -> None:
    assert folder.is_dir()
    example = EXAMPLES["pond-trick"]
    taken = observed(example._replace(entries=f"{example.entries}\n1 play 4S", seat=0))
    text = topics("pond", language)[0].pages[0].text.replace("\ufe0e", "").replace("−", "-")
    said = dict(re.findall(r"(\w+[♠♥♦♣]) ([+-]\d+)\b", text))
    assert sorted(said) == sorted(face(card).replace("\ufe0e", "") for card in taken.pile)
    assert sum(map(int, said.values())) == taken.pile_points
    assert f"**{taken.pile_points:+}**" in text


@EACH_LANGUAGE
def test_the_pairs_of_pontis_beside_a_picture_are_all_that_fit(language: str, folder: Path) -> None:
    assert folder.is_dir()
    hand = observed(EXAMPLES["pontis-sum"]._replace(seat=1))
    fitting = {frozenset("10" if card[0] == "T" else card[0] for card in (move.under, move.top)) for move in hand.legal}
    text = next(page.text for topic in topics("pontis", language) for page in topic.pages if "(14 − 11)" in page.text)
    line = next(line for line in text.splitlines() if "(14 − 11)" in line)
    said = {frozenset(pair) for pair in re.findall(r"\b([AJQK\d]+) (?:and|und|et|y|e) ([AJQK\d]+)\b", line)}
    assert said == fitting


@EACH_LANGUAGE
def test_the_frog_beside_a_picture_can_go_where_the_page_says(language: str, folder: Path) -> None:
    assert folder.is_dir()
    seen = observed(EXAMPLES["frogs-hop"]._replace(seat=0))
    text = next(page.below for topic in topics("frogs", language) for page in topic.pages if "c2)" in page.below)
    named = set(re.findall(r"\b[a-d][1-4]\b", text))
    landings = {str(move).split()[2] for move in seen.legal if str(move).startswith("move b2 ")}
    assert named == landings | {"b2", "c2", "b3"}
