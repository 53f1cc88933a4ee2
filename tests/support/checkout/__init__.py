"""A clone of the repository, and the lines that its pages show."""
