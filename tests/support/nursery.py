"""Processes that start fast: forks of one parent that has imported everything.

Most of what a short test of a real command takes is the import of its modules. So one
parent, ``python nursery.py``, imports them once for each worker of the tests, when they
are first wanted. It forks a process for each order, which is one packet with the
arguments and the descriptors to use, tells its number, and says how it ended once it is
gone. What is forked is a process of its own, with its own signals, files and sockets;
only its birth is short.

An order may be for a terminal: then the process leads a session whose terminal that is.
"""

import array
import atexit
import contextlib
import fcntl
import gc
import importlib
import json
import os
import pkgutil
import resource
import select
import signal
import socket
import subprocess
import sys
import termios
import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import IO, Any, NoReturn, Self

COMMANDS = {
    name: f"{name}.command"
    for name in ("bj_server", "bj_server.host_cli", "bj_server.bank_cli", "bj_client")
}
"""The modules whose ``main`` or ``run`` takes the arguments and returns the status."""

_LATE = (
    *("email.parser", "encodings.ascii", "encodings.idna", "encodings.utf_8_sig"),
    *("prompt_toolkit.input.vt100", "prompt_toolkit.key_binding.bindings.search"),
    "uvloop",
)
"""What others import only once a command runs, which takes as long as all it does."""
_PACKET = 1 << 20

PATIENCE = 60.0
"""How many seconds are waited for what only a fault keeps from coming."""


PATIENT = {
    "bj_client.net.opening.OPEN_SECONDS": PATIENCE,
    "bj_client.net.opening._PONG_SECONDS": PATIENCE,
    "bj_client.net.connection.HELLO_SECONDS": PATIENCE,
}
"""What gives up sooner in a client that is played with."""
_ANEW = """\
import importlib, runpy, sys
for name, limit in {patient}.items():
    module, _, constant = name.rpartition(".")
    setattr(importlib.import_module(module), constant, limit)
runpy.run_module("{module}", run_name="__main__", alter_sys=True)
"""
"""A command in an interpreter of its own."""


class Birth:
    """A process that was born here, with the descriptors that it was given."""

    def __init__(
        self,
        module: str,
        arguments: Sequence[str],
        descriptors: Sequence[int],
        *,
        environment: Mapping[str, str] | None = None,
        folder: Path | None = None,
        for_terminal: bool = False,
        anew: bool = False,
        limits: Mapping[int, tuple[int, int]] | None = None,
    ) -> None:
        """Run the command of ``module`` on three descriptors, which are closed here.

        ``for_terminal`` has it lead a session; ``anew`` starts an interpreter for it,
        as is needed for what is only looked at when one starts. ``limits`` are those of
        ``resource``, soft and hard.
        """
        reads, writes = os.pipe()
        order = {
            "module": module,
            "arguments": [str(argument) for argument in arguments],
            "environment": dict(os.environ if environment is None else environment),
            "folder": str(folder or Path.cwd()),
            "for_terminal": for_terminal,
            "anew": anew,
            "limits": [*(limits or {}).items()],
        }
        passed = array.array("i", [*descriptors, writes])
        _parent().sendmsg(
            [json.dumps(order).encode()],
            [(socket.SOL_SOCKET, socket.SCM_RIGHTS, passed)],
        )
        for descriptor in set(passed):
            os.close(descriptor)
        self.status: IO[str] = os.fdopen(reads, encoding="ascii")
        self.pid = int(self.status.readline())
        self.returncode: int | None = None
        self.cpu_seconds = 0.0
        """What it has cost, once it has ended."""

    def wait(self, seconds: float) -> bool:
        """Wait until it has ended; False if it goes on."""
        if self.returncode is not None:
            return True
        gone, _, _ = select.select([self.status], [], [], seconds)
        if gone:
            code, cpu = self.status.readline().split()
            self.returncode, self.cpu_seconds = int(code), float(cpu)
        return bool(gone)

    def send_signal(self, number: int) -> None:
        """Send a signal, unless it is gone, when its number may be another's."""
        if self.returncode is None and not self.wait(0):
            with contextlib.suppress(ProcessLookupError):  # its end is yet to be told
                os.kill(self.pid, number)


