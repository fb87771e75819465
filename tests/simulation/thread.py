"""Threads of one process, which take turns where they touch the disk or wait.

Each is a greenlet. The main thread, that of the event loop, never waits: where it has
to, as for a lock, the thread that holds it runs on until it is given back.
"""

import contextlib
from collections import deque
from collections.abc import Callable
from typing import Any

from greenlet import GreenletExit, getcurrent, greenlet

from simulation.agenda import Agenda, Entry


class Dead(BaseException):
    """The process is gone: no error of anybody, which unwinds what is left of it."""


class Worker:
    """One thread."""

    def __init__(self, agenda: Agenda, work: Callable[[], object]) -> None:
        self._agenda = agenda
        self._work = work
        self._hub = getcurrent()
        self._green = greenlet(self._run, self._hub)
        self._entry: Entry | None = None

    def _run(self) -> None:
        with contextlib.suppress(Dead, GreenletExit):
            self._work()

    @property
    def is_over(self) -> bool:
        return bool(self._green.dead)

    def wake(self, seconds: float = 0.0) -> None:
        """Have it go on, if it waits for nothing yet."""
        if self._entry is None and not self.is_over:
            self._entry = self._agenda.after(seconds, self.switch)

    def switch(self) -> None:
        """Let it run until it waits again."""
        if self._entry is not None:
            self._entry.cancel()
            self._entry = None
        if not self.is_over:
            self._green.parent = getcurrent()
            self._green.switch()

    def pause(self, seconds: float) -> None:
        """Wait, as this thread."""
        self.wake(seconds)
        self.park()

    def park(self) -> None:
        """Wait, as this thread, until somebody wakes it."""
        parent = self._green.parent
        assert parent is not None
        parent.switch()

    def finish(self) -> None:
        """Let it run to its end."""
        while not self.is_over:
            assert self._entry is not None, "a thread that nobody wakes is waited for"
            self.switch()

    def kill(self) -> None:
        if self._entry is not None:
            self._entry.cancel()
            self._entry = None
        if not self.is_over:
            self._green.parent = getcurrent()
            self._green.throw(GreenletExit)


class Threads:
    """All threads of a process; stands for the modules of threads."""

    def __init__(self, agenda: Agenda) -> None:
        self._agenda = agenda
        self._workers: list[Worker] = []

    def start(self, work: Callable[[], object]) -> Worker:
        self._workers = [worker for worker in self._workers if not worker.is_over]
        worker = Worker(self._agenda, work)
        self._workers.append(worker)
        worker.wake()
        return worker

    @property
    def current(self) -> Worker | None:
        """The thread that runs; None for the main one."""
        green = getcurrent()
        for worker in self._workers:
            if worker._green is green:
                return worker
        return None

    def kill(self) -> None:
        for worker in self._workers:
            worker.kill()

    # As ``threading``, ``queue`` and ``concurrent.futures`` name them.

    def Thread(
        self, *, target: Callable[[], object], name: str = "", daemon: bool = False
    ) -> "Thread":
        return Thread(self, target)

    def Lock(self) -> "Lock":
        return Lock(self)

    def Condition(self) -> "Condition":
        return Condition(self)

    def Queue(self) -> "Queue":
        return Queue(self)

    SimpleQueue = Queue


class Thread:
    def __init__(self, threads: Threads, target: Callable[[], object]) -> None:
        self._threads, self._target = threads, target
        self._worker: Worker | None = None

    def start(self) -> None:
        self._worker = self._threads.start(self._target)

    def join(self) -> None:
        if self._worker is not None:
            self._worker.finish()


class Lock:
    def __init__(self, threads: Threads) -> None:
        self._threads = threads
        self._is_held = False
        self._holder: Worker | None = None
        self._waiting: list[Worker] = []

    def __enter__(self) -> None:
        me = self._threads.current
        while self._is_held:
            if me is not None:
                self._waiting.append(me)
                me.park()
            else:
                assert self._holder is not None, "the main thread locks itself out"
                self._holder.switch()
        self._is_held, self._holder = True, me

    def __exit__(self, *_: object) -> None:
        self._is_held, self._holder = False, None
        waiting, self._waiting = self._waiting, []
        for worker in waiting:
            worker.wake()


class Condition:
    """Its own lock is never held across a wait, and so needs no keeping."""

    def __init__(self, threads: Threads) -> None:
        self._threads = threads
        self._waiting: list[Worker] = []

    def __enter__(self) -> None:
        pass

    def __exit__(self, *_: object) -> None:
        pass

    def wait_for(self, is_so: Callable[[], object]) -> None:
        me = self._threads.current
        assert me is not None, "the main thread waits"
        while not is_so():
            self._waiting.append(me)
            me.park()

    def notify(self) -> None:
        waiting, self._waiting = self._waiting, []
        for worker in waiting:
            worker.wake()


class Queue:
    def __init__(self, threads: Threads) -> None:
        self._changed = Condition(threads)
        self._items: deque[Any] = deque()

    def put(self, item: Any) -> None:
        self._items.append(item)
        self._changed.notify()

    def get(self) -> Any:
        self._changed.wait_for(lambda: self._items)
        return self._items.popleft()

    def task_done(self) -> None:
        pass
