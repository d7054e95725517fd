"""Score sheets: their boxes, rules, notation, view and vocabulary, and two players on two of them."""
