"""The switch in each function that has mutants: one of them may be active."""

from collections.abc import Callable
from functools import wraps
from typing import Any, ClassVar, TypeVar, cast

_Function = TypeVar("_Function", bound=Callable[..., Any])
MutantDict = dict[str, Callable[..., Any]]
"""The original of a function and its mutants, by their names."""


class Active:
    """The mutant that is active in this process."""

    mutant: ClassVar[str] = ""


def switch(mutants: MutantDict) -> Callable[[_Function], _Function]:
    """Return a decorator of a function that calls its active mutant, or its original.

    The mutants come into the dictionary when all of them are defined.
    """

    def decorate(function: _Function) -> _Function:
        module = function.__module__

        @wraps(function)
        def call(*args: Any, **kwargs: Any) -> Any:
            original = mutants["_mutmut_orig"]
            where, _, name = Active.mutant.rpartition(".")
            chosen = mutants.get(name, original) if where == module else original
            return chosen(*args, **kwargs)

        return cast("_Function", call)

    return decorate
