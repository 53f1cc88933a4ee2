"""How a model compares: with peers, with the champion, with earlier data."""
