"""Compiled inner loops of score sheets: arrays in, arrays out."""
