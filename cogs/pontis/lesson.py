"""The lesson of Pontis, for three: the learner, Moss and Fern; and its puzzles."""

from typing import Final

from bot.errors import Text
from bot.tables.lessons import Lesson, Step, puzzle

_THREE: Final = {"players": 3}

_FIRST_BRIDGES: Final = (
    "- dealer 2; - foundations KS/7S/8S; - deal 5S5DACADXX3HTHTSKHQHJH9D8D7H6H2SJC/"
    "2D2H2C3D3C4H4C5H6S6D7D8H9HTDJDKDKC/3S4S4D5C6C7C8C9S9CTCJSQSQDQCASAHXX/"
)

_NOBODY_CAN: Final = (
    "- dealer 2; - foundations 9S/7S/6S; - deal KHKDKCTH7D8H8D2D2H2CQC6C6H6DQDQHJH/"
    "ASAHADACXXXXJDJC3S3H4S4C5S7H8S9HTS/2S3D3C4H4D5H5D5C7C8C9D9CTDTCJSQSKS/"
)

_LAST_TWO_CARDS: Final = (
    "- dealer 2; - foundations KS/2S/8S; - deal "
    "5D4D6DQD5C7S8D9H9STD5SACAHADJHTS8C/6H2C6CJC3S2HXX4CJS3C6S8HQS9C5HQC7D/2D7C9DTC4HQHKC3H4SXXASKDJDKH7H3DTH/; "
    "0 play 5S; 1 play 3S; 1 play 2H; 1 play 3C; 1 play 2C; 2 sum 4H TC; 0 play 5C; 0 play 5D; 1 sum 9C QC; 2 play 2D; "
    "1 play 7D; 2 sum 7C QH; 0 play 7S; 1 sum JC JS; 2 play AS; 0 play 6D; 1 play 5H; 2 play 9D; 1 play XX; "
    "2 sum JD 3D; 0 sum 9S QD; 0 play 9H; 1 play 8H; 2 sum XX 4S; 0 sum AD 4D; 1 play 4C; 2 sum KH KC; 0 sum 8D AC; "
    "0 play AH; 0 sum TD JH"
)

LESSON: Final = Lesson(
    "pontis",
    steps=(
        Step(
            Text(
                "Each turn, play a bridge on your bank: the difference between your top card and that of the bank "
                "before yours. It's a point, and one more if its suit matches that bank's. "
                "K♠ (13) minus Fern's 8♠ is 5: play **5♠**."
            ),
            "play 5S",
            Text("only **5♠** matches the suit of 8♠."),
            _FIRST_BRIDGES,
            {"play 5D": Text("That's a bridge too, but diamonds don't match 8♠: **5♠** brings one more.")},
            _THREE,
            brought=Text("5♠ matches 8♠: **+2**."),
        ),
        Step(
            Text(
                "Moss played 2♦, and Fern 6♣. Now your bridge is 6 − 5 = 1. "
                "Aces are 1 or 14, and jokers 1, without a suit. Which card?"
            ),
            "play AC",
            Text("another 1 brings more."),
            "1 play 2D; 2 play 6C",
            {
                "play AD": Text("A 1, but diamonds don't match Fern's 6♣: only 1 point."),
                "play XX": Text("A 1, but a joker has no suit: only 1 point."),
            },
            brought=Text("A♣ matches 6♣: **+2**."),
            is_choice=True,
        ),
        Step(
            Text(
                "Moss needed 2 − 1 or 14 − 2 and missed: Moss has no 1 or 12. Fern played 4♦. "
                "You need a 3 (4 − 1) or a 10 (14 − 4). Which makes Moss miss again?"
            ),
            "play 3H",
            Text("what would Moss, on 2♦, need then?"),
            "2 play 4D",
            {"play T?": Text("Then Moss needs 10 − 2 = 8, and may well have one.")},
            brought=Text("Moss needs 3 − 2 = 1 and misses again. **Ask the next player for what they lack.**"),
            is_choice=True,
        ),
        Step(
            Text("Fern needed a 2, and missed too. 4 − 3 is 1 again: match 4♦ with **A♦**."),
            "play AD",
            Text("only **A♦** matches the suit of 4♦."),
            remarks={"play XX": Text("A joker is 1 as well, but it has no suit: **A♦** brings one more.")},
            brought=Text("A♦ matches 4♦: **+2**."),
        ),
        Step(
            Text(
                "A new game, and all three missed. You, the first, get the sum ability: two cards that add or subtract "
                "to 3. The second ends on top. Which pair makes Moss, on 7♠, miss again?"
            ),
            "sum TH 7D",
            Text("another card on top makes sure of it."),
            _NOBODY_CAN,
            {
                "sum K? TH": Text("Then Moss needs 10 − 7 = 3. Is there a number that no card is worth?"),
                "sum 7D TH": Text("Then Moss needs 10 − 7 = 3. Is there a number that no card is worth?"),
                "sum TH K?": Text("Then Moss needs 13 − 7 = 6. Is there a number that no card is worth?"),
                "sum 8? JH": Text("Then Moss needs 11 − 7 = 4. Is there a number that no card is worth?"),
                "sum JH 8?": Text("Then Moss needs 8 − 7 = 1. Is there a number that no card is worth?"),
            },
            _THREE,
            brought=Text("10 − 7 is 3, and now Moss needs 7 − 7 = 0, a **curdle**, which no single card is."),
            is_choice=True,
        ),
        Step(
            Text(
                "All missed again, so Moss made 0 with two jacks, and Fern played 5♦. "
                "Your bridge is 7 − 5: match with **2♦**."
            ),
            "play 2D",
            Text("only **2♦** matches the suit of 5♦."),
            "1 sum JC JD; 2 play 5D",
            {"play 2[HC]": Text("That's a bridge too, but its suit doesn't match 5♦: **2♦** brings one more.")},
            brought=Text("2♦ matches 5♦: **+2**."),
        ),
        Step(
            Text(
                "The end of a game: nobody could play, and your last two cards make 2. "
                "Going out ends the game and brings 4 points. Fern's top card is K♣. Which goes on top?"
            ),
            "sum TS 8C",
            Text("the other one on top is worth more."),
            _LAST_TWO_CARDS,
            {
                "sum 8C TS": Text(
                    "That's 2 points and 4 for going out. But with the other one on top, the suit matches."
                )
            },
            _THREE,
            brought=Text("2 cards, 1 for matching K♣, 4 for going out: **+7**."),
            is_choice=True,
        ),
        Step(
            Text(
                "You win! A game also ends if nobody can play two cards: then the first to miss loses 2. "
                "Try one thing in your first game: leave the next player without a bridge."
            ),
        ),
    ),
    first_game=_THREE,
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
