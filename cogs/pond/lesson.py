"""The lesson of Pond · cards: a round against Moss, and a trick with a partner; then its puzzles, against Moss."""

from typing import Final

from bot.errors import Text
from bot.tables.lessons import Lesson, Step, puzzle

_FIRST_TRICK: Final = (
    "- dealer 1; - poison 6H/5D; - deal 9DKC5C3HKH2STC8S7CASQD+6CTS4D5SJS/THJCKD9CAC4CQC7H3S4S3C+7D8D2D9SJH; "
    "1 profit TH; 0 profit 9D; 1 bait 9C; 0 bait 5C; 1 pass; 1 play JC"
)

_SECOND_ROUND: Final = (
    "1 bait 3S; 0 bait 5S; 1 pass; 1 play 3C; 0 play JS; "
    "- poison 3C/QH; - deal 5C5H6D6S7H7D4DKDTHJH2H+AS4SAD3S9H/QS8C9C9S3DAHJDAC8S2S6C+KC8D2C5DTD"
)

_PARTNERS_DEAL: Final = (
    "- dealer 1; - poison JC/3C/4C/2C; - deal TH5CTC2D6H5S8SKC7STDTD+7DQH8CJHTS/2SKDQS4D8H9H2DJD9S4DTC+7HAC5SACQD/"
    "JD5HAS4H6C4S3S8C5C9D2C+2S9S7D2HKH/6C6HJSAD7H3HAH8D4C9HKD+6DJCQHKC3D; "
    "0 profit TC; 1 profit 2D; 2 profit 2C; 3 profit AD; 1 bait 4D; 2 bait 2H; 3 bait AH; 0 bait TD; 1 pass; "
    "1 play 5S; 2 play AS; 3 play 6D"
)

