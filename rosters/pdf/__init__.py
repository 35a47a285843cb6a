"""The PDF kit for record sheets.

By hand on reportlab's canvas, which draws a sheet several times as fast as fpdf2 or WeasyPrint (docs/performance.md).
"""
