"""The PDF kit that record sheets are drawn with."""
