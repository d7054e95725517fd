"""JSON: what the command line and the server say."""
