"""One question a file; each check is found by the engine through its decorator."""
