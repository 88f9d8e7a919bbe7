"""The texts of a post."""

from pathlib import Path

from bot.pictures import Picture, draw
from bot.ui.posts.post import Figure, Post, Scene


def draw_now(scene: Scene | Figure) -> Picture:
    """Return the picture of a scene."""
    if isinstance(scene, Figure):
        return Picture(Path(scene.file).read_bytes(), scene.alt)
    return draw(scene.drawing, scene.observation, scene.names, scene.language)


def paragraphs_of(post: Post) -> list[str]:
    """Return the paragraphs that are shown, with those around its picture if it has one."""
    scene = post.scene
    around = (*scene.above, *scene.below) if scene else ()
    return [paragraph for paragraph in (*around, *post.paragraphs) if paragraph]
