"""``python -m bot`` with a minute for each picture, and for an edit. Busy machines need more than a few seconds."""

import sys
from typing import Final

from bot.__main__ import main
from bot.pictures import worker
from bot.ui.live import writer

PICTURE_S: Final = 60.0
EDIT_S: Final = 60.0


def wait_for_pictures() -> None:
    """Let this process wait longer for pictures."""
    worker.TIMEOUT_S = worker.FIRST_TIMEOUT_S = PICTURE_S  # type: ignore[misc]  # they are read for each picture


if __name__ == "__main__":
    wait_for_pictures()
    writer.EDIT_S = writer.LONGEST_EDIT_S = EDIT_S  # type: ignore[misc]  # it is read for each edit
    sys.exit(main(sys.argv[1:]))
