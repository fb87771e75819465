"""``python -m bj_server.desk`` is ``bj-host``."""

import sys

from bj_server.desk.command import main

if __name__ == "__main__":
    sys.exit(main())
