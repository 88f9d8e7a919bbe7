"""The lesson and the puzzles of Pot Black. The learner and Fern are partners against Moss and Reed."""

from typing import Final

from bot.errors import Text
from bot.tables.lessons import Lesson, Step, puzzle

_DEAL: Final = (
    "- dealer 3; - deal 6HJC4DJS9CJHTS4H9HTCQC8H2C/6CJD6D5H7H3HKDTDAC2S4S8S3S/QS7D3D8D4CKSKH7S9D2H2DASQD/"
    "5D3C6S5SAD9SQH5C8CTHAHKC7C"
)

LESSON: Final = Lesson(
    "pot_black",
    goal=Text(
        "**Goal**: win chips with Fern. Take more tricks than Moss and Reed, "
        "but leave them the black tens (spades and clubs). A side without chips loses."
    ),
    steps=(
        Step(
            Text(
                "A trick is a card from each player, and Moss led spades, so follow suit: **J♠** takes it. "
                "With a black ten in it, a trick counts for nobody, and whoever takes it pays 3 chips for each."
            ),
            "play JS",
            Text("**J♠** takes the trick without a black ten."),
            f"{_DEAL}; 0 play 2C; 1 play 6C; 2 play 4C; 3 play 3C; 1 play 2S; 2 play 7S; 3 play 5S",
        ),
        Step(
            Text(
                "You followed with 4♦, and Reed's A♦ took that trick, so Reed led: A♥, the highest heart. "
                "You must follow, but can't beat it, so keep your high cards and play **4♥**."
            ),
            "play 4H",
            Text("A♥ takes this trick anyway, and **4♥** is your lowest heart."),
            "0 play 4D; 1 play 6D; 2 play QD; 3 play AD; 3 play AH",
        ),
        Step(
            Text(
                "You followed with 9♣, but Fern's K♥, a trump, took that trick, and Reed's 5♦ beats the 2♦ that Fern "
                "led. You have no diamonds, so you may play any card: "
                "let Moss or Reed take this trick with your **10♠**, and pay 3 chips into the side pot."
            ),
            "play TS",
            Text("with **10♠** the trick costs Moss and Reed 3 chips, and counts for nobody."),
            "1 play 3H; 2 play 2H; 3 play 5C; 0 play 9C; 1 play AC; 2 play KH; 2 play 2D; 3 play 5D",
            {"play TC": Text("10♣ would cost them as much, but it goes the same way in a moment: begin with **10♠**.")},
        ),
        Step(
            Text(
                "Moss had to take your 10♣ too, but Fern's A♠ takes this trick, which counts for you both. "
                "Hearts are trumps in this deal, so any heart beats all other suits: save them, and throw **J♣**."
            ),
            "play JC",
            Text("Fern takes the trick already, and **J♣** saves your best cards."),
            "1 play TD; 1 play KD; 2 play 3D; 3 play 6S; 0 play TC; 1 play 3S; 2 play AS; 3 play 9S",
        ),
        Step(
            Text(
                "Fern led diamonds, and Reed trumped with 10♥, which isn't black and costs nothing. "
                "You have no diamonds either, so beat it with a higher trump: **J♥**."
            ),
            "play JH",
            Text("only **J♥** beats 10♥."),
            "2 play 7D; 3 play TH",
        ),
        Step(
            Text(
                "Most tricks that count won your side the main pot, into which all had paid 2 chips before the deal "
                "(in a tie, both pots stay). As neither of you took a black ten, you won the side pot as well."
            ),
            before="1 play JD; 0 play QC; 1 play 5H; 2 play 8D; 3 play 7C; 1 play 4S; 2 play KS; 3 play QH; "
            "0 play 6H; 3 play 8C; 0 play 8H; 1 play 8S; 2 play 9D; 0 play 9H; 1 play 7H; 2 play QS; 3 play KC",
        ),
        Step(
            Text(
                "Deal 2 (you dealt, so Moss led): trumps change from hearts to clubs, then to diamonds, spades and "
                "none, and everyone has paid 2 chips again. "
                "Reed played a black ten, which costs its taker in every deal: stay below it with **5♠**."
            ),
            "play 5S",
            Text("**5♠** leaves 10♠ and its cost to Reed."),
            "- deal KC5S2DQDKH9DADJC3DJH6D7HAS/JS2S2H4H5C8C7S9H3SQC9S8HQS/"
            "2C9CKSTC4S8S3H8D6S4D7DTDQH/TS5HTHJD7CKD3C6CACAH5D4C6H; 1 play 2S; 2 play 4S; 3 play TS",
        ),
        Step(
            Text(
                "Moss and Reed won the main pot, but they took black tens. "
                "So they don't get the side pot, nor do you: it stays there for the next deal."
            ),
            before="3 play AH; 0 play 7H; 1 play 2H; 2 play 3H; 3 play 5H; 0 play KH; 1 play 4H; 2 play QH; 0 play AS; "
            "1 play 3S; 2 play 6S; 3 play 3C; 3 play 5D; 0 play AD; 1 play 5C; 2 play 4D; 1 play 7S; 2 play KS; "
            "3 play 4C; 0 play JC; 0 play JH; 1 play 8H; 2 play 7D; 3 play 6H; 0 play 2D; 1 play 8C; 2 play 8D; "
            "3 play JD; 1 play 9S; 2 play 8S; 3 play TH; 0 play KC; 0 play 3D; 1 play QC; 2 play TD; 3 play KD; "
            "1 play 9H; 2 play 2C; 3 play 6C; 0 play 6D; 3 play 7C; 0 play 9D; 1 play JS; 2 play 9C; 2 play TC; "
            "3 play AC; 0 play QD; 1 play QS",
        ),
        Step(
            Text(
                "A player who is short of chips gets help from the partner, and a side without any after a deal loses. "
                "Now play a whole game with Fern as your partner: **Hint** helps where you don't know."
            )
        ),
    ),
)


