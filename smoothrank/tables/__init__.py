"""A user's own table: how it is read, which columns are learnt from, and how they are encoded."""
