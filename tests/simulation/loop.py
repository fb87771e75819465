"""The loop: asyncio on the time of the world, one handle at a time, without sockets.

A server process has one. ``run`` can be told how many handles it may run, so that the
world may cut in between any two. What it listens on, the world finds in ``doors``.
"""

import asyncio
import os
import socket
from asyncio import events
from collections import deque
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from typing import Any, Protocol

from simulation.agenda import Agenda
from simulation.thread import Threads


class Factory(Protocol):
    """Makes the protocol of a connection."""

    def __call__(self) -> Any: ...


class Door:
    """A listening end; stands for ``asyncio.Server``."""

    def __init__(self, loop: "WorldLoop", name: str, sockets: tuple[Any, ...]) -> None:
        self._loop, self._name = loop, name
        self.sockets = sockets

    def close(self) -> None:
        self._loop.doors.pop(self._name, None)
        for each in self.sockets:
            each.close()

    def is_serving(self) -> bool:
        return self._name in self._loop.doors

    def get_loop(self) -> "WorldLoop":
        return self._loop

    async def start_serving(self) -> None:
        pass

    async def wait_closed(self) -> None:
        pass


class WorldLoop(asyncio.BaseEventLoop):
    """An event loop whose time is that of the agenda."""

    def __init__(self, agenda: Agenda, threads: Threads) -> None:
        super().__init__()
        self._agenda, self._threads = agenda, threads
        self._ready: deque[asyncio.Handle] = deque()
        self._catch: Callable[[Any, dict[str, Any]], object] | None = None
        self.doors: dict[str, Factory] = {}
        """What makes a protocol for each that comes: at "tcp", or at a path."""
        self.signals: dict[int, Callable[[], object]] = {}
        self.handed_over: dict[int, Any] = {}
        """Lines whose sockets were duplicated, by the number of the inode."""
        self._is_ending = False
        self.is_dying = False
        """Whether no handle is to run any more."""
        self.is_over = False
        """Whether the process is gone: what is called now does nothing."""

    # Running.

    @property
    def is_idle(self) -> bool:
        return not self._ready

    @contextmanager
    def running(self) -> Iterator[None]:
        events._set_running_loop(self)
        try:
            yield
        finally:
            events._set_running_loop(None)

    def run(self, most: int) -> int:
        """Run the handles that are ready, until none is or the process dies.

        Returns:
            How many there were, of at most so many.
        """
        ready, count = self._ready, 0
        events._set_running_loop(self)
        try:
            while ready and count < most and not self.is_dying:
                handle = ready.popleft()
                count += 1
                if not handle._cancelled:
                    handle._run()
        finally:
            events._set_running_loop(None)
        return count

    def end(self, steps: int = 10_000) -> None:
        """Cancel all tasks, and let them end, in a process that is gone."""
        self._is_ending, self.is_dying = True, False
        for _ in range(steps):
            if not self._ready:
                tasks = [task for task in asyncio.all_tasks(self) if not task.done()]
                if not tasks:
                    break
                for task in tasks:
                    task.cancel()
            self.run(1)
        for task in asyncio.all_tasks(self):
            task._log_destroy_pending = False  # type: ignore[attr-defined]
        self._ready.clear()
        self.is_over = True

    def time(self) -> float:
        return self._agenda.now

    def is_running(self) -> bool:
        return events._get_running_loop() is self

    def is_closed(self) -> bool:
        return self.is_over

    def close(self) -> None:
        self.is_over = True

    def get_debug(self) -> bool:
        return False

    def call_soon(  # type: ignore[override]
        self, callback: Callable[..., object], *args: Any, context: Any = None
    ) -> asyncio.Handle:
        handle = asyncio.Handle(callback, args, self, context)
        if not self.is_over:
            self._ready.append(handle)
        return handle

    call_soon_threadsafe = call_soon  # type: ignore[assignment]

    def call_later(  # type: ignore[override]
        self,
        delay: float,
        callback: Callable[..., object],
        *args: Any,
        context: Any = None,
    ) -> asyncio.TimerHandle:
        return self.call_at(self.time() + delay, callback, *args, context=context)

    def call_at(  # type: ignore[override]
        self,
        when: float,
        callback: Callable[..., object],
        *args: Any,
        context: Any = None,
    ) -> asyncio.TimerHandle:
        handle = asyncio.TimerHandle(when, callback, args, self, context)
        self._agenda.at(when, lambda: self._ring(handle))
        return handle

    def _ring(self, handle: asyncio.TimerHandle) -> None:
        if not self.is_over and not handle.cancelled():
            self._ready.append(handle)

    def _timer_handle_cancelled(self, handle: asyncio.TimerHandle) -> None:
        pass

    def create_future(self) -> "asyncio.Future[Any]":
        return asyncio.Future(loop=self)

    def create_task(
        self, coro: Any, *, name: object = None, context: Any = None
    ) -> "asyncio.Task[Any]":
        assert isinstance(coro, Coroutine)
        return asyncio.Task(coro, loop=self, name="task", context=context)

    def run_in_executor(  # type: ignore[override]
        self, executor: Any, func: Callable[..., Any], *args: Any
    ) -> "asyncio.Future[Any]":
        future = self.create_future()

        def work() -> None:
            try:
                result = func(*args)
            except Exception as error:  # noqa: BLE001 - for who waits
                self.call_soon(_set, future, None, error)
            else:
                self.call_soon(_set, future, result, None)

        self._threads.start(work)
        return future

    # Faults.

    def set_exception_handler(self, handler: Any) -> None:
        self._catch = handler

    def call_exception_handler(self, context: dict[str, Any]) -> None:
        if not self._is_ending and self._catch is not None:
            self._catch(self, context)

    # What comes from outside.

    def add_signal_handler(  # type: ignore[override]
        self, sig: int, callback: Callable[..., object], *args: Any
    ) -> None:
        self.signals[sig] = lambda: callback(*args)

    def remove_signal_handler(self, sig: int) -> bool:
        return self.signals.pop(sig, None) is not None

    async def create_server(  # type: ignore[override]
        self, protocol_factory: Factory, *_: Any, sock: Any = None, **__: Any
    ) -> Door:
        self.doors["tcp"] = protocol_factory
        return Door(self, "tcp", (sock,))

    async def create_unix_server(  # type: ignore[override]
        self, protocol_factory: Factory, path: Any = None, **_: Any
    ) -> Door:
        self.doors["host"] = protocol_factory
        return Door(self, "host", ())

    async def connect_accepted_socket(
        self, protocol_factory: Factory, sock: socket.socket, **_: Any
    ) -> tuple[Any, Any]:
        """Go on with a line on a duplicate of its socket."""
        wire = self.handed_over.pop(os.fstat(sock.fileno()).st_ino)
        sock.close()
        protocol = protocol_factory()
        transport = wire.adopt(protocol)
        return transport, protocol


def _set(
    future: "asyncio.Future[Any]", result: Any, error: BaseException | None
) -> None:
    if future.done():
        return
    if error is None:
        future.set_result(result)
    else:
        future.set_exception(error)
