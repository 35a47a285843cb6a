"""The forms of a page, as a browser reads them: where they go, what they send untouched, and their buttons."""

from html.parser import HTMLParser
from typing import NamedTuple
from urllib.parse import urljoin


class Field(NamedTuple):
    """A control: its name, what kind it is, its value, whether that is sent untouched, and what else it offers."""

    name: str
    kind: str
    value: str
    sent: bool = True
    offers: tuple[str, ...] = ()


class Form(NamedTuple):
    """A form of a page."""

    page: str
    action: str
    method: str
    fields: list[Field]
    buttons: list[tuple[str, str]]

    def pairs(self):
        """What a browser sends of it, but for its button."""
        return [(field.name, field.value) for field in self.fields if field.sent and field.kind != "file"]

    @property
    def takes_files(self):
        return any(field.kind == "file" for field in self.fields)


def forms_on(address, text):
    """Every form of the page at an address; what htmx or a button sends elsewhere as one more."""
    found = Page(address)
    found.feed(text)
    found.close()
    return found.forms()


class Page(HTMLParser):
    """Collects the forms and the controls of each, wherever on the page those stand."""

    def __init__(self, address):
        super().__init__(convert_charrefs=True)
        self.address, self.opened, self.controls, self.buttons = address, [], [], []
        self.inside, self.select, self.text = None, None, None

    def forms(self):
        for key, action, method in self.opened:
            fields = [field for owner, field in self.controls if owner == key]
            actions = {"": [], **{formaction: [] for owner, formaction, _ in self.buttons if owner == key}}
            for owner, formaction, button in self.buttons:
                if owner == key and button[0]:
                    actions[formaction].append(button)
            for formaction, buttons in actions.items():
                target = urljoin(self.address, formaction or action or self.address)
                yield Form(self.address, target, method, fields, buttons)

    def handle_starttag(self, tag, attrs):
        found = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.inside = found.get("id") or f"number {len(self.opened)}"
            self.opened.append((self.inside, found.get("action"), found.get("method", "get").lower()))
            if "hx-post" in found and found["hx-post"] != found.get("action"):
                self.opened.append((self.inside, found["hx-post"], "post"))
        elif tag == "option" and self.select:
            self.select[2].append((found.get("value", ""), "selected" in found))
        elif found.get("name") or found.get("formaction"):
            self.control(tag, found.get("form") or self.inside, found)

    def control(self, tag, owner, found):
        name, kind = found.get("name", ""), found.get("type", "text")
        if tag == "input" and kind in ("checkbox", "radio"):
            self.controls.append((owner, Field(name, kind, found.get("value", "on"), "checked" in found)))
        elif tag == "input" and kind != "submit":
            self.controls.append((owner, Field(name, kind, found.get("value", ""))))
        elif tag == "select":
            self.select = (owner, name, [])
        elif tag == "textarea":
            self.text = (owner, name, [])
        elif tag in ("button", "input"):
            self.buttons.append((owner, found.get("formaction", ""), (name, found.get("value", ""))))

    def handle_data(self, data):
        if self.text:
            self.text[2].append(data)

    def handle_endtag(self, tag):
        if tag == "form":
            self.inside = None
        elif tag == "select" and self.select:
            owner, name, options = self.select
            chosen = next((value for value, selected in options if selected), options[0][0] if options else "")
            self.controls.append((owner, Field(name, "select", chosen, True, tuple(value for value, _ in options))))
            self.select = None
        elif tag == "textarea" and self.text:
            owner, name, parts = self.text
            self.controls.append((owner, Field(name, "textarea", "".join(parts).removeprefix("\n"))))
            self.text = None
