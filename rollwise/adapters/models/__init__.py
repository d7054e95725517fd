"""Explored games as models that other programs read: UMB and DRN."""
