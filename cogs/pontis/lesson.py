"""The lesson of Pontis, for three: the learner, Moss and Fern; and its puzzles."""

from typing import Final

from bot.errors import Text
from bot.tables.lessons import Lesson, Step, puzzle

_DEAL: Final = (
    "- dealer 2; - foundations KS/2S/8S; - deal "
    "5D4D6DQD5C7S8D9H9STD5SACAHADJHTS8C/6H2C6CJC3S2HXX4CJS3C6S8HQS9C5HQC7D/2D7C9DTC4HQHKC3H4SXXASKDJDKH7H3DTH/"
)

LESSON: Final = Lesson(
    "pontis",
    goal=Text(
        "**Goal**: put cards onto your bank, a point each, and be the first without cards for 4 more. Most points win."
    ),
    steps=(
        Step(
            Text(
                "A card bridges if it is the difference between your top card, K♠ (13), and the one of the bank before "
                "yours, Fern's 8♠: play **5♠**, and as it matches the suit of 8♠, it scores 1 more."
            ),
            "play 5S",
            Text("only **5♠** matches Fern's 8♠ and scores 2."),
            _DEAL,
            options={"players": 3},
        ),
        Step(
            Text(
                "Whoever has a right card has to play one, and others miss their turn, as you did while Moss played "
                "on. Fern's 10♣ minus your 5♠ is 5 again: match its suit with **5♣**."
            ),
            "play 5C",
            Text("only **5♣** matches Fern's 10♣ and scores 2."),
            "1 play 3S; 1 play 2H; 1 play 3C; 1 play 2C; 2 sum 4H TC",
        ),
        Step(
            Text("Moss and Fern both missed, so it's your turn again. 10 − 5 is still 5: play **5♦**."),
            "play 5D",
        ),
        Step(
            Text(
                "Your 5♦ and Fern's Q♥ (12) need a 7. **7♠** also equals Moss's 7♦ after you: that's a curdle, "
                "a difference of nothing, which no single card bridges (on two aces, a king does: 14 − 1)."
            ),
            "play 7S",
            before="1 sum 9C QC; 2 play 2D; 1 play 7D; 2 sum 7C QH",
        ),
        Step(
            Text(
                "After everyone had missed, Moss could play two cards: "
                "only an equal pair, two jacks, bridges this curdle. "
                "Aces count 1 or 14 (jokers only 1, and they match no suit), so Fern's A♠ and your 7♠ need a 6 (7 − 1) "
                "or a 7 (14 − 7): play **6♦**."
            ),
            "play 6D",
            before="1 sum JC JS; 2 play AS",
        ),
        Step(
            Text(
                "Everyone missed in a row, so you have the sum ability, as you missed first: make 3 with two cards, "
                "added or subtracted (J counts 11, Q 12). "
                "The second one ends on top: **9♠**, then **Q♦** sheds high cards, and matches Fern's 3♦."
            ),
            "sum 9S QD",
            Text("**9♠**, then **Q♦** sheds your highest card, and matches Fern's 3♦."),
            "1 play 5H; 2 play 9D; 1 play XX; 2 sum JD 3D",
            {
                "sum 9H QD": Text("That scores just as much, but keep 9♥ for the next turn: **9♠**, then **Q♦**."),
                "sum QD 9?": Text("That sheds as much, but matches no suit: Fern's 3♦ asks for **9♠**, then **Q♦**."),
            },
        ),
        Step(
            Text(
                "The sum ability is gone once it is used, so it's one card a turn again. "
                "Moss and Fern had no right one: bridge 12 − 3 with **9♥**."
            ),
            "play 9H",
        ),
        Step(
            Text(
                "Much later, you have the sum ability again (a player who can't use it passes it on). "
                "Your last two cards make 2, and playing them ends the game, for 4 points more: "
                "**10♠**, then **8♣** also matches Fern's K♣."
            ),
            "sum TS 8C",
            Text("**10♠**, then **8♣** on top matches Fern's K♣, for 1 point more."),
            "1 play 8H; 2 sum XX 4S; 0 sum AD 4D; 1 play 4C; 2 sum KH KC; 0 sum 8D AC; 0 play AH; 0 sum TD JH",
        ),
        Step(
            Text(
                "You win with 27! A game also ends if even the sum ability helps nobody: then the first to miss loses "
                "2 points, and the most points win (a tie is shared). "
                "Now play one with Moss and Fern: **Hint** helps where you don't know."
            ),
        ),
    ),
    first_game={"players": 3},
)


