"""The docs match the project: commands, links, permissions, versions, locks, and the parts that each game needs."""

import importlib
import json
import re
import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path
from typing import Final

import discord
import pytest
from packaging.requirements import Requirement
from packaging.version import Version
from PIL import Image

from bot.computer import PLAYERS
from bot.games import GAMES
from bot.running.client import COGS
from bot.settings import NAMES
from bot.texts.rules_pages import GENERAL
from bot.ui.game_cog import GameCog
from bot.version import __version__

ROOT: Final = Path(__file__).parents[1]
README: Final = (ROOT / "README.md").read_text(encoding="utf-8")
COMMANDS: Final = (ROOT / "docs/COMMANDS.md").read_text(encoding="utf-8")
CHANGELOG: Final = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
DOCUMENTS: Final = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]
PROSE: Final = [document for document in DOCUMENTS if "rules" not in document.parts]
"""The rules pages have one line per paragraph, as Discord keeps line breaks."""
MAKEFILE: Final = (ROOT / "Makefile").read_text(encoding="utf-8")
CHANGES: Final = ("Added", "Changed", "Deprecated", "Removed", "Fixed", "Security")
WITHOUT_COMMANDS: Final = {"cogs.card_texts", "cogs.causes"}
"""Modules of `cogs` that games share, and that have no commands."""
PLACES: Final = (ROOT, ROOT / "bot", ROOT / "docs", ROOT / "bot/games")
"""Where paths in the docs may begin."""
UNCOUNTED: Final = ("COMMANDS", "PRIVACY", "TERMS")
LOCKS: Final = ("run", "postgres", "sandbox", "dev")
MIT: Final = "Permission is hereby granted, free of charge, to any person obtaining a"
"""The beginning of the MIT licence's text, after the copyright."""
FREE: Final = re.compile(r"MIT|BSD|Apache|PSF|Python Software Foundation|MPL|Mozilla Public|ISC|CNRI-Python|HPND")


def text_of(document: Path) -> str:
    """Return the text of a document."""
    return document.read_text(encoding="utf-8")


def locked(name: str) -> dict[str, str]:
    """The versions in a lock, by package."""
    return dict(re.findall(r"^([a-z0-9-]+)==([^ \n]+)", text_of(ROOT / f"lock/{name}.txt"), flags=re.MULTILINE))


# ---- commands


@pytest.mark.parametrize("document", PROSE, ids=lambda document: document.name)
def test_commands_do_not_take_settings_from_the_shell_as_they_are_in_a_file(document: Path) -> None:
    assert re.findall(rf"\$\{{?(?:{'|'.join(NAMES)})\b", text_of(document)) == []


def test_every_make_target_in_the_docs_exists() -> None:
    targets = set(re.findall(r"^([a-z-]+):", MAKEFILE, flags=re.MULTILINE))
    named = {
        name
        for document in DOCUMENTS
        for name in re.findall(r"(?:^ {4}|`|&& )make ([a-z-]+)", text_of(document), re.MULTILINE)
    }
    assert named <= targets
    assert {"sandbox", "run", "test", "check"} <= named


def test_make_help_explains_every_target() -> None:
    targets = set(re.findall(r"^([a-z-]+):(?! LOCK)", MAKEFILE, flags=re.MULTILINE))
    printed = subprocess.run(["make"], cwd=ROOT, capture_output=True, text=True, check=True, timeout=60)  # noqa: S607 - the make on the path
    assert set(re.findall(r"^make ([a-z-]+) +[a-z]", printed.stdout, flags=re.MULTILINE)) == targets


def test_the_list_of_commands_has_exactly_those_of_the_command_line() -> None:
    told = subprocess.run(
        [sys.executable, "-m", "bot", "--help"], cwd=ROOT, capture_output=True, text=True, check=True, timeout=60
    )
    commands = set(re.findall(r"^ {4}([a-z][a-z-]*)(?: |$)", told.stdout, flags=re.MULTILINE))
    assert {"run", "sandbox", "selfplay", "replay", "verify", "tables", "transcript"} <= commands
    assert set(re.findall(r"^\| `python -m bot ([a-z][a-z-]*)", COMMANDS, flags=re.MULTILINE)) == commands


def test_every_command_in_the_docs_is_in_the_list_of_commands() -> None:
    named = {name for document in DOCUMENTS for name in re.findall(r"python -m bot ([a-z][a-z-]*)", text_of(document))}
    assert [name for name in sorted(named) if f"| `python -m bot {name}" not in COMMANDS] == []


def test_ci_runs_the_command_of_the_readme() -> None:
    assert text_of(ROOT / ".ci/run").splitlines()[-1] == "make test"
    assert "\n    make test" in README
    assert "- run: .ci/run\n" in text_of(ROOT / ".github/workflows/ci.yml")