class Child:
    """A process that was born here, much like a ``subprocess.Popen`` of texts."""

    def __init__(
        self,
        module: str,
        *arguments: str,
        environment: Mapping[str, str] | None = None,
        folder: Path | None = None,
        anew: bool = False,
        limits: Mapping[int, tuple[int, int]] | None = None,
    ) -> None:
        """Run the command of ``module``, with pipes for what it reads and writes."""
        reads, writes = zip(*(os.pipe() for _ in range(3)), strict=True)
        descriptors = (reads[0], *writes[1:])
        self._birth = Birth(
            module,
            arguments,
            descriptors,
            environment=environment,
            folder=folder,
            anew=anew,
            limits=limits,
        )
        self.stdin: IO[str] = os.fdopen(writes[0], "w", 1, encoding="utf-8")
        self.stdout: IO[str] = os.fdopen(reads[1], encoding="utf-8", errors="replace")
        self.stderr: IO[str] = os.fdopen(reads[2], encoding="utf-8")
        self.pid = self._birth.pid

    @property
    def returncode(self) -> int | None:
        """The status with which it has ended; None while that is not known."""
        return self._birth.returncode

    def poll(self) -> int | None:
        """Return the status with which it has ended; None if it goes on."""
        self._birth.wait(0)
        return self.returncode

    def wait(self, timeout: float = PATIENCE) -> int:
        """Wait until it has ended, and return its status.

        Raises:
            TimeoutError: if it goes on.
        """
        self._birth.wait(timeout)
        if self.returncode is None:
            raise TimeoutError(f"process {self.pid} goes on")
        return self.returncode

    def send_signal(self, number: int) -> None:
        """Send a signal, unless it is gone, when its number may be another's."""
        self._birth.send_signal(number)

    def kill(self) -> None:
        """End it at once, unless it is gone."""
        self.send_signal(signal.SIGKILL)

    def communicate(self, text: str = "", timeout: float = PATIENCE) -> tuple[str, str]:
        """Write ``text`` and the end of the input; return all that is still said.

        Raises:
            TimeoutError: if it is not gone in time; it is killed then.
        """
        late = threading.Timer(timeout, self.kill)
        late.start()
        try:
            with ThreadPoolExecutor(2) as pool:
                streams = (self.stdout, self.stderr)
                reading = [pool.submit(stream.read) for stream in streams]
                with contextlib.suppress(BrokenPipeError):
                    self.stdin.write(text)
                    self.stdin.close()
                out, errors = (said.result() for said in reading)
            self._birth.wait(timeout)
            if not late.is_alive():
                raise TimeoutError(f"process {self.pid} goes on: {out} {errors}")
        finally:
            late.cancel()
            late.join()
        self.close()
        return out, errors

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        if self.returncode is None:
            self.kill()
            self._birth.wait(PATIENCE)
        self.close()

    def close(self) -> None:
        """Close our ends of its pipes."""
        for stream in (self.stdin, self.stdout, self.stderr, self._birth.status):
            with contextlib.suppress(BrokenPipeError):
                stream.close()


def run_quickly(
    command: Sequence[str],
    *,
    input: str = "",
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    timeout: float = PATIENCE,
) -> subprocess.CompletedProcess[str]:
    """Do what ``subprocess.run`` does with ``python -m MODULE ...`` and pipes."""
    _, _, module, *arguments = command
    child = Child(module, *arguments, environment=env, folder=cwd)
    out, errors = child.communicate(input, timeout)
    assert child.returncode is not None
    return subprocess.CompletedProcess(command, child.returncode, out, errors)


