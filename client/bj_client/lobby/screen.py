"""The screen of the lobby: the list on the whole terminal, fetched anew by itself."""

import asyncio
import contextlib
from dataclasses import dataclass, field

from prompt_toolkit.application import Application
from prompt_toolkit.output import Output

from bj_client.error import ClientError
from bj_client.lobby.lobby import Choice, Fetch, Lobby, Wish
from bj_client.lobby.view import draw_lobby
from bj_client.play.input import EndOfInputError
from bj_client.screen.canvas import Canvas, Glyphs
from bj_client.screen.canvas_control import canvas_app

_REFRESH_SECONDS = 3.0


@dataclass(eq=False)
class LobbyScreen:
    """Shows a lobby on a terminal until a table is chosen."""

    lobby: Lobby
    fetch: Fetch
    output: Output
    glyphs: Glyphs
    _wanted: asyncio.Event = field(default_factory=asyncio.Event, init=False)
    """Set when the list is to be fetched at once."""
    _app: Application[Choice | None] | None = field(default=None, init=False)

    async def choose(self) -> Choice | None:
        """Return the choice of the player; None if they leave."""
        app = self._app = canvas_app(self._draw, self._press, self._paste, self.output)
        fetching = asyncio.create_task(self._keep_fresh(app))
        try:
            choice: Choice | None = await app.run_async(
                set_exception_handler=False, handle_sigint=False
            )
            return choice
        except (EndOfInputError, OSError, EOFError):
            return None
        finally:
            fetching.cancel()
            self._wanted.set()  # the list of now is old when the player comes back
            await asyncio.gather(fetching, return_exceptions=True)

    def _draw(self, width: int, height: int) -> Canvas:
        return draw_lobby(
            self.lobby, width, height, self.glyphs, self._press, self._point
        )

    def _point(self, name: str, key: str) -> None:
        """Mark a table, and press a key for it; not while a code is typed."""
        self.lobby.mark(name)
        if key and self.lobby.typed is None:
            self._press(key)
        self._stale()

    def _paste(self, text: str) -> None:
        self.lobby.paste(text)
        self._stale()

    def _press(self, key: str) -> None:
        wanted, app = self.lobby.press(key), self._app
        if wanted is Wish.NEWS:
            self._wanted.set()
        elif wanted is not None and app is not None and not app.is_done:
            app.exit(result=None if isinstance(wanted, Wish) else wanted)
        self._stale()

    async def _keep_fresh(self, app: Application[Choice | None]) -> None:
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_REFRESH_SECONDS):
                    await self._wanted.wait()
            self._wanted.clear()
            try:
                self.lobby.update(await self.fetch())
            except ClientError as ending:
                self.lobby.miss(str(ending))
            app.invalidate()

    def _stale(self) -> None:
        if self._app is not None:
            self._app.invalidate()