# ---- links, paths and form


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda document: str(document.relative_to(ROOT)))
def test_every_link_leads_somewhere(document: Path) -> None:
    links = re.findall(r"\]\(([^)\s]+)\)", text_of(document).replace("\n", " "))
    inside = [link for link in links if not link.startswith("http")]
    assert [link for link in inside if not (document.parent / link.partition("#")[0]).exists()] == []
    for path, _, anchor in (link.partition("#") for link in inside if "#" in link):
        headings = re.findall(r"^#+ (.*)$", text_of(document.parent / path if path else document), flags=re.MULTILINE)
        assert anchor in [re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings]


@pytest.mark.parametrize("document", PROSE, ids=lambda document: document.name)
def test_every_path_in_the_docs_exists(document: Path) -> None:
    paths = re.findall(r"`((?:bot|cogs|tests|docs|deploy|lock)/[^` ]*|[\w./]+\.(?:py|md|toml|txt))`", text_of(document))
    exact = [path for path in paths if not re.search("[<*…]|nim", path)]
    assert [path for path in exact if not any((place / path).exists() for place in PLACES)] == []
    of_games = [path for path in paths if "<game>" in path and "<language>" not in path and "/fr/" not in path]
    missing = [path for path in of_games if not any((ROOT / path.replace("<game>", game)).exists() for game in GAMES)]
    assert missing == []


def test_the_readme_shows_a_moving_picture_that_loads_quickly() -> None:
    (gif,) = re.findall(r"!\[[^]]+\]\((docs/images/\w+\.gif)\)", README)
    with Image.open(ROOT / gif) as picture:
        assert getattr(picture, "n_frames", 1) > 10
    assert (ROOT / gif).stat().st_size < 2_000_000


def test_every_name_in_the_table_of_changes_is_in_its_file() -> None:
    rows = re.findall(r"((?:`\w+`(?:, | and )?)+) (?:in|of) `([\w/<>]+\.py)`", text_of(ROOT / "docs/ARCHITECTURE.md"))
    assert len(rows) > 15
    for names, path in rows:
        of_games = {path.replace("<game>", game) for game in GAMES}
        files = [file for of_game in of_games for place in PLACES if (file := place / of_game).exists()]
        for name in re.findall(r"\w+", names.replace(" and ", " ")):
            assert any(re.search(rf"\b{name}\b", text_of(file)) for file in files), (name, path)


@pytest.mark.parametrize("document", PROSE, ids=lambda document: document.name)
def test_lines_of_prose_have_at_most_100_characters(document: Path) -> None:
    prose = re.sub(r"^```.*?^```$", "", text_of(document), flags=re.MULTILINE | re.DOTALL)
    lines = [line for line in prose.splitlines() if not line.startswith(("|", "    ", "![", "       http"))]
    assert [line for line in lines if len(line) > 100] == []


def test_decisions_have_a_date_and_at_most_eight_lines() -> None:
    decisions, _, replaced = text_of(ROOT / "docs/DECISIONS.md").partition("\n## Replaced\n")
    records = re.split(r"^### ", decisions, flags=re.MULTILINE)[1:]
    bodies = {
        title: body.partition("\n## ")[0].strip() for title, _, body in (each.partition("\n") for each in records)
    }
    assert len(bodies) == len(records), "two decisions have the same title"
    assert [title for title, body in bodies.items() if len(body.splitlines()) > 8] == []
    assert [title for title, body in bodies.items() if not re.match(r"\*\d{4}-\d\d-\d\d\.\* ", body)] == []
    assert replaced.strip(), "what was replaced keeps a line"


