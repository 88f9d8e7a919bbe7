"""What the face of Pontis says, as it is read. Ann, Ben, Cleo and Dan sit in seats 0 to 3."""

from typing import Final

from bot.cli.selfplay import NAMES
from bot.games.game import Seat
from bot.games.pontis.state import State
from bot.records.table import Table
from cogs.pontis.face import PontisFace
from tests.games.pontis_table import PONTIS
from tests.recorded import table_of

FACE: Final = PontisFace()
ANN, BEN, CLEO, DAN = NAMES[:4]


def table_for(state: State) -> Table:
    return table_of(PONTIS, PONTIS.options_of(state), 1)


def read(*paragraphs: str) -> str:
    """Return the text as it is read: without marks, and with ordinary spaces."""
    return "\n".join(paragraphs).replace("**", "").replace("\N{VARIATION SELECTOR-15}", "").replace("\xa0", " ")


def prompt(state: State, seat: Seat | None = None) -> str:
    return read(FACE.prompt(table_for(state), PONTIS.observe(state, seat)))
