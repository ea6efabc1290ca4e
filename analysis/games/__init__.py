"""What the report of each game consists of, one module a kernel package: names and choices, as data."""
