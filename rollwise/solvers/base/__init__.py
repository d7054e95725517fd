"""What every form may import."""
