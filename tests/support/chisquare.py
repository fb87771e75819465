"""The chi-square distribution, from the incomplete gamma function.

``chance`` is by the series below the mean and by Lentz's continued fraction above it,
which both converge within some multiple of the root of the degrees of freedom.
"""

import math

_PRECISION = 1e-12


def chance(statistic: float, degrees: int) -> float:
    """Return how likely a sum of squares is that is at least ``statistic``."""
    shape, x = degrees / 2, statistic / 2
    if x <= 0:
        return 1.0
    front = math.exp(shape * math.log(x) - x - math.lgamma(shape))
    if x < shape + 1:
        return 1 - front * _series(shape, x)
    return front * _fraction(shape, x)


def quantile(upper: float, degrees: int) -> float:
    """Return the sum of squares that is met or passed with the chance ``upper``."""
    low, high = 0.0, degrees + 40 * math.sqrt(2 * degrees) + 100
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if chance(middle, degrees) > upper else (low, middle)
    return low


def _series(shape: float, x: float) -> float:
    term = total = 1 / shape
    while term > total * _PRECISION:
        shape += 1
        term *= x / shape
        total += term
    return total


def _fraction(shape: float, x: float) -> float:
    tiny = 1e-300
    b = x + 1 - shape
    c, d = 1 / tiny, 1 / b
    product, factor, i = d, 0.0, 0
    while abs(factor - 1) > _PRECISION:
        i += 1
        a = i * (shape - i)
        b += 2
        d = 1 / _apart(a * d + b, tiny)
        c = _apart(b + a / c, tiny)
        factor = d * c
        product *= factor
    return product


def _apart(number: float, tiny: float) -> float:
    return number if abs(number) > tiny else tiny
