"""Run ``bj-server`` as ``python -m bj_server``."""

import signal

from bj_server.start import start


def main() -> None:
    """Host until stopped, and exit with the status that is documented."""
    if hasattr(signal, "SIGHUP"):  # at whatever moment a hangup comes
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
    start("bj-server", "bj_server.command", status=0)


if __name__ == "__main__":
    main()
