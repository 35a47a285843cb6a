"""Pictures as primitives, computed from numbers: the web, PDF and image cards draw the same ones."""
