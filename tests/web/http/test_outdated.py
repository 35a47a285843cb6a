"""Forms of pages that were loaded before the last release."""

from tests.people import SHIP, document_of, fresh, told
from tests.support import roster

PAGES = [f"/r/{{t}}/{at}" for at in ("", "add", "settings", "element?in=f1", "history", "sharing", "marks")]
PAGES += ["/s/{t}/print", "/b/{b}", "/mine/?q=a", "/mine/bin", "/account/tokens"]


def test_they_change_nothing_and_lead_to_the_page_as_it_is_now(owner):
    owner.sign_up()
    owner.confirm_password()
    mine = owner.make(roster("msc", [SHIP]))
    battle, before = owner.fight(mine), document_of(mine)
    for address in (at.format(t=mine.token, b=battle.token) for at in PAGES):
        response = owner.send(address, do="delete", name="Changed", revoke="1", visibility="closed")
        assert (response.status_code, response.url) == (303, address)
        assert told(owner.get("/"))[-1:] == ["warning"], address
        now = (document_of(mine), fresh(battle).name, fresh(mine).visibility)
        assert now == (before, battle.name, "link"), address
