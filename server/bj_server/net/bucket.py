"""The bucket: tokens that are spent at once, and come back with time."""


class Bucket:
    """A store of tokens for one spender.

    >>> bucket = Bucket(2, per_second=0.5, now=0.0)
    >>> [bucket.spend(0.0) for _ in range(3)]
    [1.0, 0.0, -1.0]
    >>> bucket.level(4.0)
    1.0
    """

    def __init__(self, size: float, *, per_second: float, now: float) -> None:
        """Start full, with ``size`` tokens; moments are in seconds."""
        self._size = float(size)
        self._per_second = per_second
        self._level = self._size
        self._at = now

    def level(self, now: float) -> float:
        """Return the tokens that are there; below zero is a debt."""
        elapsed = max(0.0, now - self._at)
        return min(self._size, self._level + elapsed * self._per_second)

    def spend(self, now: float) -> float:
        """Take one token, on credit if there is none, and return what is left."""
        self._level, self._at = self.level(now) - 1, now
        return self._level

    def is_full(self, now: float) -> bool:
        """Whether it is as a new one would be."""
        return self.level(now) >= self._size
