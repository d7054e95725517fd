"""Pick a form, run it, prove it."""
