"""The steps from raw text to trees, and the columns (drafts) that they fill."""
