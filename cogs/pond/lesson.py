"""The lesson of Pond · cards: a round against Moss, and a trick with a partner; then its puzzles, against Moss."""

from typing import Final

from bot.errors import Text
from bot.tables.lessons import Lesson, Step, puzzle

_DEAL: Final = (
    "- dealer 1; - poison 6H/5D; - deal 8STS2S9CTC8C9DKH3HQC7C+JS6C5S5C4D/KD4CJCQDAC7D7HTH3S2D4S+8DKC9SADJH; "
    "1 profit TH"
)

_PARTNERS_DEAL: Final = (
    "- dealer 1; - poison JC/3C/4C/2C; - deal TH5CTC2D6H5S8SKC7STDTD+7DQH8CJHTS/2SKDQS4D8H9H2DJD9S4DTC+7HAC5SACQD/"
    "JD5HAS4H6C4S3S8C5C9D2C+2S9S7D2HKH/6C6HJSAD7H3HAH8D4C9HKD+6DJCQHKC3D; "
    "0 profit TC; 1 profit 2D; 2 profit 2C; 3 profit AD; 1 bait 4D; 2 bait 2H; 3 bait AH; 0 bait TD; 1 pass; "
    "1 play 5S; 2 play AS; 3 play 6D"
)

LESSON: Final = Lesson(
    "pond",
    goal=Text(
        "**Goal**: win cards that bring you points, and leave your poison to Moss. After 4 rounds, more points win."
    ),
    steps=(
        Step(
            Text(
                "Set a card aside to choose your secret profit: its group, such as 8 9 10, brings you +15 a card. "
                "Diamonds are your poison (−25), so choose **9♦** of your many 8 9 10: it's out of the round."
            ),
            "profit 9D",
            Text("**9♦** is your poison, and you hold most cards of 8 9 10."),
            _DEAL,
            {
                "profit [89T]?": Text(
                    "That chooses the same profit, but spends a card worth +15: **9♦** is only poison to you."
                )
            },
            {"players": 2},
        ),
        Step(
            Text(
                "You've got 5 more cards, and before each trick, everyone baits a pond, "
                "which goes to whoever takes the trick. "
                "Moss, the dealer, baits first with K♦, your poison: answer with **3♥**, poison to Moss."
            ),
            "bait 3H",
            Text("**3♥** is worth little to you, and −25 to Moss."),
            "1 bait KD",
            {"bait KH": Text("That's poison to Moss as well, but K♥ is worth +10 to you, and **3♥** only +5.")},
        ),
        Step(
            Text(
                "Moss leads 4♣ and hopes that you beat it: you may play any card, whatever its suit, and the highest "
                "rank of the trick wins. "
                "Spades from 2 to 7 are anti-trumps, weaker than all other cards: lose with **5♠**."
            ),
            "play 5S",
            Text("**5♠** is sure to lose to 4♣, and you keep 2♠, which loses to everything."),
            "1 pass; 1 play 4C",
            {"play 2S": Text("2♠ loses as well, but keep it: **5♠** is enough here, and nothing is weaker than 2♠.")},
        ),
        Step(
            Text(
                "Moss took the trick, so Moss starts this pond and leads (your bait is 9♣), now with traps, "
                "a card face down from each of you. Your high spades beat everything, so you'll win this pond: "
                "add profit, **10♣**."
            ),
            "trap TC",
            Text("you'll win this pond, and **10♣** is worth +15 to you."),
            "1 bait JC; 0 bait 9C; 1 trap QD",
            {"trap 8C": Text("8♣ is worth +15 as well, but **10♣** is the one that this lesson doesn't need later.")},
        ),
        Step(
            Text(
                "Moss leads A♣, the highest rank, but aces are only worth +1, J Q K +10 and numbers +5, "
                "unless they are poison or profit. "
                "Spades from 8 up are trumps, which beat all others: win with your lowest, **8♠**."
            ),
            "play 8S",
            Text("**8♠** wins, is worth +15 to you, and keeps your stronger trumps."),
            "1 play AC",
            {
                "play [TJ]S": Text(
                    "That wins as well, but **8♠** is enough, and your stronger trumps stay in your hand."
                )
            },
        ),
        Step(
            Text(
                "Moss's trap was Q♦: −25 in your pile, which is still worth +31. "
                "You start this pond, so only you may call for traps: choose **No trap**, "
                "as Moss would have to add one too, maybe your poison."
            ),
            "pass",
            Text("with **No trap**, Moss can't hide more poison for you."),
            "0 bait KH; 1 bait 7D",
        ),
        Step(
            Text(
                "You led 7♣ and Moss played 7♥: a tie of equal ranks, and the leader chooses who takes all and starts "
                "next. K♥ and 7♥ are poison to Moss: give it to **Moss**."
            ),
            "award 1",
            Text("**Moss** loses more by it."),
            "0 play 7C; 1 play 7H",
            {"award 0": Text("You'd get 7♦, your poison, but K♥ and 7♥ cost **Moss** twice as much: give it away.")},
        ),
        Step(
            Text(
                "8♦ is one of your profit ranks, but poison comes first: −25. With 8♣, K♣ and **10♠** "
                "all is still worth −25 + 15 + 10 + 15 = +15 to you: take it."
            ),
            "play TS",
            Text("**10♠** takes it all for +15."),
            "1 bait 8D; 0 bait 8C; 1 pass; 1 play KC",
            {"play JS": Text("J♠ takes it as well, but it's only worth +10, and **10♠** is worth +15.")},
        ),
        Step(
            Text(
                "After two more tricks, with fewer than 4 cards each, the round is scored, and all secrets are shown. "
                "Cards left in hand count nothing, and after 4 rounds, each with new poison and profit, "
                "the higher total wins."
            ),
            before="0 bait QC; 1 bait 2D; 0 pass; 0 play 6C; 1 play 9S; 1 bait AD; 0 bait 5C; 1 pass; 1 play 4S; "
            "0 play 2S",
        ),
        Step(
            Text(
                "Four play in pairs with two packs, and you know Fern's profit: A 2 3 4. Fern's A♠ takes this trick, "
                "and your points are added: give Fern **2♦**."
            ),
            "play 2D",
            Text("**2♦** is worth +15 to Fern, more than any other card you have."),
            _PARTNERS_DEAL,
            options={"players": 4},
        ),
        Step(Text("That's Pond! Now play a whole game against Moss: **Hint** helps where you don't know.")),
    ),
    first_game={"players": 2},
)


