"""Forms of an account."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from allauth.account import forms as allauth
from django import forms
from django.contrib.auth.password_validation import get_default_password_validators
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from rosters.models import ApiToken, Battle, TokenScope
from rosters.web.library.selection import SelectedRostersForm, tokens_in

LABELS = {
    "email": _("Email address"),
    "login": _("Email address"),
    "oldpassword": _("Current password"),
    "password": _("Password"),
    "password1": _("New password"),
    "password2": _("New password again"),
}


class LabeledForm:
    """A form of allauth's with the labels of all the others, and without placeholders, which repeat labels."""

    fields: dict[str, forms.Field]
    labels: Mapping[str, Any] = LABELS

    def __init__(self, *arguments: Any, **more: Any) -> None:
        super().__init__(*arguments, **more)
        for name, field in self.fields.items():
            field.label = self.labels.get(name, field.label)
            field.widget.attrs.pop("placeholder", None)
        if "password1" in self.fields:
            self.fields["password1"].help_text = password_help()


def password_help() -> str:
    """What a new password must be, in one sentence instead of one a validator."""
    length = max(getattr(validator, "min_length", 0) for validator in get_default_password_validators())
    text = gettext("At least %(number)s characters; not a common password, digits alone, or like your email address.")
    return text % {"number": length}


# allauth ships no types
class SignInForm(LabeledForm, allauth.LoginForm):  # type: ignore[misc]
    """allauth's form, which takes a username too: staff made by createsuperuser have one."""

    def __init__(self, *arguments: Any, **more: Any) -> None:
        super().__init__(*arguments, **more)
        self.fields["login"].widget.attrs["autocomplete"] = "username"


class SignUpForm(LabeledForm, allauth.SignupForm):  # type: ignore[misc]
    labels = LABELS | {"password1": _("Password"), "password2": _("Password again")}


class ChangeEmailForm(LabeledForm, allauth.AddEmailForm):  # type: ignore[misc]
    labels = LABELS | {"email": _("New email address")}


class ChangePasswordForm(LabeledForm, allauth.ChangePasswordForm):  # type: ignore[misc]
    pass


class SetPasswordForm(LabeledForm, allauth.SetPasswordForm):  # type: ignore[misc]
    pass


class ResetPasswordForm(LabeledForm, allauth.ResetPasswordForm):  # type: ignore[misc]
    pass


class ResetPasswordKeyForm(LabeledForm, allauth.ResetPasswordKeyForm):  # type: ignore[misc]
    pass


class ReauthenticateForm(LabeledForm, allauth.ReauthenticateForm):  # type: ignore[misc]
    pass


MAX_CLAIMED = 500
"""Rosters, and battles, that the claim page offers, and that are claimed at once."""


class SelectedBattlesField(forms.Field):
    """Battles by their tokens. Tokens of battles outside ``battles`` count as not sent."""

    widget = forms.MultipleHiddenInput
    battles: QuerySet[Battle]

    def clean(self, value: Any) -> QuerySet[Battle]:
        return self.battles.filter(token__in=tokens_in(value, MAX_CLAIMED))


class ClaimForm(SelectedRostersForm):
    """The rosters and battles to claim, perhaps none, and whether to claim the shelf."""

    battle = SelectedBattlesField()
    shelf = forms.BooleanField(required=False)

    def __init__(self, rosters: QuerySet[Any], battles: QuerySet[Battle], data: Any = None) -> None:
        super().__init__(rosters, data, required=False)
        self.fields["pick"].max_count = MAX_CLAIMED  # type: ignore[attr-defined]
        self.fields["battle"].battles = battles  # type: ignore[attr-defined]


class PasswordForm(forms.Form):
    """The password of the account, again."""

    password = forms.CharField(
        label=_("Password"),
        strip=False,
        widget=forms.PasswordInput({"class": "form-control", "autocomplete": "current-password"}),
    )
    wrong_password: Any

    def __init__(self, user: Any, data: Any = None) -> None:
        super().__init__(data)
        self.user = user

    def clean_password(self) -> str:
        password: str = self.cleaned_data["password"]
        if not self.user.check_password(password):
            raise ValidationError(self.wrong_password)
        return password


class DeleteAccountForm(PasswordForm):
    wrong_password = _("Wrong password. Nothing was deleted.")


class SignOutOthersForm(PasswordForm):
    wrong_password = _("Wrong password. No browser was signed out.")


EXPIRY = (("", _("Never")), (7, _("In a week")), (30, _("In 30 days")), (90, _("In 90 days")), (365, _("In a year")))
"""When an API token can expire, by the days until then."""


class ApiTokenForm(forms.Form):
    """What a new API token is for."""

    name = forms.CharField(
        label=_("Name of the program"),
        max_length=ApiToken._meta.get_field("name").max_length,
        error_messages={"required": _("Enter a name. It tells you later which token to revoke.")},
        widget=forms.TextInput({"autocomplete": "off"}),
    )
    scope = forms.ChoiceField(
        label=_("What it may do with your rosters"),
        choices=TokenScope.choices,
        initial=TokenScope.READ,
        error_messages={"required": _("Choose what the program may do.")},
        widget=forms.RadioSelect,
    )
    days = forms.TypedChoiceField(label=_("Expires"), choices=EXPIRY, coerce=int, empty_value=None, required=False)
    ends_with_password = forms.BooleanField(label=_("Ends when I change my password"), required=False)

    def token_values(self) -> dict[str, Any]:
        """The values of the token's columns."""
        days = self.cleaned_data["days"]
        names = ("name", "scope", "ends_with_password")
        values = {name: self.cleaned_data[name] for name in names}
        return values | {"expires": days and timezone.now() + timedelta(days=days)}
