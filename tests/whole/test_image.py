"""14_12: the image and the compose file hold what docs/containers.md says of them.

``docs/try_image.sh`` builds the image and plays through it; this reads what it is
built from.
"""

import json
import re
from pathlib import Path

import pytest

from bj_server.command import Exit
from bj_server.options import read_options

ROOT = Path(__file__).parents[2]
IMAGE = (ROOT / "Dockerfile").read_text("utf-8")
COMPOSE = (ROOT / "docker-compose.yml").read_text("utf-8")
UNIT = (ROOT / "docs" / "systemd" / "bj-server.service").read_text("utf-8")
START: list[str] = json.loads(re.findall(r"^CMD (\[.*\])$", IMAGE, re.MULTILINE)[-1])


def test_14_12_the_image_is_set_by_its_environment_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name, value in re.findall(r"\b(BJ_\w+)=(\S+)", IMAGE):
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("BJ_PORT", "9000")
    settings = read_options(START[START.index("bj-server") + 1 :])
    assert (settings.bank, settings.port) == (Path("/bank"), 9000)
    assert settings.admin_port == 8766
    assert "EXPOSE 8765" in IMAGE


def test_14_12_no_exit_that_a_start_cannot_help_is_started_again() -> None:
    ended = {int(code) for code in re.findall(r'"-e", "(\d)"', IMAGE)}
    assert ended == {2, Exit.NO_ADDRESS, Exit.NO_BANK}
    unit = re.findall(r"^RestartPreventExitStatus=(.*)$", UNIT, re.MULTILINE)
    assert {int(code) for code in unit[0].split()} == ended
    assert "restart: on-failure" in COMPOSE


@pytest.mark.parametrize(
    "line",
    [
        "read_only: true",
        "cap_drop: [ALL]",
        'security_opt: ["no-new-privileges:true"]',
        'options: {max-size: 10m, max-file: "5"}',
        "condition: service_healthy",
    ],
)
def test_14_12_a_container_has_no_more_than_it_needs(line: str) -> None:
    assert line in COMPOSE


def test_14_12_the_health_check_asks_the_server_itself() -> None:
    check = re.findall(r"^HEALTHCHECK (.*) \\\n  CMD (\[.*\])$", IMAGE, re.MULTILINE)
    ((options, command),) = check
    assert "--start-period=" in options
    assert "/healthz" in json.loads(command)[-1]
