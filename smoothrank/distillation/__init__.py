"""From an average of strong models to a few columns: teachers, rows between rows, the student."""