PUZZLES: Final = (
    puzzle(
        "pontis",
        Step(
            Text("You have the sum ability, and two cards make 6. Which one goes on top?"),
            "sum 3H 3S",
            Text("the other one on top is worth more."),
            "- dealer 1; - foundations 6H/QH/4H; - deal AD5HAH2D5SQDTS7SKD7C3H3S7HKC5D2CTH/"
            "8H6CJC4C9S8SKH3CXX6D7DXXTC9H3D8DJH/6S9D2S4DJD2H4SJSKSTD5C8C9CASACQCQS/; 2 play 8C; 0 play 2C; 1 play TC; "
            "2 play 2S; 1 play 8D; 2 play 6S; 1 play 6C; 1 play 4C; 2 play 2H; 0 sum AD AH; 1 play 3D; 2 play AS; "
            "0 play KC; 2 play JD; 0 play 2D; 1 play XX; 2 play TD; 1 play XX; 2 play 9C; 0 play 7C; 1 play 6D; "
            "2 sum 9D QS; 0 play 5S; 0 play 7S; 0 play 5D; 0 play 7H; 0 play 5H; 1 sum 9H 8S; 2 play 4S; 1 play 3C; "
            "2 play AC; 2 play JS",
            options={"players": 3},
        ),
        Text("**3♠** on top matches Fern's J♠ for 1 point more."),
    ),
    puzzle(
        "pontis",
        Step(
            Text("You have the sum ability, and Moss has missed before. Which card goes on top?"),
            "sum 6S 3H",
            Text("the other one on top leaves Moss without a move."),
            "- dealer 1; - foundations AH/7H; - deal JCQH5C3C3H9CADXXKHTDXX6HTC5S4C9DTS7C9SKS6C2D6S4D3DAC/"
            "2S4H8H3S9H7D8S7S8CAS4SKDJH6DKCJSQSQDJD8DQC5D2C2HTH5H/; 0 play 6H; 1 play AS; 0 play 5S; 1 play 4S; "
            "0 play AD; 1 play TH; 0 play 9S; 0 play AC; 1 play 9H; 0 play 5C; 1 play 4H; 0 play XX; 1 play 3S; "
            "0 play 2D; 0 play XX; 1 play 2H; 0 sum TS 9D; 1 play 7D; 1 play 2S; 0 play 7C; 1 play 5H; 1 play 2C; "
            "1 play 5D; 0 sum QH TD; 1 sum 8H KC; 0 play 3C; 0 play TC; 0 play 3D; 0 sum 6C 4D; 0 play 9C; 0 play 4C",
            options={"players": 2},
        ),
        Text(
            "**3♥** on top makes a 10 the bridge, and neither of you can make one, even with two cards: "
            "the game ends, and Moss, who missed first, loses 2 points."
        ),
    ),
    puzzle(
        "pontis",
        Step(
            Text("You have the sum ability and need a 5. Which pair is best, and in which order?"),
            "sum KS 8S",
            Text("another choice does more for your next turns."),
            "- dealer 0; - foundations QS/5S; - deal QDQCJH4D3H8STC8H7S5D2DJDJSKC4S7H4HKS6H2H6C2C9D2SAC5H/"
            "QHJC3S7C8D6SXX9STD9H9C3DXX6D8CAS5CKD4C7DAHTH3CADTSKH/; 1 play 7D; 0 play 5D; 0 play 2D; 1 play 5C; "
            "0 play 3H; 0 play 2C; 1 play 3C; 0 play AC; 1 play JC; 0 play TC; 1 play AS; 0 play 4S; 1 play TS; "
            "0 play 6C; 1 play 4C; 0 play 2S; 0 play 2H; 1 sum AH QH; 1 play TH; 0 play 8H; 1 sum XX XX; 0 play 7H; "
            "1 play 6D; 1 play AD; 0 play 7S; 1 play 6S; 0 sum KC QC; 0 play 6H; 0 sum JH JD; 0 play 5H; 1 sum 9H TD",
            options={"players": 2},
        ),
        Text(
            "**8♠** on top makes Moss need a 2, which Moss doesn't have, and with **K♠** below it you're rid of "
            "a king, which seldom fits alone."
        ),
    ),
)
"""Found by `tools.puzzles`. The learner plays against Moss and Fern, or Moss alone."""
