"""The PDF kit that record sheets are drawn with.

By hand on reportlab's canvas, which draws a sheet several times as fast as fpdf2 or WeasyPrint (docs/performance.md).
"""
