"""The domain model shared by all systems, pure: amounts, receipts, findings, documents, appraisals, edits."""
