"""Health check and Prometheus metrics, on the loopback address only.

``/healthz`` answers 200, or 503 with a list of problems: the database can't be read or written, the leases are too old,
worker processes can't start, a second bot has the same token, or a shard of this process isn't connected to Discord's
gateway. It says whether the bot reaches players. A disconnected bot needs no restart, as it reconnects. It also lists
the shards, whose leases this process holds, and its share of Discord's requests.
``/metrics`` has Prometheus' text format.
"""

import contextlib
import math
import os
import time
from typing import Final

from aiohttp import web
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector, generate_latest

from bot.errors import SettingsError, StoreError
from bot.records.table import Receipt, Table
from bot.running.client import LilypadBot
from bot.running.leases import spans
from bot.running.problems import problems
from bot.ui.posts.recent import Recent

LOOPBACK: Final = "127.0.0.1"
_ANSWER_BUCKETS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 3.0)
_LAG_BUCKETS: Final = (0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 300.0)


class Health:
    """The two pages and the metrics behind them. Start them with `serve`."""

    def __init__(self, bot: LilypadBot) -> None:
        self._bot = bot
        self._committed = Recent[int, tuple[int, float]]()
        pages = web.Application()
        pages.add_routes([web.get("/healthz", self.healthz), web.get("/metrics", self.metrics)])
        self._runner = web.AppRunner(pages, access_log=None, shutdown_timeout=0.5)
        self._registry = mine = CollectorRegistry()
        ProcessCollector(registry=mine)
        self._answers = Histogram(
            "lilypad_first_answer_seconds",
            "From an interaction to its first answer",
            buckets=_ANSWER_BUCKETS,
            registry=mine,
        )
        self._lag = Histogram(
            "lilypad_redraw_lag_seconds",
            "From a commit to the board that shows it",
            buckets=_LAG_BUCKETS,
            registry=mine,
        )
        self._commits = Counter("lilypad_commits", "Changes of tables", ["game", "shard"], registry=mine)
        self._thoughts = Counter(
            "lilypad_thoughts",
            "Moves of strong computers: shown in time, late, or failed and played by rules of thumb",
            ["game", "outcome"],
            registry=mine,
        )
        self._open = Gauge("lilypad_open_tables", "Tables open now", ["game", "status"], registry=mine)
        self._connected = Gauge("lilypad_gateway_connected", "1 while the shard is connected", ["shard"], registry=mine)
        self._latency = Gauge(
            "lilypad_gateway_latency_seconds", "From the shard's last heartbeat to its echo", ["shard"], registry=mine
        )
        self._held = Gauge("lilypad_lease_held", "1 while this process has the shard's lease", ["shard"], registry=mine)
        self._lease_age = Gauge("lilypad_lease_age_seconds", "From the last renewal of the leases", registry=mine)
        self._slots = Gauge("lilypad_request_slots", "Requests a second that this process may make", registry=mine)
        self._slots_in_use = Gauge("lilypad_request_slots_in_use", "Requests in the last second", registry=mine)

    async def serve(self, port: int) -> None:
        """Serve the pages on this port. Raise `SettingsError` if it can't be opened."""
        try:
            await self._runner.setup()
            await web.TCPSite(self._runner, LOOPBACK, port).start()
        except OSError as error:
            await self.close()
            raise SettingsError(f"METRICS_PORT {port} can't be opened: {os.strerror(error.errno or 0)}.") from None
        self._bot.add_listener(self.on_first_answer)
        self._bot.tables.on_change(self.changed)

    async def close(self) -> None:
        """Stop serving."""
        await self._runner.cleanup()

    # ---- recording

    async def on_first_answer(self, seconds: float) -> None:
        """Record the time until the first answer of an interaction."""
        self._answers.observe(seconds)

    def changed(self, receipt: Receipt) -> None:
        """Record a commit, and when it happened."""
        table = receipt.table
        self._commits.labels(table.game, self._bot.leases.shard_of(table.place.guild_id)).inc()
        self._committed[table.id] = (table.version, time.monotonic())

    def shown(self, table: Table) -> None:
        """Record the time from the latest commit to the board that shows it."""
        version, at = self._committed.get(table.id, (0, 0.0))
        if table.version == version:
            del self._committed[table.id]
            self._lag.observe(time.monotonic() - at)

    def thought(self, game: str, outcome: str) -> None:
        """Record what became of a move that a computer thought about."""
        self._thoughts.labels(game, outcome).inc()

    # ---- pages

    async def healthz(self, _: web.Request) -> web.Response:
        """Answer with the health of the bot."""
        shards = self._bot.connections
        wrong = await problems(self._bot)
        report = {
            "status": "wrong" if wrong else "ok",
            **({"wrong": wrong} if wrong else {}),
            "shards": f"{spans(shards)}/{self._bot.leases.count}",
            "leases": spans(self._bot.leases.held),
            "lease_age_s": round(self._bot.leases.age_s, 1),
            "request_slots": self._bot.share.slots,
            "request_slots_in_use": self._bot.budget.in_use,
        }
        return web.json_response(report, status=503 if wrong else 200)

    async def metrics(self, _: web.Request) -> web.Response:
        """Answer with the current metrics."""
        self._open.clear()
        with contextlib.suppress(StoreError):  # the others are needed most at that time
            for (game, status), count in (await self._bot.tables.lists.open_counts()).items():
                self._open.labels(game, status).set(count)
        for number, connected in self._bot.connections.items():
            self._connected.labels(number).set(connected)
            self._held.labels(number).set(number in self._bot.leases.held)
        self._lease_age.set(self._bot.leases.age_s)
        self._slots.set(self._bot.share.slots)
        self._slots_in_use.set(self._bot.budget.in_use)
        for number, latency in self._bot.latencies:
            if math.isfinite(latency):
                self._latency.labels(number).set(latency)
        return web.Response(body=generate_latest(self._registry), headers={"Content-Type": "text/plain; version=0.0.4"})
