"""Run ``bj-bank`` as ``python -m bj_server.bank_cli``."""

from bj_server.start import start


def main() -> None:
    """Look into the bank, and exit with the status that is documented."""
    start("bj-bank", "bj_server.bank_cli.command")


if __name__ == "__main__":
    main()
