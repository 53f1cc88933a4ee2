"""The project folder, its configuration, and what every task shares."""
