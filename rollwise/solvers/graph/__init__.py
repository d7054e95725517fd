"""Any game: explore its graph, solve it component by component, certify."""
