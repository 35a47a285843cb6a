"""What searches look up: words of the gallery, tags of My rosters."""

from django.db import models

from rosters.models.roster import Roster


class GalleryWord(models.Model):
    """A word by which the gallery finds a roster that it lists: UTF-8, so that every database orders them alike."""

    roster = models.ForeignKey(Roster, on_delete=models.CASCADE, related_name="gallery_words")
    word = models.BinaryField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["word", "roster"], name="gallery_word_of_roster")]

    def __str__(self) -> str:
        return bytes(self.word).decode()


class RosterTag(models.Model):
    """One tag out of ``Roster.tags``, so that My rosters filters and counts by it; ``folded`` is without accents.

    The text on the roster stays: it keeps the order, and backups hold it. `rosters.store.writer` writes both.
    """

    roster = models.ForeignKey(Roster, on_delete=models.CASCADE, related_name="tag_rows", db_index=False)
    tag = models.CharField(max_length=300)
    folded = models.TextField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["roster", "tag"], name="tag_of_roster")]

    def __str__(self) -> str:
        return self.tag