def test_the_docs_stay_short() -> None:
    # COMMANDS repeats what the program says, PRIVACY and TERMS are legal texts: nobody reads these from end to end.
    pages = {*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")} - {ROOT / f"docs/{name}.md" for name in UNCOUNTED}
    assert sum(len(text_of(page).split()) for page in pages) <= 20_000


# ---- Discord


def test_the_invite_link_asks_for_the_permissions_that_the_readme_names() -> None:
    sentence = re.search(r"and no more: (.*?)\.\n", README, flags=re.DOTALL)
    link = re.search(r"&scope=bot\+applications\.commands&permissions=(\d+)\n", README)
    assert sentence
    assert link
    names = [name.lower().replace(" ", "_") for name in re.split(r",\s+", " ".join(sentence[1].split()))]
    flags = {"view_channel" if name == "view_channels" else name: True for name in names}
    assert discord.Permissions(**flags).value == int(link[1])
    count = {5: "five", 6: "six", 7: "seven"}[len(flags)]
    assert f"{count} permissions and no more: " in " ".join(README.split())
    assert f"### {count.title()} permissions and no privileged intent\n" in text_of(ROOT / "docs/DECISIONS.md")


# ---- games


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_its_page_and_its_row_in_the_readme(game: str) -> None:
    assert (ROOT / f"docs/rules/{game}.md").exists()
    assert f"](docs/rules/{game}.md)" in README
    assert GAMES[game].title in README


def test_every_cog_is_loaded_and_every_game_has_one() -> None:
    files = [file.relative_to(ROOT) for file in (ROOT / "cogs").rglob("[!_]*.py")]
    loaded = {".".join(file.with_suffix("").parts) for file in files if "async def setup(" in text_of(ROOT / file)}
    assert set(COGS) == loaded
    assert {f"cogs.{game}.cog" for game in GAMES} <= loaded
    assert {f"cogs.{file.stem}" for file in files if len(file.parts) == 2} - WITHOUT_COMMANDS <= loaded
    assert len(COGS) == len(set(COGS))


@pytest.mark.parametrize("game", GAMES)
def test_the_cog_and_the_face_of_a_game_are_for_that_game(game: str) -> None:
    cog = importlib.import_module(f"cogs.{game}.cog")
    (face,) = (
        each.face
        for each in vars(cog).values()
        if isinstance(each, type) and issubclass(each, GameCog) and each is not GameCog
    )
    assert face.game is GAMES[game]
    assert type(face).__module__ == f"cogs.{game}.face"


def test_every_game_has_its_face_and_its_computer_and_no_other_has() -> None:
    assert {file.parent.name for file in (ROOT / "cogs").glob("*/face.py")} == set(GAMES)
    assert {levels["fair"].__module__ for levels in PLAYERS.values()} == {
        f"bot.computer.{game}.players" for game in GAMES
    }
    assert set(PLAYERS) == set(GAMES)


def test_every_page_and_every_transcript_has_its_game() -> None:
    assert {page.stem for page in (ROOT / "docs/rules").glob("*.md")} == {*GAMES, GENERAL}
    recorded = {
        json.loads(line)["game"]
        for file in (ROOT / "tests/golden").glob("*.jsonl")
        for line in text_of(file).splitlines()
    }
    assert recorded == set(GAMES)


# ---- versions


def test_the_version_is_the_same_everywhere() -> None:
    project = tomllib.loads(text_of(ROOT / "pyproject.toml"))["project"]
    assert project["version"] == __version__
    released = re.findall(r"^## \[(\d+\.\d+\.\d+)\]", CHANGELOG, flags=re.MULTILINE)
    assert released[0] == __version__
    assert released == sorted(released, key=Version, reverse=True)


def test_the_changelog_keeps_the_form_of_keep_a_changelog() -> None:
    assert CHANGELOG.startswith("# Changelog\n")
    assert re.findall(r"^## .*", CHANGELOG, flags=re.MULTILINE)[0] == "## [Unreleased]"
    assert set(re.findall(r"^### (.*)", CHANGELOG, flags=re.MULTILINE)) <= set(CHANGES)


def test_pre_commit_runs_the_locked_ruff() -> None:
    (rev,) = re.findall(r"^ +rev: v(\S+)$", text_of(ROOT / ".pre-commit-config.yaml"), flags=re.MULTILINE)
    assert rev == locked("dev")["ruff"]


# ---- what is installed


@pytest.mark.parametrize(
    ("lock", "extras"), [("run", ["speed", "metrics"]), ("sandbox", ["speed", "sandbox"]), ("dev", ["dev"])]
)
def test_the_lock_holds_what_the_project_asks_for(lock: str, extras: list[str]) -> None:
    project = tomllib.loads(text_of(ROOT / "pyproject.toml"))["project"]
    asked = [*project["dependencies"], *(each for extra in extras for each in project["optional-dependencies"][extra])]
    versions = locked(lock)
    for requirement in map(Requirement, asked):
        version = versions[requirement.name.lower().replace(".", "-")]
        assert requirement.specifier.contains(Version(version)), f"{requirement} is locked as {version}"


def test_the_locks_agree_with_each_other() -> None:
    run, postgres, sandbox, dev = map(locked, LOCKS)
    assert run.items() <= sandbox.items() <= dev.items()
    assert run.items() < postgres.items() < dev.items()


def test_everything_locked_is_pinned_by_hash() -> None:
    for name in LOCKS:
        entries = re.split(r"^(?=[a-z0-9])", text_of(ROOT / f"lock/{name}.txt"), flags=re.MULTILINE)[1:]
        assert [entry.splitlines()[0] for entry in entries if "--hash=sha256:" not in entry] == []


def test_everything_installed_is_under_a_free_licence() -> None:
    installed = {
        each.metadata["Name"].lower().replace(".", "-").replace("_", "-"): each for each in metadata.distributions()
    }
    for name in locked("dev").keys() & installed.keys():
        about = installed[name].metadata
        said = [about["License-Expression"], about["License"], *(about.get_all("Classifier") or ())]
        licence = " ".join(line for line in said if line and not line.startswith(("Programming", "Operating", "Topic")))
        if not licence:  # the metadata only names a file
            licence = installed[name].read_text("licenses/LICENSE") or ""
        assert FREE.search(licence) or licence.partition("\n\n")[2].startswith(MIT), name
        assert "GPL" not in licence, name
