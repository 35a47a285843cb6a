"""The index of the gallery search."""

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
