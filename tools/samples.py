"""A sample roster of each game, and how a browser comes to a copy of one."""

import re

SAMPLE_OF = {
    "mini-combat": "mini-combat/second-world-war",
    "6mm": "6mm/rommel",
    "msc": "msc/hearthward-navy",
    "vsgmr": "vsgmr/justice-team",
    "urutsk": "urutsk/ferry-crossing-garrison",
}


def own(page, site, token):
    """The address of a roster of this browser's own that began as a sample."""
    page.goto(f"{site}/s/{token}/tools")
    page.get_by_role("button", name="Copy this roster").click()
    page.wait_for_url("**/r/**")
    return re.match(r".*/r/[\w-]+/", page.url)[0]
