"""Run ``bj-bank`` as ``python -m bj_server.office``."""

import sys

from bj_server.office import command

__all__ = ["main"]


def main() -> None:
    """Look into the bank, and exit with the status that is documented."""
    sys.exit(command.main())


if __name__ == "__main__":
    main()
