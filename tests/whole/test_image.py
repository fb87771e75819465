"""The image and the compose file hold what docs/containers.md says of them.

``docs/try_image.sh`` builds the image and plays through it; this reads what it is
built from.
"""

import json
import re
import subprocess
from pathlib import Path

import pytest

from bj_protocol.option import VARIABLES
from bj_server.command import Exit
from bj_server.options import read_options

ROOT = Path(__file__).parents[2]
IMAGE = (ROOT / "Dockerfile").read_text("utf-8")
COMPOSE = (ROOT / "docker-compose.yml").read_text("utf-8")
UNIT = (ROOT / "docs" / "systemd" / "bj-server.service").read_text("utf-8")
START: list[str] = json.loads(re.findall(r"^CMD (\[.*\])$", IMAGE, re.MULTILINE)[-1])
HEADED = re.DOTALL | re.MULTILINE
PAGE = (ROOT / "docs" / "containers.md").read_text("utf-8")


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


def services(names: str) -> dict[str, str]:
    """Return the lines of some services of the compose file."""
    found = re.findall(
        r"^  (\w+):(?: &\w+)?\n((?:    .*\n|\n)+)", COMPOSE, re.MULTILINE
    )
    known = dict(found)
    return {name: known[name] for name in names.split()}


def test_a_fleet_is_in_a_profile_of_its_own() -> None:
    fleet = services("postgres n1 n2 door")
    for name in ("postgres", "n1", "door"):
        assert "profiles: [fleet]" in fleet[name]
    assert "<<: *member" in fleet["n2"]
    assert "profiles" not in services("server")["server"]
    named = re.findall(
        r"^      (BJ_\w+): (\S+)$", fleet["n1"] + fleet["n2"], re.MULTILINE
    )
    assert {name for name, _ in named} <= VARIABLES
    tables = [value for name, value in named if name == "BJ_TABLE"]
    assert len(set(tables)) == len(tables) == 2
    assert f"ipv4_address: {dict(named)['BJ_PROXY_PROTOCOL']}" in fleet["door"]


def test_the_door_of_the_fleet_leads_to_its_servers() -> None:
    door = services("door")["door"]
    assert "./docs/haproxy.cfg:/usr/local/etc/haproxy/haproxy.cfg:ro" in door
    text = (ROOT / "docs" / "haproxy.cfg").read_text("utf-8")
    assert set(re.findall(r"^    server (\w+) ", text, re.MULTILINE)) == {"n1", "n2"}
    (served,) = re.findall(r"ssl crt (\S+)", text)
    assert f"./fleet/cards.pem:{served}:ro" in door
    lines = int(re.findall(r"maxconn (\d+)", text)[0])
    assert int(re.findall(r"nofile: (\d+)", door)[0]) > 2 * lines


def test_14_12_the_health_check_asks_the_server_itself() -> None:
    check = re.findall(r"^HEALTHCHECK (.*) \\\n  CMD (\[.*\])$", IMAGE, re.MULTILINE)
    ((options, command),) = check
    assert "--start-period=" in options
    assert "/healthz" in json.loads(command)[-1]


def test_14_12_metrics_are_in_it_and_pip_is_not() -> None:
    _, last = IMAGE.rsplit("\nFROM ", 1)
    assert '"/source[metrics,fleet]"' in IMAGE
    assert "python3 -m venv --without-pip /opt/blackjack" in IMAGE
    assert "python3 -m pip uninstall --yes pip" in last
    assert "pip install" not in last


def test_14_12_settings_reach_the_server_by_its_file_of_variables() -> None:
    assert "- path: bj-server.env" in COMPOSE
    (given,) = re.findall(r"`bj-server.env`.*?```sh\n(.*?)```", PAGE, re.DOTALL)
    named = {line.partition("=")[0] for line in given.splitlines()}
    assert named <= VARIABLES


@pytest.mark.parametrize(
    ("heading", "orders"),
    [("Backup", {"backup", "restore", "audit"}), ("Upgrade", {"audit"})],
)
def test_14_12_the_page_tells_of_backup_and_upgrade(
    heading: str, orders: set[str]
) -> None:
    (section,) = re.findall(rf"^### {heading}\n(.*?)(?=^##|\Z)", PAGE, HEADED)
    assert set(re.findall(r"bj-bank (\w+)", section)) == orders


def test_14_12_ci_tries_the_image_and_says_where_it_cannot() -> None:
    ci = (ROOT / ".ci" / "run").read_text("utf-8")
    assert 'docs/try_image.sh || { code=$?; [ "$code" = 75 ]' in ci
    tried = subprocess.run(
        ["/bin/bash", ROOT / "docs" / "try_image.sh"],
        env={"PATH": ""},  # in which there is neither root's id nor buildah
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert tried.returncode == 75
    assert tried.stdout.startswith("The image was not tried: ")
