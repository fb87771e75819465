"""Mutants that may write anywhere are not let loose by root."""

import os
import sys

import pytest

from mutation.__main__ import main


def test_root_lets_no_mutant_of_the_bank_loose(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["mutation", "bank"])
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    with pytest.raises(SystemExit):
        main()
    assert "may write anywhere: not as root" in capsys.readouterr().err
