"""A message as a player saw it: its text, buttons and menus."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from simcord.backend.models import Message
from simcord.enums import ComponentType
from yarl import URL

from bot.ui.messages.lesson_pages import LESSON, PUZZLE, RETRY
from bot.ui.posts.custom_id import Press
from tests.posts import unjoined
from tests.pseudo import unmarked
from tests.world import text_of, walk

_OF_LESSONS = {LESSON, RETRY, PUZZLE}
"""The verbs of moves in lessons and puzzles."""


@dataclass(frozen=True, slots=True)
class Use:
    """The use of a component of a message: a press, or a value picked in a menu."""

    message_id: int
    channel_id: int
    custom_id: str
    value: str | None = None


@dataclass(frozen=True, slots=True)
class Seen:
    """A snapshot of a message. The message may have changed since."""

    id: int
    channel_id: int
    components: tuple[Mapping[str, Any], ...]
    is_private: bool
    pinged: tuple[int, ...]

    @property
    def text(self) -> str:
        """All text except labels, with ordinary hyphens in rulings, and results without joiners."""
        return unjoined(unmarked(text_of(self.components)))

    @property
    def alt(self) -> str:
        """The picture in words; empty without one."""
        return "\n".join(self.pictures.values())

    @property
    def labels(self) -> list[str]:
        """The labels of the buttons."""
        return [unmarked(button["label"]) for button in self._of_type(ComponentType.BUTTON)]

    @property
    def disabled(self) -> list[str]:
        """The labels of the buttons that can't be pressed."""
        return [unmarked(each["label"]) for each in self._of_type(ComponentType.BUTTON) if each.get("disabled")]

    @property
    def options(self) -> dict[str, str]:
        """The options of the menus: the label of each value."""
        return {
            option["value"]: unmarked(option["label"])
            for menu in self._of_type(ComponentType.STRING_SELECT)
            for option in menu["options"]
        }

    @property
    def menus_of_people(self) -> list[str]:
        """The ``custom_id`` of each menu of members."""
        return [menu["custom_id"] for menu in self._of_type(ComponentType.USER_SELECT)]

    @property
    def files(self) -> list[str]:
        """The URLs of the attached files."""
        return [part["file"]["url"] for part in self._of_type(ComponentType.FILE)]

    @property
    def pictures(self) -> dict[str, str]:
        """The descriptions of the pictures by file name."""
        galleries = self._of_type(ComponentType.MEDIA_GALLERY)
        return {URL(item["media"]["url"]).name: item["description"] for each in galleries for item in each["items"]}

    @property
    def moves(self) -> dict[str, Use]:
        """The moves that can be played on this message, by menu or by button."""
        picked = {
            option["value"]: Use(self.id, self.channel_id, menu["custom_id"], option["value"])
            for menu in self._of_type(ComponentType.STRING_SELECT)
            for option in menu["options"]
            if _press(menu).verb == "pick"
        }
        pressed = {
            _press(button).argument: Use(self.id, self.channel_id, button["custom_id"])
            for button in self._of_type(ComponentType.BUTTON)
            if _press(button).verb == "play"
        }
        return picked | pressed

    @property
    def lesson(self) -> dict[str, Use]:
        """The moves that can be made in a lesson or a puzzle, by the game and the move."""
        picked = {
            f"{_press(menu).menu_argument} {option['value']}": Use(
                self.id, self.channel_id, menu["custom_id"], option["value"]
            )
            for menu in self._of_type(ComponentType.STRING_SELECT)
            for option in menu["options"]
            if _press(menu).verb in _OF_LESSONS
        }
        pressed = {
            press.argument: Use(self.id, self.channel_id, button["custom_id"])
            for button in self._of_type(ComponentType.BUTTON)
            if not button.get("disabled") and (press := _press(button)).verb in _OF_LESSONS
        }
        return picked | pressed

    @property
    def squares(self) -> dict[str, Use]:
        """The squares of a board that can be tapped: a piece by its square, a preview by its move."""
        return {
            press.argument: Use(self.id, self.channel_id, button["custom_id"])
            for button in self._of_type(ComponentType.BUTTON)
            if not button.get("disabled") and (press := _press(button)).verb in {"frogs-from", "frogs-to"}
        }

    def use(self, wanted: str) -> Use:
        """Return the press of the button with this label, or the pick of this value."""
        for button in self._of_type(ComponentType.BUTTON):
            if unmarked(button["label"]) == wanted:
                return Use(self.id, self.channel_id, button["custom_id"])
        for menu in self._of_type(ComponentType.STRING_SELECT):
            if any(option["value"] == wanted for option in menu["options"]):
                return Use(self.id, self.channel_id, menu["custom_id"], wanted)
        raise AssertionError(f"There is no {wanted!r}, only {[*self.labels, *self.options]}:\n{self.text}")

    def has_option(self, key: str) -> bool:
        """Whether there is a menu for an option of a lobby."""
        return key in {_press(menu).argument.split(".")[0] for menu in self._of_type(ComponentType.STRING_SELECT)}

    def option(self, key: str, value: str) -> Use:
        """Return the pick of a value for an option of a lobby."""
        menus = {_press(menu).argument.split(".")[0]: menu for menu in self._of_type(ComponentType.STRING_SELECT)}
        return Use(self.id, self.channel_id, menus[key]["custom_id"], value)

    def _of_type(self, kind: ComponentType) -> Iterator[Mapping[str, Any]]:
        return (part for part in walk(self.components) if part["type"] == kind)


def menu_of(page: Seen, key: str) -> dict[str, str]:
    """Return the values in the menu of an option of a lobby, each with what it says below; nothing without a menu."""
    menus = [each for each in walk(page.components) if each["type"] == ComponentType.STRING_SELECT]
    found = [menu for menu in menus if _press(menu).argument.split(".")[0] == key]
    return {each["value"]: unmarked(each.get("description") or "") for menu in found for each in menu["options"]}


def _press(component: Mapping[str, Any]) -> Press:
    press = Press.parse(component["custom_id"])
    assert press is not None
    return press


def look_at(message: Message) -> Seen:
    """Return a snapshot of the message."""
    return Seen(
        message.id,
        message.channel_id,
        tuple(json.loads(json.dumps(message.components))),
        message.is_ephemeral,
        tuple(message.ping_user_ids),
    )