LESSON: Final = Lesson(
    "pond",
    steps=(
        Step(
            Text(
                "Win a trick with the highest card, of any suit, to take its pond of cards. "
                "Your secret profit, 8 9 10, brings +15 a card, but poison, here diamonds, costs 25. "
                "Moss led J♣: take 9♣ and 5♣ with **K♣**."
            ),
            "play KC",
            Text("take this pond with **K♣**."),
            _FIRST_TRICK,
            {
                "play [8TJA]S": Text("That takes the pond as well, but you'll need it later: **K♣** is enough."),
                "play KH": Text("K♥ takes the pond as well, but you'll need it later: **K♣** is enough."),
                "play QD": Text("Q♦ takes the pond as well, but it's poison: −25 for you. Take it with **K♣**."),
                "*": Text("J♣ is higher, so Moss would take 9♣ and 5♣: only a higher card, **K♣**, takes them."),
            },
            {"players": 2},
            brought=Text("You took 9♣ +15, 5♣ +5, J♣ +10 and K♣ +10: **+40**."),
        ),
        Step(
            Text(
                "J Q K bring 10, other numbers 5, aces 1. You won, so you start the next pond: everyone adds a card, "
                "the bait. Hearts are poison to Moss: bait with **3♥**."
            ),
            "bait 3H",
            Text("only a heart is poison to Moss: **3♥**."),
            remarks={
                "bait KH": Text("That's poison to Moss as well, but you'll need K♥ in a moment: bait with **3♥**."),
                "bait *": Text("That isn't poison to Moss. If Moss takes this pond, **3♥** costs 25."),
            },
            brought=Text("Moss baited with K♦, which is poison to you."),
        ),
        Step(
            Text(
                "So let Moss take this pond: you'll lose on purpose. "
                "As you start, you may first lay a trap, a second card from each of you, face down. "
                "What should Moss get, if anything?"
            ),
            "trap KH",
            Text("something else costs Moss more."),
            "1 bait KD",
            {
                "trap ?D": Text("You'd be rid of your own poison, but that card would help Moss."),
                "trap [8T]?": Text("Moss would take it, and you'd lose a card that brings you +15."),
                "pass": Text("Then Moss takes only K♦ and 3♥. A second card could cost Moss 25 more."),
                "trap *": Text("That's no poison to Moss, so Moss would gladly take it."),
            },
            brought=Text("K♥ lies face down, beside a trap of Moss's."),
            is_choice=True,
        ),
        Step(
            Text(
                "Spades are special: 8 to A are trumps and beat all other suits, 2 to 7 are anti-trumps and lose to "
                "them. Lead **2♠**, which loses to everything."
            ),
            "play 2S",
            Text("only **2♠** is sure to lose."),
            "1 trap 7D",
            {
                "play 5S": Text("Moss could play a lower anti-trump, and you'd take K♦: only **2♠** is sure to lose."),
                "play *": Text("Moss could play a lower card, and you'd take K♦: only **2♠** is sure to lose."),
            },
            brought=Text("Moss played 4♣ and had to take all: your 3♥ and K♥ cost Moss **50**."),
        ),
        Step(
            Text(
                "Moss starts this pond, A♣ to your 6♣, and laid a trap, so you must too. "
                "A♠ makes you sure to win. Which card do you want there?"
            ),
            "trap TC",
            Text("another card brings you more."),
            "1 play 4C; 1 bait AC; 0 bait 6C; 1 trap 8D",
            {
                "trap ?D": Text("You'd take your own poison: −25."),
                "trap AS": Text("With A♠ in the pond, you aren't sure to win any more."),
                "trap [8T]S": Text("That's +15 too, but a trump wins you a trick: which other profit do you hold?"),
                "trap *": Text("That brings you less than profit would: you'll take this pond."),
            },
            brought=Text("10♣ is in the pond now: +15 for you, if you take it."),
            is_choice=True,
        ),
        Step(
            Text("Moss leads Q♣. You could win with four different trumps: with which one?"),
            "play 8S",
            Text("a weaker trump is enough."),
            "1 play QC",
            {
                "play [TJA]S": Text("That wins, but so does a weaker trump. Keep this one for a stronger card."),
                "play *": Text("Q♣ beats that: Moss would take the pond with your 10♣."),
            },
            brought=Text(
                "You took 10♣ and 8♠, +15 each, Q♣, 6♣ and A♣. Moss's trap was 8♦, your poison: **+21** in all."
            ),
            is_choice=True,
        ),
        Step(
            Text(
                "Next, you baited with Q♦ and Moss with 2♦. You led 7♣ and Moss played 7♥: a tie. "
                "The leader decides. Who should take all?"
            ),
            "award 1",
            Text("look at whose poison it is."),
            "0 bait QD; 1 bait 2D; 0 pass; 0 play 7C; 1 play 7H",
            {"award 0": Text("Q♦ and 2♦ are both poison to you. To Moss, only 7♥ is.")},
            brought=Text("7♥ cost Moss 25, you nothing."),
            is_choice=True,
        ),
        Step(
            Text(
                "You won round 1, 86 to −30. Now clubs are poison. Set a card aside, no 4 J Q K: "
                "its group, A 2 3 4, 4 5 6 7 or 8 9 10, is your profit. Which one?"
            ),
            "profit 5C",
            Text("another card serves you better."),
            _SECOND_ROUND,
            {
                "profit [567]?": Text("The right group, as you hold six more of it. But this card could bring +15."),
                "profit TH": Text("You hold no other card of 8 9 10: nothing would bring +15."),
                "profit 2H": Text("You hold only one more card of A 2 3 4. Of another group you hold seven."),
            },
            brought=Text("Six of those cards bring +15 now, and 5♣, your poison, is out."),
            is_choice=True,
        ),
        Step(
            Text(
                "Four play in pairs. Fern, your partner with profit A 2 3 4, takes this trick, "
                "and you add up your points. What do you play?"
            ),
            "play 2D",
            Text("another card brings Fern more."),
            _PARTNERS_DEAL,
            {"play *": Text("That isn't profit for Fern.")},
            options={"players": 4},
            brought=Text("**2♦** is +15 for Fern, and so for you both."),
            is_choice=True,
        ),
        Step(
            Text(
                "That's Pond! After four rounds, the most points win. Try one thing in your first game: before each "
                "trick, decide who should take the pond, then choose your bait for them."
            ),
        ),
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
