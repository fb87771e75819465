"""Run ``bj-server`` as ``python -m bj_server``."""

import sys

from bj_server import command

__all__ = ["main"]


def main() -> None:
    """Host until stopped, and exit with the status that is documented."""
    sys.exit(command.main())


if __name__ == "__main__":
    main()
