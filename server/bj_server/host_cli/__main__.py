"""Run ``bj-host`` as ``python -m bj_server.host_cli``."""

from bj_server.start import start


def main() -> None:
    """Speak to a running server, and exit with the status that is documented."""
    start("bj-host", "bj_server.host_cli.command")


if __name__ == "__main__":
    main()
