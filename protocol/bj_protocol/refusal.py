"""Refusals: why the server does not carry out a command, one code a reason."""

from enum import IntEnum, StrEnum


class RefusalCode(StrEnum):
    """The reasons; ``Refused.text`` says the same to people."""

    # The frame itself.
    BAD_MESSAGE = "bad_message"
    TOO_MANY_BAD_MESSAGES = "too_many_bad_messages"
    NOT_JOINED = "not_joined"
    ALREADY_JOINED = "already_joined"
    TOO_FAST = "too_fast"

    # The hello.
    VERSION_MISMATCH = "version_mismatch"
    BAD_HANDLE = "bad_handle"
    BAD_KEY = "bad_key"
    KEY_NEEDED = "key_needed"
    WRONG_KEY = "wrong_key"
    NO_SUCH_TABLE = "no_such_table"
    TABLE_FULL = "table_full"
    SEATED_ELSEWHERE = "seated_elsewhere"
    CODE_NEEDED = "code_needed"
    WRONG_CODE = "wrong_code"
    TOO_MANY_TRIES = "too_many_tries"
    TOO_MANY_HANDLES = "too_many_handles"
    NOT_INVITED = "not_invited"
    BANNED = "banned"

    # The table.
    NOT_SEATED = "not_seated"
    MUTED = "muted"
    NOTHING_SAID = "nothing_said"

    # The recall.
    NOT_SO_MANY_ROUNDS = "not_so_many_rounds"
    RECALLING = "recalling"
    RECALL_FAILED = "recall_failed"

    # The prompt.
    NOT_ASKED = "not_asked"
    PROMPT_OVER = "prompt_over"
    WRONG_ANSWER = "wrong_answer"

    # The link.
    LINK_OVER = "link_over"
    NOT_YOUR_LINK = "not_your_link"

    # The money.
    BELOW_MINIMUM = "below_minimum"
    ABOVE_MAXIMUM = "above_maximum"
    NOT_A_WHOLE_STEP = "not_a_whole_step"
    NOT_ENOUGH_FUNDS = "not_enough_funds"
    NO_SUCH_SPOTS = "no_such_spots"

    BANK_STALLED = "bank_stalled"

    # The rules.
    NOT_A_PAIR = "not_a_pair"
    ALREADY_SPLIT = "already_split"
    TOO_MANY_HANDS = "too_many_hands"
    NOT_THE_FIRST_DECISION = "not_the_first_decision"
    SPLIT_UNDECIDED = "split_undecided"
    OFFER_UNDECIDED = "offer_undecided"
    INSURANCE_NOT_OFFERED = "insurance_not_offered"
    ACES_UNVALUED = "aces_unvalued"
    ACES_NOT_ASKED = "aces_not_asked"
    NOT_A_NATURAL = "not_a_natural"
    NOT_IN_THIS_HOUSE = "not_in_this_house"
    NOT_AFTER_A_SPLIT = "not_after_a_split"
    NOT_ON_THIS_TOTAL = "not_on_this_total"
    ONE_CARD_ON_SPLIT_ACES = "one_card_on_split_aces"


class CloseCode(IntEnum):
    """The codes of the closing frame; its reason is a sentence for people."""

    LEFT = 1000
    """The player left, as asked."""
    SERVER_STOPPING = 1001
    """The server is shutting down; what it has told is safe."""
    TOO_BIG = 1009
    """A message was larger than the server reads."""
    REFUSED = 4000
    """The hello was refused; the ``Refused`` before it says why."""
    TAKEN_OVER = 4001
    """The same handle joined again on another connection."""
    BAD_MESSAGES = 4002
    """Too many messages could not be read."""
    NO_HELLO = 4003
    """The connection did not say hello in time."""
    TOO_SLOW = 4004
    """The client did not read what it was sent."""
    SENT_AWAY = 4005
    """The host has sent the player away."""
    TOO_FAST = 4006
    """Too many messages that brought nothing, though the client was told."""
    IDLE = 4007
    """The player did not answer three calls for bets in a row; the seat is free."""
    TABLE_CLOSED = 4008
    """The host has closed the table; the reason has the player's bank."""
    MOVED = 4009
    """Another server of the fleet is the right one; the ``Moved`` before names it."""
