"""What is written and handed on; the only door between the evaluation and the inspection app."""
