"""What a round that was not played, or not to its end, would have brought."""

from bj_client.fair.deal import Deal
from bj_game.house import House
from bj_game.shoe import Shoe, ShoeEmpty


def forgone(
    house: House | None, deal: Deal, shoe: Shoe | None, seat: int
) -> int | None:
    """Return the cents that a seat would have won, if nobody decided any more.

    None if that cannot be known.

    Raises:
        Refuted: if what was told of the round does not follow from the shoe.
    """
    if shoe is None or house is None or not deal.is_whole:
        return None
    retelling = deal.retell(house, shoe, is_over=False)
    if seat not in {stake.seat for stake in deal.stakes}:
        return None
    try:
        return retelling.play_on(seat)
    except ShoeEmpty:
        return None