PUZZLES: Final = (
    puzzle(
        "pond",
        Step(
            Text("Moss leads 9♠, a trump, for a pond that is worth having. Which card is best?"),
            "play TS",
            Text("you can take this pond for more."),
            "- dealer 0; - poison 2C/JC; - deal TSTC3H6CAC7S2DKH9HQD8C+8H6HQS3S5D/"
            "ASKCKS3C8DAHKD9S2S9C5C+JD7C7HADJH; 0 profit 9H; 1 profit AS; 0 bait 3S; 1 bait 7H; 0 pass; "
            "0 play 7S; 1 play KS; 1 bait 8D; 0 bait 2D; 1 pass; 1 play 9S",
            options={"players": 2},
        ),
        Text("**10♠** takes it all for +50: 10 is your profit, and the stronger Q♠ stays for a later trick."),
    ),
    puzzle(
        "pond",
        Step(
            Text("Moss leads K♠, and none of your cards beats it. Which one is best?"),
            "play 9D",
            Text("another card costs Moss points."),
            "- dealer 0; - poison 8D/QSTD; - deal 7HQHKC6HAHJC3S3C4C2CTH+4H7C9C2S9D/"
            "ACTCKSTSQC5S6C6DAS6S8C+JD4DKH5D9S; 0 profit 3C; 1 profit 6D; 0 bait 6H; 1 bait 8C; 0 pass; "
            "0 play 2S; 1 play AS; 1 bait TC; 0 bait 7C; 1 pass; 1 play KS",
            options={"players": 2},
        ),
        Text("**9♦** is poison to you both: Moss has to take it for −25, and you're rid of it."),
    ),
    puzzle(
        "pond",
        Step(
            Text(
                "You can take this pond for up to +40, or leave it to Moss, whose poison is clubs. Which card is best?"
            ),
            "play 2C",
            Text("Moss can lose more than you can win."),
            "- dealer 0; - poison 3D/9C; - deal 5S4D8C7STHKHQD4SJS2C3C+5C8DAH9HKS/"
            "7C4H7H9D2H7D5H4CTSAC5D+QH6HJHAS8S; 0 profit 3C; 1 profit 5H; 0 bait 5S; 1 bait 2H; 0 pass; "
            "0 play KS; 1 play AS; 1 bait 9D; 0 bait 7S; 1 pass; 1 play TS; 0 play 4S; 1 bait 8S; 0 bait 5C; "
            "1 pass; 1 play 4C",
            options={"players": 2},
        ),
        Text("**2♣** loses to 4♣: Moss takes three clubs for −25 each, which is more than your +40."),
    ),
)
"""Found by `tools.puzzles`."""
