"""What this process notices about tables doesn't take more and more memory."""

from bot.ui.posts.recent import Recent


def test_what_was_set_before_all_others_is_dropped() -> None:
    known = Recent[int, str](most=2)
    known[1], known[2] = "a", "b"
    known[1] = "c"
    known[3] = "d"
    assert list(known.items()) == [(1, "c"), (3, "d")]
