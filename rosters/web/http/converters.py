"""Path converters: a URL with an impossible token or an unknown system is 404 before any view runs."""

from django.urls import register_converter

from rosters.registry import SYSTEMS, System


class TokenConverter:
    """The token of a roster or a battle, or the secret of an edit link: up to 64 letters, digits, "-" and "_"."""

    regex = "[A-Za-z0-9_-]{1,64}"

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


class SystemConverter:
    """A system by its slug."""

    regex = "[a-z0-9-]+"

    def to_python(self, value: str) -> System:
        if value not in SYSTEMS:
            raise ValueError(value)
        return SYSTEMS[value]

    def to_url(self, value: System | str) -> str:
        return value if isinstance(value, str) else value.slug


register_converter(TokenConverter, "token")
register_converter(SystemConverter, "system")
