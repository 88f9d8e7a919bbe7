"""Test vectors of seeds, cuts and deals. The cards are dealt here without a rulebook."""

import hashlib
import hmac
from collections import Counter

import pytest

from bot import fairness
from bot.fairness import Deals, Stream
from bot.games import cards

SEED = bytes(range(32))


def _dealt(pack: list[cards.Card], seats: int, dealer: int) -> list[list[cards.Card]]:
    """Deal the hands by seat, one card at a time from the dealer's left, as long as everyone gets one."""
    whole = len(pack) // seats * seats
    return [pack[(seat - dealer - 1) % seats : whole : seats] for seat in range(seats)]


def test_the_commitment_is_the_hash_of_the_seed() -> None:
    assert fairness.commitment(SEED) == "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"


def test_the_key_depends_on_the_seed_and_every_cut() -> None:
    made = fairness.key(SEED, ["", "hello", "", "7"])
    assert made.hex() == "390b10fc6d942b6a0df05b37c15f5c8524050f959faff830321d466a4abbf6bc"


def test_the_published_deal_of_pond_for_four_is_reproduced() -> None:
    deals = Deals(SEED, ("", "hello", "", "7"))
    assert deals(0).below(4) == 0
    pack = deals(1).shuffle([*cards.PACK, *cards.PACK])
    groups: list[list[cards.Card]] = []
    for _ in range(2):
        last = next(i for i, card in enumerate(pack) if card[1] != "S")
        groups.append(pack[: last + 1])
        pack = pack[last + 1 :]
    for suit in [group[-1][1] for group in groups]:
        marker = next(card for card in pack if card[1] == suit)
        pack.remove(marker)
        groups.append([marker])
    assert "/".join(map(cards.join, groups)) == "8D/7C/QD/6C"
    left = cards.leave_out([*cards.PACK, *cards.PACK], [card for group in groups for card in group])
    hands = _dealt(deals(2).shuffle(left)[:64], 4, dealer=0)
    assert "/".join(f"{cards.join(hand[:11])}+{cards.join(hand[11:])}" for hand in hands) == (
        "JH5S7HJCAD4S7D9D3STCJC+KD6D6H9H7S/KCQD5CJS7H9SKH7SQS5HTH+8D3C8S3HQH/"
        "9CAH8CQCAC9S5CAD3D6S4S+4H2S5H2C4D/7D9H2D8C9DKS3S6H6C4D2H+4CJS8SACAS"
    )


def test_the_published_deal_of_pontis_for_three_is_reproduced() -> None:
    deals = Deals(SEED, ("", "", ""))
    assert deals(0).below(3) == 2
    stream = deals(1)
    suit = "SHDC"[stream.below(4)]
    foundations = stream.shuffle([card for card in cards.PACK if card[1] == suit])[:3]
    assert cards.join(foundations) == "7C4C9C"
    pack = deals(2).shuffle(cards.leave_out([*cards.PACK, cards.JOKER, cards.JOKER], foundations))
    assert "/".join(map(cards.join, [*_dealt(pack, 3, dealer=2), pack[51:]])) == (
        "7SADQS3D5S7H6SJHTDTH9D8HTSAHKD3C6D/5D7D5HQD9H2D8D6H2SQH2C4HKC3HKSXX8S/JC6CXXQC8CJD5CJSACTC9S4D4SKH3SAS2H/"
    )


def test_the_published_deal_of_pot_black_is_reproduced() -> None:
    deals = Deals(SEED, ("a", "", "b", ""))
    assert deals(0).below(4) == 2
    assert "/".join(map(cards.join, _dealt(deals(1).shuffle(cards.PACK), 4, dealer=2))) == (
        "QH7STH9S9HKS3SKH8H7DAD8C5H/9CJSJDKC6D8DAH4D6C2DKD5C9D/AC2H8S3C3HTS4H7H5DJC5S4CJH/2C7CAS6STDQD2S4SQS6H3DQCTC"
    )


def test_the_published_draw_of_frogs_is_reproduced() -> None:
    assert Deals(SEED, ("hello", "Grüße"))(0).below(2) == 0


@pytest.mark.parametrize("numbers", [(12, 0), (0, 12), (120,), (1, 20), (12, 0, 3)])
def test_a_choice_is_derived_from_the_seed_and_its_numbers(numbers: tuple[int, ...]) -> None:
    key = hmac.new(SEED, b"computers", hashlib.sha256).digest()
    text = " ".join(map(str, numbers)).encode("utf-8")
    assert fairness.choice_seed(SEED, *numbers) == hmac.new(key, text, hashlib.sha256).hexdigest()


def test_the_choice_of_the_test_vector() -> None:
    assert fairness.choice_seed(SEED, 12, 0) == "d930c60cc886755ea3f3bf78007752d3695ec839f23c3dc46c0babd19913c48b"


def test_a_stream_consists_of_hash_blocks_in_order() -> None:
    blocks = b"".join(hashlib.sha256(SEED + bytes(7) + b"\x05" + bytes(7) + bytes([c])).digest() for c in range(3))
    stream = Stream(SEED, 5)
    assert b"".join(stream.below(2**64).to_bytes(8, "big") for _ in range(12)) == blocks


def test_words_that_would_favour_low_numbers_are_skipped() -> None:
    # For this k, about every second word is too large; for 2 ** 64, none is.
    k = 2**63 + 1
    every = Stream(SEED, 0)
    words = [every.below(2**64) for _ in range(200)]
    stream = Stream(SEED, 0)
    kept = [word for word in words if word < k]
    assert 70 < len(kept) < 130
    assert [stream.below(k) for _ in kept] == kept


def test_all_numbers_are_equally_likely() -> None:
    stream = Stream(SEED, 1)
    seen = Counter(stream.below(6) for _ in range(6000))
    assert set(seen) == set(range(6))
    assert max(abs(count - 1000) for count in seen.values()) < 150


def test_a_shuffle_keeps_every_card_and_leaves_the_pack_unchanged() -> None:
    pack = list(cards.PACK)
    shuffled = Stream(SEED, 2).shuffle(pack)
    assert tuple(pack) == cards.PACK != tuple(shuffled)
    assert sorted(shuffled) == sorted(pack)


def test_shuffling_at_most_one_card_draws_no_numbers() -> None:
    stream = Stream(SEED, 0)
    assert (stream.shuffle("a"), stream.shuffle("")) == (["a"], [])
    assert stream.below(2**64) == Stream(SEED, 0).below(2**64)


@pytest.mark.parametrize("text", ["", "7", "Grüße", " ", "🐸" * 100, 'say "cut"', "tab\there"])
def test_short_texts_are_accepted_as_cuts(text: str) -> None:
    assert fairness.cut_problem(text) is None


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("a|b", "character |"),
        ("a\nb", "line break"),
        ("a\n", "line break"),
        ("\r", "line break"),
        ("a\u2028b", "line break"),
        ("x" * 101, "at most 100"),
        ("\ud83d", "broken character"),
    ],
)
def test_texts_that_make_the_key_ambiguous_are_refused(text: str, why: str) -> None:
    problem = fairness.cut_problem(text)
    assert problem is not None
    assert why in problem.sentence
    with pytest.raises(ValueError, match="G-12"):
        fairness.key(SEED, ["", text])


def test_the_repr_of_deals_hides_the_seed() -> None:
    deals = Deals(SEED, ("a", "b"))
    assert SEED.hex() not in repr(deals)
    assert "\\x01" not in repr(deals)
