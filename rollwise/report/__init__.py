"""Pages about solved games."""
