"""``python -m bot`` with a minute for each picture. Busy machines need more than the normal five seconds."""

import sys
from typing import Final

from bot.__main__ import main
from bot.pictures import worker

PICTURE_S: Final = 60.0


def wait_for_pictures() -> None:
    """Let this process wait longer for pictures."""
    worker.TIMEOUT_S = PICTURE_S  # type: ignore[misc]  # it is read for each picture


if __name__ == "__main__":
    wait_for_pictures()
    sys.exit(main(sys.argv[1:]))
