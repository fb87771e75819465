"""Run ``bj-server`` as ``python -m bj_server``."""

from bj_server.start import start

__all__ = ["main"]


def main() -> None:
    """Host until stopped, and exit with the status that is documented."""
    start("bj-server", "bj_server.command")


if __name__ == "__main__":
    main()
