"""Indexes for searching: the words that Browse searches, and the tags of My rosters."""

from django.db import models


class GalleryWord(models.Model):
    """A word of a community roster, as UTF-8 bytes, which every database sorts alike."""

    roster = models.ForeignKey("rosters.Roster", on_delete=models.CASCADE, related_name="gallery_words")
    word = models.BinaryField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["word", "roster"], name="gallery_word_of_roster")]

    def __str__(self) -> str:
        return bytes(self.word).decode()


class RosterTag(models.Model):
    """One tag of ``Roster.tags``, by which My rosters filters and counts; ``folded`` is without accents.

    The text on the roster has their order, and is in backups. `rosters.store` writes both.
    """

    roster = models.ForeignKey("rosters.Roster", on_delete=models.CASCADE, related_name="tag_rows", db_index=False)
    tag = models.CharField(max_length=300)
    folded = models.TextField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["roster", "tag"], name="tag_of_roster")]

    def __str__(self) -> str:
        return self.tag
