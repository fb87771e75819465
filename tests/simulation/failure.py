"""The failure: a property that does not hold, in a world of a seed."""

import re


class Failure(Exception):
    """The name of the property is the first argument, and a sentence the second."""

    @property
    def kind(self) -> str:
        """The words that the same failure has in another world."""
        what = re.sub(r"(?<=.)\(.*|\d+", "", str(self.args[1:]))
        return f"{self.args[0]}: {what}"

    @property
    def property(self) -> str:
        return str(self.args[0])

    def __str__(self) -> str:
        return ": ".join(map(str, self.args))


def hold(is_so: object, name: str, what: object = "") -> None:
    """See that a property holds; ``what`` says more of it."""
    if not is_so:
        raise Failure(name, str(what))
