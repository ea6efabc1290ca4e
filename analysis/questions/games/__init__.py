"""What the questions must know of each game, one module a kernel package, as data."""
