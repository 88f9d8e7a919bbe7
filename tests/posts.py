"""The texts of a post."""

from pathlib import Path

from bot.pictures import Picture, draw
from bot.texts.rules_pages import MARK, as_read, page_about, topics
from bot.ui.posts.post import Figure, Post, Scene
from bot.ui.posts.text import held_together


def draw_now(scene: Scene | Figure) -> Picture:
    """Return the picture of a scene."""
    if isinstance(scene, Figure):
        return Picture(Path(scene.file).read_bytes(), scene.alt)
    return draw(scene.drawing, scene.observation, scene.names, scene.language)


def paragraphs_of(post: Post) -> list[str]:
    """Return the paragraphs that are shown, with those around its picture if it has one, as in `Seen.text`."""
    scene = post.scene
    around = (*scene.above, *scene.below) if scene else ()
    return [unjoined(held_together(paragraph)) for paragraph in (*around, *post.paragraphs) if paragraph]


def unjoined(text: str) -> str:
    """Return a shown text with ordinary hyphens in rulings, ordinary spaces, and results without joiners."""
    text = text.replace("\N{NO-BREAK SPACE}· ", " · ")
    return text.replace("\N{NON-BREAKING HYPHEN}", "-").replace("\N{WORD JOINER}", "")


def explains(text: str, ruling: str) -> bool:
    """Whether the shown text of a page of the rules marks what explains a ruling."""
    game, topic, page = page_about(ruling) or ("", 0, 0)
    lines = as_read(topics(game)[topic].pages[page].text, ruling).splitlines()
    (line,) = (line for line in lines if MARK in line)
    return unjoined(held_together(line)) in text