PUZZLES: Final = (
    puzzle(
        "pot_black",
        Step(
            Text("Fern led clubs, and Reed trumped with 9♥. You have no clubs, and no higher trump: what is best?"),
            "play TS",
            Text("another card costs Moss or Reed chips."),
            "- dealer 2; - deal 8H9DJDKDJC4S4HTS6DKS3C3D3H/6C8S3S6HQDKHAS6S2CAD7DTCQH/AHJH7CTD8CQC5H4C5S9CKC7H2S/"
            "7S9H2H8DQS2DAC9S4DJSTH5D5C; 3 play AC; 0 play 3C; 1 play 2C; 2 play 4C; 3 play QS; 0 play KS; "
            "1 play AS; 2 play 2S; 1 play AD; 2 play TD; 3 play 2D; 0 play 3D; 1 play KH; 2 play AH; 3 play 2H; "
            "0 play 3H; 2 play KC; 3 play 5C; 0 play JC; 1 play 6C; 2 play QC; 3 play 9H",
            options={},
        ),
        Text("**10♠**: Moss or Reed takes this trick in any case, pays 3 chips, and it counts for nobody."),
    ),
    puzzle(
        "pot_black",
        Step(
            Text("Moss is ahead with K♠, and you play last. Which spade is best?"),
            "play TS",
            Text("another spade does more harm to Moss and Reed."),
            "- dealer 0; - deal 7H4S4H8DQDTSACADTH5C4CKCAS/6C2D5D9SAHQH3C3DQS6HKSQC8H/7SJC8S3S2CJDJS2STD2HKD4DTC/"
            "6SKH6D9C9H7C5SJH8C7D9D5H3H; 1 play AH; 2 play 2H; 3 play 3H; 0 play 4H; 1 play KS; 2 play 2S; "
            "3 play 5S",
            options={},
        ),
        Text(
            "**10♠** is worth more than a trick: Moss pays 3 chips, and the side pot is lost to Moss and Reed. "
            "Your A♠ takes a trick later."
        ),
    ),
    puzzle(
        "pot_black",
        Step(
            Text("Your partner's J♥ takes this trick, and you may throw any card. Which one is best?"),
            "play 6D",
            Text("another card prepares a later trick."),
            "- dealer 2; - deal 9C8S6D6S2H6HAD5H7H6C5SQH8H/3C7C3D8DJDTSKHKCAH4DQC4C3H/5C9SQSJS9HKSASJC2D4H2S9DJH/"
            "TC5DAC7DQD7S4STD2C3S8CTHKD; 3 play AC; 0 play 6C; 1 play 3C; 2 play 5C; 3 play KD; 0 play AD; "
            "1 play 3D; 2 play 2D; 0 play QH; 1 play AH; 2 play 4H; 3 play TH; 1 play KH; 2 play 9H; 3 play QD; "
            "0 play 2H; 1 play KC; 2 play JC; 3 play 2C; 0 play 9C; 1 play QC; 2 play JH; 3 play 8C",
            options={},
        ),
        Text("**6♦** was your last diamond: from now on, you can trump when diamonds are led."),
    ),
)
"""Found by `tools.puzzles`."""
