"""What is checked and prepared before a retraining is started."""
