"""What the log tells of who comes and goes."""

import pytest

from bj_server.log import TextForm
from bj_server.table.inbox import SendAway
from support.rig import Lay


def test_who_comes_and_goes_is_logged_with_where_and_who(
    lay: Lay, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    rig = lay(seats=1)
    rig.join("ned21")
    rig.join("ned21")
    rig.drop("ned21")
    rig.join("ned21")
    rig.join("lia9")
    rig.leave("ned21")
    rig.join("lia9")
    rig.send(SendAway("lia9"))
    lines = [TextForm().format(record) for record in caplog.records]
    ned = "table=main seat=1 handle=ned21"
    assert [line.partition(" info ")[2] for line in lines] == [
        f"joins {ned} line=1",
        f"is taken over {ned} line=2",
        f"is away {ned} line=2",
        f"is back {ned} line=3",
        "join refused table=main handle=lia9 line=4 code=table_full",
        f"leaves {ned} line=3",
        "joins table=main seat=1 handle=lia9 line=5",
        "is sent away table=main seat=1 handle=lia9 line=5",
        "leaves table=main seat=1 handle=lia9",
    ]
