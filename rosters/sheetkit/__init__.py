"""The PDF kit: fonts and words that fit, a pen, blocks, pages, and what a sheet is drawn from."""
