"""What is kept, and the one door by which it is written."""
