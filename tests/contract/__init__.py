"""What holds for every game: one suite over all that are registered, the tiny one included.

A test takes the fixture `game`. A new game gets all of it by being registered.
"""
