"""The coach in the browser: a local server over the library, and its page."""
