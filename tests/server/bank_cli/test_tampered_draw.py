"""Secrets, links and shoes that are not as they were, in banks whose chain is right."""

import json
import random
from pathlib import Path
from typing import Any

import pytest

from bj_protocol.proof import seal_of, terms_hash
from bj_server.bank.bank import Bank
from bj_server.bank_cli.draw import Secrets
from bj_server.settings import load_house
from support.banks import (
    BankCommand,
    Change,
    Lines,
    of_kind,
    play,
    play_bank,
    read_bank,
    tamper,
)
from support.linked import LinkedRig

OTHER = "ab" * 32


def deal(lines: Lines, round: int = 5) -> dict[str, Any]:
    data: dict[str, Any] = of_kind(lines, "deal", round=round)[0]["data"]
    return data


def draw(lines: Lines, round: int = 5) -> dict[str, Any]:
    data: dict[str, Any] = of_kind(lines, "draw", round=round)[-1]["data"]
    return data


def another_secret(lines: Lines) -> None:
    deal(lines)["secret"] = OTHER


def another_secret_in_both(lines: Lines) -> None:
    deal(lines)["secret"] = draw(lines)["secret"] = OTHER


def another_secret_with_its_seal(lines: Lines) -> None:
    another_secret_in_both(lines)
    deal(lines)["seal"] = seal_of(
        key=draw(lines)["key"],
        run=draw(lines)["run"],
        table="main",
        round=5,
        terms=terms_hash(of_kind(lines, "house")[0]["data"]["rules"]),
        secret=OTHER,
    )


def another_seal(lines: Lines) -> None:
    deal(lines)["seal"] = OTHER


def another_run(lines: Lines) -> None:
    draw(lines)["run"] = OTHER


def no_seal(lines: Lines) -> None:
    del deal(lines)["seal"]


def other_rules(lines: Lines) -> None:
    of_kind(lines, "house")[0]["data"]["rules"]["title"] = "Another"


def another_link(lines: Lines) -> None:
    deal(lines)["links"][0][1] = OTHER


def another_head(lines: Lines) -> None:
    deal(lines)["head"] = OTHER


def links_exchanged(lines: Lines) -> None:
    links = deal(lines)["links"]
    links[0][1], links[1][1] = links[1][1], links[0][1]


def a_link_left_out(lines: Lines) -> None:
    deal(lines)["links"].pop()


def a_link_of_nobody(lines: Lines) -> None:
    del deal(lines)["seats"][0]["commitment"]


def no_secret_before(lines: Lines) -> None:
    lines.remove(of_kind(lines, "draw", round=5)[-1])


def a_secret_after_a_bet(lines: Lines) -> None:
    drawn = of_kind(lines, "draw", round=5)[-1]
    lines.remove(drawn)
    lines.insert(lines.index(of_kind(lines, "deal", round=5)[0]), drawn)


def a_secret_twice(lines: Lines) -> None:
    draw(lines)["secret"] = draw(lines, 4)["secret"]


def take_a_card_out(data: dict[str, Any]) -> None:
    left = [*map(int, data["left"])]
    left[next(n for n, count in enumerate(left) if count)] -= 1
    data["left"] = "".join(map(str, left))


def a_card_taken_out(lines: Lines) -> None:
    take_a_card_out(draw(lines))
    take_a_card_out(deal(lines))


def another_shoe_in_the_deal(lines: Lines) -> None:
    take_a_card_out(deal(lines))


def the_cut_card_moved(lines: Lines) -> None:
    for data in (draw(lines), deal(lines)):
        data["cut"] += 1 if data["cut"] < 80 else -1


def an_impossible_shoe(lines: Lines) -> None:
    for data in (draw(lines), deal(lines)):
        data["left"] = "9" * 52


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (another_secret, "The secret is not the one that was drawn before the bets"),
        (another_secret_in_both, "The seal is "),
        (another_secret_with_its_seal, "The commitment of "),
        (another_seal, "The seal is "),
        (another_run, "The seal is "),
        (no_seal, "The seal is None, and should be "),
        (other_rules, "The seal is "),
        (another_link, "The commitment of "),
        (another_head, "round main/5"),
        (links_exchanged, "The commitment of "),
        (a_link_left_out, "The seats with links are not those"),
        (a_link_of_nobody, "The seats with links are not those"),
        (no_secret_before, "No secret was drawn for the round before its bets"),
        (a_secret_after_a_bet, "is drawn when there are bets"),
        (a_secret_twice, "The secret of the round was that of another"),
        (a_card_taken_out, "neither full nor the one that was left"),
        (another_shoe_in_the_deal, "not the one that was there before the bets"),
        (the_cut_card_moved, "neither full nor the one that was left"),
        (an_impossible_shoe, "cannot be dealt again, since there are only 8"),
    ],
)
def test_a_draw_that_was_changed_is_found(
    bank: Path, tmp_path: Path, ask: BankCommand, change: Change, words: str
) -> None:
    secrets = {line["data"]["secret"] for line in of_kind(read_bank(bank), "draw")}
    folder = tamper(bank, tmp_path / "bank", change)
    status, lines, _ = ask("audit", "--bank", folder)
    assert status == 3
    assert any(words in line for line in lines), lines
    assert not any(secret in "".join(lines) for secret in secrets)


