"""What a new user types, in a clone or with the wheel."""
