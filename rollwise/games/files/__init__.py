"""Games in text files: TOML with expressions, no Python, no risk."""