def test_a_shoe_that_was_not_replaced_is_found(
    tmp_path: Path, ask: BankCommand
) -> None:
    def change(lines: Lines) -> None:
        take_a_card_out(draw(lines, 2))
        take_a_card_out(deal(lines, 2))

    play_bank(tmp_path / "bank", "iipp6", rounds=3, handles=["ned21"])
    folder = tamper(tmp_path / "bank", tmp_path / "other", change)
    lines = ask("audit", "--bank", folder)[1]
    assert any("neither full nor the one that was left" in line for line in lines)


def test_a_secret_that_another_table_had_is_found(
    bank: Path, tmp_path: Path, ask: BankCommand
) -> None:
    def change(lines: Lines) -> None:
        drawn, seal = of_kind(lines, "draw")[3], of_kind(lines, "seal")[-1]
        lines += [{**drawn, "table": "high"}, {**seal, "table": "high"}]

    lines = ask("audit", "--bank", tamper(bank, tmp_path / "bank", change))[1]
    assert any("The secret of the round was that of another" in line for line in lines)


def test_only_the_last_secrets_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bj_server.bank_cli.draw._KEPT", 2)
    known = Secrets()
    assert [known.add(secret * 32) for secret in ("aa", "bb", "aa")] == [1, 1, 0]
    assert known.add("cc" * 32)
    assert known.add("aa" * 32)


def test_the_secret_that_a_void_round_tells_is_checked(
    tmp_path: Path, ask: BankCommand, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A natural would be settled before the round is void.
    drawn = random.Random(7)
    monkeypatch.setattr("secrets.token_hex", lambda size: drawn.randbytes(size).hex())
    with LinkedRig(tmp_path / "bank") as rig:
        rig.join("ned21")
        play(rig, 2, ["ned21"])
        rig.bet("ned21", 25)
        rig.table.void("Something went wrong.")
        rig.dealer.carry_out(())
        play(rig, 2, ["ned21"])
    assert ask("audit", "--bank", tmp_path / "bank")[0] == 0

    def change(lines: Lines) -> None:
        of_kind(lines, "refund")[0]["data"]["secret"] = OTHER

    folder = tamper(tmp_path / "bank", tmp_path / "other", change)
    status, lines, _ = ask("audit", "--bank", folder)
    assert status == 3
    assert any("that is told was not drawn for the round" in line for line in lines)


def test_a_round_whose_links_did_not_come_is_nothing_to_find(
    tmp_path: Path, ask: BankCommand
) -> None:
    with LinkedRig(tmp_path) as rig:
        for handle in ("ned21", "lia9"):
            rig.join(handle)
        rig.silent = {"lia9"}
        rig.bet("ned21", 10)
        rig.bet("lia9", 10)
        rig.wait(2)
        rig.silent = {"ned21"}
        while rig.picture.phase == "playing":
            rig.wait(31)
        rig.bet("ned21", 10)
        rig.wait(2)
    lines = read_bank(tmp_path)
    assert [seat["seat"] for seat in deal(lines, 1)["seats"]] == [1]
    end = of_kind(lines, "refund")[-1]
    assert end["data"]["secret"] == draw(lines, end["round"])["secret"]
    status, told, _ = ask("audit", "--bank", tmp_path)
    assert (status, told[-1]) == (0, "The bank is sound.")


def test_a_running_round_keeps_its_secret(tmp_path: Path, ask: BankCommand) -> None:
    with LinkedRig(tmp_path, house=load_house("cs220")) as rig:
        rig.join("ned21")
        rig.bet("ned21", 10)
        assert rig.picture.phase == "playing"
    secret = deal(read_bank(tmp_path), 1)["secret"]
    for command in (("round", 1), ("history", "ned21"), ("audit",)):
        for form in ([], ["--json"]):
            said = ask(*command, "--bank", tmp_path, *form)
            assert secret not in json.dumps(said)
    assert secret not in json.dumps(ask("export", "--csv", "--bank", tmp_path))


def test_a_table_that_is_gone_tells_the_secret_of_its_round(
    tmp_path: Path, ask: BankCommand
) -> None:
    with LinkedRig(tmp_path) as rig:
        for handle in ("ned21", "lia9"):
            rig.join(handle)
        rig.bet("ned21", 10)
        secret = rig.table.context.secret
    Bank.open(tmp_path, keep=()).close()
    assert of_kind(read_bank(tmp_path), "void")[0]["data"] == {"secret": secret}
    assert ask("audit", "--bank", tmp_path)[0] == 0
