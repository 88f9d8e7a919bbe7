"""Games between computers."""

import json
import random
from pathlib import Path

import pytest

from bot import computer
from bot.__main__ import main
from bot.games.game import Move, Observation
from bot.transcript import read, verify
from tests.command_line.output import Output, error_line, printed_lines
from tests.commands import ended, python
from tests.doses import dose


def test_selfplay_writes_verifiable_transcripts(tmp_path: Path, capsys: Output) -> None:
    assert main(["selfplay", "pond", "--games", "3", "--seed", "s", "--option", "players=4", "--out", "games"]) == 0
    told = capsys.readouterr()
    assert (told.out, told.err) == ("", "")
    lines = (tmp_path / "games").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 3
    for line in lines:
        played = read(json.loads(line))
        verify(played)
        assert played.options["players"] == 4
        assert not played.legal


@pytest.mark.parametrize(
    ("level", "workers"), dose(test=[("random", "9")], full=[("random", "2"), ("random", "9"), ("fair", "3")])
)
def test_the_same_seed_gives_the_same_output_with_any_workers(
    level: str, workers: str, tmp_path: Path, capsys: Output
) -> None:
    plan = ["selfplay", "pond", "--games", "5", "--seed", "Grüße", "--legal", "--level", level]
    status, printed, told = ended(python("-m", "bot", *plan, PYTHONHASHSEED="7"))
    assert (status, told) == (0, "")
    assert main([*plan, "--workers", workers, "--out", "games"]) == 0
    assert (tmp_path / "games").read_text(encoding="utf-8") == printed
    assert capsys.readouterr().err == ""


def test_strong_computers_play_games_that_verify(monkeypatch: pytest.MonkeyPatch, capsys: Output) -> None:
    monkeypatch.setattr("bot.computer.frogs.players.BUDGET", 300)
    first, again = (printed_lines(capsys, "selfplay", "frogs", "--seed", "a", "--level", "strong") for _ in range(2))
    verify(read(json.loads(first[0])))
    assert first == again


def test_levels_go_to_the_seats_in_turn(monkeypatch: pytest.MonkeyPatch, capsys: Output) -> None:
    asked: list[tuple[int | None, str]] = []

    def choose(_: str, observation: Observation, rng: random.Random, level: str) -> Move:
        asked.append((observation.seat, level))
        return rng.choice(observation.legal)

    monkeypatch.setattr(computer, "choose", choose)
    monkeypatch.setattr("bot.cli.commands.levels", lambda _: computer.ALL_LEVELS)
    (line,) = printed_lines(capsys, "selfplay", "pot_black", "--seed", "a", "--level", "strong,random,fair")
    verify(read(json.loads(line)))
    assert set(asked) == {(0, "strong"), (2, "fair"), (3, "strong")}


def test_a_level_that_a_game_lacks_is_an_error(monkeypatch: pytest.MonkeyPatch, capsys: Output) -> None:
    monkeypatch.setattr(computer, "PLAYERS", {"pond": {"fair": computer.PLAYERS["pond"]["fair"]}})
    told = error_line(capsys, "selfplay", "pond", "--level", "fair,strong")
    assert told.endswith("pond has no strong computers. Levels: random, fair.")


def test_different_seeds_give_different_games(capsys: Output) -> None:
    first, again, other = (printed_lines(capsys, "selfplay", "pond", "--seed", seed) for seed in ("a", "a", "b"))
    assert first == again != other


def test_a_random_seed_is_printed(capsys: Output) -> None:
    assert main(["selfplay", "pond"]) == 0
    told = capsys.readouterr()
    flag, seed = told.err.split()
    assert flag == "--seed"
    assert printed_lines(capsys, "selfplay", "pond", "--seed", seed) == told.out.splitlines()
