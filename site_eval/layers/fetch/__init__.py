"""Official layers got from their services: asked for with patience, counted, kept, recorded."""
