"""The rules' shared words, pure: amounts, receipts, findings, documents, appraisals, edits."""
