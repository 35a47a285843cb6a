"""Messages keep their templates and values, so that any language can show them."""

import json
import pickle
import re

import pytest

from rosters.core import messages
from rosters.core.messages import Message, Translator, _, from_data, join, join_names, ngettext, to_data, translate

GUN = _("Gun factor, {gun}").format(gun=_("<rifled>"))
SHIPS = ngettext("{n} ship", "{n} ships", 2).format(n=2)


@pytest.fixture(autouse=True)
def shouting(monkeypatch):
    """A language in which everything is shouted."""

    def loud(text):
        return re.sub(r"\{\w+\}|.", lambda part: part[0] if len(part[0]) > 1 else part[0].upper(), text)

    translator = Translator(loud, lambda one, many, n: loud(one if n == 1 else many))
    monkeypatch.setattr(messages, "_translator", translator)


MESSAGES = [  # in English, and shouted
    *((_("After 1906"), "After 1906", "AFTER 1906"), (GUN, "Gun factor, <rifled>", "GUN FACTOR, <RIFLED>")),
    *((SHIPS, "2 ships", "2 SHIPS"), (ngettext("{n} ship", "{n} ships", 1).format(n=1), "1 ship", "1 SHIP")),
    *((join(["Vixen", _("fast")]), "Vixen, fast", "Vixen, FAST"), (join([]), "", "")),
]


@pytest.mark.parametrize("message", [GUN, SHIPS])
def test_a_message_survives_json_and_pickle(message):
    stored = json.loads(json.dumps(to_data(message)))
    for copied in (from_data(stored, len(message)), pickle.loads(pickle.dumps(message))):
        assert (copied, translate(copied)) == (message, translate(message))


def nested(depth):
    return ["{a}{a}", nested(depth - 1)] if depth else ["x"]


FORGED = [
    *(["{gun.__class__}{gun!r:>999999999}{missing}", "g"], ["{gun}{missing}", "x"], ["another text"]),
    *(["{a}" * 100_000, "x" * 100_000], ["x", "one value too many"], nested(12), [], {}, None, "x"),
    *([3], [None], [[]], [["x"]], [["x", "y", "2"]], [["x", ["y"], 2]], [[["x"], "y", 2]]),
    *(["{a}", True], ["{a}", None], ["{a}", {}], ["{a}", []], ["{a}", [3]]),
]


@pytest.mark.parametrize("forged", FORGED)
def test_forged_data_of_a_message_leaves_its_text(forged):
    data = {"label": "x", "name": "x"}
    restored = messages.restore_messages(data, [forged])
    assert (restored, translate(restored["label"])) == (data, "X")


def test_a_message_is_english_translates_with_its_values_and_is_restored_from_json_where_rules_wrote_it():
    assert [(message, message, translate(message)) for message, *_texts in MESSAGES] == MESSAGES
    assert GUN.__html__() == "GUN FACTOR, &lt;RIFLED&gt;"  # in a template it is escaped
    assert [*map(join_names, (["F", "FL", "FR"], ["F"], []))] == ["F, FL and FR", "F", ""]
    findings = [{"message": GUN}, {"label": SHIPS}, {"text": _("After 1906")}, {"text": GUN}]
    data = {"findings": findings, "name": str(GUN)}
    stored = json.loads(json.dumps([messages.to_data(each) for each in messages.messages_in(data).values()]))
    assert len(stored) == len({GUN, SHIPS})
    restored = messages.restore_messages(json.loads(json.dumps(data)), stored)
    assert restored == data
    texts = [text for each in restored["findings"] for text in each.values()]
    assert [*map(translate, texts)] == [translate(GUN), translate(SHIPS), "AFTER 1906", translate(GUN)]
    assert not isinstance(restored["name"], Message)
