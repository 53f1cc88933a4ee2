"""Users' files: from bytes to cells of text."""
