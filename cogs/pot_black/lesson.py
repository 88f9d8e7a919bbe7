"""The lesson and the puzzles of Pot Black. The learner and Fern are partners against Moss and Reed."""

from typing import Final

from bot.errors import Text
from bot.tables.lessons import Lesson, Step, puzzle

_FIRST_DEAL: Final = (
    "- dealer 0; - deal KSJS6SAHQH9H8H5H5DACQCTC7C/QS8S7S5S3SJH2HADKDKC8C5C4C/AS4S2SKHTH4H3H4D3D9C6C3C2C/"
    "2D6H6D7H7D8D9S9DTSTDJDJCQD; 1 play 8S; 2 play 4S; 3 play 9S"
)

_SECOND_DEAL: Final = (
    "3 play QD; 0 play 5H; 1 play 8C; 2 play 9C; 0 play 8H; 1 play 3S; 2 play TH; 3 play 9D; "
    "2 play AS; 3 play TD; 0 play KS; 1 play 5S; 2 play KH; 3 play JD; 0 play 9H; 1 play QS; "
    "- deal TSJS2S8SQD9DKSJDKDAH9C8HJC/7S3S5DAD9H6H5S3D2C7CTD3C4C/AS9S6S4H2HKH7DQC7H5CACTHJH/"
    "4SQS8C4D5H3H6DTC2DQH8D6CKC; 2 play AS; 3 play 4S"
)

_FOR_THREE: Final = (
    "- dealer 1; - deal TSJS5S8D7CQC6DTHQD6H9CJHKD/7S6SJDAHTDAD5D8S6CKS9D8C5H/AS9S8HACKHQH7H7DJCQSKCTC9H; 2 play AS"
)

LESSON: Final = Lesson(
    "pot_black",
    steps=(
        Step(
            Text(
                "With your partner Fern, take more tricks than Moss and Reed to win the main pot of chips. "
                "But a trick with 10♠ or 10♣ counts for nobody, and costs its taker 3. "
                "All follow suit, and the highest spade wins: play **J♠**."
            ),
            "play JS",
            Text("**J♠** is enough."),
            _FIRST_DEAL,
            {
                "play KS": Text("K♠ takes the trick as well, but you play last, so **J♠** is enough."),
                "play 6S": Text("Reed's 9♠ would take the trick: **J♠** beats it."),
            },
            brought=Text("J♠ beat 9♠ and 8♠: your first trick."),
        ),
        Step(
            Text(
                "Whoever takes a trick leads the next one. Without a card of the suit led, you may play any card. "
                "So get rid of your only diamond: lead **5♦**."
            ),
            "play 5D",
            Text("**5♦** is your only diamond."),
            remarks={
                "play *": Text(
                    "You could, but **5♦** is your only diamond: without it, you may play any card on diamonds."
                )
            },
            brought=Text("Moss took 5♦ with K♦, and leads A♦."),
        ),
        Step(
            Text(
                "You have no diamonds left. Hearts are trumps in this deal: a heart would beat A♦. "
                "You may play any card: which one hurts Moss most?"
            ),
            "play TC",
            Text("another card costs Moss chips."),
            "1 play KD; 2 play 3D; 3 play 2D; 1 play AD; 2 play 4D; 3 play 6D",
            {
                "play ?H": Text("That trump takes the trick, but Moss loses no chips. Which card costs its taker 3?"),
                "play *": Text(
                    "Then the trick counts for Moss and Reed. With another card it would cost Moss 3 chips."
                ),
            },
            brought=Text("**10♣**! Moss pays 3 chips into the side pot, and the trick counts for nobody."),
            is_choice=True,
        ),
        Step(
            Text(
                "Moss leads 4♣, and Reed plays J♣. You have clubs, so you must follow, and you play last. Which club?"
            ),
            "play QC",
            Text("another club is the best one here."),
            "1 play 4C; 2 play 2C; 3 play JC",
            {
                "play AC": Text("A♣ takes the trick, but a lower club would, too: keep A♣ for a later one."),
                "play 7C": Text("J♣ beats that, and Reed takes the trick. You can win it."),
            },
            brought=Text("Q♣ took J♣ and the trick, and you keep A♣."),
            is_choice=True,
        ),
        Step(
            Text(
                "You lead, with five trumps and the highest club, A♣. "
                "But Moss or Reed could be out of clubs, and trump it. What do you lead?"
            ),
            "play AH",
            Text("first make A♣ safe."),
            remarks={
                "play AC": Text("Reed has no clubs left and trumps it: A♣ is lost. First take the trumps from them."),
                "play 7C": Text("Moss takes that with K♣, and your A♣ still isn't safe from their trumps."),
                "play ?H": Text("Trumps, yes! But a higher one may beat this: begin with your highest."),
                "play ?S": Text("Reed has to follow with 10♠, and your side may have to pay for it."),
            },
            brought=Text("A♥ took 2♥ from Moss and 6♥ from Reed."),
            is_choice=True,
        ),
        Step(
            Text(
                "Q♥ took their last trumps, and so A♣ won. Later Moss leads 7♠, and Reed must play 10♠. "
                "You play last: which spade?"
            ),
            "play 6S",
            Text("who takes 10♠ pays for it."),
            "1 play 2H; 2 play 3H; 3 play 6H; 0 play QH; 1 play JH; 2 play 4H; 3 play 7H; 0 play AC; 1 play 5C; "
            "2 play 3C; 3 play 7D; 0 play 7C; 1 play KC; 2 play 6C; 3 play 8D; 1 play 7S; 2 play 2S; 3 play TS",
            {"play KS": Text("K♠ takes the trick with 10♠: you'd pay 3 chips, and it counts for nobody.")},
            brought=Text("Reed took 10♠ and paid 3 chips."),
            is_choice=True,
        ),
        Step(
            Text(
                "Your side won 9 tricks to 2: the main pot, +8, and without black tens the side pot too, +6. "
                "Deal 2: Fern leads A♠. Which spade?"
            ),
            "play 2S",
            Text("Fern takes this trick anyway."),
            _SECOND_DEAL,
            {
                "play TS": Text("Fern would take it and pay 3 chips, and your side couldn't win the side pot."),
                "play *": Text("Fern takes this trick anyway, so a lower spade is enough."),
            },
            brought=Text("Fern's A♠ took the trick, and it counts for you both."),
            is_choice=True,
        ),
        Step(
            Text(
                "Three players have no partners: most tricks win the main pot, and everyone without a black ten "
                "shares the side pot. Again Fern leads A♠. Which spade now?"
            ),
            "play TS",
            Text("Fern isn't your partner now."),
            _FOR_THREE,
            {"play *": Text("That trick would count for Fern, who isn't your partner now. Can you spoil it?")},
            {"players": 3},
            brought=Text("Fern pays 3 chips and won't share the side pot."),
            is_choice=True,
        ),
        Step(
            Text(
                "That's Pot Black! Trumps change with every deal, and a side without chips loses. "
                "Try one thing in your first game: throw a black ten where Moss or Reed is sure to take it."
            ),
            before="1 play 7S",
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
