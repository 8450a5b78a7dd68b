"""What the report says of groups, from the content of ``fairness.json``: figures, tables, sentences."""
