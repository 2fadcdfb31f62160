"""What was observed and what follows from it; pure, see README.md in this folder."""
