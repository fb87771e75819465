"""Run ``bj-client`` as ``python -m bj_client``."""

import sys


def main() -> None:
    """Play, and exit with the status that is documented.

    The rest is imported here, so that Ctrl-C while it loads is no traceback either.
    """
    try:
        import signal

        from bj_client.command import run

        status = run()
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # it is over, whatever is typed
    except KeyboardInterrupt:
        status = 130
        sys.stderr.write("Interrupted: run bj-client again to play.\n")
    sys.exit(status)


if __name__ == "__main__":
    main()
