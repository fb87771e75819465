import asyncio
import threading

import pytest

from bj_client.system import in_thread


async def test_what_the_work_returns_is_returned() -> None:
    here = threading.current_thread()
    there = await in_thread(threading.current_thread)
    assert there is not here
    assert there.daemon


async def test_what_the_work_raises_is_raised() -> None:
    with pytest.raises(ZeroDivisionError):
        await in_thread(lambda: 1 // 0)


async def test_a_wait_that_is_given_up_leaves_the_thread_to_itself() -> None:
    begun, go = asyncio.Event(), threading.Event()
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()

    def work() -> None:
        loop.call_soon_threadsafe(begun.set)
        go.wait()
        loop.call_soon_threadsafe(ended.set)

    waiting = asyncio.create_task(in_thread(work))
    await begun.wait()
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    go.set()
    await ended.wait()


def test_a_thread_that_outlives_its_loop_harms_nobody() -> None:
    go = threading.Event()
    threads: list[threading.Thread] = []

    def work() -> None:
        threads.append(threading.current_thread())
        go.wait()

    async def give_up() -> None:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(in_thread(work), 0.01)

    asyncio.run(give_up())
    go.set()
    for thread in threads:
        thread.join()
