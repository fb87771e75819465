"""The failure: a property that does not hold, in a world of a seed."""


class Failure(Exception):
    """The name of the property is the first argument, and a sentence the second."""

    @property
    def property(self) -> str:
        return str(self.args[0])

    def __str__(self) -> str:
        return ": ".join(map(str, self.args))


def hold(is_so: object, name: str, what: object = "") -> None:
    """See that a property holds; ``what`` says more of it."""
    if not is_so:
        raise Failure(name, str(what))
