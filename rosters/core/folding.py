"""Texts as searches compare them: without accents and in lower case."""

import re
import unicodedata

STROKES = str.maketrans("łøđħ", "lodh")
"""Letters that Unicode does not decompose into a letter and a stroke."""
MAX_WORD_LENGTH = 60
"""Characters of a word that are compared."""


def fold_accents(text: str) -> str:
    """A text without accents and in lower case."""
    if text.isascii():
        return text.lower()
    letters = unicodedata.normalize("NFKD", text.casefold()).translate(STROKES)
    return "".join(c for c in letters if not unicodedata.combining(c))


def tokenize(text: str) -> set[str]:
    """The words of a text, folded."""
    return {word[:MAX_WORD_LENGTH] for word in re.findall(r"\w+", fold_accents(text))}
