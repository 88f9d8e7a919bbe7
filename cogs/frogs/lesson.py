"""The lesson and the puzzles of Pond · frogs. The learner is Light in the lesson, and Moss is Dark."""

from typing import Final

from bot.errors import Text
from bot.tables.lessons import Lesson, Step, puzzle

LESSON: Final = Lesson(
    "frogs",
    goal=Text(
        "**Goal**: line up three eggs, three tadpoles or three frogs. "
        "Each of yours among them is a point, and 7 points win."
    ),
    steps=(
        Step(
            Text(
                "Each of you has 11 eggs, which don't move until they have grown. "
                "In a turn you place an egg or move a piece of yours: tap **b2** to place your first egg."
            ),
            "place b2",
            Text("in the middle an egg gets more neighbours, and we go on from **b2**."),
            "- first 0",
            {"place [bc][23]": Text("An egg there is just as good, but this lesson goes on from **b2**.")},
        ),
        Step(
            Text(
                "Moss's egg on b3 made yours a tadpole: what is placed or moved develops all pieces right beside it, "
                "whoever owns them, but never diagonally. "
                "Place an egg on **c2**, and your tadpole on b2 becomes a frog."
            ),
            "place c2",
            Text("an egg on **c2**, right beside b2, makes your tadpole a frog."),
            "1 place b3",
            {
                "place b1": Text("That would make b2 a frog as well, but we need an egg on **c2** in a moment."),
                "place a2": Text("That would make b2 a frog as well, but we need an egg on **c2** in a moment."),
            },
        ),
        Step(
            Text(
                "Moss placed on d2, so c2 is a tadpole, too. "
                "Tadpoles move one square, never diagonally, and only to an empty one: "
                "tap **c2**, then **c3**, to develop b3."
            ),
            "move c2 c3",
            Text("**c2** → **c3** develops b3, which your frog hops over soon."),
            "1 place d2",
            {
                "place b1": Text(
                    "That would line up three eggs and score, which comes next: first move **c2** → **c3**."
                )
            },
        ),
        Step(
            Text(
                "Some turns later: frogs go one or two squares straight to an empty one, and hop over anything. "
                "Three or more alike in a row or column score, whoever owns them: "
                "hop **b2** → **b4** to line up three frogs."
            ),
            "move b2 b4",
            Text("only the hop **b2** → **b4** lines up three frogs, two of them yours."),
            "1 place d3; 0 place c4; 1 place d1; 0 place a1; 1 move d2 d4",
        ),
        Step(
            Text(
                "Every piece scores once, for its owner, even in your turn, and never comes back: "
                "2 for you, 1 for Moss. "
                "Frogs develop into eggs again: place on **a3** to line up three eggs with b3 and c3."
            ),
            "place a3",
            Text("**a3** lines up three eggs, two of them yours."),
            "1 place d2",
            {
                "place d4": Text(
                    "That lines up three eggs as well, but two of them are Moss's, d2 and d3: on **a3**, two are yours."
                )
            },
        ),
        Step(
            Text(
                "You lead 4 to 2: the game ends when somebody has 7, more points win, and equal points are a draw. "
                "Place an egg on **a2** to develop a1, and to begin a column."
            ),
            "place a2",
            Text("**a2** develops a1 and stands in one column with it."),
            "1 move d1 c1",
            {"place b1": Text("That would develop a1 as well, but **a2** also begins a column with it.")},
        ),
        Step(
            Text(
                "If a tadpole lands on a3, the egg on a2 becomes one, too: three tadpoles! "
                "Place an egg on **b3**, one square from there."
            ),
            "place b3",
            Text("from **b3** a tadpole can reach a3, and complete the column."),
            "1 move d3 d4",
            {"place a4": Text("An egg on a4 is near a3 as well, but on **b3** it has more neighbours to develop it.")},
        ),
        Step(
            Text("Moss's egg on b4 made yours a tadpole. Move **b3** → **a3** and win!"),
            "move b3 a3",
            Text("**b3** → **a3** lines up three tadpoles, and wins."),
            "1 place b4",
        ),
        Step(
            Text(
                "You win, 7 to 2! Whoever can't move or place loses at once, even ahead, and a position that comes up "
                "three times is a draw. Now play a whole game against Moss: **Hint** helps where you don't know."
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
