"""What passes from step to step."""
