"""Commands that are disturbed while they run, and what they leave behind."""
