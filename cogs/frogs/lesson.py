"""The lesson and the puzzles of Pond · frogs. The learner is Light in the lesson, and Moss is Dark."""

from typing import Final

from bot.errors import Text
from bot.tables.lessons import Lesson, Step, puzzle

_MOSTLY_MOSSS: Final = Text("That lines up three as well, but only one is yours, and two are Moss's.")

LESSON: Final = Lesson(
    "frogs",
    steps=(
        Step(
            Text(
                "Line up three eggs, tadpoles or frogs: each is a point for its owner, and 7 points win. "
                "What you place or move develops all pieces right beside it: egg, tadpole, frog, egg. "
                "Tap **b2** to place an egg."
            ),
            "place b2",
            Text("this lesson goes on from **b2**."),
            "- first 0",
            {"place [bc][23]": Text("An egg there is just as good, but this lesson goes on from **b2**.")},
            brought=Text("Moss answered on b3, right beside b2: your egg became a tadpole."),
        ),
        Step(
            Text(
                "A piece never develops itself, only those beside it, whoever owns them, but not diagonally. "
                "Place an egg on **c2**: your tadpole becomes a frog."
            ),
            "place c2",
            Text("an egg on **c2**, right beside b2, makes your tadpole a frog."),
            "1 place b3",
            {
                "place b1": Text("That would make b2 a frog as well, but we need an egg on **c2** in a moment."),
                "place a2": Text("That would make b2 a frog as well, but we need an egg on **c2** in a moment."),
            },
            brought=Text("b2 is a frog, and Moss's egg on d2 made c2 a tadpole."),
        ),
        Step(
            Text(
                "Eggs don't move. Tadpoles go one square, never diagonally, and only to an empty one. "
                "Tap **c2**, then **c3**: that develops b3."
            ),
            "move c2 c3",
            Text("**c2** → **c3** develops b3, which your frog hops over soon."),
            "1 place d2",
            {"place b1": Text("That would line up three eggs, which comes later: first move **c2** → **c3**.")},
            brought=Text("b3 became a tadpole."),
        ),
        Step(
            Text(
                "Some turns later: frogs go one or two squares straight, to an empty one, and hop over anything. "
                "Which move lines up three frogs, two of them yours?"
            ),
            "move b2 b4",
            Text("another move lines up three frogs, two of them yours."),
            "1 place d3; 0 place c4; 1 place d1; 0 place a1; 1 move d2 d4",
            {"move b2 [cd]2": _MOSTLY_MOSSS, "place c2": _MOSTLY_MOSSS},
            brought=Text("Three frogs: b4 and c4 are **2 points** for you, d4 1 for Moss. They leave the pond."),
            is_choice=True,
        ),
        Step(
            Text(
                "After frogs come eggs again. Any three alike score, whoever made them, but you want most of them "
                "to be yours. Which egg lines up three eggs?"
            ),
            "place a3",
            Text("another one lines up three eggs."),
            "1 place d2",
            {"place d4": _MOSTLY_MOSSS},
            brought=Text("Eggs a3 and c3 are **2 points** for you, b3 1 for Moss."),
            is_choice=True,
        ),
        Step(
            Text(
                "You lead 4 to 2. Now build: two pieces in a line, with a gap for an egg that develops both at once. "
                "One is a1. Where do you place the other?"
            ),
            "place a3",
            Text("look in the row and the column of a1, one square further."),
            "1 place c1",
            {
                "place d4": _MOSTLY_MOSSS,
                "place a2": Text("That develops a1, but no egg fits between the two."),
                "place b1": Text("That develops a1, but no egg fits between the two."),
                "place b2": Text(
                    "An egg could touch both, but a1 and b2 aren't in a line, so they never score together."
                ),
                "place a4": Text("Two squares lie between, so an egg there is beside only one of the two."),
            },
            brought=Text("Now a2 is between two of yours. Moss placed b3, which made a3 a tadpole."),
            is_choice=True,
        ),
        Step(
            Text("A frog is one step from an egg, so make a3 a frog: place an egg on **a4**."),
            "place a4",
            Text("**a4** makes a3 a frog."),
            "1 place b3",
            {"place a2": Text("That develops both, but nothing lines up yet: first make a3 a frog from **a4**.")},
            brought=Text("a3 is a frog, and Moss placed c2."),
        ),
        Step(
            Text("You need 3 points. Which egg develops two pieces of yours and lines up three eggs?"),
            "place a2",
            Text("another egg develops two pieces of yours."),
            "1 place c2",
            is_choice=True,
            brought=Text("Both developed, and a3 became an egg between a2 and a4: 3 points, **7 to 2**."),
        ),
        Step(
            Text(
                "You win! Also, a player who can't act loses. "
                "Try one thing in your first game: build so that one move develops two pieces of yours."
            ),
        ),
    ),
)


PUZZLES: Final = (
    puzzle(
        "frogs",
        Step(
            Text("You need three points more. Which move can Moss not answer?"),
            "place c4",
            Text("another move prepares three in a column."),
            "- first 0; 0 place c3; 1 place c4; 0 place b3; 1 place c2; 0 place a2; 1 place a4; 0 place b2; "
            "1 place d3; 0 place a1; 1 place d4; 0 place a3; 1 place a3; 0 place b4; 1 place d2",
            options={},
        ),
        Text(
            "**c4** makes b4 a tadpole, as b3 is. Whatever lands beside b2 makes it the third: "
            "three in column b, and you win."
        ),
    ),
    puzzle(
        "frogs",
        Step(
            Text("You need three points more again. Which move can Moss not answer?"),
            "place d1",
            Text("another move prepares three eggs."),
            "- first 0; 0 place a1; 1 place c3; 0 place b1; 1 place a2; 0 place c1; 1 place a4; 0 move a1 a3; "
            "1 place b3; 0 place d1; 1 place b4; 0 place d2; 1 move a4 c4; 0 place c2; 1 move c4 a4; 0 place c1; "
            "1 move b4 c4",
            options={},
        ),
        Text(
            "**d1** makes d2 a frog. Next, an egg on d3 turns that frog into an egg: "
            "three eggs in column d, and you win."
        ),
    ),
    puzzle(
        "frogs",
        Step(
            Text("You need one point more. Which move can Moss not answer?"),
            "place c3",
            Text("another move makes two tadpoles of yours at once."),
            "- first 1; 1 place d4; 0 place c2; 1 place a2; 0 place c1; 1 place c4; 0 place a1; 1 place b4; "
            "0 place b1; 1 place a4; 0 place b2; 1 place d3; 0 place d2; 1 move d3 d4; 0 place d3; 1 move a2 a3; "
            "0 place a2; 1 place b4; 0 place a1; 1 place b2; 0 place c4; 1 place b3",
            options={},
        ),
        Text(
            "**c3** makes b3 and d3 tadpoles, as a3 is. Next, your frog hops from a2 to c2 and makes c3 one too: "
            "a whole row, and you win."
        ),
    ),
)
"""Found by `tools.puzzles`. After each move, the learner wins whatever Moss does."""
