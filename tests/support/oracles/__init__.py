"""Slow and literal versions of what the library does fast."""
