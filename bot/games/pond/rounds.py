"""The end of a round of Pond, and of the game."""

from bot.games.game import Event, Outcome, Step, places_of
from bot.games.pond.events import RoundScored
from bot.games.pond.scoring import RoundScore, tally
from bot.games.pond.state import Setup, State, sides_of


def end_round(state: State, events: tuple[Event, ...]) -> Step[State]:
    """Reveal and score everything (PC-28, PC-31, PC-34), then begin the next round or end the game."""
    score = _score(state)
    after = State(state.setup, phase="poison", first_dealer=state.first_dealer, rounds=(*state.rounds, score))
    totals = after.totals
    events = (*events, RoundScored(state.round, score, totals))
    if not _is_last(state.setup, len(after.rounds), totals):
        return Step(after, events)
    places = places_of(totals, sides_of(state.setup.players))
    outcome = Outcome(totals, places, "points" if 2 in places else "draw")
    return Step(after._replace(phase="over", outcome=outcome), events)


def _score(state: State) -> RoundScore:
    tallies = tuple(
        [
            tally(state.pile(seat), state.poison(seat), set_aside, state.hands[seat])
            for seat, set_aside in enumerate(state.set_aside)
            if set_aside is not None
        ]
    )
    of_side = [sum([one.points for one in tallies[side::2]]) for side in (0, 1)]
    return RoundScore(state.dealer or 0, tallies, tuple([of_side[side] for side in sides_of(len(tallies))]))


def _is_last(setup: Setup, played: int, totals: tuple[int, ...]) -> bool:
    """Return whether the game ends after this many rounds. Extra rounds come in pairs, while sides are level (P-06)."""
    if played < setup.rounds or (played - setup.rounds) % 2:
        return False
    return setup.tiebreak == "none" or totals[0] != totals[1]
