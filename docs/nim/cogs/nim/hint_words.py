"""The reasons of hints at Nim in words."""

from typing import Final

from bot.computer.nim import NimWhy
from bot.ui.posts.hint_words import HintWords

HINT_WORDS: Final = HintWords({NimWhy.FOUR: lambda it: f"It leaves {it.n} stones, a multiple of four."})
