"""Run ``bj-odds`` as ``python -m bj_server.odds_cli``."""

from bj_server.start import start


def main() -> None:
    """Tell what a house is worth, and exit with the status that is documented."""
    start("bj-odds", "bj_server.odds_cli.command")


if __name__ == "__main__":
    main()
