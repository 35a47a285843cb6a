"""The form of an element of Mini Combat: its list of capabilities, beyond what the forms of all games are held to."""

from rosters.systems.mini_combat.rules import CAPABILITIES
from tests.filled import page, saved, system_form

PLAIN = {"movement": 10, "range": 20, "to_hit": 4, "save": 6, "power": 2, "armor": 1, "morale": 4, "kind": "infantry"}


def capabilities(*modifiers, **changes):
    """What the list of capabilities is after saving an element that had these."""
    return saved("mini-combat", {**PLAIN, "capabilities": [*modifiers]}, **changes).get("capabilities", [])


def errors(profile, **changes):
    data = page(system_form("mini-combat", profile)).sent()
    for name, value in changes.items():
        data.setlist(name, [value])
    return system_form("mini-combat", profile, data).errors


def test_capabilities_are_kept_in_order_changed_and_dropped():
    own, many, melee = {"custom": "Own", "percent": 5}, {"code": "MW", "count": 3}, {"code": "MA"}
    rows = [  # before, what is filled in, after
        ([], {"count-T": "4", "scatters-Drp": "on", "waived": ["MA"]}, []),
        ([], {"denies-1": "St", "denies-waived-1": "on"}, [{"code": "Den", "denies": "St", "waived": True}]),
        ([many, own, melee], {"capabilities": ["MW", "MA", "SS"]}, [many, own, melee, {"code": "SS"}]),
        ([own], {"percent-0": "", "custom-0": ""}, []),
        ([{"code": "Zap"}, melee, melee], {"as_written": ["2"]}, [melee, melee]),
    ]
    for before, changes, after in rows:
        assert capabilities(*before, **changes) == after


def test_a_custom_capability_needs_a_percentage_and_a_list_is_at_most_200_long():
    assert [*errors(PLAIN, **{"custom-1": "Half done"})] == ["percent-1"]
    assert [*errors({**PLAIN, "capabilities": [{"code": "Zap"}] * 200}, capabilities="MA")] == ["capabilities"]


def test_every_capability_has_its_box_and_its_explanation():
    shown = page(system_form("mini-combat"))
    boxes = {found["value"] for found in shown.inputs if found.get("name") == "capabilities"}
    assert boxes | {"Den"} == set(CAPABILITIES)
    assert [code for code, row in CAPABILITIES.items() if code != "Den" and row.text not in shown.text] == []


def test_unusual_capabilities_are_named_and_the_kind_shows_its_free_rules():
    odd = [{"code": "Zap", "waived": True}, {"code": "MA"}, {"code": "MA"}, {"code": "Den", "denies": "Fog"}]
    shown = page(system_form("mini-combat", {**PLAIN, "capabilities": odd})).text
    assert [word for word in ("Zap (unknown", "(MA): ", "“Fog”") if word not in shown] == []
    ship, car = (system_form("mini-combat", {**PLAIN, "kind": kind}).fields["kind"] for kind in ("ship", "vehicle"))
    assert ship.help_text != car.help_text
