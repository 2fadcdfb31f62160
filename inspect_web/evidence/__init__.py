"""The evidence bundle: written for a stranger, and verified with no tool of ours."""
