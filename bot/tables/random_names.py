"""Names of tables and computers: plants and animals of a pond."""

from collections.abc import Collection, Iterable
from typing import Final

from bot.records.table import Sitter

_WORDS: Final = """
    Adder Alderfly Angelica Aspen Avocet Backswimmer Badger Barbel Bat Bittern Blackbird Blackcap Bleak
    Bluebell Bogbean Bream Brooklime Bulrush Bunting Burbot Buttercup Buzzard Caddis Campion Carp Catkin Celandine
    Chaffinch Char Chiffchaff Chub Cicada Comfrey Coot Cormorant Cowslip Crake Crane Crayfish Cricket
    Crowfoot Cuckoo Curlew Cygnet Dabchick Dace Damselfly Dipper Diver Dock Dogwood Dove Dragonfly Drake Duckling
    Duckweed Dunlin Eel Egret Eider Elder Elm Fieldfare Finch Firefly Flag Flycatcher Fox Foxtail Frogbit
    Gadwall Gannet Garganey Godwit Goldcrest Goldeneye Goldfinch Goosander Goose Goshawk Grasshopper Grayling Grebe
    Greenshank Gudgeon Gull Harrier Hawker Hawthorn Hazel Hedgehog Hemlock Heron Hobby Hornbeam Hornwort Horsetail
    Hoverfly Ibis Ivy Jackdaw Jay Kestrel Kingcup Kingfisher Kite Knapweed Knot Lacewing Lamprey Lapwing Lark
    Linnet Loach Loosestrife Lotus Magpie Mallard Marigold Martin Mayfly Meadowsweet Merlin Midge Milfoil Mink
    Minnow Moorhen Moth Mussel Natterjack Newt Nightjar Nuthatch Oak Orchid Oriole Osier Osprey
    Otter Ouzel Owl Oxlip Parsley Perch Pike Pintail Pipit Plover Pochard Pondskater Pondweed Poplar Primrose Puffin
    Quillwort Rail Ramshorn Redpoll Redshank Redstart Redwing Roach Robin Rook Rosefinch Rowan Rudd Ruff
    Salmon Sandpiper Shad Shelduck Shoveler Shrew Shrike Silverweed Siskin Smelt Smew Snail Snipe
    Sparrow Speedwell Spoonbill Starling Stickleback Stint Stonechat Stonefly Stork Sturgeon Sundew Swallow Swan
    Swift Tansy Teal Teasel Tench Tern Thistle Thrush Toad Treecreeper Trout Turnstone Vole Wagtail Warbler
    Watercress Waxwing Wheatear Whimbrel Whinchat Whirligig Whitethroat Wigeon Woodcock Wren
"""
TABLE_NAMES: Final = tuple(_WORDS.split())

COMPUTER_NAMES: Final = (
    *("Moss", "Fern", "Reed", "Sedge", "Rush", "Mint", "Clover", "Bramble"),
    *("Willow", "Iris", "Cress", "Nettle", "Thyme", "Sorrel", "Yarrow", "Alder"),
)
"""More than any game has seats."""

RESTS_S: Final = 30 * 24 * 60 * 60
"""How long the name of a table isn't used again on its server."""


def table_name(taken: Collection[str], draw: int) -> str:
    """Return a name that isn't taken, chosen by the random number ``draw``."""
    number = 1
    while not (free := [name for name in _numbered(number) if name not in taken]):
        number += 1
    return free[draw % len(free)]


def computer_name(sitters: Iterable[Sitter]) -> str:
    """Return the first computer's name that no player has."""
    taken = {sitter.name for sitter in sitters}
    return next(name for name in COMPUTER_NAMES if name not in taken)


def _numbered(number: int) -> tuple[str, ...]:
    return TABLE_NAMES if number == 1 else tuple(f"{name} {number}" for name in TABLE_NAMES)
