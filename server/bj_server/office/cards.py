"""Cards: the shoe on a table, made again and followed from round to round."""

from bj_game.house import House
from bj_game.shoe import HomemadeShoe, Shoe
from bj_server.recall.difference import Differs
from bj_server.table.records import DealRecord, ShoeRecord, ShuffleRecord
from bj_server.table.shoes import Shoes

__all__ = ["Cards"]


class Cards:
    """The shoe of the last ``shoe`` line of a table."""

    def __init__(self, house: House, record: ShoeRecord) -> None:
        """Make it.

        Raises:
            ValueError: if the record makes no shoe.
        """
        self._house = house
        self._put(record)

    def put(self, record: ShoeRecord) -> None:
        """Put another shoe on the table.

        Raises:
            ValueError: if the record makes no shoe.
            Differs: if it does not begin where its stream had come to.
        """
        is_same = record.secret is not None and record.secret == self._record.secret
        if is_same and self.is_place_known and record.words != self._shoes.words:
            words = str(record.words), str(self._shoes.words)
            raise Differs("The number of words before the shoe", *words)
        if record.seed is not None and record.seed == self._record.seed:
            # Go on in the numbers of the seed; to count them anew takes ever longer.
            shoe, data = self._shoes.next()
            if ShoeRecord.model_validate(data) == record:
                self._take(record, shoe)
                return
        self._put(record)

    def shuffle(self, record: ShuffleRecord) -> None:
        """Shuffle by hand what is left.

        Raises:
            Differs: if something else is left.
        """
        self._lefts.append(record.left)
        if not isinstance(self.shoe, HomemadeShoe):
            raise Differs("A shoe is shuffled by hand, which this house never does")
        left = len(self.shoe.order) - self.shoe.dealt
        if self.is_place_known and left != record.left:
            raise Differs("The number of cards left", str(record.left), str(left))
        self.shoe.dealt = len(self.shoe.order) - record.left
        self._shoes.shuffle(self.shoe)

    def at(self, deal: DealRecord) -> Shoe:
        """Return the shoe from which a round was dealt, as it was then.

        Raises:
            ValueError: if there is none like that.
        """
        if (self.shoe.dealt, self._shoes.words) != (deal.dealt, deal.words):
            lefts = self._lefts
            shoe = self._shoes.again(self._record, lefts, deal.dealt, deal.words)
            self._take(self._record, shoe, lefts)
        self.is_place_known = True
        return self.shoe

    def check(self, deal: DealRecord) -> None:
        """Hold what a deal says of the shoe against it.

        Raises:
            Differs: if it is not what the rounds before have left.
        """
        if not self.is_place_known:
            return
        if self.shoe.dealt != deal.dealt:
            raise Differs(
                "The number of cards out", str(deal.dealt), str(self.shoe.dealt)
            )
        if self._shoes.words != deal.words:
            raise Differs(
                "The number of words", str(deal.words), str(self._shoes.words)
            )

    def _put(self, record: ShoeRecord) -> None:
        self._shoes = Shoes(self._house, seed=record.seed)
        self._take(record, self._shoes.again(record, (), 0, record.words))

    def _take(
        self, record: ShoeRecord, shoe: Shoe, lefts: list[int] | None = None
    ) -> None:
        self._record = record
        self._lefts = lefts or []
        self.shoe = shoe
        self.is_place_known = True
        """Whether all rounds since were followed to their end."""
