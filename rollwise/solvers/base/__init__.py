"""What every solver may import."""
