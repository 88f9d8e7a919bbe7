"""What a machine allows a process: cores, memory, and how it reaches the internet."""

import math
import os
from pathlib import Path

import pytest

from bot import machine
from bot.settings import proxy_of
from tests.commands import ended, python


@pytest.mark.parametrize(
    ("version", "files"),
    [
        ("0::/Frösche", {"Frösche/cpu.max": "250000 100000\n"}),
        ("0::/lily/pad", {"lily/cpu.max": "250000 100000\n", "lily/pad/cpu.max": "max 100000\n"}),
        (
            "3:memory:/\n4:cpu,cpuacct:/lily",
            {"cpu/lily/cpu.cfs_quota_us": "250000\n", "cpu/lily/cpu.cfs_period_us": "100000\n"},
        ),
        (
            "4:cpu:/docker/a1b2",
            {"cpu/cpu.cfs_quota_us": "250000\n", "cpu/cpu.cfs_period_us": "100000\n"},
        ),
    ],
)
def test_quotas_of_control_groups_count_in_both_versions(version: str, files: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "own").write_text(version, encoding="utf-8")
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="ascii")
    assert list(machine.quotas(tmp_path / "own", tmp_path)) == [2.5]


def test_cores_are_those_that_the_process_may_use() -> None:
    loaded = "settings.load({}, settings.Path('none')).thinkers"
    script = f"from bot import machine, settings; print(machine.usable_cores(), {loaded})"
    one = ["taskset", "--cpu-list", str(min(os.sched_getaffinity(0)))]
    assert ended(python("-c", script, before=one))[1].split() == ["1", "1"]


@pytest.mark.parametrize(
    ("url", "proxy"),
    [
        ("https://discord.com/api/v10", "http://safe.test:3128"),
        ("wss://gateway.discord.gg/?v=10", "http://safe.test:3128"),
        ("http://discord.test/api", "http://plain.test"),
        ("ws://discord.test/gateway", "http://plain.test"),
        ("https://not.test/", None),
        ("wss://sub.not.test:443/", None),
        ("http://localhost:80/", None),
        ("http://127.0.0.7:8080/", None),
        ("ws://[::1]:80/", None),
    ],
)
def test_an_address_has_the_proxy_of_the_environment(
    url: str, proxy: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in {"HTTPS": "safe.test:3128", "HTTP": "http://plain.test", "NO": "example.org, .not.test"}.items():
        monkeypatch.delenv(f"{name.lower()}_proxy", raising=False)
        monkeypatch.setenv(f"{name}_PROXY", value)
    assert proxy_of(url) == proxy


def test_no_proxy_is_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTPS_PROXY", "https_proxy"):
        monkeypatch.delenv(name, raising=False)
    assert proxy_of("https://discord.com") is None


@pytest.mark.parametrize(
    ("own", "files"),
    [
        ("0::/lily", {"lily/memory.max": "200", "lily/memory.current": "150", "lily/memory.stat": "inactive_file 30"}),
        ("0::/", {"memory.max": "100", "memory.current": "20"}),
        (
            "0::/lily/pad",
            {
                "lily/memory.max": "90",
                "lily/memory.current": "10",
                "lily/pad/memory.max": "max",
                "lily/pad/memory.current": "10",
            },
        ),
        (
            "5:memory:/lily\n4:cpu:/other",
            {
                "memory/lily/memory.limit_in_bytes": "200",
                "memory/lily/memory.usage_in_bytes": "150",
                "memory/lily/memory.stat": "cache 50\ntotal_inactive_file 30",
            },
        ),
    ],
)
def test_the_memory_that_is_left_is_that_of_the_narrowest_group(
    own: str, files: dict[str, str], tmp_path: Path
) -> None:
    (tmp_path / "own").write_text(own, encoding="ascii")
    (tmp_path / "meminfo").write_text("MemTotal: 9 kB\nMemAvailable:    1 kB\n", encoding="ascii")
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="ascii")
    assert machine.memory_left(tmp_path / "own", tmp_path, tmp_path / "meminfo") == 80
    assert machine.memory_left(tmp_path / "none", tmp_path, tmp_path / "meminfo") == 1024
    assert machine.memory_left(tmp_path / "none", tmp_path, tmp_path / "nothing") == math.inf


def test_this_machine_has_memory_left() -> None:
    assert machine.memory_left() > 0
