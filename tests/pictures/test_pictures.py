"""Pictures: their size, sameness, texts, and what they must not show."""

import hashlib
import random
import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, pairwise
from typing import Final

import pytest
from PIL import Image, ImageChops

from bot.cli.preview import MOMENTS, Moment, names_at, observed, previews, state_at
from bot.cli.selfplay import NAMES
from bot.games import GAMES
from bot.games.frogs.moves import Scored
from bot.games.frogs.rulebook import Frogs
from bot.games.game import Observation
from bot.pictures import canvas, draw, lettering
from bot.pictures.picture import MAX_ALT
from cogs.frogs import picture as frogs
from cogs.pontis import picture as pontis
from tests.leaks.twins import deals_of, moments, twins
from tests.pictures.drawn import GAME, MAX_BYTES, draw_table, drawn, image_of


@GAME
def test_pictures_are_1000_pixels_wide_and_at_most_as_high(game: str) -> None:
    for name, picture in drawn(game).items():
        image = image_of(picture)
        assert image.width == 1000, name
        assert 200 <= image.height <= 1000, name
        assert image.mode == "P", name
        assert "transparency" not in image.info, name


@pytest.mark.parametrize(
    ("game", "options"),
    [
        *(("pontis", {"players": players, "jokers": 4}) for players in range(2, 14)),
        *(("pontis", {"players": 2, "banks": banks, "jokers": 4}) for banks in (4, 6, 8, 10, 12)),
        *(("pontis", {"players": 12, "banks": banks}) for banks in (2, 3, 4, 6)),
        ("pond", {"players": 2}),
        ("pond", {"players": 4}),
        ("pot_black", {"form": "classic", "players": 3}),
    ],
)
def test_the_fullest_hand_of_every_form_fits(game: str, options: dict[str, int | str]) -> None:
    moment = Moment(4 if game == "pond" else 0, options)
    rulebook = GAMES[game]
    state = state_at(rulebook, moment)
    seats = rulebook.seats(rulebook.settle(options))
    for seat in range(min(seats, 4)):
        image = image_of(draw_table(rulebook.observe(state, seat), ["W" * 24] * seats))
        assert image.height <= 1000
        assert len(draw_table(rulebook.observe(state, seat), ["W" * 24] * seats).png) <= MAX_BYTES


@pytest.mark.parametrize(
    ("game", "options", "plies"),
    [
        ("pond", {"players": 4}, range(3, 34, 6)),
        ("pot_black", {"players": 4}, range(0, 41, 8)),
        ("frogs", {"preset": "big"}, range(14, 30, 3)),
        ("pontis", {"players": 2, "banks": 10}, range(10, 21, 5)),
    ],
)
def test_full_hands_and_ponds_have_at_most_20_kb(game: str, options: dict[str, int | str], plies: range) -> None:
    rulebook = GAMES[game]
    names = ["Bartholomew", "Christopher", "Alexandra", "Maximilian"]
    seats = rulebook.seats(rulebook.settle(options))
    for state in (state_at(rulebook, Moment(ply, options)) for ply in plies):
        for seat in range(seats):
            assert len(draw_table(rulebook.observe(state, seat), names[:seats]).png) <= MAX_BYTES


@GAME
def test_pictures_have_at_most_20_kb(game: str) -> None:
    assert {name: len(p.png) for name, p in drawn(game).items() if len(p.png) > MAX_BYTES} == {}


@GAME
def test_alt_texts_are_short_and_say_something(game: str) -> None:
    for name, picture in drawn(game).items():
        assert 10 <= len(picture.alt) < MAX_ALT, name


@GAME
def test_a_picture_is_the_same_every_time(game: str) -> None:
    canvas.forget()
    assert {preview.name: preview.picture for preview in previews(game)} == drawn(game)


