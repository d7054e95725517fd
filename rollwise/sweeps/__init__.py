"""One game under many rules: every combination solved, one row each; the parameter at which a value meets a number."""
