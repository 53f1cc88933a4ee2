"""From cells of text to columns of numbers, texts and dates."""