@GAME
def test_no_text_is_smaller_than_48_pixels(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = set()
    mask = lettering.mask

    def noted(text: str, size: int) -> Image.Image:
        sizes.add(size)
        return mask(text, size)

    canvas.forget()
    monkeypatch.setattr(lettering, "mask", noted)
    assert list(previews(game))
    assert min(sizes) >= canvas.TEXT >= 48


@GAME
def test_the_sizes_asked_for_are_drawn(game: str) -> None:
    moment = next(iter(MOMENTS[game]))
    (preview, *_others) = previews(game, moment, size=265)
    assert image_of(preview.picture).width == 265


@pytest.mark.parametrize("banks", range(2, 14))
def test_banks_have_room_for_names_and_none_covers_another(banks: int, monkeypatch: pytest.MonkeyPatch) -> None:
    plates: list[canvas.Box] = []
    monkeypatch.setattr(pontis, "plate", lambda _canvas, box, *_player, **_turn: plates.append(box))
    game = GAMES["pontis"]
    draw_table(game.observe(game.start(game.settle({"players": banks})), None), ["Ann"] * banks)
    assert len(plates) == banks
    assert min(plate.width for plate in plates) > 180
    for one, other in combinations(plates, 2):
        apart_across = one.right <= other.x or other.right <= one.x
        apart_down = abs(one.y - other.y) >= 190  # the plate, the card and a gap
        assert apart_across or apart_down


def _compared(key: str, count: int) -> Iterator[tuple[bytes, bytes, str, str]]:
    """Yield the pictures of moments and their twins, which differ only in what the viewer can't know."""
    game, rng = GAMES[key], random.Random(f"pictures {key}")
    while count > 0:
        for moment in moments(game, rng):
            names = [sitter.name for sitter in moment.table.sitters]
            for twin in twins(game, moment, deals_of(game, moment), rng):
                for viewer in list(twin.viewers)[:2]:
                    one, other = (draw_table(game.observe(each.state, viewer), names) for each in (moment, twin.moment))
                    yield one.png, other.png, one.alt, other.alt
                    count -= 1
                    if count <= 0:
                        return


@pytest.mark.parametrize("game", ["pond", "pontis", "pot_black"])
def test_pictures_and_alt_texts_show_nothing_hidden(game: str) -> None:
    for file, other_file, alt, other_alt in _compared(game, 60):
        assert alt == other_alt
        assert hashlib.sha256(file).digest() == hashlib.sha256(other_file).digest()


_PEOPLE: Final = ("Ann", "Ben", "Cleo", "Dan", "Eva", "Finn")


def alt_at(key: str, plies: int, **options: int | str) -> str:
    """Return the alt text of a board."""
    game = GAMES[key]
    public = game.observe(state_at(game, Moment(plies, options)), None)
    return draw_table(public, _PEOPLE[: game.seats(game.settle(options))]).alt


def test_the_alt_text_of_pond_names_both_partners_and_their_poison() -> None:
    alt = alt_at("pond", 112, players=4)
    assert "Points: Ann & Cleo −169 (poison ♣) and Ben & Dan 130 (poison ♦)." in alt


def test_the_alt_text_of_pot_black_says_where_black_tens_and_chips_are() -> None:
    alt = alt_at("pot_black", 35)
    assert "Black tens: ♠ with Dan · ♣ with Ben." in alt
    assert "In the main pot: 8, in the side pot: 6." in alt
    assert "In the pot: 55." in alt_at("pot_black", 70, players=3, form="classic")


def test_the_alt_text_of_pontis_names_all_players_of_a_bank_and_counts_hands() -> None:
    alt = alt_at("pontis", 7, players=6, banks=3, teams="on")
    assert "Tops: Ann & Dan Joker, Ben & Eva 7♥, Cleo & Finn 6♣." in alt
    assert "In hand: Ann 7, Ben 6, Cleo 7, Dan 7, Eva 7, Finn 7." in alt


def test_the_alt_text_of_frogs_counts_the_eggs_left() -> None:
    assert alt_at("frogs", 9).endswith("Eggs left: Ann 7, Ben 6.")


def test_the_alt_text_of_a_preview_has_squares_and_no_notation() -> None:
    alts = {name: picture.alt for name, picture in drawn("frogs").items()}
    assert alts["frogs-middle-preview"].startswith("Preview of c3. ")
    assert alts["frogs-names-preview"].startswith("Preview of d2 → d4. ")


@GAME
def test_alt_texts_have_true_minus_signs(game: str) -> None:
    assert [picture.alt for picture in drawn(game).values() if re.search(r"-\d", picture.alt)] == []


def test_pieces_that_the_last_move_scored_are_marked() -> None:
    game = GAMES["frogs"]
    observations = (game.observe(state_at(game, Moment(ply, {})), None) for ply in range(5, 30))
    scoring = next(seen for seen in observations if seen.gone)
    squares = {square for event in scoring.effects if isinstance(event, Scored) for square in event.squares}
    assert squares == {piece.square for piece in scoring.gone}
    assert draw_table(scoring, NAMES[:2]).png != draw_table(replace(scoring, gone=()), NAMES[:2]).png
    assert draw_table(scoring, NAMES[:2]).png != draw_table(replace(scoring, effects=()), NAMES[:2]).png


def test_a_preview_counts_points_and_spawns_after_the_move() -> None:
    game = GAMES["frogs"]
    assert isinstance(game, Frogs)
    seen = [game.observe(state_at(game, Moment(ply, {})), None) for ply in range(2, 17)]
    scores, spawns = set(), set()
    for before, after in pairwise(seen):
        move = after.last
        assert move is not None
        previewed = draw(frogs.draw, before, NAMES[:2], "en", game.preview(before, move))
        for top, bottom in ((150, 370), (470, 680)):  # below the names, whose colour shows whose turn it is
            sides = [
                image_of(picture).crop((700, top, 1000, bottom))
                for picture in (previewed, draw_table(after, NAMES[:2]))
            ]
            assert sides[0].convert("RGB").tobytes() == sides[1].convert("RGB").tobytes(), str(move)
        scores.add(after.scores)
        spawns.add(after.spawns)
    assert len(scores) > 1
    assert len(spawns) > 1


@pytest.mark.parametrize(("game", "moment"), [("pond", "duel"), ("pond", "names"), ("pot_black", "trick")])
def test_the_last_trick_is_drawn_until_the_next_is_complete(game: str, moment: str) -> None:
    for seat in (None, 0, 1):
        seen, names = observed(game, moment, seat), names_at(game, moment)
        without = draw_table(replace(seen, last_trick=None), names)  # type: ignore[call-arg]  # of a game with tricks
        assert draw_table(seen, names).png != without.png
        assert "Last trick: " not in without.alt
    assert "Last trick: " in draw_table(observed("pond", "duel", None), names_at("pond", "duel")).alt


@pytest.mark.parametrize("players", [2, 4])
def test_a_trick_of_the_round_before_is_not_drawn_in_the_next_one(players: int) -> None:
    game = GAMES["pond"]
    states = (state_at(game, Moment(plies, {"players": players})) for plies in range(8 * players, 60 * players))
    state = next(state for state in states if state.rounds and state.baits and not state.taken)
    for seat in (None, 0, 1):
        seen = game.observe(state, seat)
        picture = draw_table(seen, NAMES[:players])
        assert seen.last_trick is not None
        assert "Last trick" not in picture.alt
        assert picture == draw_table(replace(seen, last_trick=None), NAMES[:players])


@pytest.mark.parametrize("players", [2, 4])
def test_an_own_trap_is_below_the_own_bait_and_leaves_the_size_of_the_hands(players: int) -> None:
    game = GAMES["pond"]
    states = (state_at(game, Moment(plies, {"players": players})) for plies in range(200))
    state = next(state for state in states if len(state.traps) == players and not state.taken)
    for seat in range(players):
        seen = game.observe(state, seat)
        own = next(at for at, trap in enumerate(seen.traps) if trap.seat == seat)
        place = next(at for at, bait in enumerate(seen.baits) if bait.seat == seat)
        other = next(card for card in seen.hand if card[1] != seen.traps[own].card[1])
        traps = tuple(trap._replace(card=other) if at == own else trap for at, trap in enumerate(seen.traps))
        left, top, right, bottom = _changed(seen, replace(seen, traps=traps), players)
        wide = 146 if players == 2 else 110
        first = (361 if players == 2 else 287) - 9
        assert first + place * wide <= left < right <= first + place * wide + wide
        assert 276 <= top < bottom <= 390
        hands = replace(seen, hand_counts=(10,) * players), replace(seen, hand_counts=(11,) * players)
        assert _changed(*hands, players)[3] < 110


def _changed(one: Observation, other: Observation, players: int) -> tuple[int, int, int, int]:
    """Return the box of what differs between the pictures of two observations."""
    images = (image_of(draw_table(each, NAMES[:players])).convert("RGB") for each in (one, other))
    box = ImageChops.difference(*images).getbbox()
    assert box is not None
    return box
