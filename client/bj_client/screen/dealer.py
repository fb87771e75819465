"""The dealer, in the middle above the seats."""

from prompt_toolkit.utils import get_cwidth

from bj_client.card import HIDDEN
from bj_client.screen.canvas import Canvas, cut
from bj_client.screen.picture import CardArtist, Size
from bj_client.screen.scene import Scene
from bj_client.text import printable


def draw_dealer(canvas: Canvas, scene: Scene, y: int, width: int, size: Size) -> int:
    """Draw the dealer from row ``y`` on, and return the row below."""
    artist = CardArtist(scene.faces, scene.glyphs)
    dealer = scene.dealer
    is_turn = (0, 0) in scene.in_turn
    mark = f"{scene.glyphs.arrow} " if is_turn else ""
    name = mark + _name(scene, width // 2 - len(mark))
    style = "class:name.turn" if is_turn else "class:name"
    total = _total(scene)
    if size.height == 1:
        x = canvas.put(1 if is_turn else 3, y, name, style) + 1
        artist.draw(canvas, x, y, dealer.cards, size, width - x)
        x += artist.width(dealer.cards, size) + 1
        canvas.put(x, y, total, "class:total" if dealer.cards else "class:dim")
        return y + 1
    text = get_cwidth(name) + (len(total) + 2 if total else 0)
    x = canvas.put(max(1, (width - text) // 2), y, name, style)
    canvas.put(x + 2, y, total, "class:total" if dealer.cards else "class:dim")
    taken = min(width - 2, artist.width(dealer.cards, size))
    x = max(1, (width - taken) // 2)
    artist.draw(canvas, x, y + 1, dealer.cards, size, width - 2)
    if not dealer.cards:
        _places(canvas, scene, y + 1, width, size)
    return y + 1 + size.height


def _name(scene: Scene, room: int) -> str:
    name = printable(scene.table.dealer_name)
    titled = name if name.casefold() == "dealer" else f"{name} (dealer)"
    is_long = get_cwidth(titled) > room
    return cut(name, room, scene.glyphs.more) if is_long else titled


def _total(scene: Scene) -> str:
    dealer = scene.dealer
    if not dealer.cards:
        return ""
    if HIDDEN in dealer.cards:
        return f"shows {dealer.value}" if dealer.total else ""
    if dealer.natural:
        return "blackjack"
    bust = " bust" if dealer.total > 21 else ""
    return f"{dealer.value}{bust}"


def _places(canvas: Canvas, scene: Scene, y: int, width: int, size: Size) -> None:
    """Draw where the two cards will lie."""
    glyphs = scene.glyphs
    marks = f"{glyphs.corners}{glyphs.across}{glyphs.upright}"
    x = (width - 2 * size.width - 1) // 2
    for place in range(2):
        left = x + place * (size.width + 1)
        canvas.frame(left, y, size.width, size.height, marks, "class:rim")
