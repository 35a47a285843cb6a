"""Pages of a PDF as images."""

from io import BytesIO
from threading import Lock

_one_at_a_time = Lock()
"""PDFium is not thread-safe: two threads in it at once end the process."""


def page_as_png(pdf: bytes, scale: float, *, colour: bool = True) -> bytes:
    """The first page as PNG, with ``scale`` pixels for each point."""
    import pypdfium2  # noqa: PLC0415 (the renderer is large, and few requests need it)

    with _one_at_a_time:
        document = pypdfium2.PdfDocument(pdf)
        try:
            image = document[0].render(scale=scale).to_pil()
        finally:
            document.close()
    out = BytesIO()
    image.convert("RGB" if colour else "L").save(out, "PNG", optimize=False)
    return out.getvalue()