@cache
def _parent() -> socket.socket:
    """Start the parent of all children of this process; return the line to it."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with theirs:
        theirs.set_inheritable(True)
        parent = subprocess.Popen(
            [sys.executable, __file__, str(theirs.fileno())],
            stdin=subprocess.DEVNULL,
            pass_fds=[theirs.fileno()],
        )

    def end() -> None:
        ours.close()
        parent.wait(30)

    atexit.register(end)
    return ours


def main() -> None:
    """Be the parent: fork for each order, and tell how each child has ended."""
    line = socket.socket(fileno=int(sys.argv[1]))
    poll, children = select.poll(), dict[int, tuple[int, int]]()
    poll.register(line, select.POLLIN)
    while True:
        for ready, _ in poll.poll():
            if ready != line.fileno():
                poll.unregister(ready)
                _tell_end(ready, *children.pop(ready))
                continue
            packet, descriptors, _, _ = socket.recv_fds(line, _PACKET, 4)
            if not packet:
                return
            order = json.loads(packet)
            command = importlib.import_module(COMMANDS[order["module"]])
            _import_all(order["module"].partition(".")[0])
            gc.freeze()  # so that no child copies what it does not change
            process = os.fork()
            if not process:
                line.close()
                _be(order, command, descriptors)
            stdin, stdout, stderr, status = descriptors
            for descriptor in (stdin, stdout, stderr):
                os.close(descriptor)
            os.write(status, f"{process}\n".encode())
            children[end := os.pidfd_open(process)] = process, status
            poll.register(end, select.POLLIN)


@cache
def _import_all(package: str) -> None:
    """Import every module of a package, since commands import most by need alone."""
    face = importlib.import_module(package)
    modules = pkgutil.walk_packages(face.__path__, f"{package}.")
    for name in (*_LATE, *(each.name for each in modules)):
        if not name.endswith(".__main__"):
            importlib.import_module(name)


def _tell_end(end: int, process: int, status: int) -> None:
    _, how, used = os.wait4(process, 0)
    cpu = used.ru_utime + used.ru_stime
    with contextlib.suppress(BrokenPipeError):
        os.write(status, f"{os.waitstatus_to_exitcode(how)} {cpu:.3f}\n".encode())
    os.close(end)
    os.close(status)


def _be(order: dict[str, Any], command: object, descriptors: list[int]) -> NoReturn:
    """Become the child: run the command, and end as it does."""
    code = 1
    try:
        for number, descriptor in enumerate(descriptors[:3]):
            os.dup2(descriptor, number)
        os.closerange(3, 4096)
        os.environ.clear()
        os.environ.update(order["environment"])
        os.chdir(order["folder"])
        for number, limit in order["limits"]:
            resource.setrlimit(number, limit)
        if order["for_terminal"]:
            _lead_session()
        # A script that runs the tests in the background may have had them ignored.
        signal.signal(signal.SIGHUP, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        if order["anew"]:
            _exec(order)
        if order["module"] == "bj_client":
            _be_patient()
        for name in ("fsync", "fdatasync"):  # only a power cut could tell
            setattr(os, name, lambda descriptor: None)
        _speak()
        sys.path[0] = order["folder"]
        sys.stdin = os.fdopen(0, closefd=False)
        run = getattr(command, "main", None) or getattr(command, "run", None)
        assert run is not None
        code = run(order["arguments"])
    except SystemExit as ended:
        code = ended.code if isinstance(ended.code, int) else 1
    finally:
        with contextlib.suppress(OSError, ValueError):
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(code)


def _be_patient() -> None:
    """Give a client time to open its line on a machine that is busy."""
    for name, limit in PATIENT.items():
        module, _, constant = name.rpartition(".")
        setattr(importlib.import_module(module), constant, limit)


def _lead_session() -> None:
    """Lead a session at the terminal that was given."""
    os.setsid()
    terminal = next(number for number in range(3) if os.isatty(number))
    fcntl.ioctl(terminal, termios.TIOCSCTTY, 0)


def _speak() -> None:
    """Write to the streams that were given, as an interpreter does that starts."""
    encoding = os.environ.get("PYTHONIOENCODING", "utf-8")
    sys.stdout = sys.__stdout__ = open(1, "w", encoding=encoding, closefd=False)  # type: ignore[misc]  # noqa: SIM115
    sys.stderr = open(2, "w", encoding=encoding, closefd=False)  # noqa: SIM115


def _exec(order: dict[str, Any]) -> NoReturn:
    patient = PATIENT if order["module"] == "bj_client" else {}
    command = _ANEW.format(patient=patient, module=order["module"])
    words = [sys.executable, "-c", command, *order["arguments"]]
    os.execv(sys.executable, words)


if __name__ == "__main__":
    main()
